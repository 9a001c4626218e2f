#!/bin/sh
# Names what is missing, each in a line with the command that installs it, before anything is built.
# Python's headers are not among it: the core is built for Python's stable interface, which needs none.
missing=0
need() { # what, what to do
    printf 'missing: %s: %s\n' "$1" "$2" >&2
    missing=1
}
have() { command -v "$1" >/dev/null 2>&1; }
install() { # the packages of Debian and Ubuntu, of Fedora, of Homebrew
    if have apt-get; then echo "apt-get install $1"
    elif have dnf; then echo "dnf install $2"
    elif have brew; then echo "brew install $3"
    else echo "install $1 (as Debian calls it)"
    fi
}

python=${PYTHON:-python3}
if ! have "$python"; then
    need 'Python >= 3.11' "$(install 'python3 python3-venv' python3 python)"
elif ! "$python" -c 'import sys; sys.exit(sys.version_info < (3, 11))' 2>/dev/null; then
    newer=
    for other in python3.11 python3.12 python3.13 python3.14; do
        if have "$other"; then newer=$other; fi
    done
    need "Python >= 3.11 (\`$python\` is $("$python" -V 2>&1))" \
        "${newer:-install a newer one, then} make PYTHON=${newer:-/path/to/python3.11} …"
elif [ ! -e .venv/bin/activate ] && ! "$python" -c 'import venv, ensurepip' 2>/dev/null; then
    version=$("$python" -c 'import sys; print("%d.%d" % sys.version_info[:2])')
    need "the modules venv and ensurepip of \`$python\`" "$(install "python$version-venv" python3-libs python)"
fi
if ! have cargo; then
    need 'Rust >= 1.88 (cargo)' "$(install rustup rustup rustup) (or see rustup.rs), then: rustup default stable"
elif ! version=$(rustc --version 2>/dev/null | cut -d' ' -f2) || [ -z "$version" ]; then
    need 'Rust >= 1.88 (`cargo` is there, `rustc` does not run)' 'rustup default stable'
elif ! printf '1.88.0\n%s\n' "$version" | sort -C -V; then
    if have rustup; then how='rustup update stable'; else how="$(install rustup rustup rustup), then: rustup default stable"; fi
    need "Rust >= 1.88 (\`rustc\` is $version)" "$how"
fi
if ! echo '#include <stdio.h>' | cc -E -x c - >/dev/null 2>&1; then
    if [ "$(uname)" = Darwin ]; then how='xcode-select --install'; else how=$(install build-essential gcc gcc); fi
    need 'a C compiler (cc) with the headers of the C library' "$how"
fi
if [ "$missing" = 0 ] && [ ! -e .venv/.synced ]; then
    "$python" scripts/check_first_build.py || missing=1
fi
exit "$missing"
