#!/usr/bin/env bash
# SPDX-License-Identifier: GPL-3.0-or-later
# The Debian packages on a machine that has nothing: installed by apt-get, the window started under a virtual display by an account that is not
# root, the sample run trained to its end, then uninstalled. Fails when a file is left or a file of the system has changed.
#
#   debian.sh PACKAGES      the folder that packaging/package has filled
packages=$(realpath "$1")
# shellcheck source=machine.sh
source "$(dirname "${BASH_SOURCE[0]}")/machine.sh"

# Every file with its hash, but for what apt and dpkg remember, and logs and caches that triggers of other packages fill.
files() {
    local left_out=() folder
    for folder in proc sys dev tmp run home packages var/lib/dpkg var/lib/apt var/cache var/log; do left_out+=(-path "./$folder" -prune -o); done
    (cd "$machine" && find . -xdev "${left_out[@]}" \( -type f -exec sha256sum {} + -o -type l -printf 'link to %l  %p\n' \) | sort -k 2)
}

# Packages that came for others and that none depends on any more. apt-get keeps those that another merely recommends or suggests (perl, netbase).
autoremove() { quietly inside apt-get -o APT::AutoRemove::RecommendsImportant=false -o APT::AutoRemove::SuggestsImportant=false autoremove --purge -y; }

# The display is the test's; everything else comes with the packages themselves.
quietly inside apt-get install -y --no-install-recommends xvfb xauth
autoremove # of an earlier test in the same machine
fresh_home
cp "$packages"/*.deb "$machine/packages/"
# Packages of Debian that ours need leave files of their own when they are purged (accounts of services, /etc/hosts): they have come and gone once
# before the files are counted, so that what differs afterwards is ours.
mapfile -t needed < <(inside sh -c 'apt-get install --simulate /packages/*.deb' | sed -nE 's/^Inst ([^ ]+) \(.*/\1/p' | grep -v '^trainyard')
quietly inside apt-get install -y --no-install-recommends "${needed[@]}"
quietly inside apt-mark auto "${needed[@]}"
autoremove
files >"$work/before"

# Recommended packages are installed as a person's apt-get does: the sample's text (perl-doc) is one.
quietly inside sh -c 'apt-get install -y /packages/trainyard-engine_*.deb /packages/trainyard_*.deb'
inside dpkg --verify trainyard trainyard-engine
as_user trainyard --version
train_the_sample trainyard-desktop
as_user trainyard runs list

quietly inside apt-get purge -y trainyard trainyard-engine
autoremove
files >"$work/after"
if ! diff "$work/before" "$work/after" >"$work/left"; then
    echo "after the packages were purged, these files are left or changed (< before, > after):" >&2
    sed -n '1,20p' "$work/left" >&2
    exit 1
fi
echo "nothing is left of the packages"
