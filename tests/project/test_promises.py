"""Promises that the tree as a whole makes: exact pins, one address, links that lead somewhere."""

import re
import subprocess
import tomllib
from pathlib import Path

import pytest
import yaml

import attn_lib
from attn_lib.live.host.published import site
from book._ext.content import downloads
from book._ext.content.citation import cited, entry
from book._tools.links import own_addresses

ROOT = Path(__file__).resolve().parents[2]
REQUIREMENTS = (ROOT / "requirements.txt").read_text(encoding="utf-8")
PIN = re.compile(r"^([A-Za-z0-9._-]+)==([\w.]+)(?:\s+#\s\S.*)?$", re.MULTILINE)


def tracked_texts():
    """The text files that git knows; a file removed from the working tree is left out."""
    names = subprocess.run(
        ["git", "ls-files", "-z"], cwd=ROOT, capture_output=True, text=True, check=True
    ).stdout.split("\0")
    for name in filter(None, names):
        path = ROOT / name
        if path.is_file() and path.suffix not in {".png", ".ico", ".npz", ".safetensors"}:
            yield name, path.read_text(encoding="utf-8")


def pins():
    return {name.lower().replace("_", "-"): version for name, version in PIN.findall(REQUIREMENTS)}


def test_every_requirement_is_pinned_exactly():
    lines = [line for line in REQUIREMENTS.splitlines() if line and not line.startswith("#")]
    assert lines[-1] == "-e ."
    assert [line for line in lines[:-1] if not PIN.match(line)] == []


def test_every_direct_requirement_says_why():
    """Below the heading about what those packages need in turn, names speak for themselves."""
    direct, _, _ = REQUIREMENTS.partition("# What the packages above need")
    bare = [m[0] for m in PIN.finditer(direct) if "  # " not in m[0]]
    assert bare == []


def test_the_library_imports_only_what_is_pinned():
    project = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]
    declared = [*project["dependencies"], *project["optional-dependencies"]["figures"]]
    assert {entry.split(">=")[0] for entry in declared} <= pins().keys()


def test_binder_has_the_same_torch():
    binder = (ROOT / ".binder" / "requirements.txt").read_text(encoding="utf-8")
    assert f"torch=={pins()['torch']}+cpu\n" in binder


def test_the_citation_names_the_version_of_the_library():
    assert cited()["version"] == attn_lib.__version__


def test_the_entry_to_cite_is_made_from_the_citation():
    text = entry("https://book.example/")
    assert text.splitlines() == [
        "@misc{attention_at_your_fingertips,",
        "  title   = {Attention at Your Fingertips},",
        "  author  = {{The authors of Attention at Your Fingertips}},",
        "  year    = {2026},",
        f"  version = {{{attn_lib.__version__}}},",
        "  url     = {https://book.example/},",
        "}",
    ]


def test_the_address_stands_in_one_place():
    """A fork changes one line, the url in _config.yml; all links derive from it."""
    url = yaml.safe_load((ROOT / "_config.yml").read_text(encoding="utf-8"))["repository"]["url"]
    slug = url.removeprefix("https://github.com/")
    uses = [name for name, text in tracked_texts() for _ in re.findall(re.escape(slug), text)]
    assert uses == ["_config.yml"]


def test_the_installed_library_knows_where_the_book_is_published():
    """As `_config.yml` said when it was installed; after a change: `pip install -e .` again."""
    assert site() == own_addresses()[1]


@pytest.mark.parametrize("page", ["README.md", "CONTRIBUTING.md", "attn_lib/README.md"])
def test_named_files_exist(page):
    """Targets of links and pictures, and paths in code spans."""
    text = (ROOT / page).read_text(encoding="utf-8")
    targets = re.findall(r"\]\(([^)\s#]+)[^)]*\)", text) + re.findall(r'src="([^"]+)"', text)
    paths = re.findall(r"`((?:attn_lib|book|tests)/[^`<*=\s]+)`", text)
    local = [name for name in targets + paths if "://" not in name]
    assert local
    assert [name for name in local if not (ROOT / name).exists()] == []


def test_the_map_of_the_tree_names_what_is_there():
    text = (ROOT / "CONTRIBUTING.md").read_text(encoding="utf-8")
    (drawn,) = re.findall(r"## Where things lie\n\n```\n(.*?)```", text, re.DOTALL)
    within, named = {-2: ROOT}, 0
    for line in drawn.splitlines():
        indent = len(line) - len(line.lstrip())
        if indent > 4:
            continue  # the second line of an explanation
        for name in re.split(r"[ ,]+", line.strip().partition("  ")[0].removesuffix(" ...")):
            path = within[indent - 2] / name
            assert path.exists() or path.with_suffix(".py").exists(), path
            within[indent] = path
            named += 1
    assert named > 40


@pytest.mark.parametrize("page", ["README.md", "CONTRIBUTING.md", ".ci/run"])
def test_documented_make_targets_exist(page):
    text = (ROOT / page).read_text(encoding="utf-8")
    makefile = (ROOT / "Makefile").read_text(encoding="utf-8")
    targets = set(re.findall(r"^([a-z-]+):", makefile, re.MULTILINE))
    named = set(re.findall(r"(?:^|`|exec |\$ )make ([a-z-]+)", text, re.MULTILINE))
    assert named
    assert named <= targets


def hosted():
    """The jobs of the hosted workflow."""
    workflow = yaml.safe_load((ROOT / ".github/workflows/ci.yml").read_text(encoding="utf-8"))
    return workflow["jobs"]


def test_hosted_jobs_are_the_gate_in_parts():
    makefile = (ROOT / "Makefile").read_text(encoding="utf-8")
    (whole,) = re.findall(r"^STAGES := ([a-z ]+)$", makefile, re.MULTILINE)
    assert " ".join(hosted()["gate"]["strategy"]["matrix"]["stages"]).split() == whole.split()


def test_the_pythons_that_readers_are_promised_are_tried():
    """3.14 is tried as well, and promised once it has passed."""
    project = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]
    named = re.findall(r"Python :: (3\.\d+)", " ".join(project["classifiers"]))
    readme = (ROOT / "README.md").read_text(encoding="utf-8")
    assert f"Linux with Python {', '.join(named[:-1])} or {named[-1]}, git" in readme
    (gate,) = (s["with"] for s in hosted()["gate"]["steps"] if "setup-python" in s.get("uses", ""))
    job = hosted()["pythons"]
    assert job["steps"][-1]["run"] == "make unit nbval PYTHON=python"
    assert {*named} <= {gate["python-version"], *job["strategy"]["matrix"]["python"]}


def test_what_the_pages_offer_is_made_before_they_are_published():
    """`{take-along}` links to files that the gate does not make."""
    jobs = hosted()
    steps = jobs["gate"]["steps"]
    calls = [step.get("run") or step["uses"].partition("@")[0] for step in steps]
    made, sent = (
        calls.index(c) for c in ("make pdf epub offline", "actions/upload-pages-artifact")
    )
    assert calls.index("make ${{ matrix.stages }}") < made < sent
    assert steps[made]["if"] == steps[sent]["if"]
    assert jobs["publish"]["needs"] == "gate"


def test_a_download_of_another_size_than_the_pages_say_is_an_error(tmp_path):
    path = tmp_path / downloads.ARCHIVE
    said = downloads.MEGABYTES[path.name] * 10**6
    path.write_bytes(bytes(said))
    downloads.hold(path)
    path.write_bytes(bytes(said * 13 // 10))
    with pytest.raises(ValueError, match="say so in"):
        downloads.hold(path)


def test_the_program_in_the_library_s_readme_gives_what_it_says():
    text = (ROOT / "attn_lib/README.md").read_text(encoding="utf-8")
    (program,) = re.findall(r"```python\n(.*?)```", text, re.DOTALL)
    names = {}
    exec(program, names)
    output = names["attention"](names["queries"], names["keys"], names["values"])
    assert output.shape == (2, 1, 4)
    assert names["weights"][0, 0].count_nonzero(1).tolist() == [2, 6]
