# make mutants: plants each fault of tests/mutants/*.patch in a copy of the tree; a test must find each.
# Writes the table of docs/testing.md. JOBS faults are tried at a time. Needs what the tests need.

.PHONY: mutants
mutants:
	$(PYTHON) -B tests/mutants/run --write
