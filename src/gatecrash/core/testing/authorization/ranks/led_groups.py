"""Whether a request is about somebody in a group that its sender may lead himself: `/teams/3/members/7/role`,
`setRole(team: 3, …)`.

Whoever begins a team says what its members may do, whoever stands above him in the service as a whole. Below the tenant
that he and those above him belong to, they alone say so.
"""

import re

from gatecrash.core.testing.authorization.callers.oneself import TENANT
from gatecrash.core.testing.authorization.objects.named import kind_of, named_fields, named_objects
from gatecrash.core.testing.known.objects import Named
from gatecrash.core.testing.probe import Situation

# As `kind_of` tells them.
_GROUPS = re.compile(
    r"(?:.*[-_])?(?:workspace|team|group|org(?:ani[sz]ation)?|compan|project|channel|club|tenant|space|board|room|server|guild|communit"
    r"|famil|household|circle|crew|class|course|event|repo(?:sitor)?|shop|store)"
)


def in_led_group(situation: Situation) -> bool:
    """Whether something that it names may be such a group."""
    return any(not _is_their_tenant(situation, each) for each in _groups(situation))


def _groups(situation: Situation) -> list[Named]:
    request = situation.baseline.request
    named = [each for each in named_objects(request) if each.sure]
    above = [each for each in named if each.point[0] == "path"][:-1]
    every = (*named, *named_fields(request))
    return [*above, *(each for each in every if _GROUPS.fullmatch(kind_of(request, each)) and each not in above)]


def _is_their_tenant(situation: Situation, named: Named) -> bool:
    own, *others = situation.identities
    tenant = TENANT + named.value.lower()
    return tenant in own.known and any(tenant in each.known for each in others if each.rank > own.rank)
