"""Writes what the pages' exercises load when a reader presses *Run*, into `_static/judge/`.

`python.js` holds MicroPython, the worker around it (`book/_static/judge/worker.js`) and the torch
of the page; `exercises/<name>.js` a judge and its sentences in every language. All are classic
scripts that hold texts, so that they load from a disk too.
"""

import base64
import hashlib
import json
import os
import re
import subprocess
import sys
from pathlib import Path

from attn_lib.language import speaking
from attn_lib.language import words as words_of
from book._ext.editions.languages import BOOK, EDITIONS, ROOT

# The judges that run on the page, and where they stand.
MODULES = {
    name: f"attn_lib.check.{chapter}.judge"
    for chapter, name in (
        ("queries_keys_values", "exact_lookup"),
        ("kernel_regression", "kernel_gap"),
        ("dot_product_attention", "gaussian_from_dot"),
        ("masked_softmax", "masked_softmax"),
        ("batched_products", "batched_dot"),
        ("multi_head_attention", "repeat_lens"),
        ("additive_attention", "query_cancels"),
        ("additive_attention", "additive_scores"),
        ("attention_sinks", "with_sink"),
        ("beyond_softmax", "sparsemax"),
        ("fast_attention", "online_softmax"),
    )
}

# The port for pages has no other release channel than npm; deno, which is pinned, fetches it.
PACKAGE, VERSION = "@micropython/micropython-webassembly-pyscript", "1.27.0"
CHECKSUMS = {
    "micropython.mjs": "c2be87e7ba24e3b47d133022b009a66bff07f4720aa23d816d216ef8cc47014c",
    "micropython.wasm": "06338c955b03c5700aa0069015d3e392d76836ef8e2ce25bedbe59b88ccd373c",
}
# As the page's interpreter finds them.
SHARED = {
    "/torch.py": "attn_lib/page/torch.py",
    "/typing.py": "attn_lib/page/typing.py",
    "/attn_lib/page/tensor.py": "attn_lib/page/tensor.py",
    "/attn_lib/page/run.py": "attn_lib/page/run.py",
    "/attn_lib/check/judging.py": "attn_lib/check/judging.py",
}
# An ES module that fetches its other half becomes the text of a function that is given it.
CHANGES = (
    ("export default _createMicroPythonModule;", ""),
    ("export async function loadMicroPython(", "async function loadMicroPython("),
    ("import.meta.url", '""'),
    ("let Module={locateFile:", "let Module={wasmBinary:options.wasmBinary,locateFile:"),
)


def micropython() -> tuple[str, bytes]:
    """MicroPython's script, as the body of an async function that defines it, and its program.

    Raises:
        RuntimeError: deno could not fetch it, or it is not what was pinned.
    """
    found = {name: path.read_bytes() for name in CHECKSUMS if (path := _folder() / name).is_file()}
    if len(found) < len(CHECKSUMS):
        fetched = _deno("cache", "--quiet", "--no-lock", f"npm:{PACKAGE}@{VERSION}")
        if fetched.returncode:
            raise RuntimeError(f"deno could not fetch {PACKAGE} {VERSION}: {fetched.stderr}")
        found = {name: (_folder() / name).read_bytes() for name in CHECKSUMS}
    for name, body in found.items():
        if hashlib.sha256(body).hexdigest() != CHECKSUMS[name]:
            raise RuntimeError(f"{PACKAGE} {VERSION}: {name} is not the file that was pinned")
    script = found["micropython.mjs"].decode("utf-8")
    for old, new in CHANGES:
        if old not in script:
            raise RuntimeError(f"{PACKAGE} {VERSION} no longer has {old!r}")
        script = script.replace(old, new)
    return script, found["micropython.wasm"]


def worker() -> str:
    """The text of the worker: MicroPython, then our own script."""
    own = (BOOK / "_static/judge/worker.js").read_text(encoding="utf-8")
    # Inside an async function, as the module awaits where it is no worker.
    return f"(async () => {{\n{micropython()[0]}\n{own}\n}})();\n"


def write(static: Path) -> None:
    """Write the scripts into the folder `static` of the site."""
    folder = static / "judge"
    (folder / "exercises").mkdir(parents=True, exist_ok=True)
    (folder / "worker.js").unlink(missing_ok=True)
    program = base64.b64encode(micropython()[1]).decode("ascii")
    python = {"worker": worker(), "wasm": program, "files": texts(SHARED)}
    # A course may have cases of its own; an address may still ask for others.
    seed = f"attnJudge.seed ??= {json.dumps(os.environ.get('ATTN_SEED') or None)};\n"
    (folder / "python.js").write_text(_set("python", python) + seed, encoding="utf-8")
    for name in MODULES:
        text = "attnJudge.exercises ??= {};\n" + _set(f"exercises.{name}", exercise(name))
        (folder / "exercises" / f"{name}.js").write_text(text, encoding="utf-8")


def exercise(name: str) -> dict[str, object]:
    """What the page loads for one exercise."""
    path = MODULES[name].replace(".", "/") + ".py"
    paths = [path, *(f"attn_lib/examples/{used}.py" for used in _examples(ROOT / path))]
    words = {}
    for edition in EDITIONS:
        with speaking(edition.code):
            own = words_of("check")
            words[edition.code] = {"sentences": own[name], "page": own["page"]}
    return {
        "module": MODULES[name],
        "files": texts({f"/{one}": one for one in paths}),
        "words": words,
    }


def _examples(judge: Path) -> list[str]:
    """The examples that a judge draws on; they are plain Python."""
    text = judge.read_text(encoding="utf-8")
    return re.findall(r"^from attn_lib\.examples\.(\w+) import", text, re.MULTILINE)


def texts(files: dict[str, str]) -> dict[str, str]:
    return {there: (ROOT / here).read_text(encoding="utf-8") for there, here in files.items()}


def _set(name: str, value: object) -> str:
    return f"attnJudge.{name} = {json.dumps(value, ensure_ascii=False)};\n"


def _folder() -> Path:
    """Where deno keeps the package."""
    cache = json.loads(_deno("info", "--json").stdout)["npmCache"]
    return Path(cache) / "registry.npmjs.org" / PACKAGE / VERSION


def _deno(*arguments: str) -> subprocess.CompletedProcess[str]:
    program = Path(sys.executable).parent / "deno"
    return subprocess.run(
        [program, *arguments], cwd=BOOK, capture_output=True, text=True, check=False
    )
