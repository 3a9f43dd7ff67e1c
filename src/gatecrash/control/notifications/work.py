"""The background work of notifications: finding what is due, sending it, forgetting what is long over."""

import time

from gatecrash.control import wall
from gatecrash.control.accounts.models import Client
from gatecrash.control.jobs import services as jobs
from gatecrash.control.jobs.models import Job
from gatecrash.control.jobs.registry import job
from gatecrash.control.notifications import delivering
from gatecrash.control.notifications.models import WAITING, Delivery, Webhook

DELIVER = "deliver"
AT_ONCE = 1000


@job("find_deliveries", every=2)
def find_deliveries(_key: str) -> None:
    """Ask for a job for each webhook for which something is due.

    Who makes a delivery does not ask itself: it would hold the job's row for as long as its own transaction takes.
    """
    now = time.time()
    due = Delivery.objects.filter(state=WAITING, next_at__lte=now)
    webhook_ids = list(due.values_list("webhook_id", flat=True).distinct()[:AT_ONCE])
    if not webhook_ids:
        return
    asked = set(Job.objects.filter(name=DELIVER).values_list("key", flat=True))
    ready = Webhook.objects.filter(id__in=webhook_ids, enabled=True, resting_until__lte=now).order_by("id")
    for client_id, webhook_id in ready.values_list("client_id", "id"):
        if webhook_id not in asked:
            jobs.enqueue(DELIVER, client_id=client_id, key=webhook_id)


@job(DELIVER, lease=90, outward=True)
def deliver(webhook_id: str) -> None:
    """Send one webhook what is due to it."""
    delivering.deliver(webhook_id)


@job("tidy_deliveries", every=600, lease=600)
def tidy_deliveries(_key: str) -> None:
    """Every ten minutes, for every client: what is long over is forgotten."""
    for client_id in Client.objects.values_list("id", flat=True):
        with wall.client(client_id):
            delivering.tidy(time.time())
