"""Who walks through a site: what the site has set is sent with every request, as a browser does it.

caller.ask(request)             the answer, to a request with the site's cookies
caller.put(request, headers)    what a script of the page sets
caller.is_given_more(response)  whether it sets what nothing has set before
"""

from collections.abc import Awaitable, Callable, Iterable

from gatecrash.core.message import Request, Response
from gatecrash.core.testing.probe import Answer
from gatecrash.node.scan.crawl_cookies import CrawlCookies
from gatecrash.node.scan.crawl_tokens import CrawlTokens

_MOST_NAMES = 20

Send = Callable[[Request], Awaitable[Answer]]


class CrawlCaller:
    """tokens: what the site hands out against forged requests."""

    def __init__(self, send: Send, goes_on: Callable[[], bool]) -> None:
        """send: asks, in the name of whoever walks. goes_on: whether more may be asked."""
        self._send = send
        self._jar = CrawlCookies()
        self._names: set[bytes] = set()
        self.tokens = CrawlTokens()
        self.goes_on = goes_on

    async def ask(self, request: Request) -> Answer:
        """With what the site has set; whoever is signed in has that put over it."""
        answer = await self._send(self._jar.on(request))
        if answer.exchange.response is not None:
            self._jar.take(request, answer.exchange.response)
            self.tokens.learn(answer.exchange)
        return answer

    def put(self, request: Request, headers: Iterable[bytes]) -> None:
        """Keep cookies, each written as in a header Set-Cookie. request: of the page that is given them."""
        self._jar.put(request, headers)

    def on(self, request: Request) -> Request:
        """The request with the site's cookies."""
        return self._jar.on(request)

    def is_given_more(self, response: Response) -> bool:
        """Whether an answer sets a cookie that nothing has set before: what a page has put there it reads when it is asked again."""
        names = {each.partition(b"=")[0].strip() for each in response.all(b"Set-Cookie")}
        new = names - self._names if len(self._names) < _MOST_NAMES else set()
        self._names |= new
        return bool(new)
