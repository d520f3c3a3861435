// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
// Finds the tensors of a file by the names of a model. All readers of weights match names here: a training's start,
// generation, a resumed state.

#include <cstddef>
#include <optional>
#include <set>
#include <string>
#include <unordered_map>
#include <vector>

#include "base/message.h"

namespace trainyard::families {

class StoredTensors {
  public:
    /// `names`: of the tensors of the file, without the parts that wrappers add (formats/weights/module_wrappers.h).
    /// `of_model`: of the model's own tensors. A stored tensor with one of the model's names is that tensor, and never
    /// another one under its older name: where head and embedding are two tensors, lm_head.weight is not read as the
    /// embedding.
    StoredTensors(std::vector<std::string> names, std::set<std::string> of_model);

    /// The place in the file of a model's tensor, under any of stored_names().
    std::optional<std::size_t> find(const std::string& name) const;
    const std::vector<std::string>& names() const { return names_; }

    /// Describes what the file has instead of missing tensors and which command renames them, to follow "has no tensor
    /// ...: ". `where`: the file or folder. `at_all`: some of the model's tensors are there. Empty: nothing helps.
    Message instead_of(const std::vector<std::string>& missing, const std::string& where, bool at_all) const;

  private:
    std::vector<std::string> names_;
    std::set<std::string> of_model_;
    std::unordered_map<std::string, std::size_t> places_;
};

}  // namespace trainyard::families
