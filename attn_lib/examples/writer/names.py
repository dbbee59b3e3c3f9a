"""Names of guests that nobody has: syllables and letters put together at random.

A checksum deals the names out, so that no list of them is needed: most may stand in a training
text, some are kept to choose among trained models, and some to test the one that was chosen. The
names that the book talks about are dealt to nobody.
"""

from __future__ import annotations

import random
import unicodedata
import zlib

LANGUAGES = ("en", "vi", "ko", "zh")
USES = ("training", "choice", "test")

# What the chapter and its figure call their guests. Neither a training text nor a test has one,
# not even as a part of another name.
OF_THE_BOOK = {
    "en": "zorblik wug wump wumblo bram snorp veks falir quilt dumo anna banana blorf tiggo plumsy",
    "vi": "vịt mèo gấu thỏ rùa sâu bánh bao bún chả măng cụt trăng",
    "ko": "블릭 워그 뿔뱀 쿵쿵이 몽글이 또롱 하늘별 바나나 나나 꿀떡 콩콩이 푸딩",
    "zh": "魑魅 饕餮 貔貅 麒麟 小布丁 皮卡豆 大糖果 星月 木木 乌拉拉 阿福 熊猫",
}

LATIN = "abcdefghijklmnopqrstuvwxyz"
# With every mark that a Vietnamese vowel can bear, but for those that are Latin already.
GRAVE, ACUTE, HOOK, TILDE, DOT = "\u0300\u0301\u0309\u0303\u0323"
MARKED = "đ" + "".join(
    sorted(
        {
            unicodedata.normalize("NFC", v + t)
            for v in "aăâeêioôơuưy"
            for t in GRAVE + ACUTE + HOOK + TILDE + DOT
        }
        | set("ăâêôơư")
    )
)
# The parts of Korean syllables, as Unicode composes them: first consonant, vowel, last consonant.
LEADS, VOWELS, TAILS = (
    "".join(chr(first + i) for i in range(count))
    for first, count in ((0x1100, 19), (0x1161, 21), (0x11A8, 27))
)
# Characters of given names, of pet names, and of names that come from other languages.
CHINESE = (
    "小阿大老明红丽华强伟芳娜静敏军杰涛超霞平刚桂英文玉兰梅雪云春月星天雨风山水木林石金"
    "布克乌格拉米卡多尼罗莎菲利奥托马巴比安迪琳达贝塔吉波维诺汉斯伊万皮戈奇瓜豆糖果猫狗熊"
)
# Places in the alphabet for characters that it lacks, whatever they are.
SPARE = {
    language: "".join(chr(0xE000 + i) for i in range(48 if language == "zh" else 24))
    for language in LANGUAGES
}

# What names are made of. An empty part at the end is as likely as it stands often.
STARTS, MIDDLES, ENDS = (
    parts.split(" ")
    for parts in (
        "b bl br ch d dr f fl g gr h j k kl l m n p pl qu r s sh sk sn st t th tr v w y z",
        "a e i o u a e i o u oo ee ai",
        "n r l m k p t x zz ng sh b d g ck ft" + " " * 4,
    )
)
VI_STARTS, VI_RHYMES = (
    parts.split(" ")
    for parts in (
        "b c ch d đ g gi h kh l m n ng ngh nh ph qu r s t th tr v x ",
        "a an ang anh ao ăn âm ân e en ê ên i in inh iên o on ong ô ôn ơ ơn u un ung uyên ư ương"
        " ươi y yên ai ay oa oan",
    )
)
TONES = ["", "", GRAVE, ACUTE, HOOK, TILDE, DOT]


def take_apart(text: str) -> str:
    """Compose every character but Korean syllables: of these the model writes the parts."""
    composed = unicodedata.normalize("NFC", text)
    return "".join(unicodedata.normalize("NFD", c) if "가" <= c <= "힣" else c for c in composed)


def book_names(language: str | None = None) -> tuple[str, ...]:
    """Return the names that the book uses, as the model writes them; None: of all languages."""
    lists = [OF_THE_BOOK[language]] if language else OF_THE_BOOK.values()
    return tuple(take_apart(name) for names in lists for name in names.split())


FORBIDDEN = book_names()


def dealt_to(name: str) -> str:
    """Return what a name is for: ``training``, ``choice`` or ``test``.

    Example:
        >>> from attn_lib.examples.writer import dealt_to
        >>> [dealt_to(name) for name in ("fidu", "snuk", "prosha")]
        ['training', 'training', 'test']
    """
    return {0: "test", 1: "choice"}.get(zlib.crc32(name.encode()) % 8, "training")


def invent(language: str, rng: random.Random) -> str:
    """Put a name together, as the model writes it."""
    pick, chance = rng.choice, rng.random
    match language:
        case "en" if chance() < 0.3:
            return "".join(rng.choices(LATIN, k=rng.randint(2, 7)))
        case "en":
            name = "".join(
                pick(STARTS) + pick(MIDDLES) + (pick(ENDS) if chance() < 0.5 else "")
                for _ in range(pick((1, 2, 2)))
            )
            return name[:8] if len(name) > 2 else name + pick("aeiou") + pick("lnrs")
        case "vi" if chance() < 0.2:
            return "".join(rng.choices(LATIN + MARKED, k=rng.randint(2, 6)))
        case "vi":
            syllables = (
                pick(VI_STARTS) + with_tone(pick(VI_RHYMES), pick(TONES))
                for _ in range(pick((1, 1, 2)))
            )
            return " ".join(syllables)
        case "ko":
            return "".join(
                pick(LEADS) + pick(VOWELS) + (pick(TAILS) if chance() < 0.4 else "")
                for _ in range(pick((1, 2, 2, 3)))
            )
        case _ if chance() < 0.35:
            return "".join(rng.choices(SPARE["zh"], k=pick((1, 2, 3, 3, 4))))
        case _:
            return "".join(rng.choices(CHINESE, k=pick((1, 2, 3, 3, 4))))


def with_tone(rhyme: str, tone: str) -> str:
    """Put a tone on the main vowel of a Vietnamese rhyme."""
    marked = [i for i, c in enumerate(rhyme) if c in "ăâêôơư"]
    vowels = [i for i, c in enumerate(rhyme) if c in "aeiouy"]
    if marked:
        at = marked[-1]
    else:
        closed = len(vowels) > 1 and vowels[-1] != len(rhyme) - 1
        at = vowels[1] if closed else vowels[0]
    return unicodedata.normalize("NFC", rhyme[: at + 1] + tone + rhyme[at + 1 :])


def guest(language: str, rng: random.Random, use: str = "training") -> str:
    """Invent a name that is dealt to this use.

    In training one in ten is invented as in English, and one in ten has a character that the
    alphabet lacks.
    """
    while True:
        foreign = use == "training" and rng.random() < 0.1
        name = invent("en" if foreign else language, rng)
        if use == "training" and rng.random() < 0.1:
            at = rng.randrange(len(name))
            name = name[:at] + rng.choice(SPARE[language]) + name[at + 1 :]
        if dealt_to(name) == use and not any(taken in name for taken in FORBIDDEN):
            return name
