#pragma once
// What this rank did in some steps, as Chrome trace JSON (Trace Event Format): our phases in a row of their own, and every operator that
// LibTorch calls on the host's side, by thread, with forward and backward apart. Kernels that run on a GPU are not in it, only the calls
// that started them: `otherData` says so.
//
// Only one can record at a time in a process.

#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <memory>

#include "train/trainer.h"

namespace trainyard::train {

class StepTrace {
  public:
    static constexpr std::size_t kMostOperators = 400'000;  ///< some 60 MB; later ones are counted

    /// Records from now on; `trainer` outlives it.
    StepTrace(Trainer& trainer, int rank, std::int64_t first_step);
    ~StepTrace();

    std::int64_t first_step() const { return first_step_; }
    struct Written {
        std::filesystem::path file;
        std::size_t operators = 0, left_out = 0;
    };
    /// Ends recording and writes `folder/step-<first>-rank-<rank>.trace.json`. Throws UserError.
    Written write(const std::filesystem::path& folder, std::int64_t last_step);

  private:
    void end();

    Trainer& trainer_;
    int rank_;
    std::int64_t first_step_;
    std::vector<PhaseSpan> phases_;
    std::uint64_t callback_ = 0;
    bool recording_ = false;
};

}  // namespace trainyard::train
