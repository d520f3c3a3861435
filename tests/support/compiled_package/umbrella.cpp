// SPDX-License-Identifier: GPL-3.0-or-later
// Stands for libtorch.so, which every package names, and which cannot be loaded without CUDA's libraries.
extern "C" __attribute__((visibility("default"))) int trainyard_umbrella() {
    return 0;
}
