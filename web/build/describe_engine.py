"""
What the interpreter has before anything of ours is asked of it; written to /inside/engine.json.
"""

import sys

#: Taken before this file imports anything more.
AT_BOOT = sorted(sys.modules)

import json  # noqa: E402 - see above
from pathlib import Path  # noqa: E402

Path("/inside/engine.json").write_text(
    json.dumps(
        {
            "python": "{}.{}.{}".format(*sys.version_info),
            "modules": AT_BOOT,
            "builtins": sorted(sys.builtin_module_names),
        }
    ),
    encoding="utf-8",
)
