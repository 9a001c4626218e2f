#!/usr/bin/env bash
# Unpacks the current kernel of Debian for virtual machines into out/guest, without installing it, and prints that folder,
# which DRIVECAST_GUEST names to the tests that boot a guest. On Debian, for x86-64; needs no rights.
set -euo pipefail
cd "$(dirname "$0")/.."

image() { apt-cache depends linux-image-cloud-amd64 2>/dev/null | sed -n 's/^ *Depends: \(linux-image-[^ ]*\)$/\1/p' | head -1; }
if [ -z "$(image)" ]; then
    apt-get update -qq >&2
fi
image=$(image)
if [ -z "$image" ]; then
    echo 'no package linux-image-cloud-amd64 here: Debian has it' >&2
    exit 1
fi
folder=$PWD/out/guest
if [ ! -e "$folder/boot/vmlinuz-${image#linux-image-}" ]; then
    unpacked=$(mktemp -d "$PWD/.guest-XXXXXX")
    trap 'rm -rf "$unpacked"' EXIT
    (cd "$unpacked" && apt-get download -qq -o APT::Sandbox::User="$(id -un)" "$image" >&2)
    dpkg -x "$unpacked"/*.deb "$unpacked/tree"
    rm -rf "$folder"
    mkdir -p out
    mv "$unpacked/tree" "$folder"
fi
echo "$folder"
