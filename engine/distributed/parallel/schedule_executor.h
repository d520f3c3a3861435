// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
// Executes one rank's row of a schedule: a slot for every stage and micro-batch holds what is between its actions.
// Sends are asynchronous; their tensors stay until the table says that they must have arrived. Forwards and backwards
// run on the calling thread.

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

/// The stages of a model that this rank has, as the executor runs them.
class PipelineStages {
  public:
    virtual ~PipelineStages() = default;
    /// `inputs` are the outputs of the previous stage, as leaves; empty for the first stage. The last stage returns the
    /// root of backward (0-dim).
    virtual Tensors forward(int stage, int micro_batch, const Tensors& inputs) = 0;
    /// Empty tensors of the shapes and dtypes that the previous stage sends for this micro-batch. Not called for the
    /// first stage.
    virtual Tensors empty_inputs(int stage, int micro_batch) = 0;
    /// Around each backward. `last`: no other contributes to this rank's gradients after it (see is_last_backward).
    virtual void before_backward(int /*stage*/, int /*micro_batch*/, bool /*last*/) {}
    virtual void after_backward(int /*stage*/, int /*micro_batch*/) {}
    /// The gradient of the last stage's root, 0-dim float64 on its device; undefined: 1.
    virtual at::Tensor root_gradient() { return {}; }
};

class ScheduleExecutor {
  public:
    /// Executes row `pipeline.rank()`. Neighbouring stages on this rank exchange tensors without messages; a forward
    /// and a backward that may overlap run one after the other. Throws std::invalid_argument for a table that cannot be
    /// executed (distributed/pipeline/check_schedule.h).
    ScheduleExecutor(Schedule schedule, Communicator& pipeline, PipelineStages& stages);

    const Schedule& schedule() const { return schedule_; }
    /// One step. `before` is called before each action. Throws PeerLost, and what stages throw; then the step cannot be
    /// finished, and the next call begins a new one.
    void run(const std::function<void(const Action&)>& before);
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

    int rank_of(int stage) const { return schedule_.rank_of_stage[static_cast<std::size_t>(stage)]; }
    bool is_own(int stage) const {
        return stage >= 0 && stage < schedule_.stages && rank_of(stage) == pipeline_.rank();
    }
    Slot& slot(const Action& action) { return slots_[{action.stage, action.micro_batch}]; }
    void count_arrivals();
    void execute(std::size_t position);
    void run_forward(const Action& action);
    void run_backward(const Action& action, bool last);
    void send(const Action& action, int to, Tensors tensors);
    void receive(const Action& action, int from, const Tensors& tensors, std::size_t arrived);

    Schedule schedule_;
    Communicator& pipeline_;
    PipelineStages& stages_;
    RankActions row_;  ///< of this rank, without overlap
    std::map<std::pair<int, int>, Slot> slots_;
    std::map<int, std::deque<Message>> under_way_;  ///< by rank, oldest first
    std::map<int, std::size_t> arrived_;            ///< by rank: messages of this step that were sent and are over
    std::vector<std::size_t>
        arrived_at_;  ///< [action] of a receive: messages to that rank which have arrived when it ends
};

}  // namespace trainyard::parallel
