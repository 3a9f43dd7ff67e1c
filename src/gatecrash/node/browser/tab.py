"""One tab: what it asks for is answered by whoever opened it, and its page is looked at and acted on.

tab = await opened_tab(devtools, serve)
await tab.go(url)
await tab.call("controls")      what the driver says of the page that is shown
"""

import asyncio
import base64
import time
from collections import Counter
from collections.abc import Awaitable, Callable, Coroutine, Iterable
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
# Whoever is answered later than this many seconds asked while scripts ran.
_BUSY, _MOST_RESTS = 0.1, 5
_FOR_US = frozenset({b"content-encoding", b"content-length", b"transfer-encoding", b"connection", b"strict-transport-security"})  # fmt: skip
# The functions are no page's of another origin, a sandboxed frame's neither: what runs there is none of the site's scripts.
_BINDING = "__gatecrash_called"
_WATCHING = """(([binding, origin, names, window]) => {
  const tell = self[binding];
  delete self[binding];
  if (self.origin !== origin) return;
  for (const name of names) Object.defineProperty(self, name, {value: () => tell(name)});
  if (self === top && window) self.name = window;
})(%s)"""
_DRIVER = files(__package__).joinpath("driver.js").read_text("utf-8")


class Tab:
    """The page of one target of the browser."""

    def __init__(self, devtools: Devtools, target: str, session: str, serve: Serve) -> None:
        self._devtools, self._target, self._session, self._serve = devtools, target, session, serve
        self._serving: set[asyncio.Task[None]] = set()
        self._waited_for: set[asyncio.Task[None]] = set()
        self._changed = asyncio.Event()
        self._asked: Counter[tuple[str, str, str]] = Counter()
        self._wait = _LONGEST_WAIT
        self._tell: Callable[[str], object] = lambda _: None

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

    async def come_to_rest(self) -> None:
        """Wait until its scripts have run, too, which a busy machine may take longer for than the page is quiet."""
        for _ in range(_MOST_RESTS):
            asked = time.monotonic()
            state = await self._evaluate("document.readyState")
            if state != "loading" and time.monotonic() - asked < _BUSY:
                return
            await self.settle()

    async def call(self, name: str, *given: Any) -> Any:
        """What a function of the driver gives; None where the page is no document, or is just another one."""
        words = ", ".join(msgspec.json.encode(each).decode() for each in given)
        return await self._evaluate(f"window.__gatecrash && window.__gatecrash.{name}({words}) || null")

    async def watch(self, origin: str, names: Iterable[str], tell: Callable[[str], object], window: str = "") -> None:
        """Give the documents of an origin that are opened from now on functions of these names, each of which tells that it was called.
        window: what whoever opens them calls their window.
        """
        self._tell = tell
        told = msgspec.json.encode([_BINDING, origin, list(names), window]).decode()
        await self._call("Runtime.enable")
        await self._call("Runtime.addBinding", name=_BINDING)
        await self._call("Page.addScriptToEvaluateOnNewDocument", source=_WATCHING % told)

    async def clear(self, origin: str) -> None:
        """Forget what the documents of an origin have left in the browser."""
        with suppress(BrowserFailed):
            await self._devtools.call("Storage.clearDataForOrigin", self._session, origin=origin, storageTypes="all")

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
        elif event == "Runtime.bindingCalled" and told["name"] == _BINDING:
            self._tell(told["payload"])

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
        with suppress(BrowserFailed):
            await self._devtools.call("Target.closeTarget", targetId=self._target)


async def opened_tab(devtools: Devtools, serve: Serve) -> Tab:
    """A tab that shows nothing yet. Raises BrowserFailed."""
    target = (await devtools.call("Target.createTarget", url="about:blank"))["targetId"]
    session = (await devtools.call("Target.attachToTarget", targetId=target, flatten=True))["sessionId"]
    tab = Tab(devtools, target, session, serve)
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
