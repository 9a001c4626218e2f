#!/bin/sh
# Runs a command as on a bare machine: its PATH holds what README asks for, and nothing else.
#
#     scripts/bare.sh [-n] [-u] make test      -n: without a network, not even loopback; -u: as nobody
#
# Both need root. Nobody may read all, for what runs may lie in a closed home directory, and nothing else.
# The rest of the environment is the caller's, but that no program is required: `HOME= LC_ALL=C scripts/bare.sh …`.
set -eu
namespaces='' user=''
while getopts nu option; do
    case $option in
        n) namespaces=--net ;;
        u) user="setpriv --reuid=65534 --regid=65534 --clear-groups --inh-caps=-all,+dac_read_search \
            --ambient-caps=+dac_read_search --bounding-set=-all,+dac_read_search --no-new-privs --" ;;
        *) exit 2 ;;
    esac
done
shift $((OPTIND - 1))

bin=$(mktemp -d)
trap 'rm -rf "$bin"' EXIT
chmod 755 "$bin"
# No link: `venv` would make links to it, which outlive this run.
printf '#!/bin/sh\nexec "%s" "$@"\n' "$(python3 -c 'import sys; print(sys.executable)')" >"$bin/python3"
chmod 755 "$bin/python3"
for name in cargo rustc rustdoc cc as ld ar make git sh \
    [ b2sum base32 base64 basename basenc cat chgrp chmod chown cksum comm cp csplit cut date dd df dir dirname du echo \
    env expand expr factor false fmt fold groups head hostid id install join link ln logname ls md5sum mkdir mkfifo mknod \
    mktemp mv nice nl nohup nproc numfmt od paste pathchk pinky pr printenv printf ptx pwd readlink realpath rm rmdir seq \
    sha1sum sha256sum sha512sum shred shuf sleep sort split stat stdbuf stty sum sync tac tail tee test timeout touch tr \
    true truncate tsort tty uname unexpand uniq unlink users vdir wc who whoami yes; do
    found=$(command -v "$name" || true)
    case $found in
        /*) ;;
        *) found=/usr/bin/$name ;; # a builtin of this shell
    esac
    [ ! -x "$found" ] || ln -s "$found" "$bin/$name"
done

# No PATH names these folders of root's programs and of servers, and Drivecast looks there all the same.
hide='bin=$1; shift; for place in /usr/local/sbin /usr/sbin /usr/lib/postgresql /usr/lib/sysstat; do
    [ ! -d "$place" ] || mount -t tmpfs -o mode=755 none "$place"
done; '
if unshare --mount true 2>/dev/null; then
    namespaces="--mount $namespaces"
else
    hide='bin=$1; shift; '
fi
unset DRIVECAST_REQUIRE_PROGRAMS
# shellcheck disable=SC2086 # words
${namespaces:+unshare $namespaces} sh -c "$hide exec $user env PATH=\"\$bin\" \"\$@\"" bare "$bin" "$@"
