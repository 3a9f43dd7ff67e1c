"""Gatecrash: finds the HTTP endpoints that nobody guards, and proves it."""

# Our own nodes start at the versions from which authentication detection is known (contract 9.2).
__version__ = "0.24.0"
