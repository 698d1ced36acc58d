# What a record costs, held to what it cost before: make guard. make guard-accept takes what it costs now.

GUARD_OBJECTS := $(call object,tests/guard/guard.c tests/guard/wire.c tests/sim/net.c tests/sim/sim.c bench/lib/endpoint.c)
$(GUARD_OBJECTS) $(call object,tests/guard/planted.c): EXTRA = $(TEST_CFLAGS) -Ibench

$(BUILD)/guard: $(GUARD_OBJECTS) $(LAYER_LIBS)
	$(call say,LD,$@)$(CC) $(SANFLAGS) $(LDFLAGS) -o $@ $(filter %.o,$^) $(call LINK_LAYERS,$(filter %.a,$^)) $(LIBS)

$(BUILD)/guard-planted: $(GUARD_OBJECTS) $(call object,tests/guard/planted.c) $(LAYER_LIBS)
	$(call say,LD,$@)$(CC) $(SANFLAGS) $(LDFLAGS) -Wl,--wrap=pl_walk -o $@ $(filter %.o,$^) $(call LINK_LAYERS,$(filter %.a,$^)) $(LIBS)

.PHONY: guard guard-accept
guard: $(BUILD)/guard $(BUILD)/guard-planted
	GUARD_FLAGS='$(strip $(CFLAGS))' BUILD=$(BUILD) $(PYTHON) tests/guard/run
guard-accept: $(BUILD)/guard
	GUARD_FLAGS='$(strip $(CFLAGS))' BUILD=$(BUILD) $(PYTHON) tests/guard/run --accept
