"""What interception of TLS needs besides Python's own: a CA, certificates of hosts, and a look at the ClientHello."""
