#pragma once
// The two programs that train the same GPT-2 on the same text: ours through `trainyard launch`, the peer through `accelerate launch`
// (torchrun for several ranks). Both are started as a user starts them; every time counts from just before the start.

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
    int steps, warmup;  ///< steps of a run, and how many of them are not timed

    /// Forward and backward, per token: 6 for each weight used in a product, and attention's two products over the whole block.
    double flops_per_token() const {
        double width = hidden;
        double weights = 12.0 * layers * width * width + 256 * width;
        return 6 * weights + 12.0 * layers * width * block;
    }
};

struct Measured {
    double first_step_s = 0;  ///< launch to the end of the first optimizer step
    double tokens_per_s = 0;  ///< median over the timed steps, all ranks together
    double peak_bytes = 0;    ///< resident, rank 0
};

struct Setting {
    fs::path programs;  ///< folder of `trainyard`
    fs::path text;      ///< one file
    fs::path peer_script;
    std::string peer_python;  ///< empty: no peer
    fs::path work;            ///< scratch
    int cores = 1;
};

/// How both compute.
struct Mode {
    int ranks = 1;
    std::string precision = "no";       ///< Accelerate's mixed_precision: no | bf16
    bool compiled = false;              ///< the peer through torch.compile; ours does not change
    std::vector<std::string> set = {};  ///< of ours: --set key=value

    auto operator<=>(const Mode&) const = default;
};

/// The peer reads one file: everything the text names, as our data set joins it, in the folder `work`.
fs::path one_file(const std::string& text, const std::string& pattern, const fs::path& work);
/// The recipe of a run of ours.
std::string recipe_text(const Setting& setting, const Shape& shape, const Mode& mode);

/// Throws std::runtime_error with the end of the output when the run fails.
Measured run_ours(const Setting& setting, const Shape& shape, const Mode& mode);
Measured run_peer(const Setting& setting, const Shape& shape, const Mode& mode);
/// This machine's rate of matrix products in FLOP/s in the dtype of a precision (bench_gemm).
double run_gemm(const Setting& setting, const std::string& precision);

}  // namespace trainyard::bench
