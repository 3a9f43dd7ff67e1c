"""`python -m tests.e2e.administrator`: makes clients and tokens of an installation, as its command line would.

One process for a whole suite, because starting Django anew for every client would take longer than the tests. Reads one
JSON request a line on standard input, answers one a line on standard output:

    {"client": "name"}                                                  → {"client_id": …}
    {"token": "name", "client_id": …, "role": …, "expires_at": unix}    → {"id": …, "token": …}
    {"visitors": 100, "client_id": …, "role": …}                        → {"sessions": […]}, of a user each
"""

import json
import os
import secrets
import sys
from typing import Any


def main() -> None:
    """Serve until standard input ends."""
    os.environ.setdefault("DJANGO_SETTINGS_MODULE", "gatecrash.control.settings")
    import django

    django.setup()
    for line in sys.stdin:
        print(json.dumps(serve(json.loads(line))), flush=True)


def serve(asked: dict[str, Any]) -> dict[str, Any]:
    """Do what one line asks."""
    from gatecrash.control import wall
    from gatecrash.control.accounts import services
    from gatecrash.control.api.roles import Role

    if "client" in asked:
        return {"client_id": services.create_client(asked["client"]).id}
    with wall.client(asked["client_id"]):
        if "visitors" in asked:
            return {"sessions": visitors(asked["visitors"], Role(asked["role"]))}
        row, text = services.create_token(
            asked["token"],
            Role(asked["role"]),
            deployment=asked.get("deployment", False),
            expires_at=asked.get("expires_at"),
        )
    return {"id": row.id, "token": text}


def visitors(number: int, role: Any) -> list[str]:
    """The session cookies of new users of the current client, each signed in."""
    from django.conf import settings
    from django.db import transaction
    from django.test import Client

    from gatecrash.control.accounts import services

    sessions = []
    with transaction.atomic():
        for _ in range(number):
            user = services.create_user(f"{secrets.token_hex(8)}@example.com")
            services.add_member(user, role)
            browser = Client()
            browser.force_login(user, backend=settings.AUTHENTICATION_BACKENDS[-1])
            sessions.append(browser.cookies[settings.SESSION_COOKIE_NAME].value)
    return sessions


if __name__ == "__main__":
    main()
