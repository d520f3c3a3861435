// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
// Weights made of other weights: other element types, other names, averages. Each is a WeightSource over the ones
// below it, and computes while it streams,
// so that everything that reads a source (formats/weights/write_weights.h) reads these, too.

#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "formats/weights/weight_source.h"

namespace trainyard::weights {

/// Floating tensors as `dtype` (F32, F16, BF16, F64); others stay. Throws UserError for other names.
std::unique_ptr<WeightSource> as_dtype(std::unique_ptr<WeightSource> source, const std::string& dtype);
/// "fp32", "float32", "F32", "bf16", ... as safetensors' name. Throws UserError with the names it takes.
std::string dtype_from_user(const std::string& text);

/// A row of a table of names: the beginning, the end, or all of a name is replaced. `*` at the end of both stands for
/// any rest, at the beginning for any
/// beginning: "module.*" to "*", "transformer.h.*" to "model.layers.*"; without one the whole name. An empty new name
/// leaves the tensor out.
struct Rename {
    std::string from, to;
};
/// The first row that fits a name counts; names that no row fits stay. Throws UserError: a row that fits nothing, two
/// tensors with one name.
std::unique_ptr<WeightSource> renamed(std::unique_ptr<WeightSource> source, const std::vector<Rename>& table);
/// Of a file: "old -> new" or two columns with a tab on each line, `#` begins a comment; or a JSON object. Throws
/// UserError with the line.
std::vector<Rename> read_rename_table(const std::filesystem::path& file);

/// The sum of sources times their shares (which are scaled to a sum of 1): floating tensors are computed in double and
/// rounded once; tensors of whole numbers
/// are the last source's. Throws UserError with everything in which the sources differ in names, shapes and types.
std::unique_ptr<WeightSource> average(std::vector<std::unique_ptr<WeightSource>> sources,
                                      const std::vector<double>& shares);
/// Shares of an exponential moving average over `count` checkpoints, oldest first: the first one starts it.
std::vector<double> ema_shares(std::size_t count, double decay);

}  // namespace trainyard::weights
