# build/bench/purelink-fleet: many devices on the second implementation's engine, so on nettle and without src/.

FLEET_OBJECTS := $(patsubst %.c,$(BUILD)/crosscheck/obj/%.o,$(wildcard bench/fleet/*.c) $(XC_ENGINE))

.PHONY: fleet
ifneq ($(wildcard /usr/include/nettle/sha2.h),)
fleet: $(BUILD)/bench/purelink-fleet
else
fleet:
	@echo "fleet: build/bench/purelink-fleet is not built: it needs the package nettle-dev"
endif
benches system: fleet

$(BUILD)/bench/purelink-fleet: $(FLEET_OBJECTS)
	@mkdir -p $(@D)
	$(call say,LD,$@)$(CC) $(SANFLAGS) $(LDFLAGS) -o $@ $(filter %.o,$^) -lhogweed -lnettle -lgmp
