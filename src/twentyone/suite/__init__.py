"""The conformance suite: where its files lie, and our own engine on the pipe."""
