"""What stands below its caller's own address, where he made it: `/me/clips/7` of `POST /me/clips`.

Such an address names nobody, as each caller finds his own there. What its owner has just made there himself is his, where no
list shows it to the other.
"""

from gatecrash.core.testing.authorization.objects.own_places import stands_below_oneself
from gatecrash.core.testing.known.objects import Named
from gatecrash.core.testing.probe import Situation


def made_below_oneself(situation: Situation, named: Named) -> bool:
    """Whether what a path names last was made in the record at the list right above it, which is below the caller's own address."""
    above = named.collection or b""
    if named.point[0] != "path" or not stands_below_oneself(above.decode("latin-1")):
        return False
    return any(each.was == named.value and each.request.path == above for each in situation.makers)
