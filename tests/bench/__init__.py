"""
What the gate costs beside others, in one run: ``make bench``.
"""
