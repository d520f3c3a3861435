// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
// estimate.json of a run: what was predicted for a rank before the start, and what the ranks really used. Written by rank 0 (engine/run/README.md has the contract), read by
// the window, which compares runs, and by the calibration.

#include <cstdint>
#include <filesystem>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "estimate/training_memory.h"

namespace trainyard::estimate {

/// Bytes by part_key(), and kOnDisk.
using PartBytes = std::vector<std::pair<std::string, std::uint64_t>>;
/// Key of the bytes that are on disk instead of in memory; not part of the total.
inline constexpr std::string_view kOnDisk = "on_disk";
std::uint64_t bytes_of(const PartBytes& parts, std::string_view key);

/// Measured memory of the rank that uses the most.
struct MeasuredMemory {
    /// Memory of the process, without state of a disk that stays there while memory is free; 0: not measured.
    std::uint64_t peak_resident = 0;
    PartBytes
        parts;  ///< most bytes of tensors at any time, each part for itself; "step": activations and workspace together
    double step_seconds = 0;  ///< median; 0: not known
};

struct EstimateFile {
    std::string device;  ///< "cpu", "cuda"
    std::string model_type;
    std::string precision;
    double parameter_count = 0;
    PartBytes predicted;
    std::uint64_t predicted_total = 0;
    std::uint64_t predicted_program = 0;  ///< of the part "base" and of the total: Device::program
    std::optional<MeasuredMemory> measured;

    /// Of the memory of the process: measured / predicted - 1. Nothing before the end of the run.
    std::optional<double> error() const;
};

/// `device`: "cpu", "cuda:0" ... The memory is that of a rank on the CPU, with what earlier runs have measured of this processor.
EstimateFile estimate_file(const config::Recipe& recipe, std::int64_t ranks, const std::string& device);
std::string to_json(const EstimateFile& file);
/// Nothing for a file that is missing, damaged or of another kind.
std::optional<EstimateFile> read_estimate_file(const std::filesystem::path& path);
std::optional<EstimateFile> parse_estimate_file(const std::string& json);

}  // namespace trainyard::estimate
