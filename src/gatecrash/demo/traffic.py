"""Scripted customers and machines of the tea shop, all of them through the node's proxy."""

import base64
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import ExitStack
from dataclasses import dataclass, field
from typing import Any

import httpx

from gatecrash.core.errors import TargetError
from gatecrash.demo.target.store import API_KEY, USERS

TIMEOUT = 15.0
AGENT = "tea-app/1.0"
# Each visit calls every operation at least once; enough visits let the path templates settle.
VISITS = 10


class NoTraffic(TargetError):
    """The target was not reached through the proxy, or did not answer as it should."""


@dataclass(frozen=True)
class Step:
    """One request. wanted: the status that the shop gives when all is well."""

    method: str
    path: str
    params: dict[str, str] = field(default_factory=dict)
    body: dict[str, Any] | None = None
    form: dict[str, str] | None = None
    wanted: int = 200


def visitor(turn: int) -> Iterator[Step]:
    """Somebody without an account."""
    sought = "sencha" if turn % 2 else "assam"
    yield Step("GET", "/health")
    yield Step("GET", "/teas")
    yield Step("GET", "/pages/search", {"q": sought})
    yield Step("GET", "/pages/find", {"q": sought})
    yield Step("GET", "/pages/gift", {"name": "Mary" if turn % 2 else "Charles"})
    yield Step("GET", "/pages/voucher", {"name": "Mary" if turn % 2 else "Charles"})
    yield Step("GET", "/pages/sign-in")


def customer(number: int, turn: int) -> Iterator[Step]:
    """A signed-in customer (number counts from 1, as in the shop's table)."""
    odd = turn % 2 == 1
    # The shop gives even orders to the first customer and odd ones to the second.
    yield Step("GET", f"/orders/{2 * (turn % 19) + 3 - number}")
    yield Step("GET", "/teas")
    yield Step("GET", "/teas/by-origin", {"origin": "Japan" if odd else "India"})
    yield Step("GET", "/reviews", {"tea_id": "1" if odd else "2"})
    yield Step("GET", "/tastings", {"city": "Kyoto" if odd else "Hamburg"})
    yield Step("GET", "/wishes", {"tea": "Sencha" if odd else "Assam"})
    yield Step("GET", "/parcels", {"tea": "Sencha" if odd else "Assam"})
    for path in ("/paper/leaflets", "/paper/brochures", "/paper/manuals"):
        yield Step("GET", path, {"file": "sencha.txt" if odd else "assam.txt"})
    for path in ("/paper/labels", "/paper/stickers", "/paper/tags"):
        yield Step("GET", path, {"text": "Sencha" if odd else "Assam"})
    yield Step("POST", "/paper/cards", body={"text": "<b>Happy birthday</b>" if odd else "<i>Get well</i>"})
    yield Step("GET", "/suppliers", {"country": "Japan" if odd else "China"})
    yield Step("GET", "/greetings", {"name": USERS[number - 1][0].title()})
    yield Step("GET", "/shipments", {"ref": f"SH-{1001 + turn}"})
    yield Step("GET", "/invoices", {"number": str(1 + turn)})
    yield Step("POST", "/quotes", body={"tea": "Sencha" if odd else "Assam", "grams": 100 + turn})
    yield Step("GET", "/orders")
    yield Step("GET", "/wallet")
    yield Step("GET", "/club/loyalty")
    yield Step("GET", "/club/membership")
    yield Step("GET", "/settings")
    yield Step("GET", f"/customers/{number}")


def reader(number: int, turn: int) -> Iterator[Step]:
    """A customer with a browser (number as above): signs in by the form, and has a session cookie from then on."""
    del turn
    login, password = USERS[number - 1]
    yield Step("POST", "/session", form={"login": login, "password": password})
    yield Step("GET", "/account")
    yield Step("GET", "/account/orders")


def warehouse(turn: int) -> Iterator[Step]:
    """A machine with an API key."""
    yield Step("GET", "/stock", {"least": str(500 * (turn % 3))})


def office(turn: int) -> Iterator[Step]:
    """A person with a password, the old way."""
    del turn
    yield Step("GET", "/reports/daily")


class Street:
    """All of them, on connections of their own. proxy, target: addresses."""

    def __init__(self, proxy: str, target: str) -> None:
        self._stack = ExitStack()
        self._proxy, self._target = proxy, target
        login, password = USERS[0]
        basic = "Basic " + base64.b64encode(f"{login}:{password}".encode()).decode()
        self._visitor = self._client({})
        self._warehouse = self._client({"X-API-Key": API_KEY})
        self._office = self._client({"Authorization": basic})
        self._browser = self._client({})
        self._customers = [self._client({}) for _ in USERS]

    def __enter__(self) -> "Street":
        return self

    def __exit__(self, *_: object) -> None:
        self._stack.close()

    def everyday(self, visits: int = VISITS) -> int:
        """An ordinary day: everybody comes so often, all at once; how many requests that were."""
        people: list[Callable[[int], int]] = [
            lambda turn: self._walk(self._visitor, visitor(turn)),
            lambda turn: self._walk(self._warehouse, warehouse(turn)),
            lambda turn: self._walk(self._office, office(turn)),
            self._reader_visit,
            *(self._customer_visit(number) for number in range(1, len(USERS) + 1)),
        ]
        with ThreadPoolExecutor(len(people)) as threads:
            counts = threads.map(lambda person: sum(person(turn) for turn in range(visits)), people)
            return sum(counts)

    def tour(self) -> int:
        """Every operation once, by somebody who may call it: the baselines of a test run."""
        count = self._customer_visit(1)(0) + self._reader_visit(0)
        for client, steps in ((self._visitor, visitor(0)), (self._warehouse, warehouse(0)), (self._office, office(0))):
            count += self._walk(client, steps)
        return count

    def _customer_visit(self, number: int) -> Callable[[int], int]:
        client, (login, password) = self._customers[number - 1], USERS[number - 1]

        def visit(turn: int) -> int:
            client.headers.pop("Authorization", None)
            answer = self._send(client, Step("POST", "/login", body={"login": login, "password": password}))
            client.headers["Authorization"] = f"Bearer {answer.json()['token']}"
            return 1 + self._walk(client, customer(number, turn))

        return visit

    def _reader_visit(self, turn: int) -> int:
        # A new day: the browser was closed meanwhile, and its session cookie is gone.
        self._browser.cookies.clear()
        return self._walk(self._browser, reader(1, turn))

    def _walk(self, client: httpx.Client, steps: Iterator[Step]) -> int:
        return len([self._send(client, step) for step in steps])

    def _send(self, client: httpx.Client, step: Step) -> httpx.Response:
        try:
            answer = client.request(step.method, step.path, params=step.params or None, json=step.body, data=step.form)
        except httpx.HTTPError as error:
            raise NoTraffic(f"{step.method} {step.path} through {self._proxy} failed: {error}") from error
        if answer.status_code != step.wanted:
            raise NoTraffic(
                f"{step.method} {step.path} was answered {answer.status_code} instead of {step.wanted}: {answer.text[:200]}"
            )
        return answer

    def _client(self, headers: dict[str, str]) -> httpx.Client:
        made = httpx.Client(
            base_url=self._target,
            proxy=self._proxy,
            headers={"User-Agent": AGENT, **headers},
            timeout=TIMEOUT,
            trust_env=False,
        )
        return self._stack.enter_context(made)
