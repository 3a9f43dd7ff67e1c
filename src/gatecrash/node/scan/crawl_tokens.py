"""The headers by which a site's scripts show that a call is their own, with the tokens that the site hands out.

tokens.named_in(code)      what a script calls such a header
tokens.learn(exchange)     what an answer hands out, in its text or in cookies that scripts can read
tokens.on(call)            a call that changes something, with the headers that a token is known for

A cookie is repeated by the header that is called like it (`_xsrf` by X-XSRFToken); any other header is given what the last page
with a token has in its markup or its scripts, and where no page has one, the cookie that is called as tokens are.
"""

from urllib.parse import unquote

import msgspec

from gatecrash.core.auth.set_cookie import issued
from gatecrash.core.message import Exchange, Request, with_header
from gatecrash.core.statuses import FIRST_ERROR
from gatecrash.core.testing.effects.methods import is_safe
from gatecrash.core.testing.forms.tokens import cookies_of, is_called_token
from gatecrash.core.testing.forms.values import handed_out
from gatecrash.core.testing.oracles.body import media_type
from gatecrash.core.words.names import plain
from gatecrash.formats.capture import header_bytes
from gatecrash.formats.scripts.token_headers import headers_in

_MOST = 5
# What `fetch` asks for where its script says nothing else (Fetch, 4.1); a form asks for a page.
_ACCEPTED_BY_SCRIPTS = b"*/*"
# What axios and Angular's HttpClient send by themselves, wherever there is such a cookie; their code is often another origin's.
_COOKIE_OF_CLIENTS, _HEADER_OF_CLIENTS = "XSRF-TOKEN", "X-XSRF-TOKEN"


class CrawlTokens:
    """Of one who walks through a site."""

    def __init__(self) -> None:
        """Nothing is known."""
        self._headers: dict[str, None] = {}
        self._cookies: dict[str, str] = {}
        self._hidden: set[str] = set()
        self._told = ""

    def named_in(self, code: str) -> None:
        """A bounded number of names."""
        self._headers = dict.fromkeys([*self._headers, *headers_in(code)][:_MOST])

    def learn(self, exchange: Exchange) -> None:
        """What was handed out last holds, and so does a cookie as it was sent: whoever is signed in has some of his login."""
        response = exchange.response
        if response is None or response.status >= FIRST_ERROR:
            return
        crumbs = {name: value.decode("latin-1") for name, value in cookies_of(exchange.request).items()}
        for cookie in issued(response):
            name = cookie.name.decode("latin-1")
            crumbs[name] = unquote(cookie.value.decode("latin-1"))
            if cookie.http_only:
                self._hidden.add(name)
        self._cookies |= {name: value for name, value in crumbs.items() if is_called_token(name) and value}
        if "html" in media_type(response):
            fields = (field.value for field in handed_out(response) if is_called_token(field.name))
            self._told = next(fields, self._told)

    def on(self, call: Request) -> Request:
        """As it is where it only reads, or is a form, which a browser sends without any; what a call has of its own stays."""
        if is_safe(call) or call.first(b"Accept") != _ACCEPTED_BY_SCRIPTS:
            return call
        names = dict.fromkeys(self._headers)
        if _COOKIE_OF_CLIENTS in self._cookies:
            names[_HEADER_OF_CLIENTS] = None
        headers = call.headers
        for name in names:
            value = self._value(name)
            if value and call.first(header_bytes(name)) is None:
                headers = with_header(headers, header_bytes(name), header_bytes(value))
        return call if headers is call.headers else msgspec.structs.replace(call, headers=headers)

    def _value(self, header: str) -> str:
        read = {name: value for name, value in self._cookies.items() if name not in self._hidden}
        alike = next((value for name, value in read.items() if plain(name) in plain(header)), "")
        return alike or self._told or next(iter(read.values()), "")
