"""The ledger and the pages agree, and every way in which they may not is found."""

import re
from datetime import date

import pytest
from docutils import nodes

from book import ledger
from book._ext.content.claims import Evidence, _visit
from book._tools import claims
from book._tools.claims import Page, disagreements, pages, works
from book._tools.editions.read import ENGLISH, chapters, languages, page, read_cells
from book.ledger import read

THREAD = "https://github.com/somebody/model/issues/7"
ENTRIES = f"""
divides-by-nothing:
  says: The tiny model divides by nothing.
  pages: [scaling]
  release: tiny-model 1.2.0
  file: models/*.py
  pattern: '^scaling = 1\\.0$'
  seen: 2026-11-28
asked-once:
  says: Somebody asked.
  pages: [scaling, index]
  thread: {THREAD}
  seen: null
told-in-a-paper:
  says: A paper says so.
  pages: [index]
  paper: vaswani2017
  where: section 3.2.1, footnote 4
  seen: 2026-11-28
ours:
  says: We measured it.
  pages: [index]
  measured: scaling#measure
  seen: 2026-05-28
"""
BOOK = {
    "scaling": Page(["divides-by-nothing"], [THREAD, "https://pypi.org/"], {"measure"}),
    "index": Page(["asked-once", "told-in-a-paper", "ours"], [], set()),
}


def test_the_pages_and_the_ledger_agree():
    assert list(disagreements(ledger.claims(), pages(), works())) == []


@pytest.mark.parametrize("language", [ENGLISH, *languages()])
def test_a_mark_follows_its_sentence_without_a_blank(language):
    """A line could begin with it; and what it belongs to is the sentence, not the next word."""
    wrong = [
        (chapter, cell.id)
        for chapter in chapters(language)
        for cell in read_cells(page(language, chapter))
        if cell.kind == "markdown" and re.search(r"(?:^|\s)\{claim\}", cell.source)
    ]
    assert wrong == []


def test_a_good_ledger_and_its_pages_have_no_faults():
    assert list(disagreements(read(ENTRIES), BOOK, {"vaswani2017"})) == []


@pytest.mark.parametrize(
    ("old", "new", "said"),
    [
        ("divides-by-nothing:", "divides-by-one:", "scaling: the claim divides-by-nothing has no"),
        ("divides-by-nothing:", "divides-by-one:", "divides-by-one: the page scaling never makes"),
        ("pages: [scaling]", "pages: [index]", "scaling: the entry divides-by-nothing does not"),
        ("pages: [scaling]", "pages: [index]", "divides-by-nothing: the page index never makes"),
        ("[scaling, index]", "[index]", f"scaling: no entry has the thread {THREAD} and this"),
        ("issues/7", "issues/8", f"scaling: no entry has the thread {THREAD} and this page"),
        ("issues/7", "issues/8", "asked-once: the page scaling never makes this claim"),
        ("[scaling, index]", "[scaling, index, teach]", "asked-once: the page teach never makes"),
        ("vaswani2017", "vaswani2018", "told-in-a-paper: references.bib has no vaswani2018"),
        ("#measure", "#title", "ours: there is no code cell or script scaling#title"),
        ("scaling#measure", "bench/no.py", "ours: there is no code cell or script bench/no.py"),
    ],
)
def test_a_planted_disagreement_is_found(old, new, said):
    assert old in ENTRIES
    found = list(disagreements(read(ENTRIES.replace(old, new)), BOOK, {"vaswani2017"}))
    assert [line for line in found if line.startswith(said)], found


def test_a_script_of_ours_is_evidence():
    entries = read(ENTRIES.replace("scaling#measure", "bench/bench.py"))
    assert list(disagreements(entries, BOOK, {"vaswani2017"})) == []


@pytest.mark.parametrize(
    ("link", "is_one"),
    [
        ("https://github.com/a/b/issues/1", True),
        ("https://github.com/a/b/pull/12", True),
        ("https://github.com/a/b/commit/0ffa1dc", True),
        ("https://github.com/a/b/blob/main/c.py", True),
        ("https://huggingface.co/a/b/discussions/3", True),
        ("https://github.com/a/b", False),
        ("https://pytorch.org/docs/stable/issues/x.html", False),
    ],
)
def test_which_links_need_an_entry(link, is_one):
    assert bool(claims.THREAD.match(link)) is is_one


@pytest.mark.parametrize(
    ("old", "new", "message"),
    [
        ("asked-once:", "Asked_once:", "Asked_once: an id must be small letters"),
        ("  says: Somebody asked.\n", "", "asked-once: says is missing"),
        ("  says: Somebody asked.\n", "  says: ''\n", "asked-once: says must be one line"),
        ("  seen: null\n", "", "asked-once: seen is missing"),
        ("seen: null", "seen: soon", "asked-once: seen must be a day"),
        ("seen: null", "seen: 2026-11-28 10:00:00", "asked-once: seen must be a day"),
        (f"  thread: {THREAD}\n", "", "asked-once: evidence must be one of .* Got none"),
        ("  thread:", "  paper: rush2018\n  where: x\n  thread:", "Got paper and thread"),
        ("  thread:", "  tread:", "asked-once: evidence must be one of .* Got none"),
        ("  seen: null", "  seen: null\n  file: a.py", "asked-once: file is no field beside"),
        ("  seen: null", "  seen: null\n  when: now", "asked-once: when is no field"),
        (f"thread: {THREAD}", "thread: issue 7", "asked-once: thread must be an address"),
        ("[scaling, index]", "scaling", "asked-once: pages must be a list"),
        ("[scaling, index]", "[]", "asked-once: pages must be a list"),
        ("[scaling, index]", "[index, index]", "asked-once: pages must name each page once"),
        ("  where: section 3.2.1, footnote 4\n", "", "told-in-a-paper: where is missing"),
        ("1\\.0$'", "1\\.0('", "divides-by-nothing: pattern must be a regular expression"),
        ("tiny-model 1.2.0", "tiny-model", "divides-by-nothing: release must be a name and a ver"),
        ("models/*.py", "/models/a.py", "divides-by-nothing: file must be a path inside"),
        ("models/*.py", "../a b", "divides-by-nothing: file must be a path inside"),
        ("  pattern:", "  absent: 1\n  pattern:", "divides-by-nothing: absent must be true"),
        ("scaling#measure", "scaling", "ours: measured must be page#cell or"),
        ("asked-once:", "ours:", "ours must stand there once"),
    ],
)
def test_a_planted_mistake_in_an_entry_is_named(old, new, message):
    assert old in ENTRIES
    with pytest.raises(ValueError, match=message):
        read(ENTRIES.replace(old, new))


@pytest.mark.parametrize(
    ("release", "file", "address"),
    [
        (
            "transformers 5.24.0",
            "models/gemma4/modeling_gemma4.py",
            "https://github.com/huggingface/transformers/blob/v5.24.0/src/transformers/models/"
            "gemma4/modeling_gemma4.py",
        ),
        ("transformers 5.24.0", "models/*/modeling_*.py", "https://pypi.org/project/transformers/"),
        ("tiny-model 1.2.0", "a.py", "https://pypi.org/project/tiny-model/1.2.0/"),
    ],
)
def test_where_a_release_can_be_read(release, file, address):
    entry = ENTRIES.replace("tiny-model 1.2.0", release).replace("models/*.py", file)
    assert read(entry)["divides-by-nothing"].source.startswith(address)


class Writer:
    """As much of Sphinx's writer as a mark needs."""

    attval = staticmethod(lambda text: text.replace('"', "&quot;"))

    def __init__(self):
        self.body = []


def test_a_mark_has_no_text_and_says_where_it_leads():
    mark = Evidence(claim="asked-once", href=THREAD, said='evidence: a "thread"')
    assert nodes.paragraph("", "Said.", mark).astext() == "Said."
    writer = Writer()
    _visit(writer, mark)
    (html,) = writer.body
    assert f'href="{THREAD}"' in html
    assert html.count('"evidence: a &quot;thread&quot;"') == 2


@pytest.fixture
def wheel(tmp_path):
    """A release of two files, unpacked."""
    models = tmp_path / "tiny_model" / "models"
    models.mkdir(parents=True)
    (models / "one.py").write_text("import torch\nscaling = 1.0\n")
    (models / "two.py").write_text("scaling = 8**-0.5\n")
    about = tmp_path / "tiny_model-1.2.0.dist-info" / "METADATA"
    about.parent.mkdir()
    about.write_text("Metadata-Version: 2.4\nName: tiny-model\nVersion: 1.2.0\n\nIt is tiny.\n")
    return tmp_path


def test_a_release_proves_a_claim(wheel):
    lines, failed = claims.proved(read(ENTRIES).values(), wheel)
    assert failed == 0
    assert lines == [
        "proved  divides-by-nothing",
        "tiny-model 1.2.0: 1 proved, 0 failed, 0 of other releases",
    ]


@pytest.mark.parametrize(
    ("old", "new", "reason"),
    [
        ("1\\.0$", "2\\.0$", r"models/*.py has no ^scaling = 2\.0$"),
        ("models/*.py", "models/two.py", r"models/two.py has no ^scaling = 1\.0$"),
        ("models/*.py", "models/three.py", "there is no models/three.py"),
        ("  pattern:", "  absent: true\n  pattern:", r"models/one.py has ^scaling = 1\.0$"),
    ],
)
def test_a_claim_that_a_release_does_not_prove_fails(wheel, old, new, reason):
    lines, failed = claims.proved(read(ENTRIES.replace(old, new)).values(), wheel)
    assert failed == 1
    assert lines[0] == f"failed  divides-by-nothing: {reason}"


def test_what_is_not_there_is_proved_by_all_files_and_not_by_none(wheel):
    absent = ENTRIES.replace("  pattern: '", "  absent: true\n  pattern: 'no ")
    assert claims.proved(read(absent).values(), wheel)[1] == 0
    nowhere = absent.replace("models/*.py", "modles/*.py")
    assert claims.proved(read(nowhere).values(), wheel)[1] == 1


def test_another_release_proves_nothing(wheel):
    lines, failed = claims.proved(read(ENTRIES.replace("1.2.0", "1.2.1")).values(), wheel)
    assert (lines, failed) == (["tiny-model 1.2.0: 0 proved, 0 failed, 1 of other releases"], 0)


def test_what_has_to_be_looked_at_again():
    found = list(claims.aged(read(ENTRIES).values(), date(2026, 11, 28)))
    assert found == [
        f"never seen       asked-once: {THREAD}",
        "seen 2026-05-28  ours: scaling#measure",
    ]
    assert len(list(claims.aged(read(ENTRIES).values(), date(2026, 11, 27)))) == 1


def test_the_command_tells_by_its_status_and_refuses_another_folder(
    wheel, monkeypatch, capsys, tmp_path_factory
):
    monkeypatch.setattr(claims, "claims", lambda: read(ENTRIES))
    assert claims.main([str(wheel)]) == 0
    assert claims.main([]) == 0
    (wheel / "tiny_model/models/one.py").write_text("scaling = 1\n")
    assert claims.main([str(wheel)]) == 1
    assert "1 failed" in capsys.readouterr().out
    with pytest.raises(SystemExit):
        claims.main([str(tmp_path_factory.mktemp("empty"))])
    assert "must be one unpacked wheel. Got 0 METADATA files." in capsys.readouterr().err
