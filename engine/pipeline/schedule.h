#pragma once
// A step as a table of actions over pipeline stages and micro-batches, a row of the table for each rank. Plain training is the table with
// one stage; accumulation is the same with n micro-batches; GPipe and 1F1B are other tables for the same executor
// (parallel/schedule_executor.h). Nothing here needs LibTorch: tables are checked (check.h) and simulated (simulator.h) before
// anything starts. Names and texts are those of torch.distributed.pipelining.

#include <string>
#include <vector>

namespace trainyard::pipeline {

enum class ActionKind {
    forward,
    backward,         ///< gradients of inputs and weights
    backward_input,   ///< of inputs alone, which the stage before waits for
    backward_weight,  ///< of weights, what backward_input left over
    send_forward,     ///< outputs of a stage to the one behind it
    receive_forward,  ///< inputs of a stage from the one before it
    send_backward,    ///< gradients of a stage's inputs to the one before it
    receive_backward,
    reduce,  ///< of gradients over data-parallel ranks and the stages that share a parameter
    update,
};

struct Action {
    ActionKind kind = ActionKind::forward;
    int stage = 0;
    int micro_batch = 0;  ///< of all but reduce and update
    bool operator==(const Action&) const = default;
};

/// What one rank does, in its order.
using RankActions = std::vector<Action>;

struct Schedule {
    std::string name;  ///< as torch calls it: GPipe, 1F1B
    int stages = 1;
    int micro_batches = 1;
    std::vector<int> rank_of_stage;  ///< of the pipeline's ranks, one behind the other
    std::vector<RankActions> ranks;

    bool operator==(const Schedule&) const = default;
};

/// One stage: forward(0) backward(0) ... forward(n-1) backward(n-1) reduce update
Schedule plain_schedule(int micro_batches);
/// All forwards, then all backwards. Huang et al., "GPipe", 2019.
Schedule gpipe_schedule(int stages, int micro_batches);
/// Each stage begins its backwards as soon as it can, and keeps at most as many micro-batches as there are stages behind it and itself.
/// Narayanan et al., "Efficient large-scale language model training on GPU clusters using Megatron-LM", 2021.
Schedule one_forward_one_backward_schedule(int stages, int micro_batches);
/// 1F1B whose backwards of weights fill what would be waited for at the end. Qi et al., "Zero bubble pipeline parallelism", 2024: ZB-H1.
Schedule zero_bubble_schedule(int stages, int micro_batches);
/// Forwards alone, for evaluation.
Schedule forward_schedule(int stages, int micro_batches);

/// GPipe, 1F1B, ZBH1.
const std::vector<std::string>& schedule_names();
/// The table of that name; throws std::invalid_argument for a name that is none of schedule_names().
Schedule make_schedule(const std::string& name, int stages, int micro_batches);

/// True for the backward after which no other contributes to the stage's gradients: reduction may overlap with it. Where weights have
/// backwards of their own there is none.
bool is_last_backward(const RankActions& actions, std::size_t position);

/// One action: `0F1` (stage 0, micro-batch 1), `1SEND_B0`, `REDUCE`.
std::string to_text(const Action& action);
/// One action a word, one rank a line.
std::string to_text(const Schedule& schedule);

}  // namespace trainyard::pipeline
