// SPDX-License-Identifier: GPL-3.0-or-later
// Options of PowerSGD from a dictionary (comm_state_option).

#include <array>
#include <cmath>
#include <functional>
#include <limits>

#include "base/error.h"
#include "distributed/parallel/power_sgd.h"

namespace trainyard::parallel {

namespace {

using OptionReader = std::function<void(const Tree& value, PowerSgdOptions& options)>;

OptionReader integer(std::int64_t PowerSgdOptions::*member, std::int64_t least, std::int64_t most) {
    return [=](const Tree& value, PowerSgdOptions& options) {
        options.*member = value.as_integer();
        if (options.*member < least || options.*member > most)
            throw UserError("{} is not in {} to {}", options.*member, least, most);
    };
}

OptionReader real(double PowerSgdOptions::*member) {
    return [=](const Tree& value, PowerSgdOptions& options) {
        options.*member = value.as_real();
        if (!(options.*member >= 0) || std::isinf(options.*member))
            throw UserError("it must be a number of at least 0");
    };
}

OptionReader boolean(bool PowerSgdOptions::*member) {
    return [=](const Tree& value, PowerSgdOptions& options) { options.*member = value.as_bool(); };
}

struct Option {
    const char* name;
    OptionReader read;
};

const std::array<Option, 9>& known_options() {
    constexpr std::int64_t kMany = std::numeric_limits<std::int64_t>::max();
    static const std::array<Option, 9> options{{
        {"matrix_approximation_rank", integer(&PowerSgdOptions::matrix_approximation_rank, 1, kMany)},
        {"start_powerSGD_iter", integer(&PowerSgdOptions::start_powerSGD_iter, 0, kMany)},
        {"min_compression_rate", real(&PowerSgdOptions::min_compression_rate)},
        {"use_error_feedback", boolean(&PowerSgdOptions::use_error_feedback)},
        {"warm_start", boolean(&PowerSgdOptions::warm_start)},
        {"orthogonalization_epsilon", real(&PowerSgdOptions::orthogonalization_epsilon)},
        {"random_seed", integer(&PowerSgdOptions::random_seed, 0, 0xffffffff)},
        // torch takes less than one for one.
        {"compression_stats_logging_frequency",
         integer(&PowerSgdOptions::compression_stats_logging_frequency, -kMany, kMany)},
        {"batch_tensors_with_same_shape", boolean(&PowerSgdOptions::batch_tensors_with_same_shape)},
    }};
    return options;
}

}  // namespace

PowerSgdOptions PowerSgdOptions::from(const Tree& options) {
    PowerSgdOptions result;
    if (options.is_none())
        return result;
    if (!options.is_dict())
        throw UserError("comm_state_option is a {}: give a dictionary of options", options.kind());
    std::vector<Message> problems;
    for (const Tree::Entry& entry : options.entries()) {
        std::string name = trainyard::to_string(entry.key), known;
        Message problem;
        bool found = false;
        for (const Option& option : known_options()) {
            known += (known.empty() ? "" : ", ") + std::string(option.name);
            if (name != option.name)
                continue;
            found = true;
            try {
                option.read(entry.value, result);
            } catch (const UserError& error) {
                problem = error.message();
            }
        }
        if (!found)
            problem = Message("is unknown: PowerSGD has {}", known);
        if (!problem.empty())
            problems.push_back(Message("comm_state_option.{}: {}", name, problem));
    }
    if (!problems.empty())
        throw UserError(Message::joined(problems));
    return result;
}

}  // namespace trainyard::parallel
