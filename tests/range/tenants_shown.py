"""An API that shows identifiers of others in its lists, and gives, or does not give, what they lead to."""

from uuid import UUID

from gatecrash.core.message import Request, Response
from tests.range.place import Given, answer, flaw, twin
from tests.range.tenants_store import OWNERS, PEOPLE, SIGNED, asked, below, missing, unauthorized

CARS = {str(UUID(int=0x6F1C2D1E8B1F4B7E9D510A4A4F3F6B00 + number)): name for number, name in enumerate(OWNERS)}
OWN = next(car for car, name in CARS.items() if name == "eva")
SECRETS = {"diary-eva": "eva", "diary-ben": "ben", "diary-max": "max", "list-eva": "eva"}


def caller(request: Request) -> str:
    """Eva, who is no identity of the range's profile: nobody else can be asked as."""
    return "eva" if (request.first(b"Authorization") or b"").decode() == SIGNED["eva"] else ""


def eva(path: str):
    return asked(path, tokens=SIGNED, name="eva")


def posts() -> Response:
    """What everybody writes, with who he is and what he drives."""
    told = [{"text": f"Hello from {name}", "author": {"nick": name, "vehicle_id": car}} for car, name in CARS.items()]
    return answer({"posts": told})


def whereabouts(car: str, name: str) -> Response:
    """Where a car is, and whose it is."""
    number = int(PEOPLE[name]["id"])
    told = {"car": car, "latitude": 52.1 + number, "longitude": 13.4 + number}
    return answer({**told, "email": PEOPLE[name]["email"], "full_name": PEOPLE[name]["name"]})


def noted(title: str, owner: str) -> Response:
    return answer({"title": title, "secret": f"what {owner} tells nobody", "owner": PEOPLE[owner]["email"]})


def titles() -> Response:
    return answer({"notes": [{"title": title, "user": owner} for title, owner in SECRETS.items()]})


@flaw("idor", request=eva(f"/cars/{OWN}/location"))
def leaked_by_posts(given: Given) -> Response:
    if not caller(given.request):
        return unauthorized()
    match below(given.request):
        case ["cars", car, "location"] if car in CARS:
            return whereabouts(car, CARS[car])
        case ["cars"]:
            return posts()
    return missing()


@flaw("idor", request=eva("/notes/diary-eva"))
def secrets_behind_a_list(given: Given) -> Response:
    if not caller(given.request):
        return unauthorized()
    match below(given.request):
        case ["notes", title] if title in SECRETS:
            return noted(title, SECRETS[title])
        case ["notes"]:
            return titles()
    return missing()


@twin("idor", request=eva(f"/cars/{OWN}/location"))
def leaked_and_guarded(given: Given) -> Response:
    name = caller(given.request)
    if not name:
        return unauthorized()
    match below(given.request):
        case ["cars", car, "location"] if CARS.get(car) == name:
            return whereabouts(car, name)
        case ["cars"]:
            return posts()
    return missing()


@twin("idor", request=eva(f"/cars/{OWN}/location"))
def own_whatever_is_asked_for(given: Given) -> Response:
    name = caller(given.request)
    if not name:
        return unauthorized()
    return posts() if below(given.request) == ["cars"] else whereabouts(OWN, name)


@twin("idor", request=eva(f"/members/{OWN}"))
def a_directory(given: Given) -> Response:
    """Members see how to reach each other, as the list of members says."""
    if not caller(given.request):
        return unauthorized()
    match below(given.request):
        case ["members", car] if car in CARS:
            person = PEOPLE[CARS[car]]
            return answer({"id": car, "full_name": person["name"], "email": person["email"], "phone": person["phone"]})
        case ["members"]:
            return answer({"members": [{"id": car, "nick": name} for car, name in CARS.items()]})
    return missing()


@twin("idor", request=eva(f"/offers/{OWN}"))
def a_market(given: Given) -> Response:
    """What is offered is shown to all who are signed in, with where it is and who offers it."""
    if not caller(given.request):
        return unauthorized()
    match below(given.request):
        case ["offers", car] if car in CARS:
            return whereabouts(car, CARS[car])
        case ["offers"]:
            return answer({"offers": [{"id": car, "seller": name} for car, name in CARS.items()]})
    return missing()


@twin("idor", request=eva("/notes/diary-eva"))
def secrets_of_their_owners(given: Given) -> Response:
    name = caller(given.request)
    if not name:
        return unauthorized()
    match below(given.request):
        case ["notes", title] if SECRETS.get(title) == name:
            return noted(title, name)
        case ["notes"]:
            return titles()
    return missing()
