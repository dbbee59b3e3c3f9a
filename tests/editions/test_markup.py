"""book._tools.markup finds each construct of MyST that the book uses, and nothing else."""

import pytest

from book._tools.markup import parse


def test_labels_come_from_targets_options_and_equations():
    source = (
        "(masked-softmax)=\n# A title\n\n```{math}\n:label: eq-a\nx = 1\n```\n\n"
        "$$y = 2$$ (eq-b)\n\n:::{exercise} A title\n:label: ex-c\nDo it.\n:::"
    )
    assert parse(source).labels == ["eq-a", "eq-b", "ex-c", "masked-softmax"]


def test_structure_is_headings_and_directives_in_order():
    source = "# A\n\n````{note} Title\n```python\nx = 7\n```\n````\n\n### B"
    assert parse(source).structure == ["#", "note", "code python", "###"]


def test_maths_ignores_blanks_closing_punctuation_and_words_in_text():
    english = parse(r"So $a + b$, and $$f(x) = 0 \text{ if empty}.$$")
    chinese = parse(r"因此 $a+b$，且 $$f(x)=0 \text{ 若为空}。$$")
    assert english.maths == chinese.maths == ["a+b", r"f(x)=0\text{}"]


def test_maths_that_differs_differs():
    assert parse("$a + b$").maths != parse("$a - b$").maths


def test_dollars_in_code_are_not_maths():
    assert parse("`$HOME` and `$PATH`").maths == []


def test_references_are_targets_not_titles():
    source = "{ref}`words <a-label>`, {eq}`eq-b`, {cite:p}`one2017, two2015`, {cite:t}`two2015`"
    assert parse(source).references == [
        "cite one2017",
        "cite two2015",
        "cite two2015",
        "eq eq-b",
        "ref a-label",
    ]


def test_claims_stand_in_their_order_and_leave_no_trace_in_the_prose():
    markup = parse("It is 1.{claim}`b-1`{claim}`a-2` 它是 1。{claim}`c`下一句")
    assert markup.claims == ["b-1", "a-2", "c"]
    assert markup.references == []
    assert markup.numbers == {"1"}
    assert markup.prose == "It is 1. 它是 1。下一句"


def test_roles_that_point_nowhere_hold_words():
    markup = parse("{kbd}`Tab`, {math}`x + 1` and {code}`3`")
    assert markup.references == []
    assert markup.maths == ["x+1"]
    assert markup.prose.split() == ["Tab,", "and", "3"]


def test_solutions_refer_to_their_exercise():
    assert parse("```{solution} ex-a\n:class: dropdown\nYes.\n```").references == ["ex-a"]


def test_links_of_every_form():
    source = (
        "[a [nested] title](page.md) ![alt 5](pic.png) <https://a.example/x> "
        '<a href="b.html">b</a>\n\n```{figure} c.svg\n:alt: words\nCaption.\n```'
    )
    markup = parse(source)
    assert markup.links == ["b.html", "c.svg", "https://a.example/x", "page.md", "pic.png"]
    assert markup.numbers == {"5"}


@pytest.mark.parametrize("label", ["Bằng tiếng Việt:", "한국어 자료:", "中文资料："])
def test_reading_in_an_edition_s_own_language_is_compared_with_nothing(label):
    markup = parse(f"See [one](a.md).\n\n**{label}** [part 7](https://a.example/7) on 8 heads.")
    assert (markup.links, markup.numbers) == (["a.md"], set())
    assert parse("**Bằng:** [b](b.md) 8").links == ["b.md"]


def test_long_numbers_in_formulas_are_the_same_number():
    assert parse("$40 = 102{,}400$").maths == parse("$40 = 102\\,400$").maths == ["40=102400"]
    assert parse("$4{,}5$").maths == ["4{,}5"]


def test_prose_holds_no_code_maths_or_options():
    source = "```{note} Title\n:class: dropdown\nWords $x$ `code` {ref}`said <t>` end.\n```\n% gone"
    assert parse(source).prose.split() == ["Title", "Words", "said", "end."]


def test_literal_blocks_are_not_prose():
    markup = parse("```{code-block} python\n:name: lst\nx = 12\n```\n\n```python\ny = 13\n```\nend")
    assert markup.prose.split() == ["end"]
    assert markup.labels == ["lst"]
    assert markup.numbers == set()


def test_numbers_are_the_same_in_every_script():
    assert parse("0.5, −1e6, 12 and D2L").numbers == {"0.5", "1e6", "12"}
    assert parse("0,5 và −1e6, 12").numbers == {"0.5", "1e6", "12"}
    assert parse("０.５、−1e6、第１２章").numbers == {"0.5", "1e6", "12"}


@pytest.mark.parametrize(
    "text", ["2,048 of 33,554,432", "2048 / 33\u2009554\u2009432", "2048, 33\u202f554\u202f432"]
)
def test_digits_may_stand_in_threes(text):
    assert parse(text).numbers == {"2048", "33554432"}


def test_ten_thousands_are_the_same_number():
    assert parse("1万个，12.2万个").numbers == parse("10,000 and 122,000").numbers
