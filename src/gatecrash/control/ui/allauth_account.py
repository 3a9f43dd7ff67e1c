"""allauth's accounts app, told that its middleware stands inside the doorway."""

from allauth.account.apps import AccountConfig


class Account(AccountConfig):
    """The app of sign-ins."""

    name = "allauth.account"
    label = "account"

    def ready(self) -> None:
        """Leave out allauth's look at MIDDLEWARE: `ui.doorway` holds its middleware, so that the API does without."""
