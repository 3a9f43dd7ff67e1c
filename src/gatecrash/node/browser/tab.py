"""One tab: what it asks for is answered by whoever opened it, and its page is looked at and acted on.

tab = await opened_tab(devtools, serve)
await tab.go(url)
await tab.call("controls")      what the driver says of the page that is shown
"""

import asyncio
import base64
from collections import Counter
from collections.abc import Awaitable, Callable, Coroutine
from contextlib import suppress
from importlib.resources import files
from typing import Any

import msgspec

from gatecrash.core.message import Response
from gatecrash.core.testing.oracles.body import content_of
from gatecrash.node.browser.devtools import BrowserFailed, Devtools, Event

Serve = Callable[[Event], Awaitable[Response | None]]
"""The answer to what a page asks for; None where it gets none."""
# Seconds. Nothing is asked for this long: what a search field waits for, until nobody types any more, is in it. Nobody waits long for a
# page twice that never falls quiet.
_QUIET, _LONGEST_WAIT, _SHORTER_WAIT = 0.4, 8.0, 1.0
# What a page asks for once more after this many times is a clock of its own, which nothing waits for.
_MOST_ALIKE = 2
_FOR_US = frozenset({b"content-encoding", b"content-length", b"transfer-encoding", b"connection", b"strict-transport-security"})  # fmt: skip
_DRIVER = files(__package__).joinpath("driver.js").read_text("utf-8")


class Tab:
    """The page of one target of the browser."""

    def __init__(self, devtools: Devtools, session: str, serve: Serve) -> None:
        self._devtools, self._session, self._serve = devtools, session, serve
        self._serving: set[asyncio.Task[None]] = set()
        self._waited_for: set[asyncio.Task[None]] = set()
        self._changed = asyncio.Event()
        self._asked: Counter[tuple[str, str, str]] = Counter()
        self._wait = _LONGEST_WAIT

    async def go(self, url: str) -> None:
        """Open an address; what keeps it from being shown is passed over."""
        await self._call("Page.navigate", url=url)
        await self.settle()

    async def settle(self) -> None:
        """Wait until the page asks for nothing new any more, or for long enough."""
        self._changed.set()
        try:
            async with asyncio.timeout(self._wait):
                while self._waited_for or self._changed.is_set():
                    self._changed.clear()
                    with suppress(TimeoutError):
                        await asyncio.wait_for(self._changed.wait(), _QUIET)
            self._wait = _LONGEST_WAIT
        except TimeoutError:
            self._wait = _SHORTER_WAIT
        self._asked.clear()

    async def call(self, name: str, *given: Any) -> Any:
        """What a function of the driver gives; None where the page is no document, or is just another one."""
        words = ", ".join(msgspec.json.encode(each).decode() for each in given)
        return await self._evaluate(f"window.__gatecrash && window.__gatecrash.{name}({words}) || null")

    async def url(self) -> str:
        """Where it is."""
        return str(await self._evaluate("location.href") or "")

    async def cookies(self) -> str:
        """What scripts of the page see of its cookies."""
        return str(await self._evaluate("document.cookie") or "")

    async def _evaluate(self, expression: str) -> Any:
        with suppress(BrowserFailed):
            told = await self._call("Runtime.evaluate", expression=expression, returnByValue=True)
            return told["result"].get("value")
        return None

    async def _call(self, method: str, **given: Any) -> dict[str, Any]:
        return await self._devtools.call(method, self._session, **given)

    def heard(self, event: str, told: Event) -> None:
        """What the browser says of the page."""
        if event == "Fetch.requestPaused":
            self._begin(self._answer(told), self._is_new(told))
        elif event == "Page.javascriptDialogOpening":
            self._begin(self._agree(), True)

    def _is_new(self, told: Event) -> bool:
        wanted = told["request"]
        asked = wanted["method"], wanted["url"].partition("?")[0], wanted.get("postData", "")
        self._asked[asked] += 1
        return self._asked[asked] <= _MOST_ALIKE

    def _begin(self, work: Coroutine[Any, Any, None], is_waited_for: bool) -> None:
        task = asyncio.ensure_future(work)
        self._serving.add(task)
        if is_waited_for:
            self._waited_for.add(task)
            self._changed.set()
        task.add_done_callback(self._ended)

    def _ended(self, task: "asyncio.Task[None]") -> None:
        self._serving.discard(task)
        if task in self._waited_for:
            self._waited_for.discard(task)
            self._changed.set()
        if not task.cancelled():
            task.exception()  # the browser has gone, and whoever calls it next is told

    async def _answer(self, told: Event) -> None:
        response = await self._serve(told)
        number = told["requestId"]
        with suppress(BrowserFailed):  # the page has left what it asked for
            if response is None:
                await self._call("Fetch.failRequest", requestId=number, errorReason="Aborted")
            else:
                await self._call("Fetch.fulfillRequest", requestId=number, **_told(response))

    async def _agree(self) -> None:
        """Whoever asks whether he may is told that he may: what would change something is held back all the same."""
        with suppress(BrowserFailed):
            await self._call("Page.handleJavaScriptDialog", accept=True, promptText="1")

    async def close(self) -> None:
        """Answer nothing any more."""
        for task in self._serving:
            task.cancel()
        await asyncio.gather(*self._serving, return_exceptions=True)


async def opened_tab(devtools: Devtools, serve: Serve) -> Tab:
    """A tab that shows nothing yet. Raises BrowserFailed."""
    target = (await devtools.call("Target.createTarget", url="about:blank"))["targetId"]
    session = (await devtools.call("Target.attachToTarget", targetId=target, flatten=True))["sessionId"]
    tab = Tab(devtools, session, serve)
    devtools.listen(session, tab.heard)
    await devtools.call("Page.enable", session)
    await devtools.call("Network.enable", session)
    await devtools.call("Network.setBypassServiceWorker", session, bypass=True)
    await devtools.call("Page.addScriptToEvaluateOnNewDocument", session, source=_DRIVER)
    await devtools.call("Fetch.enable", session, patterns=[{"urlPattern": "*"}])
    with suppress(BrowserFailed):
        await devtools.call("Browser.setDownloadBehavior", behavior="deny")
    return tab


def _told(response: Response) -> dict[str, Any]:
    headers = [
        {"name": name.decode("latin-1"), "value": value.decode("latin-1")}
        for name, value in response.headers
        if name.lower() not in _FOR_US
    ]
    body = content_of(response)
    return {
        "responseCode": response.status,
        "responseHeaders": headers,
        "body": base64.b64encode(body if body is not None else response.body).decode(),
    }
