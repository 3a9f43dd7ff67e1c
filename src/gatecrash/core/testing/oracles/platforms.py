"""What an answer, or what is asked for, says of the platform behind it: Windows, PHP, Node, Ruby or Perl, Java or never Java."""

import re
from collections.abc import Iterable
from functools import lru_cache

from gatecrash.core.message import Headers, Request, Response, all_values

_WINDOWS = re.compile(rb"IIS|ASP\.NET|Win(?:32|64|dows)", re.IGNORECASE)
_PHP = re.compile(rb"PHP", re.IGNORECASE)
# Servers of Python, Ruby and .NET, and Node's usual framework.
_NOT_JAVA = re.compile(
    rb"Werkzeug|gunicorn|uvicorn|hypercorn|daphne|WSGI|TornadoServer|Python/|aiohttp|WEBrick|Puma|Passenger|\bthin\b|Kestrel|IIS|ASP\.NET"
    rb"|Express|Next\.js",
    re.IGNORECASE,
)
_NODE = re.compile(rb"Express|Next\.js|connect\.sid|\bNode", re.IGNORECASE)
_JAVA = re.compile(
    rb"JSESSIONID|Coyote|Apache Tomcat|Jetty|WildFly|JBoss|Undertow|GlassFish|WebLogic|WebSphere|Whitelabel Error Page"
    rb"|\b(?:java|jakarta|javax)\.[a-z]+\.\w+Exception"
)
_JAVA_PATH = re.compile(rb"\.(?:jsp|jspx|jsf|xhtml|do|action)$")
_MOST = 20_000
# Servers of Ruby and Perl, whose `open` runs a command where a file's name has a pipe; and what Rails and Rack alone send.
_WITH_PIPES = re.compile(
    rb"WEBrick|Puma|Passenger|\bUnicorn|\bthin\b|Falcon|perl|Mojolicious|Starman|rack\.session", re.IGNORECASE
)
# Sessions of Ruby, whatever their cookie is called: a hash as Marshal writes it, of Rack; what Rails seals, which is a
# text, twelve bytes that were drawn for it and sixteen that vouch for it.
_SESSION_OF_RUBY = re.compile(
    rb"=BAh7|--(?:[A-Za-z0-9+/]|%2[BbFf]){16}--(?:[A-Za-z0-9+/]|%2[BbFf]){22}(?:==|%3[Dd]%3[Dd])"
)
_SERVERS = (b"Server", b"X-Powered-By", b"X-AspNet-Version")


def on_windows(response: Response | None) -> bool:
    """Whether an answer's headers name Windows or what runs there alone."""
    return response is not None and _name_windows(response.headers)


# Asked of the same few headers by every probe at every point.
@lru_cache(64)
def _name_windows(headers: Headers) -> bool:
    return any(_WINDOWS.search(told) for name in _SERVERS for told in all_values(headers, name))


def on_php(request: Request, response: Response | None) -> bool:
    """Whether the address, the answer's headers or the name of the session's cookie say that PHP answers."""
    answered = response.headers if response is not None else ()
    return _names_php(request.headers, answered) or request.path.endswith(b".php")


@lru_cache(64)
def _names_php(asked: Headers, answered: Headers) -> bool:
    return any(_PHP.search(each) for each in _naming(asked, answered))


def on_node(response: Response) -> bool:
    """Whether the answer's headers name a framework of Node."""
    return _name_node(response.headers)


@lru_cache(64)
def _name_node(headers: Headers) -> bool:
    return any(_NODE.search(told) for told in _naming((), headers))


def on_java(request: Request, responses: Iterable[Response]) -> bool:
    """Whether the address, a session's cookie or an answer, such as a server's own page of an error, names what runs Java."""
    if _JAVA_PATH.search(request.path) or any(b"JSESSIONID" in each for each in request.all(b"Cookie")):
        return True
    return any(
        _JAVA.search(told)
        for response in responses
        for told in (*response.all(b"Server"), *response.all(b"Set-Cookie"), response.body[:_MOST])
    )


def never_in_java(request: Request, response: Response) -> bool:
    """Whether what answers says that it is written in another language than Java's."""
    told = [each for name in (b"Server", b"X-Powered-By") for each in response.all(name)]
    return on_php(request, response) or any(_NOT_JAVA.search(each) for each in told)


def opens_pipes(request: Request, response: Response | None) -> bool:
    """Whether the address or what answers says that it is written in Ruby or Perl."""
    path = request.path
    if (
        path.endswith((b".pl", b".cgi", b".rb"))
        or b"/cgi-bin/" in path
        or (response is not None and response.first(b"X-Runtime"))
    ):
        return True
    return _names_pipes(request.headers, response.headers if response is not None else ())


@lru_cache(64)
def _names_pipes(asked: Headers, answered: Headers) -> bool:
    naming = _naming(asked, answered)
    return any(_WITH_PIPES.search(each) or _SESSION_OF_RUBY.search(each) for each in naming)


@lru_cache(64)
def _naming(asked: Headers, answered: Headers) -> tuple[bytes, ...]:
    """The headers that name what answers, the cookies of its sessions among them."""
    names = (b"Server", b"X-Powered-By", b"Set-Cookie")
    return (*all_values(asked, b"Cookie"), *(each for name in names for each in all_values(answered, name)))
