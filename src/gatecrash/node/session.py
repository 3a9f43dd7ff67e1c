"""The node's standing with the control plane: its session, and when it last heard orders."""

import asyncio

from gatecrash.wire.session import Welcome

SILENCE_SECONDS = 10.0
"""A node that nobody hears stops sending (decisions 11)."""


class Session:
    """The node's present session with the control plane, waited for by whoever has something to send."""

    def __init__(self) -> None:
        self._welcome: Welcome | None = None
        self._known = asyncio.Event()

    def set(self, welcome: Welcome) -> None:
        """A hello was answered."""
        self._welcome = welcome
        self._known.set()

    def end(self) -> None:
        """The session is over; whoever sends waits for the next."""
        self._known.clear()

    async def welcome(self) -> Welcome:
        """The session, once there is one."""
        await self._known.wait()
        assert self._welcome is not None
        return self._welcome


class Lifeline:
    """Whether the control plane was heard lately; test requests wait while it was not."""

    def __init__(self, silence: float = SILENCE_SECONDS) -> None:
        self._silence = silence
        self._heard_at = float("-inf")
        self._heard = asyncio.Event()

    def heard(self, now: float) -> None:
        """Orders came. now: the loop's clock."""
        self._heard_at = now
        self._heard.set()

    @property
    def alive(self) -> bool:
        """Whether orders came in the last 10 seconds."""
        return self.alive_at(asyncio.get_running_loop().time())

    def alive_at(self, now: float) -> bool:
        """The same, for who knows the loop's time."""
        return now - self._heard_at < self._silence

    async def wait(self) -> None:
        """Returns while the control plane is heard, else waits until it is."""
        while not self.alive:
            self._heard.clear()
            await self._heard.wait()
