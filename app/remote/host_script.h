// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
// The one script that asks a host, for POSIX sh (IEEE Std 1003.1, Shell Command Language) and whatever of the usual programs is there.
// It comes on the standard input of `sh -s RUNS_FOLDER INTERPRETER`: nothing of a user's is ever part of its text. Reads only; what could
// hang (a broken driver, a network home) has its own time limit. Output: sections that begin with a line `@name`, the last one `@end`.

namespace trainyard::remote {

inline constexpr const char* kHostScript = R"script(
LC_ALL=C; export LC_ALL
runs=$1 interpreter=${2:-python3}
say() { printf '@%s\n' "$1"; }
if command -v timeout >/dev/null 2>&1; then limited() { timeout -k 1 "$@"; }
else limited() { shift; "$@"; }
fi
# Without its own time limit a command that needs one is not run.
careful() { command -v timeout >/dev/null 2>&1 && limited "$@"; }
nearest() { d=$1; while [ ! -d "$d" ] && [ "$d" != / ] && [ -n "$d" ]; do d=$(dirname -- "$d"); done; printf '%s\n' "$d"; }
say clock; date +%s.%N
say uname; uname -n; uname -r; uname -m; uname -s
say system; [ -r /etc/os-release ] && sed -n 's/^PRETTY_NAME=//p' /etc/os-release
say libc; getconf GNU_LIBC_VERSION 2>/dev/null || { ls /lib/ld-musl-* >/dev/null 2>&1 && echo musl; }
say cpu; grep -E '^(processor|model name|physical id|core id|Model)' /proc/cpuinfo 2>/dev/null
say cpu_formats; grep -m 1 '^flags' /proc/cpuinfo 2>/dev/null | tr ' ' '\n' | grep -E '^(sse2|avx2|fma|f16c|avx512(f|vl|dq|bw|_bf16|_fp16))$'
say cores; nproc 2>/dev/null || getconf _NPROCESSORS_ONLN
say memory; grep -E '^(MemTotal|MemAvailable):' /proc/meminfo 2>/dev/null
say load; cat /proc/loadavg 2>/dev/null
say uptime; cat /proc/uptime 2>/dev/null
say account; id -un; printf '%s\n' "$HOME"
[ -n "$runs" ] || runs=${TRAINYARD_RUNS:-${XDG_DATA_HOME:-$HOME/.local/share}/trainyard/runs}
cache=${XDG_CACHE_HOME:-$HOME/.cache}/trainyard
say runs; printf '%s\n' "$runs"; df -Pk "$(nearest "$runs")" 2>/dev/null | tail -n 1
say cache; printf '%s\n' "$cache"; df -Pk "$(nearest "$cache")" 2>/dev/null | tail -n 1
say bundles; ls "$cache/bundles" 2>/dev/null
say engine; if command -v trainyard >/dev/null 2>&1; then limited 2 trainyard --version 2>/dev/null; fi
say nvidia
if command -v nvidia-smi >/dev/null 2>&1; then
  careful 4 nvidia-smi --query-gpu=index,name,uuid,pci.bus_id,memory.total,memory.used,temperature.gpu,power.draw,utilization.gpu,driver_version,compute_cap --format=csv,noheader,nounits 2>&1
  echo "status $?"
  say nvidia_cuda; careful 4 nvidia-smi 2>/dev/null | grep -o 'CUDA Version: *[0-9.]*'
  say nvidia_processes; p=$(careful 4 nvidia-smi --query-compute-apps=gpu_uuid,pid,used_memory,process_name --format=csv,noheader,nounits 2>/dev/null); printf '%s\n' "$p"
  say nvidia_owners; printf '%s\n' "$p" | while IFS=, read -r uuid pid rest; do
    case $pid in *[0-9]*) ps -o pid= -o user= -o etime= -p $pid 2>/dev/null;; esac; done
  say nvidia_topology; careful 4 nvidia-smi topo -m 2>/dev/null
elif ls /proc/driver/nvidia/gpus >/dev/null 2>&1; then echo "nvidia-smi: not found"; echo "status 127"; fi
say drm; for d in /sys/class/drm/card*/device; do
  [ -r "$d/vendor" ] || continue
  printf '%s %s %s %s %s\n' "$(basename "$(readlink -f "$d")")" "$(cat "$d/vendor")" "$(cat "$d/mem_info_vram_total" 2>/dev/null || echo -)" "$(cat "$d/mem_info_vram_used" 2>/dev/null || echo -)" "$(cat "$d/product_name" 2>/dev/null || cat "$d/device" 2>/dev/null)"
done
say infiniband; for p in /sys/class/infiniband/*/ports/*; do
  [ -r "$p/state" ] || continue
  printf '%s|%s|%s|%s\n' "$p" "$(cat "$p/state" 2>/dev/null)" "$(cat "$p/rate" 2>/dev/null)" "$(cat "$p/link_layer" 2>/dev/null)"
done
say addresses; if command -v ip >/dev/null 2>&1; then ip -o addr show scope global 2>/dev/null; ip -o addr show dev lo 2>/dev/null
else hostname -I 2>/dev/null | tr ' ' '\n' | sed -n 's/^\(..*\)$/plain \1/p'; fi
say speeds; for i in /sys/class/net/*; do [ -r "$i/speed" ] && printf '%s %s\n' "$(basename "$i")" "$(cat "$i/speed" 2>/dev/null)"; done
say nccl; ls /usr/lib/*-linux-gnu/libnccl.so.2.* /usr/local/lib/libnccl.so.2.* 2>/dev/null
say python; if command -v "$interpreter" >/dev/null 2>&1; then limited 3 "$interpreter" - 2>/dev/null <<'PYTHON'
import sys
print(sys.version.split()[0])
try:
    from importlib.metadata import version
    print(version("torch"))
except Exception:
    pass
PYTHON
fi
say clock_after; date +%s.%N
say end
)script";

}  // namespace trainyard::remote
