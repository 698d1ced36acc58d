# The second implementation: build/crosscheck/xc-device and xc-node, on nettle alone. It sees no header of src/
# or generated/link. "make interop" sets it against the product and writes docs/interop.md.

XC_SHARED := $(wildcard crosscheck/engine/*.c) $(filter-out %/main.c,$(wildcard crosscheck/codec/*.c)) \
    crosscheck/common.c crosscheck/keep.c generated/crosscheck/link_table.c
XC_CFLAGS := -std=c11 -D_GNU_SOURCE $(WARNINGS) -Icrosscheck $(SANFLAGS)
XC_OBJECTS = $(patsubst %.c,$(BUILD)/crosscheck/obj/%.o,$(1))
XC_PROGRAMS := $(BUILD)/crosscheck/xc-device $(BUILD)/crosscheck/xc-node

$(BUILD)/crosscheck/obj/%.o: %.c crosscheck/crosscheck.mk
	@mkdir -p $(@D)
	$(call say,CC,$<)$(CC) $(XC_CFLAGS) $(CFLAGS) -MMD -MP -c -o $@ $<

$(BUILD)/crosscheck/xc-%: $(BUILD)/crosscheck/obj/crosscheck/%.o $(call XC_OBJECTS,$(XC_SHARED))
	$(call say,LD,$@)$(CC) $(SANFLAGS) $(LDFLAGS) -o $@ $^ -lhogweed -lnettle -lgmp

.PHONY: crosscheck interop
ifneq ($(wildcard /usr/include/nettle/curve25519.h),)
crosscheck: $(XC_PROGRAMS)
else
crosscheck:
	@echo "crosscheck: it needs the package nettle-dev"; exit 1
endif

# The product's own objects with one more, which notes the machines' steps: nothing that is installed has it.
INTEROP_TRACE := $(call object,tests/interop/trace.c) -Wl,--wrap=pl_env_defaults,--wrap=statvfs
$(BUILD)/interop/purelink: $(call object,src/cli/main.c tests/interop/trace.c) $(BUILD)/lib/cli.a $(LAYER_LIBS)
	@mkdir -p $(@D)
	$(call say,LD,$@)$(CC) $(SANFLAGS) $(LDFLAGS) -o $@ $(call object,src/cli/main.c) $(INTEROP_TRACE) \
	    $(call LINK_LAYERS,$(filter %.a,$^)) $(LIBS)
$(BUILD)/interop/libpurelink.so: $(LAYER_OBJECTS) $(call object,tests/interop/trace.c) src/api/purelink.map
	@mkdir -p $(@D)
	$(call say,LD,$@)$(CC) $(SANFLAGS) $(LDFLAGS) -shared -Wl,--version-script=src/api/purelink.map -o $@ \
	    $(filter-out %/trace.o,$(filter %.o,$^)) $(INTEROP_TRACE) $(LIBS)
interop: all crosscheck $(BUILD)/interop/purelink $(BUILD)/interop/libpurelink.so
	BUILD=$(BUILD) $(PYTHON) tests/interop/run --write

# The second implementation's own tests. They see no header of src/ either.
XC_ENGINE := $(filter crosscheck/engine/% crosscheck/codec/% generated/%,$(XC_SHARED))
XT_OBJECTS := $(call XC_OBJECTS,$(wildcard tests/crosscheck/*.c) $(XC_ENGINE))
$(BUILD)/crosscheck/obj/tests/crosscheck/%.o: XC_CFLAGS += -Wno-missing-prototypes

$(BUILD)/crosscheck/tests: $(XT_OBJECTS)
	$(call say,LD,$@)$(CC) $(SANFLAGS) $(LDFLAGS) -o $@ $^ -lcriterion -lhogweed -lnettle -lgmp

.PHONY: crosscheck-test crosscheck-faults
crosscheck-test: crosscheck $(BUILD)/crosscheck/tests
	BUILD=$(BUILD) tests/crosscheck/run
# Some minutes: each planted fault must be found by them.
crosscheck-faults:
	tests/crosscheck/faults

-include $(shell find $(BUILD)/crosscheck/obj -name '*.d' 2>/dev/null)
