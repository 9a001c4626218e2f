# The one front door: people and CI call the same verbs. `make help` lists them.
# Needs Python >= 3.11, Rust >= 1.88 and a C compiler; everything else is set up in .venv, target and web/node_modules.

SHELL := /bin/bash
.SHELLFLAGS := -eu -o pipefail -c
.DEFAULT_GOAL := help

PYTHON ?= python3
UV_VERSION := 0.13.8
VENV := .venv
BIN := $(VENV)/bin
UV := $(BIN)/uv
OUT := out
CORE := python/drivecast/_core.abi3.so
# What Rust is built from, samples of formats among them.
SOURCES := Cargo.toml Cargo.lock .cargo/config.toml $(wildcard crates/*/Cargo.toml $(foreach deep,* */* */*/* */*/*/*,crates/*/src/$(deep).*))
WEB_SOURCES := $(wildcard $(foreach deep,* */* */*/*,web/src/$(deep).*))
# What each build of them writes last.
WASM_BUILT := python/drivecast/present/web/simulator.wasm.gz
PAGES_BUILT := python/drivecast/serve/pages/index.html
WASM := $(or $(CARGO_TARGET_DIR),target)/wasm
export UV_PROJECT_ENVIRONMENT := $(VENV)
unexport PYTHONDONTWRITEBYTECODE # or each of the many processes of a test run compiles all modules anew

.PHONY: help tools build web wasm pages demo demo-attach test test-all test-fast test-durations test-rust test-python test-web lint lint-elsewhere format dist test-dist release bench docs docs-site figures fuzz clean

help: ## this list
	@grep -hE '^[a-z-]+:.*## ' $(MAKEFILE_LIST) | sed -E 's/^([a-z-]+):.*## (.*)/  make \1\t\2/' | expand -t 20

tools: ## check that what cannot be set up by itself is there
	@PYTHON='$(PYTHON)' sh scripts/check-tools.sh

# An interrupted stage is run again: its stamp comes last. `activate` is what venv writes last, and pip may have left half of uv.
$(VENV)/.uv-$(UV_VERSION): | tools
	@{ [ -e $(BIN)/activate ] && $(BIN)/python -c '' 2>/dev/null; } || $(PYTHON) -m venv --clear $(VENV)
	@$(BIN)/python -m pip --version >/dev/null 2>&1 || $(BIN)/python -m ensurepip >/dev/null
	@$(BIN)/python -m pip install -qq --retries 2 --ignore-installed --disable-pip-version-check 'uv==$(UV_VERSION)' || $(NOT_INSTALLED)
	@touch $@

NOT_INSTALLED = { echo 'not all packages are installed, as said above; without a network: connect it, or set HTTPS_PROXY;' \
	'then run it again, what is done is kept' >&2; exit 1; }

# Packages of uv.lock, and of a group of them. What an interrupt leaves half installed, uv takes for installed: it goes first.
# One group after another (`| $(VENV)/.web`): of two at a time each would take the other for interrupted.
define SYNC
	@[ ! -e $(VENV)/.syncing ] || for package in $(VENV)/lib/python*/site-packages/* $(VENV)/.web; do \
		case "$${package##*/}" in uv|uv-*|pip|pip-*|drivecast*) ;; *) rm -rf "$$package" ;; esac; done
	@touch $(VENV)/.syncing
	@$(UV) sync --quiet --frozen --inexact --all-extras --no-install-project $(1) || $(NOT_INSTALLED)
	@rm $(VENV)/.syncing
endef

$(VENV)/.synced: pyproject.toml uv.lock | $(VENV)/.uv-$(UV_VERSION)
	$(call SYNC,)
	@touch $@

build: $(CORE) ## set up .venv and compile

# Compiled again where a source changed, or a new .venv does not have it.
$(CORE): $(VENV)/.synced pyproject.toml $(SOURCES)
	@echo 'building (the first time takes a few minutes)' >&2
	@touch $(VENV)/.compiled # what is edited meanwhile is newer
	@VIRTUAL_ENV='$(CURDIR)/$(VENV)' $(BIN)/maturin develop --quiet --release --uv
	@$(BIN)/python -m compileall -q python
	@touch -r $(VENV)/.compiled $@

$(VENV)/.web: $(VENV)/.synced
	$(call SYNC,--group web)
	@touch $@

# Node and npm are a wheel of PyPI, pinned in uv.lock; what they install is pinned in web/package-lock.json.
web/node_modules/.synced: web/package.json web/package-lock.json $(VENV)/.web
	@cd web && PATH='$(CURDIR)/$(BIN)':"$$PATH" npm ci --loglevel error --fetch-retry-mintimeout 1000 >/dev/null || $(NOT_INSTALLED)
	@touch $@

HAS_WASM = test -d "$$(rustc --print target-libdir --target wasm32-unknown-unknown 2>/dev/null)"

web: wasm pages ## build what a report and `drivecast serve` show in a browser

# With what rustc lets a module use, which every browser of 2023 has.
WASM_OPT := web/node_modules/.bin/wasm-opt -Oz --gufa -Oz --strip-producers --enable-bulk-memory --enable-multivalue --enable-nontrapping-float-to-int --enable-reference-types

wasm: $(WASM_BUILT) ## build the simulator as WebAssembly into python/drivecast

pages: $(PAGES_BUILT) ## build the pages of web/ into python/drivecast

# The simulator and its judgement for a browser, built again where a source changed. In a folder of its own: Cargo holds
# one build at a time in each.
$(WASM_BUILT): scripts/compress.py web/node_modules/.synced $(SOURCES) | tools
	@$(HAS_WASM) || rustup target add wasm32-unknown-unknown || { \
		echo 'missing: the target wasm32-unknown-unknown of Rust; rustup has it, or libstd-rust-dev-wasm32 of Debian' >&2; exit 1; }
	@mkdir -p $(@D)
	@for part in judge simulator; do \
		CARGO_TARGET_DIR=$(WASM) cargo build --quiet --locked --profile web --package drivecast-web --target wasm32-unknown-unknown \
			--no-default-features --features $$part; \
		PATH='$(CURDIR)/$(BIN)':"$$PATH" $(WASM_OPT) $(WASM)/wasm32-unknown-unknown/web/drivecast_web.wasm -o $(WASM)/$$part.wasm; \
		$(BIN)/python scripts/compress.py $(WASM)/$$part.wasm $(@D)/$$part.wasm.gz; \
	done

$(PAGES_BUILT): web/node_modules/.synced web/vite.config.ts $(WEB_SOURCES)
	@cd web && PATH='$(CURDIR)/$(BIN)':"$$PATH" npm run --silent build

# Without the simulator for a browser, which takes minutes to build: `make web` before it adds the page that answers "what if?".
demo: build ## rank designs for the bundled recording and write out/demo/report.html
	@mkdir -p $(OUT)/demo
	$(BIN)/drivecast plan examples/mariadb-oltp/mariadb-oltp.blktrace --years 5 -o $(OUT)/demo/report.html
	@echo 'report: $(OUT)/demo/report.html' >&2

demo-attach: build ## MariaDB on two designs that nobody has bought, into out/demo-attach; as root, five minutes
	@[ "$$(id -u)" = 0 ] || { echo 'only root mounts a simulated disk: sudo make demo-attach, as everything is built now' >&2; exit 2; }
	@mkdir -p $(OUT)/demo-attach
	$(BIN)/drivecast bench database sysbench \
		--on 'design:raid10(4 * seagate-cheetah-15k5-73gb)' --on 'design:raid10(4 * intel-x25-e-32gb)' \
		--size 256MiB --buffer 10% --threads 4 --ramp 5 --runtime 15 --repeats 3 --fresh \
		-o $(OUT)/demo-attach/result.json --report $(OUT)/demo-attach/page.html

# What takes long is left out, as measured: tests/durations.txt.
test: build ## all tests but those that take minutes: `make test-all` has them, too
	@$(MAKE) --no-print-directory -j2 --output-sync=target test-rust test-web
	@$(MAKE) --no-print-directory test-python

test-all: export ALL := 1
test-all: wasm test ## all tests; the simulator in a browser is built for them

# A file's tests stay with one worker, or what they share is made by each; the longest file comes first: tests/durations.py.
WORKERS = -n $(1) --dist loadfile --no-loadscope-reorder

# Without Rust: its tests are programs of their own, which take longer to link than all of these take to run.
test-fast: build ## the Python tests that answer at once; CHANGED=1: those of them that a change of Python can break
	$(BIN)/pytest -q -m 'not medium' $(if $(CHANGED),--testmon --testmon-forceselect,$(call WORKERS,2))

test-rust: tools ## tests of the Rust crates
	cargo test --quiet --release --locked --workspace $(if $(ALL),-- --include-ignored)

test-web: web/node_modules/.synced ## types, lints, format and tests of the pages
	@cd web && PATH='$(CURDIR)/$(BIN)':"$$PATH" && npm run --silent types && npm run --silent lint && npm run --silent test

test-python: build pages ## tests of the Python package and of the program as a whole
	$(BIN)/pytest -q $(call WORKERS,4) $(if $(ALL),,-m 'not long') # on two processors: many wait for servers and disks

test-durations: build web ## measure how long tests take, and write tests/durations.txt
	$(BIN)/pytest -q $(call WORKERS,2) --measure

# Clippy names the Python that maturin found, or each of the two has the other compile the binding anew.
lint: build ## formatting, lints, types (of the compiled core, too), and modules without cycles
	cargo fmt --all --check
	$(BIN)/ruff format --check python tests benches scripts
	$(BIN)/ruff check python tests benches scripts
	@[ ! -e web/node_modules/.synced ] || (cd web && PATH='$(CURDIR)/$(BIN)':"$$PATH" node_modules/.bin/prettier --check --log-level warn .)
	$(BIN)/python scripts/modules.py
	PYO3_CONFIG_FILE=$$(echo $(CURDIR)/target/maturin/pyo3-config-*.txt) cargo clippy --quiet --release --locked --workspace --all-targets -- -D warnings
	$(BIN)/mypy
	MYPYPATH=python $(BIN)/stubtest --concise --mypy-config-file scripts/stubtest.ini drivecast._core
	$(BIN)/lint-imports --no-logo

lint-elsewhere: build ## types of what runs on macOS and Windows, too: all but measuring and capturing
	for platform in darwin win32; do $(BIN)/mypy --platform $$platform --follow-imports silent --exclude 'drivecast/(cli/)?(bench|capture|serve)'; done

format: $(VENV)/.synced ## rewrite the sources in the project's format
	cargo fmt --all
	$(BIN)/ruff format python tests benches scripts
	$(BIN)/ruff check --fix python tests benches scripts
	@[ ! -d web/node_modules ] || (cd web && PATH='$(CURDIR)/$(BIN)':"$$PATH" npm run --silent format)

dist: build web ## build the wheel and the source distribution into dist/
	@rm -rf dist
	$(BIN)/python scripts/man.py
	$(BIN)/maturin build --quiet --release --locked -o dist
	$(BIN)/maturin sdist -o dist

test-dist: dist ## install both into fresh environments, run every verb in an empty folder, and hold the two to be the same
	$(BIN)/python scripts/installed.py dist/*.whl dist/*.tar.gz

release: build ## check, build, test and tag a release: docs/release.md says what comes before and after
	$(BIN)/python scripts/release.py ready
	$(MAKE) lint lint-elsewhere docs docs-site test test-dist
	$(BIN)/python scripts/release.py tag

bench: build wasm ## measure speed and print every figure with its method
	cargo bench --quiet --locked --workspace
	$(BIN)/python benches/csv.py
	$(BIN)/python benches/plan.py
	$(BIN)/python benches/what_if.py
	$(BIN)/python benches/windows.py
	$(BIN)/python benches/parallel.py
	$(BIN)/python benches/peer.py
	$(BIN)/python benches/capture.py
	$(BIN)/python benches/replay.py
	$(BIN)/python benches/attach.py
	$(BIN)/python benches/attach_mount.py
	$(BIN)/python benches/attach_integrity.py
	$(BIN)/python benches/profile.py
	$(BIN)/python benches/health_faults.py
	$(BIN)/python benches/health_forecast.py
	$(BIN)/python benches/health_history.py
	$(BIN)/python benches/health_read.py
	$(BIN)/python benches/health_serve.py
	$(BIN)/python benches/page.py
	$(BIN)/python benches/served_pages.py
	$(BIN)/python benches/drive_size.py --figure docs/images/speed.svg

docs: build ## write the tables of the documentation again, from the definitions in the code
	$(BIN)/python scripts/formats.py
	$(BIN)/python scripts/metrics.py
	$(BIN)/python scripts/ratings.py
	$(BIN)/python scripts/endpoints.py
	$(BIN)/python scripts/form.py

# The theme announces its successor at every build; docs/decisions/0025-a-site-of-mkdocs.md says why it is this one.
docs-site: build | $(VENV)/.web ## build the documentation site into out/site, and check its links
	$(call SYNC,--group docs)
	@NO_MKDOCS_2_WARNING=1 $(BIN)/mkdocs build 2>&1 | sed "/^INFO/d"
	@$(BIN)/python scripts/site/check.py out/site
	@echo 'site: $(OUT)/site/index.html' >&2

figures: build ## draw the figures of the documentation again, from runs of the program
	@for script in scripts/figures/*.py; do $(BIN)/python "$$script"; done

fuzz: tools ## fuzz every parser for SECONDS each (needs cargo-fuzz and a nightly toolchain)
	@sh scripts/fuzz.sh "$${SECONDS_EACH:-60}"

clean: ## remove what was built
	rm -rf target $(VENV) $(OUT) dist web/node_modules python/drivecast/present/web python/drivecast/serve/pages
