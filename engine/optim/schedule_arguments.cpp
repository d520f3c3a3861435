// SPDX-License-Identifier: GPL-3.0-or-later
#include "optim/schedule_arguments.h"

#include <algorithm>
#include <cmath>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "base/error.h"
#include "base/text.h"

namespace trainyard::optim {

Arguments::Arguments(std::string schedule, const Tree& arguments, std::size_t groups)
    : schedule_(std::move(schedule)), arguments_(arguments), groups_(groups) {
    if (!arguments_.is_none() && !arguments_.is_dict())
        throw UserError("{}: the arguments are a {}, not a dictionary", schedule_, arguments_.kind());
}

const Tree* Arguments::find(const std::string& key) {
    if (std::find(known_.begin(), known_.end(), key) == known_.end())
        known_.push_back(key);
    const Tree* value = arguments_.find(key);
    return value != nullptr && !value->is_none() ? value : nullptr;
}

void Arguments::require(bool holds, const std::string& key, const Message& message) {
    if (!holds)
        problems_.push_back({{}, 0, 0, schedule_ + "." + key, message});
}

void Arguments::add_problems(const std::vector<Problem>& problems, const std::string& below) {
    for (const Problem& problem : problems)
        problems_.push_back({{}, 0, 0, schedule_ + "." + below + "." + problem.key, problem.message});
}

void Arguments::wrong_kind(const std::string& key, const Tree& value, const Message& wanted) {
    require(false, key, Message("must be {}, not {}", wanted, value.kind()));
}

std::optional<double> Arguments::maybe_real(const std::string& key) {
    const Tree* value = find(key);
    if (value == nullptr)
        return std::nullopt;
    if (!value->is_integer() && !value->is_real()) {
        wrong_kind(key, *value, "a number");
        return std::nullopt;
    }
    if (!std::isfinite(value->as_real())) {
        require(false, key, "must be finite");
        return std::nullopt;
    }
    return value->as_real();
}

double Arguments::real(const std::string& key, double fallback) {
    return maybe_real(key).value_or(fallback);
}

double Arguments::real(const std::string& key) {
    if (find(key) == nullptr)
        require(false, key, "is missing: this schedule cannot do without it");
    return maybe_real(key).value_or(0);
}

std::optional<std::int64_t> Arguments::maybe_integer(const std::string& key) {
    const Tree* value = find(key);
    if (value == nullptr)
        return std::nullopt;
    if (!value->is_integer()) {
        wrong_kind(key, *value, "a whole number");
        return std::nullopt;
    }
    return value->as_integer();
}

std::int64_t Arguments::integer(const std::string& key, std::int64_t fallback) {
    return maybe_integer(key).value_or(fallback);
}

std::int64_t Arguments::integer(const std::string& key) {
    if (find(key) == nullptr)
        require(false, key, "is missing: this schedule cannot do without it");
    return maybe_integer(key).value_or(0);
}

bool Arguments::flag(const std::string& key, bool fallback) {
    const Tree* value = find(key);
    if (value == nullptr)
        return fallback;
    if (!value->is_bool()) {
        wrong_kind(key, *value, "true or false");
        return fallback;
    }
    return value->as_bool();
}

std::string Arguments::word(const std::string& key, const std::string& fallback,
                            std::initializer_list<const char*> allowed) {
    const Tree* value = find(key);
    if (value == nullptr)
        return fallback;
    if (!value->is_text()) {
        wrong_kind(key, *value, "a word");
        return fallback;
    }
    const std::string& word = value->as_text();
    if (std::find(allowed.begin(), allowed.end(), word) == allowed.end()) {
        require(false, key,
                Message("is '{}', must be one of {}", word, fmt::join(allowed.begin(), allowed.end(), ", ")));
        return fallback;
    }
    return word;
}

std::vector<double> Arguments::per_group(const std::string& key, std::optional<double> fallback) {
    const Tree* value = find(key);
    if (value == nullptr && !fallback)
        require(false, key, "is missing: this schedule cannot do without it");
    if (value == nullptr || (!value->is_list() && !value->is_tuple()))
        return std::vector<double>(groups_, value == nullptr ? fallback.value_or(0) : real(key, 0));
    std::vector<double> numbers;
    for (const Tree& item : value->items()) {
        if (item.is_integer() || item.is_real())
            numbers.push_back(item.as_real());
        else
            wrong_kind(key, item, "a list of numbers");
    }
    require(numbers.size() == groups_, key,
            Message("has {} numbers, the optimizer has {} parameter groups", numbers.size(), groups_));
    numbers.resize(groups_);
    return numbers;
}

std::vector<std::int64_t> Arguments::integers(const std::string& key) {
    const Tree* value = find(key);
    std::vector<std::int64_t> numbers;
    if (value == nullptr) {
        require(false, key, "is missing: this schedule cannot do without it");
    } else if (!value->is_list() && !value->is_tuple()) {
        wrong_kind(key, *value, "a list of whole numbers");
    } else {
        for (const Tree& item : value->items()) {
            if (item.is_integer())
                numbers.push_back(item.as_integer());
            else
                wrong_kind(key, item, "a list of whole numbers");
        }
    }
    return numbers;
}

const Tree* Arguments::raw(const std::string& key) {
    return find(key);
}

void Arguments::take_unused_steps() {
    const double warmup = real("num_warmup_steps", 0);
    require(warmup == 0, "num_warmup_steps",
            Message("is {}, and {} has no warm-up: set it to 0, or take a schedule that has one, e.g. "
                    "constant_with_warmup",
                    warmup, schedule_));
    maybe_real("num_training_steps");
}

void Arguments::finish() {
    // Resuming goes through load_state_dict(), which every schedule has.
    const std::optional<std::int64_t> last_epoch = maybe_integer("last_epoch");
    require(!last_epoch || *last_epoch == -1, "last_epoch", "must be -1: load the schedule's state to continue a run");
    if (arguments_.is_dict())
        for (const Tree::Entry& entry : arguments_.entries()) {
            const std::string key = to_string(entry.key);
            if (std::find(known_.begin(), known_.end(), key) == known_.end())
                require(false, key, Message("unknown argument{}", text::did_you_mean(key, known_)));
        }
    if (!problems_.empty())
        throw InvalidInput(problems_);
}

}  // namespace trainyard::optim
