// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
// One list of a schedule's fields for both directions of its state dictionary: each schedule names them once, and the same call writes
// them or reads them. Reading goes aside; commit() makes it count when every field was there and fitted. Inside this library.

#include <cstdint>
#include <functional>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "base/message.h"
#include "distributed/tensors/tree.h"

namespace trainyard::optim {

class StateFields {
  public:
    /// Writes into a dictionary.
    StateFields() : written_(Tree::dict()) {}
    /// Reads `state`; `schedule` names it in errors. Throws UserError when it is not a dictionary.
    StateFields(std::string schedule, const Tree& state);

    void field(const std::string& key, double& member);
    void field(const std::string& key, std::int64_t& member);
    void field(const std::string& key, bool& member);
    void field(const std::string& key, std::string& member);
    void field(const std::string& key, std::vector<double>& member);
    void field(const std::string& key, std::optional<double>& member);
    void field(const std::string& key, std::map<std::int64_t, std::int64_t>& member);
    void field(const std::string& key, std::vector<std::int64_t>& member);
    /// A number that is written as a whole one when it is: torch takes both.
    void number(const std::string& key, double& member);
    /// Written for torch, not looked at when reading.
    void written_only(const std::string& key, const Tree& value);
    /// Whether a state that is read has the key; true when writing.
    bool has(const std::string& key) const { return state_ == nullptr || state_->find(key) != nullptr; }
    bool reading() const { return state_ != nullptr; }
    bool has_problems() const { return !problems_.empty(); }
    /// Returns the value that is read; nullptr if it is missing, which finish() reports.
    const Tree* value(const std::string& key);
    void problem(const std::string& key, const Message& what);
    /// Done by commit(), after all fields.
    void on_commit(std::function<void()> change) { changes_.push_back(std::move(change)); }

    Tree take() { return std::move(written_); }
    /// Throws UserError naming every key that is missing or does not fit; otherwise the members take what was read.
    void commit();

  private:
    template <class T>
    void read(const std::string& key, T& member, T (*convert)(const Tree&));
    std::string schedule_;
    const Tree* state_ = nullptr;
    Tree written_;
    std::vector<Message> problems_;
    std::vector<std::function<void()>> changes_;
};

}  // namespace trainyard::optim
