// SPDX-License-Identifier: GPL-3.0-or-later
// A plug-in of a later version of the interface: of its entry's answer only the first field is known.
#include <cstdint>

extern "C" __attribute__((visibility("default"))) const std::uint32_t* trainyard_plugin() {
    static const std::uint32_t versions[] = {999};
    return versions;
}
