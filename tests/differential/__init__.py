"""
Other implementations beside the gate, on generated schemas and calls; every disagreement has its reason.
"""
