#!/bin/sh
# Names what is missing, and the way to get it, before anything is built.
missing=0
need() {
    printf 'missing: %s\n    %s\n' "$1" "$2" >&2
    missing=1
}

python=${PYTHON:-python3}
if ! command -v "$python" >/dev/null 2>&1; then
    need 'Python >= 3.11' 'Debian, Ubuntu: apt-get install python3 python3-venv; Fedora: dnf install python3; macOS: brew install python'
elif ! "$python" -c 'import sys; sys.exit(sys.version_info < (3, 11))'; then
    need "Python >= 3.11 (\`$python\` is $("$python" -V 2>&1))" 'install a newer one and call: make PYTHON=/path/to/python3.11'
elif [ ! -x .venv/bin/python ] && ! "$python" -c 'import venv, ensurepip' 2>/dev/null; then
    need "the venv module of \`$python\`" 'Debian, Ubuntu: apt-get install python3-venv'
fi
if ! command -v cargo >/dev/null 2>&1; then
    need 'a Rust toolchain >= 1.88' 'rustup (from rustup.rs), or Debian: apt-get install rustup; then: rustup default stable'
else
    version=$(rustc --version | cut -d' ' -f2)
    if ! printf '1.88.0\n%s\n' "$version" | sort -C -V; then
        need "Rust >= 1.88 (found $version)" 'rustup update stable'
    fi
fi
if ! command -v cc >/dev/null 2>&1; then
    need 'a C compiler (cc)' 'Debian, Ubuntu: apt-get install build-essential; Fedora: dnf install gcc; macOS: xcode-select --install'
fi
exit $missing
