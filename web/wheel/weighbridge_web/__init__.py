"""
The built page side, in ``dist`` beside this file: data alone, read by ``weighbridge.bundle``.
"""
