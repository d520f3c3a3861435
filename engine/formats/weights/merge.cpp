// SPDX-License-Identifier: GPL-3.0-or-later
#include "formats/weights/merge.h"

#include <algorithm>
#include <cmath>
#include <map>
#include <utility>

#include <fmt/format.h>

#include "base/error.h"
#include "base/filesystem.h"
#include "base/number.h"
#include "formats/weights/weight_source.h"

namespace trainyard::weights {

void check_target(const fs::path& checkpoint, const fs::path& output, bool remove_checkpoint) {
    std::error_code error;
    if (fs::exists(output, error) && !fs::is_directory(output, error))
        throw UserError("{} is a file: name a folder for the result", output.string());
    fs::path from = fs::weakly_canonical(checkpoint, error);
    fs::path to = fs::weakly_canonical(output, error);
    auto [end, ignored] = std::mismatch(from.begin(), from.end(), to.begin(), to.end());
    if (end == from.end() && (remove_checkpoint || from == to))
        throw UserError("{} is inside the checkpoint that it is made from: name another folder", output.string());
}

MergeResult merge_weights(const MergeOptions& options, Progress& progress) {
    std::error_code error;
    if (fs::is_regular_file(options.checkpoint, error))
        throw UserError("{} is a file: name its folder", options.checkpoint.string());
    const std::unique_ptr<WeightSource> source = open_weights(options.checkpoint);
    check_target(options.checkpoint, options.output, options.remove_checkpoint);
    const std::vector<Message> notes = options.look ? options.look(*source) : std::vector<Message>();
    const WrittenWeights written =
        write_weights(*source, {.output = options.output, .max_shard_bytes = options.max_shard_bytes}, progress);
    MergeResult result{source->kind(), source->notes(), written.files, written.tensors, written.bytes, false};
    result.notes.insert(result.notes.end(), notes.begin(), notes.end());
    if (options.remove_checkpoint) {
        fs::remove_all(options.checkpoint, error);
        if (error)
            throw UserError("the weights are written to {}, but {} cannot be removed: {}", options.output.string(),
                            options.checkpoint.string(), error.message());
        result.removed = true;
    }
    return result;
}

MergeResult merge_weights(const MergeOptions& options) {
    Progress progress;
    return merge_weights(options, progress);
}

std::uint64_t parse_size(const std::string& text) {
    static const std::map<std::string, double> units{{"", 1},         {"B", 1},       {"KB", 1e3},     {"MB", 1e6},
                                                     {"GB", 1e9},     {"TB", 1e12},   {"KIB", 0x1p10}, {"MIB", 0x1p20},
                                                     {"GIB", 0x1p30}, {"TIB", 0x1p40}};
    std::string_view rest = text;
    const auto number = take_number<double>(rest);
    std::string unit;
    for (const char c : rest)
        if (c != ' ')
            unit += static_cast<char>(c >= 'a' && c <= 'z' ? c - 'a' + 'A' : c);
    auto found = units.find(unit);
    double bytes = found == units.end() ? 0 : number.value_or(0) * found->second;
    if (!std::isfinite(bytes) || bytes < 1 || bytes > 1e18)
        throw UserError("'{}' is not a size: give a number and a unit, such as 5GB or 500MiB", text);
    return static_cast<std::uint64_t>(bytes);
}

}  // namespace trainyard::weights
