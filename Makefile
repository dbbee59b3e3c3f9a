# The whole workflow. README, CONTRIBUTING, .ci/run and the hosted workflow call only these targets.

.DEFAULT_GOAL := help

PYTHON ?= $(shell command -v python3.11 || command -v python3)
PORT ?= 8000
# nproc believes OMP_NUM_THREADS, which is 1 below.
JOBS ?= $(shell env -u OMP_NUM_THREADS nproc 2>/dev/null || sysctl -n hw.ncpu)
# A browser and its test take turns and wait for frames, so each core has work for two of them.
BROWSERS ?= $(shell expr 2 \* $(JOBS))
BIN := .venv/bin
READY := .venv/.ready

# One thread for every computation: sums then add up in the same order on every machine.
export OMP_NUM_THREADS := 1

# What one worker of the tests has compiled the others need not compile again.
export PYTHONDONTWRITEBYTECODE :=

stage = @printf '\n== %s ==\n' '$(1)'

## For readers

.PHONY: help
help: ## list these commands
	@awk 'BEGIN {FS = ":.*## "} \
	  /^## / {print "\n" substr($$0, 4)} \
	  /^[a-z-]+:.*## / {printf "  make %-16s %s\n", $$1, $$2}' $(MAKEFILE_LIST)

.PHONY: book
book: $(READY) ## build the whole site, strictly, into _build/html
	$(call stage,Site: strict build from a clean folder)
	rm -rf _build
	$(BIN)/jupyter-book build -W -n --keep-going .
	@echo "The site is in $(CURDIR)/_build/html; 'make serve' shows it."

.PHONY: serve
serve: built ## show the built site at http://localhost:8000 (PORT=8000)
	$(BIN)/python -m http.server --bind 127.0.0.1 --directory _build/html $(PORT)

_build/html/index.html:
	$(MAKE) book

# What looks at the built site says first whether it is older than its sources.
.PHONY: built
built: $(READY) _build/html/index.html
	@$(BIN)/python -m book._tools.age

.PHONY: offline
offline: built ## attn_lib's wheel, and the site as one archive that opens from a disk
	$(BIN)/python -m book._tools.offline

.PHONY: colab
colab: built ## the notebooks of the built site that Colab opens, into _build/colab
	@$(BIN)/python -m book._tools.colab

.PHONY: pdf
pdf: built ## the built site as one PDF for each language, into _build/html/download
	@$(BIN)/python -m book._tools.browser
	$(BIN)/python -m book._tools.paper $(LANGUAGES)

EPUB := .venv-epub

.PHONY: epub
epub: built $(EPUB)/.ready ## the built site as one EPUB for each language, checked, into _build/html/download
	@$(BIN)/python -m book._tools.browser
	@command -v java >/dev/null || { echo 'Java, which checks an EPUB, is missing. On Debian: apt-get install default-jre-headless' >&2; exit 1; }
	$(BIN)/python -m book._tools.epub --pandoc "$$($(EPUB)/bin/python -c 'import pypandoc; print(pypandoc.get_pandoc_path())')" $(LANGUAGES)
	@for file in _build/html/download/*.epub; do $(EPUB)/bin/epubcheck $$file || exit 1; done

.PHONY: quiz
quiz: $(READY) ## bets and numbers as questions for Moodle and, as QTI, others, in _build/quiz (SEED=2027)
	@$(BIN)/python -m book._tools.browser
	@$(BIN)/python -m book._tools.quiz --seed '$(or $(SEED),1)'

# A course lies beside the book, in a folder for each language; _build would not keep it.
COURSE ?= course
GRADING := .venv-grading

.PHONY: student
student: $(READY) ## notebooks without solutions, and with them for the lecturer (LANGUAGE=vi SEED=2027 CHAPTERS=...)
	@$(BIN)/python -m book._tools.student --course '$(COURSE)' --language '$(LANGUAGE)' --seed '$(SEED)' $(CHAPTERS)

.PHONY: student-site
student-site: $(READY) ## the site without solutions as one archive that opens from a disk (SEED=2027)
	@$(BIN)/python -m book._tools.student_site --course '$(COURSE)' --seed '$(SEED)'

.PHONY: release
release: $(READY) $(GRADING)/.ready ## put chapters of a course where its students fetch them (LANGUAGE=vi CHAPTERS=...)
	@$(GRADING)/bin/python -m book._tools.grading.grade release '$(COURSE)/$(LANGUAGE)' $(CHAPTERS)

.PHONY: grade
grade: $(READY) $(GRADING)/.ready ## grade what was handed in: grades.csv and feedback (LANGUAGE=vi CHAPTERS=...)
	@$(GRADING)/bin/python -m book._tools.grading.grade grade '$(COURSE)/$(LANGUAGE)' $(CHAPTERS)

.PHONY: formgrader
formgrader: $(GRADING)/.ready ## open a course in JupyterLab, where Nbgrader > Formgrader marks what has to be read (LANGUAGE=vi)
	cd '$(COURSE)/$(LANGUAGE)' && PATH="$(CURDIR)/$(GRADING)/bin:$$PATH" JUPYTER_PATH="$$PWD/jupyter" \
	  JUPYTER_CONFIG_PATH=$(CURDIR)/deploy/jupyter jupyter lab

OTTER := .venv-otter

.PHONY: otter
otter: $(READY) $(OTTER)/.ready ## chapters for Gradescope: what students get, and what grades it (LANGUAGE=vi SEED=2027 CHAPTERS=...)
	@$(BIN)/python -m book._tools.otter --course '$(COURSE)' --language '$(LANGUAGE)' --seed '$(SEED)' $(CHAPTERS)

.PHONY: lab
lab: $(READY) ## open the notebooks in JupyterLab
	JUPYTER_CONFIG_PATH=$(CURDIR)/deploy/jupyter $(BIN)/jupyter lab book

## For authors and translators

.PHONY: page
page: $(READY) ## build single pages in seconds, to look at them (FILES=book/en/x.ipynb)
	@$(BIN)/python -m book._tools.preview $(FILES)

.PHONY: watch
watch: $(READY) ## build pages again whenever they are saved, and show them (FILES=book/en/x.ipynb PORT=8000)
	@$(BIN)/python -m book._tools.watch --port $(PORT) $(FILES)

.PHONY: workbench
workbench: $(READY) ## show every live figure on a bare page, redrawn when it is saved (PORT=8000)
	@$(BIN)/python -m book._tools.workbench --port $(PORT)

.PHONY: notebooks
notebooks: $(READY) ## run notebooks again and store their outputs (FILES=book/en/x.ipynb)
	$(BIN)/python -m book._tools.notebooks --jobs $(JOBS) $(FILES)

.PHONY: measure
measure: built ## words, pixels, voice of each page (PAGES=masked-softmax)
	@$(BIN)/python -m book._tools.browser
	@$(BIN)/python -m book._tools.measure $(PAGES)
	@echo
	@$(BIN)/python -m book._tools.voice $(PAGES)

.PHONY: sync
sync: $(READY) ## carry code and new cells from English into the translations (FILES=...)
	$(BIN)/python -m book._tools.editions sync $(FILES)

.PHONY: figure
figure: $(READY) ## begin a live figure (NAME=sharp CHAPTER=scaling)
	$(BIN)/python -m book._tools.figure '$(NAME)' '$(CHAPTER)'

.PHONY: dates
dates: $(READY) ## train the stored models that read dates (NAMES="additive dot")
	$(BIN)/python -m attn_lib.examples.dates $(NAMES)

.PHONY: writer
writer: $(READY) ## train the stored models that write (NAMES="en-rope vi-rope" SEEDS="0 1 2")
	$(BIN)/python -m attn_lib.examples.writer $(NAMES) $(if $(SEEDS),--seeds $(SEEDS))

.PHONY: writer-measured
writer-measured: $(READY) ## train and measure all writers that are compared; MODELS keeps them (SEEDS="0 1 2")
	$(BIN)/python -m attn_lib.examples.writer.measurements '$(or $(MODELS),_build/writers)' $(if $(SEEDS),--seeds $(SEEDS))

.PHONY: census
census: $(READY) ## count again which scores models use (MODELS=.../transformers/models RELEASE='transformers 5.24.0')
	@$(BIN)/python -m book._tools.census '$(MODELS)' '$(RELEASE)'

.PHONY: claims
claims: $(READY) ## prove again what the ledger says of a release; list what is old (RELEASE=unpacked wheel)
	@$(BIN)/python -m book._tools.claims $(RELEASE)

.PHONY: pictures
pictures: $(READY) ## draw the pictures again that their modules have changed
	$(BIN)/python -m book.pictures

.PHONY: translate-start
translate-start: $(READY) ## begin an edition in another language (LANGUAGE=fr)
	$(BIN)/python -m book._tools.editions start '$(LANGUAGE)'

.PHONY: translations
translations: $(READY) ## chapter by language: fresh, stale, untranslated, missing; terms
	$(BIN)/python -m book._tools.editions report

.PHONY: stamp
stamp: $(READY) ## mark a translation as up to date (FILES=book/vi/x.ipynb, CELLS=id1,id2)
	$(BIN)/python -m book._tools.editions stamp $(if $(CELLS),--cells $(CELLS)) $(FILES)

## For everybody who changes something

STAGES := lint unit editions nbval figures book site jupyter

# One after the other, as each takes all cores; side by side they only take longer.
.NOTPARALLEL:

.PHONY: test
test: $(STAGES) ## the whole gate (ALL=1 proves again what nothing has touched)

# What is proved is left out while it stays as it is: see book/_tools/proved.py.
PROVE = $(BIN)/python -m book._tools.proved $(if $(ALL)$(FILES),--all)

JAVASCRIPT := attn_lib book/_static
export DENO_NO_UPDATE_CHECK := 1

.PHONY: quick
quick: lint ## what a few minutes can say: lint, fast unit tests, editions
	$(call stage,Quick: all but slow tests and what needs a browser or a kernel)
	$(BIN)/pytest -n $(JOBS) --dist loadgroup -m 'not slow' tests/project tests/unit
	$(BIN)/python -m book._tools.editions report
	$(BIN)/pytest -n $(JOBS) -m 'not slow' tests/editions

.PHONY: lint
lint: $(READY) ## style, format and types, of JavaScript too; changes nothing
	$(call stage,Lint: style and format and types)
	$(BIN)/ruff check
	$(BIN)/ruff format --check
	@test -x $(BIN)/deno || \
	  { echo 'Deno, which checks the JavaScript, is missing. Try: $(BIN)/pip install --requirement requirements.txt' >&2; exit 1; }
	$(BIN)/deno check --quiet $(JAVASCRIPT)
	$(BIN)/deno lint --quiet $(JAVASCRIPT)
	$(BIN)/mypy
	$(BIN)/python -m book._tools.docstrings

.PHONY: format
format: $(READY) ## repair style and format where a tool can
	$(BIN)/ruff check --fix
	$(BIN)/ruff format

# What Node has run of the figures' JavaScript.
RAN := $(CURDIR)/.javascript-coverage

.PHONY: unit
unit: $(READY) ## tests and documented examples of attn_lib
	$(call stage,Unit: attn_lib and its examples)
	$(BIN)/pytest -n $(JOBS) tests/project tests/frameworks
	rm -rf $(RAN)
	NODE_V8_COVERAGE=$(RAN) $(BIN)/pytest -n $(JOBS) --dist loadgroup tests/unit --doctest-modules attn_lib --cov
	$(BIN)/python -m book._tools.covered $(RAN)

FRAMEWORKS := .venv-frameworks

.PHONY: frameworks
frameworks: $(FRAMEWORKS)/.ready ## the programs in JAX and TensorFlow, in an environment of their own
	$(call stage,Frameworks: one file of cases for all)
	$(FRAMEWORKS)/bin/pytest tests/frameworks --frameworks numpy,jax,tensorflow

$(FRAMEWORKS)/.ready: book/frameworks/requirements.txt
$(GRADING)/.ready: book/_tools/grading/requirements.txt
$(OTTER)/.ready: book/_tools/grading/otter.txt
$(EPUB)/.ready: book/_tools/epub/requirements.txt
$(FRAMEWORKS)/.ready $(GRADING)/.ready $(OTTER)/.ready $(EPUB)/.ready:
	$(PYTHON) -m venv $(@D)
	$(@D)/bin/python -m pip install --quiet --disable-pip-version-check --requirement $<
	@touch $@

.PHONY: test-grading
test-grading: $(READY) $(GRADING)/.ready ## a course in two languages, handed in right and wrong, and its grades: minutes
	$(call stage,Grading: from notebooks to a table)
	$(BIN)/pytest tests/grading/test_course.py

.PHONY: test-otter
test-otter: $(READY) $(OTTER)/.ready ## a chapter for Gradescope, handed in right and wrong, and its points: minutes
	$(call stage,Otter: from a notebook to points)
	$(BIN)/pytest tests/grading/test_otter.py

.PHONY: editions
editions: $(READY) ## the four editions say and compute the same
	$(call stage,Editions: the same book in every language)
	$(BIN)/python -m book._tools.editions report
	$(BIN)/pytest -n $(JOBS) tests/editions

.PHONY: nbval
# English notebooks are run; a translated one where its outputs do not follow from the English ones.
nbval: $(READY) ## every stored output is what its cell gives (FILES=... runs just these)
	$(call stage,Notebooks: stored outputs against fresh ones)
	$(BIN)/pytest -n $(JOBS) tests/notebooks
	files='$(FILES)'; \
	  [ -n "$$files" ] || files=$$($(BIN)/python -m book._tools.editions to-run) && \
	  $(PROVE) notebooks $$files -- $(BIN)/python -m pytest -p nbval -p book._tools.stored \
	    --nbval --nbval-cell-timeout 600 -n $(JOBS) --dist loadgroup

.PHONY: figures
figures: $(READY) ## every live figure on a bare page, in a browser; needs no book
	$(call stage,Figures: each on a bare page in a browser)
	$(BIN)/python -m book._tools.browser
	$(PROVE) figures -- $(BIN)/pytest -n $(BROWSERS) --dist loadgroup tests/figures

.PHONY: site
site: $(READY) ## the built pages, in a browser
	$(call stage,Site: pages in a browser)
	$(BIN)/python -m book._tools.browser
	$(BIN)/pytest -n $(BROWSERS) --dist loadscope tests/site

.PHONY: jupyter
jupyter: $(READY) ## figures in JupyterLab: a kernel and a browser, which need both cores
	$(call stage,Jupyter: figures in JupyterLab)
	$(BIN)/python -m book._tools.browser
	$(BIN)/pytest tests/lab

.PHONY: wheel
wheel: $(READY) ## build attn_lib's wheel and try it by itself (TAG=v1.2.3 holds it to the version)
	$(BIN)/python -m book._tools.wheel $(TAG)

.PHONY: bench
bench: built ## measure: time and memory of the library, bytes and time of the pages
	$(BIN)/python bench/fixed.py
	$(BIN)/python bench/bench.py
	$(BIN)/python -m book._tools.browser
	PYTHONPATH=.:tests/figures $(BIN)/python bench/pages.py

.PHONY: weight
weight: built ## bytes of a first visit, of the next page and of another language
	$(BIN)/python -m book._tools.browser
	$(BIN)/python -m book._tools.weight

.PHONY: links
links: built ## ask other hosts whether what the site links to is still there
	@$(BIN)/python -m book._tools.links

.PHONY: clean
clean: ## remove what make made
	rm -rf .venv .venv-frameworks $(GRADING) $(OTTER) $(EPUB) _build .javascript-coverage .proved

# The environment is made once, and again only when what it holds has changed. pip would compile what
# it installs on one core; a file of another Python's syntax says so and does no harm. The first import of
# matplotlib lists all fonts and says so; it happens here, so that no notebook stores the message.
$(READY): requirements.txt pyproject.toml
	@test -n '$(PYTHON)' || { echo 'Python is missing. On Debian: apt-get install python3 python3-venv' >&2; exit 1; }
	@$(PYTHON) -c 'import sys; sys.exit(sys.version_info < (3, 11))' || \
	  { echo 'Python 3.11 or newer is needed, and $(PYTHON) is not. Try: make PYTHON=/path/to/python3.11 $(MAKECMDGOALS)' >&2; exit 1; }
	@$(PYTHON) -c 'import ensurepip, venv' || \
	  { echo 'Python has no venv module. On Debian: apt-get install python3-venv' >&2; exit 1; }
	$(PYTHON) -m venv .venv
	@echo 'Installing the pinned packages into .venv: a few minutes, once.'
	$(if $(TORCH_INDEX),-$(BIN)/python -m pip install --quiet --disable-pip-version-check --retries 1 --timeout 20 \
	  --index-url $(TORCH_INDEX) $$(grep -o '^torch==[^ ]*' requirements.txt))
	$(BIN)/python -m pip install --quiet --disable-pip-version-check --no-compile --requirement requirements.txt
	@$(BIN)/python -m compileall -q -j 0 .venv attn_lib book > .venv/compiled.log || :
	@$(BIN)/python -c 'import matplotlib.font_manager'
	@touch $@
