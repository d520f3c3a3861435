// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
// Helpers for tests of damaged and hostile checkpoints.

#include <cstddef>
#include <span>
#include <string>

#include <ATen/core/Tensor.h>

#include "base/file.h"
#include "base/files/hash.h"
#include "checkpoint/checkpoint.h"
#include "checkpoint/files/manifest.h"

namespace trainyard::checkpoint {

/// Reads every byte of a tensor, as a computation would.
inline void touch(const at::Tensor& tensor) {
    at::Tensor whole = tensor.contiguous();
    const auto* bytes = static_cast<const volatile std::byte*>(whole.const_data_ptr());
    for (std::size_t i = 0; i < whole.nbytes(); ++i)
        static_cast<void>(bytes[i]);
}

/// A manifest that agrees with the files as they are.
inline void write_true_manifest(const fs::path& folder) {
    Manifest manifest;
    manifest.position = to_json(Position{});
    for (const fs::directory_entry& entry : fs::directory_iterator(folder)) {
        if (!entry.is_regular_file())
            continue;
        std::string content = read_file(entry.path());
        files::Xxh128 hash;
        hash.add(std::as_bytes(std::span(content)));
        manifest.files[entry.path().filename().string()] = {content.size(), hash.digest(), {}};
    }
    write_manifest(folder, manifest);
}

}  // namespace trainyard::checkpoint
