"""The ledger of claims, `claims.yml`: what the pages say about the world, and what proves it.

A sentence about a model, a release, a paper, somebody's code or a motive has an entry: the
statement in one line (`says`), the pages that make it, the day on which somebody saw the evidence
(`seen`, null where nobody has), and evidence of one kind:

- `release`, `file` and `pattern`: a regular expression that is found in the files of a release,
  such as `transformers 5.24.0`, or, with `absent: true`, in none of them. The path is one inside
  the package and may have stars;
- `paper` and `where`: a key of `references.bib`, and the place in it;
- `thread`: the address of an issue, a pull request, a commit, a file or a page;
- `measured`: `page#cell`, a code cell of ours, or the path of a script of ours.

The sentence points to its entry by the role `` {claim}`its-id` ``, or by a link to its thread.
"""

import re
from collections.abc import Hashable, Mapping
from dataclasses import dataclass
from datetime import date
from functools import cache
from pathlib import Path
from typing import Any

import yaml

LEDGER = Path(__file__).with_name("claims.yml")

# The fields of each kind of evidence; its name is the first.
KINDS = {
    "release": ("release", "file", "pattern"),
    "paper": ("paper", "where"),
    "thread": ("thread",),
    "measured": ("measured",),
}
OPTIONAL = {"release": ("absent",)}
COMMON = ("says", "pages", "seen")

ID = re.compile(r"[a-z0-9]+(?:-[a-z0-9]+)*")
FORMS = {
    "release": (re.compile(r"[\w.-]+ [\w.]+"), "a name and a version, such as 'torch 2.13.0'"),
    "file": (re.compile(r"[\w.*-]+(?:/[\w.*-]+)*"), "a path inside the package"),
    "paper": (re.compile(r"[a-z0-9]+"), "a key of references.bib"),
    "thread": (re.compile(r"https://\S+"), "an address that begins with https://"),
    "measured": (
        re.compile(r"[a-z0-9-]+#[a-z0-9-]+|[\w.-]+(?:/[\w.-]+)+"),
        "page#cell or the path of a script",
    ),
}

# Where the files of a release can be read. Of all others the page of the package is shown.
REPOSITORIES = {
    "transformers": "https://github.com/huggingface/transformers/blob/v{version}/src/transformers/",
    "torch": "https://github.com/pytorch/pytorch/blob/v{version}/torch/",
    "vllm": "https://github.com/vllm-project/vllm/blob/v{version}/vllm/",
    "timm": "https://github.com/huggingface/pytorch-image-models/blob/v{version}/timm/",
    "keras": "https://github.com/keras-team/keras/blob/v{version}/keras/",
}


@dataclass(frozen=True)
class Claim:
    """One entry."""

    id: str
    says: str
    pages: tuple[str, ...]
    seen: date | None
    release: str = ""
    file: str = ""
    pattern: str = ""
    absent: bool = False
    paper: str = ""
    where: str = ""
    thread: str = ""
    measured: str = ""

    @property
    def kind(self) -> str:
        """The kind of its evidence."""
        return next(kind for kind in KINDS if getattr(self, kind))

    @property
    def source(self) -> str:
        """The address of a release's file, where it can be read, or of the release."""
        name, version = self.release.split()
        if name not in REPOSITORIES or "*" in self.file:
            return f"https://pypi.org/project/{name}/{version}/"
        return REPOSITORIES[name].format(version=version) + self.file


class _Unique(yaml.CSafeLoader):
    """YAML in which no name stands twice; the package would take the last one."""

    def construct_mapping(self, node: yaml.MappingNode, deep: bool = False) -> dict[Hashable, Any]:
        names = [self.construct_object(key, deep=True) for key, _ in node.value]
        for name in names:
            if names.count(name) > 1:
                raise ValueError(f"{name} must stand there once. Got {names.count(name)} of it.")
        return super().construct_mapping(node, deep)


@cache
def claims() -> dict[str, Claim]:
    """The entries of the book, by id."""
    return read(LEDGER.read_text(encoding="utf-8"))


def read(text: str) -> dict[str, Claim]:
    """The entries of a ledger, by id.

    Raises:
        ValueError: An entry is not as it must be; the message names it and the field.
    """
    entries = yaml.load(text, _Unique) or {}
    return {name: _claim(name, entry) for name, entry in entries.items()}


def _claim(name: object, entry: object) -> Claim:
    if not (isinstance(name, str) and ID.fullmatch(name)):
        raise ValueError(f"{name}: an id must be small letters and digits, joined by hyphens.")
    if not isinstance(entry, Mapping):
        raise ValueError(f"{name}: an entry must have fields. Got {entry!r}.")
    kinds = [kind for kind in KINDS if kind in entry]
    if len(kinds) != 1:
        found = " and ".join(kinds) or "none"
        raise ValueError(f"{name}: evidence must be one of {', '.join(KINDS)}. Got {found}.")
    (kind,) = kinds
    known = (*COMMON, *KINDS[kind], *OPTIONAL.get(kind, ()))
    for field in entry:
        if field not in known:
            raise ValueError(f"{name}: {field} is no field beside {kind}; there are {known}.")
    for field in (*COMMON, *KINDS[kind]):
        if field not in entry:
            raise ValueError(f"{name}: {field} is missing.")
    _check_common(name, entry)
    for field in KINDS[kind]:
        _check_text(name, field, entry[field])
    if not isinstance(entry.get("absent", False), bool):
        raise ValueError(f"{name}: absent must be true or false. Got {entry['absent']!r}.")
    return Claim(id=name, **{**entry, "pages": tuple(entry["pages"])})


def _check_common(name: str, entry: Mapping[str, Any]) -> None:
    _check_text(name, "says", entry["says"])
    pages, seen = entry["pages"], entry["seen"]
    if not (isinstance(pages, list) and pages and all(isinstance(page, str) for page in pages)):
        raise ValueError(f"{name}: pages must be a list of pages. Got {pages!r}.")
    if len(set(pages)) < len(pages):
        raise ValueError(f"{name}: pages must name each page once. Got {pages!r}.")
    if seen is not None and type(seen) is not date:
        raise ValueError(f"{name}: seen must be a day such as 2026-11-28, or null. Got {seen!r}.")


def _check_text(name: str, field: str, value: object) -> None:
    if not isinstance(value, str) or not value.strip() or "\n" in value:
        raise ValueError(f"{name}: {field} must be one line of text. Got {value!r}.")
    form, said = FORMS.get(field, (None, ""))
    if form and not form.fullmatch(value):
        raise ValueError(f"{name}: {field} must be {said}. Got {value!r}.")
    if field == "pattern":
        try:
            re.compile(value, re.MULTILINE)
        except re.error as error:
            message = f"{name}: pattern must be a regular expression. Got {value!r}: {error}."
            raise ValueError(message) from error
