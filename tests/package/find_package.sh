#!/usr/bin/env bash
# SPDX-License-Identifier: GPL-3.0-or-later
# Installs the build into a folder of its own, builds a program and a plug-in of a user's against it with find_package(Trainyard), and runs them on
# one and on two ranks.
#
#   find_package.sh BUILD TORCH_DIR
set -euo pipefail
build=$1 torch=$2
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
cmake --install "$build" --prefix "$work/installed" >"$work/log" || { cat "$work/log" >&2; exit 1; }
private=$(find "$work/installed/include/trainyard" -name supervisor.h -o -name flat_module.h -o -name metrics_writer.h)
[ -z "$private" ] || { echo "these headers are not public: $private" >&2; exit 1; }
installed=$work/installed/share/trainyard/samples # as a user has them: apart from the source tree
unknown=$(grep -rlE '\]\((\.\./)+engine/' "$installed" || true)
[ -z "$unknown" ] || { echo "these files link to sources that are not installed: $unknown" >&2; exit 1; }
options=(-DTORCH_DIR="$torch" -DCMAKE_BUILD_TYPE=Release -DCMAKE_CXX_FLAGS_RELEASE="-O0 -DNDEBUG") # fast to compile
cp -r "$installed/programs" "$work/samples"
# Two samples, and a file that includes every public header.
(cd "$work/installed/include/trainyard" && printf '#include <trainyard/%s>\n' *.h) >"$work/samples/all_headers.cpp"
cat >>"$work/samples/CMakeLists.txt" <<'END'
add_library(all_headers OBJECT all_headers.cpp)
target_link_libraries(all_headers PRIVATE Trainyard::accelerator Trainyard::train Trainyard::launch)
target_precompile_headers(all_headers REUSE_FROM sample_first_steps)
END
cmake -G Ninja -S "$work/samples" -B "$work/own" -DCMAKE_PREFIX_PATH="$work/installed" "${options[@]}"
cmake --build "$work/own" --target sample_first_steps sample_train_recipe all_headers
"$work/own/first_steps"
cp -r "$installed/plugin" "$work/plugin"
cmake -G Ninja -S "$work/plugin" -B "$work/plugin/build" -DCMAKE_PREFIX_PATH="$work/installed" "${options[@]}"
cmake --build "$work/plugin/build"
TRAINYARD_RUNS="$work/runs" "$work/installed/bin/trainyard" launch --cpu --num_processes 2 --main_process_port 0 --set training.steps=10 "$work/plugin/recipe.yaml"
"$work/installed/bin/trainyard" launch --no_python --cpu --num_processes 2 --main_process_port 0 "$work/own/first_steps"
