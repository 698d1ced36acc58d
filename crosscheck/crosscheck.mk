# The second implementation: build/crosscheck/xc-device and xc-node, on nettle alone. It sees no header of src/
# or generated/link. "make interop" sets it against the product and writes docs/interop.md.

XC_SHARED := $(wildcard crosscheck/engine/*.c) $(filter-out %/main.c,$(wildcard crosscheck/codec/*.c)) \
    crosscheck/common.c generated/crosscheck/link_table.c
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
interop: all crosscheck
	BUILD=$(BUILD) $(PYTHON) tests/interop/run --write

# The second implementation's own tests. They see no header of src/ either.
XC_ENGINE := $(filter crosscheck/engine/% crosscheck/codec/% generated/%,$(XC_SHARED))
XT_OBJECTS := $(call XC_OBJECTS,$(wildcard tests/crosscheck/*.c) $(XC_ENGINE))
$(BUILD)/crosscheck/obj/tests/crosscheck/%.o: XC_CFLAGS += -Wno-missing-prototypes

$(BUILD)/crosscheck/tests: $(XT_OBJECTS)
	$(call say,LD,$@)$(CC) $(SANFLAGS) $(LDFLAGS) -o $@ $^ -lcriterion -lhogweed -lnettle -lgmp

.PHONY: crosscheck-test
crosscheck-test: crosscheck $(BUILD)/crosscheck/tests
	BUILD=$(BUILD) tests/crosscheck/run

-include $(shell find $(BUILD)/crosscheck/obj -name '*.d' 2>/dev/null)
