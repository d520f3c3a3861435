// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
// Random names: ids of runs and requests. From the kernel, so that two programs started in the same instant differ.

#include <cstddef>
#include <string>

namespace trainyard {

/// `digits` lower-case hexadecimal digits.
std::string random_hex(std::size_t digits);
/// A version 4 UUID, RFC 4122.
std::string random_uuid();

}  // namespace trainyard
