"""Going through the forms behind a form, at a site that asks for leave in three steps."""

import html
from random import Random
from urllib.parse import parse_qs

import pytest
from tests.core.testing.driving import answered

from gatecrash.core.message import Exchange, Request, Response
from gatecrash.core.testing.baseline import Baseline
from gatecrash.core.testing.dialogues.going_on import gone_on
from gatecrash.core.testing.policy import DEFAULT
from gatecrash.core.testing.probe import Situation

HEAD = ((b"Host", b"a"), (b"Cookie", b"sid=recorded"))
FORM = (*HEAD, (b"Content-Type", b"application/x-www-form-urlencoded"))


class Site:
    """Keeps what the steps say in the session, in its cookie, or in hidden fields of the next page. breaks: where the
    last form ends.
    dead: what the page of its last step is answered with.
    """

    def __init__(self, kept: str, breaks: str = "", dead: Response | None = None) -> None:
        self.kept, self.breaks, self.dead = kept, breaks, dead
        self.session: dict[str, str] = {}
        self.token = 0
        self.asked: list[Request] = []

    def __call__(self, request: Request) -> Response:
        self.asked.append(request)
        path = request.path.decode()
        crumb = (request.first(b"Cookie") or b"").decode().removeprefix("sid=")
        if request.method == "GET":
            return self._page(path, crumb)
        form = {name: values[0] for name, values in parse_qs(request.body.decode()).items()}
        if path != "/leave/1" and form.get("token") != f"t{self.token}":
            return Response(403)
        if path == "/leave/confirm":
            shown = {"cookie": crumb, "session": self.session.get("title", ""), "fields": form.get("title", "")}[
                self.kept
            ]
            self.session["shown"] = shown
            if self.breaks:
                return Response(500, body=self.breaks.encode())
            return led_to("/leave/9/view")
        if path == "/leave/2":
            return led_to("/leave/3", *((b"Set-Cookie", f"sid={crumb}".encode()),) * (self.kept == "cookie"))
        self.session["title"] = form["title"]
        return led_to("/leave/2", *((b"Set-Cookie", f"sid={form['title']}".encode()),) * (self.kept == "cookie"))

    def _page(self, path: str, crumb: str) -> Response:
        if path == "/leave/9/view":
            return page(f"<dd>{self.session['shown']}</dd>")
        if self.dead is not None and path == "/leave/3":
            return self.dead
        self.token += 1
        title = html.escape(self.session.get("title", ""))
        hidden = f"<input type=hidden name=title value='{title}'>" if self.kept == "fields" else ""
        action = {"/leave/2": "/leave/2", "/leave/3": "/leave/confirm"}[path]
        return page(
            f"<form method=post action={action}><input type=hidden name=token value=t{self.token}>{hidden}</form>"
        )


def page(text: str) -> Response:
    return Response(200, ((b"Content-Type", b"text/html"),), text.encode())


def led_to(target: str, *headers: tuple[bytes, bytes]) -> Response:
    return Response(302, ((b"Location", target.encode()), *headers))


def step(path: str, body: bytes) -> Request:
    return Request("POST", path.encode(), headers=FORM, body=body, host="a")


def shown(site: Site) -> Exchange | None:
    """What is read at the end, after the first step said `new`."""
    first = step("/leave/1", b"title=new&token=then")
    carried = b"title=old&" if site.kept == "fields" else b""
    onward = (step("/leave/2", carried + b"day=1&token=then"), step("/leave/confirm", carried + b"token=then"))
    situation = Situation(
        baseline=Baseline("", Exchange(first, led_to("/leave/2"))),
        point=(),
        value=b"",
        credentials=(),
        policy=DEFAULT,
        random=Random(1),
        onward=onward,
    )
    return answered(gone_on(situation, Exchange(first, site(first))), site)


@pytest.mark.parametrize("kept", ["session", "cookie", "fields"])
def test_what_the_first_step_said_is_read_behind_the_last(kept: str):
    end = shown(Site(kept))
    assert end is not None
    assert end.request.path == b"/leave/9/view"
    assert end.response.body == b"<dd>new</dd>"


def test_what_breaks_the_last_form_is_read_as_it_is():
    end = shown(Site("session", "near 'new'"))
    assert end is not None
    assert (end.request.path, end.response.status) == (b"/leave/confirm", 500)


@pytest.mark.parametrize("dead", [Response(500, body=b"Try later"), page("<pre>near 'new'</pre>")])
def test_a_page_that_breaks_on_the_way_is_the_end(dead: Response):
    """What the first step said may be used before the last."""
    site = Site("session", dead=dead)
    end = shown(site)
    assert end is not None
    assert (end.request.path, end.response) == (b"/leave/3", dead)
    assert site.asked[-1].method == "GET"


def test_a_page_that_is_refused_on_the_way_tells_nothing():
    assert shown(Site("session", dead=Response(403))) is None


def test_where_a_step_leads_nowhere_nothing_more_is_sent():
    site = Site("session")
    first = step("/leave/1", b"title=new")
    situation = Situation(
        baseline=Baseline("", Exchange(first, led_to("/leave/2"))),
        point=(),
        value=b"",
        credentials=(),
        policy=DEFAULT,
        random=Random(1),
        onward=(step("/leave/2", b"token=then"),),
    )
    assert answered(gone_on(situation, Exchange(first, Response(400))), site) is None
    assert site.asked == []


@pytest.mark.parametrize(("second", "ends"), [("2", b"<p>new of b</p>"), ("1", None)])
def test_a_step_may_be_answered_by_the_next_form_itself(second: str, ends: bytes | None):
    """Twin: the first form comes back, as where what was said is not taken."""
    kept: dict[str, str] = {}
    asked: list[Request] = []

    def site(request: Request) -> Response:
        asked.append(request)
        form = {name: values[0] for name, values in parse_qs(request.body.decode()).items()}
        kept.update(form)
        if form["step"] == "2":
            return page(f"<p>{kept['name']} of {kept['town']}</p>") if form["token"] == "t2" else Response(403)
        return page(
            f"<form method=post><input type=hidden name=step value={second}><input type=hidden name=token value=t2></form>"
        )

    first = step("/survey", b"step=1&name=new")
    situation = Situation(
        baseline=Baseline("", Exchange(first, page(""))),
        point=(),
        value=b"",
        credentials=(),
        policy=DEFAULT,
        random=Random(1),
        onward=(step("/survey", b"step=2&town=b&token=then"),),
    )
    end = answered(gone_on(situation, Exchange(first, site(first))), site)
    assert (end.response.body if end is not None else None) == ends
    assert len(asked) == (1 if ends is None else 2)
