// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
// Files of copies, opened for writing. In a foreign folder, the name of a file may be that of a link, a pipe or a
// folder.

#include <filesystem>

#include "base/file_descriptor.h"

namespace trainyard::remote {

/// Opens or makes a file of a copy, for writing. `flags`: O_APPEND, O_TRUNC or 0. Links are not followed; a link, a
/// pipe or a file that has another name as well (a hard link) is replaced by a new file, so that nothing else is
/// written to. Throws UserError.
FileDescriptor open_copied_file(const std::filesystem::path& path, int flags, int mode = 0600);

}  // namespace trainyard::remote
