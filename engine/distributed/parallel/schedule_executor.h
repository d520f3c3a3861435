#pragma once
// Executes one rank's row of a schedule: a slot for every stage and micro-batch holds what is between its actions. Sends are asynchronous;
// their tensors stay until the table says that they must have arrived. Forwards and backwards run on the calling thread.

#include <cstddef>
#include <deque>
#include <functional>
#include <map>
#include <utility>
#include <vector>

#include <ATen/core/Tensor.h>

#include "distributed/parallel/communicator.h"
#include "distributed/parallel/deferred_gradients.h"
#include "distributed/parallel/unit.h"
#include "distributed/pipeline/pipeline_schedule.h"

namespace trainyard::parallel {

using pipeline::Action;
using pipeline::RankActions;
using pipeline::Schedule;

/// A stage of a model, as the executor runs it.
class PipelineStage {
  public:
    virtual ~PipelineStage() = default;
    /// `inputs` are what the stage before gave, as leaves; empty for the first stage. The last stage gives the root of backward (0-dim).
    virtual Tensors forward(int micro_batch, const Tensors& inputs) = 0;
    /// Empty tensors of the shapes and dtypes that the stage before sends for this micro-batch. Not asked of the first stage.
    virtual Tensors empty_inputs(int micro_batch) = 0;
    /// Around each backward. `last`: no other contributes to the stage's gradients after it (see is_last_backward).
    virtual void before_backward(int /*micro_batch*/, bool /*last*/) {}
    virtual void after_backward(int /*micro_batch*/) {}
};

class ScheduleExecutor {
  public:
    /// Executes row `pipeline.rank()`, which has the stages given. Throws std::invalid_argument for a table that cannot be executed
    /// (distributed/pipeline/check_schedule.h).
    ScheduleExecutor(Schedule schedule, Communicator& pipeline, std::map<int, PipelineStage*> stages);

    const Schedule& schedule() const { return schedule_; }
    /// One step. `other` does the reduces and updates, and is told of every other action before it is executed. Throws PeerLost, and whatever
    /// stages throw; then the step cannot be finished, and the next one begins anew.
    void run(const std::function<void(const Action&)>& other);
    void run() {
        run([](const Action&) {});
    }

  private:
    struct Slot {
        Tensors inputs, outputs;
        Tensors output_gradients;  ///< of those outputs that have one
        DeferredGradients weights;
    };
    struct Message {
        std::vector<Pending> parts;
        Tensors tensors;
    };

    const RankActions& row() const { return schedule_.ranks[static_cast<std::size_t>(pipeline_.rank())]; }
    int rank_of(int stage) const { return schedule_.rank_of_stage[static_cast<std::size_t>(stage)]; }
    bool is_own(int stage) const { return stages_.contains(stage); }
    Slot& slot(const Action& action) { return slots_[{action.stage, action.micro_batch}]; }
    void count_arrivals();
    void execute(std::size_t position);
    void run_forward(const Action& action);
    void run_backward(const Action& action, bool last);
    void send(const Action& action, int to, Tensors tensors);
    void receive(const Action& action, int from, const Tensors& tensors, std::size_t arrived);

    Schedule schedule_;
    Communicator& pipeline_;
    std::map<int, PipelineStage*> stages_;
    std::map<std::pair<int, int>, Slot> slots_;
    std::map<int, std::deque<Message>> under_way_;  ///< by rank, oldest first
    std::map<int, std::size_t> arrived_;            ///< by rank: messages of this step that were sent and are over
    std::vector<std::size_t>
        arrived_at_;  ///< [action] of a receive: messages to that rank which have arrived when it ends
};

}  // namespace trainyard::parallel
