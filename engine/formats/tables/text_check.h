// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
// Looks through text files for bytes that are not text in UTF-8, before anything else reads them.

#include <cstdint>
#include <filesystem>

#include "base/message.h"
#include "formats/tables/record_scanner.h"

namespace trainyard::formats {

/// Returns the message about the first fault of a text file, with file and line, as the readers of its rows throw it;
/// empty if there is none in its first `most` bytes. Throws UserError for a file that cannot be read or that has
/// another encoding.
Message first_text_fault(const std::filesystem::path& path, RecordKind kind, std::uint64_t most);

}  // namespace trainyard::formats
