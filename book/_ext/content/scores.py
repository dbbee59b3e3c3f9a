"""`{scores}` and `{census}`: the page `scores`, written from the rows in `book/atlas`.

A row is a section with its name, its formula and what it ignores, and a closed box with the rest.
All of it stands in the page, so that it is found without a script; `book/_static/scores.js` shows
the form above the rows, by which a reader chooses some of them. What a language has not translated
stands in English and says so.
"""

import html
from collections.abc import Callable, Iterable, Iterator

from docutils import nodes
from sphinx.application import Sphinx
from sphinx.util.docutils import SphinxDirective

from book import atlas
from book._ext.content.folds import fold
from book._ext.editions.catalogues import words
from book._ext.editions.languages import BOOK, edition_of
from book.atlas import CHANGES, COSTS, KINDS, SUMS, Row, census
from book.atlas.census import labels

DOMAIN = "atlas"
# Words that readers look for and that name no score: what they are, and the pages and rows they
# lead to. Names are the same in all languages.
ELSEWHERE = (
    (
        "FlashAttention, flash decoding, FlexAttention, online softmax",
        "ways to compute these scores block by block; the weights stay what they are",
        ("fast-attention",),
    ),
    (
        "KV cache, paged attention, PagedAttention",
        "keys and values of earlier tokens, kept; some rows make them fewer or smaller",
        ("shared-keys", "gqa", "mla", "compressed", "window"),
    ),
    (
        "Mamba, SSM, RWKV, RetNet",
        "a memory of fixed size and no score between two tokens; the nearest rows",
        ("linear", "delta"),
    ),
    (
        "self-attention, cross-attention",
        "where queries and keys come from; every row can serve both",
        ("queries-keys-values",),
    ),
    (
        "MHA, multi-head attention",
        "several scores side by side, each with features of its own",
        ("multi-head-attention",),
    ),
    (
        "causal mask, padding mask, attention mask",
        "which keys count at all; it goes before the softmax of every row",
        ("masked-softmax",),
    ),
    (
        "temperature of a chat model",
        "it divides the scores of candidate words, not those of keys",
        ("queries-keys-values",),
    ),
)

LABEL = "score-"  # {ref}`score-alibi` leads to the row


class AtlasDirective(SphinxDirective):
    """What both directives share: the words of the edition and what they are made from."""

    def setup(self) -> None:
        """Find the edition's words, and write again when the atlas changes."""
        edition = edition_of(self.config.attn_edition)
        self.say: Callable[[str], str] = words(edition, DOMAIN)
        catalogue = BOOK / "_locale" / edition.code / "LC_MESSAGES" / f"{DOMAIN}.po"
        made_from = [*map(atlas.path, KINDS), census.STORED, labels.STORED, BOOK / "_toc.yml"]
        for path in (*made_from, *[catalogue] * catalogue.exists()):
            self.env.note_dependency(str(path))

    def text(self, english: str, tag: type[nodes.TextElement] = nodes.inline) -> nodes.TextElement:
        """A sentence of a row; in English, and marked so, where the edition has no other."""
        said = self.say(english)
        untranslated = said == english and self.config.attn_edition != "en"
        return tag("", said, classes=["language-en"] * untranslated)

    def inline(self, markdown: str) -> list[nodes.Node]:
        """Links and citations."""
        parsed, messages = self.state.inline_text(markdown, self.lineno)
        return [*parsed, *messages]


class ScoresDirective(AtlasDirective):
    """All rows, kind by kind."""

    def run(self) -> list[nodes.Node]:
        """Write a section for each kind, and the form that chooses among the rows."""
        self.setup()
        return [self.form(), *(self.kind(name) for name in KINDS), self.elsewhere()]

    def form(self) -> nodes.raw:
        """The form; it is hidden until a script can answer it."""
        say = self.say
        years = ["", *dict.fromkeys(_decade(row.year) for row in _by_year())]
        fields = [
            _field(
                say("Words"),
                f'<input type="search" name="words" placeholder="{say("rope, sink, gemma …")}">',
            ),
            _field(say("Kind"), _select("kind", [("", say("all"))], _said(KINDS, say))),
            _field(
                say("Years"),
                _select("years", [("", say("all"))], [(year, year) for year in years[1:]]),
            ),
            _field(
                say("The weights survive"),
                _select("survives", [("", say("anything"))], _said(CHANGES, say)),
            ),
        ]
        return nodes.raw(
            "",
            f'<form class="attn-choose-scores" hidden data-pagefind-ignore="all">{"".join(fields)}'
            f'<button type="reset">{say("All rows")}</button>'
            f'<output data-count="{html.escape(say("{count} of {all} rows"))}"></output></form>',
            format="html",
        )

    def kind(self, name: str) -> nodes.section:
        """The section of a kind."""
        title = nodes.title("", self.say(KINDS[name]))
        section = nodes.section("", title, ids=[name], classes=["attn-kind"])
        section.extend(self.row(row) for row in atlas.rows() if row.kind == name)
        return section

    def row(self, row: Row) -> nodes.section:
        """The section of a row."""
        section = nodes.section("", ids=[row.id], names=[LABEL + row.id], classes=["attn-score"])
        self.state.document.note_explicit_target(section, section)
        section += self.text(row.name, nodes.title)
        line = nodes.paragraph("", classes=["attn-score-line"])
        line += nodes.inline("", str(row.year), classes=["attn-year"])
        line += nodes.Text(f" · {self.say('Ignores:')} ")
        line += self.text(row.ignores)
        take = nodes.paragraph("", f"{self.say('Take it:')} ", classes=["attn-score-line"])
        take += self.text(row.take)
        formula = nodes.math_block(row.formula, row.formula, nowrap=False, number=None)
        formula["classes"].append("attn-score-formula")
        section.extend([line, take, formula, self.box(row)])
        return section

    def box(self, row: Row) -> nodes.Element:
        """What stands behind the line that opens it."""
        box = fold([nodes.Text(self.say("Code, cost, source, users"))], ["attn-score-more"])
        box += self.text(row.fact, nodes.paragraph)
        box[-1]["classes"].append("attn-score-fact")
        code = "\n".join(filter(None, [row.given, row.code]))
        if row.library:
            code += f"\n\n# {self.say('the same by attn_lib, in a batch of one')}\n{row.library}"
        box += nodes.literal_block(code, code, language="python")
        box += _list(self.entries(row))
        return box

    def entries(self, row: Row) -> Iterator[tuple[str, list[nodes.Node]]]:
        """The names of the facts about a row, and the facts."""
        say = self.say
        yield say("Range of the score or weight"), [self.text(row.range)]
        total = say(SUMS[row.sum]) + say(", and some are negative") * row.negative
        yield say("The weights of a query sum to"), [nodes.Text(total)]
        yield say("What leaves the weights as they are"), [self.changes(row)]
        yield say("Cost"), list(self.costs(row))
        yield say("Who uses it"), self.users(row)
        cited = [f"{{cite:t}}`{key}`" for key in row.sources]
        first = [f"{say('First source:')} ", cited[0]]
        source = self.inline("".join(first) + "".join(f", {one}" for one in cited[1:]) + ".")
        if row.source_note:
            source += [nodes.Text(" "), self.text(row.source_note)]
        if row.claims:
            source += self.inline("".join(f"{{claim}}`{name}`" for name in row.claims))
        yield say("Source"), source
        if row.wrong:
            link = nodes.reference("", "", self.text(row.wrong), refuri=row.thread, internal=False)
            yield say("How it went wrong"), [link]
        if row.note:
            yield say("Mind"), [self.text(row.note)]
        yield say("Also called"), [nodes.Text(say(row.other_names))]
        if chapters := [name for name in row.chapters if name in self.env.found_docs]:
            links = " · ".join(f"{{doc}}`{name}`" for name in chapters)
            yield say("Chapter"), self.inline(links)

    def changes(self, row: Row) -> nodes.bullet_list:
        """What it survives, and what it does not; a script reads the classes."""
        changes = nodes.bullet_list("", classes=["attn-changes"])
        for change, said in CHANGES.items():
            if change in row.meaningless:
                continue
            holds = change in row.survives
            verdict = f"✓ {self.say(said)}" if holds else f"✗ {self.say(said)}"
            classes = [f"survives-{change}"] if holds else ["attn-fails"]
            item = nodes.list_item("", nodes.paragraph("", verdict), classes=classes)
            changes += item
        return changes

    def costs(self, row: Row) -> Iterator[nodes.Node]:
        """The costs in letters, and how they compare with those of the dot product."""
        costs = (f"{self.say(said)}: {_product(row.cost[what])}" for what, said in COSTS.items())
        yield nodes.Text("; ".join(costs) + ". ")
        said = self.say(
            "Compared with the dot product at 1,024 queries and keys of 64 entries: products "
            "× {products}, largest tensor × {largest}."
        )
        times = {what: _times(row.times(what)) for what in ("products", "largest")}
        yield nodes.Text(said.format(**times))

    def users(self, row: Row) -> list[nodes.Node]:
        """Models, each with the line that says so; or what a search found, if one was made."""
        counted = census.stored()
        said: list[nodes.Node] = []
        for use in row.used_by:
            if said:
                said.append(nodes.Text("; "))
            said.append(self.text(use.model))
            if use.file:
                line, year = counted.place(use)
                where = f"{use.file.removeprefix('../')}:{line}"
                said += [nodes.Text(" "), nodes.literal("", where)]
                said.append(nodes.Text(f" ({year})" if year else ""))
        if not any(use.file for use in row.used_by):
            said += [nodes.Text("; ")] * bool(said)
            said += self.unfound(row.searched, counted.release)
        return [*said, nodes.Text(".")]

    def unfound(self, pattern: str, release: str) -> list[nodes.Node]:
        """That no model file has a pattern; where nothing was searched for, that."""
        if not pattern:
            return [nodes.Text(self.say("model files not searched"))]
        said = self.say("in no model file of {release}: a search for {pattern} finds none")
        before, after = said.format(release=release, pattern="\0").split("\0")
        return [nodes.Text(before), nodes.literal("", pattern), nodes.Text(after)]

    def elsewhere(self) -> nodes.section:
        """Words that readers look for here and that name no score, each with where it leads."""
        title = nodes.title("", self.say("Looked for here, and no score"))
        section = nodes.section("", title, ids=["elsewhere"])
        items = nodes.bullet_list("", classes=["attn-elsewhere"])
        for names, sentence, targets in ELSEWHERE:
            said: list[nodes.Node] = [nodes.strong("", names), nodes.Text(": ")]
            said += [self.text(sentence), nodes.Text(" → ")]
            for number, target in enumerate(targets):
                said += [nodes.Text(" · ")] * bool(number)
                said += self.to(target)
            items += nodes.list_item("", nodes.paragraph("", "", *said))
        section += items
        return section

    def to(self, target: str) -> list[nodes.Node]:
        """A link to a chapter, or to a row of this page."""
        named = {row.id: row.name for row in atlas.rows()}
        if target not in named:
            return self.inline(f"{{doc}}`{target}`")
        return [
            nodes.reference("", "", self.text(named[target]), internal=True, refuri=f"#{target}")
        ]


class CensusDirective(AtlasDirective):
    """The counts of the picture as a table, and how right they are, in closed boxes."""

    def run(self) -> list[nodes.Node]:
        """Write the tables."""
        self.setup()
        counted = census.stored()
        sizes = counted.sizes()
        head = [nodes.Text(self.say("Idea"))]
        head += [nodes.Text(f"{year}: {n}") for year, n in zip(census.YEARS, sizes, strict=True)]
        table = _table(head, (self.line(idea, counted) for idea in census.IDEAS))
        box = fold([nodes.Text(self.say("The same as a table, in words and counts"))], [])
        box += table
        return [box, self.agreement(counted)]

    def agreement(self, counted: census.Census) -> nodes.Element:
        """Precision and recall of each line, against files that somebody has read."""
        say = self.say
        parts = labels.parts(labels.labels(), labels.after())
        said = {
            "known": say("known while the rules were made: {files}"),
            "aside": say("kept aside: {files}"),
            "after": say("read afterwards: {files}"),
        }
        head = [say("Idea"), *(said[part].format(files=len(parts[part])) for part in labels.PARTS)]
        named = {labels.COUNTED: say("the file counts")}
        named |= {idea.name: say(idea.words) for idea in census.IDEAS}
        lines = (
            [name, *(_precision(counted.checked[part][question]) for part in labels.PARTS)]
            for question, name in named.items()
        )
        table = _table(_texts(head), map(_texts, lines))
        title = say("How often the program agrees with a reader: precision, recall")
        box = fold([nodes.Text(title)], [])
        box += table
        return box

    def line(self, idea: census.Idea, counted: census.Census) -> list[nodes.Node]:
        """One line of the table: the idea, which leads to its row, and its counts."""
        name = nodes.Text(self.say(idea.words))
        link = nodes.reference("", "", name, internal=True, refuri=f"#{idea.row}")
        return [link, *(nodes.Text(str(count)) for count in counted.counts(idea.name))]


def phrases() -> set[str]:
    """All English texts that an edition translates, those of this module apart."""
    texts = {sentence for row in atlas.rows() for sentence in (*row.sentences(), row.other_names)}
    texts |= {idea.words for idea in census.IDEAS} | {sentence for _, sentence, _ in ELSEWHERE}
    for named in (KINDS, CHANGES, SUMS, COSTS):
        texts |= set(named.values())
    return texts


def _texts(words: Iterable[str]) -> list[nodes.Node]:
    return [nodes.Text(one) for one in words]


def _precision(counts: list[int]) -> str:
    """Of what was found how much is there, and of what is there how much was found."""
    right, wrong, missed = counts
    both = ((right, right + wrong), (right, right + missed))
    return ", ".join(f"{part}/{whole}" if whole else "–" for part, whole in both)


def _by_year() -> list[Row]:
    return sorted(atlas.rows(), key=lambda row: row.year)


def _decade(year: int) -> str:
    """The span of years that a reader can choose."""
    for last, span in ((2013, "1964–2013"), (2016, "2014–2016"), (2019, "2017–2019")):
        if year <= last:
            return span
    return "2020–2022" if year <= 2022 else "2023–2026"


def _said(named: dict[str, str], say: Callable[[str], str]) -> list[tuple[str, str]]:
    return [(name, say(words)) for name, words in named.items()]


def _field(label: str, control: str) -> str:
    return f"<label>{html.escape(label)} {control}</label>"


def _select(name: str, *options: Iterable[tuple[str, str]]) -> str:
    said = "".join(
        f'<option value="{html.escape(value)}">{html.escape(text)}</option>'
        for several in options
        for value, text in several
    )
    return f'<select name="{name}">{said}</select>'


def _product(cost: str) -> str:
    """A cost as a reader writes it: Q·K·d."""
    return cost.replace("*", "·").replace("feat", "m")


def _times(ratio: float) -> str:
    places = 0 if ratio >= 9.95 else 1 if ratio >= 1.05 else 2
    text = f"{ratio:.{places}f}"
    return text.rstrip("0").rstrip(".") if "." in text else text


def _list(entries: Iterable[tuple[str, list[nodes.Node]]]) -> nodes.definition_list:
    items = nodes.definition_list("", classes=["attn-score-facts"])
    for term, said in entries:
        block = said if isinstance(said[0], nodes.bullet_list) else [nodes.paragraph("", "", *said)]
        definition = nodes.definition("", *block)
        items += nodes.definition_list_item("", nodes.term("", term), definition)
    return items


def _table(head: list[nodes.Node], lines: Iterable[list[nodes.Node]]) -> nodes.table:
    group = nodes.tgroup("", cols=len(head))
    group.extend(nodes.colspec("", colwidth=1) for _ in head)
    group += nodes.thead("", _line(head))
    group += nodes.tbody("", *map(_line, lines))
    return nodes.table("", group, classes=["attn-census"])


def _line(cells: list[nodes.Node]) -> nodes.row:
    row = nodes.row("")
    for number, cell in enumerate(cells):
        classes = ["text-right"] * bool(number)
        row += nodes.entry("", nodes.paragraph("", "", cell), classes=classes)
    return row


def setup(app: Sphinx) -> None:
    """Name the directives."""
    app.add_directive("scores", ScoresDirective)
    app.add_directive("census", CensusDirective)
