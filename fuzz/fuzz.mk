# make fuzz-smoke: every target for SMOKE_S seconds; make fuzz FOR=1h: for longer. Both fail on a crash, a hang or a
# difference. make fuzz-build alone builds the targets; needs afl++ (Debian: apt-get install afl++).

FUZZ_BUILD := build-fuzz
FUZZ_TARGETS := payload roundtrip differential senders keyfile
FUZZ_LIBS := $(foreach l,link_gen wire crypto io,$(FUZZ_BUILD)/lib/$(l).a)
FUZZ_CC ?= afl-clang-fast
FUZZ_SANITIZE := AFL_USE_ASAN=1 AFL_USE_UBSAN=1 AFL_QUIET=1
FUZZ_CFLAGS = -std=c11 -D_GNU_SOURCE -O1 -g $(WARNINGS) -Isrc -Igenerated -Icrosscheck
SECOND_CODEC := $(filter-out %/main.c,$(wildcard crosscheck/codec/*.c)) generated/crosscheck/link_table.c
SMOKE_S ?= 20
FOR ?= 1h

.PHONY: fuzz-build fuzz-smoke fuzz
fuzz-build:
	@command -v $(FUZZ_CC) >/dev/null || { echo "$(FUZZ_CC) is missing (Debian: apt-get install afl++)"; exit 1; }
	$(FUZZ_SANITIZE) $(MAKE) --no-print-directory CC=$(FUZZ_CC) BUILD=$(FUZZ_BUILD) $(FUZZ_LIBS)
	@for t in $(FUZZ_TARGETS); do \
	    $(FUZZ_SANITIZE) $(FUZZ_CC) $(FUZZ_CFLAGS) fuzz/harness.c fuzz/$$t.c $(SECOND_CODEC) \
	        -Wl,--start-group $(FUZZ_LIBS) -Wl,--end-group -lcrypto -lpthread -o $(FUZZ_BUILD)/$$t || exit 1; done
	gcc $(FUZZ_CFLAGS) -O2 -shared -fPIC -DPROTOCOL=link fuzz/mutator.c $(SECOND_CODEC) -o $(FUZZ_BUILD)/mutator.so

fuzz-smoke: fuzz-build
	$(PYTHON) -B fuzz/run --build $(FUZZ_BUILD) --for $(SMOKE_S)s $(FUZZ_TARGETS)
fuzz: fuzz-build
	$(PYTHON) -B fuzz/run --build $(FUZZ_BUILD) --for $(FOR) $(FUZZ_TARGETS)
