# Two commands do everything: `make run` and `make test`. Nothing but Python 3.11+ and make is needed before.
PYTHON ?= python3
VENV := .venv
BIN := $(VENV)/bin
READY := $(VENV)/.ready
RUNS := $(VENV)/.runs
PIP := $(BIN)/python -m pip --quiet --disable-pip-version-check
WEB := src/twentyone/web
KEPT := $(CURDIR)/$(VENV)/.kept
PYTEST := TWENTYONE_KEPT=$(KEPT) $(BIN)/python -m pytest -n 2 --dist worksteal
PART ?=
KEY ?=
SIZE ?= normal

.DEFAULT_GOAL := help
.PHONY: help setup run play browser test check types rest bench prove golden conformance requirements package sbom site evidence clean

help:  ## what can be made
	@grep -E '^[a-z]+:.*##' $(MAKEFILE_LIST) | sed -E 's/:.*## /\t/' | expand -t 16

setup: $(READY)  ## a virtual environment with everything in it

define new_enough
	@$(PYTHON) -c 'import sys; sys.exit(sys.version_info < (3, 11))' || \
		{ echo "Python 3.11 or newer is needed; PYTHON=/path/to/python3.11 make ..." >&2; exit 1; }
endef

# Unpacking is work for a core, so two of them share it; a list is complete, so nothing is left to resolve.
define install
	$(new_enough)
	$(PYTHON) -m venv $(VENV)
	for part in 0 1 2 3; do awk -v part=$$part '/^[a-z]/ {n++} n % 4 == part' $(1) >$(VENV)/part$$part.txt; done
	ls $(VENV)/part?.txt | xargs -P 2 -I PART $(PIP) install --no-compile --no-deps --require-hashes -r PART
	$(PIP) check
endef

$(READY): requirements/bench.txt pyproject.toml
	$(call install,$<)
	$(PIP) install --no-deps --no-build-isolation -e .
	@touch $(READY)

# What serving needs and nothing else, the tests of other people's packages neither; an environment with everything in
# it has that, too.
$(RUNS): requirements/run.txt
	$(call install,$<)
	$(PIP) uninstall --yes setuptools pip
	find $(VENV)/lib -type d -name tests -prune -exec rm -rf {} +
	@touch $(RUNS)

run: $(if $(wildcard $(READY)),$(READY),$(RUNS))  ## serve the live tables to a browser
	@PYTHONPATH=src $(BIN)/python -m twentyone serve

play: $(if $(wildcard $(READY)),$(READY),$(RUNS))  ## sit down at a table in the terminal
	@PYTHONPATH=src $(BIN)/python -m twentyone play

browser:  # a real browser for the tests: Debian's without windows, as root, which takes half the work; or what is here
	@command -v chromium-headless-shell >/dev/null || \
		{ [ "$$(id -u)" = 0 ] && command -v apt-get >/dev/null && apt-get update -qq && DEBIAN_FRONTEND=noninteractive \
			apt-get install -y -qq --no-install-recommends chromium-headless-shell fonts-liberation >/dev/null; } || \
		command -v chromium >/dev/null || command -v chromium-browser >/dev/null || command -v google-chrome >/dev/null || \
		{ echo "the tests need a browser: install the package 'chromium' first" >&2; exit 1; }

# A server that is started again and again is compiled once.
test bench prove: export PYTHONDONTWRITEBYTECODE =
test:  ## all tests, with a real browser and a real PostgreSQL
	@$(MAKE) --no-print-directory --jobs 2 browser setup
	@rm -rf $(KEPT)
	TWENTYONE_RESULT=test $(PYTEST) -m 'not browser and not prove'
	TWENTYONE_RESULT=test-browser $(PYTEST) -m 'browser and not prove' tests/web

check: export DENO_DIR = $(VENV)/.deno
check: export DENO_NO_UPDATE_CHECK = 1
check: setup  ## format, lint, types, layers; of Python and of the scripts of the pages
	@$(MAKE) --no-print-directory --jobs 2 types rest

types:
	$(BIN)/mypy

rest:
	$(BIN)/ruff format --check .
	$(BIN)/ruff check .
	$(BIN)/lint-imports
	$(BIN)/deno lint --quiet $(WEB)
	$(BIN)/deno check --quiet $(WEB)/static

bench: setup  ## how fast, beside a yardstick from the same run: make bench [PART=round|table|ledger|...]
	$(BIN)/python -m bench $(if $(PART),--part $(PART))

prove: browser setup  ## T1 to T30 with one report, prove/report.html: make prove [SIZE=quick|normal|full] [PART=T11, or a long proof: rounds|table|ledger|shift|sim|counts|web|day|tests|mutants|analyse|hands|redline|papers|package|suite|site, or one of theirs: table-pa-spanish-21]
	$(BIN)/python -m bench.proofs $(if $(PART),--part $(PART)) --size $(SIZE)

golden: setup  ## write the golden transcripts anew
	env -u TWENTYONE_RULEBOOKS $(BIN)/python -m tests.golden.transcripts
	env -u TWENTYONE_RULEBOOKS $(BIN)/python -m tests.golden.day
	env -u TWENTYONE_RULEBOOKS $(BIN)/python -m tests.golden.layouts
	env -u TWENTYONE_RULEBOOKS $(BIN)/python -m tests.golden.who
	env -u TWENTYONE_RULEBOOKS $(BIN)/python -m tests.golden.spoken
	env -u TWENTYONE_RULEBOOKS $(BIN)/python -m tests.golden.schema
	env -u TWENTYONE_RULEBOOKS $(BIN)/python -m tests.golden.postgres_schema
	env -u TWENTYONE_RULEBOOKS $(BIN)/python -m tests.golden.playthroughs
	env -u TWENTYONE_RULEBOOKS $(BIN)/python -m tests.golden.redlines

conformance: setup  ## write the conformance suite anew where its sources have changed
	env -u TWENTYONE_RULEBOOKS $(BIN)/python -m tests.conformance.generate

requirements:  ## pin the requirements anew (needs uv)
	run="--extra serve"; house="$$run --extra postgres"; \
	all="$$house --extra plot --extra cluster --extra data --extra learn --extra dev --extra site"; \
	for purpose in run:"$$run" house:"$$house" dev:"$$all" bench:"$$all --extra bench"; do \
		uv pip compile --quiet --universal --generate-hashes --no-emit-index-url --python-version 3.11 \
			pyproject.toml $${purpose#*:} -o requirements/$${purpose%%:*}.txt; \
	done

package: setup  ## wheel and source in dist/, the same bytes wherever they are built; signed: make package KEY=release.key
	TWENTYONE_SIGNING_KEY="$(KEY)" $(BIN)/python -m hatchling build

sbom: setup  ## what serving consists of, as CycloneDX: dist/twentyone.cdx.json
	$(BIN)/python -m bench.sbom requirements/house.txt dist/twentyone.cdx.json

site: setup  ## the documents as a site with a search, in dist/site
	$(BIN)/python -m bench.build_site

evidence: setup  ## what docs/evidence.md, performance.md, processes.md and proof.md tell, from the last results of tests, proofs and benches
	$(BIN)/python -m bench.evidence

clean:  ## remove what can be made again
	rm -rf $(VENV) .prove prove .cache build .pytest_cache .mypy_cache .ruff_cache .hypothesis .import_linter_cache
	find . -name __pycache__ -type d -prune -exec rm -rf {} +
