// SPDX-License-Identifier: GPL-3.0-or-later
#include "checkpoint/files/saved_optimizer.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <cstring>
#include <optional>
#include <set>
#include <string_view>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "base/error.h"
#include "formats/weights/torch_file.h"

namespace trainyard::checkpoint {

namespace {

using weights::Kind;
using weights::Value;

struct TellingKey {
    const char* key;   ///< of the groups of that optimizer, or of a parameter's state, and of no other
    const char* name;  ///< of torch.optim, or as people call it
};
constexpr std::array kTellingKeys{
    TellingKey{"momentum_decay", "NAdam"},
    TellingKey{"dampening", "SGD"},
    TellingKey{"rho", "Adadelta"},
    TellingKey{"lr_decay", "Adagrad"},
    TellingKey{"centered", "RMSprop"},
    TellingKey{"etas", "Rprop"},
    TellingKey{"lambd", "ASGD"},
    TellingKey{"beta2_decay", "Adafactor"},
    TellingKey{"scale_parameter", "Adafactor of transformers"},
    TellingKey{"ns_steps", "Muon"},
    TellingKey{"max_iter", "LBFGS"},
    TellingKey{"exp_inf", "Adamax"},
    TellingKey{"mu_product", "NAdam"},
    TellingKey{"weight_lr_power", "a schedule-free optimizer"},
    TellingKey{"__bnb_optimizer_quant_state__", "an 8-bit optimizer of bitsandbytes"},
};

/// Value of a whole number's key.
const Value* find_number(const Value& dict, std::int64_t key) {
    const std::span<const Value> items = dict.items();
    for (std::size_t i = 0; i + 1 < items.size(); i += 2)
        if (items[i].kind == Kind::integer && items[i].integer == key)
            return &items[i + 1];
    return nullptr;
}

class SavedReader {
  public:
    SavedReader(const std::filesystem::path& path, const std::vector<SavedParameter>& parameters,
                const config::OptimizerRecipe& recipe)
        : where_(path.string()),
          file_(path),
          parameters_(parameters),
          plan_(config::make_optimizer_plan(recipe)),
          wanted_(plan_.groups.back().settings) {}

    SavedOptimizer read() {
        const Value* groups = weights::find(file_.root(), "param_groups");
        state_ = weights::find(file_.root(), "state");
        if (file_.root().kind != Kind::dict || groups == nullptr || groups->kind != Kind::list || state_ == nullptr ||
            state_->kind != Kind::dict)
            refuse("is not the state of a torch optimizer: it lacks \"state\" or \"param_groups\"");
        if (groups->items().empty())
            refuse("has no group of parameters");
        for (const config::OptimizerPlan::Group& group : plan_.groups)
            if (&group.settings.kind() != &wanted_.kind())
                refuse(
                    "is the state of one optimizer, the recipe has several (optimizer.groups): start from the "
                    "folder's weights (model.weights)");
        for (std::size_t i = 1; i < state_->items().size(); i += 2)
            refuse_others(state_->items()[i]);
        for (const Value& group : groups->items())
            read_group(group);
        find_names();
        check_states();
        return std::move(saved_);
    }

  private:
    [[noreturn]] void refuse(const Message& what) const { throw UserError("{} {}", where_, what); }
    [[noreturn]] void refuse_optimizer(const Message& name) const {
        refuse(
            Message("is the state of {}, the trainer has {}: set optimizer.name to that one where recipes "
                    "have it, or start from the folder's weights (model.weights) to train on with {}",
                    name, wanted_.kind().torch_name, wanted_.kind().torch_name));
    }

    std::optional<double> number(const Value* value) const {
        if (value == nullptr)
            return std::nullopt;
        if (value->kind == Kind::real)
            return value->real;
        if (value->kind == Kind::integer)
            return static_cast<double>(value->integer);
        if (value->kind == Kind::tensor)
            return element(*value->object->tensor);
        return std::nullopt;
    }

    /// Of a tensor with one element: the count of steps, a rate on the device.
    std::optional<double> element(const weights::TensorPart& tensor) const {
        if (weights::element_count(tensor.shape) != 1)
            return std::nullopt;
        std::array<std::byte, 8> bytes{};
        std::size_t at = 0;
        file_.stream(tensor, [&](std::span<const std::byte> piece) {
            const std::size_t count = std::min(piece.size(), bytes.size() - at);
            std::memcpy(bytes.data() + at, piece.data(), count);
            at += count;
        });
        auto as = [&]<class T>(T value) {
            std::memcpy(&value, bytes.data(), sizeof value);
            return static_cast<double>(value);
        };
        if (tensor.dtype == "float32")
            return as(0.0F);
        if (tensor.dtype == "float64")
            return as(0.0);
        if (tensor.dtype == "int64")
            return as(std::int64_t{0});
        return std::nullopt;
    }

    /// Whether the groups or states of the recipe's optimizer have the key.
    bool is_wanted(std::string_view key) const {
        const config::OptimizerKind& kind = wanted_.kind();
        return kind.find(key) != nullptr || kind.states_under == key ||
               std::ranges::find(kind.scalars, key) != kind.scalars.end() ||
               std::ranges::any_of(config::states_of(wanted_, {1}),
                                   [&](const config::OptimizerState& state) { return state.name == key; });
    }

    void refuse_others(const Value& keys) const {
        for (const TellingKey& telling : kTellingKeys)
            if (weights::find(keys, telling.key) != nullptr && !is_wanted(telling.key))
                refuse_optimizer(Message::verbatim(telling.name));
    }

    static bool is_true(const Value* value) {
        return value != nullptr && value->kind == Kind::boolean && value->boolean;
    }
    static bool is_false(const Value* value) {
        return value != nullptr && value->kind == Kind::boolean && !value->boolean;
    }

    /// The settings of a group of one of the Adams, which differ by flags alone.
    void check_adam(const Value& group) const {
        // Every Adam of torch says amsgrad; that of older transformers correct_bias.
        const Value* amsgrad = weights::find(group, "amsgrad");
        const Value* correct_bias = weights::find(group, "correct_bias");
        const Value* betas = weights::find(group, "betas");
        const std::optional<double> decay = number(weights::find(group, "weight_decay"));
        if (betas == nullptr || betas->items().size() != 2 || !decay || !number(weights::find(group, "eps")) ||
            (amsgrad == nullptr && correct_bias == nullptr)) {
            if (betas != nullptr && weights::find(group, "decoupled_weight_decay") != nullptr)
                refuse_optimizer(Message::verbatim("RAdam"));
            refuse_optimizer(Message("an optimizer whose groups have the settings {}", keys_of(group)));
        }
        const std::string name = wanted_.kind().torch_name;
        if (is_true(amsgrad) != wanted_.flag("amsgrad"))
            refuse_optimizer(is_true(amsgrad) ? Message("{} with amsgrad", name) : Message("{} without amsgrad", name));
        if (is_false(correct_bias))
            refuse_optimizer("AdamW without the correction of the moments' bias");
        const Value* decoupled = weights::find(group, "decoupled_weight_decay");
        if (decoupled != nullptr && *decay != 0 && is_true(decoupled) != wanted_.flag("decoupled_weight_decay"))
            refuse_optimizer(is_true(decoupled) ? Message("AdamW with weight_decay {} beside the gradients", *decay)
                                                : Message("Adam with weight_decay {} added to the gradients", *decay));
    }

    /// Those of other kinds: a group has every argument that torch's class has.
    void check_keys(const Value& group) const {
        for (const config::OptimizerArgument& argument : wanted_.kind().arguments)
            if (argument.name != "maximize" && argument.name != "decoupled_weight_decay" &&
                weights::find(group, argument.name) == nullptr)
                refuse_optimizer(Message("an optimizer whose groups have the settings {}", keys_of(group)));
        for (const char* key : {"amsgrad", "betas", "eps"})
            if (weights::find(group, key) != nullptr && !wanted_.has(key))
                refuse_optimizer(Message("an optimizer whose groups have the settings {}", keys_of(group)));
    }

    config::OptimizerValue value_of(const Value& stored, const config::OptimizerValue& like) const {
        if (std::holds_alternative<bool>(like))
            return is_true(&stored);
        if (std::holds_alternative<std::string>(like))
            return stored.kind == Kind::none ? std::get<std::string>(like) : std::string(stored.text());
        if (std::holds_alternative<double>(like))
            return number(&stored).value_or(std::nan(""));
        std::vector<double> list;
        for (const Value& item : stored.items())
            list.push_back(number(&item).value_or(std::nan("")));
        return list;
    }

    void read_group(const Value& group) {
        refuse_others(group);
        const Value* params = weights::find(group, "params");
        if (params == nullptr || params->kind != Kind::list)
            refuse("has a group without \"params\"");
        wanted_.has("amsgrad") ? check_adam(group) : check_keys(group);
        if (is_true(weights::find(group, "maximize")) && !(wanted_.has("maximize") && wanted_.flag("maximize")))
            refuse_optimizer("an optimizer that maximizes");
        if (wanted_.kind().averages && is_false(weights::find(group, "train_mode")))
            refuse(
                Message("was saved after the eval() of {}: the weights beside it are the average, from "
                        "which training cannot continue. Save it again after train(), or start from the "
                        "folder's weights (model.weights)",
                        wanted_.kind().torch_name));
        SavedOptimizer::Group read{wanted_, {}};
        for (const config::OptimizerArgument& argument : wanted_.kind().arguments)
            if (const Value* stored = weights::find(group, argument.name))
                if (const Message problem = read.settings.set(argument.name, value_of(*stored, argument.value));
                    !problem.empty())
                    refuse(Message("has a group whose {}", problem));
        for (const char* highest : {"initial_lr", "max_lr"})
            if (const std::optional<double> lr = number(weights::find(group, highest)))
                (void)read.settings.set("lr", *lr);
        saved_.groups.push_back(std::move(read));
        std::vector<std::int64_t>& numbers = numbers_.emplace_back();
        for (const Value& one : params->items()) {
            if (one.kind != Kind::integer)
                refuse("counts its parameters by something else than whole numbers");
            numbers.push_back(one.integer);
        }
        std::vector<std::string>& names = names_.emplace_back();
        if (const Value* stored = weights::find(group, "param_names"))
            for (const Value& name : stored->items())
                names.emplace_back(name.text());
        if (!names.empty() && names.size() != numbers.size())
            refuse("has a group with other numbers of \"params\" and of \"param_names\"");
    }

    static std::string keys_of(const Value& dict) {
        std::vector<std::string_view> keys;
        for (std::size_t i = 0; i + 1 < dict.items().size(); i += 2)
            if (dict.items()[i].text() != "params")
                keys.push_back(dict.items()[i].text());
        return fmt::format("{}", fmt::join(keys, ", "));
    }

    /// The table with a parameter's states, of what is stored of it; null: it has none.
    const Value* states_among(const Value& own) const {
        const std::string& under = wanted_.kind().states_under;
        return under.empty() ? &own : weights::find(own, under);
    }

    /// Of the first of a parameter's states; null: there is none.
    const std::vector<std::int64_t>* shape_of(std::int64_t number, std::string_view state) const {
        const Value* own = find_number(*state_, number);
        const Value* states = own == nullptr ? nullptr : states_among(*own);
        const Value* tensor = states == nullptr ? nullptr : weights::find(*states, state);
        return tensor == nullptr || tensor->kind != Kind::tensor ? nullptr : &tensor->object->tensor->shape;
    }

    /// A parameter without state (it never had a gradient) may have any shape.
    bool may_be(std::int64_t number, const SavedParameter& parameter) const {
        return std::ranges::all_of(
            config::states_of(wanted_, parameter.shape), [&](const config::OptimizerState& state) {
                const std::vector<std::int64_t>* shape = shape_of(number, state.name);
                return find_number(*state_, number) == nullptr || (shape != nullptr && *shape == state.shape);
            });
    }

    Message shape_text(std::int64_t number, const SavedParameter& parameter) const {
        for (const config::OptimizerState& state : config::states_of(wanted_, parameter.shape))
            if (const std::vector<std::int64_t>* shape = shape_of(number, state.name))
                return Message("moments of shape [{}]", fmt::join(*shape, ", "));
        return "other moments";
    }

    void find_names() {
        std::size_t count = 0;
        for (const std::vector<std::int64_t>& numbers : numbers_)
            count += numbers.size();
        if (std::ranges::none_of(names_, [](const auto& names) { return names.empty(); }))
            return take_names();
        // Frozen parameters may be missing from an optimizer.
        std::vector<const SavedParameter*> model;
        for (const SavedParameter& parameter : parameters_)
            if (count == parameters_.size() || parameter.trains)
                model.push_back(&parameter);
        if (count != model.size())
            refuse(model.size() < parameters_.size()
                       ? Message("has {} parameters, the recipe's model has {} and trains {} of them", count,
                                 parameters_.size(), model.size())
                       : Message("has {} parameters, the recipe's model has {}", count, parameters_.size()));
        assign(model);
    }

    void take_names() {
        auto bare = [](std::string name) { return name.starts_with("module.") ? name.substr(7) : name; };
        for (std::size_t g = 0; g < names_.size(); ++g)
            for (std::size_t i = 0; i < names_[g].size(); ++i) {
                const std::string name = bare(names_[g][i]);
                const auto known = std::ranges::find(parameters_, name, &SavedParameter::name);
                if (known == parameters_.end())
                    refuse(Message("has a parameter '{}', which the recipe's model lacks", name));
                if (!may_be(numbers_[g][i], *known))
                    refuse(Message("has {} of {}, the recipe's model needs [{}]", shape_text(numbers_[g][i], *known),
                                   name, fmt::join(known->shape, ", ")));
                give(g, i, name);
            }
    }

    void give(std::size_t group, std::size_t place, const std::string& name) {
        if (!saved_.numbers.emplace(name, numbers_[group][place]).second)
            refuse(Message("has the parameter {} twice", name));
        saved_.groups[group].parameters.push_back(name);
    }

    /// Deals the model's parameters out to the groups, each of which lists its own in the order of the model.
    void assign(const std::vector<const SavedParameter*>& model) {
        std::vector<std::size_t> chosen(model.size()), best;
        std::vector<std::size_t> next(numbers_.size(), 0);
        std::set<std::vector<std::size_t>> dead;  // places in the groups from where nothing fits
        std::size_t ways = 0, farthest = 0, tried = 0;
        auto search = [&](auto&& self, std::size_t at) -> bool {
            farthest = std::max(farthest, at);
            if (at == model.size()) {
                if (ways++ == 0)
                    best = chosen;
                return true;
            }
            if (dead.contains(next) || ++tried > kMostTried)
                return false;
            bool any = false;
            for (std::size_t g = 0; g < numbers_.size() && ways < 2; ++g) {
                if (next[g] == numbers_[g].size() || !may_be(numbers_[g][next[g]], *model[at]))
                    continue;
                chosen[at] = g;
                ++next[g];
                any = self(self, at + 1) || any;
                --next[g];
            }
            if (!any)
                dead.insert(next);
            return any;
        };
        search(search, 0);
        if (ways == 0 && tried <= kMostTried)
            refuse(Message("does not fit the recipe's model: none of its {} has moments of shape [{}] for {}",
                           numbers_.size() == 1 ? Message("parameters at that place") : Message("groups"),
                           fmt::join(model[farthest]->shape, ", "), model[farthest]->name));
        if (ways != 1)
            refuse(
                Message("leaves open which parameters its {} groups are of: it holds no names, and the "
                        "shapes fit in several ways. Save it from an optimizer that was made of named "
                        "parameters (torch 2.6 or newer), or start from the folder's weights "
                        "(model.weights)",
                        numbers_.size()));
        std::ranges::fill(next, 0);
        for (std::size_t at = 0; at < model.size(); ++at)
            give(best[at], next[best[at]]++, model[at]->name);
    }

    void check_states() {
        for (auto entry = saved_.numbers.begin(); entry != saved_.numbers.end();) {
            const Value* own = find_number(*state_, entry->second);
            if (own == nullptr) {
                entry = saved_.numbers.erase(entry);
                continue;
            }
            const SavedParameter& parameter = *std::ranges::find(parameters_, entry->first, &SavedParameter::name);
            const std::vector<config::OptimizerState> states = config::states_of(wanted_, parameter.shape);
            const auto require = [&](const Value* among, const std::string& key) {
                if (among == nullptr || weights::find(*among, key) == nullptr)
                    refuse(Message("has no {} of {}: it is the state of another optimizer than {}", key, entry->first,
                                   wanted_.kind().torch_name));
            };
            for (const std::string& key : wanted_.kind().scalars)
                require(own, key);
            for (const config::OptimizerState& state : states)
                require(states_among(*own), state.name);
            for (const std::string& key : wanted_.kind().scalars)
                if (!number(weights::find(*own, key)))
                    refuse(Message("has a {} of {} that is not a number", key, entry->first));
            if (const std::optional<double> steps = number(weights::find(*own, "step")))
                saved_.steps = std::max(saved_.steps, static_cast<std::int64_t>(std::llround(*steps)));
            for (const config::OptimizerState& state : states)
                if (const std::vector<std::int64_t>* shape = shape_of(entry->second, state.name);
                    shape == nullptr || *shape != state.shape)
                    refuse(Message("has a {} of another shape than {} needs", state.name, entry->first));
            ++entry;
        }
    }

    static constexpr std::size_t kMostTried = 200'000;

    std::string where_;
    weights::TorchFile file_;
    const std::vector<SavedParameter>& parameters_;
    config::OptimizerPlan plan_;
    config::OptimizerSettings wanted_;  ///< the recipe's
    const Value* state_ = nullptr;
    SavedOptimizer saved_;
    std::vector<std::vector<std::int64_t>> numbers_;  ///< [group]
    std::vector<std::vector<std::string>> names_;     ///< [group]; empty: the file has none
};

}  // namespace

SavedOptimizer read_saved_optimizer(const std::filesystem::path& file, const std::vector<SavedParameter>& parameters,
                                    const config::OptimizerRecipe& recipe) {
    return SavedReader(file, parameters, recipe).read();
}

std::vector<Message> replaced_settings(const SavedOptimizer& saved, const config::OptimizerRecipe& recipe,
                                       const std::vector<SavedParameter>& parameters) {
    std::vector<Message> sentences;
    const config::OptimizerSettings here = config::make_optimizer_plan(recipe).groups.back().settings;
    auto compare = [&](const std::string& key, auto value_of) {
        std::set<double> values;
        for (const SavedOptimizer::Group& group : saved.groups)
            values.insert(value_of(group.settings));
        if (values != std::set{value_of(here)})
            sentences.push_back(
                Message("{} is {} as the recipe says, not {}", key, value_of(here), fmt::join(values, " and ")));
    };
    for (const config::OptimizerArgument& argument : here.kind().arguments) {
        const std::string& name = argument.name;
        const bool own_key = name == "lr" || name == "betas" || name == "eps";
        const std::string key = (own_key ? "optimizer." : "optimizer.arguments.") + name;
        if (name == "weight_decay")
            continue;  // of each parameter, below
        if (std::holds_alternative<double>(argument.value))
            compare(key, [&](const config::OptimizerSettings& one) {
                return std::isnan(one.number(name)) ? 0.0 : one.number(name);
            });
        else if (const auto* list = std::get_if<std::vector<double>>(&argument.value))
            for (std::size_t i = 0; i < list->size(); ++i)
                compare(fmt::format("{}[{}]", key, i), [&](const config::OptimizerSettings& one) {
                    return std::isnan(one.numbers(name)[i]) ? 0.0 : one.numbers(name)[i];
                });
        else if (std::holds_alternative<bool>(argument.value))
            compare(key, [&](const config::OptimizerSettings& one) { return one.flag(name) ? 1.0 : 0.0; });
    }
    if (!here.has("weight_decay"))
        return sentences;
    std::map<std::string, double> decays;
    for (const SavedOptimizer::Group& group : saved.groups)
        for (const std::string& name : group.parameters)
            decays[name] = group.settings.number("weight_decay");
    std::vector<std::string> others;
    double before = 0, now = 0;
    for (const SavedParameter& parameter : parameters) {
        const double wanted = recipe.decay_all || parameter.shape.size() >= 2 ? recipe.weight_decay : 0;
        const auto found = decays.find(parameter.name);
        if (!parameter.trains || found == decays.end() || found->second == wanted)
            continue;
        if (others.empty()) {
            before = found->second;
            now = wanted;
        }
        others.push_back(parameter.name);
    }
    if (!others.empty())
        sentences.push_back(Message("the weight decay of {} is {} as the recipe says, not {}",
                                    others.size() == 1 ? Message::verbatim(others.front())
                                                       : Message("{} (and {} more)", others.front(), others.size() - 1),
                                    now, before));
    return sentences;
}

}  // namespace trainyard::checkpoint
