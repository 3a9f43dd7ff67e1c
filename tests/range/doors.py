"""Logins, registrations and password resets that tell names or never tire, and some that do neither."""

import functools
import hashlib
import hmac
import html
import itertools
import random
import threading
import time
from collections import Counter
from collections.abc import Callable

from gatecrash.core.message import Request, Response
from tests.range.asked import sending, submitting
from tests.range.place import Given, answer, flaw, page, twin

SALT = b"gatecrash"
ROUNDS = 400_000  # about what is advised for passwords: a real login takes as long
COOKIE = (b"Set-Cookie", b"sid=5f0c1d77aa91; HttpOnly")
LOCK = threading.Lock()
TRIES: Counter[tuple[str, str]] = Counter()
RANDOM = random.Random(11)
NUMBERS = itertools.count(1)


def hashed(password: str, rounds: int = 1) -> bytes:
    return hashlib.pbkdf2_hmac("sha256", password.encode(), SALT, rounds)


kept = functools.cache(hashed)
USERS = {"ann.marsh": "sesame-1", "ann@example.org": "sesame-1"}
AS_JSON = sending(username="ann.marsh", password="sesame-1")
AS_FORM = submitting(email="ann@example.org", password="sesame-1")
REGISTERED = sending(email="ann@example.org", password="sesame-1", name="Ann")


def at(asked: Callable[[str], Request], where: str) -> Callable[[str], Request]:
    """The door's usual path behind the place's own."""
    return lambda path: asked(f"{path}/{where}")


def name_of(given: Given) -> str:
    return str(given.values.get("username") or given.values.get("email") or "")


def good(given: Given, rounds: int = 1) -> bool:
    """Makes one hash, whether the name is known or not."""
    sent = str(given.values.get("password", ""))
    return hmac.compare_digest(hashed(sent, rounds), kept(USERS.get(name_of(given), ""), rounds)) and bool(sent)


def count(given: Given, who: str) -> int:
    with LOCK:
        TRIES[given.request.path.decode(), who] += 1
        return TRIES[given.request.path.decode(), who]


def welcome() -> Response:
    return answer({"token": "5f0c1d77aa91"}, 200, COOKIE)


def wrong(status: int = 401) -> Response:
    return answer({"error": "invalid credentials"}, status)


def strange(given: Given, most: int = 8) -> bool:
    """Whether a name that nobody has was tried too often."""
    return name_of(given) not in USERS and count(given, name_of(given)) > most


def later() -> Response:
    """Not 429: a node waits then for the whole host, and the range with it; `hostile.limited` is enough of that."""
    return answer({"error": "too many tries"}, 423)


def login(given: Given) -> Response:
    return welcome() if good(given) else wrong()


@flaw("info", request=at(AS_JSON, "login"))
def says_no_such_user(given: Given) -> Response:
    if strange(given):
        return later()
    if name_of(given) not in USERS:
        return answer({"error": f"no user {name_of(given)}"}, 401)
    return welcome() if good(given) else answer({"error": "wrong password"}, 401)


@flaw("info", request=at(AS_FORM, "login"))
def not_found(given: Given) -> Response:
    if strange(given):
        return later()
    if name_of(given) not in USERS:
        return page("<p>Sorry.</p>", 404)
    return page("<p>Welcome</p>", 200, COOKIE) if good(given) else page("<p>Sorry.</p>", 401)


@flaw("info", request=at(AS_JSON, "login"))
def hashes_for_the_known_only(given: Given) -> Response:
    if strange(given):
        return later()
    return welcome() if name_of(given) in USERS and good(given, ROUNDS) else wrong()


@flaw("info", request=at(submitting(email="ann@example.org"), "forgot-password"))
def tells_whom_it_wrote_to(given: Given) -> Response:
    if name_of(given) not in USERS:
        return page("<p>We do not know this address.</p>")
    return page("<p>Look into your mail.</p>")


@flaw("info", request=at(REGISTERED, "register"))
def taken(given: Given) -> Response:
    if not given.values.get("password"):
        return answer({"error": "a password is required"}, 400)
    if count(given, name_of(given)) > 1:
        return answer({"error": "this address is already registered"}, 409)
    return answer({"id": next(NUMBERS)}, 201)


@flaw("info", request=at(AS_JSON, "login"))
def never_tires(given: Given) -> Response:
    return login(given)


@flaw("info", request=at(AS_FORM, "session"))
def never_tires_of_forms(given: Given) -> Response:
    if good(given):
        return Response(302, ((b"Location", b"/home"), COOKIE))
    return page('<p>Sorry.</p><form><input name="email"><input type="password" name="password"></form>')


def limited(given: Given, who: str, most: int = 8) -> bool:
    return count(given, who) > most and not good(given)


@twin("info", request=at(AS_JSON, "login"))
def locks_any_name(given: Given) -> Response:
    return answer({"error": "locked, try again later"}, 423) if limited(given, name_of(given)) else login(given)


@twin("info", request=at(AS_JSON, "login"))
def hashes_for_everybody(given: Given) -> Response:
    if strange(given):
        return later()
    return welcome() if good(given, ROUNDS // 3) else wrong()


@twin("info", request=at(AS_JSON, "login"))
def challenges(given: Given) -> Response:
    """Under the same status, with other words."""
    if limited(given, name_of(given)):
        return answer({"error": "invalid credentials", "challenge": "pick all bicycles"}, 401)
    return login(given)


@twin("info", request=at(AS_JSON, "login"), slow=True)
def slows_down(given: Given) -> Response:
    tries = count(given, name_of(given)) if name_of(given) not in USERS else 0
    time.sleep(min(1.0, max(0, tries - 5) * 0.1))
    return login(given)


@twin("info", request=at(AS_JSON, "login"))
def at_random_pace(given: Given) -> Response:
    """Its time says nothing: it depends on nothing."""
    if strange(given):
        return later()
    with LOCK:
        wait = RANDOM.uniform(0, 0.2) if RANDOM.random() < 0.3 else 0
    time.sleep(wait)
    return login(given)


@twin("info", request=at(AS_JSON, "login"))
def numbers_its_errors(given: Given) -> Response:
    if strange(given):
        return later()
    if good(given):
        return welcome()
    return answer({"error": "invalid credentials", "incident": next(NUMBERS), "for": name_of(given)}, 401)


@twin("info", request=at(submitting(email="ann@example.org"), "forgot-password"))
def writes_to_everybody(given: Given) -> Response:
    return page(f"<p>If there is an account for {html.escape(name_of(given))}, a message is on its way.</p>")


@twin("info", request=at(REGISTERED, "register"))
def registers_by_mail(given: Given) -> Response:
    return answer({"told": "look into your mail"}, 202)


@twin("info", request=at(sending(old_password="sesame-1", new_password="sesame-2", username="ann.marsh"), "password"))
def a_change_of_password(given: Given) -> Response:
    return answer({"changed": True}, 200, COOKIE)


@flaw("info", request=at(submitting(email="ann@example.org"), "forgot-password"))
def answers_the_code_it_has_sent(given: Given) -> Response:
    """Left over from the days before mail was set up."""
    return answer({"message": "sent", "otp": f"{4711 + len(name_of(given))}"})


@twin("info", request=at(submitting(email="ann@example.org"), "forgot-password"))
def names_the_attempt(given: Given) -> Response:
    """The token says which attempt a code out of the mail belongs to, and sets no password by itself."""
    return answer({"status": "sent", "code": 1200, "token": "9f0cbb51-attempt", "otp_length": 6, "reset_link": None})


@twin("info", request=at(submitting(email="ann@example.org"), "forgot-password"))
def says_that_a_code_was_sent(given: Given) -> Response:
    return answer({"otp": "sent", "verification_code": "mailed", "retry_after": 60})


@flaw("info", request=at(submitting(email="ann@example.org"), "send-otp"))
def answers_the_code_to_sign_in_by(given: Given) -> Response:
    return answer({"sent": True, "debug": {"code": f"{4711 + len(name_of(given))}"}})


@twin("info", request=at(submitting(email="ann@example.org"), "send-otp"))
def says_how_it_went_by_a_number(given: Given) -> Response:
    return answer({"message": "sent", "code": 2001, "expires": 300})


@twin("info", request=at(submitting(email="ann@example.org", otp="004711"), "check-otp"))
def says_the_code_that_was_sent(given: Given) -> Response:
    """Who brings it knows it."""
    return answer({"verified": True, "code": "004711"})
