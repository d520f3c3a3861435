#pragma once
// A step as a table of actions over micro-batches and pipeline stages. Plain training is the table with one stage; accumulation is the
// same with n micro-batches; GPipe, 1F1B, interleaved and zero-bubble are other tables for the same executor.

#include <string>
#include <vector>

namespace trainyard::parallel {

enum class ActionKind { forward, backward, reduce, update };

struct Action {
    ActionKind kind = ActionKind::forward;
    int stage = 0;
    int micro_batch = 0;  ///< of forward and backward
    bool operator==(const Action&) const = default;
};

using Schedule = std::vector<Action>;

/// forward(0) backward(0) ... forward(n-1) backward(n-1) reduce update
Schedule plain_schedule(int micro_batches);

/// True for the backward after which no other contributes to the stage's gradients: reduction may overlap with it.
bool is_last_backward(const Schedule& schedule, std::size_t position);

/// One action a word: `F0 B0 F1 B1 R U`.
std::string to_text(const Schedule& schedule);

}  // namespace trainyard::parallel
