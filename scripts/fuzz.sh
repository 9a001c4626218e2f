#!/bin/sh
# Fuzzes every target for so many seconds each. It starts from what the project has: fuzz/seeds, samples of formats, named
# workloads. What it finds goes to fuzz/found, which the next run goes on from.
# Needs cargo-fuzz (`cargo install cargo-fuzz`) and a nightly toolchain.
set -eu
seconds=$1
if ! cargo fuzz --version >/dev/null 2>&1; then
    echo 'missing: cargo-fuzz' >&2
    echo '    cargo install cargo-fuzz; rustup toolchain install nightly' >&2
    exit 1
fi
for target in $(cargo fuzz list); do
    echo "$target" >&2
    found=fuzz/found/$target
    mkdir -p "$found"
    set -- "$found"
    if [ -f "fuzz/seeds/$target.txt" ]; then # inputs with an empty line between them
        awk -v RS= -v to="$found/seed-" '{ printf "%s", $0 > (to NR) }' "fuzz/seeds/$target.txt"
    fi
    case $target in
        parquet) set -- "$@" fuzz/seeds/parquet ;;
        detection) set -- "$@" fuzz/seeds/parquet crates/trace/src/counter/samples crates/trace/tests/data ;;
        model) set -- "$@" python/drivecast/stage/named ;;
    esac
    cargo +nightly fuzz run "$target" "$@" -- -max_total_time="$seconds" -rss_limit_mb=4096
done
