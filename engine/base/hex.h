#pragma once
// Bytes as hexadecimal digits and back.

#include <string>
#include <string_view>

namespace trainyard {

/// Two lower-case digits for each byte.
std::string to_hex(std::string_view bytes);
/// Empty if the text is not hexadecimal.
std::string from_hex(std::string_view text);

}  // namespace trainyard
