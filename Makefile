# The project's daily commands. `make` alone lists them.
#
# Variables: PYTHON, the interpreter for the environment; TEXT, what `make label` labels; CONFIG, OUT and
# SENTENCE, the config that `make train` trains (a name or a file), its output folder and the sentence that
# it labels; PORT, the port of `make serve`; TESTS, the tests to run.

CONFIG ?= lisa_small
OUT ?= out/sample
TEXT ?= In 2019, after a decade of litigation that had cost taxpayers more than $$40 million, the state's \
	highest court ruled that lawmakers must pay for the schools.
SENTENCE ?= The company said it would buy the plant that she built .
PORT ?= 8000
TESTS ?= tests

BIN := .venv/bin
export PYTHON SENTENCE TEXT

.DEFAULT_GOAL := help
.PHONY: help setup label serve train test test-fast test-all lint format results docs lock clean

help:
	@echo 'make label   label a sentence, or TEXT="...", with the English model in the package'
	@echo 'make serve   serve the page to edit parses on, at http://127.0.0.1:$(PORT)/, until control-C'
	@echo 'make train   train LISA on the sample corpus and label a sentence with it'
	@echo 'make test    run all but the slow tests; test-fast runs only the quick ones, test-all everything'
	@echo 'make lint    check formatting, lint and types'
	@echo 'make format  format the code'
	@echo 'make setup   create or update .venv with both wings (7 GB); the commands above install what they need first'
	@echo 'make results update the tables of RESULTS.md and docs/ from benchmarks/records'
	@echo 'make docs    build the site of the documentation in build/site'
	@echo 'make lock    resolve requirements/*.in to lock files (needs uv)'
	@echo 'make clean   remove trained models, caches and build files, but not .venv'

setup:
	@scripts/setup train

label:
	@scripts/setup label
	@$(BIN)/lisa label english "$$TEXT"

serve:
	@scripts/setup serve
	@$(BIN)/lisa serve english --port '$(PORT)'

train: setup
	@echo 'train: $(CONFIG) -> $(OUT)'
	@$(BIN)/lisa train '$(CONFIG)' --serialization-dir '$(OUT)' --force
	@echo 'train: a sentence labelled by $(OUT)/model.tar.gz'
	@$(BIN)/lisa label '$(OUT)/model.tar.gz' "$$SENTENCE"

test: setup
	@OMP_NUM_THREADS=1 $(BIN)/python -m pytest -n 2 --dist worksteal -m 'not slow' $(TESTS)

test-fast: setup
	@OMP_NUM_THREADS=1 $(BIN)/python -m pytest -n 2 --dist worksteal -m 'not slow and not medium' $(TESTS)

test-all: setup
	@OMP_NUM_THREADS=1 $(BIN)/python -m pytest -n 2 --dist worksteal --hypothesis-profile thorough $(TESTS)

lint: setup
	@$(BIN)/ruff format --check .
	@$(BIN)/ruff check .
	@$(BIN)/mypy

format: setup
	@$(BIN)/ruff format .
	@$(BIN)/ruff check --fix .

results: setup
	@$(BIN)/python -m benchmarks.tables

docs: setup
	@scripts/docs

lock:
	@scripts/lock

clean:
	rm -rf out build dist *.egg-info .pytest_cache .mypy_cache .ruff_cache .hypothesis
