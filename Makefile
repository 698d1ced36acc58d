# Builds purelink: the command, the library, the tests. Non-recursive; every list is a glob, so that a new
# file needs no line here. Out of the tree's own sources nothing is made but by "make generate".
#
#   make                 build/purelink, libpurelink.a, libpurelink.so
#   make check           the tests alone (no packages installed, no linters)
#   make unit            the unit tests alone; UNIT='tests/unit/io_*_test.c' narrows them
#   make SAN=asan ...    the same in build-asan, with AddressSanitizer and UBSan; SAN=tsan: ThreadSanitizer
#   make install         into $(DESTDIR)$(PREFIX); systemd units into $(DESTDIR)$(UNITDIR)
#   make coverage tidy format-check generate generate-check clean

.DEFAULT_GOAL := all
.DELETE_ON_ERROR:
.SUFFIXES:
.SECONDARY:

VERSION := $(shell sed -n 's/^## \([0-9][0-9.]*\).*/\1/p' CHANGELOG.md 2>/dev/null | head -n 1)
VERSION := $(or $(VERSION),0.0.0)
SOVERSION := 0

ifeq ($(origin CC),default)
CC := gcc
endif
AR ?= ar
PYTHON ?= /usr/bin/python3
PREFIX ?= /usr/local
INSTALL ?= install

ifeq ($(SAN),asan)
BUILD ?= build-asan
SANFLAGS := -fsanitize=address,undefined -fno-sanitize-recover=all -fno-omit-frame-pointer
else ifeq ($(SAN),tsan)
BUILD ?= build-tsan
SANFLAGS := -fsanitize=thread -fno-omit-frame-pointer
else ifeq ($(SAN),coverage)
BUILD ?= build-coverage
SANFLAGS := --coverage -O0
else ifneq ($(SAN),)
$(error SAN=$(SAN): known are asan, tsan and coverage)
endif
BUILD ?= build

CFLAGS ?= -O2 -g
# A packager with another compiler sets WERROR= to nothing.
WERROR ?= -Werror
WARNINGS := -Wall -Wextra $(WERROR) -Wshadow -Wstrict-prototypes -Wmissing-prototypes -Wvla
PL_CFLAGS := -std=c11 -D_GNU_SOURCE -fPIC -fvisibility=hidden $(WARNINGS) -Isrc -Igenerated -Iinclude \
    -DPURELINK_VERSION_TEXT='"$(VERSION)"' $(SANFLAGS)
# Ragel's output is a program of gotos and tables: falling through is how it runs.
RAGEL_CFLAGS := -Wno-implicit-fallthrough -Wno-unused-const-variable -Wno-unused-label
# Criterion's macros declare functions without prototypes of their own.
TEST_CFLAGS := -Itests -Wno-missing-prototypes
LIBS := -llmdb -lcrypto -lpthread
# AES-GCM of Intel's ipsec-mb where its package is installed; IPSEC_MB= builds without it.
IPSEC_MB ?= $(if $(wildcard /usr/include/intel-ipsec-mb.h),1)
ifneq ($(IPSEC_MB),)
PL_CFLAGS += -DPL_IPSEC_MB
LIBS += -lIPSec_MB
endif
# What was compiled otherwise is compiled again: by another compiler, or before a package was installed.
FLAGS_NOW := $(CC) $(PL_CFLAGS) $(CFLAGS) $(LIBS)
ifneq ($(file <$(BUILD)/flags),$(FLAGS_NOW))
$(shell mkdir -p $(BUILD))
$(file >$(BUILD)/flags,$(FLAGS_NOW))
endif
# One short line a file; V=1 shows the commands.
say = $(if $(V),,@printf '  %-4s %s\n' $(1) $(2) &&)

# ---- Layers: one static library each -------------------------------------------------------------------

LAYERS ?= wire crypto link store io node device api
GENERATED_SOURCES := $(wildcard generated/link/*.c)
object = $(patsubst %.c,$(BUILD)/obj/%.o,$(1))
layer_sources = $(wildcard src/$(1)/*.c)

LAYER_LIBS := $(LAYERS:%=$(BUILD)/lib/%.a) $(BUILD)/lib/link_gen.a
LAYER_OBJECTS := $(call object,$(GENERATED_SOURCES) $(foreach l,$(LAYERS),$(call layer_sources,$(l))))
# The library has no use for captures: they are linked into the command alone.
CLI_SOURCES := $(filter-out src/cli/main.c,$(call layer_sources,cli)) $(call layer_sources,capture)
LINK_LAYERS = -Wl,--start-group $(1) -Wl,--end-group

define archive
$(BUILD)/lib/$(1).a: $(call object,$(2))
	@mkdir -p $$(@D) && rm -f $$@
	@$(AR) rcs $$@ $$(filter %.o,$$^)
endef
$(eval $(call archive,link_gen,$(GENERATED_SOURCES)))
$(eval $(call archive,cli,$(CLI_SOURCES)))
$(foreach l,$(LAYERS),$(eval $(call archive,$(l),$(call layer_sources,$(l)))))

$(BUILD)/obj/%.o: %.c Makefile $(BUILD)/flags
	@mkdir -p $(@D)
	$(call say,CC,$<)$(CC) $(PL_CFLAGS) $(CFLAGS) $(EXTRA) -MMD -MP -c -o $@ $<

$(BUILD)/obj/generated/link/link_decode.o $(call object,$(wildcard src/*/*_ragel.c)): EXTRA = $(RAGEL_CFLAGS)
$(BUILD)/obj/tests/%.o $(BUILD)/obj/generated/tests/%.o $(BUILD)/obj/bench/%.o: EXTRA = $(TEST_CFLAGS)

# ---- The command and the library -----------------------------------------------------------------------

PRODUCTS := $(if $(wildcard src/cli/main.c),$(BUILD)/purelink) \
    $(if $(wildcard src/api/*.c),$(BUILD)/libpurelink.a $(BUILD)/libpurelink.so)
.PHONY: all
all: $(LAYER_LIBS) $(PRODUCTS)

$(BUILD)/purelink: $(call object,src/cli/main.c) $(BUILD)/lib/cli.a $(LAYER_LIBS)
	$(call say,LD,$@)$(CC) $(SANFLAGS) $(LDFLAGS) -o $@ $< $(call LINK_LAYERS,$(filter %.a,$^)) $(LIBS)

$(BUILD)/libpurelink.a: $(LAYER_OBJECTS)
	@rm -f $@
	@$(AR) rcs $@ $^

$(BUILD)/libpurelink.so.$(SOVERSION): $(LAYER_OBJECTS) src/api/purelink.map
	$(call say,LD,$@)$(CC) $(SANFLAGS) $(LDFLAGS) -shared -Wl,-soname,libpurelink.so.$(SOVERSION) \
	    -Wl,--version-script=src/api/purelink.map -o $@ $(filter %.o,$^) $(LIBS)

$(BUILD)/libpurelink.so: $(BUILD)/libpurelink.so.$(SOVERSION)
	ln -sf $(<F) $@

$(BUILD)/purelink.pc: packaging/purelink.pc.in Makefile
	@mkdir -p $(@D)
	sed -e 's|@PREFIX@|$(PREFIX)|' -e 's|@VERSION@|$(VERSION)|' $< > $@

# ---- Installing ----------------------------------------------------------------------------------------

UNITS := $(wildcard packaging/*.service)
# Where systemd looks for units of what was installed under PREFIX.
UNITDIR ?= $(PREFIX)/lib/systemd/system
MAN_PAGES := $(wildcard man/*.1 man/*.3 man/*.7)
INTO = $(DESTDIR)$(PREFIX)
.PHONY: install uninstall
install: all $(BUILD)/purelink.pc
	$(INSTALL) -d $(INTO)/bin $(INTO)/include $(INTO)/lib/pkgconfig
	$(INSTALL) -m 755 $(BUILD)/purelink $(INTO)/bin/purelink
	$(INSTALL) -m 644 include/purelink.h $(INTO)/include/purelink.h
	$(INSTALL) -m 644 $(BUILD)/libpurelink.a $(INTO)/lib/libpurelink.a
	$(INSTALL) -m 755 $(BUILD)/libpurelink.so.$(SOVERSION) $(INTO)/lib/libpurelink.so.$(SOVERSION)
	ln -sf libpurelink.so.$(SOVERSION) $(INTO)/lib/libpurelink.so
	$(INSTALL) -m 644 $(BUILD)/purelink.pc $(INTO)/lib/pkgconfig/purelink.pc
	$(foreach p,$(MAN_PAGES),$(INSTALL) -D -m 644 $(p) \
	    $(INTO)/share/man/man$(subst .,,$(suffix $(p)))/$(notdir $(p)) &&) true
	$(INSTALL) -d $(DESTDIR)$(UNITDIR)
	$(foreach u,$(UNITS),sed -e 's|/usr/local/bin/|$(PREFIX)/bin/|' $(u) > $(BUILD)/$(notdir $(u)) && \
	    $(INSTALL) -m 644 $(BUILD)/$(notdir $(u)) $(DESTDIR)$(UNITDIR)/$(notdir $(u)) &&) true

uninstall:
	rm -f $(INTO)/bin/purelink $(INTO)/include/purelink.h $(INTO)/lib/libpurelink.a \
	    $(INTO)/lib/libpurelink.so $(INTO)/lib/libpurelink.so.$(SOVERSION) $(INTO)/lib/pkgconfig/purelink.pc \
	    $(foreach p,$(MAN_PAGES),$(INTO)/share/man/man$(subst .,,$(suffix $(p)))/$(notdir $(p))) \
	    $(foreach u,$(UNITS),$(DESTDIR)$(UNITDIR)/$(notdir $(u)))

# ---- Tests ---------------------------------------------------------------------------------------------

UNIT ?= tests/unit/*_test.c generated/tests/*_test.c
UNIT_SOURCES := $(wildcard $(UNIT))
UNIT_HELPERS := $(filter-out %_test.c,$(wildcard tests/unit/*.c generated/tests/*.c))
SIM_SOURCES := $(wildcard tests/sim/*.c)
SIM_SEEDS ?= 300
THREAD_TESTS := $(patsubst tests/threads/%.c,$(BUILD)/tests/threads/%,$(wildcard tests/threads/*.c))

$(BUILD)/tests/unit: $(call object,$(UNIT_SOURCES) $(UNIT_HELPERS)) $(BUILD)/lib/cli.a $(LAYER_LIBS)
	@mkdir -p $(@D)
	$(call say,LD,$@)$(CC) $(SANFLAGS) $(LDFLAGS) -o $@ $(filter %.o,$^) $(call LINK_LAYERS,$(filter %.a,$^)) -lcriterion $(LIBS)

$(BUILD)/sim: $(call object,$(SIM_SOURCES)) $(LAYER_LIBS)
	$(call say,LD,$@)$(CC) $(SANFLAGS) $(LDFLAGS) -o $@ $(filter %.o,$^) $(call LINK_LAYERS,$(filter %.a,$^)) $(LIBS) -ldl

$(BUILD)/tests/threads/%: $(BUILD)/obj/tests/threads/%.o $(LAYER_LIBS)
	@mkdir -p $(@D)
	$(call say,LD,$@)$(CC) $(SANFLAGS) $(LDFLAGS) -o $@ $< $(call LINK_LAYERS,$(filter %.a,$^)) $(LIBS)

.PHONY: unit threads sim structure system spec check
unit: $(if $(UNIT_SOURCES),$(BUILD)/tests/unit)
	tests/run-unit $(if $(UNIT_SOURCES),$(BUILD)/tests/unit)
threads: $(THREAD_TESTS)
	tests/run-threads $(THREAD_TESTS)
sim: $(if $(SIM_SOURCES),$(BUILD)/sim)
	$(if $(SIM_SOURCES),$(BUILD)/sim --seeds $(SIM_SEEDS))
structure: all
	BUILD=$(BUILD) $(PYTHON) tests/structure/run
system: all
	$(if $(wildcard tests/system/run),BUILD=$(BUILD) tests/system/run)
spec:
	$(if $(wildcard tests/spec/run),$(PYTHON) tests/spec/run)
check: $(if $(UNIT_SOURCES),unit) $(if $(THREAD_TESTS),threads) $(if $(wildcard tests/spec/run),spec) structure \
    $(if $(SIM_SOURCES),sim) $(if $(wildcard tests/system/run),system)

# ---- Looking after the sources -------------------------------------------------------------------------

HAND_WRITTEN := $(filter-out %_ragel.c,$(wildcard src/*/*.c))
.PHONY: tidy format-check coverage clean
tidy:
	printf '%s\n' $(HAND_WRITTEN) | xargs -r -n 1 -P $(shell nproc) sh -c 'clang-tidy --quiet "$$1" -- \
	    $(filter-out -Werror -DPURELINK_VERSION_TEXT=%,$(PL_CFLAGS)) -DPURELINK_VERSION_TEXT=\"0\" 2>&1' tidy

format-check:
	clang-format --dry-run --Werror $(HAND_WRITTEN) $(wildcard src/*/*.h)

coverage:
	$(MAKE) SAN=coverage unit
	mkdir -p build-coverage/html
	@command -v gcovr >/dev/null || { echo "make coverage needs the package gcovr"; exit 1; }
	gcovr --root . --filter 'src/' --filter 'generated/link/' --exclude '.*_ragel.c' --print-summary \
	    --html-details build-coverage/html/index.html build-coverage

clean:
	rm -rf build build-bench build-asan build-tsan build-coverage build-clang build-fuzz

-include codegen/generate.mk
-include crosscheck/crosscheck.mk
-include bench/bench.mk
-include bench/fleet/fleet.mk
-include tests/guard/guard.mk
-include fuzz/fuzz.mk
-include model/model.mk
-include tests/mutants/mutants.mk
-include $(wildcard src/*/ragel.mk)
-include $(shell find $(BUILD)/obj -name '*.d' 2>/dev/null)
