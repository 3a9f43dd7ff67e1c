"""What a request may set of an object: its properties, prices, rights, authors and amounts."""
