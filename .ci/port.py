"""
Prints the port to serve on: the wanted one where it is free, else 0 for any free one.
"""

import os
import socket
import sys


def main(wanted: str) -> int:
    """
    Print the port; say on standard error why it is not the wanted one.
    """
    try:
        with socket.create_server(("127.0.0.1", int(wanted))):
            print(wanted)
    except OSError as error:
        print(
            f"weighbridge: port {wanted} cannot be used ({os.strerror(error.errno or 0)}); taking a free one.",
            file=sys.stderr,
        )
        print(0)
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1]))
