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

# For who sizes nodes; not part of "make install", which needs no nettle.
.PHONY: install-fleet
install-fleet: $(BUILD)/bench/purelink-fleet
	$(INSTALL) -d $(INTO)/bin $(INTO)/share/man/man1
	$(INSTALL) -m 755 $(BUILD)/bench/purelink-fleet $(INTO)/bin/purelink-fleet
	$(INSTALL) -m 644 bench/fleet/purelink-fleet.1 $(INTO)/share/man/man1/purelink-fleet.1
