"""
A small real service behind the ten published schemas: SQLite, ten tools.

The demonstration and the parity tests run it. It is the only part of the
package that knows those ten tools by name.
"""
