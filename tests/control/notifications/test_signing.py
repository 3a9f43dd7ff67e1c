"""Messages are signed as Standard Webhooks has it, and as our page tells receivers to check."""

import base64
import re
from pathlib import Path
from typing import Any

import pytest

from gatecrash.control.notifications import signing

PAGE = Path(__file__).parents[3] / "docs/notifications.md"


def documented() -> Any:
    """The function that the page shows, as somebody would paste it."""
    (code,) = re.findall(r"```python\n(.*?)```", PAGE.read_text("utf-8"), re.DOTALL)
    names: dict[str, Any] = {}
    exec(code, names)
    return names["verified"]


def test_the_example_of_the_specification_has_its_signature() -> None:
    """The vector that the libraries of Standard Webhooks test themselves with."""
    secret, body = "whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw", b'{"test": 2432232314}'
    made = signing.headers("msg_p5jXN8AQM9LWM0D4loKWxJek", 1614265330, body, [secret])
    assert made["webhook-signature"] == "v1,g0hM9SsE+OTPJTGt/tmIKtSyZlE3uFJELVlNIOLJ1OE="


def test_the_documented_check_takes_what_we_sign_and_nothing_else() -> None:
    verified, secret, other = documented(), signing.new_secret(), signing.new_secret()
    body = '{"a":"ü"}'.encode()
    made = signing.headers("evt_1", 1000, body, [other, secret])
    assert verified(made, body, secret, now=1000)
    assert verified(made, body, other, now=1299)
    assert not verified(made, body + b" ", secret, now=1000)
    assert not verified(made, body, signing.new_secret(), now=1000)
    assert not verified({**made, "webhook-id": "evt_2"}, body, secret, now=1000)
    assert not verified({**made, "webhook-timestamp": "1001"}, body, secret, now=1000)
    assert not verified(made, body, secret, now=1301), "what somebody kept and sends again is old"


def test_a_secret_is_32_random_bytes() -> None:
    one, two = signing.new_secret(), signing.new_secret()
    assert one != two
    assert len(base64.b64decode(one.removeprefix("whsec_"))) == 32


@pytest.mark.parametrize("keys", [1, 2])
def test_there_is_a_signature_for_each_secret(keys: int) -> None:
    made = signing.headers("evt_1", 1, b"{}", [signing.new_secret() for _ in range(keys)])
    assert [part.partition(",")[0] for part in made["webhook-signature"].split(" ")] == ["v1"] * keys
