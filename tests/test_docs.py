"""The documentation: every block is run or checked, links lead somewhere, pages build, examples run, search finds.

Python sessions in pages are doctests, collected from the pages themselves; here is everything else.
"""

import doctest
import importlib
import os
import re
import runpy
import shutil
import subprocess
import sys
import tomllib
import warnings
import zlib
from pathlib import Path

import pytest
from tests.browsers import blank_page

import idnf
from idnf import exporting, governance, reporting
from idnf.cli import parse
from idnf.learning.proved_families import PROVED

ROOT = Path(__file__).parent.parent
PAGES = sorted(
    [
        *ROOT.glob("docs/**/*.md"),
        ROOT / "README.md",
        *(ROOT / f"{name}.md" for name in ("CHANGELOG", "CONTRIBUTING", "SECURITY")),
    ]
)
LONG = {"breast_cancer.py": pytest.mark.slow}
EXAMPLES = [
    pytest.param(path, marks=LONG.get(path.name, ()))
    for path in sorted((ROOT / "examples").glob("*.py"))
    if path.name != "spark_loans.py"
]
BLOCK = re.compile(r"^```(.*?)\n(.*?)^```$", re.MULTILINE | re.DOTALL)
LINK = re.compile(r"(?<!`)\[[^\]]*\]\(([^)\s]+)\)")
DIRECTIVES = ("{toctree}", "{eval-rst}", "{include}", "{literalinclude}", "{csv-table}")


def page_name(page):
    return str(page.relative_to(ROOT))


def blocks(page, language):
    return [text for kind, text in BLOCK.findall(page.read_text("utf-8")) if kind.strip() == language]


# The commands of the landing page are run by test_readme.py.
PAGES_WITH_SHELL = [page for page in PAGES if blocks(page, "sh") and page.name != "index.md"]


@pytest.mark.parametrize("page", PAGES, ids=page_name)
def test_blocks_are_of_a_kind_that_is_run_or_checked(page):
    for kind, text in BLOCK.findall(page.read_text("utf-8")):
        if kind.startswith(DIRECTIVES):
            continue
        assert kind in ("python", "sh", "javascript", ""), f"nothing runs blocks of {kind!r}"
        if kind == "python":
            assert text.startswith(">>> "), f"a session must start with a prompt:\n{text}"
            assert text.endswith("\n\n"), (
                f"an empty line must end a session, or the fence is taken for its answer:\n{text}"
            )
        if kind == "":
            for line in text.splitlines():
                assert line.startswith("make "), f"a block without a language must hold make targets; got {line!r}"
                check_target(line.split()[1])


# What takes long, changes the machine or names data of the reader's is checked; all else in a block runs as it stands.
SHELL = """
set -euo pipefail
make() { checked make "$@"; }
pip() { checked pip "$@"; }
idnf() { case "$*" in *://*|*" data/"*) checked idnf "$@" ;; *) command idnf "$@" ;; esac; }
python() { case "$1" in *.py) checked python "$@" ;; *) command python "$@" ;; esac; }
checked() { printf '%s\\n' "$*" >> checked.txt; }
"""


@pytest.fixture(scope="module")
def whole_gate(request):
    if request.config.getoption("--fast"):
        pytest.skip("run by `make test`")


@pytest.mark.usefixtures("whole_gate")
@pytest.mark.parametrize("page", PAGES_WITH_SHELL, ids=page_name)
def test_shell_blocks_run(page, tmp_path, command, monkeypatch):
    monkeypatch.setenv("PATH", f"{command}:{Path(sys.executable).parent}:{Path('/usr/bin')}:{Path('/bin')}")
    script = SHELL + "\n".join(blocks(page, "sh"))
    ran = subprocess.run(["bash", "-c", script], cwd=tmp_path, capture_output=True, text=True, timeout=300)
    assert ran.returncode == 0, ran.stderr
    checked = tmp_path / "checked.txt"
    for line in checked.read_text("utf-8").splitlines() if checked.exists() else ():
        name, *words = line.split()
        if name == "make":
            check_target(words[0])
        elif name == "idnf":
            parse(words)
        elif name == "pip":
            for extra in re.findall(r"\[([\w,]+)\]", line):
                assert set(extra.split(",")) <= project()["optional-dependencies"].keys(), line
        else:
            assert (ROOT / words[0]).is_file(), f"{line} names a file that is not there"


# Phrases that read like a translation, and what a native speaker would say.
CALQUES = {
    r"parted by": "separated by",
    r"found out\b": "detected, computed, known",
    r"(?<!best )\bone a (?:class|column|feature|line|point|reason|row|split)\b": "one per ...",
    r"(?:object|sentence|rule) a line\b": "... per line",
    r"where that are\b": "if those are",
    r"\bso many (?!that\b)": "that many, this many",
    r"\b(?:is|are|was|were) told\b": "is reported, is distinguished",
    r"\bmade one\b": "merged",
    r"has it otherwise": "overrides this",
    r"gives? way alike": "are cut back equally",
    r"says that this is meant": "to silence this warning",
    r"(?:counted|drawn|proved|starts?) anew\b": "again, redrawn, restarts",
    r"\bfinding out (?:an?|the)\b": "detecting",
    r"\bpassed over\b": "skipped",
    r"\b(?:columns?|rows|time|values) enough\b": "enough ...",
    r"\bcolumns? beside (?:the target|\{)": "besides",
    r"\bof old\b": "older",
    r"\bWho (?:lends|signs|wants|asks)\b": "whoever ..., lenders",
    r"\bthough none was\b": "though none were",
    r"\b[Ww]here there (?:is|are|was|were)\b": "if there is",
    r"\bon the (?:average|mean)\b(?! of)": "on average",
    r"\b[Tt]ruly\b": "actually",
    r"\b(?:say|says|said) of\b": "about",
    r"\bholds? of (?:an?|each|it|the|them)\b": "holds for",
    r"\bwhole signs\b": "whole characters",
    r"\bthe case at hand\b": "the current case",
    r"\b(?:None|null|[Nn]othing|[Ee]mpty) where (?:it|none|that|there|they)\b": "None if",
}
WRITTEN = sorted([*PAGES, *ROOT.glob("src/**/*.py"), *ROOT.glob("examples/**/*.py")])


@pytest.mark.parametrize(("phrase", "better"), CALQUES.items())
def test_nothing_reads_like_a_translation(phrase, better):
    found = [f"{page_name(path)}: {hit[0]}" for path in WRITTEN for hit in re.finditer(phrase, path.read_text("utf-8"))]
    assert found == [], f"say {better!r} instead"


@pytest.mark.parametrize("page", PAGES, ids=page_name)
def test_thousands_are_separated_by_commas(page):
    prose = re.sub(r"`[^`]*`", "", BLOCK.sub("", page.read_text("utf-8")))
    assert re.findall(r"(?<![\d,.])\d{1,3} \d{3}(?![\d.])", prose) == []


def test_what_tuning_costs_is_said_in_one_way():
    said = re.compile(r"(\w+ to \w+) times\s+as\s+long")
    guide = (ROOT / "docs" / "guides" / "data-scientist.md").read_text("utf-8")
    assert said.findall(guide) == said.findall(idnf.DNFClassifier.__doc__) == ["two to three"]
    assert "about 2.5 times the processor time of an untuned one" in (ROOT / "docs" / "searching.md").read_text("utf-8")


def test_the_glossary_has_every_word_of_ours():
    """Each field of a printed answer, and each kind of model that users choose, is a word of the glossary."""
    words = " ".join(re.findall(r"^\| ([^|]+) \|", (ROOT / "docs" / "glossary.md").read_text("utf-8"), re.MULTILINE))
    ours = {"reason", "condition", "line", "change", "band", "boundary", "share", "record", "recourse", "catalogue"}
    assert {
        word for word in ours | {"AXp", "CXp", "box", "cell", "form"} if not re.search(rf"\b{word}\b", words)
    } == set()


def check_target(name):
    assert re.search(rf"^{name}:", (ROOT / "Makefile").read_text("utf-8"), re.MULTILINE), f"make has no target {name}"


def project():
    return tomllib.loads((ROOT / "pyproject.toml").read_text("utf-8"))["project"]


@pytest.mark.parametrize("page", [page for page in PAGES if page.name != "CONTRIBUTING.md"], ids=page_name)
def test_extras_that_pages_name_are_there(page):
    for extra in re.findall(r"pip\s+install\s+'?idnf\[(\w+)\]", page.read_text("utf-8")):
        assert extra in project()["optional-dependencies"], f"{page.name} names the extra {extra}"


def test_javascript_blocks_run_against_the_exported_script(tmp_path):
    node = shutil.which("node")
    if node is None:
        pytest.fail("this test needs node: apt-get install nodejs")
    page = ROOT / "docs" / "exports.md"
    session = doctest.DocTestParser().get_doctest(page.read_text("utf-8"), {}, page.name, str(page), 0)
    doctest.DocTestRunner(verbose=False).run(session, out=lambda _: None, clear_globs=False)
    script = tmp_path / "page.js"
    for block in blocks(page, "javascript"):
        shown = f"console.log({block.strip().rstrip(';')})"
        script.write_text(f"{exporting.to_javascript(session.globs['policy'])}\n{shown}\n", "utf-8")
        ran = subprocess.run([node, str(script)], capture_output=True, text=True, timeout=60)
        assert ran.returncode == 0, ran.stderr
        assert ran.stdout.startswith("Declined because income is 31 (35 or less) and guarantor is false.")


@pytest.mark.parametrize("page", PAGES, ids=page_name)
def test_links_lead_to_files_and_headings(page):
    for target in LINK.findall(BLOCK.sub("", page.read_text("utf-8"))):
        assert not target.startswith("http:"), f"{target} must be https"
        if target.startswith("https:"):
            continue
        path, _, heading = target.partition("#")
        file = (page.parent / path).resolve() if path else page
        assert file.exists(), f"{page_name(page)} links to {target}"
        if heading:
            assert heading in anchors(file), f"{page_name(page)} links to {target}; {file.name} has {anchors(file)}"


@pytest.mark.parametrize("page", PAGES, ids=page_name)
def test_scripts_and_results_that_pages_name_are_there(page):
    named = set(
        re.findall(r"(?<!tests/)\b(?:experiments|benchmarks)/[\w/-]+\.(?:py|csv|md|svg)\b", page.read_text("utf-8"))
    )
    assert {name for name in named if not (ROOT / name).exists()} == set()


def anchors(page):
    headings = re.findall(r"^#+ (.*)$", BLOCK.sub("", page.read_text("utf-8")), re.MULTILINE)
    return {re.sub(r"[^\w\- ]", "", heading.lower()).replace(" ", "-") for heading in headings}


def test_drawings_are_what_the_script_draws():
    drawn = runpy.run_path(str(ROOT / "docs" / "draw.py"))["drawings"]()
    kept = {path.name: path.read_text("utf-8") for path in (ROOT / "docs" / "drawings").iterdir()}
    assert kept == {name: svg + "\n" for name, svg in drawn.items()}


# What the gate writes and looks at, of every kind one; it reads all pages, and runs one program of the gallery.
WRITTEN_IN_THE_GATE = (
    *("index", "explanations", "exports", "large-data", "explainers", "search-experiments", "gallery/what_to_change"),
    *("guides/data-scientist", "guides/auditor"),
)


@pytest.fixture(scope="module")
def site(request, tmp_path_factory):
    """The pages, all of them as `make docs` builds them with `--slow`."""
    request.getfixturevalue("whole_gate")
    folder = tmp_path_factory.mktemp("site")
    # Lists of contents that name no functions take a quarter less.
    options, pages = ["--quiet", "--define", "toc_object_entries=0"], []
    if not request.config.getoption("--slow"):
        options += ["--define", r"sphinx_gallery_conf.filename_pattern=what_to_change\.py$"]
        pages = [f"docs/{name}.{'rst' if 'gallery' in name else 'md'}" for name in WRITTEN_IN_THE_GATE]
    # A short life: collecting garbage takes a fifth of it.
    program = "import gc, sys; gc.disable(); from sphinx.cmd.build import main; sys.exit(main(sys.argv[1:]))"
    command = [sys.executable, "-c", program, *options, "docs", str(folder), *pages]
    # NumExpr, where pandas finds it, reports how many threads it takes unless it is told.
    environment = {**os.environ, "NUMEXPR_MAX_THREADS": "2"}
    built = subprocess.run(command, cwd=ROOT, env=environment, capture_output=True, text=True, timeout=900)
    warned = [line for line in built.stderr.splitlines() if "not all documents will be built" not in line]
    assert (built.returncode, warned) == (0, [])
    return folder


@pytest.mark.group("browser")  # where the site is built
def test_pages_ask_nothing_of_the_network(site):
    for page in site.rglob("*.html"):
        text = page.read_text("utf-8")
        loaded = re.findall(r"""<(?:script|img|iframe|link)\b[^>]*(?:src|href)=["']((?:https?:)?//[^"']*)""", text)
        assert not loaded, f"{page.name} loads {loaded}"
    for sheet in site.rglob("*.css"):
        assert not re.search(r"@import|url\([\"']?(?:https?:)?//", sheet.read_text("utf-8")), sheet.name


@pytest.fixture(scope="module")
def seen(site, browser):
    """What a browser shows: how far each page is wider than a phone and a desktop, and what the search finds."""
    page = blank_page(browser)
    return {"wider": widths(page, site), "found": {word: titles(page, site, word) for word in SEARCHED}}


WIDTHS = {"phone": 390, "desktop": 1280}
NOT_OURS = ("genindex", "py-modindex", "search")
WIDER = "document.documentElement.scrollWidth - document.documentElement.clientWidth"


def widths(page, site):
    found = {}
    for path in sorted(site.rglob("*.html")):
        if path.stem not in NOT_OURS:
            page.goto(path.as_uri())
            for device, width in WIDTHS.items():
                page.set_viewport_size({"width": width, "height": 900})
                found[f"{path.relative_to(site)} on a {device}"] = page.evaluate(WIDER)
    return found


def titles(page, site, word):
    page.goto(f"{(site / 'search.html').as_uri()}?q={word}")
    page.wait_for_function("document.querySelector('.search-summary')?.textContent.includes('found')")
    return [link.inner_text() for link in page.query_selector_all("#search-results li > a")]


SEARCHED = {
    "AXp": "Explanations",
    "recourse": "Explanations",
    "SQL": "Exports and model files",
    "Spark": "Data larger than memory, data in a cluster",
    "monotone": "For the data scientist",
    "certificate": "For the auditor",
    "DiCE": "Beside other explainers",
}


@pytest.mark.parametrize(("word", "page"), SEARCHED.items())
def test_search_finds(seen, word, page):
    assert page in seen["found"][word]


def test_pages_fit_a_phone_and_a_desktop(seen, request):
    gallery = len(list((ROOT / "examples" / "gallery").iterdir()))
    every = len(list((ROOT / "docs").rglob("*.md"))) + gallery
    assert len(seen["wider"]) >= 2 * (every if request.config.getoption("--slow") else len(WRITTEN_IN_THE_GATE))
    assert {name: by for name, by in seen["wider"].items() if by > 0} == {}


@pytest.mark.group("browser")
def test_the_reference_holds_every_public_name(site):
    *_, packed = (site / "objects.inv").read_bytes().split(b"\n", 4)
    named = [f"idnf.{name}" for name in idnf.__all__]
    named += [f"idnf.exporting.{name}" for name in exporting.__all__]
    named += [f"idnf.governance.{name}" for name in governance.__all__]
    named += ["idnf.reporting.to_html", "idnf.reporting.to_svg"]
    documented = set(re.findall(r"^(idnf[\w.]*) py:", zlib.decompress(packed).decode(), re.MULTILINE))
    modules = {"idnf.datasets": "idnf.datasets.loading"}
    assert [name for name in named if modules.get(name, name) not in documented] == []
    assert set(reporting.__all__) >= {"to_html", "to_svg"}


@pytest.mark.group("examples")
@pytest.mark.usefixtures("whole_gate")
@pytest.mark.parametrize("path", EXAMPLES, ids=lambda path: path.stem)
def test_examples_run(path, tmp_path, monkeypatch, capsys):
    monkeypatch.chdir(tmp_path)
    monkeypatch.setattr(sys, "argv", [str(path)])
    with warnings.catch_warnings():
        warnings.simplefilter("error", RuntimeWarning)
        runpy.run_path(str(path), run_name="__main__")
    assert len(capsys.readouterr().out.splitlines()) >= 5, "an example must say what it found"


@pytest.mark.slow
@pytest.mark.group("spark")
def test_the_spark_example_gives_the_model_of_memory(request, capsys, monkeypatch):
    monkeypatch.syspath_prepend(ROOT / "examples")
    importlib.import_module("spark_loans").main(request.getfixturevalue("spark"))
    assert "the same model as in memory: True" in capsys.readouterr().out


def test_the_page_of_examples_names_them_all():
    page = (ROOT / "docs" / "guides" / "examples.md").read_text("utf-8")
    for path in (ROOT / "examples").glob("*.py"):
        assert f"examples/{path.name}" in page


def test_the_table_of_what_is_proved_is_the_one_of_the_code():
    lines = (ROOT / "docs" / "optimal.md").read_text("utf-8").partition("| name | models contained")[2].splitlines()
    rows = [[cell.strip() for cell in line.strip("|").split("|")] for line in lines[2 : 2 + len(PROVED)]]
    assert [name.strip('`"') for name, _, _ in rows] == list(PROVED)
    assert [text for _, text, _ in rows] == [family.contents for family in PROVED.values()]
    assert [counted for _, _, counted in rows] == [family.counts for family in PROVED.values()]


# What people come for, and the heading that answers it.
WANTED = {
    "explain one row": "How do I explain one row?",
    "get a score": "How do I get a score?",
    "set a cutoff": "How do I set a cutoff?",
    "rare classes": "What about rare classes?",
    "force a direction": "How do I force a direction?",
    "forbid a column": "How do I forbid a column?",
    "a pipeline": "How do I use it in a pipeline?",
    "deploy": "How do I deploy a model?",
    "write letters": "How do I write letters?",
    "retrain": "How do I retrain?",
    "edit": "How do I edit a model by hand?",
    "check fairness": "How do I check fairness?",
    "know when not to use it": "When should I not use it?",
}


@pytest.mark.parametrize("heading", WANTED.values(), ids=WANTED)
def test_what_people_come_for_is_two_clicks_from_the_first_page(heading):
    for first in (ROOT / "README.md", ROOT / "docs" / "index.md"):
        pages = {(first.parent / link.partition("#")[0]).resolve() for link in LINK.findall(first.read_text("utf-8"))}
        texts = [page.read_text("utf-8") for page in pages if page.suffix == ".md" and page.is_file()]
        assert any(f"\n## {heading}\n" in text for text in texts), first.name
