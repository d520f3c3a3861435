#!/usr/bin/env bash
# SPDX-License-Identifier: GPL-3.0-or-later
# The AppImage: mounted here, with a program that outlives its starter; unpacked on a machine that has a display and no Qt, where the sample run is
# trained to its end by an account that is not root.
#
#   appimage.sh PACKAGES      the folder that packaging/package has filled
packages=$(realpath "$1")
# shellcheck source=machine.sh
source "$(dirname "${BASH_SOURCE[0]}")/machine.sh"
image=$(ls "$packages"/*.AppImage)

# As a command of its own, by the name it is called by.
ln -s "$image" "$work/trainyard"
mkdir "$work/mounts"
export TMPDIR=$work/mounts
"$work/trainyard" --version
mounts() { grep -c " $work/mounts/" /proc/mounts || true; }
wait_for_mounts() {
    for _ in $(seq 200); do
        [ "$(mounts)" -eq "$1" ] && return 0
        sleep 0.1
    done
    echo "$(mounts) images are mounted where $1 should be" >&2
    return 1
}
wait_for_mounts 0
if [ -r /dev/fuse ]; then
    # What the program leaves behind keeps the image mounted until it ends.
    "$work/trainyard" cache >/dev/null
    mkfifo "$work/hold"
    "$image" --appimage-mount <"$work/hold" >"$work/place" &
    exec 9>"$work/hold"
    wait_for_mounts 1
    "$(cat "$work/place")/usr/lib/trainyard/bin/trainyard" --version
    (cd "$(cat "$work/place")" && exec sleep 3) & # a process in it
    exec 9>&-
    sleep 1
    [ "$(mounts)" -eq 1 ] || { echo "the image is gone although a process uses it" >&2; exit 1; }
    wait_for_mounts 0
    [ -z "$(ls -A "$work/mounts")" ] || { echo "a mount point is left: $(ls -A "$work/mounts")" >&2; exit 1; }
fi
unset TMPDIR

# The libraries that AppImages expect of a machine with a display.
quietly inside apt-get install -y --no-install-recommends xvfb xauth perl-doc libgl1 libegl1 libopengl0 libfontconfig1 libx11-xcb1 libharfbuzz0b libstdc++6
fresh_home
cp "$image" "$machine/packages/trainyard.AppImage"
ln -s trainyard.AppImage "$machine/packages/trainyard"
as_user env APPIMAGE_EXTRACT_AND_RUN=1 /packages/trainyard --version
train_the_sample env APPIMAGE_EXTRACT_AND_RUN=1 /packages/trainyard.AppImage
