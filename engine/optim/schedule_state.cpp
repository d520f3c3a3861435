// SPDX-License-Identifier: GPL-3.0-or-later
#include "optim/schedule_state.h"

#include <cmath>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "base/error.h"

namespace trainyard::optim {

namespace {

std::int64_t to_integer(const Tree& value) {
    // Python writes T_cur and the like as a real number now and then.
    if (value.is_real() && value.as_real() == std::floor(value.as_real()))
        return static_cast<std::int64_t>(value.as_real());
    return value.as_integer();
}

double to_real(const Tree& value) {
    return value.as_real();
}

std::vector<double> to_reals(const Tree& value) {
    std::vector<double> numbers;
    for (const Tree& item : value.items())
        numbers.push_back(item.as_real());
    return numbers;
}

std::vector<std::int64_t> to_integers(const Tree& value) {
    std::vector<std::int64_t> numbers;
    for (const Tree& item : value.items())
        numbers.push_back(to_integer(item));
    return numbers;
}

std::map<std::int64_t, std::int64_t> to_counts(const Tree& value) {
    std::map<std::int64_t, std::int64_t> counts;
    for (const Tree::Entry& entry : value.entries()) {
        const auto* key = std::get_if<std::int64_t>(&entry.key);
        if (key == nullptr)
            throw UserError("a key is not a whole number");
        counts[*key] = to_integer(entry.value);
    }
    return counts;
}

template <class Numbers>
Tree list_of(const Numbers& numbers) {
    Tree list = Tree::list();
    for (const auto& number : numbers)
        list.append(number);
    return list;
}

Tree shortest(double number) {
    if (number == std::floor(number) && std::abs(number) < 1e15)
        return static_cast<std::int64_t>(number);
    return number;
}

}  // namespace

StateFields::StateFields(std::string schedule, const Tree& state) : schedule_(std::move(schedule)), state_(&state) {
    if (!state.is_dict())
        throw UserError("state of the schedule {}: it is a {}, not a dictionary", schedule_, state.kind());
}

const Tree* StateFields::value(const std::string& key) {
    const Tree* value = state_->find(key);
    if (value == nullptr)
        problem(key, "is missing");
    return value;
}

void StateFields::problem(const std::string& key, const Message& what) {
    problems_.push_back(Message("'{}' {}", key, what));
}

template <class T>
void StateFields::read(const std::string& key, T& member, T (*convert)(const Tree&)) {
    const Tree* found = value(key);
    if (found == nullptr)
        return;
    try {
        changes_.push_back([&member, read = convert(*found)]() mutable { member = std::move(read); });
    } catch (const UserError& error) {
        problem(key, Message("does not fit ({})", message_of(error)));
    }
}

void StateFields::field(const std::string& key, double& member) {
    reading() ? read(key, member, to_real) : written_.set(key, member);
}

void StateFields::number(const std::string& key, double& member) {
    reading() ? read(key, member, to_real) : written_.set(key, shortest(member));
}

void StateFields::field(const std::string& key, std::int64_t& member) {
    reading() ? read(key, member, to_integer) : written_.set(key, member);
}

void StateFields::field(const std::string& key, bool& member) {
    reading() ? read<bool>(key, member, [](const Tree& value) { return value.as_bool(); }) : written_.set(key, member);
}

void StateFields::field(const std::string& key, std::string& member) {
    reading() ? read<std::string>(key, member, [](const Tree& value) { return value.as_text(); })
              : written_.set(key, member);
}

void StateFields::field(const std::string& key, std::vector<double>& member) {
    reading() ? read(key, member, to_reals) : written_.set(key, list_of(member));
}

void StateFields::field(const std::string& key, std::vector<std::int64_t>& member) {
    reading() ? read(key, member, to_integers) : written_.set(key, list_of(member));
}

void StateFields::field(const std::string& key, std::optional<double>& member) {
    if (reading())
        read<std::optional<double>>(key, member, [](const Tree& value) {
            return value.is_none() ? std::optional<double>() : std::optional<double>(value.as_real());
        });
    else
        written_.set(key, member ? shortest(*member) : Tree());
}

void StateFields::field(const std::string& key, std::map<std::int64_t, std::int64_t>& member) {
    if (reading()) {
        read(key, member, to_counts);
        return;
    }
    Tree counts = Tree::dict();
    for (const auto& [number, count] : member)
        counts.set(number, count);
    written_.set(key, std::move(counts));
}

void StateFields::written_only(const std::string& key, const Tree& value) {
    if (!reading())
        written_.set(key, value);
}

void StateFields::commit() {
    if (!problems_.empty())
        throw UserError("state of the schedule {}: {}; was it saved by another kind of schedule?", schedule_,
                        Message::joined(problems_));
    for (const std::function<void()>& change : changes_)
        change();
}

}  // namespace trainyard::optim
