"""A browser that runs the scripts of a site while its pages are read. It has no way out of its own: whatever it asks for is asked
by the node or held back.
"""
