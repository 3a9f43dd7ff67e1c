"""One caller of the API, who checks on every answer what holds for all of them: the envelope of decisions 1."""

import json
from dataclasses import dataclass
from types import TracebackType
from typing import Any, Self

import httpx
from tests.plain_http import PLAIN

JSON = "application/json"
UNSET = object()


@dataclass(frozen=True)
class Answer:
    """An enveloped answer, its envelope already checked."""

    status: int
    body: dict[str, Any]
    headers: dict[str, str]


class Caller:
    """Asks as the holder of one token, or of none."""

    def __init__(self, api: str, token: str | None) -> None:
        self.api = api
        self.token = token
        self.headers = {} if token is None else {"X-Service-API-Token": token}
        self.http = httpx.Client(base_url=api, headers=self.headers, **PLAIN)

    def __enter__(self) -> Self:
        return self

    def __exit__(self, kind: type[BaseException] | None, error: BaseException | None, at: TracebackType | None) -> None:
        self.http.close()

    def ask(self, method: str, path: str, body: object = UNSET, **more: Any) -> Answer:
        """Ask, with a JSON body where one is given."""
        if body is not UNSET:
            return self.send(method, path, json.dumps(body).encode(), **more)
        return envelope(self.http.request(method, path, **more))

    def send(self, method: str, path: str, content: Any, kind: str | None = JSON, **more: Any) -> Answer:
        """Ask with these very bytes as the body."""
        headers = {} if kind is None else {"Content-Type": kind}
        return envelope(self.http.request(method, path, content=content, headers=headers, **more))

    def get(self, path: str, **more: Any) -> Answer:
        """Read."""
        return self.ask("GET", path, **more)

    def post(self, path: str, body: object = UNSET) -> Answer:
        """Create or act."""
        return self.ask("POST", path, body)

    def did(self, method: str, path: str, body: object = UNSET) -> dict[str, Any]:
        """Ask for what must work, and give its body."""
        answer = self.ask(method, path, body)
        assert answer.status == 200, f"{method} {path}: {answer.status} {answer.body}"
        return answer.body


def envelope(response: httpx.Response) -> Answer:
    """The answer out of its envelope, which must be of the contract's shape and agree with the HTTP status."""
    where = f"{response.request.method} {response.request.url}: {response.status_code} {response.text[:500]}"
    assert response.headers.get("content-type", "").partition(";")[0] == JSON, where
    document = json.loads(response.content)
    assert set(document) == {"status", "body"}, where
    assert type(document["status"]) is int, where
    assert document["status"] == response.status_code, where
    assert type(document["body"]) is dict, where
    assert response.status_code < 500, where
    return Answer(response.status_code, document["body"], dict(response.headers))


def plain_error(answer: Answer, status: int, code: str) -> None:
    """Check an error that belongs to no field: its code and one sentence, and nothing else."""
    assert (answer.status, answer.body.get("error")) == (status, code), answer
    assert set(answer.body) == {"error", "message"}, answer
    assert type(answer.body["message"]) is str, answer
    assert answer.body["message"].strip(), answer


def field_error(answer: Answer, field: str, code: str, value: object = UNSET, status: int = 400) -> None:
    """Check that this field, whatever else is faulty, is answered with this code and its value as it was given."""
    assert answer.status == status, answer
    fault = answer.body.get(field)
    assert type(fault) is dict, answer
    assert fault["error"] == code, answer
    assert "value" in fault, answer
    if value is not UNSET:
        assert (type(fault["value"]), fault["value"]) == (type(value), value), answer
