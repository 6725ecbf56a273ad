#!/usr/bin/env bash
# Prints the path of a CPython >= 3.12 that really runs, and nothing else, on
# standard output; what it tried is told on standard error.
#
# A name on PATH proves nothing: a version manager's shim is there for every
# version it has ever heard of and fails when called. So each candidate is run.
set -u

uv_version=$(sed -n 's/^uv==\([^ ]*\).*/\1/p' .ci/requirements.lock)

say() { printf 'weighbridge: %s\n' "$*" >&2; }

# Prints the interpreter's own path if it is a CPython >= 3.12 that can make environments.
runs() {
  "$1" -c '
import sys, sysconfig
good = sys.implementation.name == "cpython" and sys.version_info >= (3, 12)
good = good and not sysconfig.get_config_var("Py_GIL_DISABLED")
print(sys.executable) if good else sys.exit(1)
' 2>/dev/null </dev/null
}

offer() {
  local found
  if found=$(runs "$1") && [ -n "$found" ]; then
    printf '%s\n' "$found"
    exit 0
  fi
}

if [ -n "${PYTHON:-}" ]; then
  offer "$PYTHON"
  say "PYTHON=$PYTHON is not a CPython >= 3.12 that runs; unset it, or point it at one."
  exit 1
fi

for name in python3.13 python3.14 python3.12 python3 python; do
  command -v "$name" >/dev/null 2>&1 && offer "$name"
done

shopt -s nullglob
for root in "${PYENV_ROOT:-$HOME/.pyenv}/versions" "${ASDF_DATA_DIR:-$HOME/.asdf}/installs/python"; do
  for candidate in "$root"/3.1[3-9]*/bin/python3 "$root"/3.12*/bin/python3; do
    offer "$candidate"
  done
done
for candidate in /usr/bin/python3.1[2-9] /usr/local/bin/python3.1[2-9] /opt/homebrew/bin/python3.1[2-9]; do
  offer "$candidate"
done

uv=$(command -v uv || true)
if [ -n "$uv" ] && found=$("$uv" python find '>=3.12' 2>/dev/null); then
  offer "$found"
fi

say "no CPython >= 3.12 among PATH, pyenv, asdf and the usual folders; asking uv for one."
if [ -z "$uv" ]; then
  for name in python3 python; do
    if "$name" -m pip install --quiet --disable-pip-version-check --target .build/uv "uv==$uv_version" >&2; then
      uv=.build/uv/bin/uv
      break
    fi
  done
fi
if [ -n "$uv" ] && "$uv" python install 3.13 >&2 && found=$("$uv" python find 3.13 2>/dev/null); then
  offer "$found"
fi

say "found no CPython >= 3.12, and could not install one."
say "cure: install Python 3.12 or newer (your package manager, pyenv or uv has it), then say"
say "      make PYTHON=/path/to/python3.13"
exit 1
