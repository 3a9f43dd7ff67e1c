"""Whether a page that answers a form says that something was changed, or only shows what was asked for.

A search, a calculation, a lookup are forms, too, and are sent by POST as often as not. Who changes something says so ("Your
entry was added"), leads on to another page, or shows it from then on.
"""

import re
from html import unescape

_DONE = (
    r"(?:added|saved|created|updated|changed|edited|modified|deleted|removed|posted|sent|submitted|transferred|ordered|placed"
    r"|booked|reserved|registered|(?:un)?subscribed|uploaded|reset|stored|recorded|paid|purchased|bought|charged|voted|liked"
    r"|joined|invited|cancell?ed|approved|published|received|enabled|disabled|activated|granted|assigned)"
)
_TOLD = re.compile(
    rf"\b(?:been|was|were|you|we|you['\u2019]ve|have|now|successfully)\s+{_DONE}\b|\b{_DONE}\s*(?:successfully\b|[.!])"
    r"|\bsuccess(?:ful|fully)?\b|\bthank(?:s\b|\s*you\b)",
    re.IGNORECASE,
)
# A paragraph that is no more than that: "Settings saved". Headings of columns ("Last updated") and states of what was looked up are none.
_SAID_ALONE = re.compile(
    r"<(?:p|div)\b[^<>]*>\s*"
    r"(?!(?:last|date|time|when|recently|newly|just|not|never|nothing|no|if|once|be)\b)"
    r"((?:[a-z][\w'-]*\s+){0,4}(?:updated|saved|changed|added))\s*</",
    re.IGNORECASE,
)
# Before what it is from then on.
_NOW = re.compile(
    r"\b(?:saved(?: as)?|(?:is|are) now(?: set to| called)?|(?:changed|updated|renamed|set) to)\b[\s\"'\u201c\u2018:]*",
    re.IGNORECASE,
)
# That it was not done, and why.
_FAILED = re.compile(
    rf"(?:\b(?:not|never|cannot|unable to|failed to)|n['\u2019]t)\s+(?:be\s+|been\s+)?(?:{_DONE}|match|change|update|save|correct|valid)\b"
    r"|\b(?:wrong|incorrect|invalid|bad|mismatch(?:ed|ing)?)\b"
    r"|\b(?:failed|error)\b(?![\"']?\s*:\s*(?:null|false|0|[\"']{2}|\[\]))",
    re.IGNORECASE,
)
# The name of what a form is sent to; a post, a book and a like are things as well.
_CHANGES = re.compile(
    r"(?:add|save|create|update|change|edit|modify|delete|remove|transfer|send|order|buy|purchase|pay|vote|comment|upload|register"
    r"|(?:un)?subscribe|reset|store|invite|join|cancel|approve|publish|checkout|apply|assign|enable|disable)",
    re.IGNORECASE,
)
_WORDS = re.compile(r"[A-Z]?[a-z]+|[A-Z]+")
# What nothing closes goes on to the end, and no tag holds the beginning of another: otherwise each of many beginnings
# would be searched to the end in vain.
_TAG, _SCRIPT = re.compile(r"<[^<>]*>"), re.compile(r"<(script|style)\b.*?(?:</\1\s*>|\Z)", re.IGNORECASE | re.DOTALL)
_OFFERED = re.compile(r"<(textarea|select)\b.*?(?:</\1\s*>|\Z)", re.IGNORECASE | re.DOTALL)
# What is sent by the button that was pressed, which pages are called after.
_BUTTON = re.compile(
    r"<(?:button\b|input\b(?=[^<>]*\btype\s*=\s*[\"']?submit))[^<>]*?\bvalue\s*=\s*"
    r"(?:\"([^\"<>]*)|'([^'<>]*)|([^\s\"'<>]*))",
    re.IGNORECASE,
)
_LEAST = 4


def names_change(path: str) -> bool:
    """Whether the last name of a path is called after a change: `/blog/add`, `changePassword.php`."""
    return any(_CHANGES.fullmatch(word) for word in _WORDS.findall(path.rstrip("/").rpartition("/")[2]))


def tells_change(answer: str, before: str) -> bool:
    """Whether a page says that something was done, in words that are not there without the form (`before`)."""
    return not _told(answer) <= _told(before)


def tells_now(answer: str, values: list[str]) -> bool:
    """Whether a page says that something is now what was sent: "Your address is now ann@shop.example"."""
    sent, page = tuple(value for value in values if len(value) >= _LEAST), shown(answer)
    return any(page.startswith(sent, found.end()) for found in _NOW.finditer(page))


def tells_failure(answer: str) -> bool:
    """Whether an answer says that nothing was done, and not besides that something was."""
    page = shown(answer)
    return _FAILED.search(page) is not None and _TOLD.search(_FAILED.sub(" ", page)) is None


def _told(page: str) -> set[str]:
    said = {found[0].lower() for found in _TOLD.finditer(shown(page))}
    return said | {found[1].lower() for found in _SAID_ALONE.finditer(_SCRIPT.sub(" ", page))}


def shows_kept(page: str, values: list[str]) -> bool:
    """Whether a page without the form's values shows one of them in its text; what a field offers by itself is none of it,
    and what a button sends is not kept.
    """
    text, sent_by_buttons = shown(_OFFERED.sub(" ", page)), {unescape("".join(each)) for each in _BUTTON.findall(page)}
    return any(len(value) >= _LEAST and value in text for value in values if value not in sent_by_buttons)


def hands_out(page: str, files: list[str]) -> bool:
    """Whether a page loads or links a file of one of these names from a folder: what was uploaded lies there now."""
    return any(
        re.search(rf"\b(?:src|href)\s*=\s*[\"']?[^\"'>\s]*/{re.escape(name)}[\"'>\s?]", page) for name in files if name
    )


def shown(page: str) -> str:
    """What of a page is read by people."""
    return unescape(_TAG.sub(" ", _SCRIPT.sub(" ", page)))
