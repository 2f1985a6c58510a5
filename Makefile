# The commands of a checkout: make demo | build | solver-mpich | glusterfs | test | matrix | bench | studies | fuzz | soak | docs |
# format | clean, and for other places: install | uninstall | wheel | deb | container | test-packages
SHELL := /bin/bash
.DEFAULT_GOAL := build

BUILD := build/release
VENV := .venv
PYTHON := $(VENV)/bin/python
PIP := $(VENV)/bin/pip --disable-pip-version-check -q
CORES := $(shell nproc)

# Only the solver of this checkout is tested and shown.
unexport CRUMPLE_SOLVER

.PHONY: demo build solver-mpich glusterfs test test-slow matrix bench studies fuzz soak format check-format docs clean debian python native \
  install uninstall wheel deb container test-packages

# ---- what is needed ----------------------------------------------------------------------------
debian:
	@install/dependencies.sh install/debian-packages.txt

$(VENV)/.installed: install/requirements.txt | debian
	@echo "installing Python packages into $(VENV)"
	@python3 -m venv $(VENV)
	@$(PIP) install -r install/requirements.txt
	@pwd > "$$($(PYTHON) -c 'import sysconfig; print(sysconfig.get_path("purelib"))')/crumple.pth"  # import crumple
	@touch $@

$(VENV)/.installed-test: install/requirements-test.txt $(VENV)/.installed
	@install/dependencies.sh install/debian-packages.txt install/debian-packages-test.txt
	@$(PIP) install -r install/requirements-test.txt
	@touch $@

# ---- build -------------------------------------------------------------------------------------
# Without tests, but where they have been built before. ISAS: kernels for all instruction sets, or for those of this
# machine, which takes two thirds of the time.
ISAS := all
native: debian
	@[ -f $(BUILD)/build.ninja ] || cmake --preset release -DCRUMPLE_TESTS=OFF -DCRUMPLE_ISAS=$(ISAS) >/dev/null
	@[ $(ISAS) = native ] || ! grep -q '^CRUMPLE_ISAS:STRING=native' $(BUILD)/CMakeCache.txt || \
	  cmake --preset release -DCRUMPLE_ISAS=$(ISAS) >/dev/null
	@cmake --build $(BUILD) -j $(CORES) --target crumple-solver
	@mkdir -p bin && ln -sf ../$(BUILD)/bin/crumple-solver bin/crumple-solver

# The same solver with MPICH, beside the other: for studies that compare MPI libraries.
solver-mpich: debian
	@install/dependencies.sh install/debian-packages-mpich.txt
	@cmake --preset release-mpich >/dev/null
	@cmake --build build/release-mpich -j $(CORES) --target crumple-solver
	@mkdir -p bin && ln -sf ../build/release-mpich/bin/crumple-solver bin/crumple-solver-mpich

# For studies with the axis file_system.
glusterfs:
	@install/dependencies.sh install/debian-packages-glusterfs.txt

python: $(VENV)/.installed
	@mkdir -p bin && cp install/crumple.sh bin/crumple && chmod +x bin/crumple

build: native python

demo:
	@$(MAKE) --no-print-directory -j 2 native python ISAS=native
	@bin/crumple demo

# ---- installation (docs/install.md) --------------------------------------------------------------
# make install PREFIX=/opt/crumple; DESTDIR for those who make packages.
PREFIX := /usr/local
INSTALLED := $(DESTDIR)$(PREFIX)

install: native
	@DESTDIR=$(DESTDIR) cmake --install $(BUILD) --prefix $(PREFIX) >/dev/null
	@python3 -m venv $(INSTALLED)/lib/crumple/.venv
	@$(INSTALLED)/lib/crumple/.venv/bin/python -m pip --disable-pip-version-check -q install -r install/requirements.txt
	@$(INSTALLED)/lib/crumple/.venv/bin/python -m compileall -q $(INSTALLED)/lib/crumple/crumple
	@echo "installed: $(INSTALLED)/bin/crumple, $(INSTALLED)/bin/crumple-solver"

uninstall:
	rm -rf $(INSTALLED)/lib/crumple $(INSTALLED)/share/doc/crumple $(INSTALLED)/share/modulefiles/crumple
	rm -f $(INSTALLED)/bin/crumple $(INSTALLED)/bin/crumple-solver $(INSTALLED)/bin/crumple-solver-mpich
	rm -f $(INSTALLED)/share/bash-completion/completions/crumple $(INSTALLED)/share/fish/vendor_completions.d/crumple.fish \
	  $(INSTALLED)/share/zsh/site-functions/_crumple $(INSTALLED)/share/zsh/vendor-completions/_crumple

PACKAGES := build/packages

# Solvers for Open MPI and for the ABI of MPICH in one wheel, with the libraries that they need but MPI.
wheel: debian
	@install/dependencies.sh install/debian-packages-mpich.txt
	@for preset in wheel wheel-mpich; do \
	  cmake --preset $$preset >/dev/null && cmake --build build/$$preset -j $(CORES) --target crumple-solver || exit 1; done
	@mkdir -p $(PACKAGES) && ln -sf ../wheel/bin/crumple-solver $(PACKAGES)/crumple-solver
	@ln -sf ../wheel-mpich/bin/crumple-solver $(PACKAGES)/crumple-solver-mpich
	@python3 -m venv $(PACKAGES)/tools
	@$(PACKAGES)/tools/bin/pip --disable-pip-version-check -q install -r install/requirements-package.txt
	@rm -f $(PACKAGES)/*.whl
	@$(PACKAGES)/tools/bin/python install/wheel.py $(PACKAGES) $(PACKAGES)/crumple-solver $(PACKAGES)/crumple-solver-mpich
	@ls $(PACKAGES)/*.whl

# Three packages, of the solvers of `make build` and `make solver-mpich`.
deb: native solver-mpich
	@install/dependencies.sh install/debian-packages-package.txt
	@install/debian.sh $(PACKAGES) bin/crumple-solver bin/crumple-solver-mpich

# An image by podman or buildah, whichever is there.
container:
	@install/container.sh

# All of these made, then installed and run by a user without rights, in folders that are read-only; 15 minutes.
test-packages: wheel deb
	@install/dependencies.sh install/debian-packages-package.txt
	@tests/install/packages.sh $(PACKAGES)

# ---- tests -------------------------------------------------------------------------------------
# Files of tests run side by side, but for those that measure or start daemons; verification/ uses all cores itself.
ALONE := tests/lab tests/benchmarks
test: $(VENV)/.installed-test
	@$(MAKE) --no-print-directory python check-format
	@cmake --preset release -DCRUMPLE_TESTS=ON -DCRUMPLE_BENCH=OFF -DCRUMPLE_ISAS=all >/dev/null
	@cmake --build $(BUILD) -j $(CORES)
	@mkdir -p bin && ln -sf ../$(BUILD)/bin/crumple-solver bin/crumple-solver
	@OMPI_ALLOW_RUN_AS_ROOT=1 OMPI_ALLOW_RUN_AS_ROOT_CONFIRM=1 ctest --test-dir $(BUILD) --output-on-failure
	@$(PYTHON) -m pytest -m "not slow" -n $(CORES) --dist loadfile tests $(patsubst %,--ignore=%,$(ALONE)); a=$$?; \
	  $(PYTHON) -m pytest -m "not slow" $(ALONE) verification && exit $$a

# The tests that `make test` leaves out, for its time; 20 minutes.
test-slow: build $(VENV)/.installed-test
	@$(PYTHON) -m pytest -m slow --durations=20

# The solver built and tested in other ways: clang, MPICH, assertions, sanitizers of memory and of threads,
# clang-tidy, coverage, every header alone; 40 minutes. CELLS="headers tidy" for some of them.
matrix: $(VENV)/.installed-test
	@install/dependencies.sh install/debian-packages.txt install/debian-packages-test.txt \
	  install/debian-packages-mpich.txt install/debian-packages-matrix.txt
	@$(PYTHON) tests/matrix/matrix.py $(CELLS)

# Kernels, runs and whole crashes against the figures committed last; OPTIONS="--quick", or --help for what there is.
bench: build
	@install/dependencies.sh install/debian-packages.txt install/debian-packages-bench.txt
	@cmake --preset release -DCRUMPLE_BENCH=ON >/dev/null
	@cmake --build $(BUILD) -j $(CORES) --target bench_kernels count_work
	@$(PYTHON) benchmarks/speed.py $(OPTIONS)

# All shipped studies, their reports in docs/studies; STUDIES="quick precision" for some of them.
studies: build
	@$(PYTHON) benchmarks/studies.py $(STUDIES)

# Ten minutes of fuzzing the readers under sanitizers; FUZZ_SECONDS for more or less.
FUZZ_SECONDS := 600
fuzz: $(VENV)/.installed
	@install/dependencies.sh install/debian-packages.txt install/debian-packages-fuzz.txt
	@tests/fuzz/run.sh $(FUZZ_SECONDS)

# Whole crashes on several layouts, some fifteen minutes, and half an hour of runs that are killed;
# OPTIONS="neon --precision single", "restart --minutes 5", or --help.
soak: build $(VENV)/.installed-test
	@OMPI_ALLOW_RUN_AS_ROOT=1 OMPI_ALLOW_RUN_AS_ROOT_CONFIRM=1 $(PYTHON) tests/soak/soak.py $(OPTIONS)

# New files too, so that what is clean before a commit is clean after it.
CXX_FILES = $(shell git ls-files --cached --others --exclude-standard '*.cpp' '*.hpp' '*.c' '*.h')
check-format: $(VENV)/.installed-test
	@clang-format --dry-run -Werror $(CXX_FILES)
	@$(VENV)/bin/ruff check . && $(VENV)/bin/ruff format --check .

format: $(VENV)/.installed-test
	@clang-format -i $(CXX_FILES)
	@$(VENV)/bin/ruff check --fix . && $(VENV)/bin/ruff format .

# The documentation as a site: build/site/index.html opens from there, with search. Its notebooks are executed if a
# solver is built; CRUMPLE_RUN_NOTEBOOKS=false leaves their outputs out.
$(VENV)/.installed-docs: install/requirements-docs.txt $(VENV)/.installed
	@$(PIP) install -r install/requirements-docs.txt
	@touch $@

docs: $(VENV)/.installed-docs
	@NO_MKDOCS_2_WARNING=1 $(VENV)/bin/mkdocs build -q --strict
	@echo "build/site/index.html"

clean:
	rm -rf build bin demo
