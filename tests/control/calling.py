"""A caller of the API in tests: it checks the envelope of every answer that passes through it."""

from typing import Any

from django.test import Client

JSON = "application/json"


class Api:
    """Calls as one token; `status` and `body` of each answer are checked against the HTTP status."""

    def __init__(self, client_id: str, token: str | None) -> None:
        self.client_id = client_id
        self.token = token
        self._http = Client(raise_request_exception=False)

    def call(self, method: str, path: str, body: Any = None, **extra: Any) -> tuple[int, dict[str, Any]]:
        """Status and body of the envelope."""
        document = self.raw(method, path, body, **extra).json()
        return document["status"], document["body"]

    def raw(self, method: str, path: str, body: Any = None, **extra: Any) -> Any:
        """The answer itself, its envelope checked."""
        headers = {"X-Service-API-Token": self.token} if self.token is not None else {}
        given = {"content_type": JSON, "data": body} if body is not None else {}
        answer = self._http.generic(
            method, path, headers=headers | extra.pop("headers", {}), **self._encoded(given), **extra
        )
        if method != "HEAD":
            document = answer.json()
            assert set(document) == {"status", "body"}
            assert document["status"] == answer.status_code
            assert isinstance(document["body"], dict)
        return answer

    def get(self, path: str) -> tuple[int, dict[str, Any]]:
        return self.call("GET", path)

    def post(self, path: str, body: Any) -> tuple[int, dict[str, Any]]:
        return self.call("POST", path, body)

    def patch(self, path: str, body: Any) -> tuple[int, dict[str, Any]]:
        return self.call("PATCH", path, body)

    def delete(self, path: str) -> tuple[int, dict[str, Any]]:
        return self.call("DELETE", path)

    def _encoded(self, given: dict[str, Any]) -> dict[str, Any]:
        import json

        if "data" in given and not isinstance(given["data"], bytes | str):
            given["data"] = json.dumps(given["data"])
        return given
