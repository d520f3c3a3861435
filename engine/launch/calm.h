#pragma once
// When what ranks say is taken together, instead of each line at once: not soon after their start, nor where one
// writes much.

#include <cstddef>

namespace trainyard::launch {

constexpr double kTogether = 0.05;        ///< seconds between two looks at what ranks say
constexpr double kCalmAfter = 5;          ///< seconds of a generation
constexpr std::size_t kLoud = 16u << 10;  ///< bytes of output between two looks

}  // namespace trainyard::launch
