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
