# make generate: spec/*.wire -> generated/. make generate-check: the same into a temporary folder, compared.
# Needs python3-lark, python3-jinja2, ragel and graphviz; those who only build need none of them.

PYTHON ?= /usr/bin/python3
SPEC := spec/link.wire

.PHONY: generate generate-check
generate:
	$(PYTHON) -B -m codegen $(SPEC) --out generated

generate-check:
	@out=$$(mktemp -d) && trap 'rm -rf "$$out"' EXIT && \
	$(PYTHON) -B -m codegen $(SPEC) --out "$$out" && \
	$(PYTHON) -B -m codegen.compare "$$out" generated

# What a change breaks: make spec-diff OLD=before.wire [NEW=after.wire]. 0: nothing, 1: something, 2: a bad spec.
.PHONY: spec-diff
NEW ?= $(SPEC)
spec-diff:
	@$(if $(OLD),,echo "make spec-diff OLD=FILE [NEW=FILE]" >&2; exit 2;) \
	$(PYTHON) -B -m codegen diff $(OLD) $(NEW)
