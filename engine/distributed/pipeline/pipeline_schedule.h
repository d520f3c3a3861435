#pragma once
// A training step as a table of actions on pipeline stages and micro-batches, with one row per rank. Training without a
// pipeline is a table with one stage, gradient accumulation a table with n micro-batches; GPipe and 1F1B are other
// tables for the same executor (distributed/parallel/schedule_executor.h). Independent of LibTorch: schedules are
// checked (check_schedule.h) and simulated (simulator.h) before the start. Names and text format are those of
// torch.distributed.pipelining.

#include <string>
#include <vector>

namespace trainyard::pipeline {

enum class ActionKind {
    forward,
    backward,         ///< gradients with respect to inputs and weights
    backward_input,   ///< gradients with respect to inputs only, which the previous stage waits for
    backward_weight,  ///< gradients with respect to weights, after backward_input
    send_forward,     ///< outputs of a stage to the next one
    receive_forward,  ///< inputs of a stage from the previous one
    send_backward,    ///< gradients of a stage's inputs to the previous one
    receive_backward,
    reduce,  ///< reduces gradients over data-parallel ranks and stages that share a parameter
    update,
};

struct Action {
    ActionKind kind = ActionKind::forward;
    int stage = 0;
    int micro_batch = 0;  ///< not for reduce and update
    bool operator==(const Action&) const = default;
};

/// The actions of one rank in order.
using RankActions = std::vector<Action>;

struct Schedule {
    std::string name;  ///< torch's name: GPipe, 1F1B
    int stages = 1;
    int micro_batches = 1;
    std::vector<int> rank_of_stage;  ///< rank within the pipeline
    std::vector<RankActions> ranks;

    bool operator==(const Schedule&) const = default;
};

/// One stage: forward(0) backward(0) ... forward(n-1) backward(n-1) reduce update
Schedule plain_schedule(int micro_batches);
/// All forwards, then all backwards. Huang et al., "GPipe", 2019.
Schedule gpipe_schedule(int stages, int micro_batches);
/// Each stage starts its backwards as early as possible; it keeps the activations of at most as many micro-batches as
/// there are stages from it to the last one.
/// Narayanan et al., "Efficient large-scale language model training on GPU clusters using Megatron-LM", 2021.
Schedule one_forward_one_backward_schedule(int stages, int micro_batches);
/// 1F1B with separate backwards for weights, which fill the idle time at the end. Qi et al., "Zero bubble pipeline
/// parallelism", 2024: ZB-H1.
Schedule zero_bubble_schedule(int stages, int micro_batches);
/// Forwards only, for evaluation.
Schedule forward_schedule(int stages, int micro_batches);

/// GPipe, 1F1B, ZBH1.
const std::vector<std::string>& schedule_names();
/// The schedule with that name. Throws std::invalid_argument for a name that is not in schedule_names().
Schedule make_schedule(const std::string& name, int stages, int micro_batches);

/// True for the last backward that contributes to the stage's gradients: their reduction may overlap with it. Schedules
/// with separate backwards for weights have none.
bool is_last_backward(const RankActions& actions, std::size_t position);

/// One action: `0F1` (stage 0, micro-batch 1), `1SEND_B0`, `REDUCE`.
std::string to_text(const Action& action);
/// Actions separated by spaces, one line per rank.
std::string to_text(const Schedule& schedule);

}  // namespace trainyard::pipeline
