"""Addresses and buttons that say that all there is, is set up anew or emptied: `/demo/reset`, `/admin/wipe-database`,
`/clear-data`, `/initdb` without a word more, `/setup.php` with "Create / Reset Database". `/reset-password` is about one.

No value names what is meant, so every request that is answered well does it once more, a link's too. A description says it
in a sentence, whatever its address is called: `Creates and populates the database`.

So does what can be done once in an application's life: whoever makes its first user (`/setup/create-first-user`) owns it, and
shuts out who would have.
"""

import re
from collections.abc import Iterable
from typing import Final
from urllib.parse import unquote_plus

from gatecrash.core.message import Request
from gatecrash.core.testing.effects.methods import is_safe
from gatecrash.core.words.english import in_english, phrases_for, plain
from gatecrash.core.words.named import Words

_AFRESH: Final = r"(?:reset|re-?seed|re-?init(?:iali[sz]e)?|wipe|purge|truncate|erase|flush|drop|destroy|nuke)"
_ALL: Final = (
    r"(?:everything|all[-_]?(?:data|tables)|(?:the[-_])?(?:test|demo|sample)?[-_]?(?:data(?:base|set)?|dbs?)"
    r"|demo|sandbox|factory|schema|fixtures)"
)
# Words that are said of one thing as well, and of a page without content, mean all where they stand before it.
_WHOLE: Final = (
    r"(?:everything|all[-_]?(?:the[-_]?)?(?:data|tables)|(?:the[-_])?(?:test|demo|sample)?[-_]?(?:database|dbs?))"
)
_CLEARS: Final = (
    rf"clear[-_/]?{_ALL}|{_ALL}[-_/]?clear|empty[-_/]?{_WHOLE}"
    r"|(?:delete|remove)[-_/]?(?:everything|all[-_]?(?:the[-_]?)?(?:data|tables))"
)
_EMPTIES: Final = Words(
    rf"(?<![a-z])(?:{_AFRESH}[-_/]?{_ALL}|{_ALL}[-_/]?{_AFRESH}|re-?seed|{_CLEARS})(?![a-z])(?!/[^/])", re.IGNORECASE
)
_MAKE: Final = r"(?:(?:re-?)?create|init(?:iali[sz]e)?|set-?up|populate|seed|rebuild)"
_STORE: Final = (
    r"(?:(?:test|demo|sample)[-_]?data|(?:the[-_])?(?:test|demo|sample)?[-_]?(?:db|database|schema|tables|fixtures))"
)
_SETS_UP: Final = Words(rf"(?<![a-z])(?:{_MAKE}[-_/]?{_STORE}|{_STORE}[-_/]?{_MAKE})(?![a-z])(?!/[^/])", re.IGNORECASE)
_FIRST: Final = r"(?:first|initial)[-_]?(?:user|admin(?:istrator)?|owner|account|run|set-?up)"
_FIRST_RUN: Final = Words(
    rf"(?<![a-z])(?:{_FIRST}|(?:set-?up|install(?:ation)?)[-_]?wizard|run[-_]?(?:set-?up|installer))(?![a-z])(?!/[^/])",
    re.IGNORECASE,
)

# A sentence that begins with what is done to all, with nothing behind it that would be less: `Resets the database password`.
_DOES: Final = (
    r"(?:reset|re-?seed|re-?(?:init(?:iali[sz]e)?|create|build|populate)|wipe|purge|truncate|erase|flush|drop|destroy|clear|empt(?:y|ie)"
    r"|delete|remove|create|init(?:iali[sz]e)?|set up|populate|seed|fill|restore)(?:e?s)?(?: up)?"
)
_STORED: Final = (
    r"(?:(?:the|all(?: the)?|(?:the )?(?:whole|entire)) (?:\w{1,20}+ ){0,2}?(?:data ?base|db|tables|data|data ?set|schema|fixtures|initial state)"
    r"|everything|(?:demo|sample|dummy|test|seed|example)[ -]data|(?:data ?base|db)(?= (?:to|with)\b))"
)
_TOLD: Final = re.compile(
    rf"(?<!\w)(?:this (?:endpoint|operation|call|route) (?:will )?)?{_DOES}(?:(?:,| and|, and|, then| or) {_DOES})*+"
    rf" {_STORED}(?=$|[.,:(]| (?:and|with|to|for|from|again|anew|before|then|using)\b| \()",
    re.IGNORECASE,
)
_SENTENCE: Final = re.compile(r"[.;!](?:\s|$)|[\r\n]")
_MOST_TOLD = 1000

# Asked of every request, before anything is read as English: one word that says so in any of the languages.
_ELSEWHERE: Final = "|".join(re.escape(plain(each.split()[0])) for each in phrases_for("reset"))
_SAID: Final = re.compile(f"{_AFRESH}|clear|empty|delete|remove|{_ELSEWHERE}", re.IGNORECASE)
# A button says it in few words; who writes about it, in more.
_MOST_WORDS: Final = 5
_MOST_MEMBERS: Final = 6


def is_about_all(request: Request, address: str) -> bool:
    """Whether an address says so, and no segment behind it says of what. One that makes and fills a store may name it by a value."""
    if not is_safe(request) and is_first_run(address):
        return True
    names_one = request.query or request.body.strip() not in (b"", b"{}")
    return _EMPTIES.search(address) is not None or (not names_one and _SETS_UP.search(address) is not None)


def is_first_run(address: str) -> bool:
    """Whether an address says that it sets up an application that nobody has used yet."""
    return _FIRST_RUN.search(address) is not None


def tells_to_empty_all(name: str, texts: Iterable[str]) -> bool:
    """Whether a description says so of an operation that is given no value: by its name, or at the beginning of a sentence."""
    return any(words.search(name) for words in (_EMPTIES, _SETS_UP)) or any(
        _TOLD.match(sentence.strip()) for text in texts for sentence in _SENTENCE.split(text[:_MOST_TOLD])
    )


def says_to_empty_all(members: str) -> bool:
    """Whether a member of a short form, or of a query, is called so, or holds what a button says."""
    if _SAID.search(plain(members)) is None:
        return False
    told = [member.partition("=")[::2] for member in members.split("&")]
    return len(told) <= _MOST_MEMBERS and any(_is_button(name, value) for name, value in told)


def _is_button(name: str, value: str) -> bool:
    words = in_english(unquote_plus(value)).split()
    return _EMPTIES.search(name) is not None or (
        len(words) <= _MOST_WORDS and _EMPTIES.search("_".join(words)) is not None
    )
