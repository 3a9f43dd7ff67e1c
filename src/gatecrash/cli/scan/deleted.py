"""`gatecrash scan` of a capture: what it makes anew once it is signed in, by an auth profile or as the capture's users did."""

from gatecrash.cli.scan.capture import ScanCapture
from gatecrash.core.testing.selection.replay import replayable
from gatecrash.node.scan.captures.deleted_things import DeletedThings
from gatecrash.node.test.beforehand.as_own import is_own
from gatecrash.wire.session import RunOrder


def to_be_made(capture: ScanCapture, order: RunOrder, dead: bool) -> DeletedThings | None:
    """What the scan makes anew once it is signed in; None where what was recorded has made it already. dead: sessions are over."""
    profile = order.profile
    if capture.drafts or (not dead and (profile is None or profile.recorded)):
        return None
    deleted = DeletedThings(order.policy.methods_excluded)
    for exchange in map(replayable, capture.exchanges()):
        if is_own(exchange.request, profile, capture.learned):
            deleted.see(exchange)
    return deleted
