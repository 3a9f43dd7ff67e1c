"""The application for granian."""

import os

from django.core.wsgi import get_wsgi_application

os.environ["DJANGO_SETTINGS_MODULE"] = "bench.bare.settings"
application = get_wsgi_application()
