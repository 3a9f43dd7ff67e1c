# What a newcomer types. `make help` lists it.
.DEFAULT_GOAL := help
.PHONY: help demo test test-postgresql check fix bench soak lock clean

# The first interpreter that really runs and is new enough; override with PYTHON=…
CANDIDATES := $(PYTHON) python3 python3.13 python3.12 python3.11
FIND_PYTHON = for p in $(CANDIDATES); do "$$p" -c 'import sys; sys.exit(not (3, 11) <= sys.version_info[:2] <= (3, 13))' >/dev/null 2>&1 && echo "$$p" && break; done
# Another folder and PYTHON is another interpreter: make test VENV=.venv-3.13 PYTHON=python3.13
VENV := .venv
BIN := $(VENV)/bin
# What is imported is compiled at its first import, or by `make test` on all cores at once; pip compiles all on one.
INSTALL = $(BIN)/python -m pip install --quiet --disable-pip-version-check --no-compile
# Large, and hardly any of it is ever imported.
RARE := site-packages/(pip|mypy|mypyc|setuptools|pygments)/
# Else each of the many processes that these commands start would compile the same source again.
unexport PYTHONDONTWRITEBYTECODE
# Three more than there are cores: many tests wait for a process, a clock or a kill. Each takes 0.6 GiB.
JOBS ?= $(shell echo $$(($$(nproc 2>/dev/null || echo 2) + 3)))

help:  ## show this list
	@grep -hE '^[a-z-]+:.*##' $(MAKEFILE_LIST) | sed -E 's/:.*## /\t/' | expand -t 18

demo: $(VENV)/run.stamp  ## install, then show both halves on a small target (DEMO_ARGS=--exit ends by itself)
	$(BIN)/gatecrash demo $(DEMO_ARGS)

test: $(VENV)/dev.stamp  ## the whole test suite, on SQLite
	$(BIN)/python -m pytest -n $(JOBS) --dist worksteal $(PYTEST_ARGS)

test-postgresql: $(VENV)/dev.stamp  ## what meets a database once more, on a PostgreSQL server of the tests' own
	$(BIN)/python -m pytest -n $(JOBS) --dist worksteal --database postgresql -m database $(PYTEST_ARGS)

check: $(VENV)/dev.stamp  ## formatter, linter, types, import contracts, missing migrations: just what CI runs
	$(BIN)/ruff format --check .
	$(BIN)/ruff check .
	$(BIN)/mypy
	$(BIN)/lint-imports
	$(BIN)/python -m gatecrash.control makemigrations --check --dry-run

fix: $(VENV)/dev.stamp  ## format and mend what the linter can
	$(BIN)/ruff check --fix .
	$(BIN)/ruff format .

bench: $(VENV)/dev.stamp  ## print the ratios of bench/, measured on this machine
	$(BIN)/python -m bench $(BENCH_ARGS)

soak: $(VENV)/dev.stamp  ## the long kill, fuzz and size tests, and properties with many new examples
	$(BIN)/python -m pytest -n $(JOBS) -m soak --timeout 3600 $(PYTEST_ARGS)
	$(BIN)/python -m pytest -n $(JOBS) -m "hypothesis and not soak" --hypothesis-profile many --timeout 3600 $(PYTEST_ARGS)

lock: $(VENV)/dev.stamp  ## resolve the dependencies anew, with hashes
	$(BIN)/uv pip compile --upgrade --universal --python-version 3.11 --generate-hashes --no-emit-index-url --no-header -q pyproject.toml --group build -o requirements/run.lock
	$(BIN)/uv pip compile --upgrade --universal --python-version 3.11 --generate-hashes --no-emit-index-url --no-header -q -c requirements/run.lock pyproject.toml --group build --group dev -o requirements/dev.lock
	echo pip | $(BIN)/uv pip compile --upgrade --universal --python-version 3.11 --generate-hashes --no-emit-index-url --no-header -q - -o requirements/pip.lock

clean:  ## remove what these commands made
	rm -rf .venv .venv-* build dist .pytest_cache .mypy_cache .ruff_cache .hypothesis .import_linter_cache

$(BIN)/python:
	@python="$$($(FIND_PYTHON))"; \
	if [ -z "$$python" ]; then echo "Gatecrash needs Python 3.11, 3.12 or 3.13; set PYTHON=/path/to/one." >&2; exit 1; fi; \
	"$$python" -m venv $(VENV) || { echo "Python's venv module is missing; on Debian: apt-get install python3-venv" >&2; rm -rf $(VENV); exit 1; }

# An interpreter's own pip may be years old: the one of the lock chooses among an index's files in a third of the time.
# Where it cannot be had, the old one installs the same files.
$(VENV)/pip.stamp: requirements/pip.lock | $(BIN)/python
	-$(INSTALL) --upgrade --require-hashes -r requirements/pip.lock
	@touch $@

$(VENV)/run.stamp: requirements/run.lock pyproject.toml $(VENV)/pip.stamp
	$(INSTALL) --require-hashes -r requirements/run.lock
	$(INSTALL) --no-deps --no-build-isolation --editable .
	@touch $@

$(VENV)/dev.stamp: requirements/dev.lock $(VENV)/run.stamp
	$(INSTALL) --require-hashes -r requirements/dev.lock
	@$(BIN)/python -m compileall -qq -j 0 -x '$(RARE)' "$$($(BIN)/python -c 'import sysconfig; print(sysconfig.get_path("purelib"))')" || true
	@touch $@
