#pragma once
// What the reading thread of a run hands to the window at a time: values only, all parsing done.

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include <QString>

#include "run/journal.h"
#include "run/state.h"
#include "widgets/plot/log_store.h"
#include "widgets/plot/series.h"

namespace trainyard::desktop {

/// What happened to the curves, in order.
struct CurveChange {
    enum class Kind {
        Points,   ///< `points` come to the end of `tag`
        Restart,  ///< the run went on from `step`: curves of training lose what lies at or after it
        Reset,    ///< everything read so far is void
    };
    Kind kind = Kind::Points;
    std::string tag;
    std::int64_t step = 0;
    std::vector<widgets::SeriesPoint> points;
};

/// What run.yaml tells, read once.
struct RunFacts {
    int ranks = 1;
    int hosts = 1;
    QString device;               ///< "CPU", "CUDA"
    QString precision;            ///< "fp32", "bf16"
    QString model;                ///< "gpt2"
    std::int64_t parameters = 0;  ///< 0: not known
    std::int64_t steps = 0;
    double clip_norm = 0;        ///< 0: none
    QString resumed_from;        ///< empty: from the beginning
    double tokens_per_step = 0;  ///< all ranks together; 0: not known
    bool is_program = false;     ///< somebody else's: it knows none of our requests but stop and kill
};

/// A request of this window and what became of it.
struct RequestNews {
    enum class Stage { Asked, Silent, Answered };  ///< Silent: no answer for 10 s
    std::string id;
    std::string kind;
    Stage stage = Stage::Asked;
    std::string outcome;  ///< done | refused | failed
    std::string text;
};

struct RunBatch {
    std::optional<run::RunState> state;
    std::string status;  ///< with a state: its status, or `lost`
    std::optional<RunFacts> facts;
    std::vector<run::Event> events;
    std::vector<CurveChange> curves;
    std::shared_ptr<const widgets::LogBlock> log;
    std::optional<std::vector<std::string>> problems;  ///< all that cannot be read now, one sentence each
    std::vector<RequestNews> requests;
    bool caught_up = false;  ///< everything that lay in the folder has been handed over
    bool missing = false;    ///< there is no such folder

    bool empty() const {
        return !state && !facts && events.empty() && curves.empty() && !log && !problems && requests.empty();
    }
};

using RunBatchPtr = std::shared_ptr<const RunBatch>;

}  // namespace trainyard::desktop
