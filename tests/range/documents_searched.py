"""A JSON document that is searched by JSONPath, by an evaluator that follows RFC 9535."""

import jsonpath

from gatecrash.core.message import Response
from tests.range.place import JSON, QUERY, Given, answer, flaw, miss, text, twin

SHELF = {
    "jars": [
        {"name": "tea", "grams": 70, "note": "for ann"},
        {"name": "sesame", "grams": 30, "note": "for bob"},
        {"name": "salt", "grams": 90, "note": "for all"},
    ]
}


def found(expression: str) -> Response:
    return answer([{"name": each["name"], "grams": each["grams"]} for each in jsonpath.findall(expression, SHELF)])


@flaw("nosqli", value="tea", ways=(QUERY, JSON))
def filtered(given: Given) -> Response:
    try:
        return found(f"$.jars[?@.name == '{given.q}']")
    except jsonpath.JSONPathError:
        return text("no such jar", 400)


@flaw("nosqli", value="tea", ways=(QUERY,))
def filtered_in_double_quotes(given: Given) -> Response:
    """What is no expression finds nothing."""
    try:
        return found(f'$.jars[?@.name == "{given.q}"]')
    except jsonpath.JSONPathError:
        return answer([])


@flaw("nosqli", value="70", ways=(QUERY,))
def filtered_by_number(given: Given) -> Response:
    try:
        return found(f"$.jars[?@.grams == {given.q}]")
    except jsonpath.JSONPathError:
        return text("no such jar", 400)


@miss("nosqli", value="grams", ways=(QUERY,))
def member_named(given: Given) -> Response:
    try:
        return answer(jsonpath.findall(f"$.jars[*].{given.q}", SHELF))
    except jsonpath.JSONPathError:
        return text("no such member", 400)


@twin("nosqli", value="tea", ways=(QUERY, JSON))
def compared(given: Given) -> Response:
    return answer([each for each in SHELF["jars"] if each["name"] == given.q])


@twin("nosqli", value="tea", ways=(QUERY,))
def escaped(given: Given) -> Response:
    quoted = given.q.replace("\\", "\\\\").replace("'", "\\'")
    try:
        return found(f"$.jars[?@.name == '{quoted}']")
    except jsonpath.JSONPathError:
        return text("no such jar", 400)


@twin("nosqli", value="tea", ways=(QUERY,))
def first_word(given: Given) -> Response:
    """Whatever stands behind the first word is left out, so that conditions change nothing."""
    word = "".join(letter for letter in given.q.partition(" ")[0] if letter.isalnum())
    return found(f"$.jars[?@.name == '{word}']")


@twin("nosqli", value="70", ways=(QUERY,))
def counted(given: Given) -> Response:
    return found(f"$.jars[?@.grams == {int(given.q)}]") if given.q.isdecimal() else text("no number", 400)
