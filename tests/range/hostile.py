"""Targets that are hard to judge: limiters, gateways, firewalls, sessions that end, pages that move, wait and mirror."""

import html
import itertools
import json
import random
import re
import threading
import time

from gatecrash.core.message import Request, Response
from tests.range.asked import asking, sending
from tests.range.place import FORM, JSON, QUERY, Given, answer, page, text, twin

RANDOM = random.Random(7)
LOCK = threading.Lock()
COUNTS = itertools.count()
ALL = (QUERY, FORM, JSON)
ODD = re.compile(r"[^A-Za-z0-9 ._-]")


def chance(share: float) -> bool:
    with LOCK:
        return RANDOM.random() < share


@twin("sqli", ways=ALL, apart=True)
def limited(given: Given) -> Response:
    return answer({"found": 3}) if next(COUNTS) % 7 else answer({"error": "slow down"}, 429, (b"Retry-After", b"1"))


@twin("sqli", ways=ALL)
def storm(given: Given) -> Response:
    return page("Bad Gateway", RANDOM.choice((502, 503, 504))) if chance(0.3) else answer({"found": 3})


@twin("nosqli", ways=ALL)
def breaks_now_and_then(given: Given) -> Response:
    return text("internal error", 500) if chance(0.3) else answer({"found": 3})


@twin("rce", ways=ALL)
def firewall_in_words(given: Given) -> Response:
    if ODD.search(given.q):
        return page("<h1>Request blocked</h1><p>Your incident id is 4711.</p>")
    return page("<p>fine</p>")


@twin("ssti", ways=ALL)
def firewall_by_status(given: Given) -> Response:
    return text("Not Acceptable", 406) if ODD.search(given.q) else page(f"<p>{given.q}</p>")


@twin("sqli", ways=ALL)
def refuses_in_detail(given: Given) -> Response:
    if ODD.search(given.q):
        return answer({"errors": [{"field": "q", "message": f"{given.q} holds a sign that is not allowed"}]}, 422)
    return answer({"found": 3})


@twin("sqli", ways=ALL)
def some_of_all(given: Given) -> Response:
    """Other rows in another order each time."""
    with LOCK:
        return answer({"rows": RANDOM.sample(range(40), 9)})


@twin("sqli", ways=ALL)
def advertises(given: Given) -> Response:
    """The same content beside something that changes from time to time."""
    more = "<aside>Buy now: " + " ".join(f"offer{each}" for each in range(9)) + "</aside>" if chance(0.5) else ""
    return page(f"<h1>Tea</h1><p>Best fresh.</p>{more}")


@twin("nosqli", ways=(QUERY, JSON))
def two_versions(given: Given) -> Response:
    """An experiment: each visitor gets one of two pages."""
    return answer({"layout": "new", "blocks": [1, 2]}) if chance(0.5) else answer({"layout": "old", "rows": []})


@twin("xss", ways=ALL)
def mirror(given: Given) -> Response:
    """Shows the whole request, escaped."""
    request = given.request
    lines = [request.method, request.target.decode("latin-1"), *(f"{n!r}: {v!r}" for n, v in request.headers)]
    return page("<pre>" + html.escape("\n".join([*lines, request.body.decode("utf-8", "replace")])) + "</pre>")


@twin("rce", ways=ALL)
def mirror_in_json(given: Given) -> Response:
    return answer({"args": given.values, "url": given.request.target.decode("latin-1")})


@twin("ptrav", value="tea.txt", ways=(QUERY, JSON))
def one_page_for_all(given: Given) -> Response:
    """An application of one page: whatever is asked for, its frame is sent."""
    return page("<div id=app></div><script src=/app.js></script>")


@twin("info", value="5", ways=(QUERY, JSON))
def always_sorry(given: Given) -> Response:
    if not given.q.isdigit() or len(given.q) > 9:
        return page("<h1>Something went wrong</h1><p>We have been told and are looking into it.</p>", 500)
    return page("<p>5 cups</p>")


@twin("sqli", value="passport", ways=(FORM, JSON))
def at_most_twenty_letters(given: Given) -> Response:
    return answer({"kept": True}, 201) if len(given.q) <= 20 else answer({"error": "at most 20 characters"}, 422)


@twin("sqli", value="passport", ways=(FORM, QUERY))
def at_most_fourteen_letters_told_in_html(given: Given) -> Response:
    return page("<p>Kept.</p>") if len(given.q) <= 14 else page("<p>Please be shorter.</p>", 400)


@twin("sqli", request=asking(filter=""))
def all_for_nothing(given: Given) -> Response:
    """An empty filter shows everything, anything else what has it."""
    words = ("tea", "green tea", "cup")
    return answer([word for word in words if str(given.values.get("filter", "")) in word])


@twin("sqli", request=sending(name="tea", amount=3))
def created_each_time(given: Given) -> Response:
    number = next(COUNTS)
    made = {"id": 1000 + number, "name": given.values.get("name"), "at": f"2025-03-{1 + number % 28:02}T10:00:00Z"}
    return answer(made, 201, (b"Location", b"/things/%d" % number))


ENDING = itertools.count()


@twin(
    "sqli",
    request=lambda path: Request("GET", path.encode() + b"?q=tea", ((b"Cookie", b"sessionid=9f2c77aa10d3"),)),
    also=("auth",),
)
def session_that_ends(given: Given) -> Response:
    """Good for thirty questions, also without its cookie; then everybody must sign in again."""
    return answer({"found": 3}) if next(ENDING) < 30 else answer({"error": "session expired, please log in"}, 401)


@twin("sqli", ways=(QUERY,), slow=True)
def slow_at_random(given: Given) -> Response:
    with LOCK:
        wait = RANDOM.uniform(0, 3) if RANDOM.random() < 0.25 else 0
    time.sleep(wait)
    return answer({"found": 3})


@twin("rce", ways=(JSON,), slow=True)
def slow_when_long(given: Given) -> Response:
    """Takes its time over what is long and odd, as a search does that looks at each sign."""
    time.sleep(min(1.5, len(ODD.findall(given.q)) / 40))
    return answer({"found": json.dumps(given.q)[:3]})
