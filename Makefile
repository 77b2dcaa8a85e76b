# The project's daily commands. `make` alone lists them.
#
# Variables: PYTHON (the interpreter of the environment to create), CONFIG, OUT and SENTENCE (what
# `make train` trains, where it puts it, what it labels), TESTS (what the `make test` targets run).

CONFIG ?= training_configs/lisa_small.jsonnet
OUT ?= out/sample
SENTENCE ?= The company said it would buy the plant that she built .
TESTS ?= tests

BIN := .venv/bin
export PYTHON SENTENCE

.DEFAULT_GOAL := help
.PHONY: help setup train test test-fast test-all lint format results lock clean

help:
	@echo 'make train   train LISA on the sample corpus and label a sentence with it'
	@echo 'make test    run the tests; test-fast leaves out all but the quick ones, test-all nothing'
	@echo 'make lint    check formatting, lint and types'
	@echo 'make format  format the code'
	@echo 'make setup   only create .venv; the commands above do it when it is missing or stale'
	@echo 'make results  make the tables of RESULTS.md and docs/ from docs/results'
	@echo 'make lock    resolve requirements/*.in to their lock files again (needs uv)'
	@echo 'make clean   remove trained models, caches and build leftovers, but not .venv'

setup:
	@scripts/setup

train: setup
	@echo 'train: $(CONFIG) -> $(OUT)'
	@ALLENNLP_LOG_LEVEL=WARNING $(BIN)/lisa train '$(CONFIG)' --serialization-dir '$(OUT)' --force
	@echo 'train: metrics, from $(OUT)/metrics.json'
	@cat '$(OUT)/metrics.json' && echo
	@echo 'train: a sentence labelled by $(OUT)/model.tar.gz'
	@$(BIN)/lisa label '$(OUT)/model.tar.gz' "$$SENTENCE"

test: setup
	@$(BIN)/python -m pytest -m 'not slow' $(TESTS)

test-fast: setup
	@$(BIN)/python -m pytest -m 'not slow and not medium' $(TESTS)

test-all: setup
	@$(BIN)/python -m pytest $(TESTS)

lint: setup
	@$(BIN)/ruff format --check .
	@$(BIN)/ruff check .
	@$(BIN)/mypy

format: setup
	@$(BIN)/ruff format .
	@$(BIN)/ruff check --fix .

results: setup
	@$(BIN)/python -m benchmarks.tables

lock:
	@scripts/lock

clean:
	rm -rf out build dist *.egg-info .pytest_cache .mypy_cache .ruff_cache .hypothesis
