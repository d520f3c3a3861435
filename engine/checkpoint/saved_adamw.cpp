#include "checkpoint/saved_adamw.h"

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
#include "weights/torch_file.h"

namespace trainyard::checkpoint {

namespace {

using weights::Kind;
using weights::Value;

struct KnownOptimizer {
    const char* key;   ///< of its groups or of a parameter's state, and of no AdamW
    const char* name;  ///< of torch.optim
};
constexpr std::array kOtherOptimizers{
    KnownOptimizer{"momentum_decay", "NAdam"},
    KnownOptimizer{"dampening", "SGD"},
    KnownOptimizer{"rho", "Adadelta"},
    KnownOptimizer{"lr_decay", "Adagrad"},
    KnownOptimizer{"centered", "RMSprop"},
    KnownOptimizer{"etas", "Rprop"},
    KnownOptimizer{"lambd", "ASGD"},
    KnownOptimizer{"beta2_decay", "Adafactor"},
    KnownOptimizer{"scale_parameter", "Adafactor"},
    KnownOptimizer{"ns_steps", "Muon"},
    KnownOptimizer{"max_iter", "LBFGS"},
    KnownOptimizer{"exp_inf", "Adamax"},
    KnownOptimizer{"mu_product", "NAdam"},
    KnownOptimizer{"state1", "an 8-bit optimizer of bitsandbytes"},
};

/// Value of a whole number's key.
const Value* find_number(const Value& dict, std::int64_t key) {
    const std::span<const Value> items = dict.items();
    for (std::size_t i = 0; i + 1 < items.size(); i += 2)
        if (items[i].kind == Kind::integer && items[i].integer == key)
            return &items[i + 1];
    return nullptr;
}

class AdamWReader {
  public:
    AdamWReader(const std::filesystem::path& path, const std::vector<SavedParameter>& parameters)
        : where_(path.string()), file_(path), parameters_(parameters) {}

    SavedAdamW read() {
        const Value* groups = weights::find(file_.root(), "param_groups");
        state_ = weights::find(file_.root(), "state");
        if (file_.root().kind != Kind::dict || groups == nullptr || groups->kind != Kind::list || state_ == nullptr ||
            state_->kind != Kind::dict)
            refuse("is no state of an optimizer of torch: it lacks \"state\" or \"param_groups\"");
        if (groups->items().empty())
            refuse("has no group of parameters");
        for (std::size_t i = 1; i < state_->items().size(); i += 2)
            refuse_others(state_->items()[i]);
        for (const Value& group : groups->items())
            read_group(group);
        find_names();
        check_states();
        return std::move(saved_);
    }

  private:
    [[noreturn]] void refuse(const std::string& what) const { throw UserError(where_ + " " + what); }
    [[noreturn]] void refuse_optimizer(const std::string& name) const {
        refuse("is the state of " + name +
               ", the trainer has AdamW: start from the folder's weights (model.weights) to train on with AdamW");
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

    void refuse_others(const Value& keys) const {
        for (const KnownOptimizer& other : kOtherOptimizers)
            if (weights::find(keys, other.key) != nullptr)
                refuse_optimizer(other.name);
    }

    static bool is_true(const Value* value) {
        return value != nullptr && value->kind == Kind::boolean && value->boolean;
    }
    static bool is_false(const Value* value) {
        return value != nullptr && value->kind == Kind::boolean && !value->boolean;
    }

    void read_group(const Value& group) {
        refuse_others(group);
        SavedAdamW::Group read;
        const Value* betas = weights::find(group, "betas");
        const Value* params = weights::find(group, "params");
        const std::optional<double> lr = number(weights::find(group, "lr")), eps = number(weights::find(group, "eps")),
                                    decay = number(weights::find(group, "weight_decay"));
        const bool has_betas =
            betas != nullptr && betas->items().size() == 2 && number(&betas->items()[0]) && number(&betas->items()[1]);
        if (params == nullptr || params->kind != Kind::list)
            refuse("has a group without \"params\"");
        // Every AdamW of torch says amsgrad; that of older transformers correct_bias.
        const Value* amsgrad = weights::find(group, "amsgrad");
        const Value* correct_bias = weights::find(group, "correct_bias");
        if (!lr || !has_betas || !eps || !decay || (amsgrad == nullptr && correct_bias == nullptr)) {
            if (has_betas && weights::find(group, "decoupled_weight_decay") != nullptr)
                refuse_optimizer("RAdam");
            refuse_optimizer("an optimizer whose groups have the settings " + keys_of(group));
        }
        if (is_true(amsgrad))
            refuse_optimizer("AdamW with amsgrad");
        if (is_false(correct_bias))
            refuse_optimizer("AdamW without the correction of the moments' bias");
        if (is_true(weights::find(group, "maximize")))
            refuse_optimizer("an optimizer that maximizes");
        if (is_false(weights::find(group, "decoupled_weight_decay")) && *decay != 0)
            refuse_optimizer(fmt::format("Adam with weight_decay {} added to the gradients", *decay));
        read.lr =
            number(weights::find(group, "max_lr")).value_or(number(weights::find(group, "initial_lr")).value_or(*lr));
        read.beta1 = *number(&betas->items()[0]);
        read.beta2 = *number(&betas->items()[1]);
        read.eps = *eps;
        read.weight_decay = *decay;
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

    const std::vector<std::int64_t>* shape_of(std::int64_t number) const {
        const Value* own = find_number(*state_, number);
        const Value* moment = own == nullptr ? nullptr : weights::find(*own, "exp_avg");
        return moment == nullptr || moment->kind != Kind::tensor ? nullptr : &moment->object->tensor->shape;
    }

    /// A parameter without state (it never had a gradient) may have any shape.
    bool may_be(std::int64_t number, const SavedParameter& parameter) const {
        const std::vector<std::int64_t>* shape = shape_of(number);
        return shape == nullptr || *shape == parameter.shape;
    }

    void find_names() {
        std::size_t count = 0;
        for (const std::vector<std::int64_t>& numbers : numbers_)
            count += numbers.size();
        if (std::ranges::none_of(names_, [](const auto& names) { return names.empty(); }))
            return take_names();
        // What is frozen may be left out of an optimizer.
        std::vector<const SavedParameter*> model;
        for (const SavedParameter& parameter : parameters_)
            if (count == parameters_.size() || parameter.trains)
                model.push_back(&parameter);
        if (count != model.size())
            refuse(fmt::format("has {} parameters, the recipe's model has {}", count, parameters_.size()) +
                   (model.size() < parameters_.size() ? fmt::format(" and trains {} of them", model.size()) : ""));
        assign(model);
    }

    void take_names() {
        auto bare = [](std::string name) { return name.starts_with("module.") ? name.substr(7) : name; };
        for (std::size_t g = 0; g < names_.size(); ++g)
            for (std::size_t i = 0; i < names_[g].size(); ++i) {
                const std::string name = bare(names_[g][i]);
                const auto known = std::ranges::find(parameters_, name, &SavedParameter::name);
                if (known == parameters_.end())
                    refuse("has a parameter '" + name + "', which the recipe's model lacks");
                if (!may_be(numbers_[g][i], *known))
                    refuse(fmt::format("has moments of shape [{}] of {}, the recipe's model needs [{}]",
                                       fmt::join(*shape_of(numbers_[g][i]), ", "), name,
                                       fmt::join(known->shape, ", ")));
                give(g, i, name);
            }
    }

    void give(std::size_t group, std::size_t place, const std::string& name) {
        if (!saved_.numbers.emplace(name, numbers_[group][place]).second)
            refuse("has the parameter " + name + " twice");
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
            refuse(fmt::format("does not fit the recipe's model: none of its {} has moments of shape [{}] for {}",
                               numbers_.size() == 1 ? "parameters at that place" : "groups",
                               fmt::join(model[farthest]->shape, ", "), model[farthest]->name));
        if (ways != 1)
            refuse(fmt::format(
                "leaves open which parameters its {} groups are of: it holds no names, and the shapes fit in several "
                "ways. Save it from an optimizer that was made of named parameters (torch 2.6 or newer), or start from "
                "the folder's weights (model.weights)",
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
            for (const char* key : {"step", "exp_avg", "exp_avg_sq"})
                if (weights::find(*own, key) == nullptr)
                    refuse(fmt::format("has no {} of {}: it is the state of another optimizer than AdamW", key,
                                       entry->first));
            const std::optional<double> steps = number(weights::find(*own, "step"));
            if (!steps)
                refuse("counts the steps of " + entry->first + " by something else than a number");
            saved_.steps = std::max(saved_.steps, static_cast<std::int64_t>(std::llround(*steps)));
            const Value& second = *weights::find(*own, "exp_avg_sq");
            if (second.kind != Kind::tensor || second.object->tensor->shape != *shape_of(entry->second))
                refuse("has moments of different shapes for " + entry->first);
            ++entry;
        }
    }

    static constexpr std::size_t kMostTried = 200'000;

    std::string where_;
    weights::TorchFile file_;
    const std::vector<SavedParameter>& parameters_;
    const Value* state_ = nullptr;
    SavedAdamW saved_;
    std::vector<std::vector<std::int64_t>> numbers_;  ///< [group]
    std::vector<std::vector<std::string>> names_;     ///< [group]; empty: the file has none
};

}  // namespace

SavedAdamW read_saved_adamw(const std::filesystem::path& file, const std::vector<SavedParameter>& parameters) {
    return AdamWReader(file, parameters).read();
}

std::vector<std::string> replaced_settings(const SavedAdamW& saved, const config::OptimizerRecipe& recipe,
                                           const std::vector<SavedParameter>& parameters) {
    std::vector<std::string> sentences;
    auto compare = [&](const char* key, double SavedAdamW::Group::*field, double here) {
        std::set<double> values;
        for (const SavedAdamW::Group& group : saved.groups)
            values.insert(group.*field);
        if (values != std::set{here})
            sentences.push_back(
                fmt::format("{} is {} as the recipe says, not {}", key, here, fmt::join(values, " and ")));
    };
    compare("optimizer.lr", &SavedAdamW::Group::lr, recipe.lr);
    compare("optimizer.betas[0]", &SavedAdamW::Group::beta1, recipe.beta1);
    compare("optimizer.betas[1]", &SavedAdamW::Group::beta2, recipe.beta2);
    compare("optimizer.eps", &SavedAdamW::Group::eps, recipe.eps);
    std::map<std::string, double> decays;
    for (const SavedAdamW::Group& group : saved.groups)
        for (const std::string& name : group.parameters)
            decays[name] = group.weight_decay;
    std::vector<std::string> others;
    double there = 0, here = 0;
    for (const SavedParameter& parameter : parameters) {
        const double wanted = recipe.decay_all || parameter.shape.size() >= 2 ? recipe.weight_decay : 0;
        const auto found = decays.find(parameter.name);
        if (!parameter.trains || found == decays.end() || found->second == wanted)
            continue;
        if (others.empty()) {
            there = found->second;
            here = wanted;
        }
        others.push_back(parameter.name);
    }
    if (!others.empty())
        sentences.push_back(fmt::format("the weight decay of {}{} is {} as the recipe says, not {}", others.front(),
                                        others.size() == 1 ? "" : fmt::format(" (and {} more)", others.size() - 1),
                                        here, there));
    return sentences;
}

}  // namespace trainyard::checkpoint
