"""
What tests share: the machine they run on, environments, browsers, and servers of their own.
"""
