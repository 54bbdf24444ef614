# make check   check every statement          make lint   style, format and types
# make test    run the tests                  make bench  compare speeds (installs torch and jax)
# make book    build book/_build/html         make pdf    print it as one file (with Chromium)
# make clean   remove everything that make made
#
# The first target to run makes .venv; PYTHON=python3.12 chooses the interpreter.

PYTHON ?= python3

VENV := .venv
BIN := $(VENV)/bin
INSTALLED := $(VENV)/.installed
INSTALL := $(BIN)/python -m pip install -qq -c constraints.txt
NEW_ENOUGH := -c 'import sys; sys.exit(sys.version_info < (3, 11))'

.DEFAULT_GOAL := check
.PHONY: check test test-book book pdf lint bench clean

check: $(INSTALLED)
	$(BIN)/infonce check

test: $(INSTALLED)
	$(BIN)/pytest --ignore=tests/book

# The tests of the book open it in Chromium; they take about as long as all the others.
test-book: book
	$(BIN)/pytest --numprocesses=auto --dist=loadfile tests/book book/_ext

book: $(INSTALLED)
	$(BIN)/jupyter-book build book -n -W --keep-going

pdf: book
	$(BIN)/python book/pdf.py

lint: $(INSTALLED)
	$(BIN)/ruff check
	$(BIN)/ruff format --check
	$(BIN)/mypy

bench: $(INSTALLED)
	$(INSTALL) -e '.[bench]'
	$(BIN)/pytest tests/benchmarks

clean:
	rm -rf $(VENV) book/_build build dist .benchmarks .hypothesis
	rm -rf .mypy_cache .pytest_cache .ruff_cache
	find . -name __pycache__ -type d -prune -exec rm -rf {} +

# An environment that works is kept, so that a change of requirements costs one quick pass of pip.
$(INSTALLED): pyproject.toml constraints.txt
	@$(PYTHON) $(NEW_ENOUGH) 2>/dev/null || { \
	  echo "make: PYTHON=$(PYTHON) is not Python 3.11 or later; try: make PYTHON=python3.12" >&2; \
	  exit 1; }
	@$(BIN)/python $(NEW_ENOUGH) 2>/dev/null || $(PYTHON) -m venv --clear $(VENV)
	@echo "Installing into $(VENV); the first time takes a few minutes."
	@$(INSTALL) -e '.[book,test]'
	@touch $@
