"""Keys that are made for whoever asks for one, and keys that are told to whoever looks."""

import secrets
import string

from gatecrash.core.message import Request, Response
from tests.range.place import Given, answer, flaw, text, twin

# In two parts, so that no scanner of sources takes it for a key.
KEY = "sk_" + "live_kh83hfk2kh83hfk2kh83hfk2"
JSON = ((b"Content-Type", b"application/json"),)
MADE = b'{"name": "server"}'


def posting(path: str, body: bytes = MADE):
    return lambda place: Request("POST", f"{place}{path}".encode(), JSON, body)


@flaw("info", request=lambda place: Request("GET", f"{place}/keys".encode()))
def listed_whole(_given: Given) -> Response:
    return answer({"keys": [{"id": 7, "name": "server", "secret": KEY}]})


@flaw("info", request=posting("/keys/search", b'{"query": "server"}'))
def searched_for(_given: Given) -> Response:
    """It posts, and asks for what is there."""
    return answer({"keys": [{"id": 7, "name": "server", "secret": KEY}]})


@flaw("info", request=posting("/orders"))
def told_with_an_order(_given: Given) -> Response:
    return answer({"order": 7, "paid_with": KEY}, 201)


@twin("info", request=posting("/keys"))
def made_for_its_caller(_given: Given) -> Response:
    return answer({"id": 9, "name": "server", "secret": KEY}, 201)


@twin("info", request=posting("/keys/7/rotate"))
def made_anew(_given: Given) -> Response:
    return answer({"id": 7, "secret": KEY})


@twin("info", request=posting("/users/7/key-pairs"))
def made_in_two_parts(_given: Given) -> Response:
    return answer({"private": "-----BEGIN PRIVATE KEY-----\n" + "MIIEowIBAAKCAQEA" * 4 + "\n"}, 201)


@twin(
    "info",
    request=posting("/rpc", b'{"jsonrpc": "2.0", "id": 1, "method": "createApiKey", "params": {"name": "server"}}'),
)
def made_by_a_call(_given: Given) -> Response:
    return answer({"jsonrpc": "2.0", "id": 1, "result": {"secret": KEY}})


@twin("info", request=posting("/settings", f'{{"payments": {{"secret": "{KEY}"}}}}'.encode()))
def said_by_its_caller(given: Given) -> Response:
    """Settings that are answered as they were sent."""
    return text(given.request.body.decode())


def drawn(length: int) -> str:
    return "".join(secrets.choice(string.ascii_letters) for _ in range(length))


@twin("info", ways=("query",))
def hashed_with_a_fresh_salt(_given: Given) -> Response:
    """A tool that makes a line of a file of passwords."""
    return text(f"ann:$2b$10${drawn(53)}\n")


@twin("info", ways=("query",))
def key_to_take_away(_given: Given) -> Response:
    """A tool that makes keys, which all begin with how they are written down."""
    lines = "\n".join(drawn(64) for _ in range(12))
    return answer(
        {
            "key": f"-----BEGIN PRIVATE KEY-----\nMIIEvQIBADANBgkqhkiG9w0BAQEFAASCBKcwggSj{drawn(24)}\n{lines}\n-----END PRIVATE KEY-----"
        }
    )


@flaw("info", ways=("query",))
def key_with_the_time(_given: Given) -> Response:
    """The rest of the answer is another one each time."""
    return text(
        "-----BEGIN PRIVATE KEY-----\n"
        + ("MIIEowIBAAKCAQEA" * 4 + "\n") * 3
        + f"-----END PRIVATE KEY-----\nasked {drawn(8)}"
    )
