// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
// Checks whether a checkpoint is undamaged: lengths and headers (contents.h), then every byte that a stored checksum
// covers: manifest.json of Trainyard (XXH3 of each
// file), the CRC-32 of each entry of torch.save's archives, SHA-256 where the file is a blob of Hugging Face's cache.
// Then, if asked, NaN and infinite numbers.

#include <string>
#include <vector>

#include "base/message.h"
#include "base/progress.h"
#include "observe/inspect/contents.h"

namespace trainyard::inspect {

struct CheckedFile {
    std::string name;
    std::uint64_t bytes = 0;
    enum class How {
        hash,         ///< every byte, against a recorded hash
        checksums,    ///< every byte of its entries, against the archive's checksums
        header_only,  ///< nobody wrote down a checksum of its content
    } how = How::header_only;
    Message problem;  ///< empty: nothing is wrong
};
std::string_view name_of(CheckedFile::How how);

struct NotFinite {
    std::string tensor;
    std::uint64_t nan = 0, infinite = 0;
};

struct Verdict {
    std::vector<CheckedFile> files;
    std::vector<Message> problems;      ///< all sentences, those of the files included
    std::vector<NotFinite> not_finite;  ///< of weights, averages and optimizer states
    bool good() const { return problems.empty() && not_finite.empty(); }
    std::size_t unchecked() const;  ///< files of tensors whose content nobody can check
};

/// Throws Cancelled; UserError when there is no checkpoint.
Verdict verify(const fs::path& path, bool look_for_nan, Progress& progress);

}  // namespace trainyard::inspect
