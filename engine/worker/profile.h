#pragma once
// A profile of some steps, recorded by every rank and written into traces/ of the run's folder.

#include <cstdint>
#include <optional>

#include "run/paths.h"
#include "train/step_trace.h"
#include "train/trainer.h"
#include "worker/reports.h"
#include "worker/requests.h"

namespace trainyard::worker {

class Profile {
  public:
    Profile(const run::RunPaths& paths, int rank, train::Trainer& trainer, Reports& reports, Requests& requests)
        : paths_(paths), rank_(rank), trainer_(trainer), reports_(reports), requests_(requests) {}

    /// Records the next steps, `last` is the last one; Requests refuses a second profile meanwhile.
    void begin(std::int64_t last);
    /// Writes the profile when it has all its steps.
    void after_step();
    /// Writes what there is of it; nothing where none is being recorded.
    void finish();

  private:
    const run::RunPaths& paths_;
    int rank_;
    train::Trainer& trainer_;
    Reports& reports_;
    Requests& requests_;
    std::optional<train::StepTrace> trace_;
    std::int64_t last_ = 0;
};

}  // namespace trainyard::worker
