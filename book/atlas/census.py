"""Which score changes stand in the model files of transformers, counted by text search.

A pattern that is found says that the idea is in the file, as code or as an option. It says neither
that a known checkpoint switches it on nor that other files lack it. `census.json` has what was
found and is written by `make census`; the picture and the table of the page `scores` show it.
"""

import json
import re
from collections.abc import Iterator
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import Any, NamedTuple

from book.atlas import FOLDER, Use, files_with, rows

STORED = FOLDER / "census.json"
YEARS = ("≤2022", "2023", "2024", "2025", "2026")

COPYRIGHT = re.compile(r"[Cc]opyright (?:\(c\) )?(20\d\d)")
CAUSAL = re.compile(r"class \w+ForCausalLM")


class Idea(NamedTuple):
    """One line of the census."""

    name: str
    sign: str  # in the picture, in letters of the notation
    words: str  # in the table
    row: str
    pattern: str  # in the model's file, each part of an "and" by itself
    and_also: str = ""
    where: str = "model"  # or "configuration", or "both"


IDEAS = (
    Idea(
        *("learned_abs", "x+p", "learned table of places", "absolute"),
        r"(wpe|embed_positions|position_embeddings)\s*=\s*(nn\.Embedding|\w+LearnedPositional)",
    ),
    Idea("alibi", "−m(i−j)", "ALiBi", "alibi", "alibi"),
    Idea("diff", "α−λα", "differential", "differential", "lambda_q1"),
    Idea(
        *("attn_softcap", "c·tanh", "soft cap on the scores", "softcap"),
        *(r"attn_logit_softcapping|softcap=", "tanh"),
    ),
    Idea("rope", "RoPE", "RoPE", "rope", "apply_rotary|rotary_emb"),
    Idea("gqa", "GQA", "the field num_key_value_heads (GQA, MQA)", "gqa", "num_key_value_heads"),
    Idea(
        *("sliding", "i−j<w", "sliding window", "window", "sliding_window"),
        where="configuration",
    ),
    Idea(
        *("qknorm", "q/|q|", "QK-norm", "qknorm_gain"),
        r"self\.(q_norm|qk_norm|q_layernorm|query_layernorm|q_b_norm|q_head_norm)\b",
    ),
    Idea(
        *("outgate", "o·σ", "output gate", "gate"),
        r"attn_output \* (torch\.)?sigmoid|torch\.sigmoid\((self\.)?(gate|g_proj)"
        r"|attn_output = attn_output \* gate|GatedOutputProjection",
    ),
    Idea("mla", "MLA", "latent keys and values (MLA)", "mla", "kv_lora_rank"),
    Idea(
        *("nope", "NoPE", "layers without places (NoPE)", "nope"),
        *("no_rope_layer|NoPE|nope layers|no positional", "", "both"),
    ),
    Idea("sinks", "+e", "learned sink", "learned-sink", r"self\.sinks|sink_proj|s_aux"),
    Idea("topk_index", "top-k", "indexer: a second, cheap score", "indexer", "ndexer"),
    Idea(
        *("temp_by_len", "ln n", "temperature by length or place", "logn"),
        r"log1p|log_scal|SoftmaxScaling|llama_4_scaling|\.log\(\).*position|attn_temperature",
        "floor_scale|log_scaling|SoftmaxScaling|llama_4|attn_temperature",
    ),
    Idea(
        *("linear", "I−βkk", "linear and delta-rule layers", "delta"),
        r"GatedDelta|gated_delta|lightning_attn|LightningAttention|KimiDelta|delta_rule",
    ),
    Idea(
        *("t5bias", "b(i−j)", "learned relative bias (T5’s kind)", "t5"),
        r"relative_(attention|position)_bias|(?s:Inkling.*rel_logits|rel_logits.*Inkling)",
    ),
)

# Read by hand after the search: what stands in the file, and why.
CORRECTIONS = {
    ("gpt_oss", "outgate"): (False, "the sigmoid is in the MLP"),
    ("minimax_m3_vl", "outgate"): (False, "the sigmoid is in the MLP"),
    ("beam", "temp_by_len"): (True, "exp(0.1 log1p((p + 1) / 2048)) on full-attention queries"),
}

# Lines of a new file that look like a change of the score and that no pattern may count.
HINTS = re.compile(
    r"scores? = .*(tanh|relu|sigmoid|log)|attn_weights = .*(tanh|relu|sigmoid)"
    r"|sparsemax|entmax|softmax_off|softmax1|temperature|stick.?break|forget_gate|null_key|logit_cap"
)


@dataclass(frozen=True)
class Census:
    """What was found in one release."""

    release: str
    files: dict[str, dict[str, Any]]  # model: year and ideas
    lines: dict[str, dict[str, int]]  # file: what stands in which line; its year under ""

    def json(self) -> str:
        """As it is stored."""
        return json.dumps(vars(self), indent=1, ensure_ascii=False) + "\n"

    def sizes(self) -> list[int]:
        """How many files a year has."""
        return [len(models) for models in self._by_year()]

    def counts(self, idea: str) -> list[int]:
        """How many files of a year have the idea."""
        return [sum(idea in self.files[name]["ideas"] for name in of) for of in self._by_year()]

    def without_a_year(self) -> int:
        """How many files name none."""
        return sum(not file["year"] for file in self.files.values())

    def place(self, use: Use) -> tuple[int, int]:
        """The line and the year of a use; the year is 0 where the file names none."""
        found = self.lines[use.file]
        return found[use.pattern], found[""]

    def _by_year(self) -> list[list[str]]:
        return [
            [name for name, file in self.files.items() if _years(file["year"]) == year]
            for year in YEARS
        ]


@cache
def stored() -> Census:
    """The census that the page shows."""
    return Census(**json.loads(STORED.read_text(encoding="utf-8")))


def taken(models: Path, release: str) -> Census:
    """Search the model files in `transformers/models`.

    Raises:
        ValueError: A row names a line that is not there, or a search that found nothing does now.
    """
    files = {}
    for path in sorted(models.glob("*/modeling_*.py")):
        text = path.read_text(encoding="utf-8")
        if CAUSAL.search(text):
            configurations = sorted(path.parent.glob("configuration_*.py"))
            configured = "".join(one.read_text(encoding="utf-8") for one in configurations)
            name = path.parent.name
            found = [idea.name for idea in IDEAS if _has(name, idea, text, configured)]
            files[name] = {"year": _year(text), "ideas": found}
    lines: dict[str, dict[str, int]] = {}
    for row in rows():
        for use in row.used_by:
            if use.file:
                text = (models / use.file).read_text(encoding="utf-8")
                line = _line(use.pattern, text)
                if not line:
                    raise ValueError(f"{row.id}: {use.file} has no line with {use.pattern}.")
                lines.setdefault(use.file, {"": _year(text)})[use.pattern] = line
        if row.searched and (found := files_with(row.searched, models)):
            raise ValueError(f"{row.id}: {found[0]} has {row.searched}, which no file should have.")
    return Census(release, files, dict(sorted(lines.items())))


def differences(old: Census, new: Census, models: Path) -> Iterator[str]:
    """What a reader of the counts has to know: models that came and went, and what moved."""
    for name in sorted(new.files.keys() - old.files.keys()):
        yield f"came: {name}: {', '.join(new.files[name]['ideas'])}"
        for path in sorted((models / name).glob("modeling_*.py")):
            for number, line in enumerate(path.read_text(encoding="utf-8").split("\n"), 1):
                if HINTS.search(line):
                    yield f"  read {path.name}:{number}: {line.strip()}"
    for name in sorted(old.files.keys() - new.files.keys()):
        yield f"went: {name}"
    for name in sorted(new.files.keys() & old.files.keys()):
        if old.files[name] != new.files[name]:
            yield f"changed: {name}: {old.files[name]} -> {new.files[name]}"
    for idea in IDEAS:
        before, after = old.counts(idea.name), new.counts(idea.name)
        if before != after:
            yield f"{idea.words}: {before} -> {after}"


def _has(model: str, idea: Idea, text: str, configured: str) -> bool:
    if (model, idea.name) in CORRECTIONS:
        return CORRECTIONS[model, idea.name][0]
    searched = {"model": text, "configuration": configured, "both": configured + text}[idea.where]
    return all(re.search(part, searched) for part in (idea.pattern, idea.and_also))


def _line(pattern: str, text: str) -> int:
    """The number of the first line with a pattern; 0 where there is none."""
    lines = enumerate(text.split("\n"), start=1)
    return next((number for number, line in lines if re.search(pattern, line)), 0)


def _year(text: str) -> int:
    found = COPYRIGHT.search(text)
    return int(found[1]) if found else 0


def _years(year: int) -> str:
    """The column of a year; "" where there is none."""
    return YEARS[0] if 0 < year <= 2022 else str(year or "")
