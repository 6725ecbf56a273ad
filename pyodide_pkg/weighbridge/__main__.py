"""
``python -m weighbridge`` is the same command as ``weighbridge``.
"""

import sys

from weighbridge.cli import main

if __name__ == "__main__":
    sys.exit(main())
