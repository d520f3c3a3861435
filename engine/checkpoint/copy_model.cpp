// SPDX-License-Identifier: GPL-3.0-or-later
// Stored weights into a model's tensors.

#include <algorithm>
#include <map>
#include <set>
#include <string_view>
#include <tuple>
#include <utility>

#include <ATen/ops/equal.h>

#include "base/error.h"
#include "checkpoint/accelerate_folder.h"
#include "checkpoint/parallel_copy.h"

namespace trainyard::checkpoint {

namespace {

constexpr std::string_view kWrapper = "module.";

/// How many characters all names have in front that are DistributedDataParallel's.
std::size_t wrapper_of(const NamedTensors& tensors) {
    bool all = !tensors.empty() && std::all_of(tensors.begin(), tensors.end(),
                                               [](const auto& entry) { return entry.first.starts_with(kWrapper); });
    return all ? kWrapper.size() : 0;
}

/// Where a tensor lies: equal for two names of the same weight.
auto memory_of(const at::Tensor& tensor) {
    return std::tuple(tensor.device().str(), tensor.storage().data(), tensor.storage_offset(), tensor.sizes().vec(),
                      tensor.strides().vec());
}

/// What is to be copied where. Throws when something does not fit.
std::vector<TensorCopy> copies_into(const NamedTensors& stored, const NamedTensors& model, const std::string& where,
                                    bool strict) {
    std::map<std::string_view, const at::Tensor*> found;
    std::size_t stored_wrapper = wrapper_of(stored), model_wrapper = wrapper_of(model);
    for (const auto& [name, tensor] : stored)
        found.emplace(std::string_view(name).substr(stored_wrapper), &tensor);

    std::vector<Message> problems;
    std::vector<TensorCopy> copies;
    using Memory = decltype(memory_of(at::Tensor()));
    std::map<Memory, bool> filled;                                          // place -> some name of it was found
    std::set<Memory> used;                                                  // of stored tensors
    std::map<Memory, std::pair<std::string, const at::Tensor*>> stored_of;  // place -> what fills it
    for (const auto& [name, tensor] : model) {
        bool here = found.contains(std::string_view(name).substr(model_wrapper));
        filled[memory_of(tensor)] |= here;
    }
    for (const auto& [name, tensor] : model) {
        auto entry = found.find(std::string_view(name).substr(model_wrapper));
        if (entry == found.end()) {
            if (!filled[memory_of(tensor)])
                problems.push_back(Message("'{}' is missing", name));
            continue;
        }
        if (entry->second->sizes() != tensor.sizes())
            problems.push_back(Message("'{}' has shape {} instead of {}", name, c10::str(entry->second->sizes()),
                                       c10::str(tensor.sizes())));
        else
            copies.push_back({tensor, *entry->second});
        const auto [first, is_first] = stored_of.try_emplace(memory_of(tensor), name, entry->second);
        if (const at::Tensor& other = *first->second.second;
            !is_first && memory_of(other) != memory_of(*entry->second) && !at::equal(other, *entry->second))
            problems.push_back(Message("'{}' and '{}' are one tensor of this model, and differ in the file",
                                       first->second.first, name));
        used.insert(memory_of(*entry->second));
        found.erase(entry);
    }
    if (strict)
        for (const auto& [name, tensor] : found)
            if (!used.contains(memory_of(*tensor)))  // a second name of tied weights says nothing new
                problems.push_back(Message("'{}' is not part of this model", name));
    if (!problems.empty()) {
        constexpr std::size_t kMostShown = 20;
        if (problems.size() > kMostShown) {
            const Message more("and {} more", problems.size() - kMostShown);
            problems.resize(kMostShown);
            problems.push_back(more);
        }
        throw UserError("{} does not fit this model: {}", where, Message::joined(problems));
    }
    return copies;
}

}  // namespace

std::vector<TensorCopy> match_model(const NamedTensors& stored, const NamedTensors& model, const std::string& where,
                                    bool strict) {
    return copies_into(stored, model, where, strict);
}

void check_model(const NamedTensors& stored, const NamedTensors& model, const std::string& where, bool strict) {
    copies_into(stored, model, where, strict);
}

void copy_model(const NamedTensors& stored, const NamedTensors& model, const std::string& where, bool strict) {
    copy_tensors(copies_into(stored, model, where, strict));
}

}  // namespace trainyard::checkpoint
