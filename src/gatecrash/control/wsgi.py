"""The application for granian: `granian --interface wsgi gatecrash.control.wsgi:application`."""

import os

from django.core.wsgi import get_wsgi_application

os.environ.setdefault("DJANGO_SETTINGS_MODULE", "gatecrash.control.settings")
application = get_wsgi_application()
