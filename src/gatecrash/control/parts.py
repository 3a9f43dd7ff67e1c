"""The apps of the control plane, in the one order in which they are installed, migrated and put on the API.

An app is one domain word with the same file names as every other: models.py rows only, services.py changes, queries.py
reads, mapping.py row and core value, api.py thin, migrations/. A later app may use an earlier one, never the other way.
"""

APPS = (
    "jobs",
    "accounts",
    "inventory",
    "nodes",
    "profiles",
    "findings",
    "policies",
    "testruns",
    "schedules",
    "notifications",
)
