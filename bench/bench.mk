# The benchmarks. They are built as the rival is, with optimisation across files for this very processor, in a
# directory of their own.
#
#   make benches              builds the programs
#   make rivals               builds quinn with cargo, from the crates registry: once
#   make bench                runs everything and writes docs/benchmarks.md; half an hour, leave the machine alone
#   make bench-transport bench-links bench-drain bench-put bench-floor      one each, the last line is RESULT {json}
#
# SIZE=small makes each of them short. Where quinn is not built they say so and leave the comparison out.

BENCHES := $(patsubst bench/%.c,$(BUILD)/bench/%,$(wildcard bench/*.c))
BENCH_SHARED := $(call object,$(wildcard bench/lib/*.c))
BENCH_BUILD ?= build-bench
BENCH_FLAGS := -O3 -g -march=native
BENCH_AR := $(AR)
ifneq ($(findstring gcc,$(CC)),)
BENCH_FLAGS += -flto=auto
BENCH_AR := gcc-ar
endif
RIVALS_DIR ?= $(abspath build/rivals)
BENCH_ENV := BUILD=$(BENCH_BUILD) RIVALS_DIR=$(RIVALS_DIR)

$(BUILD)/bench/%: $(BUILD)/obj/bench/%.o $(BENCH_SHARED) $(LAYER_LIBS)
	@mkdir -p $(@D)
	$(call say,LD,$@)$(CC) $(SANFLAGS) $(LDFLAGS) -o $@ $(filter %.o,$^) $(call LINK_LAYERS,$(filter %.a,$^)) $(LIBS)

.PHONY: bench-programs benches rivals bench bench-transport bench-links bench-drain bench-put bench-floor
bench-programs: $(BENCHES)
benches:
	@$(MAKE) --no-print-directory BUILD=$(BENCH_BUILD) CFLAGS='$(BENCH_FLAGS)' LDFLAGS='$(BENCH_FLAGS)' \
	    AR=$(BENCH_AR) bench-programs

# For whoever compares: no test needs it.
rivals: benches
	@command -v cargo >/dev/null || { echo "rivals: cargo is not installed; it is needed to build quinn"; exit 1; }
	@CARGO_TARGET_DIR=$(RIVALS_DIR)/quinn RUSTFLAGS="-C target-cpu=native" \
	    cargo build --quiet --release --locked --manifest-path bench/rivals/quinn/Cargo.toml || \
	    { echo "rivals: quinn is not built: cargo needs the crates registry (or its cache)"; exit 1; }

bench-transport: benches
	@$(BENCH_ENV) bench/versus-transport
bench-links: benches
	@$(BENCH_ENV) bench/versus-links
bench-drain: benches
	@$(BENCH_ENV) bench/versus-drain
bench-put: benches
	@$(BENCH_BUILD)/bench/put $(if $(wildcard /dev/shm),/dev/shm)
bench-floor: benches
	@AEAD=openssl $(BENCH_BUILD)/bench/floor | grep -v RESULT
	@$(BENCH_BUILD)/bench/apart | grep -v RESULT
	@$(BENCH_BUILD)/bench/floor

bench: benches
	$(BENCH_ENV) bench/report
