// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
// The name that this project uses for std::filesystem.

#include <filesystem>

namespace trainyard {

namespace fs = std::filesystem;

}  // namespace trainyard
