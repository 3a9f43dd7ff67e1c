"""Which segments of a path are identifiers, by their look alone, and what a template calls them.

Look is decided by whole-segment patterns first (numbers, UUID, ULID, hash, date, e-mail, network addresses) and, for
the rest, by whether the segment reads like words, without a number of its own. When in doubt it counts as
random-looking: a name too few is better than a secret shown.
"""

import re
from functools import lru_cache
from urllib.parse import unquote

# RFC 9562 section 4; ULID: Crockford's base 32, 26 characters; ObjectId, SHA and their kin: hexadecimal.
_LOOKS = (
    ("id", re.compile(r"-?\d+")),
    ("id", re.compile(r"\{?[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}\}?", re.IGNORECASE)),
    ("id", re.compile(r"[0-7][0-9a-hjkmnp-tv-z]{25}", re.IGNORECASE)),
    ("date", re.compile(r"\d{4}-\d{2}(?:-\d{2})?(?:T[0-9:.]+(?:Z|[+-]\d{2}:?\d{2})?)?", re.IGNORECASE)),
    ("email", re.compile(r"[^@\s/]+@[^@\s/]+\.[A-Za-z]{2,}")),
    ("id", re.compile(r"(?=[a-f]*\d)(?=\d*[a-f])[0-9a-f]{7,}|[0-9a-f]{32,}", re.IGNORECASE)),
)
# Of a path's segments only: a parameter's value may look so and be any text.
_LOOKS_IN_PATHS = (
    ("date", re.compile(r"\d{4}-W\d{2}(?:-\d)?|\d{1,2}([-.])\d{1,2}\1\d{4}|\d{4}\.\d{2}\.\d{2}", re.IGNORECASE)),
    ("id", re.compile(r"[^@\s/]+@[A-Za-z][^@\s/]*")),
    # Telephone and card numbers, coordinates, lists, addresses of IPv4; two or three short ones with dots are a version.
    ("id", re.compile(r"(?!\d{1,4}(?:\.\d{1,4}){1,2}$)[-+]?\d+(?:[-+.,:;_ ]{1,2}\d+)+")),
    # A number and what to do with it, as in `42:cancel` (a custom method, AIP-136).
    ("id", re.compile(r"\d+:[A-Za-z]+")),
    # Keys of issues and articles, as in `TEA-42`; not the names of encodings and their like.
    ("id", re.compile(r"(?!(?:UTF|ISO|SHA|RFC|COVID)-)[A-Z][A-Z0-9]{1,9}-\d+")),
    # Addresses of IPv6 and of network cards.
    ("id", re.compile(r"(?=.*[0-9a-f])[0-9a-f]{0,4}(?::[0-9a-f]{0,4}){2,7}", re.IGNORECASE)),
)
# One thing's number beside its words, as in `apple-100` and `42-apple`.
_NUMBERED = re.compile(r"\d{2,}[-_].*[A-Za-z].*|(?=.*[A-Za-z])(?:.*[-_.])?\d{3,}(?:[-_.].*)?")
# What offices count by: capitals, and three digits and more behind them, as in `INV-0031` and `CLM-2026-0412`.
_BEHIND_CAPITALS = re.compile(r"(?!(?:UTF|ISO|SHA|AES|RFC|CVE|CWE)-)(?=(?:\D*\d){3})[A-Z]{1,9}(?:[-_]\d{1,12}){1,3}")
# What programs count by: a short word in small letters and a number behind it, as in `ord_1043` and `re-1139`; no year, and not
# the names of encodings and their like.
_BEHIND_A_WORD = re.compile(
    r"(?!(?:utf|iso|sha|aes|rfc|cve|cwe|cp|ibm|windows|http)[-_])[a-z]{1,9}[-_](?!(?:19|20)\d\d$)(?:(?<=_)\d{3}|\d{4,12})"
)
_BLANK = re.compile(r"\s")
_LONGEST_LITERAL = 64
_WORDY = re.compile(
    r"[A-Za-z]+|[A-Za-z]{1,12}\d{1,3}|\d{1,4}|\d{1,2}[A-Za-z]{1,4}|[A-Za-z]{2,12}\d{1,2}[A-Za-z]{2,12}|[a-z]\d{1,2}[a-z]"
)
_SPLIT = re.compile(r"[-_.~+:;,!*'()\[\]{}|=@$ ]+")
_CAMEL = re.compile(r"[A-Z]+(?![a-z])|[A-Z]?[a-z]+|\d+")
_VOWEL = re.compile(r"[aeiouyAEIOUY]")
_CONSONANTS = re.compile(r"[bcdfghjklmnpqrstvwxz]{6,}", re.IGNORECASE)
_SHORT_WORD = 5
# Technical names without a vowel: what is made of these alone reads like words, too.
_ABBREVIATIONS = re.compile(
    r"(?:cgi|cms|crm|css|csv|dns|ftp|grpc|gsm|html|http|https|jpg|json|jwt|kml|lms|mp|mqtt|pdf|php|png|rpc|rss|sms|smtp|sql|ssh|ssl"
    r"|svg|tcp|tls|tv|vpn|wsdl|xhtml|xml|xsd|xslt)+",
    re.IGNORECASE,
)
# Only what can be a file's kind: a longer or stranger tail may be part of a secret.
_EXTENSION = re.compile(r"(.+)(\.(?:[a-z]{2,4}|[a-z]{2}\d|7z))", re.IGNORECASE)
_VERSION = re.compile(r"v\d+(?:\.\d+)*(?:(?:alpha|beta|rc)\d*)?", re.IGNORECASE)
# What says nothing of the identifier behind it.
_NAMELESS = re.compile(rf"\{{.*|\d|{_VERSION.pattern}", re.IGNORECASE | re.DOTALL)

# Plurals that the rules below would get wrong, of those that paths are made of.
_SINGULARS = {
    "aliases": "alias",
    "analyses": "analysis",
    "bonuses": "bonus",
    "buses": "bus",
    "caches": "cache",
    "calories": "calorie",
    "campuses": "campus",
    "children": "child",
    "cookies": "cookie",
    "indices": "index",
    "matrices": "matrix",
    "movies": "movie",
    "news": "news",
    "series": "series",
    "species": "species",
    "statuses": "status",
    "vertices": "vertex",
    "viruses": "virus",
}


@lru_cache(maxsize=4096)
def look_of(segment: str) -> str | None:
    """What kind of identifier a segment looks like: `id`, `date`, `email`; None where it reads like words."""
    decoded = unquote(segment) if "%" in segment else segment
    for kind, pattern in _LOOKS:
        if pattern.fullmatch(decoded):
            return kind
    return "id" if is_random(decoded) else None


@lru_cache(maxsize=4096)
def look_in_path(segment: str) -> str | None:
    """The same of a path's segment, of which more can be said: one with a blank, or with a number of its own, is no name."""
    kind = look_of(segment)
    if kind is not None:
        return kind
    decoded = unquote(segment) if "%" in segment else segment
    for kind, pattern in _LOOKS_IN_PATHS:
        if pattern.fullmatch(decoded):
            return kind
    return "id" if _BLANK.search(decoded) or _NUMBERED.fullmatch(decoded) else None


def is_identifier(value: str) -> bool:
    """Whether a value chooses something wherever it stands: by its look, as an address to write to, or as what offices and programs
    count by.
    """
    counted = _BEHIND_CAPITALS.fullmatch(value) or _BEHIND_A_WORD.fullmatch(value)
    return look_of(value) in ("id", "email") or counted is not None


def is_random(segment: str) -> bool:
    """Whether a segment does not read like words: digits strewn in, changing case, unspeakable, or over-long."""
    if len(segment) > _LONGEST_LITERAL:
        return True
    if _VERSION.fullmatch(segment):
        return False
    return any(not _reads_like_words(part) for part in _SPLIT.split(segment) if part)


def _reads_like_words(part: str) -> bool:
    if not part.isascii():
        return part.isalpha()
    if not _WORDY.fullmatch(part):
        return False
    if len(part) <= _SHORT_WORD:
        return True
    words = _CAMEL.findall(part)
    letters = sum(len(word) for word in words if not word.isdigit())
    # Real camelCase has words of some length, and of those hardly two without a vowel; a random token changes case every
    # second letter.
    if len(words) > 1 and (letters < 3 * (len(words) - 1) or _mute(words) > 1):
        return False
    return all(_speakable(word) for word in words if len(word) > _SHORT_WORD)


def _mute(words: list[str]) -> int:
    """How many of the words nobody can say."""
    return sum(len(word) > 1 and not _speakable(word) for word in words)


def _speakable(word: str) -> bool:
    if word.isdigit() or (_VOWEL.search(word) is not None and _CONSONANTS.search(word) is None):
        return True
    return _ABBREVIATIONS.fullmatch(word) is not None


def split_extension(segment: str) -> tuple[str, str]:
    """A segment's stem and its extension with the dot; the extension is empty where it has none."""
    parts = _EXTENSION.fullmatch(segment)
    return (parts[1], parts[2]) if parts else (segment, "")


@lru_cache(maxsize=4096)
def parameter_name(kind: str, preceding: str | None, taken: tuple[str, ...] = ()) -> str:
    """What a template calls an identifier: `user_id` behind `users`; numbered where the path already uses the name."""
    name = kind
    if kind == "id" and preceding and not _NAMELESS.fullmatch(preceding):
        plain = unquote(preceding).partition("(")[0]
        word = singular(re.sub(r"[^a-z0-9]+", "_", _snake(plain)).strip("_"))
        name = f"{word}_id" if word and plain.isascii() else kind
    used = set(taken)
    if name not in used:
        return name
    return next(numbered for count in range(2, len(used) + 3) if (numbered := f"{name}_{count}") not in used)


def _snake(segment: str) -> str:
    return re.sub(r"(?<=[a-z0-9])(?=[A-Z])", "_", segment).lower()


def singular(word: str) -> str:
    """The singular of a plural in the way English forms most; words that only end like one stay as they are."""
    start, gap, last = word.rpartition("_")
    if last in _SINGULARS:
        return start + gap + _SINGULARS[last]
    if word.endswith("ies") and len(word) > 4:
        return word[:-3] + "y"
    if word.endswith(("sses", "shes", "ches", "xes")):
        return word[:-2]
    if word.endswith("s") and not word.endswith(("ss", "us", "is")) and len(word) > 2:
        return word[:-1]
    return word
