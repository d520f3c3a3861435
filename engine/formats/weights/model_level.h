// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
// Where the model is in a nested training state: {"model": ..., "optim": ...}, {"app": {"model": ...}, "epoch": 2},
// Lightning's {"state_dict": ..., "optimizer_states": ...}, or weights beside an "optimizer" and a "train_state".

#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "base/message.h"

namespace trainyard::weights {

/// A tensor or another value of a nested state.
struct StateLeaf {
    std::vector<std::string> path;  ///< keys of the tables around it and its own
    bool tensor = false;
    std::uint64_t elements = 0;  ///< of a tensor
};

enum class StatePart { model, average, optimizer, other };

struct ModelLevel {
    std::vector<std::string> path;     ///< keys down to the model; empty: the whole state
    std::vector<std::size_t> tensors;  ///< leaves that are weights of the model, in the given order
    std::vector<std::string> names;    ///< of `tensors`
    std::vector<StatePart> parts;      ///< of all leaves
    std::vector<std::string> others;   ///< what stays behind: "app.optim", "app.epoch"; each once

    /// "app.optim, app.epoch and 3 more"; empty: nothing stays behind.
    Message left_behind() const;
};

/// Nothing is thrown: without weights of a model `tensors` is empty. Leaves without tables around them, which flat
/// files have, are divided by the beginnings of their names if one of them is an optimizer's.
ModelLevel find_model_level(std::span<const StateLeaf> leaves);

}  // namespace trainyard::weights
