"""
The official suite in every seat, and an interpreter in the page that runs the bundle's own bytes.
"""
