"""The built-in rules of detection as the API shows them, read from the core's registry of schemes."""

from typing import Any

from gatecrash.core.auth.registry import REGISTRY
from gatecrash.core.auth.scheme import Scheme


def _shown(scheme: Scheme) -> dict[str, Any]:
    names = [{"point": rule.point.nested(), "source": rule.source} for rule in scheme.rules]
    return {"type": scheme.type.value, "words": list(scheme.words), "names": names}


BUILT_IN = [_shown(scheme) for scheme in REGISTRY]
