"""The second factor (TOTP, RFC 6238): its secrets are sealed like any other secret at rest."""

import base64

from allauth.mfa.adapter import DefaultMFAAdapter
from allauth.mfa.models import Authenticator

from gatecrash.control import vault

_OWNER = "deployment"  # users belong to no client
_ROW = "second factor"


class Adapter(DefaultMFAAdapter):
    """allauth's hooks: how secrets are kept, and that no mail is sent."""

    def encrypt(self, text: str) -> str:
        """Seal a secret for its row."""
        return base64.b64encode(vault.seal(text.encode(), client_id=_OWNER, row=_ROW)).decode("ascii")

    def decrypt(self, encrypted_text: str) -> str:
        """The secret back. Raises vault.CannotOpen."""
        return vault.unseal(base64.b64decode(encrypted_text), client_id=_OWNER, row=_ROW).decode()

    def send_notification_mail(self, *_: object, **__: object) -> None:
        """The service sends no mail; the audit log tells."""


def is_on(user_id: str) -> bool:
    """Whether this user must show a code at sign-in."""
    return bool(Authenticator.objects.filter(user_id=user_id, type=Authenticator.Type.TOTP).exists())


def users_with(user_ids: list[str]) -> set[str]:
    """Which of these users must show a code."""
    rows = Authenticator.objects.filter(user_id__in=user_ids, type=Authenticator.Type.TOTP)
    return set(rows.values_list("user_id", flat=True))


def reseal() -> tuple[int, int]:
    """Seal every second factor with the first key; how many were, and how many do not open.

    allauth keeps a TOTP secret as `secret` and what recovery codes are made of as `seed`.
    """
    done = unopened = 0
    for row in Authenticator.objects.order_by("id"):
        try:
            fresh = {name: _resealed(row.data[name]) for name in ("secret", "seed") if name in row.data}
        except vault.CannotOpen:
            unopened += 1
            continue
        if any(row.data[name] != text for name, text in fresh.items()):
            row.data = {**row.data, **fresh}
            row.save(update_fields=["data"])
            done += 1
    return done, unopened


def _resealed(text: str) -> str:
    sealed = base64.b64decode(text)
    return base64.b64encode(vault.vault().reseal(sealed, client_id=_OWNER, row=_ROW)).decode("ascii")


def take_away(user_id: str) -> None:
    """Remove a lost second factor with its recovery codes: an administrator's help."""
    Authenticator.objects.filter(user_id=user_id).delete()
