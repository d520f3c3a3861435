// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
// Small checkpoints for tests.

#include <map>
#include <string>
#include <vector>

#include "base/file.h"
#include "base/files/hash.h"
#include "checkpoint/files/manifest.h"
#include "formats/weights/safetensors.h"

namespace trainyard::test {

using Floats = std::map<std::string, std::vector<float>>;

/// One-dimensional tensors of F32.
inline void write_floats(const fs::path& file, const Floats& tensors) {
    fs::create_directories(file.parent_path());
    std::vector<weights::TensorToWrite> all;
    for (const auto& [name, values] : tensors)
        all.push_back({name, "F32", {static_cast<std::int64_t>(values.size())}, std::as_bytes(std::span(values))});
    weights::write_safetensors(file, all);
}

/// A whole checkpoint with a manifest: model.safetensors and what else is in the folder.
inline void write_checkpoint(const fs::path& folder, std::int64_t step, const Floats& tensors,
                             std::optional<double> metric = {},
                             const std::string& saved_at = "2026-11-21T16:00:00.000Z") {
    write_floats(folder / "model.safetensors", tensors);
    write_file_atomically(folder / "position.json",
                          R"({"step": )" + std::to_string(step) + R"(, "samples": 96, "epoch": 0.25})");
    checkpoint::Manifest manifest;
    for (const char* name : {"model.safetensors", "position.json"}) {
        const std::string content = read_file(folder / name);
        files::Xxh128 hash;
        hash.add(std::as_bytes(std::span(content)));
        manifest.files[name] = {content.size(), hash.digest(), {}, {}};
    }
    manifest.number = step;
    manifest.metric = metric;
    manifest.saved_at = saved_at;
    manifest.position = R"({"step": )" + std::to_string(step) + "}";
    checkpoint::write_manifest(folder, manifest);
}

}  // namespace trainyard::test
