"""The application for granian: `granian --interface wsgi gatecrash.control.wsgi:application`.

The addresses are loaded here and not by the first request, which would find the service slow. Nothing is searched for
garbage meanwhile, nor any of it later: what is loaded stays.
"""

import gc
import os
from importlib import import_module

from django.core.wsgi import get_wsgi_application

from gatecrash.control.form_bodies import BoundedForms
from gatecrash.control.web_threads import MOST_WAITERS

gc.disable()
os.environ.setdefault("DJANGO_SETTINGS_MODULE", "gatecrash.control.settings")
application = BoundedForms(get_wsgi_application(), MOST_WAITERS)
import_module("gatecrash.control.urls")
gc.freeze()
gc.enable()
