# make fuzz-smoke: every target for SMOKE_S seconds; make fuzz FOR=1h: for longer. Both fail on a crash, a hang or a
# difference. make fuzz-build alone builds the targets; needs afl++ (Debian: apt-get install afl++).

FUZZ_BUILD := build-fuzz
FUZZ_TARGETS := payload roundtrip differential senders keyfile stateful store outbox
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
FUZZ_PARTS_store := fuzz/env_edit.c
FUZZ_PARTS_outbox := fuzz/env_edit.c
FUZZ_PARTS_stateful := fuzz/forge.c fuzz/null_aead.c $(SIM_WORLD)

.PHONY: fuzz-build fuzz-smoke fuzz
fuzz-build:
	@command -v $(FUZZ_CC) >/dev/null || { echo "$(FUZZ_CC) is missing (Debian: apt-get install afl++)"; exit 1; }
	@$(FUZZ_SANITIZE) $(MAKE) --no-print-directory CC=$(FUZZ_CC) BUILD=$(FUZZ_BUILD) $(FUZZ_LIBS)
	@$(FUZZ_SANITIZE) $(MAKE) --no-print-directory FUZZ_CC=$(FUZZ_CC) $(foreach t,$(FUZZ_TARGETS),$(FUZZ_BUILD)/$(t)) \
	    $(FUZZ_BUILD)/mutator.so

$(foreach t,$(FUZZ_TARGETS),$(FUZZ_BUILD)/$(t)): $(FUZZ_BUILD)/%: $(FUZZ_LIBS) $(wildcard fuzz/*.[ch] tests/sim/*.[ch])
	$(call say,FUZZ,$*)$(FUZZ_SANITIZE) $(FUZZ_CC) $(FUZZ_CFLAGS) fuzz/harness.c fuzz/$*.c $(FUZZ_PARTS_$*) \
	    -Wl,--start-group $(FUZZ_LIBS) -Wl,--end-group -llmdb -lcrypto -lpthread -o $@
$(FUZZ_BUILD)/mutator.so: fuzz/mutator.c $(SECOND_CODEC)
	$(call say,CC,$@)gcc $(FUZZ_CFLAGS) -O2 -shared -fPIC -DPROTOCOL=link $^ -o $@

fuzz-smoke: fuzz-build
	$(PYTHON) -B fuzz/run --build $(FUZZ_BUILD) --for $(SMOKE_S)s $(FUZZ_TARGETS)
fuzz: fuzz-build
	$(PYTHON) -B fuzz/run --build $(FUZZ_BUILD) --for $(FOR) $(FUZZ_TARGETS)
