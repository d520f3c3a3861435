// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
// Maps tags to indices, from 0 in the order of first use. Tags come in the same order in every step, so the tag that
// followed last time is tried first: most look-ups compare two strings and compute no hash.

#include <deque>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

namespace trainyard::events {

class TagTable {
  public:
    int number(std::string_view tag) {
        if (last_ >= 0) {
            const int guess = next_[static_cast<std::size_t>(last_)];
            if (guess >= 0 && names_[static_cast<std::size_t>(guess)] == tag)
                return last_ = guess;
        }
        const int place = find_or_add(tag);
        if (last_ >= 0)
            next_[static_cast<std::size_t>(last_)] = place;
        return last_ = place;
    }
    const std::string& name(int number) const { return names_[static_cast<std::size_t>(number)]; }
    int size() const { return static_cast<int>(names_.size()); }

  private:
    int find_or_add(std::string_view tag) {
        if (const auto found = places_.find(tag); found != places_.end())
            return found->second;
        names_.emplace_back(tag);
        next_.push_back(-1);
        places_.emplace(names_.back(), size() - 1);
        return size() - 1;
    }

    std::deque<std::string> names_;  ///< never moved: the keys of places_ point into it
    std::unordered_map<std::string_view, int> places_;
    std::vector<int> next_;
    int last_ = -1;
};

}  // namespace trainyard::events
