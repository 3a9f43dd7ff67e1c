"""What waits for a webhook is sent to it, one after the other, the oldest first.

A refusal puts off that delivery alone; where nobody answers all of them wait, so that a receiver that is away costs one try.
Each is sent once at least: a worker that dies between the answer and its note sends again, with the same event's identifier.
"""

import time

from django.db import transaction

from gatecrash.control.notifications import destinations, sending, services, signing
from gatecrash.control.notifications.mapping import unseal
from gatecrash.control.notifications.models import DELIVERED, GIVEN_UP, WAITING, Delivery, Webhook
from gatecrash.control.notifications.sending import Outcome
from gatecrash.control.vault import CannotOpen

# Seconds behind the first, second, … failure; behind all later ones as long as the last.
WAITS = (5.0, 15.0, 60.0, 300.0, 900.0, 1800.0)
GIVE_UP_SECONDS = 24 * 3600
KEPT_SECONDS = 7 * 24 * 3600
MOST_KEPT = 200
# No further delivery is begun behind this, well within the job's lease.
ROUND_SECONDS = 30.0
ERROR_KEPT = 500


def deliver(webhook_id: str) -> None:
    """Send what is due to one webhook of the current client."""
    until = time.monotonic() + ROUND_SECONDS
    while time.monotonic() < until:
        webhook = Webhook.objects.filter(id=webhook_id, enabled=True, resting_until__lte=time.time()).first()
        row = _next(webhook) if webhook is not None else None
        if webhook is None or row is None:
            return
        outcome = _send(webhook, row)
        _note(webhook, row, outcome, time.time())


def _next(webhook: Webhook) -> Delivery | None:
    """The oldest that is due; a test, for which somebody waits, before all others."""
    due = Delivery.objects.filter(webhook=webhook, state=WAITING, next_at__lte=time.time()).order_by("id")
    found: Delivery | None = due.filter(kind=services.TEST).first() or due.first()
    return found


def _send(webhook: Webhook, row: Delivery) -> Outcome:
    now = time.time()
    try:
        sealed = unseal(webhook)
        place = destinations.read(sealed.url)
    except (CannotOpen, destinations.NotAllowed) as error:
        return Outcome(None, str(error))
    body = row.body.encode()
    return sending.send(place, signing.headers(row.event_id, int(now), body, sealed.keys(now)), body)


def _note(webhook: Webhook, row: Delivery, outcome: Outcome, now: float) -> None:
    """Write what came of a try, and when there is another."""
    wait = WAITS[min(row.tries, len(WAITS) - 1)]
    state = DELIVERED if not outcome.error else GIVEN_UP if now + wait > row.created_at + GIVE_UP_SECONDS else WAITING
    no_answer = outcome.status is None
    with transaction.atomic():
        Delivery.objects.filter(id=row.id).update(
            state=state,
            tries=row.tries + 1,
            tried_at=int(now),
            status=outcome.status,
            error=outcome.error[:ERROR_KEPT],
            next_at=now + wait,
            body=row.body if state == WAITING else "",
        )
        if state == DELIVERED:
            # Somebody is there again: what nobody answered before need not wait any longer.
            Delivery.objects.filter(webhook=webhook, state=WAITING, tries__gt=0, status=None).update(next_at=now)
        Webhook.objects.filter(id=webhook.id).update(
            resting_until=now + wait if no_answer else 0.0,
            last_at=int(now),
            last_status=outcome.status,
            last_error=outcome.error[:ERROR_KEPT],
        )


def tidy(now: float) -> None:
    """Give up what waited for a day at a webhook that is off, and forget what is long over, in the current client."""
    overdue = Delivery.objects.filter(state=WAITING, created_at__lte=now - GIVE_UP_SECONDS, webhook__enabled=False)
    Delivery.objects.filter(id__in=list(overdue.values_list("id", flat=True))).update(
        state=GIVEN_UP, body="", error="The webhook was off for a day."
    )
    over = Delivery.objects.exclude(state=WAITING)
    over.filter(created_at__lt=now - KEPT_SECONDS).delete()
    for webhook_id in Webhook.objects.values_list("id", flat=True):
        oldest = (
            over.filter(webhook_id=webhook_id).order_by("-id").values_list("id", flat=True)[MOST_KEPT : MOST_KEPT + 1]
        )
        for last in list(oldest):
            over.filter(webhook_id=webhook_id, id__lte=last).delete()
