# SPDX-License-Identifier: GPL-3.0-or-later
# shellcheck shell=bash
# A minimal Debian of this machine's release in a folder (chroot), for tests of packages (source it). Its package sources are this machine's own.
# Needs root, debootstrap and a mirror of Debian. TRAINYARD_BARE names a folder to keep it in, which saves its two minutes the next time.

set -euo pipefail
[ "$(id -u)" -eq 0 ] || { echo "$(basename "$0") needs root: a minimal Debian cannot be made by another account." >&2; exit 1; }
work=$(mktemp -d)
machine=${TRAINYARD_BARE:-$work/machine}
trap 'for mounted in dev/pts dev sys proc; do umount -l "$machine/$mounted" 2>/dev/null || true; done; rm -rf "$work"' EXIT

# quietly COMMAND...: its output only when it fails.
quietly() { "$@" >"$work/log" 2>&1 || { tail -n 20 "$work/log" >&2; return 1; }; }
inside() { chroot "$machine" /usr/bin/env -i HOME=/root PATH=/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin LANG=C.UTF-8 DEBIAN_FRONTEND=noninteractive "$@"; }
# As an account that is not root and has an empty home folder.
as_user() { inside setpriv --reuid 4711 --regid 4711 --clear-groups env HOME=/home/person "$@"; }
fresh_home() {
    rm -rf "$machine/home/person" "$machine/packages"
    mkdir -p "$machine/home/person" "$machine/packages"
    chown 4711:4711 "$machine/home/person"
}

# The sample run in the window under a virtual display: its final loss is said and its picture is there.
train_the_sample() {
    # A number of its own: a display of this machine with the same one would be asked first, since abstract sockets know no folders.
    as_user xvfb-run --auto-servernum --server-num $((400 + RANDOM % 500)) --server-args '-screen 0 1440x900x24' timeout 1200 "$@" --sample --autostart --screenshot /home/person/sample.png | tee "$work/said"
    grep -qE 'final loss [0-9.]+' "$work/said" || { echo "the sample run said no final loss" >&2; return 1; }
    [ -s "$machine/home/person/sample.png" ] || { echo "the sample run ended without a screenshot" >&2; return 1; }
}

if [ ! -x "$machine/usr/bin/apt-get" ]; then
    # shellcheck disable=SC1091
    release=$(. /etc/os-release && echo "$VERSION_CODENAME")
    mirror=$({ cat /etc/apt/sources.list.d/*.sources /etc/apt/sources.list 2>/dev/null || true; } |
        sed -nE 's/^(URIs:|deb( \[[^]]*\])?) +([^ ]+).*/\3/p' | grep -vi security | sort -u | sed -n 1p)
    quietly debootstrap --variant=minbase --include=ca-certificates "$release" "$machine" "$mirror"
    rm -f "$machine/etc/apt/sources.list"
    cp -a /etc/apt/sources.list* "$machine/etc/apt/"
    cp /etc/ssl/certs/ca-certificates.crt "$machine/etc/ssl/certs/"
fi
cp /etc/resolv.conf "$machine/etc/resolv.conf"
for mounted in proc sys dev dev/pts; do mountpoint -q "$machine/$mounted" || mount --bind "/$mounted" "$machine/$mounted"; done
quietly inside apt-get update
