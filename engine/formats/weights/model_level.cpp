// SPDX-License-Identifier: GPL-3.0-or-later
#include "formats/weights/model_level.h"

#include <algorithm>
#include <map>
#include <optional>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "base/error.h"

namespace trainyard::weights {

namespace {

constexpr std::string_view kModelKeys[] = {"model", "state_dict", "model_state_dict", "model_state", "module",
                                           "net",   "network",    "weights",          "params"};
constexpr std::string_view kOptimizerKeys[] = {"opt",
                                               "optim",
                                               "optims",
                                               "optimizer",
                                               "optimizers",
                                               "optim_state",
                                               "opt_state",
                                               "optimizer_state",
                                               "optimizer_states",
                                               "optim_state_dict",
                                               "opt_state_dict",
                                               "optimizer_dict",
                                               "optim_states",
                                               "optimizer_state_dict",
                                               "optimizers_state_dict"};
constexpr std::string_view kAverageKeys[] = {"ema",         "ema_model",      "model_ema",   "ema_state_dict",
                                             "ema_weights", "state_dict_ema", "average",     "averaged_model",
                                             "swa",         "swa_model",      "teacher_ema", "ema_params"};
constexpr std::string_view kOtherKeys[] = {"scheduler",
                                           "schedulers",
                                           "lr_scheduler",
                                           "lr_schedulers",
                                           "scheduler_state_dict",
                                           "lr_scheduler_state_dict",
                                           "lr_schedule",
                                           "scaler",
                                           "grad_scaler",
                                           "amp",
                                           "amp_scaler",
                                           "loss_scaler",
                                           "scaler_state_dict",
                                           "rng",
                                           "rng_state",
                                           "rng_states",
                                           "random_states",
                                           "cuda_rng_state",
                                           "torch_rng_state",
                                           "train_state",
                                           "training_state",
                                           "trainer_state",
                                           "trainer",
                                           "loops",
                                           "callbacks",
                                           "dataloader",
                                           "dataloaders",
                                           "dataloader_state",
                                           "sampler",
                                           "hyper_parameters",
                                           "hparams",
                                           "args",
                                           "config",
                                           "cfg",
                                           "meta",
                                           "metadata",
                                           "epoch",
                                           "epochs",
                                           "step",
                                           "steps",
                                           "global_step",
                                           "iteration",
                                           "iterations",
                                           "iter",
                                           "num_steps",
                                           "best_metric",
                                           "best_loss",
                                           "loss",
                                           "history",
                                           "metrics",
                                           "pytorch-lightning_version"};

/// "optimizer_0" and "Optimizer" are "optimizer".
std::string plain_key(std::string_view key) {
    std::string plain;
    for (const char c : key)
        plain += static_cast<char>(c >= 'A' && c <= 'Z' ? c - 'A' + 'a' : c);
    while (!plain.empty() && plain.back() >= '0' && plain.back() <= '9')
        plain.pop_back();
    while (!plain.empty() && plain.back() == '_')
        plain.pop_back();
    return plain;
}

std::optional<StatePart> part_of_key(const std::string& key) {
    const std::string plain = plain_key(key);
    const auto is_in = [&](std::span<const std::string_view> keys) {
        return std::ranges::find(keys, plain) != keys.end();
    };
    return is_in(kOptimizerKeys) ? std::optional(StatePart::optimizer)
           : is_in(kAverageKeys) ? std::optional(StatePart::average)
           : is_in(kOtherKeys)   ? std::optional(StatePart::other)
                                 : std::nullopt;
}

/// The entries below a level that have the same key.
struct Child {
    std::vector<std::size_t> leaves;
    bool table = false, tensors = false;
    bool scalar = true;  ///< no tensor of more than one element
    bool flat = false;   ///< a state dictionary: its keys have dots
};

class LevelFinder {
  public:
    explicit LevelFinder(std::span<const StateLeaf> leaves) : leaves_(leaves) {
        split_flat_names();
        level_.parts.assign(leaves.size(), StatePart::other);
    }

    ModelLevel find() {
        std::vector<std::size_t> all(leaves_.size());
        for (std::size_t i = 0; i < all.size(); ++i)
            all[i] = i;
        look(std::move(all), 0, false);
        std::ranges::sort(level_.tensors);
        for (const std::size_t leaf : level_.tensors) {
            level_.parts[leaf] = StatePart::model;
            const std::vector<std::string>& path = path_of(leaf);
            level_.names.push_back(fmt::format(
                "{}", fmt::join(path.begin() + static_cast<std::ptrdiff_t>(level_.path.size()), path.end(), ".")));
        }
        return std::move(level_);
    }

  private:
    const std::vector<std::string>& path_of(std::size_t leaf) const {
        return split_.empty() ? leaves_[leaf].path : split_[leaf];
    }

    /// "optimizer.state.w.exp_avg" beside "model.w" in a file without tables.
    void split_flat_names() {
        bool optimizer = false;
        for (const StateLeaf& leaf : leaves_) {
            if (leaf.path.size() != 1)
                return;
            const std::size_t dot = leaf.path.front().find('.');
            optimizer = optimizer || (dot != std::string::npos &&
                                      part_of_key(leaf.path.front().substr(0, dot)) == StatePart::optimizer);
        }
        if (!optimizer)
            return;
        for (const StateLeaf& leaf : leaves_) {
            const std::string& name = leaf.path.front();
            const std::size_t dot = name.find('.');
            split_.push_back(dot == std::string::npos ? std::vector{name}
                                                      : std::vector{name.substr(0, dot), name.substr(dot + 1)});
        }
    }

    void leave(const std::string& key, const Child& child, std::size_t depth, StatePart part) {
        std::string name = prefix_of_level(child.leaves.front(), depth) + key;
        if (std::ranges::find(level_.others, name) == level_.others.end())
            level_.others.push_back(std::move(name));
        for (const std::size_t leaf : child.leaves)
            level_.parts[leaf] = part;
    }

    /// `in_model`: below a key of kModelKeys, where names are those of modules.
    void look(std::vector<std::size_t> leaves, std::size_t depth, bool in_model) {
        std::map<std::string, Child> children;
        std::vector<std::string> order;
        for (const std::size_t leaf : leaves) {
            const std::vector<std::string>& path = path_of(leaf);
            if (path.size() <= depth)  // the whole file is one value, or a key has a value and a table
                continue;
            const std::string& key = path[depth];
            auto [at, fresh] = children.try_emplace(key);
            if (fresh)
                order.push_back(key);
            Child& child = at->second;
            child.leaves.push_back(leaf);
            child.table = child.table || path.size() > depth + 1;
            child.tensors = child.tensors || leaves_[leaf].tensor;
            child.scalar = child.scalar && leaves_[leaf].elements <= 1;
            child.flat = child.flat || (path.size() == depth + 2 && path.back().find('.') != std::string::npos);
        }
        // An optimizer's own state dictionary.
        if (children.contains("state") && children.contains("param_groups")) {
            for (const std::string& key : order)
                leave(key, children[key], depth, StatePart::optimizer);
            return;
        }
        std::vector<std::string> own, unknown;  // with tensors
        for (const std::string& key : order) {
            const Child& child = children[key];
            const std::optional<StatePart> part = in_model ? std::nullopt : part_of_key(key);
            if (part && (child.table || child.scalar))
                leave(key, child, depth, *part);
            else if (!child.tensors)
                leave(key, child, depth, StatePart::other);
            else
                own.push_back(key);
        }
        for (const std::string_view key : kModelKeys) {
            const auto found = children.find(std::string(key));
            if (found == children.end() || !found->second.table || std::ranges::find(own, key) == own.end())
                continue;
            // Beside other weights, or in a model, only what is plainly a state dictionary and not a part of one.
            if ((own.size() > 1 || in_model) && (!found->second.flat || !split_.empty()))
                continue;
            for (const std::string& other : own)
                if (other != key)
                    leave(other, children[other], depth, StatePart::other);
            return go_down(found->first, found->second.leaves, depth, true);
        }
        if (own.size() == 1 && !in_model && children[own.front()].table)
            return go_down(own.front(), children[own.front()].leaves, depth, false);
        if (own.empty() && !in_model)  // a file of averaged weights alone
            if (const auto average = std::ranges::find_if(order,
                                                          [&](const std::string& key) {
                                                              return part_of_key(key) == StatePart::average &&
                                                                     children[key].table && children[key].tensors;
                                                          });
                average != order.end()) {
                std::erase(level_.others, prefix_of_level(children[*average].leaves.front(), depth) + *average);
                return go_down(*average, children[*average].leaves, depth, true);
            }
        for (const std::string& key : own)
            for (const std::size_t leaf : children[key].leaves)
                if (leaves_[leaf].tensor)
                    level_.tensors.push_back(leaf);
    }

    void go_down(const std::string& key, std::vector<std::size_t> leaves, std::size_t depth, bool in_model) {
        level_.path.push_back(key);
        look(std::move(leaves), depth + 1, in_model);
    }

    std::string prefix_of_level(std::size_t leaf, std::size_t depth) const {
        std::string prefix;
        for (std::size_t i = 0; i < depth; ++i)
            prefix += path_of(leaf)[i] + ".";
        return prefix;
    }

    std::span<const StateLeaf> leaves_;
    std::vector<std::vector<std::string>> split_;
    ModelLevel level_;
};

}  // namespace

Message ModelLevel::left_behind() const {
    constexpr std::size_t kMostNamed = 12;
    if (others.empty())
        return {};
    std::vector<std::string> named(others.begin(),
                                   others.begin() + static_cast<std::ptrdiff_t>(std::min(others.size(), kMostNamed)));
    const std::string list = fmt::format("{}", fmt::join(named, ", "));
    return others.size() > kMostNamed ? Message("{} and {} more", list, others.size() - kMostNamed)
                                      : Message::verbatim(list);
}

ModelLevel find_model_level(std::span<const StateLeaf> leaves) {
    return LevelFinder(leaves).find();
}

}  // namespace trainyard::weights
