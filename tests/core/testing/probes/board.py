"""A notice board that shows what it is given in every context of a page: raw, escaped, or not as a page at all."""

import html
import json
import re
import unicodedata
from random import Random
from urllib.parse import parse_qsl, quote, unquote

from gatecrash.core.message import Request, Response

HTML = b"text/html; charset=utf-8"


def told(document: dict[str, str]) -> Response:
    return Response(200, ((b"Content-Type", b"application/json"),), json.dumps(document).encode())


class Board:
    """One board; `random` moves what moves."""

    def __init__(self) -> None:
        self.random = Random(7)

    def __call__(self, request: Request) -> Response:
        given = dict(parse_qsl((request.query or b"").decode(), keep_blank_values=True))
        if request.body.startswith(b"{"):
            given |= json.loads(request.body)
        else:
            given |= dict(parse_qsl(request.body.decode(), keep_blank_values=True))
        return self.answer(request.path.decode(), str(given.get("q", "")))

    def answer(self, path: str, q: str) -> Response:
        if path in RAW:
            return shown(RAW[path].replace("@", q))
        if path in ESCAPED:
            return shown(ESCAPED[path].replace("@", html.escape(q)))
        if path in FILTERED:
            return shown(f"<p>{FILTERED[path](q)}</p>")
        if path.startswith("/typed/"):
            kind, headers = TYPED[path]
            return shown(f"<p>{q}</p>", kind, headers)
        handler = getattr(self, path.strip("/").replace("-", "_"), None)
        return handler(q) if handler else shown("<p>No such page.</p>", status=404)

    def backslashed(self, q: str) -> Response:
        """Quotes are escaped, the escape is not."""
        return shown("<script>var q = '" + q.replace("'", "\\'").replace("</", "<\\/") + "';</script>")

    def dumped(self, q: str) -> Response:
        """JSON in a script: the string cannot be left, the script can."""
        return shown(f"<script>var q = {json.dumps(q)};</script>")

    def dumped_safely(self, q: str) -> Response:
        return shown("<script>var q = " + json.dumps(q).replace("<", "\\u003c") + ";</script>")

    def evaluated(self, q: str) -> Response:
        """Escaped for HTML, in a script that a script runs."""
        return shown(f'<script>eval("show({html.escape(q)})")</script>')

    def moving(self, q: str) -> Response:
        """A token that moves, and a raw echo."""
        return shown(f"<input name=csrf value={self.random.randbytes(8).hex()}><p>{q}</p>")

    def moving_escaped(self, q: str) -> Response:
        return shown(f"<input name=csrf value={self.random.randbytes(8).hex()}><p>{html.escape(q)}</p>")

    def wrong_said(self, q: str) -> Response:
        return shown(carried_on(q) + (f"<p>Illegal sign: {q}</p>" if "<" in q else ""))

    def wrong_said_escaped(self, q: str) -> Response:
        return shown(carried_on(q) + (f"<p>Illegal sign: {html.escape(q)}</p>" if "<" in q else ""))

    def firewall(self, q: str) -> Response:
        return shown("Forbidden", status=403) if re.search("[<>'\"]", q) else shown(f"<p>{q}</p>")

    def stripped(self, q: str) -> Response:
        return shown("<p>" + re.sub("<[^>]*>?", "", q) + "</p>")

    def breaks(self, q: str) -> Response:
        return shown("<p>internal</p>", status=500) if re.search(r"\W", q) else shown(f"<p>{q}</p>")

    def allow_list(self, q: str) -> Response:
        """Lets harmless elements through, without attributes."""
        return shown("<p>" + re.sub(r"&lt;(/?[bi])\b.*?&gt;", r"<\1>", html.escape(q)) + "</p>")

    def api(self, q: str) -> Response:
        return told({"q": q})

    def inserted(self, q: str) -> Response:
        return told({"message": f"<p>Nothing was found for <b>{q}</b>.</p>"})

    def inserted_escaped(self, q: str) -> Response:
        return told({"message": f"<p>Nothing was found for <b>{html.escape(q)}</b>.</p>"})

    def beside_inserted(self, q: str) -> Response:
        return told({"asked": q, "message": "<p>Nothing was found.</p>"})

    def download(self, q: str) -> Response:
        return shown(q, headers=((b"Content-Disposition", b"attachment; filename=a.html"),))

    def moved(self, q: str) -> Response:
        return shown(f"<p>{q}</p>", headers=((b"Location", quote(q).encode()),), status=302)

    def not_found(self, q: str) -> Response:
        return shown(f"<h1>Nothing called {html.escape(q)}</h1>")

    def static(self, q: str) -> Response:
        return shown("<h1>Welcome</h1>")

    def guarded(self, q: str) -> Response:
        return shown(f"<p>{q}</p>", headers=((b"Content-Security-Policy", b"default-src 'self'"),))

    def sandbox(self, q: str) -> Response:
        return shown(f"<p>{q}</p>", headers=((b"Content-Security-Policy", b"sandbox allow-forms"),))


def carried_on(q: str) -> str:
    """A link that carries a value on, as filters are by every link of their page."""
    return f'<a href="/journal?q={quote(q)}">Journal</a>'


def shown(text: str, kind: bytes = HTML, headers: tuple[tuple[bytes, bytes], ...] = (), status: int = 200) -> Response:
    typed = ((b"Content-Type", kind),) if kind else ()
    return Response(status, (*typed, *headers), f"<html><body>{text}</body></html>".encode())


RAW = {
    "/text": "<p>You asked for @</p>",
    "/attribute": '<input value="@">',
    "/single": "<input value='@'>",
    "/bare": "<input value=@>",
    "/title": "<title>@</title>",
    "/comment": "<!-- asked: @ -->",
    "/script": "<script>var q = '@';</script>",
    "/code": "<script>var q = @;</script>",
    "/template": "<script>var q = `@`;</script>",
    "/style": "<style>p { color: @ }</style>",
    "/two": "<!-- @ --><p>@</p>",
}
# Filters that know something of markup, and are passed by what they do not know.
FILTERED = {
    "/filtered/events": lambda q: re.sub(r"on\w+\s*=", "", q, flags=re.IGNORECASE),
    "/filtered/event-refused": lambda q: "No!" if re.search(r"on\w+\s*=", q, re.IGNORECASE) else q,
    "/filtered/small-letters": lambda q: "No!" if re.search(r"<[a-z]", q) else q,
    "/filtered/blanks": lambda q: re.sub(r"\s", "", q),
    "/filtered/brackets": lambda q: re.sub(r"[()]", "", q),
    "/filtered/whole-tags": lambda q: re.sub(r"<[^>]*>", "", q),
    "/filtered/all-but-scripts": lambda q: re.sub(r"<(?!/?script)[^>]*>", "", q, flags=re.IGNORECASE),
    "/filtered/events-once": lambda q: re.sub(
        "onclick", "", re.sub("script|href", "", q, flags=re.IGNORECASE), flags=re.IGNORECASE
    ),
    "/filtered/words-once": lambda q: q.replace("on", "").replace("script", ""),
    "/filtered/first-sign": lambda q: q.replace("<", "&lt;", 1).replace(">", "&gt;", 1),
    "/filtered/decoded-again": lambda q: unquote(html.escape(q)),
    "/filtered/made-narrow": lambda q: unicodedata.normalize("NFKC", html.escape(q)),
    "/filtered/tags": lambda q: f'{" ".join(f"[{tag}]" for tag in q.split())}<input value="{html.escape(q)}">',
    "/filtered/quote": lambda q: f'<input value="{html.escape(q.replace(chr(34), "", 1), quote=False)}">',
    "/filtered/address": lambda q: f'<a href="{html.escape(re.sub("javascript:", "", q))}">back</a>',
    "/filtered/all-escaped-again": lambda q: html.escape(unquote(q)),
    "/filtered/refused-at-all": lambda q: "No!" if re.search(r"[<>&%]|on", q) else q,
}
ESCAPED = {
    "/escaped/text": "<p>@</p>",
    "/escaped/attribute": '<input value="@">',
    "/escaped/comment": "<!-- @ -->",
    "/escaped/title": "<title>@</title>",
    "/escaped/script": "<script>var q = '@';</script>",
    "/escaped/bare": "<input value=@>",
    "/escaped/frame": "<iframe srcdoc='<p>@</p>'></iframe>",
    "/escaped/frame-held-back": "<iframe sandbox srcdoc='<p>@</p>'></iframe>",
    "/escaped/link-that-runs": "<a href=\"javascript:show('@')\">show</a>",
    "/escaped/link": "<a href='@'>back</a>",
    "/escaped/search-link": "<a href='/search?q=@'>again</a>",
    "/escaped/image": "<img src='@'>",
    "/escaped/handler": "<b onclick=\"show('@')\">show</b>",
    "/escaped/timed": "<script>var eval_later = \"show('@')\"; setTimeout(show, 9)</script>",
}
TYPED = {
    "/typed/none": (b"", ()),
    "/typed/nosniff": (b"", ((b"X-Content-Type-Options", b"nosniff"),)),
    "/typed/plain": (b"text/plain", ()),
}
