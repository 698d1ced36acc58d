# make fuzz-smoke: every target for SMOKE_S seconds; make fuzz FOR=1h: for longer. Both fail on a crash, a hang or a
# difference. make fuzz-build alone builds the targets; needs afl++ (Debian: apt-get install afl++).
# make fuzz-coverage plays seeds and corpora again and prints which lines and branches they reach; needs gcovr.

FUZZ_BUILD := build-fuzz
FUZZ_TARGETS := payload roundtrip differential senders keyfile decode stateful store outbox
FUZZ_LAYERS := link_gen wire crypto io link store
FUZZ_LIBS := $(foreach l,$(FUZZ_LAYERS),$(FUZZ_BUILD)/lib/$(l).a)
FUZZ_CC ?= afl-clang-fast
FUZZ_SANITIZE := AFL_USE_ASAN=1 AFL_USE_UBSAN=1 AFL_QUIET=1 AFL_LLVM_DENYLIST=$(abspath fuzz/uninstrumented.txt)
FUZZ_CFLAGS = -std=c11 -D_GNU_SOURCE -O1 -g $(WARNINGS) -Isrc -Igenerated -Icrosscheck -Itests -Ifuzz
SECOND_CODEC := $(filter-out %/main.c,$(wildcard crosscheck/codec/*.c)) generated/crosscheck/link_table.c
SMOKE_S ?= 20
FOR ?= 1h

# What a target has beside TARGET.c and the harness. The stateful one plays in the simulator's world.
SIM_WORLD := $(filter-out %/engine_run.c %/engine_plan.c,$(wildcard tests/sim/engine_*.c)) \
    $(foreach f,judge net sim,tests/sim/$(f).c)
FUZZ_PARTS_differential := $(SECOND_CODEC)
FUZZ_PARTS_decode := $(wildcard src/capture/*.c)
FUZZ_PARTS_store := fuzz/env_edit.c
FUZZ_PARTS_outbox := fuzz/env_edit.c
FUZZ_PARTS_stateful := fuzz/forge.c fuzz/null_aead.c $(SIM_WORLD)

FUZZ_LINK = $(FUZZ_CFLAGS) fuzz/harness.c fuzz/$*.c $(FUZZ_PARTS_$*) -Wl,--start-group $(filter %.a,$^) -Wl,--end-group \
    $(LIBS) -o $@

.PHONY: fuzz-build fuzz-smoke fuzz fuzz-coverage
fuzz-build:
	@command -v $(FUZZ_CC) >/dev/null || { echo "$(FUZZ_CC) is missing (Debian: apt-get install afl++)"; exit 1; }
	@$(FUZZ_SANITIZE) $(MAKE) --no-print-directory CC=$(FUZZ_CC) BUILD=$(FUZZ_BUILD) $(FUZZ_LIBS)
	@$(FUZZ_SANITIZE) $(MAKE) --no-print-directory FUZZ_CC=$(FUZZ_CC) $(foreach t,$(FUZZ_TARGETS),$(FUZZ_BUILD)/$(t)) \
	    $(FUZZ_BUILD)/mutator.so $(FUZZ_BUILD)/script_mutator.so

$(foreach t,$(FUZZ_TARGETS),$(FUZZ_BUILD)/$(t)): $(FUZZ_BUILD)/%: $(FUZZ_LIBS) $(wildcard fuzz/*.[ch] tests/sim/*.[ch])
	$(call say,FUZZ,$*)$(FUZZ_SANITIZE) $(FUZZ_CC) $(FUZZ_LINK)
$(FUZZ_BUILD)/mutator.so: fuzz/mutator.c $(SECOND_CODEC)
	$(call say,CC,$@)gcc $(FUZZ_CFLAGS) -O2 -shared -fPIC -DPROTOCOL=link $^ -o $@

# The mutator of payloads within that of scripts: its functions go by other names.
PAYLOAD_NAMES := $(foreach f,init fuzz init_trim trim post_trim deinit,-Dafl_custom_$(f)=payload_$(f))
$(FUZZ_BUILD)/payload_mutator.o: fuzz/mutator.c
	$(call say,CC,$@)gcc $(FUZZ_CFLAGS) -O2 -fPIC -DPROTOCOL=link $(PAYLOAD_NAMES) -c $< -o $@
$(FUZZ_BUILD)/script_mutator.so: fuzz/script_mutator.c $(FUZZ_BUILD)/payload_mutator.o $(SECOND_CODEC)
	$(call say,CC,$@)gcc $(FUZZ_CFLAGS) -O2 -shared -fPIC $^ -o $@

fuzz-smoke: fuzz-build
	$(PYTHON) -B fuzz/run --build $(FUZZ_BUILD) --for $(SMOKE_S)s $(FUZZ_TARGETS)
fuzz: fuzz-build
	$(PYTHON) -B fuzz/run --build $(FUZZ_BUILD) --for $(FOR) $(FUZZ_TARGETS)

FUZZ_COVERED := generated/link/link_decode.c src/link/ src/wire/ src/store/ src/capture/ src/io/keyfile.c src/io/senders.c
COVERAGE_BUILD := $(FUZZ_BUILD)/coverage
COVERAGE_LIBS := $(foreach l,$(FUZZ_LAYERS),$(COVERAGE_BUILD)/lib/$(l).a)
fuzz-coverage:
	@command -v gcovr >/dev/null || { echo "make fuzz-coverage needs the package gcovr"; exit 1; }
	@$(MAKE) --no-print-directory SAN=coverage BUILD=$(COVERAGE_BUILD) $(COVERAGE_LIBS)
	@$(MAKE) --no-print-directory $(foreach t,$(FUZZ_TARGETS),$(COVERAGE_BUILD)/$(t))
	find $(COVERAGE_BUILD) -name '*.gcda' -delete
	$(PYTHON) -B fuzz/run --build $(COVERAGE_BUILD) --replay $(FUZZ_TARGETS)
	@for part in $(FUZZ_COVERED); do echo $$part; gcovr --root . --filter $$part --print-summary --output /dev/null \
	    $(COVERAGE_BUILD) | grep -E '^(lines|branches)'; done
$(foreach t,$(FUZZ_TARGETS),$(COVERAGE_BUILD)/$(t)): $(COVERAGE_BUILD)/%: $(COVERAGE_LIBS) $(wildcard fuzz/*.[ch] tests/sim/*.[ch])
	$(call say,FUZZ,$*)gcc --coverage -O0 $(FUZZ_LINK)
