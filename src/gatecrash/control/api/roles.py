"""Who may call an operation (decisions 2), as sets of roles."""

from enum import StrEnum


class Role(StrEnum):
    """What a token or a member of a client may do.

    admin: all of a client. analyst: runs tests, edits auth parameters and policies. viewer: reads.
    ci: creates, reads and stops runs, and acts as a node. node: the node protocol only.
    """

    ADMIN = "admin"
    ANALYST = "analyst"
    VIEWER = "viewer"
    CI = "ci"
    NODE = "node"


Roles = frozenset[Role]

READ: Roles = frozenset({Role.ADMIN, Role.ANALYST, Role.VIEWER, Role.CI})
RUN: Roles = frozenset({Role.ADMIN, Role.ANALYST, Role.CI})
EDIT: Roles = frozenset({Role.ADMIN, Role.ANALYST})
ADMIN: Roles = frozenset({Role.ADMIN})
NODE: Roles = frozenset({Role.ADMIN, Role.CI, Role.NODE})
