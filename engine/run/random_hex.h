// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
// Random names: run ids and request ids. From the kernel, so that two programs started in the same instant differ.

#include <cstddef>
#include <string>

namespace trainyard::run {

/// `digits` lower-case hexadecimal digits.
std::string random_hex(std::size_t digits);
/// A version 4 UUID, RFC 4122.
std::string random_uuid();

}  // namespace trainyard::run
