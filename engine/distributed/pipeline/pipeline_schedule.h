// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
// A training step as a table of actions on pipeline stages and micro-batches, with one row per rank. A rank has one or
// more stages. Training without a pipeline is a table with one stage, gradient accumulation a table with n
// micro-batches; GPipe, 1F1B and the others are tables for the same executor
// (distributed/parallel/schedule_executor.h). Independent of LibTorch: schedules are checked (check_schedule.h) and
// simulated (simulator.h) before the start. Names, tables and text format are those of torch.distributed.pipelining;
// ZBH1 is not in it.

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "base/message.h"

namespace trainyard::pipeline {

enum class ActionKind {
    forward,
    backward,         ///< gradients with respect to inputs and weights
    backward_input,   ///< gradients with respect to inputs only, which the previous stage waits for
    backward_weight,  ///< gradients with respect to weights, after backward_input
    overlap,          ///< a forward and a backward that may run at the same time: Action::parts
    send_forward,     ///< outputs of a stage to the next one
    receive_forward,  ///< inputs of a stage from the previous one
    send_backward,    ///< gradients of a stage's inputs to the previous one
    receive_backward,
    unshard,  ///< gathers the weights of a stage
    reshard,  ///< releases them
    reduce,   ///< the gradients of a stage are complete and can be reduced
    idle,     ///< a time step without work, in tables of computations only
};

struct Action {
    ActionKind kind = ActionKind::idle;
    int stage = -1;               ///< -1: of overlap and idle
    int micro_batch = -1;         ///< -1: none
    std::vector<Action> parts{};  ///< of overlap
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

struct PipelineSize {
    int ranks = 1;
    int stages_per_rank = 0;  ///< 0: what the schedule needs, one or two
    int micro_batches = 1;
};

/// GPipe, 1F1B, ZBH1, Interleaved1F1B, InterleavedZeroBubble, LoopedBFS, ZBVZeroBubble, DualPipeV.
const std::vector<std::string>& schedule_names();
/// `size` with the number of stages per rank that the schedule uses.
PipelineSize resolve_size(std::string_view name, PipelineSize size);
/// Why the schedule does not work with this number of stages or micro-batches; nothing: it does. Throws
/// std::invalid_argument for a name that is not in schedule_names() and sizes below 1.
std::optional<Message> schedule_refusal(std::string_view name, PipelineSize size);
/// The rank of each stage. Stage i is on rank i modulo ranks; with V schedules (two stages per rank) the second half of
/// the stages goes back from the last rank to the first.
std::vector<int> place_stages(std::string_view name, PipelineSize size);

/// Computations only, with idle time steps. Throws std::invalid_argument for what schedule_refusal() reports.
Schedule make_table(std::string_view name, PipelineSize size);
/// A table of computations with the messages between ranks, and a `reduce` after the last backward of each stage. A
/// receive has its place where the sender sends. `gathers`: with an unshard before the first use of a stage, for at
/// most three stages at a time. Throws std::invalid_argument for a table that check_table() refuses or that blocks.
Schedule add_messages(const Schedule& table, bool gathers = false);
/// Receives as late as possible: immediately before the computation that needs the message, in the order in which
/// messages between two ranks are sent.
Schedule receive_when_needed(const Schedule& schedule);

/// The schedule as it is executed.
Schedule make_schedule(std::string_view name, int ranks, int micro_batches, int stages_per_rank = 0);
/// One stage: forward(0) backward(0) ... forward(n-1) backward(n-1) reduce
Schedule plain_schedule(int micro_batches);
/// Forwards only, for evaluation.
Schedule forward_schedule(std::vector<int> rank_of_stage, int micro_batches);

/// The computations and messages of an action: its parts, or itself.
std::vector<Action> parts_of(const Action& action);
/// True for a whole backward that is the last to contribute to the gradients of this rank: their reduction may overlap
/// with it. Rows that end with separate backwards for weights have none. `actions` are without overlap.
bool is_last_backward(const RankActions& actions, std::size_t position);

/// One action: `0F1` (stage 0, micro-batch 1), `1SEND_B0`, `0REDUCE_GRAD`, `(0F3;3B1)OVERLAP_F_B`, `.` (idle).
std::string to_text(const Action& action);
/// Actions separated by spaces, one line per rank.
std::string to_text(const Schedule& schedule);
std::string to_text(const RankActions& actions);
/// The reverse of to_text(). As torch does, reads an empty text as idle and ignores what follows an action. Throws
/// std::invalid_argument.
Action parse_action(std::string_view text);

}  // namespace trainyard::pipeline
