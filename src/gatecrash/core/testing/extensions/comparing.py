"""Which types a later run looked for again, when two runs are compared that may have had other extensions.

A finding does not say who made it. So a type counts as looked for only where everything that could have found it in the
earlier run was there in the later one, too: "fixed" must never stand for "not asked".
"""

from gatecrash.core.testing.extensions.engine import probes_of
from gatecrash.core.testing.extensions.source import Source
from gatecrash.core.testing.policy import Policy


def looked_for(earlier: Policy, later: Policy) -> frozenset[str]:
    """The types of the earlier run's findings that the later run would have found again.

    Raises InvalidPolicy where an extension cannot be read.
    """
    built_in, built_in_before = _built_in(later), _built_in(earlier)
    gone = _types(tuple(one for one in earlier.extensions if one not in later.extensions))
    own = _types(later.extensions) - (built_in_before - built_in)
    return (built_in | own) - gone


def _built_in(policy: Policy) -> frozenset[str]:
    return frozenset() if policy.only_custom else frozenset(policy.types)


def _types(extensions: tuple[Source, ...]) -> frozenset[str]:
    return frozenset(probe.type for probe in probes_of(extensions))
