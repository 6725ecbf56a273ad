#!/usr/bin/env bash
# True when Node >= 20 and npm run; on Debian as root it installs them, elsewhere it says what to do.
set -eu

say() { printf 'weighbridge: %s\n' "$*" >&2; }

good() {
  command -v npm >/dev/null 2>&1 &&
    node -e 'process.exit(Number(process.versions.node.split(".")[0]) >= 20 ? 0 : 1)' 2>/dev/null
}

good && exit 0

if [ "$(id -u)" = 0 ] && command -v apt-get >/dev/null 2>&1; then
  say "no Node >= 20 with npm here; installing Debian's nodejs and npm"
  { apt-get update -qq && apt-get install -y -qq nodejs npm; } >&2 || true
  good && exit 0
fi

say "Node >= 20 with npm is needed to build the page, and was not found (node: $(node --version 2>/dev/null || echo none))."
say "cure: install Node 20 or newer so that node and npm are on PATH, then make again"
exit 1
