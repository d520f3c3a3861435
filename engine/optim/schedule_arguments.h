// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
// Keyword arguments of a schedule, read by name; what is wrong is collected, so that finish() tells all of it at once. Inside this library.

#include <cstdint>
#include <initializer_list>
#include <optional>
#include <string>
#include <vector>

#include "base/error.h"
#include "distributed/tensors/tree.h"

namespace trainyard::optim {

class Arguments {
  public:
    /// `groups`: parameter groups of the optimizer, for arguments that may be given for each.
    Arguments(std::string schedule, const Tree& arguments, std::size_t groups);

    // A required argument that is missing or wrong gives 0 (or nothing), and a problem. Null is the same as not given.
    double real(const std::string& key);
    double real(const std::string& key, double fallback);
    std::optional<double> maybe_real(const std::string& key);
    std::optional<std::int64_t> maybe_integer(const std::string& key);
    std::int64_t integer(const std::string& key, std::int64_t fallback);
    std::int64_t integer(const std::string& key);
    bool flag(const std::string& key, bool fallback);
    std::string word(const std::string& key, const std::string& fallback, std::initializer_list<const char*> allowed);
    /// A number for all groups, or a list of one per group.
    std::vector<double> per_group(const std::string& key, std::optional<double> fallback);
    std::vector<std::int64_t> integers(const std::string& key);
    /// Returns the unconverted value; nullptr if it is null or missing, which is not an error.
    const Tree* raw(const std::string& key);

    /// For schedules without a warm-up: num_warmup_steps must be 0 or missing, num_training_steps may be given.
    /// transformers.get_scheduler hands both to every schedule.
    void take_unused_steps();
    /// Adds a problem of `key` unless `holds`.
    void require(bool holds, const std::string& key, const Message& message);
    void add_problems(const std::vector<Problem>& problems, const std::string& below);
    bool sound() const { return problems_.empty(); }
    std::size_t groups() const { return groups_; }
    /// Throws InvalidInput when there were problems or arguments that nobody asked for.
    void finish();

  private:
    const Tree* find(const std::string& key);
    void wrong_kind(const std::string& key, const Tree& value, const Message& wanted);

    std::string schedule_;
    const Tree& arguments_;
    std::size_t groups_;
    std::vector<std::string> known_;
    std::vector<Problem> problems_;
};

}  // namespace trainyard::optim
