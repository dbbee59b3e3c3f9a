"""What the table of voices counts, on a chapter short enough to count by hand."""

import pytest

from book._tools.voice import Voice, count, plain, read, sentences, table

CHAPTER = [
    """(a-lookup)=
# Which key fits?

We've lost a word, because nobody kept it. It's gone.

:::{admonition} The question
:class: question
What is lost?

**You need** nothing · **Time** about 5 minutes
:::
""",
    """## What now

But you can look it up: see {doc}`scaling <scaling>` and {cite:p}`vaswani2017`.{claim}`a-paper`
The weight is $w = 0.5$ or `0.25`, a third. Does it fit?

$$w = 1$$ (eq-w)

| a | b |
|:--|:--|

```{math}
x
```

- So it is.
- Then 1.5 of it.
""",
    """:::{admonition} A hint
:class: dropdown
Three words here.
:::

### For the curious: a history

Four words stand here.

#### Still closed

Two words.

## Open again

```{exercise} An exercise
:label: ex-a

Do not count this.
```
""",
    "```{solution-start} ex-a\n:class: dropdown\n```\n\nNor this sentence.",
    "More of it.\n\n```{solution-end}\n```\n\n![Nor this one.](a.svg)\n\nThat is all, folks.",
]


def test_a_chapter_counted_by_hand():
    # We've ... it (8) · It's gone (2) · What is lost (3) · You need ... 5 minutes (7) ·
    # But you ... and (9) · The weight is X or X, a third (8) · Does it fit (3) ·
    # So it is (3) · Then 1_5 of it (4) · That is all, folks (4)
    assert count("a-lookup", CHAPTER) == Voice(
        page="a-lookup",
        words=51,
        boxes=9,  # 3 + 4 + 2
        mean=5.1,
        you=pytest.approx(1000 * 3 / 51),  # We, You, you
        contractions=pytest.approx(1000 * 2 / 51),
        long=0.0,
        short=70.0,
        colons=pytest.approx(1000 / 51),
        links=pytest.approx(1000 / 51),
        hinged=0.0,
        questions=2,  # a heading and one sentence; not the one in the box
        pointing=1,
        joining=pytest.approx(1000 * 3 / 51),
    )


def test_the_main_line_and_its_headings():
    lines = read(CHAPTER)
    assert lines.headings == ["# Which key fits?", "## What now", "## Open again"]
    assert [line for line in lines.boxes if line] == [
        "Three words here.",
        "Four words stand here.",
        "Two words.",
    ]


@pytest.mark.parametrize(
    ("text", "plain_text"),
    [
        ("**Bold** and *italic*, [a link](x.md)", "Bold and italic, a link"),
        ("{doc}`scaling`, {eq}`eq-a`", "X, X"),
        ("{doc}`the root <scaling>`", "the root"),
        ("`print(x)` gives $x^2$", "X gives X"),
        ("you’re", "you're"),
    ],
)
def test_markup_is_no_word(text, plain_text):
    assert plain(text) == plain_text


@pytest.mark.parametrize(
    ("text", "number"),
    [
        ("One thing. Another thing.", 2),
        ("It is 0.5 or 1,000.", 1),
        ("This vs. That thing.", 1),
        ('He said "Why not?" Then he left.', 2),
        ("It grows. x is small.", 1),
        ("Two\nlines.\n\nA paragraph.", 2),
        ("Alone.", 0),
    ],
)
def test_sentences(text, number):
    assert len(sentences(text)) == number


def test_long_sentences_and_two_hinges():
    long = "A " + "very " * 30 + "long one, which ends because it must."
    voice = count("a", [f"{long}\n\nA short one."])
    assert (voice.long, voice.short, voice.hinged) == (50.0, 50.0, 50.0)


def test_a_page_without_prose_has_a_row():
    lines = table([count("empty", []), count("a-lookup", CHAPTER)]).splitlines()
    assert [line.split()[0] for line in lines] == ["page", "aim", "empty", "a-lookup"]
    assert lines[3].split()[1:4] == ["51", "9", "5.1"]
