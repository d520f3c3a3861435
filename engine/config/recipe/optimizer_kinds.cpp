// SPDX-License-Identifier: GPL-3.0-or-later
#include "config/recipe/optimizer_kinds.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <stdexcept>

#include <fmt/format.h>

#include "base/error.h"
#include "base/letter_case.h"
#include "base/number.h"
#include "base/text.h"
#include "config/values/value_formats.h"

namespace trainyard::config {

namespace {

constexpr double kNone = std::numeric_limits<double>::quiet_NaN();
constexpr Range kShare{.least = 0, .most = 1, .below = true};
constexpr Range kNotNegative{.least = 0};
constexpr Range kPositive{.least = 0, .above = true};
constexpr Range kFromOne{.least = 1};

using Arguments = std::vector<OptimizerArgument>;

OptimizerArgument rate(double value) {
    return {"lr", value, kNotNegative};
}
OptimizerArgument betas(double first = 0.9, double second = 0.999) {
    return {"betas", std::vector<double>{first, second}, kShare};
}
OptimizerArgument epsilon(double value) {
    return {"eps", value, kNotNegative};
}
OptimizerArgument decay(double value = 0) {
    return {"weight_decay", value, kNotNegative};
}
OptimizerArgument flag(const char* name, bool value = false) {
    return {name, value};
}
OptimizerArgument number_argument(const char* name, double value, Range range = kNotNegative) {
    return {name, value, range};
}

/// Defazio et al., "The road less scheduled", NeurIPS 2024.
Arguments schedule_free(OptimizerArgument rate_of, OptimizerArgument inertia, bool has_eps) {
    Arguments arguments{std::move(rate_of),
                        std::move(inertia),
                        decay(),
                        number_argument("warmup_steps", 0),
                        number_argument("r", 0),
                        number_argument("weight_lr_power", 2)};
    if (has_eps)
        arguments.push_back(epsilon(1e-8));
    return arguments;
}

using Settings = OptimizerSettings;
using Shape = OptimizerKind::Shape;
using States = OptimizerKind::States;

/// States of the parameter's shape.
States states_like(const Shape& shape, std::initializer_list<const char*> names) {
    States states;
    for (const char* name : names)
        states.push_back({name, shape});
    return states;
}

States adam_states(const Settings& settings, const Shape& shape) {
    return settings.has("amsgrad") && settings.flag("amsgrad")
               ? states_like(shape, {"exp_avg", "exp_avg_sq", "max_exp_avg_sq"})
               : states_like(shape, {"exp_avg", "exp_avg_sq"});
}

States sgd_states(const Settings& settings, const Shape& shape) {
    return settings.number("momentum") != 0 ? states_like(shape, {"momentum_buffer"}) : States();
}

States rmsprop_states(const Settings& settings, const Shape& shape) {
    States states = states_like(shape, {"square_avg"});
    if (settings.number("momentum") > 0)
        states.push_back({"momentum_buffer", shape});
    if (settings.flag("centered"))
        states.push_back({"grad_avg", shape});
    return states;
}

/// A matrix by the means of its rows and columns.
States adafactor_states(const Settings&, const Shape& shape) {
    if (shape.size() < 2)
        return states_like(shape, {"variance"});
    Shape rows = shape, columns = shape;
    rows.back() = 1;
    columns[columns.size() - 2] = 1;
    return {{"row_var", rows}, {"col_var", columns}};
}

States adalomo_states(const Settings&, const Shape& shape) {
    if (shape.size() != 2)
        return states_like(shape, {"exp_avg_sq"});
    return {{"exp_avg_sq_row", {shape[0]}}, {"exp_avg_sq_col", {shape[1]}}};
}

/// The moments of bitsandbytes' optimizers: codes of 8 bits and a magnitude for each block, or fp32 of small
/// parameters.
template <bool kHasSecond, bool kTwoFirst = false>
States eight_bit_states(const Settings& settings, const Shape& shape) {
    constexpr std::int64_t kBlock = 256;
    std::int64_t elements = 1;
    for (const std::int64_t size : shape)
        elements *= size;
    const bool narrow = static_cast<double>(elements) >= settings.number("min_8bit_size");
    Shape first = shape, blocks{(elements + kBlock - 1) / kBlock}, first_blocks = blocks;
    if (kTwoFirst) {
        first.insert(first.begin(), 2);
        first_blocks.insert(first_blocks.begin(), 2);
    }
    States states{{"state1", first, narrow ? 1 : 4}};
    if (kHasSecond)
        states.push_back({"state2", shape, narrow ? 1 : 4});
    if (narrow)
        states.push_back({"absmax1", first_blocks});
    if (narrow && kHasSecond)
        states.push_back({"absmax2", blocks});
    return states;
}

std::vector<OptimizerKind> make_optimizer_kinds() {
    const auto adam_like = [](double weight_decay, bool decoupled) {
        return Arguments{rate(1e-3),          betas(),         epsilon(1e-8),
                         decay(weight_decay), flag("amsgrad"), flag("decoupled_weight_decay", decoupled),
                         flag("maximize")};
    };
    std::vector<OptimizerKind> kinds;
    const auto add = [&](std::string name, std::string torch_name, std::vector<std::string> also, Arguments arguments,
                         std::vector<std::string> scalars = {}) -> OptimizerKind& {
        OptimizerKind kind;
        kind.name = std::move(name);
        kind.torch_name = std::move(torch_name);
        kind.also = std::move(also);
        kind.arguments = std::move(arguments);
        kind.scalars = std::move(scalars);
        kinds.push_back(std::move(kind));
        return kinds.back();
    };
    add("adamw", "AdamW", {"adamw_torch", "adamw_torch_fused", "adamw_hf"}, adam_like(0.01, true), {"step"}).states =
        adam_states;
    add("adam", "Adam", {}, adam_like(0, false), {"step"}).states = adam_states;
    // DeepSpeed's classes, whose weight decay is apart from the gradient.
    OptimizerKind& one_bit = add("onebit_adam", "OneBitAdam", {},
                                 {rate(1e-3), betas(), epsilon(1e-8), decay(),
                                  number_argument("freeze_step", 1e5, kFromOne), flag("bias_correction", true)},
                                 {"step"});
    one_bit.states = adam_states;
    one_bit.own_dtypes = true;
    one_bit.exchanges_signs = true;
    OptimizerKind& zero_one =
        add("zero_one_adam", "ZeroOneAdam", {},
            {rate(1e-3), betas(), epsilon(1e-8), decay(), number_argument("var_freeze_step", 1e5, kFromOne),
             number_argument("var_update_scaler", 16, kFromOne), number_argument("local_step_scaler", 32678, kFromOne),
             number_argument("local_step_clipper", 16, kFromOne), flag("bias_correction", true)},
            {"step", "var_interval", "var_counter", "var_updates", "local_step_interval", "local_step_counter",
             "local_steps", "lrs"});
    zero_one.states = [](const Settings&, const Shape& shape) {
        return states_like(shape, {"exp_avg", "exp_avg_sq", "momentum_accumulator", "synchronized"});
    };
    zero_one.first_scalars = {
        {"var_interval", 1},       {"var_counter", 0}, {"var_updates", 0}, {"local_step_interval", 1},
        {"local_step_counter", 0}, {"local_steps", 0}, {"lrs", 0}};
    zero_one.own_dtypes = true;
    zero_one.exchanges_signs = zero_one.local_steps = true;
    OptimizerKind& sgd = add("sgd", "SGD", {},
                             {rate(1e-3), number_argument("momentum", 0), number_argument("dampening", 0), decay(),
                              flag("nesterov"), flag("maximize")});
    sgd.states = sgd_states;
    sgd.contradiction = [](const Settings& settings) -> Message {
        const bool plain = settings.number("momentum") <= 0 || settings.number("dampening") != 0;
        return settings.flag("nesterov") && plain ? Message("nesterov needs momentum above 0 and no dampening")
                                                  : Message();
    };
    add("adamax", "Adamax", {}, {rate(2e-3), betas(), epsilon(1e-8), decay(), flag("maximize")}, {"step"}).states =
        [](const Settings&, const Shape& shape) {
            return states_like(shape, {"exp_avg", "exp_inf"});
        };
    OptimizerKind& nadam = add("nadam", "NAdam", {},
                               {rate(2e-3), betas(), epsilon(1e-8), decay(), number_argument("momentum_decay", 4e-3),
                                flag("decoupled_weight_decay"), flag("maximize")},
                               {"step", "mu_product"});
    nadam.states = adam_states;
    nadam.first_scalars = {{"mu_product", 1}};
    add("radam", "RAdam", {},
        {rate(1e-3), betas(), epsilon(1e-8), decay(), flag("decoupled_weight_decay"), flag("maximize")}, {"step"})
        .states = adam_states;
    add("adagrad", "Adagrad", {},
        {rate(1e-2), number_argument("lr_decay", 0), decay(), number_argument("initial_accumulator_value", 0),
         epsilon(1e-10), flag("maximize")},
        {"step"})
        .states = [](const Settings&, const Shape& shape) { return states_like(shape, {"sum"}); };
    add("adadelta", "Adadelta", {},
        {rate(1.0), number_argument("rho", 0.9, {.least = 0, .most = 1}), epsilon(1e-6), decay(), flag("maximize")},
        {"step"})
        .states = [](const Settings&, const Shape& shape) {
        return states_like(shape, {"square_avg", "acc_delta"});
    };
    add("rmsprop", "RMSprop", {},
        {rate(1e-2), number_argument("alpha", 0.99), epsilon(1e-8), decay(), number_argument("momentum", 0),
         flag("centered"), flag("maximize")},
        {"step"})
        .states = rmsprop_states;
    OptimizerKind& rprop = add("rprop", "Rprop", {},
                               {rate(1e-2),
                                {"etas", std::vector<double>{0.5, 1.2}, kPositive},
                                {"step_sizes", std::vector<double>{1e-6, 50}, kNotNegative},
                                flag("maximize")},
                               {"step"});
    rprop.states = [](const Settings&, const Shape& shape) { return states_like(shape, {"prev", "step_size"}); };
    rprop.contradiction = [](const Settings& settings) -> Message {
        const std::vector<double>& etas = settings.numbers("etas");
        return etas[0] < 1 && etas[1] > 1 ? Message() : Message("etas must be a factor below 1 and one above 1");
    };
    OptimizerKind& asgd = add("asgd", "ASGD", {},
                              {rate(1e-2), number_argument("lambd", 1e-4), number_argument("alpha", 0.75),
                               number_argument("t0", 1e6), decay(), flag("maximize")},
                              {"step", "eta", "mu"});
    asgd.states = [](const Settings&, const Shape& shape) { return states_like(shape, {"ax"}); };
    asgd.first_scalars = {{"mu", 1}};
    OptimizerKind& muon = add("muon", "Muon", {},
                              {rate(1e-3),
                               decay(0.1),
                               number_argument("momentum", 0.95),
                               flag("nesterov", true),
                               {"ns_coefficients", std::vector<double>{3.4445, -4.7750, 2.0315}},
                               epsilon(1e-7),
                               number_argument("ns_steps", 5, {.least = 1, .most = 99}),
                               {"adjust_lr_fn", std::string("original"), {}, {"original", "match_rms_adamw"}}});
    muon.states = [](const Settings&, const Shape& shape) { return states_like(shape, {"momentum_buffer"}); };
    muon.element_wise = false;
    muon.matrices_only = true;
    OptimizerKind& adafactor = add("adafactor", "Adafactor", {},
                                   {rate(1e-2),
                                    number_argument("beta2_decay", -0.8, {.most = 0}),
                                    {"eps", std::vector<double>{kNone, 1e-3}, kNotNegative},
                                    number_argument("d", 1.0, {.least = 1}),
                                    decay(),
                                    flag("maximize")},
                                   {"step"});
    adafactor.states = adafactor_states;
    adafactor.element_wise = false;
    add("lion", "Lion", {"lion_32bit"}, {rate(1e-4), betas(0.9, 0.99), decay()}).states =
        [](const Settings&, const Shape& shape) { return states_like(shape, {"exp_avg"}); };
    const auto add_8bit = [&](const char* name, const char* torch_name, std::vector<std::string> also,
                              Arguments arguments, auto states, std::vector<SavedEntry> saved_entries) {
        arguments.push_back(number_argument("min_8bit_size", 4096));
        OptimizerKind& kind = add(name, torch_name, std::move(also), std::move(arguments), {"step"});
        kind.states = states;
        kind.element_wise = false;  // of whole blocks
        kind.own_dtypes = true;
        kind.states_under = "__bnb_optimizer_quant_state__";
        kind.saved_entries = std::move(saved_entries);
    };
    using Numbers = std::vector<double>;
    const std::vector<SavedEntry> of_adam{{"alpha", 0.0}, {"t_alpha", kNone}, {"t_beta3", kNone}};
    add_8bit("adamw_8bit", "AdamW8bit", {"adamw_bnb_8bit"}, {rate(1e-3), betas(), epsilon(1e-8), decay(0.01)},
             eight_bit_states<true>, of_adam);
    add_8bit("adam_8bit", "Adam8bit", {}, {rate(1e-3), betas(), epsilon(1e-8), decay()}, eight_bit_states<true>,
             of_adam);
    add_8bit("lion_8bit", "Lion8bit", {}, {rate(1e-4), betas(0.9, 0.99), decay()}, eight_bit_states<false>,
             {{"eps", 0.0}});
    add_8bit("adagrad_8bit", "Adagrad8bit", {}, {rate(1e-2), epsilon(1e-10), decay()}, eight_bit_states<false>,
             {{"betas", Numbers{0, 0}}});
    add_8bit("rmsprop_8bit", "RMSprop8bit", {"rmsprop_bnb_8bit"},
             {rate(1e-2), number_argument("alpha", 0.99, kShare), epsilon(1e-8), decay()}, eight_bit_states<false>,
             {{"betas", Numbers{0, 0}, "alpha"}});
    // SGD without momentum has no state.
    add_8bit("sgd_8bit", "SGD8bit", {}, {rate(1e-3), number_argument("momentum", 0.9, kPositive), decay()},
             eight_bit_states<false>, {{"betas", Numbers{0, 0}, "momentum"}, {"eps", 0.0}});
    add_8bit("ademamix_8bit", "AdEMAMix8bit", {},
             {rate(1e-3),
              {"betas", Numbers{0.9, 0.999, 0.9999}, kShare},
              number_argument("alpha", 5),
              number_argument("t_alpha", kNone, kPositive),
              number_argument("t_beta3", kNone, kPositive),
              epsilon(1e-8),
              decay(0.01)},
             eight_bit_states<true, true>, {});
    const auto add_schedule_free = [&](const char* name, const char* torch_name, Arguments arguments) -> auto& {
        OptimizerKind& kind = add(name, torch_name, {}, std::move(arguments));
        kind.group_scalars = {"k", "lr_max", "weight_sum"};
        kind.counter = "k";
        kind.averages = true;
        kind.changes_gradients = true;
        return kind;
    };
    add_schedule_free("schedule_free_adamw", "AdamWScheduleFree", schedule_free(rate(2.5e-3), betas(), true)).states =
        [](const Settings&, const Shape& shape) {
            return states_like(shape, {"z", "exp_avg_sq"});
        };
    add_schedule_free(
        "schedule_free_sgd", "SGDScheduleFree",
        schedule_free(rate(1.0),
                      number_argument("momentum", 0.9, {.least = 0, .most = 1, .above = true, .below = true}), false))
        .states = [](const Settings&, const Shape& shape) { return states_like(shape, {"z"}); };
    OptimizerKind& lomo =
        add("lomo", "Lomo", {}, {rate(1e-3), decay(), number_argument("clip_grad_value", kNone, kPositive)});
    lomo.in_backward = true;
    lomo.changes_gradients = true;
    OptimizerKind& adalomo = add("adalomo", "AdaLomo", {},
                                 {rate(1e-3),
                                  decay(),
                                  number_argument("clip_threshold", 1.0, kPositive),
                                  number_argument("decay_rate", -0.8, {.most = 0}),
                                  {"eps", std::vector<double>{1e-30, 1e-3}, kNotNegative}},
                                 {"step"});
    adalomo.states = adalomo_states;
    adalomo.element_wise = false;
    adalomo.in_backward = true;
    OptimizerKind& lbfgs = add("lbfgs", "LBFGS", {},
                               {rate(1.0),
                                number_argument("max_iter", 20, {.least = 1}),
                                number_argument("max_eval", kNone, {.least = 1}),
                                number_argument("tolerance_grad", 1e-7),
                                number_argument("tolerance_change", 1e-9),
                                number_argument("history_size", 100, {.least = 1}),
                                {"line_search_fn", std::string(), {}, {"strong_wolfe"}}});
    lbfgs.element_wise = false;
    lbfgs.with_closure = true;
    lbfgs.not_in_recipes =
        "computes the loss several times in an update, which a recipe's step does once: use it in a program of your "
        "own (optim::make_optimizer, step(closure))";
    for (OptimizerKind& kind : kinds)
        if (!kind.averages && !kind.with_closure && !kind.exchanges_signs)
            kind.arguments.push_back({kStochasticRounding, false, {}, {}, true});
    return kinds;
}

/// `also` and the canonical names, by letters of one case.
const std::map<std::string, const OptimizerKind*, std::less<>>& names() {
    static const std::map<std::string, const OptimizerKind*, std::less<>> all = [] {
        std::map<std::string, const OptimizerKind*, std::less<>> made;
        for (const OptimizerKind& kind : optimizer_kinds()) {
            made.emplace(kind.name, &kind);
            made.emplace(text::lower(kind.torch_name), &kind);
            for (const std::string& name : kind.also)
                made.emplace(name, &kind);
        }
        return made;
    }();
    return all;
}

Message kind_of(const OptimizerValue& value) {
    switch (value.index()) {
        case 0:
            return "a number";
        case 1:
            return "true or false";
        case 2:
            return "a word";
        default:
            return Message("a list of {} numbers", std::get<3>(value).size());
    }
}

bool read_number(const Value& value, double& number) {
    if (value.is_null()) {
        number = kNone;
        return true;
    }
    constexpr double kInfinity = std::numeric_limits<double>::infinity();
    const std::optional<double> read = parse_number<double>(value.spelling(), -kInfinity, kInfinity);
    number = read.value_or(number);
    return value.plain && read;
}

}  // namespace

const OptimizerArgument* OptimizerKind::find(std::string_view argument) const {
    const auto found = std::ranges::find(arguments, argument, &OptimizerArgument::name);
    return found == arguments.end() ? nullptr : &*found;
}

const std::vector<OptimizerKind>& optimizer_kinds() {
    static const std::vector<OptimizerKind> kinds = make_optimizer_kinds();
    return kinds;
}

bool is_beside_states(std::string_view name) {
    return is_scalar_state(name) || name.starts_with("qmap");
}

bool is_scalar_state(std::string_view name) {
    return std::ranges::any_of(optimizer_kinds(), [&](const OptimizerKind& kind) {
        return std::ranges::find(kind.scalars, name) != kind.scalars.end();
    });
}

const OptimizerKind* find_optimizer(std::string_view name) {
    const auto found = names().find(text::lower(std::string(name)));
    return found == names().end() ? nullptr : found->second;
}

std::vector<std::string> optimizer_names() {
    std::vector<std::string> all;
    for (const OptimizerKind& kind : optimizer_kinds())
        if (kind.not_in_recipes.empty())
            all.push_back(kind.name);
    return all;
}

OptimizerSettings::OptimizerSettings(const OptimizerKind& kind) : kind_(&kind) {
    for (const OptimizerArgument& argument : kind.arguments)
        values_.emplace(argument.name, argument.value);
}

const OptimizerValue& OptimizerSettings::value(std::string_view name) const {
    const auto found = values_.find(name);
    if (found == values_.end())
        throw std::logic_error(kind_->name + " has no argument " + std::string(name));
    return found->second;
}

double OptimizerSettings::number(std::string_view name) const {
    return std::get<double>(value(name));
}
bool OptimizerSettings::flag(std::string_view name) const {
    return std::get<bool>(value(name));
}
const std::string& OptimizerSettings::word(std::string_view name) const {
    return std::get<std::string>(value(name));
}
const std::vector<double>& OptimizerSettings::numbers(std::string_view name) const {
    return std::get<std::vector<double>>(value(name));
}

Message OptimizerSettings::set(std::string_view name, OptimizerValue value) {
    const OptimizerArgument* argument = kind_->find(name);
    if (argument == nullptr) {
        std::vector<std::string> known;
        for (const OptimizerArgument& one : kind_->arguments)
            known.push_back(one.name);
        return Message("{} has no argument '{}'{}", kind_->name, name, text::did_you_mean(std::string(name), known));
    }
    if (value.index() != argument->value.index())
        return Message("{} of {} must be {}", name, kind_->name, kind_of(argument->value));
    const auto holds = [&](double one, double fallback) {
        return std::isnan(one) ? std::isnan(fallback) : std::isfinite(one) && argument->range.holds(one);
    };
    if (const double* one = std::get_if<double>(&value)) {
        if (!holds(*one, std::get<double>(argument->value)))
            return Message("{} of {} must be {}, not {}", name, kind_->name, argument->range.text(), *one);
    } else if (const auto* list = std::get_if<std::vector<double>>(&value)) {
        const auto& usual = std::get<std::vector<double>>(argument->value);
        if (list->size() != usual.size())
            return Message("{} of {} must be {}", name, kind_->name, kind_of(argument->value));
        for (std::size_t i = 0; i < usual.size(); ++i)
            if (!holds((*list)[i], usual[i]))
                return Message("{} of {} must be {}, not {}", name, kind_->name, argument->range.text(), (*list)[i]);
    } else if (const auto* word = std::get_if<std::string>(&value)) {
        const std::string& usual = std::get<std::string>(argument->value);
        if (*word != usual && std::ranges::find(argument->choices, *word) == argument->choices.end())
            return Message("{} of {}: unknown value '{}'{}", name, kind_->name, *word,
                           text::did_you_mean(*word, argument->choices));
    }
    values_.find(name)->second = std::move(value);
    return {};
}

Message OptimizerSettings::set_written(std::string_view name, const Value& yaml) {
    const OptimizerArgument* argument = kind_->find(name);
    if (argument == nullptr)
        return set(name, OptimizerValue());
    OptimizerValue value = argument->value;
    bool good = true;
    if (auto* one = std::get_if<double>(&value)) {
        good = read_number(yaml, *one);
    } else if (auto* list = std::get_if<std::vector<double>>(&value)) {
        good = yaml.is_list() && yaml.items().size() == list->size();
        for (std::size_t i = 0; good && i < list->size(); ++i)
            good = read_number(yaml.items()[i], (*list)[i]);
    } else if (auto* truth = std::get_if<bool>(&value)) {
        const std::string word = text::lower(yaml.spelling());
        *truth = word == "true" || word == "yes" || word == "on";
        good = yaml.plain && (*truth || word == "false" || word == "no" || word == "off");
    } else {
        value = yaml.spelling();
        good = yaml.is_scalar() || yaml.is_null();
    }
    if (!good)
        return Message("{} of {} must be {}, not {}", name, kind_->name, kind_of(argument->value), yaml.description());
    return set(name, std::move(value));
}

Message OptimizerSettings::contradiction() const {
    return kind_->contradiction == nullptr ? Message() : kind_->contradiction(*this);
}

double OptimizerSettings::momentum() const {
    return has("momentum") ? number("momentum") : has("betas") ? numbers("betas")[0] : kNone;
}

void OptimizerSettings::set_momentum(double momentum) {
    if (has("momentum"))
        values_["momentum"] = momentum;
    else if (has("betas"))
        std::get<std::vector<double>>(values_["betas"])[0] = momentum;
}

std::vector<OptimizerState> states_of(const OptimizerSettings& settings, const std::vector<std::int64_t>& shape) {
    const auto states = settings.kind().states;
    return states == nullptr ? std::vector<OptimizerState>() : states(settings, shape);
}

}  // namespace trainyard::config
