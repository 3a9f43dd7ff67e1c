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


def take_away(user_id: str) -> None:
    """Remove a lost second factor with its recovery codes: an administrator's help."""
    Authenticator.objects.filter(user_id=user_id).delete()
