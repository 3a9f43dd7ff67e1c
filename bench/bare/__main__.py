"""`python -m bench.bare TOKEN`: make the reference's database with one token in it."""

import hashlib
import os
import sys

import django
from django.core.management import call_command


def main() -> None:
    """Create the table and the token."""
    os.environ["DJANGO_SETTINGS_MODULE"] = "bench.bare.settings"
    django.setup()
    from bench.bare.models import Token

    call_command("migrate", "--run-syncdb", "--verbosity=0")
    Token.objects.create(digest=hashlib.sha256(sys.argv[1].encode()).hexdigest(), client="cl_bench")


if __name__ == "__main__":
    main()
