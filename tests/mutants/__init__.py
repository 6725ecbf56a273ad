"""
Mutation testing: what the fast tests notice when the gate is made wrong in one place.
"""
