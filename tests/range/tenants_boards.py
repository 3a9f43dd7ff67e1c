"""Cards on boards: each lists those that he made, and whoever works at a board changes all that stand there."""

from collections.abc import Callable

from gatecrash.core.message import Response
from tests.range.place import Given, answer, flaw, twin
from tests.range.tenants_store import PEOPLE, SIGNED, asked, below, caller, missing, unauthorized, written

TITLES: dict[str, dict[str, str]] = {}
MADE = {"83131": "ann", "83132": "ben"}
_WRITE = written("PATCH", "/cards/83131", b'{"title": "Paint the fence"}', tokens=SIGNED)
_WITHIN = written("PATCH", "/boards/5/cards/83131", b'{"title": "Paint the fence"}', tokens=SIGNED)
_BESIDE = (asked("/my/cards", tokens=SIGNED), asked("/cards/83131", tokens=SIGNED))
_BESIDE_WITHIN = (asked("/boards/5/mine", tokens=SIGNED), asked("/boards/5/cards/83131", tokens=SIGNED))
Card = Callable[[str, dict], dict]


def cards(given: Given, place: str, shown: Card) -> Response:
    """shown: what is told of a card, by its number and what all of them tell."""
    name, path = caller(given.request), below(given.request)
    if not name:
        return unauthorized()
    titles = TITLES.setdefault(place, {"83131": "Paint the fence", "83132": "Order the sand"})
    if path[-1] in ("cards", "mine"):
        return answer([{"id": int(each), "title": titles[each]} for each in MADE if MADE[each] == name])
    if (number := path[-1]) not in titles:
        return missing()
    if given.request.method == "PATCH":
        titles[number] = str(given.values["title"])
    return answer(shown(number, {"id": int(number), "title": titles[number]}))


def on_board(*boards: int) -> Card:
    """Which boards ann's card and ben's stand on."""
    of = dict(zip(MADE, boards, strict=True))
    return lambda number, told: {**told, "created_by": PEOPLE[MADE[number]]["id"], "board_id": of[number]}


@flaw("idor", request=_WRITE, beside=_BESIDE)
def of_another_board(given: Given) -> Response:
    return cards(given, "of_another_board", on_board(5, 6))


@flaw("idor", request=_WRITE, beside=_BESIDE)
def of_its_owner_on_the_board(given: Given) -> Response:
    """A card says whose it is, and not only who made it."""
    shown = on_board(5, 5)
    return cards(
        given, "of_its_owner", lambda number, told: {**shown(number, told), "owner_id": 7 + (number == "83132")}
    )


@flaw("idor", request=_WRITE, beside=_BESIDE)
def of_one_event(given: Given) -> Response:
    """Who books the same event works at nothing together."""
    return cards(given, "of_one_event", lambda _, told: {**told, "event_id": 5})


@twin("idor", request=_WRITE, beside=_BESIDE)
def of_one_board(given: Given) -> Response:
    return cards(given, "of_one_board", on_board(5, 5))


@twin("idor", request=_WITHIN, beside=_BESIDE_WITHIN)
def below_one_board(given: Given) -> Response:
    return cards(given, "below_one_board", lambda _, told: told)
