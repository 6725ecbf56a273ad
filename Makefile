# Everything here starts from a clean clone: it finds what the machine has,
# makes what is missing inside the clone (.venv, .build, dist, web/dist), and
# says what it does. A second run needs no network.

SHELL := bash
.SHELLFLAGS := -eu -o pipefail -c
.DELETE_ON_ERROR:
MAKEFLAGS += --no-print-directory --no-builtin-rules

PORT ?= 8417

# Processes that run the tests: one for all that drives a browser, one for the rest.
WORKERS ?= 2

python := .venv/bin/python
wheel := dist/weighbridge-0.1.0-py3-none-any.whl
web_wheel := dist/weighbridge_web-0.1.0-py3-none-any.whl

package := $(shell find pyodide_pkg schemas -type f -not -name '*.pyc' 2>/dev/null)
page := $(shell find web -type f -not -path '*/node_modules/*' -not -path 'web/dist/*' 2>/dev/null)

say = @printf 'weighbridge: %s\n'

.PHONY: help run test check web wheel suite-browser fuzz plans bench bench-compare adversary steps atheris mutants spoil lock clean

help:
	@printf '%s\n' \
	  'make run            build everything, serve the workbench and /mcp, print the address (PORT=$(PORT))' \
	  'make test           build everything, run every test in real browsers and on every CPython >= 3.12 here (WORKERS=$(WORKERS))' \
	  'make check          ruff, mypy --strict, tsc --checkJs' \
	  'make web            build web/dist, the page side' \
	  'make wheel          build $(wheel)' \
	  'make npm            pack web/ as dist/weighbridge-0.1.0.tgz' \
	  'make web-wheel      build $(web_wheel), what weighbridge[web] installs' \
	  'make fixtures       build a page with each bundler from the packed package; each gets its verdict' \
	  'make leaks          1,000 loads of a page and 100,000 checks, the heap measured' \
	  'make suite-browser  the official JSON Schema suite, in Chromium alone' \
	  'make fuzz           50,000 generated calls beside two implementations here and one in Chromium' \
	  'make plans          100,000 random calls judged with a plan and without' \
  'make bench          what the gate costs beside others; writes docs/benchmarks.md' \
  'make bench-compare  this checkout against BASE (a commit), pair by pair' \
  'make adversary      look for ten minutes for a call that costs more than any known one' \
	  'make steps          what a step and a text of the body limit take of a clock; records the texts' \
	  'make atheris        bytes that reach new lines of the text door and the loader, for SECONDS=600 (needs the network once)' \
	  'make mutants        the gate made wrong in one place at a time, 15 minutes of processor time' \
	  'make spoil          each published schema with one fault at a time, held to its handler' \
	  'make lock           compute .ci/requirements.lock anew from pyproject.toml (needs the network)' \
	  'make clean          remove what make made'

# The environment

.build/venv.stamp: pyproject.toml .ci/requirements.lock .ci/venv.sh .ci/python.sh
	@bash .ci/venv.sh
	@mkdir -p .build && touch $@

.build/npm.stamp: web/package.json web/package-lock.json .ci/node.sh
	@bash .ci/node.sh
	$(say) 'installing what web/package-lock.json names into web/node_modules'
	@npm ci --prefix web --no-audit --no-fund --loglevel=error
	@mkdir -p .build && touch $@

# Other people's clients, for the tests alone.
clients := tests/server/clients

.build/clients.stamp: $(clients)/package.json $(clients)/package-lock.json .ci/node.sh
	@bash .ci/node.sh
	$(say) 'installing what $(clients)/package-lock.json names into $(clients)/node_modules'
	@npm ci --prefix $(clients) --no-audit --no-fund --ignore-scripts --omit=optional --loglevel=error
	@mkdir -p .build && touch $@

# The form libraries and editors that the bridges are tested against.
bridges := tests/bridges

.build/bridges.stamp: $(bridges)/package.json $(bridges)/package-lock.json .ci/node.sh
	@bash .ci/node.sh
	$(say) 'installing what $(bridges)/package-lock.json names into $(bridges)/node_modules'
	@npm ci --prefix $(bridges) --no-audit --no-fund --ignore-scripts --omit=optional --loglevel=error
	@mkdir -p .build && touch $@

# What is built

wheel: $(wheel)

$(wheel): .build/venv.stamp pyproject.toml README.md LICENSE $(package)
	$(say) 'building $(wheel)'
	@$(python) -m build --wheel --no-isolation --outdir dist . > .build/wheel.log 2>&1 || { cat .build/wheel.log >&2; exit 1; }
	@touch $@

web: .build/web.stamp

.build/web.stamp: .build/npm.stamp $(wheel) $(page)
	$(say) 'building web/dist'
	@PYTHON="$(CURDIR)/$(python)" WHEEL="$(CURDIR)/$(wheel)" npm run --prefix web --silent build
	@touch $@

.PHONY: npm web-wheel fixtures leaks

npm: .build/web.stamp
	@mkdir -p dist
	@npm pack ./web --silent --pack-destination dist

web-wheel: $(web_wheel)

$(web_wheel): .build/web.stamp
	$(say) 'building $(web_wheel)'
	@$(python) -m build --wheel --no-isolation --outdir dist web/wheel > .build/web-wheel.log 2>&1 || { cat .build/web-wheel.log >&2; exit 1; }
	@touch $@

# What is run

run: .build/web.stamp
	@port=$$($(python) .ci/port.py $(PORT)); \
	  printf 'weighbridge: serving the workbench, the bundle and /mcp; stop with Ctrl-C; open\n' >&2; \
	  exec $(python) -m weighbridge serve --port "$$port" --dist web/dist

test: .build/web.stamp .build/clients.stamp .build/bridges.stamp
	@$(python) -m tests.support.machine
	@$(python) -m pytest --numprocesses $(WORKERS) --cov --cov-report=term

# Longer than a test run has time for; ARGS passes options on, ARGS=--help lists them.

fixtures: .build/web.stamp
	@FIXTURES="script vite webpack esbuild next" $(python) -m pytest -q --no-cov tests/browser/test_fixtures.py $(ARGS)

leaks: .build/web.stamp
	@$(python) -m tests.browser.leaks $(ARGS)

suite-browser: .build/web.stamp
	@$(python) -m pytest -q tests/suites/test_browser.py $(ARGS)

fuzz: .build/web.stamp
	@$(python) -m tests.differential $(ARGS)

plans: .build/venv.stamp
	@$(python) -m tests.plans $(ARGS)

# Minutes, and best on a machine that does nothing else.
bench: .build/web.stamp
	@$(python) -m tests.bench $(ARGS)

BASE ?= HEAD~1
bench-compare: .build/venv.stamp
	$(say) 'checking out $(BASE) into .build/bench'
	@rm -rf .build/bench && mkdir -p .build/bench && git archive $(BASE) pyodide_pkg schemas | tar -x -C .build/bench
	@$(python) -m tests.bench --compare .build/bench $(ARGS)

adversary: .build/venv.stamp
	@$(python) -m tests.adversary.search $(ARGS)

# Best on a machine that does nothing else: it looks at the clock.
steps: .build/venv.stamp
	@$(python) -m tests.adversary.steps

# Coverage-guided; not among the locked packages, since it has wheels for some interpreters alone.
SECONDS ?= 600

.build/atheris.stamp: .build/venv.stamp
	@$(python) -m pip install --quiet --target .build/atheris atheris==3.1.0
	@touch $@

atheris: .build/atheris.stamp
	@PYTHONPATH=.build/atheris $(python) -m tests.suites.coverage_guided -max_total_time=$(SECONDS)

mutants: .build/web.stamp
	@$(python) -m tests.mutants $(ARGS)

spoil: .build/venv.stamp
	@$(python) -m tests.server.spoil

check: .build/venv.stamp .build/npm.stamp
	@$(python) -m ruff check .
	@$(python) -m ruff format --check .
	@$(python) -m mypy
	@web/node_modules/.bin/tsc --project web/tsconfig.json
	@web/node_modules/.bin/tsc --project web/tsconfig.worker.json

lock: .build/venv.stamp
	$(say) 'computing .ci/requirements.lock'
	@uv=$$(command -v uv || echo .venv/bin/uv); "$$uv" pip compile --quiet pyproject.toml --extra mcp --extra reference --group dev \
	  --universal --python-version 3.12 --generate-hashes --no-emit-index-url --no-header \
	  --output-file .ci/requirements.lock

clean:
	@rm -rf .build .venv dist web/dist web/node_modules $(clients)/node_modules $(bridges)/node_modules .mypy_cache .pytest_cache .ruff_cache .coverage
