# SPDX-License-Identifier: GPL-3.0-or-later
# shellcheck shell=bash disable=SC2034
# Common functions of the scripts in this folder (to be sourced): messages, questions, free space, progress of long
# commands. On an error, scripts call die() with one sentence and exit with 1; wrong usage exits with 2.

set -Eeuo pipefail
umask 022
export LC_ALL=C.UTF-8

root=$(cd "$(dirname "${BASH_SOURCE[0]}")/.." && pwd)
packaging=$root/packaging
libtorch_version=2.15.0
pyarrow_version=26.0.1
cache=${TRAINYARD_CACHE:-${XDG_CACHE_HOME:-${HOME:?is not set: set HOME to your home folder}/.cache}/trainyard}

say() { printf '%s\n' "$*"; }
die() {
    printf '%s: %s\n' "packaging/$(basename "$0")" "$*" >&2
    exit 1
}
usage_error() {
    printf '%s: %s\n' "packaging/$(basename "$0")" "$* (see --help)" >&2
    exit 2
}

# The comment at the top of the calling script is its help text.
print_help() { sed -n '2,/^$/{/SPDX-License-Identifier/d;s/^# \{0,1\}//p}' "$0"; }

# confirm QUESTION: asks the user; returns true at once if there is no terminal.
confirm() {
    [ -t 0 ] && [ -t 1 ] || return 0
    local answer
    read -r -p "$1 [Y/n] " answer || return 1
    [[ $answer =~ ^([Yy]([Ee][Ss])?)?$ ]]
}

# need_space FOLDER MEGABYTES WHAT: calls die() if the file system of FOLDER (which need not exist yet) has less free
# space.
need_space() {
    local folder=$1 free
    while [ ! -d "$folder" ]; do folder=$(dirname "$folder"); done
    free=$(df --output=avail -BM "$folder" | tail -n 1 | tr -dc 0-9)
    [ "$free" -ge "$2" ] || die "$3 needs $2 MB in $1, and only $free MB are free there: make room and start again."
}

# The names of this distribution's packages in the given sets (see the file `packages`), one per line.
packages_of() {
    local sets=" $* " name set_name _
    while read -r name set_name _; do
        [[ $name == \#* || -z $name ]] && continue
        [[ $sets == *" $set_name "* ]] && say "$name"
    done <"$packaging/packages"
    return 0
}

# time_left SECONDS DONE TOTAL: ", about 7 min left", extrapolated from DONE; empty while that is not reliable.
time_left() {
    local left
    [ "$1" -ge 20 ] && [ $((20 * $2)) -ge "$3" ] || return 0
    left=$(($1 * ($3 - $2) / $2))
    if [ $left -ge 90 ]; then
        printf ', about %d min left' $(((left + 30) / 60))
    elif [ $left -ge 5 ]; then
        printf ', about %d s left' $(((left + 9) / 10 * 10))
    fi
}

# progress TITLE LOG COMMAND...: runs COMMAND with all output appended to LOG. Lines of the form [n/m] are shown with
# the remaining time, on a terminal as one updated line, otherwise every ten percent. Returns COMMAND's exit status.
progress() {
    local title=$1 log=$2 line shown=-1 percent status start=$SECONDS left
    shift 2
    local columns=${COLUMNS:-$(tput cols 2>/dev/null || echo 80)}
    "$@" </dev/null 2>&1 | tee -a "$log" | while IFS= read -r line; do
        [[ $line =~ ^\[([0-9]+)/([0-9]+)\]\ (.*) ]] || continue
        [ "${BASH_REMATCH[1]}" -gt 0 ] || continue
        percent=$((100 * BASH_REMATCH[1] / BASH_REMATCH[2]))
        left=$(time_left $((SECONDS - start)) "${BASH_REMATCH[1]}" "${BASH_REMATCH[2]}")
        if [ -t 1 ]; then
            line=$(printf '%s %3d %%%s  %s' "$title" "$percent" "$left" "${BASH_REMATCH[3]##*/}")
            printf '\r\033[K%s' "${line:0:columns - 1}"
        elif [ $((percent / 10)) -gt $((shown / 10)) ] || [ "$shown" -lt 0 ]; then
            say "$title $percent % (${BASH_REMATCH[1]} of ${BASH_REMATCH[2]})$left"
            shown=$percent
        fi
    done && status=0 || status=${PIPESTATUS[0]}
    [ ! -t 1 ] || printf '\r\033[K'
    return "$status"
}

# cause_of LOG: a sentence for the most frequent causes of failed downloads and installations; empty for other causes.
cause_of() {
    if grep -qiE 'no space left on device|enough free space' "$1"; then
        say "the disk is full: make room and start again."
    elif grep -qiE 'name resolution|could not resolve|failed resolving|failure resolving|network is unreachable|could not connect|connection (refused|reset|timed)|failed to establish|max retries|read timed out|proxyerror' "$1"; then
        say "the package server cannot be reached: check the network connection (or the proxy settings) and start again."
    elif grep -qiE 'could not get lock|is another process using it' "$1"; then
        say "another program is installing packages: wait until it is done and start again."
    elif grep -qiE 'do not match the hashes' "$1"; then
        say "what was downloaded is not what the lock file names: the connection or the package index changes files on the way, so use another one."
    fi
}

# The functions below fetch wheels from the package index by name, for packaging/libtorch and packaging/pyarrow. They
# need no Python environment: pip only downloads, unzip unpacks.

# need_wheel_tools: finds pip ($python) and unzip, or calls die().
need_wheel_tools() {
    local candidate
    python=
    for candidate in python3 /usr/bin/python3; do
        "$candidate" -m pip --version >/dev/null 2>&1 && python=$candidate && break
    done
    [ -n "$python" ] || die "pip is missing: install the package python3-pip, or run packaging/setup."
    command -v unzip >/dev/null || die "unzip is missing: install the package unzip, or run packaging/setup."
}

# download_wheels TITLE LOCKFILE WORK: downloads every wheel of LOCKFILE to WORK/wheels; existing wheels are only
# verified. One call of pip per wheel, so that an interruption loses at most one of them.
download_wheels() {
    local title=$1 lock=$2 work=$3 requirement options=(--quiet --progress-bar off) reason platforms=() glibc year
    for glibc in 2_28 2_27 2_25 2_24 2_18 2_17 2_12 2_5; do platforms+=(--platform "manylinux_${glibc}_x86_64"); done
    for year in 2014 2010 1; do platforms+=(--platform "manylinux${year}_x86_64"); done
    [ ! -t 1 ] || options=(--quiet --progress-bar on)
    mkdir -p "$work/wheels" "$work/tmp"
    while read -r requirement; do
        [[ $requirement == \#* || -z $requirement ]] && continue
        say "$title: ${requirement%% *}"
        say "$requirement" >"$work/requirement"
        : >"$work/pip.log"
        # TMPDIR: /tmp is often too small for half a gigabyte.
        if ! TMPDIR=$work/tmp PIP_REQUIRE_VIRTUALENV=0 PIP_DISABLE_PIP_VERSION_CHECK=1 PIP_ROOT_USER_ACTION=ignore \
            "$python" -m pip download "${options[@]}" --log "$work/pip.log" --no-cache-dir --no-deps --require-hashes \
            --only-binary=:all: --python-version 3.12 --implementation cp "${platforms[@]}" \
            --dest "$work/wheels" --requirement "$work/requirement" 2>"$work/errors" </dev/null; then
            cat "$work/errors" >>"$work/pip.log"
            reason=$(cause_of "$work/pip.log")
            die "${requirement%% *} could not be downloaded: ${reason:-pip says \"$(grep -E '^ERROR' "$work/errors" | tail -n 1)\", the whole story is in $work/pip.log.}"
        fi
    done <"$lock"
}

# unpack_wheels WORK FOLDER PATTERN...: unpacks the matching files of every wheel in WORK/wheels; -x PATTERN excludes
# files.
unpack_wheels() {
    local work=$1 folder=$2 wheel status reason
    shift 2
    for wheel in "$work"/wheels/*.whl; do
        status=0
        unzip -q -o "$wheel" "$@" -d "$folder" 2>"$work/pip.log" </dev/null || status=$?
        [ $status -eq 0 ] || [ $status -eq 11 ] || { # 11: a pattern matched nothing in this wheel
            reason=$(cause_of "$work/pip.log")
            [ -n "$reason" ] || rm -f "$wheel"
            die "$(basename "$wheel") could not be unpacked: ${reason:-it is damaged and was removed, start again.}"
        }
    done
}
