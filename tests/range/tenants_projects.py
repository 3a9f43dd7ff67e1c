"""Projects with roles: what is below one is for its members, and what is asked for by its own number may be for anybody."""

from gatecrash.core.message import Response
from tests.range.place import Given, answer, flaw, twin
from tests.range.tenants_properties import keep, kept, sent
from tests.range.tenants_store import asked, below, caller, missing, unauthorized, written

ROLES = {
    "lamp-lab": {"ann": "owner"},
    "oak-lab": {"ben": "owner"},
    "show-room": {"ann": "editor", "ben": "viewer"},
    "work-shop": {"ann": "owner", "ben": "editor"},
}
TASKS = {"70551": ("lamp-lab", "Paint the lamp on Friday"), "70552": ("oak-lab", "Order the boards")}
SETTINGS = {"description": "What is on show", "colour": "amber"}
_TASK = asked("/tasks/70551")
_LISTED = (asked("/projects"), asked("/projects/lamp-lab"), asked("/projects/lamp-lab/tasks"))
_MEMBERS = asked("/projects/lamp-lab/members")
_BODY = b'{"description": "What is on show"}'
_WRITTEN = written("PUT", "/projects/show-room/settings", _BODY)


def task(number: str) -> dict[str, object]:
    project, text = TASKS[number]
    return {"id": int(number), "project": project, "text": text, "words": 7 * len(text)}


def projects(given: Given, *, guarded: str = "", open_page: bool = False, private: bool = True) -> Response:
    """guarded: what asks, too, whether its reader is a member. open_page: whether anybody reads what a project is
    about. private: whether members are told how to reach each other.
    """
    name, path = caller(given.request), [*below(given.request), "", ""]
    if not name:
        return unauthorized()
    if path[0] == "tasks":
        of = TASKS.get(path[1], ("",))[0]
        return answer(task(path[1])) if of and (guarded != "tasks" or name in ROLES[of]) else missing()
    if not path[1]:
        return answer([{"slug": slug, "role": roles[name]} for slug, roles in ROLES.items() if name in roles])
    roles = ROLES.get(path[1], {})
    if not roles or (
        name not in roles and not (open_page and not path[2]) and (path[2] != "members" or guarded == "members")
    ):
        return missing()
    if path[2] == "tasks":
        return answer([task(number) for number, (of, _) in TASKS.items() if of == path[1]])
    if path[2] == "members":
        reached = {"phone": "+44 20 7946 0101"} if private else {"since": "2024"}
        return answer(
            [{"who": each, "role": role, "seat": f"{path[1]} {each}", **reached} for each, role in roles.items()]
        )
    return answer({"slug": path[1], "size": len(roles)})


def settings(given: Given, place: str, *, writing: tuple[str, ...]) -> Response:
    """A project's settings, which its members read and those with some roles write."""
    name, path = caller(given.request), [*below(given.request), "", ""]
    if path[2] != "settings" or not name:
        return projects(given)
    if given.request.method == "GET" or ROLES[path[1]].get(name) not in writing:
        return (
            answer(kept(place, 1, SETTINGS)) if given.request.method == "GET" else answer({"error": "read only"}, 403)
        )
    keep(place, 1, {**SETTINGS, "description": str(sent(given)["description"])})
    return answer({"ok": True})


@flaw("idor", request=_TASK, beside=_LISTED, apart=True)
def tasks_of_any_project(given: Given) -> Response:
    return projects(given)


@twin("idor", request=_TASK, beside=_LISTED, apart=True)
def tasks_of_ones_own_projects(given: Given) -> Response:
    return projects(given, guarded="tasks")


@twin("idor", request=_TASK, beside=_LISTED, apart=True)
def tasks_of_projects_that_all_may_look_at(given: Given) -> Response:
    """Only the list is for the members."""
    return projects(given, open_page=True)


@flaw("idor", request=_MEMBERS, beside=_LISTED)
def members_of_any_project(given: Given) -> Response:
    return projects(given)


@twin("idor", request=_MEMBERS, beside=_LISTED)
def members_of_ones_own_projects(given: Given) -> Response:
    return projects(given, guarded="members")


@twin("idor", request=_MEMBERS, beside=_LISTED)
def who_takes_part_in_any_project(given: Given) -> Response:
    """Nothing that people keep to themselves."""
    return projects(given, private=False)


@flaw("idor", request=_WRITTEN, beside=(asked("/projects"), asked("/projects/show-room/settings")))
def viewers_write(given: Given) -> Response:
    return settings(given, "viewers_write", writing=("owner", "editor", "viewer"))


@twin("idor", request=_WRITTEN, beside=(asked("/projects"), asked("/projects/show-room/settings")))
def viewers_read_alone(given: Given) -> Response:
    return settings(given, "viewers_read_alone", writing=("owner", "editor"))


@twin(
    "idor",
    request=written("PUT", "/projects/work-shop/settings", _BODY),
    beside=(asked("/projects"), asked("/projects/work-shop/settings")),
)
def editors_write(given: Given) -> Response:
    return settings(given, "editors_write", writing=("owner", "editor"))


def hanging(given: Given, *, guarded: bool) -> Response:
    """A note that its owner alone reads, and what hangs on it."""
    name, path = caller(given.request), [*below(given.request), "", ""]
    if not name:
        return unauthorized()
    if path[:2] == ["notes", "70661"]:
        shown = {"id": 70661, "text": "Where the keys are", "files": [{"id": 80771, "name": "plan.txt"}]}
        return answer(shown) if name == "ann" else missing()
    if path[1] != "80771" or (guarded and name != "ann"):
        return missing()
    return answer({"name": "plan.txt", "says": "Behind the third pot, left of the door"})


_NOTE = (asked("/notes/70661"),)


@flaw("idor", request=asked("/attachments/80771"), beside=_NOTE)
def attachments_of_any_note(given: Given) -> Response:
    return hanging(given, guarded=False)


@twin("idor", request=asked("/attachments/80771"), beside=_NOTE)
def attachments_of_ones_own_notes(given: Given) -> Response:
    return hanging(given, guarded=True)


@twin("idor", request=asked("/manuals/80771"), beside=_NOTE)
def manuals_that_a_note_leads_to(given: Given) -> Response:
    """Everybody's, whoever's note speaks of them."""
    return hanging(given, guarded=False)


def posted(given: Given, number: int, **said: str) -> Response:
    """Posts of a journal that its owner alone opens, and each of which is given to whoever asks. said: what the journal says of
    itself. number: another one in each place, as they stand in one record.
    """
    name, path = caller(given.request), [*below(given.request), "", ""]
    if not name:
        return unauthorized()
    post = {"id": number, "journal": "lamp-log", "text": "The lamp is painted", "words": 133}
    if path[:2] == ["posts", str(number)]:
        return answer(post)
    if path[:2] != ["journals", "lamp-log"] or name != "ann":
        return missing()
    return answer([post] if path[2] == "posts" else {"slug": "lamp-log", "posts": 1, **said})


_JOURNAL = (asked("/journals/lamp-log"), asked("/journals/lamp-log/posts"))


@flaw("idor", request=asked("/posts/70771"), beside=_JOURNAL)
def posts_of_a_private_journal(given: Given) -> Response:
    return posted(given, 70771, visibility="private")


@twin("idor", request=asked("/posts/70772"), beside=_JOURNAL)
def posts_that_are_written_for_readers(given: Given) -> Response:
    return posted(given, 70772)
