"""What people say for others to read, and how much is told of them beside it."""

from gatecrash.core.message import Request, Response
from tests.range.place import PLACES, Given, answer, flaw, twin

PEOPLE = (("Ann Marsh", "ann@example.com", "+44 20 7946 0101"), ("Ben Frost", "ben@example.com", "+44 20 7946 0102"))
TEXTS = ("When do you split your colonies?", "As soon as there are drones.")


def at(path: str):
    return lambda place: Request("GET", f"{place}{path}".encode())


def said(by) -> list[dict]:
    """Two posts. by: what is told of their authors, by place, name, mail and telephone."""
    people = [by(number, *each) for number, each in enumerate(PEOPLE, 7)]
    return [{"id": 30 + place, "text": text, **people[place]} for place, text in enumerate(TEXTS)]


@flaw("info", request=at("/posts"))
def mail_and_telephone(_given: Given) -> Response:
    return answer(
        {"items": said(lambda _, name, mail, phone: {"author": {"name": name, "email": mail, "phone": phone}})}
    )


@flaw("info", request=at("/community/recent"))
def mail_and_a_thing_of_his(_given: Given) -> Response:
    return answer(
        said(lambda number, name, mail, _: {"author_name": name, "author_email": mail, "author_boat_id": 70 + number})
    )


@twin("info", request=at("/posts"))
def signed_with_a_mail_address(_given: Given) -> Response:
    return answer(said(lambda number, name, mail, _: {"author": {"id": number, "name": name, "email": mail}}))


@twin("info", request=at("/posts"))
def signed_with_a_name(_given: Given) -> Response:
    return answer(said(lambda number, name, *_: {"author": {"id": number, "name": name, "picture_id": 90 + number}}))


@twin("info", request=at("/comments"))
def colleagues_at_work(_given: Given) -> Response:
    return answer(
        said(
            lambda _, name, mail, phone: {
                "author": {"name": name, "email": mail, "phone": phone, "department": "Sales"}
            }
        )
    )


@twin("info", request=at("/offers"))
def whoever_offers_something(_given: Given) -> Response:
    return answer(said(lambda _, name, mail, phone: {"user": {"name": name, "email": mail, "phone": phone}}))


@twin("info", request=at("/posts"))
def one_author(_given: Given) -> Response:
    """A page of somebody's own posts."""
    return answer(said(lambda *_: {"author": {"name": PEOPLE[0][0], "email": PEOPLE[0][1], "phone": PEOPLE[0][2]}}))


@twin("info", request=at("/reviews"))
def masked_contacts(_given: Given) -> Response:
    return answer(
        said(
            lambda _, name, mail, phone: {
                "author": {"name": name, "email": f"{mail[0]}***@***", "phone": phone[:6] + "****"}
            }
        )
    )


POSTS = [each for each in PLACES if each.path.startswith("/told-of-authors/")]
