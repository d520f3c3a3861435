// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
// Two programs that train the same GPT-2 on the same text: ours with `trainyard launch`, the peer with `accelerate
// launch` (torchrun for several ranks). Both are started as by a user; times start immediately before the launch.

#include <filesystem>
#include <string>
#include <vector>

namespace trainyard::bench {

namespace fs = std::filesystem;

/// The same network, batches and number of steps for both.
struct Shape {
    std::string name;  ///< `small`
    std::string size;  ///< `0.83 M parameters`
    int layers, heads, hidden, block, batch;
    int steps, warmup;  ///< steps of a run, and how many of them are not measured

    /// FLOPs of forward and backward per token: 6 for each weight of a matrix product, and attention's two products
    /// over the whole block.
    double flops_per_token() const {
        double width = hidden;
        double weights = 12.0 * layers * width * width + 256 * width;
        return 6 * weights + 12.0 * layers * width * block;
    }
};

struct Measured {
    double first_step_s = 0;  ///< from launch to the end of the first optimizer step
    double tokens_per_s = 0;  ///< median over the measured steps, of all ranks together
    double peak_bytes = 0;    ///< resident memory of rank 0
};

struct Setting {
    fs::path programs;  ///< folder of `trainyard`
    fs::path text;      ///< one file
    fs::path peer_script;
    std::string peer_python;  ///< empty: no peer
    fs::path work;            ///< temporary files
    int cores = 1;
};

/// Options of both programs.
struct Mode {
    int ranks = 1;
    std::string precision = "no";       ///< Accelerate's mixed_precision: no | bf16
    bool compiled = false;              ///< the peer uses torch.compile; ours is unchanged
    std::vector<std::string> set = {};  ///< for ours: --set key=value

    auto operator<=>(const Mode&) const = default;
};

/// The peer reads one file: all files of the text, joined as by our data set, in the folder `work`.
fs::path one_file(const std::string& text, const std::string& pattern, const fs::path& work);
/// The recipe for our run.
std::string recipe_text(const Setting& setting, const Shape& shape, const Mode& mode);

/// Throws std::runtime_error with the end of the output if the run fails.
Measured run_ours(const Setting& setting, const Shape& shape, const Mode& mode);
Measured run_peer(const Setting& setting, const Shape& shape, const Mode& mode);
/// This machine's peak of matrix products in FLOP/s for a precision (bench_gemm).
double run_gemm(const Setting& setting, const std::string& precision);

}  // namespace trainyard::bench
