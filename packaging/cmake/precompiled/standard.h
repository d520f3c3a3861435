// Headers that almost every file includes, compiled once for all of them (Compilation.cmake). Files still include what they use, so that they
// compile without this one too. Only what is in most files belongs here: what a header leaves to be instantiated at the end of a file is
// instantiated in every file, which is why nlohmann/json.hpp (0.7 s) is not among them.
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
