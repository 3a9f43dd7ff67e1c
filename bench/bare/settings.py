"""As little Django as a token check needs, on a database that is opened just like the service's own."""

import os

from gatecrash.control.database import parse_url

SECRET_KEY = "only-for-the-benchmark"
ALLOWED_HOSTS = ["*"]
ROOT_URLCONF = "bench.bare.urls"
INSTALLED_APPS = ["bench.bare"]
MIDDLEWARE: list[str] = []
DATABASES = {"default": parse_url(os.environ["GATECRASH_DATABASE_URL"])}
DEFAULT_AUTO_FIELD = "django.db.models.BigAutoField"
USE_TZ = True
USE_I18N = False
