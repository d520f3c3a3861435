// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
// A batch of parsed data that the reading thread of a run passes to the window. Values only.

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include <QString>

#include "base/message.h"
#include "desktop/sources/curve_batch.h"
#include "run/class_report.h"
#include "run/journal.h"
#include "run/state.h"
#include "widgets/plot/log_store.h"

namespace trainyard::run {
struct RunSpec;
}

namespace trainyard::desktop {

/// A variant of the recipe that needs less memory.
struct SmallerRecipe {
    QString words;            ///< `training.batch_size 6`
    std::uint64_t bytes = 0;  ///< of a rank
};

/// The content of run.yaml, read once.
struct RunFacts {
    int ranks = 1;
    int hosts = 1;
    QString device;               ///< "CPU", "CUDA"
    QString precision;            ///< "fp32", "bf16"
    QString model;                ///< "gpt2"
    std::int64_t parameters = 0;  ///< 0: not known
    std::int64_t steps = 0;
    double clip_norm = 0;        ///< 0: none
    double peak_rate = 0;        ///< learning rate of the recipe, which the schedule multiplies; 0: not known
    std::int64_t swa_start = 0;  ///< step from which swa_lr, not the schedule alone, makes the learning rate; 0: never
    QString resumed_from;        ///< empty: from the beginning
    /// For a run with known ancestors (run_lineage.h): when the first of them began, and the step that this run was
    /// resumed from.
    double lineage_start = 0;
    std::int64_t seam = -1;
    double tokens_per_step = 0;  ///< all ranks together; 0: not known
    /// Estimated memory of a rank by part, in bytes, as in estimate.json; empty if unknown.
    std::vector<std::pair<std::string, std::uint64_t>> memory;
    std::vector<SmallerRecipe> smaller;  ///< largest first
    std::uint64_t memoryTotal() const {
        std::uint64_t sum = 0;
        for (const auto& [part, bytes] : memory)
            sum += bytes;
        return sum;
    }
    bool is_sample = false;   ///< the recipe that comes with Trainyard
    bool is_program = false;  ///< another program, which supports only the requests stop and kill
};

/// What run.yaml says. Runs in the reading thread.
RunFacts read_facts(const run::RunSpec& spec);

/// A checkpoint folder that the run can be resumed from.
struct SavedCheckpoint {
    std::int64_t step = 0;
    std::string path;
    bool pinned = false;  ///< never removed by the run
    bool own = true;      ///< false: it belongs to an ancestor of the run
    bool operator==(const SavedCheckpoint&) const = default;
};

/// A request of this window and its outcome.
struct RequestNews {
    enum class Stage { Asked, Silent, Answered };  ///< Silent: no answer for 10 s
    std::string id;
    std::string kind;
    Stage stage = Stage::Asked;
    std::string outcome;  ///< done | refused | failed
    Message text;
};

struct RunBatch {
    std::optional<run::RunState> state;
    std::string status;  ///< with a state: its status, or `lost`
    /// With a state that is not written any more: nothing more fits on the disk of the run's folder.
    bool disk_full = false;
    std::optional<RunFacts> facts;
    std::vector<run::Event> inherited;  ///< of the ancestors, once, before all others
    std::vector<run::Event> events;
    std::optional<std::vector<SavedCheckpoint>> checkpoints;  ///< newest first
    CurveBatch curves;
    std::shared_ptr<const run::ClassReport> classes;  ///< of a newer evaluation
    std::shared_ptr<const widgets::LogBlock> log;
    std::optional<std::vector<Message>> problems;  ///< all that cannot be read now, one sentence each
    std::vector<RequestNews> requests;
    bool caught_up = false;  ///< everything that was in the folder has been delivered
    bool missing = false;    ///< there is no such folder

    bool empty() const {
        return !state && !facts && inherited.empty() && events.empty() && !checkpoints && curves.empty() && !log &&
               !classes && !problems && requests.empty();
    }
};

using RunBatchPtr = std::shared_ptr<const RunBatch>;

}  // namespace trainyard::desktop
