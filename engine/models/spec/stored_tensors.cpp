// SPDX-License-Identifier: GPL-3.0-or-later
#include "models/spec/stored_tensors.h"

#include <algorithm>

#include <fmt/format.h>

#include "base/error.h"
#include "models/spec/family.h"

namespace trainyard::families {

namespace {

/// Length of the longest common end of two names that begins at a dot.
std::size_t common_end(const std::string& a, const std::string& b) {
    std::size_t same = 0, whole = 0;
    while (same < a.size() && same < b.size() && a[a.size() - 1 - same] == b[b.size() - 1 - same]) {
        ++same;
        if (a[a.size() - same] == '.')
            whole = same;
    }
    return same == a.size() || same == b.size() ? same : whole;
}

}  // namespace

StoredTensors::StoredTensors(std::vector<std::string> names, std::set<std::string> of_model)
    : names_(std::move(names)), of_model_(std::move(of_model)) {
    places_.reserve(names_.size());
    for (std::size_t i = 0; i < names_.size(); ++i)
        places_.emplace(names_[i], i);
}

std::optional<std::size_t> StoredTensors::find(const std::string& name) const {
    for (const std::string& candidate : stored_names(name))
        if (const auto place = places_.find(candidate);
            place != places_.end() && (candidate == name || !of_model_.contains(candidate)))
            return place->second;
    return std::nullopt;
}

Message StoredTensors::instead_of(const std::vector<std::string>& missing, const std::string& where,
                                  bool at_all) const {
    if (missing.empty() || names_.empty())
        return "";
    // The same names behind another beginning: one row of a table renames all of them.
    const std::string& first = missing.front();
    for (const std::string& candidate : stored_names(first))
        for (const std::string& stored : names_) {
            if (!stored.ends_with("." + candidate))
                continue;
            const std::string before = stored.substr(0, stored.size() - candidate.size());
            if (std::ranges::all_of(missing, [&](const std::string& name) {
                    return std::ranges::any_of(
                        stored_names(name), [&](const std::string& other) { return places_.contains(before + other); });
                }))
                return Message(
                    "it has {} instead, so write it under the model's names with `trainyard "
                    "checkpoints rename {} OUT --table T`, where the file T has the line '{}* -> "
                    "*'",
                    stored, where, before);
        }
    if (at_all)
        return "";
    const auto best =
        std::ranges::max_element(names_, {}, [&](const std::string& stored) { return common_end(stored, first); });
    return Message(
        "it has names such as {}, so it is of another model, or `trainyard checkpoints rename {} "
        "OUT --table T` must give its tensors the model's names",
        *best, where);
}

}  // namespace trainyard::families
