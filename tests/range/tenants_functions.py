"""Functions of the tenants' manager: open to customers, refused to them, or meant for everybody."""

from gatecrash.core.message import Response
from tests.range.place import Given, answer, flaw, miss, twin
from tests.range.tenants_store import PEOPLE, asked, below, caller, missing, rows, unauthorized, written

AUDIT = {"entries": [{"at": "2024-05-17", "who": "ida", "did": "closed the till"}, {"who": "max", "did": "refund 77"}]}


def rank(name: str) -> str:
    return str(PEOPLE[name]["rank"]) if name else ""


def people() -> Response:
    return answer(list(PEOPLE.values()))


def forbidden() -> Response:
    return answer({"error": "managers only"}, 403)


def promoted(place: str, given: Given) -> Response:
    rows(
        "INSERT OR REPLACE INTO fields VALUES (?, ?, 'rank', ?)",
        place,
        below(given.request)[2],
        str(given.values["rank"]),
    )
    return answer({"ok": True, "user": int(below(given.request)[2]), "rank": given.values["rank"]})


BODY = b'{"rank": "customer"}'


@flaw("auth", request=asked("/admin/users", name="ida"))
def everybodys_list(given: Given) -> Response:
    """Only the button is hidden."""
    if not caller(given.request):
        return unauthorized()
    return people() if below(given.request) == ["admin", "users"] else missing()


@flaw("auth", request=asked("/audit/entries", name="ida"))
def below_a_refused_section(given: Given) -> Response:
    """The section checks ranks, one function in it does not."""
    name, path = caller(given.request), below(given.request)
    if not name:
        return unauthorized()
    if path == ["audit", "entries"]:
        return answer(AUDIT)
    if path == ["audit"]:
        return answer({"functions": ["entries"]}) if rank(name) == "manager" else forbidden()
    return missing()


@twin("auth", request=asked("/members/me", name="ida"))
def oneself_in_a_refused_section(given: Given) -> Response:
    """The list of all is for the manager, and everybody's settings, alike at first, are there for himself."""
    name, path = caller(given.request), below(given.request)
    if not name:
        return unauthorized()
    if path == ["members"]:
        return people() if rank(name) == "manager" else forbidden()
    settings = {"language": "en", "digest": "weekly", "format": "metric", "start_page": "calendar"}
    return answer({"settings": settings, "signed_in": True}) if path == ["members", "me"] else missing()


@flaw("auth", request=asked("/desk/entries.json", name="ida"))
def page_as_a_file(given: Given) -> Response:
    """The page checks ranks, and not what gives it as a file."""
    return as_a_file(given, checked=forbidden())


@twin("auth", request=asked("/desk/entries.json", name="ida"))
def page_for_everybody_as_a_file(given: Given) -> Response:
    return as_a_file(given, checked=answer(AUDIT))


@twin("auth", request=asked("/desk/entries.json", name="ida"))
def file_without_a_page(given: Given) -> Response:
    return as_a_file(given, checked=missing())


def as_a_file(given: Given, checked: Response) -> Response:
    """checked: what a customer is answered by the page."""
    name, path = caller(given.request), below(given.request)
    if not name:
        return unauthorized()
    if path == ["desk", "entries"]:
        return answer(AUDIT) if rank(name) == "manager" else checked
    return answer(AUDIT) if path == ["desk", "entries.json"] else missing()


@flaw("auth", request=written("POST", "/admin/users/8/promote", BODY, name="ida"))
def anybody_promotes(given: Given) -> Response:
    return promoted("anybody_promotes", given) if caller(given.request) else unauthorized()


@flaw("auth", request=written("PUT", "/staff/users/8", BODY, name="ida"))
def changes_below_a_refused_section(given: Given) -> Response:
    name, path = caller(given.request), below(given.request)
    if not name:
        return unauthorized()
    if given.request.method == "GET":
        return answer({"staff": ["users"]}) if rank(name) == "manager" else forbidden()
    return promoted("changes_below", given) if path[:2] == ["staff", "users"] else missing()


@twin("auth", request=asked("/admin/users", name="ida"))
def managers_only(given: Given) -> Response:
    name = caller(given.request)
    if not name:
        return unauthorized()
    return people() if rank(name) == "manager" else forbidden()


@twin("auth", request=asked("/admin/users", name="ida"))
def hidden_from_customers(given: Given) -> Response:
    name = caller(given.request)
    if not name:
        return unauthorized()
    return people() if rank(name) == "manager" and below(given.request) == ["admin", "users"] else missing()


@twin("auth", request=asked("/admin/users", name="ida"))
def customers_see_themselves(given: Given) -> Response:
    name = caller(given.request)
    if not name:
        return unauthorized()
    return people() if rank(name) == "manager" else answer([PEOPLE[name]])


@twin("auth", request=asked("/products/new", name="ida"))
def for_everybody(given: Given) -> Response:
    """The manager reads what all customers read."""
    if not caller(given.request):
        return unauthorized()
    return (
        answer({"products": [{"name": "Lamp"}, {"name": "Shelf"}]})
        if below(given.request)[1:] == ["new"]
        else missing()
    )


NEWS = {"news": [{"title": "The lift works"}, {"title": "Closed on Monday"}]}


@twin("auth", request=asked("/admin/news", name="ida"))
def told_outside_of_the_section(given: Given) -> Response:
    """What managers are shown among their pages is everybody's who is signed in."""
    if not caller(given.request):
        return unauthorized()
    return answer(NEWS) if below(given.request) in (["news"], ["admin", "news"]) else missing()


@twin("auth", request=asked("/admin/news", name="ida"))
def news_in_the_section_alone(given: Given) -> Response:
    """What is written for all to read has no other place."""
    if not caller(given.request):
        return unauthorized()
    return answer(NEWS) if below(given.request) == ["admin", "news"] else missing()


@flaw("auth", request=asked("/admin/news", name="ida"))
def told_in_the_section_alone(given: Given) -> Response:
    if not caller(given.request):
        return unauthorized()
    drafts = {"news": [*NEWS["news"], {"title": "The bakery is sold"}]}
    told = {"news": NEWS, "admin": drafts} if below(given.request)[-1:] == ["news"] else {}
    return answer(told[below(given.request)[0]]) if told and below(given.request)[0] in told else missing()


@twin("auth", request=asked("/admin/theme.json", name="ida"), also=("auth",))
def given_to_anybody(given: Given) -> Response:
    """Below a word for managers, and public: what a login page is drawn with."""
    return (
        answer({"colour": "blue", "logo": "lamp.svg"}) if below(given.request) == ["admin", "theme.json"] else missing()
    )


@twin("auth", request=asked("/admin/users", name="ida"))
def refused_in_words(given: Given) -> Response:
    name = caller(given.request)
    return people() if name and rank(name) == "manager" else answer({"ok": False, "message": "permission denied"})


@twin("auth", request=asked("/admin/anything", name="ida"))
def one_page_for_the_section(given: Given) -> Response:
    """Every path of the section gives the same frame to whoever is signed in."""
    return answer({"app": "console", "script": "/console.js"}) if caller(given.request) else unauthorized()


@twin("auth", request=written("POST", "/admin/users/8/promote", BODY, name="ida"))
def managers_promote(given: Given) -> Response:
    name = caller(given.request)
    if not name:
        return unauthorized()
    return promoted("managers_promote", given) if rank(name) == "manager" else forbidden()


@twin("auth", request=written("POST", "/admin/users/8/promote", BODY, name="ida"))
def politely_does_nothing(given: Given) -> Response:
    name = caller(given.request)
    if not name:
        return unauthorized()
    if rank(name) == "manager":
        return promoted("politely_does_nothing", given)
    return answer({"ok": False, "user": 8, "rank": "unchanged"})


@twin("auth", request=written("POST", "/carts/5/items", b'{"item": "lamp"}', name="ida"))
def everybody_orders(given: Given) -> Response:
    return answer({"ok": True, "item": given.values["item"]}) if caller(given.request) else unauthorized()


def approved(given: Given) -> Response:
    return answer({"id": int(below(given.request)[1]), "state": "approved"})


@flaw("auth", request=written("POST", "/loans/8/approve", b"{}", name="ida"))
def anybody_approves(given: Given) -> Response:
    """Who applies for a loan grants it to himself."""
    return approved(given) if caller(given.request) else unauthorized()


@twin("auth", request=written("POST", "/loans/8/approve", b"{}", name="ida"))
def managers_approve(given: Given) -> Response:
    name = caller(given.request)
    if not name:
        return unauthorized()
    return approved(given) if rank(name) == "manager" else forbidden()


@twin("auth", request=written("POST", "/invitations/8/approve", b"{}", name="ida"))
def everybody_approves_guests(given: Given) -> Response:
    """Whom one wants to meet is everybody's own to say."""
    return approved(given) if caller(given.request) else unauthorized()


CALL = b'{"jsonrpc": "2.0", "id": 4, "method": "user.setRole", "params": {"user": "ben", "role": "clerk"}}'


def role_given(given: Given) -> Response:
    return answer({"jsonrpc": "2.0", "id": given.values["id"], "result": given.values["params"]})


@flaw("auth", request=written("POST", "/rpc", CALL, name="ida"))
def anybody_gives_roles(given: Given) -> Response:
    return role_given(given) if caller(given.request) else unauthorized()


@twin("auth", request=written("POST", "/rpc", CALL, name="ida"))
def managers_give_roles(given: Given) -> Response:
    name = caller(given.request)
    if not name:
        return unauthorized()
    if rank(name) == "manager":
        return role_given(given)
    return answer({"jsonrpc": "2.0", "id": given.values["id"], "error": {"code": -32004, "message": "forbidden"}})


PAY = {"data": [{"employee": "Ann Marsh", "salary": 4100}, {"employee": "Ben Frost", "salary": 3900}]}


@flaw("auth", request=asked("/reports/pay", name="ida"))
def tells_what_others_earn(given: Given) -> Response:
    """Nothing in the path says who it is for; that it holds the salaries of all does."""
    if not caller(given.request):
        return unauthorized()
    return answer(PAY) if below(given.request) == ["reports", "pay"] else missing()


@twin("auth", request=asked("/reports/pay", name="ida"))
def tells_managers_what_others_earn(given: Given) -> Response:
    name = caller(given.request)
    if not name:
        return unauthorized()
    own = {"data": [each for each in PAY["data"] if each["employee"] == PEOPLE[name]["name"]]}
    return answer(PAY if rank(name) == "manager" else own)


@twin("auth", request=asked("/plans/cards", name="ida"))
def tells_what_cards_cost(given: Given) -> Response:
    """Credit in a price list is nobody's secret."""
    if not caller(given.request):
        return unauthorized()
    prices = [{"card": "blue", "credit_limit": 500}, {"card": "gold", "credit_limit": 5000}]
    return answer({"cards": prices}) if below(given.request) == ["plans", "cards"] else missing()


def closed(given: Given) -> Response:
    name, pitch, act = caller(given.request), *below(given.request)[2:4]
    return answer({"pitch": int(pitch), "state": act}) if name and act in ("close", "join") else missing()


@flaw("auth", request=written("POST", "/warden/pitches/8/close", b"{}", name="ida"))
def anybody_closes_for_the_warden(given: Given) -> Response:
    """Warden is what the application calls the role of who runs it."""
    return closed(given) if caller(given.request) else unauthorized()


@twin("auth", request=written("POST", "/warden/pitches/8/close", b"{}", name="ida"))
def wardens_close(given: Given) -> Response:
    name = caller(given.request)
    if not name:
        return unauthorized()
    return closed(given) if rank(name) == "manager" else forbidden()


@twin("auth", request=written("POST", "/warden/pitches/8/join", b"{}", name="ida"))
def everybody_joins(given: Given) -> Response:
    """What everybody does stands below the role of who offers it."""
    return closed(given) if caller(given.request) else unauthorized()


@twin("auth", request=written("POST", "/warden/pitches/8/close", b"{}", name="ida"))
def any_path_below_the_warden(given: Given) -> Response:
    """One answer for whatever is sent to the section."""
    return answer({"app": "desk", "script": "/desk.js"}) if caller(given.request) else unauthorized()


GUESTS = {
    "today": [{"who": "Ann Marsh", "phone": "+44 20 7946 0101"}, {"who": "Ben Frost", "phone": "+44 20 7946 0102"}]
}


@flaw("auth", request=asked("/warden/guests", name="ida"))
def tells_everybody_the_wardens_guests(given: Given) -> Response:
    if not caller(given.request):
        return unauthorized()
    return answer(GUESTS) if below(given.request) == ["warden", "guests"] else missing()


@flaw("auth", request=asked("/wardens/guests", name="ida"))
def tells_everybody_the_guests_of_all_wardens(given: Given) -> Response:
    """The section has the role in the plural."""
    if not caller(given.request):
        return unauthorized()
    return answer(GUESTS) if below(given.request) == ["wardens", "guests"] else missing()


@twin("auth", request=asked("/wardens/available", name="ida"))
def tells_everybody_which_wardens_are_there(given: Given) -> Response:
    """The wardens are looked for here, by whoever needs one."""
    if not caller(given.request):
        return unauthorized()
    return answer(GUESTS) if below(given.request) == ["wardens", "available"] else missing()


@twin("auth", request=asked("/wardens/guests", name="ida"))
def wardens_read_their_guests(given: Given) -> Response:
    name = caller(given.request)
    if not name:
        return unauthorized()
    return answer(GUESTS) if rank(name) == "manager" else forbidden()


@twin("auth", request=asked("/warden/tents", name="ida"))
def tells_everybody_the_wardens_tents(given: Given) -> Response:
    """Nothing that anybody keeps to himself."""
    if not caller(given.request):
        return unauthorized()
    tents = [{"name": "Lake", "beds": 4}, {"name": "Forest", "beds": 2}]
    return answer({"tents": tents}) if below(given.request) == ["warden", "tents"] else missing()


@miss("auth", request=asked("/reports/all", name="ida"))
def nothing_says_who_it_is_for(given: Given) -> Response:
    return answer(AUDIT) if caller(given.request) else unauthorized()
