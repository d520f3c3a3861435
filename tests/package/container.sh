#!/usr/bin/env bash
# SPDX-License-Identifier: GPL-3.0-or-later
# The container's recipe, built on the minimal Debian (no registry is asked), and in its image: a short run, and sshd's settings.
#
#   container.sh PACKAGES      the folder that packaging/package has filled; needs buildah
packages=$(realpath "$1")
# shellcheck source=machine.sh
source "$(dirname "${BASH_SOURCE[0]}")/machine.sh"
command -v buildah >/dev/null || { echo "container.sh needs buildah: apt-get install buildah." >&2; exit 1; }
for mounted in dev/pts dev sys proc; do umount -l "$machine/$mounted"; done

storage=(--root "$work/storage" --runroot "$work/run" --storage-driver vfs)
base=$(buildah "${storage[@]}" from scratch)
buildah "${storage[@]}" add --quiet "$base" "$machine" / >/dev/null
buildah "${storage[@]}" commit --quiet --rm "$base" localhost/minimal >/dev/null
quietly buildah "${storage[@]}" build --isolation chroot --network host --build-arg BASE=localhost/minimal --tag localhost/trainyard "$packages/container"
image=$(buildah "${storage[@]}" from --pull-never localhost/trainyard)
in_image() { buildah "${storage[@]}" run --isolation chroot "$@"; }
in_image "$image" trainyard --version
[ "$(in_image "$image" id -un)" = trainyard ]
in_image "$image" sh -c 'HOME=/home/trainyard trainyard launch --cpu --num_processes 2 /usr/share/trainyard/samples/sample.yaml --set training.steps=5 --set schedule.warmup_steps=1'
# As `trainyard-host` does before it becomes sshd.
# shellcheck disable=SC2016
in_image --user root "$image" sh -c '[ -z "$(ls /etc/ssh/ssh_host_* 2>/dev/null)" ] && ssh-keygen -A && mkdir -p /run/sshd && sshd -t && sshd -T' | tee "$work/sshd" | grep -c .
for setting in 'passwordauthentication no' 'permitrootlogin no' 'kbdinteractiveauthentication no' 'allowusers trainyard'; do
    grep -qx "$setting" "$work/sshd" || { echo "sshd of the image does not have '$setting'" >&2; exit 1; }
done
buildah "${storage[@]}" rm --all >/dev/null
