# The Transformer, Step by Step. The two commands that matter:
#
#   make book     build the book (creates .venv and installs what is missing)
#   make test     run the tests, check the lessons, build the book
#
# Variables:
#   PYTHON=python3.12   the interpreter that makes .venv (3.11 to 3.13)
#   TORCH_INDEX=URL     another index for torch alone, for example PyTorch's
#                       https://download.pytorch.org/whl/cpu
#   PYODIDE=folder      puts Python for the page, fetched by `make pyodide`, beside
#                       the book; without it a page asks for it on a click
#   MATHJAX=folder      takes MathJax from there, such as es5 of its npm package, and
#                       not from the package sphinx-mathjax-offline
#   SINCE=commit        what `make check` compares with (default: the last commit)
#   SHOTS=folder        where `make test-browser` leaves a picture of each page
#   TORCH=2.11.0        the torch of `make test-colab` (default: as tested here)
#   LABORATORIES=0-6,9  those of `make student` (default: all; or none)
#   ALL=1               nothing is left to a sample, nor to what passed before
#                       (make test-all sets it)
#   SMOKE=1             `make gpu` on a CPU, in miniature
#   COLAB_PYTHON=...    its interpreter (default: 3.13, or the newest there is)

PYTHON ?= $(shell command -v python3.11 || command -v python3.12 \
            || command -v python3.13 || command -v python3)
TORCH_INDEX ?=
PORT ?= 8000
URL ?=
REF ?=
VERSION ?=
SHOTS ?=
SINCE ?=
ENGINE ?= jupyter-book
ALL ?=
SMOKE ?=
LABORATORIES ?= all
PYODIDE ?=
MATHJAX ?=
COLAB_PYTHON ?= $(shell for python in python3.13 python3.12 python3.11; do \
                    $$python -c "" 2> /dev/null && echo $$python && break; done)
TORCH ?= $(shell sed -n 's/^torch==//p' requirements.txt)

VENV := .venv
BIN := $(VENV)/bin
STAMP := $(VENV)/.installed
BROWSER_STAMP := $(VENV)/.installed-browser
SPHINX := .venv-sphinx
COLAB := .venv-colab
COLAB_STAMP := $(COLAB)/.installed-$(TORCH)
HTML := _build/html/index.html
PAGES := $(if $(filter sphinx,$(ENGINE)),sphinx,html)
BUILT := _build/$(PAGES)/index.html
STUDENT := _build/student/transformer-step-by-step
# A process for each core, a file to each in turn.
CORES := -n logical --maxprocesses=8
XDIST := $(CORES) --dist loadfile
# Where there are no notebooks: two seconds less for each process.
NO_NBVAL := -p no:nbval
SETUP_WANTS := "this book needs Python 3.11, 3.12 or 3.13; say which one \
with make PYTHON=/path/to/python3.11"

# The files of a folder, if the command line names one: in the environment the
# name means where the tests find theirs.
BESIDE := $(if $(findstring command line,$(origin PYODIDE)),$(abspath $(PYODIDE)))

# One thread: the models are small, the notebooks run two at a time, and the
# stored outputs were made this way.
export OMP_NUM_THREADS := 1
export MKL_NUM_THREADS := 1
export PIP_DISABLE_PIP_VERSION_CHECK := 1
export PYTHONUTF8 := 1
export PYDEVD_DISABLE_FILE_VALIDATION := 1
# A toy corpus that is not shipped is drawn once, not once a process
# (toy_language/kept.py).
export TOY_SPLITS := $(CURDIR)/_build/toy_splits

.DEFAULT_GOAL := help
.PHONY: help install book html sphinx test lessons test-slow test-browser \
        test-all test-colab notebooks serve lab train gpu lint quick links zips \
        address release clean student pyodide check exercise hooks

help:
	@echo "make book       build the book, print where it is"
	@echo "make lab        open the chapters in JupyterLab"
	@echo "make serve      show the built book at http://localhost:$(PORT)"
	@echo "make train      train the small toy translator into runs/small"
	@echo "make check      prove what your change can break, and nothing else"
	@echo "make test       pytest, then the lessons, then the book"
	@echo "make exercise NAME=two_walks CHAPTER=5 KIND=paper   begin one (or code)"
	@echo "make help ALL=1 all the others"
ifneq ($(ALL),)
	@echo
	@echo "make install    make .venv, with everything pinned"
	@echo "make hooks      before each commit, the linters and the pages' rules"
	@echo "make quick      lint, unit tests of the core, one notebook"
	@echo "make lint       ruff, mypy over the library, the spelling of the pages"
	@echo "make test-slow  what make test leaves out: long tests, laboratories"
	@echo "make test-browser  test the built book in Chromium"
	@echo "make test-all   all tests there are, the pages' too, without samples"
	@echo "make test-colab    run every notebook with the packages of Colab"
	@echo "make notebooks  execute every notebook anew, in place"
	@echo "make gpu        measure all that waits for a GPU (SMOKE=1: try it here)"
	@echo "make book ENGINE=sphinx  the same book with the newest Sphinx"
	@echo "make pyodide    fetch Python for the page: make book PYODIDE=folder"
	@echo "make links      ask every address outside the book whether it is there"
	@echo "make student    the book for a class, without solutions"
	@echo "make zips       as ZIPs: the book for reading offline, make student"
	@echo "make address URL=https://github.com/who/what   set the address"
	@echo "make release VERSION=1.2.0   version, tests, commit and tag"
	@echo "make clean      remove what was built (not .venv*, not runs/)"
endif

# ------------------------------------------------------------ installation

install: $(STAMP)

$(BIN)/python:
	@"$(PYTHON)" -c 'import sys; sys.exit(not (3, 11) <= sys.version_info < (3, 14))' \
	  || { echo $(SETUP_WANTS); exit 1; }
	"$(PYTHON)" -m venv $(VENV)

$(STAMP): requirements.txt pyproject.toml | $(BIN)/python
	$(BIN)/python -m pip install -q \
	  $(if $(TORCH_INDEX),--index-url $(TORCH_INDEX)) \
	  "$$(grep '^torch==' requirements.txt)"
	$(BIN)/python -m pip install -q -r requirements.txt
	$(BIN)/python -m pip install -q --no-deps -e .
	@touch $@

# ---------------------------------------------------------------- the book

# Each page shows the table of contents, and none is written anew for its sake.
html: $(STAMP)
	@if [ _toc.yml -nt _build/.doctrees/environment.pickle ]; then \
	  rm -rf _build/html _build/.doctrees; fi
	BOOK_PYODIDE="$(BESIDE)" BOOK_MATHJAX="$(abspath $(MATHJAX))" \
	  $(BIN)/jupyter-book build -W -n --keep-going --quiet . > /dev/null

# The same book without jupyter-book, which holds Sphinx at version 7.
sphinx: $(SPHINX)/.installed
	BOOK_MATHJAX="$(abspath $(MATHJAX))" \
	  $(SPHINX)/bin/sphinx-build -q -W -n --keep-going \
	  -c book/_tools/sphinx -d _build/.doctrees-sphinx -b html . _build/sphinx

$(SPHINX)/.installed: pyproject.toml
	"$(PYTHON)" -m venv --clear $(SPHINX)
	$(SPHINX)/bin/python -m pip install -q \
	  $(if $(TORCH_INDEX),--index-url $(TORCH_INDEX)) "torch==$(TORCH)"
	$(SPHINX)/bin/python -m pip install -q -e ".[course,fetch,sphinx]"
	@touch $@

book: $(PAGES)
	@echo
	@echo "The book is built:  $(CURDIR)/$(BUILT)"
	@echo "Open that file in a browser, or serve it:  make serve"

serve: html
	@echo "The book is at http://localhost:$(PORT) (stop with Ctrl-C)"
	@$(BIN)/python -m http.server --bind 127.0.0.1 \
	  --directory _build/html $(PORT)

lab: $(STAMP)
	$(BIN)/python -m jupyterlab --ServerApp.root_dir=. \
	  --LabApp.default_url=/lab/tree/chapters

# -------------------------------------------------------------- the proofs

# Tests and notebooks see no GPU (book/_tools/no_gpu.py); `make gpu`, `make train`
# and `make lab` do.
test check lessons test-slow test-all test-browser test-colab notebooks quick release: \
  export CUDA_VISIBLE_DEVICES := -1
# What passed here and has not changed since does not run again (prove.py).
PROVE := $(BIN)/python book/_tools/prove.py $(if $(ALL),--all)
test: $(STAMP)
	$(PROVE) tests -- $(NO_NBVAL) $(XDIST) --no-loadscope-reorder
	$(MAKE) --no-print-directory -j2 lessons $(PAGES)
	@echo "The book is built:  $(CURDIR)/$(BUILT)"

# What differs from the last commit (SINCE=commit: from that one).
check: $(STAMP)
	@$(BIN)/python book/_tools/check.py $(if $(SINCE),--since "$(SINCE)")

# For those who want it; whatever hook was there stays.
hooks: $(STAMP)
	@hook="$$(git rev-parse --git-path hooks)/pre-commit"; \
	  mkdir -p "$${hook%/*}"; \
	  if [ -e "$$hook" ] && ! cmp -s .ci/pre-commit "$$hook"; then \
	    echo "There is a hook already: $$hook"; exit 1; \
	  fi; \
	  install -m 755 .ci/pre-commit "$$hook"; echo "In place: $$hook"

exercise: $(STAMP)
	@$(BIN)/python book/_tools/new_exercise.py "$(NAME)" "$(CHAPTER)" "$(KIND)"

# One process builds the book meanwhile: no core waits for it.
lessons: $(STAMP)
	$(PROVE) notebooks chapters -- $(XDIST)

# Few tests, each long: who has finished takes some from the other.
test-slow: $(STAMP)
	$(BIN)/python -m pytest -q $(NO_NBVAL) $(CORES) --dist worksteal \
	  -m "slow$(if $(ALL),, and not whole)" \
	  $$(grep -rl --include="test_*.py" --exclude-dir=browser "mark\.slow" tests)
	$(PROVE) notebooks book/laboratory book/solutions -- $(XDIST)

# Where many cases are of a kind and long, some stand for all (the mark `whole`
# is on the others), but not here.
test-all:
	$(MAKE) --no-print-directory lint test test-slow test-browser ALL=1

lint: $(STAMP)
	$(BIN)/ruff check .
	$(BIN)/ruff format --check --quiet .
	$(BIN)/mypy
	$(BIN)/codespell *.md book/*.md book/api toy_language transformer_lib \
	  */README.md book/_*/README.md book/_*/*/README.md transformer_course/*/README.md

# Under 90 seconds: what a change of the library breaks first.
QUICK := attention multi_head feed_forward normalization layers model masks \
         positional embedding label_smoothing schedule batching decoding \
         training architecture
quick: lint
	$(BIN)/python -m pytest -q $(NO_NBVAL) $(XDIST) \
	  $(wildcard $(QUICK:%=tests/*/test_%.py))
	$(BIN)/python -m pytest -q --nbval -p no:cacheprovider \
	  chapters/03_query_key_value.ipynb

# Most tests are of one file: who has finished takes some from the other.
test-browser: html $(BROWSER_STAMP)
	$(PROVE) pages -- $(NO_NBVAL) $(CORES) --dist worksteal \
	  $(if $(SHOTS),--shots=$(SHOTS))

$(BROWSER_STAMP): $(STAMP)
	$(BIN)/python -m pip install -q "playwright>=1.50" \
	  "axe-playwright-python>=0.1.4"
	@touch $@

test-colab: $(STAMP) $(COLAB_STAMP)
	$(BIN)/python book/_tools/try_colab.py --python $(COLAB)/bin/python

$(COLAB_STAMP): .github/colab.txt
	"$(COLAB_PYTHON)" -m venv --clear $(COLAB)
	$(COLAB)/bin/python -m pip install -q \
	  $(if $(TORCH_INDEX),--index-url $(TORCH_INDEX)) "torch==$(TORCH)"
	$(COLAB)/bin/python -m pip install -q -r .github/colab.txt
	@touch $@

# It needs the network, so no test does it; the weekly workflow does.
links: $(STAMP)
	$(BIN)/jupyter-book build --builder linkcheck --keep-going --quiet \
	  --path-output _build/links . > /dev/null

# ------------------------------------------------------------ making things

zips: html student
	$(BIN)/python book/_tools/pack.py
	$(BIN)/python book/_tools/student_edition.py \
	  _build/zips/transformer-step-by-step-student.zip

pyodide: $(STAMP)
	$(BIN)/python book/_tools/fetch_pyodide.py fetch

notebooks: $(STAMP)
	$(BIN)/python book/_tools/run_notebooks.py

train: $(STAMP)
	$(BIN)/python -m transformer_lib train --preset small --out runs/small

gpu: $(STAMP)
	$(BIN)/python benchmarks/gpu.py $(if $(SMOKE),--smoke)

address:
	@test -n "$(URL)" \
	  || { echo "usage: make address URL=https://github.com/who/what [REF=main]"; \
	       exit 2; }
	"$(PYTHON)" book/_tools/set_address.py "$(URL)" $(if $(REF),--ref "$(REF)")

release: $(STAMP)
	@test -n "$(VERSION)" || { echo "usage: make release VERSION=1.2.0"; exit 2; }
	$(BIN)/python book/_tools/release.py "$(VERSION)" \
	  --proof "$(MAKE) --no-print-directory lint test test-slow ALL=1"

# Its pages are made by its own library, whose checks are sealed.
student: $(STAMP)
	rm -rf _build/student
	$(BIN)/python book/_tools/student_edition.py _build/student.zip \
	  --laboratories "$(LABORATORIES)" --url "$(or $(URL),none)" \
	  $(if $(REF),--ref "$(REF)")
	$(BIN)/python -m zipfile -e _build/student.zip _build/student
	PYTHONPATH="$(CURDIR)/$(STUDENT)" $(BIN)/jupyter-book build -W -n \
	  --keep-going --quiet $(STUDENT) > /dev/null
	@echo "and as a book:  $(CURDIR)/$(STUDENT)/$(HTML)"

clean:
	rm -rf _build build .pytest_cache .ruff_cache .hypothesis *.egg-info
	find . -path './$(VENV)*' -prune -o -name __pycache__ -type d \
	  -exec rm -rf {} +
