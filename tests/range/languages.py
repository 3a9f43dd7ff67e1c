"""Search fields with a language of their own, which complain of what they cannot read in the words of other evaluators."""

import html
import re

from gatecrash.core.message import Response
from tests.range.place import QUERY, Given, answer, page, twin

TITLES = ("green tea", "black tea", "oolong", "mate and a gourd", "rooibos", "white tea from Fujian")


def read(query: str) -> list[str]:
    """The words and phrases of a query; a backslash takes what follows as it is. Raises ValueError in its own words."""
    words, word, quote, depth, at = [], "", "", 0, 0
    while at < len(query):
        sign = query[at]
        if sign == "\\":
            word, at = word + query[at + 1 : at + 2], at + 1
        elif quote:
            quote, word = ("", word) if sign == quote else (quote, word + sign)
        elif sign in "'\"":
            quote = sign
        elif sign in "()":
            depth += 1 if sign == "(" else -1
        elif sign == " ":
            words, word = [*words, word], ""
        else:
            word += sign
        if depth < 0:
            raise ValueError("Missing '('")
        at += 1
    if quote:
        raise ValueError("Unterminated string literal")
    if depth:
        raise ValueError("Unbalanced parenthesis")
    return [each for each in (*words, word) if each and each.lower() not in ("and", "or")]


@twin("ldapi")
def found_by_words(given: Given) -> Response:
    try:
        words = read(given.q)
    except ValueError as error:
        return answer({"error": f"The query cannot be read: {error}"}, 400)
    return answer({"found": [title for title in TITLES if any(word in title for word in words)]})


@twin("ldapi", value="3+4", ways=(QUERY,))
def added(given: Given) -> Response:
    """Counts brackets first, and has one answer for all else that it cannot add up."""
    depths = [given.q[:end].count("(") - given.q[:end].count(")") for end in range(len(given.q) + 1)]
    if min(depths) < 0 or depths[-1]:
        return answer({"error": "Unbalanced parenthesis"}, 400)
    if not re.fullmatch(r"[\d+() ]+", given.q):
        return answer({"error": "This cannot be added up"}, 400)
    return answer({"sum": sum(int(each) for each in re.findall(r"\d+", given.q))})


@twin("xpathi")
def found_by_phrases(given: Given) -> Response:
    return found_by_words(given)


@twin("ldapi")
def found_by_patterns(given: Given) -> Response:
    try:
        pattern = re.compile(given.q)
    except re.error as error:
        return answer({"error": f"invalid regular expression: {error}"}, 400)
    return answer({"found": [title for title in TITLES if pattern.search(title)]})


@twin("info")
def nothing_at_this_hour(given: Given) -> Response:
    """Names what was asked for, and when: `at /…:17:05`."""
    if given.q != "tea":
        return page(f"<p>Nothing at /{html.escape(given.q)}</p><footer>11:17:05</footer>", 404)
    return page("<p>tea</p><footer>11:17:05</footer>")
