#!/usr/bin/env bash
# Makes .venv hold exactly what .ci/requirements.lock names, and the package itself
# as an editable install; needs the network only when something is missing.
set -eu

say() { printf 'weighbridge: %s\n' "$*" >&2; }

uv_version=$(sed -n 's/^uv==\([^ ]*\).*/\1/p' .ci/requirements.lock)

if ! .venv/bin/python -c 'import sys; sys.exit(sys.version_info < (3, 12))' 2>/dev/null; then
  python=$(bash .ci/python.sh)
  say "making .venv with $("$python" --version) at $python"
  rm -rf .venv
  if ! "$python" -m venv .venv >/dev/null 2>&1; then
    # Debian's python3 comes without ensurepip; the rest of venv is there.
    rm -rf .venv
    "$python" -m venv --without-pip .venv || {
      say "$python cannot make an environment."
      say "cure: install its venv module (Debian: apt-get install python3-venv), then make again"
      exit 1
    }
  fi
fi

# uv takes seconds where pip takes a minute; either installs the same files,
# since both hold them to the hashes in the lock.
uv=$(command -v uv || true)
if [ -z "$uv" ] && [ ! -x .venv/bin/uv ] && .venv/bin/python -m pip --version >/dev/null 2>&1; then
  .venv/bin/python -m pip install --quiet --disable-pip-version-check "uv==$uv_version" >&2 || true
fi
[ -n "$uv" ] || { [ -x .venv/bin/uv ] && uv=.venv/bin/uv; }

say "installing what .ci/requirements.lock names into .venv"
if [ -n "$uv" ]; then
  "$uv" pip install --quiet --python .venv/bin/python --require-hashes -r .ci/requirements.lock
  "$uv" pip install --quiet --python .venv/bin/python --no-deps --no-build-isolation --editable .
elif .venv/bin/python -m pip --version >/dev/null 2>&1; then
  .venv/bin/python -m pip install --quiet --disable-pip-version-check --require-hashes -r .ci/requirements.lock
  .venv/bin/python -m pip install --quiet --disable-pip-version-check --no-deps --no-build-isolation --editable .
else
  say "there is neither uv nor pip to install with."
  say "cure: install uv, or your Python's pip and venv (Debian: apt-get install python3-venv)"
  exit 1
fi
