// SPDX-License-Identifier: GPL-3.0-or-later
// A plug-in that was built against another LibTorch.
#include <trainyard/plugin.h>

extern "C" __attribute__((visibility("default"))) const TrainyardPlugin* trainyard_plugin() {
    static const TrainyardPlugin plugin{trainyard::plugin::kInterfaceVersion, TORCH_VERSION_MAJOR,
                                        TORCH_VERSION_MINOR + 1, "later", nullptr};
    return &plugin;
}
