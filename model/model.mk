# make model: the rules of one stream checked by Spin, and the table of docs/model.md. Needs the package spin.

.PHONY: model
model:
	BUILD=$(BUILD) $(PYTHON) model/run --write
