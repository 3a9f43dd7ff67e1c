"""The app of notifications: webhooks that a client registers, and what was sent to them."""

from django.apps import AppConfig

from gatecrash.control import news


class NotificationsConfig(AppConfig):
    """A client's webhooks and their deliveries."""

    name = "gatecrash.control.notifications"
    label = "notifications"

    def ready(self) -> None:
        """Hear what happens in the other apps."""
        news.register(_hear)


def _hear(kind: str, about: news.About) -> None:
    # Imported when asked for: models may be imported only when all apps are loaded.
    from gatecrash.control.notifications import hearing

    hearing.hear(kind, about)
