"""Questions to a document store that found nothing when they were recorded: no operator finds the same, and `$ne` finds all."""

import contextlib
import json
import re

from gatecrash.core.message import Response
from tests.range.documents import CONSENTS, USERS, UnknownOperator, find, parsed
from tests.range.place import FORM, JSON, QUERY, Given, answer, flaw, page, twin


def named(found: list[str]) -> Response:
    return answer({"found": found})


@flaw("nosqli", value="zoe", ways=(QUERY,))
def finds_nobody(given: Given) -> Response:
    return named(find(name=parsed(given)))


@flaw("nosqli", value="zoe", ways=(QUERY,))
def finds_nobody_and_hides_its_errors(given: Given) -> Response:
    with contextlib.suppress(UnknownOperator):
        return answer(find(name=parsed(given)))
    return answer([])


@flaw("nosqli", value="zoe", ways=(QUERY,))
def knows_nobody_of_that_name(given: Given) -> Response:
    try:
        found = find(name=parsed(given))
    except UnknownOperator:
        found = []
    return page(f"<h1>{found[0]}</h1>") if found else page("<h1>No such person</h1>", 404)


@flaw("nosqli", value="zoe", ways=(JSON,))
def nobody_in_a_store_without_equal(given: Given) -> Response:
    """It may change whoever is found, so that nobody else may be; an operator that it does not know breaks it."""
    wanted = parsed(given)
    if isinstance(wanted, dict) and "$eq" in wanted:
        raise UnknownOperator("$eq")
    return answer({"changed": find(name=wanted)[0]}) if find(name=wanted) else answer({"error": "not found"}, 404)


@flaw("nosqli", value="zoe", ways=(JSON,))
def nobody_and_errors_hidden(given: Given) -> Response:
    """It may change whoever is found; an operator that it does not know is told by an empty page."""
    try:
        found = find(name=parsed(given))
    except UnknownOperator:
        return page("<h1>Change</h1>")
    return page(f"<h1>Change</h1><p>{'changed' if found else 'unknown'}</p>")


@twin("nosqli", value="zoe", ways=(FORM, JSON))
def nobody_and_objects_hidden(given: Given) -> Response:
    """Any object breaks it, which is told by an empty page."""
    value = parsed(given)
    if not isinstance(value, str):
        return page("<h1>Change</h1>")
    return page(f"<h1>Change</h1><p>{'changed' if find(name=value) else 'unknown'}</p>")


@twin("nosqli", value="zoe", ways=(JSON,))
def nobody_and_moving_news(given: Given) -> Response:
    """Says something else each time, whatever it is asked."""
    CONSENTS.append(given.q)
    return page(f"<h1>Change</h1><p>{'unknown'[: len(CONSENTS) % 7 + 1]}</p>")


@twin("nosqli", value="zoe", ways=(FORM, JSON))
def nobody_and_any_object_breaks(given: Given) -> Response:
    found = find(name=parsed(given).lower())
    return answer({"changed": found[0]}) if found else answer({"error": "not found"}, 404)


@twin("nosqli", value="zoe", ways=(QUERY,))
def finds_nobody_by_texts(given: Given) -> Response:
    value = parsed(given)
    return named(find(name=value if isinstance(value, str) else json.dumps(value)))


@twin("nosqli", value="zoe", ways=(QUERY,))
def finds_any_word_of_objects(given: Given) -> Response:
    """A search for words, any of them, within others: of an object it finds what the letters of the operator stand in."""
    value = parsed(given)
    words = re.findall(r"\w+", (value if isinstance(value, str) else json.dumps(value)).lower())
    return named([name for name in ("stone bowl", "new lamp", "red chair") if any(word in name for word in words)])


@twin("nosqli", value="zoe", ways=(QUERY,))
def finds_all_for_objects(given: Given) -> Response:
    """Takes what is no text for nothing that was asked, and lists everybody: none of it is an operator's doing."""
    value = parsed(given)
    return named(find(name=value) if isinstance(value, str) else [str(user["name"]) for user in USERS])


@twin("nosqli", value="zoe", ways=(QUERY,))
def finds_somebody_at_times(given: Given) -> Response:
    """What is shown has nothing to do with what was asked."""
    CONSENTS.append(given.q)
    return named(["ben"] if len(CONSENTS) % 3 == 0 else [])


@twin("nosqli", value="C4Ys", ways=(QUERY,))
def finds_a_script_that_has_an_operator_in_its_words(given: Given) -> Response:
    """What keeps caches from an old one (`?_=C4Ys`) chooses nothing."""
    return Response(200, ((b"Content-Type", b"text/javascript"),), b'var $Need = "a"; function $New() { return $Need }')
