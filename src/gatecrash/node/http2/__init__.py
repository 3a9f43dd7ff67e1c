"""HTTP/2 on `h2`: one connection's streams with their flow control, for the tap's both sides and for the sender."""
