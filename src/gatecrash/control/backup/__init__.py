"""One installation as one archive, and back: what `gatecrash backup` and `gatecrash restore` do (docs/backup.md)."""
