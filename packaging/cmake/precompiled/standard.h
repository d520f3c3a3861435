// SPDX-License-Identifier: GPL-3.0-or-later
// Headers that almost every file includes, precompiled (Compilation.cmake). Files still include what they use, so they
// compile without this header, too. A header belongs here only if most files use it, because templates that it leaves
// to be instantiated at the end of a translation unit are instantiated for every file; therefore nlohmann/json.hpp (0.7
// s) is not included.
#pragma once

#include <algorithm>
#include <array>
#include <atomic>
#include <chrono>
#include <condition_variable>
#include <cstdint>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <functional>
#include <map>
#include <memory>
#include <mutex>
#include <optional>
#include <set>
#include <span>
#include <sstream>
#include <stdexcept>
#include <string>
#include <string_view>
#include <thread>
#include <tuple>
#include <unordered_map>
#include <utility>
#include <variant>
#include <vector>

#include <fmt/format.h>
