#!/bin/sh
# Fuzzes every target for so many seconds each, from the inputs kept in fuzz/corpus; new ones go to fuzz/found.
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
    mkdir -p "fuzz/found/$target"
    cargo +nightly fuzz run "$target" "fuzz/found/$target" "fuzz/corpus/$target" -- \
        -max_total_time="$seconds" -rss_limit_mb=4096
done
