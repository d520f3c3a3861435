// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
// The engine's marks in the file that Kineto has written.

#include <cstddef>
#include <filesystem>
#include <vector>

#include "profile/marks.h"

namespace trainyard::profile {

/// `kineto`'s file with the marks as rows of their own before its events, as `file`, which appears when it is complete;
/// readable by the owner alone. Rows belong to the process of the training thread. Collectives that overlap get further
/// rows. Returns the bytes of `file`. Throws UserError.
std::size_t write_with_marks(const std::filesystem::path& kineto, const std::filesystem::path& file,
                             const std::vector<Mark>& marks);

}  // namespace trainyard::profile
