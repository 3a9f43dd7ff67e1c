"""Middleware for Python services: tells a Gatecrash node which requests came and how they were answered.

    service → asgi.py or wsgi.py (a note in a bounded queue) → sender.py (a thread: batches over HTTP) → the node's collector

It never makes a request wait and never fails one. The node counts; what is sent holds the requests' headers, so the
collector should be on the same machine, or behind TLS.
"""
