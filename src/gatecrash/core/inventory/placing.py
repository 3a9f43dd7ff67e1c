"""Under which endpoint an exchange is counted: decided templates first, then learned ones, then the protocol's operation.

Pins win over documents, documents over what was learned (decisions 6); a gRPC path is its method's name. An operation's
name leaves the node like a segment of a path does: seen 3 times, not random-looking, and only so many on one path.
"""

from functools import lru_cache

from gatecrash.core.inventory.endpoint import EndpointKey
from gatecrash.core.inventory.identifiers import is_random
from gatecrash.core.inventory.matcher import TemplateMatcher
from gatecrash.core.inventory.outliers import Outliers
from gatecrash.core.inventory.tally import REFUSED_STATUSES, Seen
from gatecrash.core.inventory.templates import TemplateLearner, shape_of
from gatecrash.core.statuses import FIRST_REDIRECT, NOT_MODIFIED

# Answers that a request to no endpoint at all gets, too.
UNPROVEN_STATUSES = frozenset({400, 404, 405})
MOST_OPERATIONS = 500
_MOST_NAMES = 50_000
_MOST_EARLY = 2_000
OTHER_OPERATION = "(other)"


class Placing:
    """Places one node's exchanges. Bounded, not shared between threads.

    matcher may be replaced at any time; learner is where names are learned.
    """

    def __init__(self, learner: TemplateLearner | None = None) -> None:
        """Learn names here."""
        self.learner = learner or TemplateLearner()
        self.matcher = TemplateMatcher()
        self._outliers = Outliers()
        self._operations: dict[tuple[str, str], dict[str, int]] = {}
        self._names = 0
        # How often operations were called while the names of their path had to stay here: host, path's shape, name.
        self._early: dict[tuple[str, str, str], int] = {}

    def place(self, seen: Seen, operation: str, *, learn: bool = True) -> EndpointKey | None:
        """The endpoint of what was seen; None while a name in it must stay here.

        learn: take it into account; what the application does not know must not teach names, or a scan would.
        """
        learn = learn and seen.status not in UNPROVEN_STATUSES
        template = self._template(seen, learn=learn)
        if template is None:
            if operation and learn:
                self._call_early(seen, operation)
            return None
        if operation:
            known = self._operation(seen, template, operation, learn=learn)
            if known is None:
                return None
            operation = known
        return EndpointKey(seen.protocol, seen.method, seen.host, template, operation)

    def _template(self, seen: Seen, *, learn: bool) -> str | None:
        if self.matcher:
            decided = self.matcher.match(seen.method, seen.host, seen.path)
            if decided is not None:
                return decided
        placed = self.learner.place(seen.host, seen.path, learn=learn, sure=_is_sure(seen))
        if placed is None:
            return None
        if not placed.strangers:
            return placed.template
        group = (seen.protocol, seen.method, seen.host, placed.template)
        if learn and seen.status not in REFUSED_STATUSES:
            self._outliers.count(group, placed.strangers, authenticated=seen.authenticated)
        return placed.apart if self._outliers.stands_apart(group, placed.strangers) else placed.template

    def _call_early(self, seen: Seen, operation: str) -> None:
        """Count a call whose path may not leave yet: both are shown from the same request on."""
        key = (seen.host, shape_of(seen.path), operation)
        if key in self._early or len(self._early) < _MOST_EARLY:
            self._early[key] = self._early.get(key, 0) + 1

    def _operation(self, seen: Seen, template: str, operation: str, *, learn: bool) -> str | None:
        """The operation as it may be shown; None while it must stay here."""
        names = self._operations.get((seen.host, template))
        if names is None:
            names = self._operations[seen.host, template] = {}
        times = names.get(operation)
        if times is None:
            if (
                shown_operation(operation) == OTHER_OPERATION
                or len(names) >= MOST_OPERATIONS
                or self._names >= _MOST_NAMES
            ):
                return OTHER_OPERATION
            if not learn:
                return None
            self._names += 1
            times = self._early.pop((seen.host, shape_of(seen.path), operation), 0)
        if learn:
            times = names[operation] = times + 1
        return operation if times >= self.learner.seen_to_leave else None


def _is_sure(seen: Seen) -> bool:
    """Whether the application has the path, as far as one exchange tells.

    Strangers may get any but a good answer everywhere, and so may who guesses at credentials.
    """
    if seen.status is None:
        return seen.authenticated
    if seen.status < FIRST_REDIRECT or seen.status == NOT_MODIFIED:
        return True
    return seen.authenticated and seen.status not in REFUSED_STATUSES


# Few names are called again and again, and random ones are looked at once.
@lru_cache(maxsize=4096)
def shown_operation(operation: str) -> str:
    """The name where it reads like words, else one for all: what looks random is not even written to the node's disk.

    The beginning of a persisted query's hash is no secret and may stand for itself.
    """
    readable = operation.startswith("persisted ") or not is_random(operation)
    return operation if readable else OTHER_OPERATION
