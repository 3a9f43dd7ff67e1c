"""An API of two tenants that gives objects to whoever asks, or to their owners, or to all that may see them."""

from gatecrash.core.message import Response
from tests.range.place import Given, answer, flaw, miss, page, twin
from tests.range.tenants_store import (
    OPAQUE,
    PEOPLE,
    SECRETS,
    SIGNED,
    UUIDS,
    asked,
    below,
    caller,
    missing,
    orders,
    unauthorized,
)


def mine(name: str) -> Response:
    """The caller's own orders, as a list shows them."""
    return answer(
        {"orders": [{"id": o["id"], "uuid": o["uuid"], "name": o["name"]} for o in orders("owner = ?", name)]}
    )


def one(found: list[dict]) -> Response:
    return answer({"order": found[0]}) if found else missing()


def numbered(value: str) -> list[dict]:
    return orders("id = ?", int(value)) if value.isdigit() else []


# Given to whoever asks


@flaw("idor", request=asked("/orders/31"))
def by_number(given: Given) -> Response:
    name, path = caller(given.request), below(given.request)
    if not name:
        return unauthorized()
    return one(numbered(path[1])) if len(path) > 1 else mine(name)


@flaw("idor", request=asked(f"/orders/{UUIDS[0]}"))
def by_uuid(given: Given) -> Response:
    name, path = caller(given.request), below(given.request)
    if not name:
        return unauthorized()
    return one(orders("uuid = ?", path[1])) if len(path) > 1 else mine(name)


@flaw("idor", request=asked("/orders?order_id=31"))
def by_parameter(given: Given) -> Response:
    name = caller(given.request)
    if not name:
        return unauthorized()
    return one(numbered(str(given.values["order_id"]))) if "order_id" in given.values else mine(name)


@flaw("idor", request=asked("/lists/groceries"))
def by_name(given: Given) -> Response:
    name, path = caller(given.request), below(given.request)
    if not name:
        return unauthorized()
    return one(orders("name = ?", path[1])) if len(path) > 1 else mine(name)


@flaw("idor", request=asked("/orders/31", tokens=SIGNED))
def owner_is_named(given: Given) -> Response:
    """Nothing is listed; the answer says whose it is, as the token does."""
    name, path = caller(given.request), below(given.request)
    if not name:
        return unauthorized()
    found = numbered(path[1]) if len(path) > 1 else []
    return answer({**found[0], "customer": {"email": PEOPLE[found[0]["owner"]]["email"]}}) if found else missing()


@flaw("idor", request=asked("/users/7", tokens=SIGNED))
def own_number(given: Given) -> Response:
    """The identifier is the caller's own number."""
    name, path = caller(given.request), below(given.request)
    if not name:
        return unauthorized()
    found = [each for each in PEOPLE.values() if len(path) > 1 and str(each["id"]) == path[1]]
    return answer(found[0]) if found else answer({"error": "forbidden"}, 403)


def told_below_a_user(given: Given, *, checks: bool = False) -> Response:
    """What stands below a user's number, without a word of whose it is. checks: it is given to him alone."""
    name, path = caller(given.request), below(given.request)
    if not name:
        return unauthorized()
    owner = next((key for key, each in PEOPLE.items() if len(path) > 2 and str(each["id"]) == path[1]), "")
    if not owner or (checks and owner != name):
        return missing()
    return answer([{"kind": f"of {owner}s", "since": SECRETS[owner]}])


@flaw("idor", request=asked("/users/7/allergies", tokens=SIGNED))
def what_nobody_shares(given: Given) -> Response:
    return told_below_a_user(given)


@twin("idor", request=asked("/users/7/allergies", tokens=SIGNED))
def what_nobody_is_told(given: Given) -> Response:
    return told_below_a_user(given, checks=True)


@twin("idor", request=asked("/users/7/badges", tokens=SIGNED))
def what_a_user_shows(given: Given) -> Response:
    return told_below_a_user(given)


@flaw("idor", request=asked("/users/7/orders/31", tokens=SIGNED))
def below_a_user(given: Given) -> Response:
    """Checks that the order is the named user's, and not who asks."""
    name, path = caller(given.request), below(given.request)
    if not name:
        return unauthorized()
    owner = next((key for key, each in PEOPLE.items() if len(path) > 3 and str(each["id"]) == path[1]), "")
    return one(orders("id = ? AND owner = ?", path[3], owner)) if owner else answer({"error": "forbidden"}, 403)


@flaw("idor", request=asked("/accounts/7"))
def says_who_one_is(given: Given) -> Response:
    """Opaque tokens and no list, but an address that tells the caller who he is."""
    name, path = caller(given.request), below(given.request)
    if not name:
        return unauthorized()
    if path[1:] == ["me"]:
        return answer({"id": PEOPLE[name]["id"], "username": name})
    found = [key for key, each in PEOPLE.items() if len(path) > 1 and str(each["id"]) == path[1]]
    if not found:
        return missing()
    return answer({"account_id": PEOPLE[found[0]]["id"], "balance": SECRETS[found[0]], "currency": "EUR"})


@flaw("idor", request=asked("/orders/31"))
def as_a_page(given: Given) -> Response:
    name, path = caller(given.request), below(given.request)
    if not name:
        return page("<form><input type=password name=p></form>", 401)
    if len(path) > 1:
        found = numbered(path[1])
        shown = "".join(f"<dt>{key}</dt><dd>{value}</dd>" for key, value in (found or [{}])[0].items())
        return page(f"<dl>{shown}</dl>") if found else page("<p>No such order</p>", 404)
    links = "".join(
        f'<li><a href="/tenants/as-a-page/orders/{o["id"]}">{o["item"]}</a>' for o in orders("owner = ?", name)
    )
    return page(f"<h1>{PEOPLE[name]['name']}</h1><ul>{links}</ul>")


@flaw("idor", request=asked("/north/reports/31"))
def tenant_in_the_path(given: Given) -> Response:
    """Takes the tenant from the path, and no word for who asks."""
    name, path = caller(given.request), below(given.request)
    if not name:
        return unauthorized()
    tenant = "north" if name == "ann" else "south"
    if len(path) < 3:
        return answer({"reports": [{"id": o["id"]} for o in orders("tenant = ?", tenant)]})
    return one(orders("tenant = ? AND id = ?", path[0], path[2]))


@flaw("idor", request=asked("/orders/31"))
def with_a_word_for_the_viewer(given: Given) -> Response:
    name, path = caller(given.request), below(given.request)
    if not name:
        return unauthorized()
    if len(path) < 2:
        return mine(name)
    found = numbered(path[1])
    return answer({**found[0], "viewer": PEOPLE[name]["name"]}) if found else missing()


@flaw("idor", request=asked("/lists/groceries", tokens=SIGNED))
def listed_for_all_with_its_secret(given: Given) -> Response:
    """The names are everybody's to see, what is behind them is not."""
    name, path = caller(given.request), below(given.request)
    if not name:
        return unauthorized()
    if len(path) < 2:
        return answer({"lists": [{"name": o["name"]} for o in orders("1 = 1")]})
    found = orders("name = ?", path[1])
    return (
        answer({"name": path[1], "owner_email": PEOPLE[found[0]["owner"]]["email"], "secret": found[0]["address"]})
        if found
        else missing()
    )


# Twins


@twin("idor", request=asked("/orders/31"))
def refused(given: Given) -> Response:
    name, path = caller(given.request), below(given.request)
    if not name:
        return unauthorized()
    if len(path) < 2:
        return mine(name)
    found = numbered(path[1])
    return one(found) if not found or found[0]["owner"] == name else answer({"error": "forbidden"}, 403)


@twin("idor", request=asked("/orders/31"))
def hidden(given: Given) -> Response:
    name, path = caller(given.request), below(given.request)
    if not name:
        return unauthorized()
    return one(orders("id = ? AND owner = ?", path[1], name)) if len(path) > 1 else mine(name)


@twin("idor", request=asked("/orders/31"))
def refused_in_words(given: Given) -> Response:
    name, path = caller(given.request), below(given.request)
    found = orders("id = ? AND owner = ?", path[1], name) if name and len(path) > 1 else []
    return one(found) if found else answer({"ok": False, "message": "access denied"})


@twin("idor", request=asked("/orders/31"))
def an_empty_frame(given: Given) -> Response:
    name, path = caller(given.request), below(given.request)
    if not name:
        return unauthorized()
    found = orders("id = ? AND owner = ?", path[1], name) if len(path) > 1 else []
    return answer({"order": found[0] if found else None, "currency": "EUR", "shop": "Lamps and more"})


@twin("idor", request=asked("/products/31"))
def a_catalogue(given: Given) -> Response:
    """The same for every customer, and in everybody's list."""
    if not caller(given.request):
        return unauthorized()
    path = below(given.request)
    products = [{"id": n, "name": f"Lamp {n}", "amount": 100 + n} for n in (30, 31, 32)]
    if len(path) < 2:
        return answer(products)
    found = [each for each in products if str(each["id"]) == path[1]]
    return answer(found[0]) if found else missing()


@twin("idor", request=asked("/products/31"))
def a_catalogue_without_a_list(given: Given) -> Response:
    if not caller(given.request):
        return unauthorized()
    path = below(given.request)
    return answer({"id": 31, "name": "Lamp", "price": 131}) if path[1:] == ["31"] else missing()


@twin("idor", request=asked("/documents/31"))
def shared_with_the_other(given: Given) -> Response:
    name, path = caller(given.request), below(given.request)
    if not name:
        return unauthorized()
    if len(path) < 2:
        return answer([{"id": 31, "title": "Plan"}])
    return answer({"id": 31, "title": "Plan", "owner": "ann", "token_count": 5}) if path[1] == "31" else missing()


@twin("idor", request=asked("/users/7", tokens=SIGNED))
def less_for_others(given: Given) -> Response:
    name, path = caller(given.request), below(given.request)
    if not name:
        return unauthorized()
    found = [(key, each) for key, each in PEOPLE.items() if len(path) > 1 and str(each["id"]) == path[1]]
    if not found:
        return missing()
    key, person = found[0]
    return answer(person if key == name else {"id": person["id"], "name": person["name"]})


@twin("idor", request=asked("/colleagues/7", tokens=SIGNED))
def a_directory(given: Given) -> Response:
    """Colleagues see each other's telephone numbers, and find them in a list."""
    name, path = caller(given.request), below(given.request)
    if not name:
        return unauthorized()
    if len(path) < 2:
        return answer([{"id": each["id"], "name": each["name"]} for each in PEOPLE.values()])
    found = [each for each in PEOPLE.values() if str(each["id"]) == path[1]]
    return answer(found[0]) if found else missing()


@twin("idor", request=asked("/articles/31", tokens=SIGNED))
def articles(given: Given) -> Response:
    """Everybody's to read; the author is named."""
    if not caller(given.request):
        return unauthorized()
    known = below(given.request)[1:] == ["31"]
    return (
        answer({"id": 31, "author": "ann@example.com", "title": "On lamps", "text": "They shine."})
        if known
        else missing()
    )


@twin("idor", request=asked("/offers/31", tokens=SIGNED))
def a_market(given: Given) -> Response:
    """Everybody's to read; who sells is named with his address, as the caller's token names him."""
    if not caller(given.request):
        return unauthorized()
    known = below(given.request)[1:] == ["31"]
    return (
        answer({"id": 31, "item": "Lamp", "amount": 50, "owner": {"email": "ann@example.com"}}) if known else missing()
    )


@twin("idor", request=asked("/orders/31"), also=("auth",))
def given_to_anybody(given: Given) -> Response:
    """Public: that is another finding, if any."""
    path = below(given.request)
    return one(numbered(path[1])) if len(path) > 1 else mine(caller(given.request) or "ann")


@twin("idor", request=asked("/orders/31"))
def an_echo(given: Given) -> Response:
    path = below(given.request)
    return (
        answer({"id": path[-1], "status": "received", "total": "unknown"}) if caller(given.request) else unauthorized()
    )


@twin("idor", request=asked("/orders/31"))
def always_ones_own(given: Given) -> Response:
    """Whatever is asked for, the caller's own is given."""
    name = caller(given.request)
    return one(orders("owner = ?", name)) if name else unauthorized()


@twin("idor", request=asked("/orders/31", name="ida"))
def asked_by_a_manager(given: Given) -> Response:
    """The recorded caller reads what is a customer's; the customer may read it, too, and lists only his own."""
    name, path = caller(given.request), below(given.request)
    if not name:
        return unauthorized()
    if len(path) < 2:
        return answer({"orders": [{"id": o["id"]} for o in orders("1 = 1")]}) if name == "ida" else mine(name)
    found = numbered(path[1])
    return one(found) if not found or name in ("ida", found[0]["owner"]) else answer({"error": "forbidden"}, 403)


@miss("idor", request=asked("/orders/31", tokens=OPAQUE))
def nothing_says_whose_it_is(given: Given) -> Response:
    """No list, no owner in the answer, opaque tokens."""
    path = below(given.request)
    if not caller(given.request):
        return unauthorized()
    found = numbered(path[1]) if len(path) > 1 else []
    return answer({"item": found[0]["item"], "note": found[0]["address"]}) if found else missing()
