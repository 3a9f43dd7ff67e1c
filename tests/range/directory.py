"""A directory: an evaluator of RFC 4515 filters of our own, with filters joined from values, and built from parts."""

import contextlib
import fnmatch
import re

from gatecrash.core.message import Response
from tests.range.place import Given, answer, flaw, miss, page, twin

PEOPLE = [
    {"uid": "tea", "mail": "tea@example.com", "objectClass": "person"},
    {"uid": "ben", "mail": "ben@example.com", "objectClass": "person"},
    {"uid": "printer", "mail": "", "objectClass": "device"},
]


class BadFilter(Exception):
    """As servers and their libraries say it."""


def search(text: str) -> list[str]:
    """The names that a filter finds. Raises BadFilter."""
    position, found = _filter(text, 0)
    if position != len(text):
        raise BadFilter("Bad search filter (-7)")
    return [person["uid"] for person in PEOPLE if found(person)]


def _filter(text: str, at: int):
    if text[at : at + 1] != "(":
        raise BadFilter("Bad search filter (-7)")
    sign = text[at + 1 : at + 2]
    if sign and sign in "&|!":
        parts, at = [], at + 2
        while text[at : at + 1] == "(":
            at, part = _filter(text, at)
            parts.append(part)
        if text[at : at + 1] != ")" or (sign == "!" and len(parts) != 1):
            raise BadFilter("Bad search filter (-7)")
        if sign == "!":
            return at + 1, lambda person: not parts[0](person)
        combine = all if sign == "&" else any
        return at + 1, lambda person: combine(part(person) for part in parts)
    item = re.compile(r"\(([A-Za-z][\w;.-]*)(=|~=|>=|<=)([^()\x00]*)\)").match(text, at)
    if not item or re.search(r"\\(?![0-9a-fA-F]{2})", item[3]):
        raise BadFilter("Bad search filter (-7)")
    name, pattern = item[1], _pattern(item[3])
    return item.end(), lambda person: name in person and pattern.fullmatch(person[name]) is not None


def _pattern(value: str) -> re.Pattern[str]:
    parts = [re.escape(re.sub(r"\\([0-9a-fA-F]{2})", lambda m: chr(int(m[1], 16)), part)) for part in value.split("*")]
    return re.compile(".*".join(parts), re.IGNORECASE)


def escape(value: str) -> str:
    return re.sub(r"[\\*()\x00]", lambda found: f"\\{ord(found[0]):02x}", value)


@flaw("ldapi")
def joined(given: Given) -> Response:
    return answer({"found": search(f"(&(objectClass=person)(uid={given.q}))")})


@flaw("ldapi")
def alone(given: Given) -> Response:
    return page("".join(f"<li>{name}</li>" for name in search(f"(uid={given.q})")) or "<p>nobody</p>")


@flaw("ldapi")
def loud(given: Given) -> Response:
    try:
        return answer({"count": len(search(f"(|(uid={given.q})(mail={given.q}))"))})
    except BadFilter as error:
        return answer({"error": f"ldap_search(): Search: {error}"}, 500)


@flaw("ldapi")
def errors_hidden(given: Given) -> Response:
    try:
        return answer({"known": bool(search(f"(&(uid={given.q})(objectClass=person))"))})
    except BadFilter:
        return answer({"known": False})


@flaw("ldapi", ways=("query",))
def parsed_without_escapes(given: Given) -> Response:
    """Some libraries parse a filter themselves, and take a backslash for a letter."""
    try:
        return page(f"Found: {search(f'(&(uid={given.q})(objectClass=person))'.replace(chr(92), chr(92) + '5c'))}")
    except BadFilter:
        return page("Something went wrong.", 500)


@twin("ldapi", ways=("query",))
def ends_at_a_bracket(given: Given) -> Response:
    """And breaks where one is left open."""
    if re.search(r"\(\w*$", given.q):
        return page("Something went wrong.", 500)
    return page(f"Found: {search('(uid=' + escape(given.q.partition(')')[0]) + ')')}")


@flaw("ldapi", value="nobody", ways=("form",))
def finds_nobody(given: Given) -> Response:
    """Has no result to lose; errors are told without a word of the directory's."""
    try:
        return page(f"Found: {search(f'(&(uid={given.q})(objectClass=person))')}")
    except BadFilter:
        return page("Something went wrong.", 500)


@twin("ldapi", value="nobody", ways=("form",))
def finds_nobody_by_expressions(given: Given) -> Response:
    """A search by regular expressions, which breaks over brackets as well."""
    try:
        return page(f"Found: {[person['uid'] for person in PEOPLE if re.search(given.q, person['uid'])]}")
    except re.error:
        return page("Something went wrong.", 500)


@twin("ldapi", value="nobody", ways=("form",))
def finds_nobody_by_numbered_signs(given: Given) -> Response:
    """The same as PostgreSQL reads them: a number behind a backslash is a sign."""
    try:
        pattern = re.sub(r"\\\d\d", ".", given.q)
        return page(f"Found: {[person['uid'] for person in PEOPLE if re.search(pattern, person['uid'])]}")
    except re.error:
        return page("Something went wrong.", 500)


@twin("ldapi", ways=("query",))
def tells_what_an_expression_lacks(given: Given) -> Response:
    try:
        return answer({"found": [person["uid"] for person in PEOPLE if re.search(given.q, person["uid"])]})
    except re.error as error:
        return answer({"error": f"invalid expression: {error}"}, 400)


@twin("ldapi", value="nobody", ways=("form",))
def finds_nobody_without_brackets(given: Given) -> Response:
    if re.search(r"[()]", given.q):
        return page("Something went wrong.", 500)
    return page(f"Found: {search(f'(&(uid={escape(given.q)})(objectClass=person))')}")


@twin("ldapi")
def escaped(given: Given) -> Response:
    return answer({"found": search(f"(&(objectClass=person)(uid={escape(given.q)}))")})


@twin("ldapi")
def by_patterns(given: Given) -> Response:
    """A search by shell patterns, which knows the star."""
    return answer({"found": [person["uid"] for person in PEOPLE if fnmatch.fnmatchcase(person["uid"], given.q)]})


@twin("ldapi")
def unescapes(given: Given) -> Response:
    """Reads backslashes itself, and looks the value up in a list."""
    value = re.sub(r"\\([0-9a-fA-F]{2})", lambda found: chr(int(found[1], 16)), given.q)
    return answer({"found": [person["uid"] for person in PEOPLE if person["uid"] == value]})


@twin("ldapi")
def complains_of_anything(given: Given) -> Response:
    if not given.q.isalnum():
        return answer({"error": "Bad search filter (-7)"}, 500)
    return answer({"found": search(f"(uid={given.q})")})


@twin("ldapi")
def strips(given: Given) -> Response:
    return answer({"found": search(f"(uid={re.sub(r'[^a-z]', '', given.q)})")})


@twin("ldapi")
def everybody_for_anything_odd(given: Given) -> Response:
    return answer({"found": search(f"(uid={given.q})") if given.q.isalnum() else [person["uid"] for person in PEOPLE]})


@miss("ldapi", ways=("query",))
def nothing_shown(given: Given) -> Response:
    with contextlib.suppress(BadFilter):
        search(f"(uid={given.q})")
    return answer({"logged": True})
