"""What a cell prints speaks the reader's language; what it computes is the same in all of them."""

import re

import pytest

from book._tools.editions import printed
from book._tools.editions.check import compare
from book._tools.editions.read import Cell, State, source_hash, state

ENGLISH = """\
rows = {"kernel": 0.5, "dot": 2}
for name in rows:
    print(f"{name:8} mean {rows[name]:.2f} of 4", end=" (kept)\\n")
print("two keys" if rows else "none", attn_lib.measure("keys"), *(f"row {n}" for n in rows))
"""
KOREAN = (
    ENGLISH.replace("mean ", "평균 ")
    .replace(" of 4", " / 4")
    .replace("(kept)", "(남김)")
    .replace('"two keys" if', '"키 2개" if')
    .replace('"none"', '"없음"')
    .replace('f"row {n}"', 'f"{n}행"')
)


def found(source, english=ENGLISH, language="ko"):
    english, own = Cell("sum", "code", english), Cell("sum", "code", source)
    return [finding.rule for finding in compare([english], [own], language)]


def test_what_is_printed_may_be_said_in_another_language():
    assert found(ENGLISH) == found(KOREAN) == []
    assert not re.search("mean|kept|none|row ", KOREAN)


@pytest.mark.parametrize(
    ("old", "new", "rule"),
    [
        ("{rows[name]:.2f}", "{rows[name] * 2:.2f}", "code"),  # the expression in an f-string
        (":.2f}", ":.3f}", "code"),
        ("{name:8}", "{name!r:8}", "code"),
        ("{name:8} 평균 {rows[name]:.2f}", "{rows[name]:.2f} 평균 {name:8}", "code"),
        ('{"kernel": 0.5', '{"커널": 0.5', "code"),
        ('measure("keys")', 'measure("키")', "code"),
        ('"없음"', '""', "code"),
        ('if rows else "없음"', 'if not rows else "없음"', "code"),
        (", end=", ", file=", "code"),
        (" / 4", " / 5", "numbers"),
        (" / 4", "", "numbers"),
        ('"키 2개" if', '"키 3개" if', "numbers"),
        ("(남김)", "(1개 남김)", "numbers"),
    ],
)
def test_a_planted_fault_is_found(old, new, rule):
    assert old in KOREAN
    assert found(KOREAN.replace(old, new)) == [rule]


def test_a_ruled_out_term_is_found_in_what_is_printed():
    assert found(KOREAN.replace("평균", "주의력")) == ["terms"]


@pytest.mark.parametrize(
    ("english", "own"),
    [
        ('print(f"{a:.2f} of {b}")', 'print(f"{b} of {a:.2f}")'),
        ('print(d["key"])', 'print(d["khóa"])'),
        ('print(d.get("key"))', 'print(d.get("khóa"))'),
        ('print(name == "key")', 'print(name == "khóa")'),
        ('print("%d keys" % 3)', 'print("%d khóa" % 3)'),
        ('log("key")', 'log("khóa")'),
        ('print("key", file=files["key"])', 'print("khóa", file=files["khóa"])'),
    ],
)
def test_a_string_that_is_not_shown_as_it_stands_belongs_to_the_program(english, own):
    assert found(own, english, "vi") == ["code"]


@pytest.mark.parametrize(
    ("source", "labels"),
    [
        ('for n in ("mean", "sum"):\n    print(f"{n:8}", 1)', ["mean", "sum"]),
        ('for n, x in {"mean": 1, "sum": f("a")}.items():\n    print(n, x)', ["mean", "sum"]),
        ('both = {"mean": 1}\nfor n, x in both.items():\n    print(n, x)', ["mean"]),
        ('for k, n in (("m", "mean"), ("s", "sum")):\n    print(n, f(k))', ["mean", "sum"]),
        (
            'names = "mean", "sum"\nfor k, n in zip("ms", names):\n    print(n, f(k))',
            ["mean", "sum"],
        ),
        # Used, or printed as something else than it is: it belongs to the program.
        ('for n in ("mean", "sum"):\n    print(n, f(n))', []),
        ('for n in ("mean", "sum"):\n    print(n.upper())', []),
        ('both = {"mean": 1}\nfor n in both:\n    print(n, both[n])', []),
        ('names = "mean", "sum"\nfor n in names:\n    print(n)\nf(names)', []),
        ('for n in ("mean", 2, ""):\n    pass', []),
    ],
)
def test_a_label_is_a_text(source, labels):
    found = [call.texts for call in printed.calls(source) if not call.source.startswith("print")]
    assert found == [((label,),) for label in labels]


def test_a_label_may_be_said_in_another_language():
    english = 'for name, x in {"mean": 1, "of 9": 2}.items():\n    print(f"{name:8} {x}")'
    korean = english.replace("mean", "평균").replace("of 9", "9 가운데")
    assert found(korean, english) == []
    assert found(korean.replace("9 ", "8 "), english) == ["numbers"]
    assert printed.dictionary(english, korean) == {"mean": "평균", "of 9": "9 가운데"}
    assert printed.exchanged(english, {0: '"평균"'}) == english.replace("mean", "평균")


@pytest.mark.parametrize(
    ("source", "texts"),
    [
        ('print("a" + f"b {x} c")', [("a",), ("b ", " c")]),
        ("print(f\"{name or 'full'} rank\")", [("", " rank"), ("full",)]),
        ('print(f"{x:{width}.2f}")', [("", "")]),
        ('print("-" * 9, sep=", ")', [("-",), (", ",)]),
        ('print([f"x {n}" for n in y])', [("x ", "")]),
        ('print(print("inner"))', []),
        ("print(1)", []),
        ('print("a"', None),
    ],
)
def test_the_texts_of_a_call(source, texts):
    found = [list(call.texts) for call in printed.calls(source)]
    assert found == ([] if texts is None else [texts])


@pytest.mark.parametrize("word", ["of", "mean", "Rows", "쪽", "số"])
def test_a_word(word):
    assert printed.has_words(f'print(f"{word} {{x}}")')


@pytest.mark.parametrize("name", ["d =", "T1", "MiB", "NaN", "λ", "->", "need_weights="])
def test_a_name_or_a_unit_is_no_word(name):
    assert not printed.has_words(f'print(f"{name} {{x}}")')


def test_the_texts_of_a_cell_are_a_passage():
    english, korean = Cell("sum", "code", ENGLISH), Cell("sum", "code", KOREAN)
    assert state(english, english) is State.UNTRANSLATED
    assert state(english, korean) is State.STALE, "nobody has said what it was made from"
    stamped = Cell("sum", "code", KOREAN, source_hash(english.passage))
    assert state(english, stamped) is State.FRESH
    for old, new in (("mean", "sum"), (":.2f", ":.3f")):
        changed = Cell("sum", "code", ENGLISH.replace(old, new))
        assert state(changed, stamped) is State.STALE
    assert state(Cell("sum", "code", "print(f'd = {d}')"), korean) is State.FRESH


def test_calls_are_exchanged_where_they_stand():
    source = 'x = "ü"; print("một"); print(x)\nif x:\n    print(\n        "hai"\n    )\n'
    assert printed.exchanged(source, {0: "print(1)", 2: "print(2)"}) == (
        'x = "ü"; print(1); print(x)\nif x:\n    print(2)\n'
    )


@pytest.mark.parametrize(
    ("english", "own", "pieces"),
    [
        (
            'print(f"mean {x}, of 4")',
            'print(f"평균 {x}, / 4")',
            {"mean ": "평균 ", ", of 4": ", / 4"},
        ),
        ('print(f"mean {x}")', 'print(f"{x} 평균")', None),
        ('print("key")\nprint("key")', 'print("키")\nprint("열쇠")', None),
        ("print(1)", "print(1)", {}),
    ],
)
def test_the_pieces_that_an_output_is_translated_by(english, own, pieces):
    assert printed.dictionary(english, own) == pieces
