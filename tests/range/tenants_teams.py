"""Teams that each member knows by a list alone: whether somebody belongs to one is looked at, and which team a document
is of may not be.
"""

from collections.abc import Callable

from gatecrash.core.message import Response
from tests.range.place import Given, answer, flaw, page, twin
from tests.range.tenants_store import asked, below, caller, missing, unauthorized

TEAMS = {"61": ("Lamps", "ann"), "62": ("Shelves", "ben"), "63": ("Everybody", "")}
DOCUMENTS = {
    "31": ("61", "Paint the lamp on Friday"),
    "32": ("62", "Order the oak boards"),
    "33": ("63", "Opening hours"),
}
_DOCUMENT = asked("/teams/61/documents/31")
_LIST = (asked("/teams"),)
Shown = Callable[[str, str], Response]


def told(number: str, *names: str) -> dict[str, object]:
    team, text = DOCUMENTS[number]
    document: dict[str, object] = {"id": int(number), "text": text, "words": 7 * len(text), "team_id": int(team)}
    return {name: value for name, value in document.items() if name not in names}


def members(given: Given, shown: Shown) -> Response:
    """What is below a team is for its members. shown: what stands there, by the team and the number, which is empty for their list."""
    name, path = caller(given.request), below(given.request)
    if not name:
        return unauthorized()
    mine = [number for number, (_, member) in TEAMS.items() if member in (name, "")]
    if len(path) == 1:
        return answer([{"id": int(number), "name": TEAMS[number][0]} for number in mine])
    if path[1] not in mine:
        return answer({"error": "not your team"}, 403)
    return shown(path[1], path[3] if len(path) > 3 else "")


def listed(team: str, *without: str) -> Response:
    return answer([told(number, *without) for number, (of, _) in DOCUMENTS.items() if of == team])


def any_document(*without: str) -> Shown:
    def shown(team: str, number: str) -> Response:
        if not number:
            return listed(team, *without)
        return answer(told(number, *without)) if number in DOCUMENTS else missing()

    return shown


def of_team(team: str, number: str) -> Response:
    if not number:
        return listed(team)
    return answer(told(number)) if DOCUMENTS.get(number, ("",))[0] == team else missing()


@flaw("idor", request=_DOCUMENT, beside=_LIST)
def member_is_looked_at_alone(given: Given) -> Response:
    return members(given, any_document())


@flaw("idor", request=_DOCUMENT, beside=(asked("/me/teams"),))
def teams_are_listed_elsewhere(given: Given) -> Response:
    """The list of one's own teams is no list above them, and a page of links."""
    if below(given.request) == ["me", "teams"]:
        name = caller(given.request)
        mine = [number for number, (_, member) in TEAMS.items() if name and member in (name, "")]
        place = given.request.path.decode().removesuffix("/me/teams")
        return page("".join(f'<li><a href="{place}/teams/{number}">{TEAMS[number][0]}</a></li>' for number in mine))
    return missing() if len(below(given.request)) == 1 else members(given, any_document())


def by_state(given: Given, shown: Shown) -> Response:
    """The first one's team is busy, the other's is not: a list of the busy ones shows the other nothing."""
    is_empty = given.request.query == b"state=busy" and caller(given.request) == "ben"
    return answer([]) if is_empty else members(given, shown)


@flaw("idor", request=_DOCUMENT, beside=(asked("/teams?state=busy"),))
def teams_were_listed_by_a_state(given: Given) -> Response:
    return by_state(given, any_document())


@twin("idor", request=_DOCUMENT, beside=(asked("/teams?state=busy"),))
def teams_were_listed_by_a_state_and_the_document_is_looked_at(given: Given) -> Response:
    return by_state(given, of_team)


@twin("idor", request=_DOCUMENT, beside=_LIST)
def document_is_looked_for_in_its_team(given: Given) -> Response:
    return members(given, of_team)


@twin("idor", request=_DOCUMENT, beside=_LIST)
def numbers_count_within_a_team(given: Given) -> Response:
    """Each team has a document 31 of its own, of the same kind."""

    def shown(team: str, number: str) -> Response:
        own = {"id": 31, "text": f"What {TEAMS[team][0]} are for", "words": 40 + int(team), "team_id": int(team)}
        return answer(own if number else [own]) if number in ("", "31") else missing()

    return members(given, shown)


@twin("idor", request=_DOCUMENT, beside=_LIST)
def documents_for_every_team(given: Given) -> Response:
    """A document says no team: templates, of which each team lists those that it has used."""
    return members(given, any_document("team_id"))


@twin("idor", request=_DOCUMENT, beside=_LIST)
def shown_to_every_team(given: Given) -> Response:
    """A document of one team that the lists of all of them have."""

    def shown(team: str, number: str) -> Response:
        return any_document()(team, number) if number else answer([told(each) for each in DOCUMENTS])

    return members(given, shown)


@twin("idor", request=asked("/teams/63/documents/33"), beside=_LIST)
def document_of_everybodys_team(given: Given) -> Response:
    """Both are members of its team."""
    return members(given, any_document())


def nested(given: Given, *, checked: bool) -> Response:
    """Two levels: `/orgs/{}/teams/{}/documents/{}`. Each org has a team; only its own members are let in. checked: also for the team."""
    name, path = caller(given.request), below(given.request)
    org = {"ann": "71", "ben": "72"}.get(name or "")
    team = {"ann": "61", "ben": "62"}.get(name or "")
    if org is None or team is None:
        return unauthorized()
    if len(path) == 1:
        return answer([{"id": int(org), "name": f"Guild {org}"}])
    if path[1] != org:
        return answer({"error": "not your guild"}, 403)
    if len(path) < 4:
        return answer([{"id": int(team), "name": TEAMS[team][0]}])
    if path[3] != team:
        return answer({"error": "not your team"}, 403)
    return (of_team if checked else any_document())(team, path[5] if len(path) > 5 else "")


_NESTED = asked("/orgs/71/teams/61/documents/31")


@flaw("idor", request=_NESTED, beside=(asked("/orgs"),))
def both_above_are_looked_at(given: Given) -> Response:
    return nested(given, checked=False)


@twin("idor", request=_NESTED, beside=(asked("/orgs"),))
def both_above_and_the_document_are_looked_at(given: Given) -> Response:
    return nested(given, checked=True)
