// SPDX-License-Identifier: GPL-3.0-or-later
#include "accelerator/float8_modules.h"

#include <algorithm>
#include <cstdlib>

#include <ATen/core/grad_mode.h>
#include <c10/core/impl/LocalDispatchKeySet.h>

#include "base/environment_names.h"
#include "base/error.h"
#include "base/letter_case.h"
#include "base/number.h"
#include "base/truth.h"
#include "config/recipe/recipe.h"
#include "launch/plan/recipe_settings.h"
#include "models/nn/quantization/fp8_layers.h"
#include "models/nn/quantization/linear_kernels.h"

namespace trainyard::accelerator {

namespace {

/// A variable that is set, also if it is empty: then it is invalid.
std::optional<std::string> set_variable(const char* name) {
    const char* value = std::getenv(name);
    return value == nullptr ? std::nullopt : std::optional<std::string>(value);
}

/// Reads what the program left out from the environment.
class FromEnvironment {
  public:
    std::int64_t whole(const char* name, const std::optional<std::int64_t>& given, std::int64_t otherwise) {
        const auto set = given ? std::nullopt : set_variable(name);
        if (!set)
            return given.value_or(otherwise);
        const auto number = parse_number<std::int64_t>(*set);
        if (!number)
            problems_.push_back(Message("{} is '{}': it must be a whole number", name, *set));
        return number.value_or(otherwise);
    }
    bool truth(const char* name, const std::optional<bool>& given, bool otherwise = false) {
        const auto set = given ? std::nullopt : set_variable(name);
        if (!set)
            return given.value_or(otherwise);
        const Truth truth = truth_of(*set);
        if (truth == Truth::neither)
            problems_.push_back(Message("{} is '{}': it must be true or false", name, *set));
        return truth == Truth::yes;
    }
    /// One of two values, whatever their case.
    template <class E>
    E choice(const char* name, const char* key, const std::optional<std::string>& given, E otherwise) {
        const auto set = given ? given : set_variable(name);
        if (!set)
            return otherwise;
        for (const std::string& spelt : {text::upper(*set), text::lower(*set)})
            if (const std::optional<E> found = find_choice<E>(spelt))
                return *found;
        constexpr auto kNames = choice_names(E{});
        problems_.push_back(Message("{} is '{}': choose {} or {}", given ? key : name, *set, kNames[0], kNames[1]));
        return otherwise;
    }
    void refuse(Message problem) { problems_.push_back(std::move(problem)); }
    std::vector<Message> problems() { return std::move(problems_); }

  private:
    std::vector<Message> problems_;
};

/// The ranges of values that a recipe's keys have.
void check_values(const config::Fp8Recipe& recipe, FromEnvironment& from) {
    config::Recipe whole;
    whole.training.mixed_precision = Precision::fp8;
    whole.fp8 = recipe;
    for (const Problem& problem : config::check_recipe(whole))
        if (problem.key.starts_with("fp8."))
            from.refuse(Message("{}: {}", problem.key, problem.message));
}

void read_te(const TERecipeKwargs& given, config::Fp8Recipe& recipe, FromEnvironment& from) {
    const bool blocks = from.truth(kEnvFp8Blocks, given.use_mxfp8_block_scaling);
    recipe.scaling = blocks ? config::Fp8Scaling::mxfp8 : config::Fp8Scaling::delayed;
    const std::optional<std::string> format = given.fp8_format ? given.fp8_format : set_variable(kEnvFp8Format);
    if (format && text::upper(*format) == "E5M2")
        from.refuse(Message("fp8_format E5M2: {}", Message::table_text(plan::kNoPureE5m2)));
    else
        recipe.fp8_format = from.choice(kEnvFp8Format, "fp8_format", given.fp8_format, recipe.fp8_format);
    const config::Fp8Recipe usual;
    const std::int64_t margin = from.whole(kEnvFp8Margin, given.margin, usual.margin),
                       interval = from.whole(kEnvFp8Interval, given.interval, usual.interval),
                       history = from.whole(kEnvFp8History, given.amax_history_len, usual.amax_history_len);
    const config::AmaxAlgorithm algorithm =
        from.choice(kEnvFp8Algorithm, "amax_compute_algo", given.amax_compute_algo, usual.amax_compute_algo);
    constexpr std::pair<const char*, const char*> kProducts[] = {
        {kEnvFp8FullFprop, "fprop"}, {kEnvFp8FullDgrad, "dgrad"}, {kEnvFp8FullWgrad, "wgrad"}};
    for (std::size_t i = 0; i < std::size(kProducts); ++i)
        if (from.truth(kProducts[i].first, given.override_linear_precision
                                               ? std::optional((*given.override_linear_precision)[i])
                                               : std::nullopt))
            recipe.full_precision.emplace_back(kProducts[i].second);
    if (blocks) {  // their scales are powers of two, which a margin does not change
        for (const auto& [given_one, key] : {std::pair{history != usual.amax_history_len, "amax_history_len"},
                                             {algorithm != usual.amax_compute_algo, "amax_compute_algo"},
                                             {interval != usual.interval, "interval"},
                                             {!recipe.full_precision.empty(), "override_linear_precision"}})
            if (given_one)
                from.refuse(Message("{} has no effect with use_mxfp8_block_scaling: leave it out", key));
        recipe.full_precision.clear();
        return;
    }
    recipe.margin = margin;
    recipe.interval = interval;
    recipe.amax_history_len = history;
    recipe.amax_compute_algo = algorithm;
}

/// torchao's names of scalings.
void read_recipe_name(const std::string& name, config::Fp8Recipe& recipe, FromEnvironment& from) {
    using config::Fp8Scaling;
    const std::optional<Fp8Scaling> scaling = find_choice<Fp8Scaling>(name);
    if (scaling == Fp8Scaling::tensorwise || scaling == Fp8Scaling::rowwise ||
        scaling == Fp8Scaling::rowwise_with_gw_hp)
        recipe.scaling = *scaling;
    else
        from.refuse(Message("recipe_name is '{}': choose {}, {} or {}", name, choice_name(Fp8Scaling::tensorwise),
                            choice_name(Fp8Scaling::rowwise), choice_name(Fp8Scaling::rowwise_with_gw_hp)));
}

/// x W^T + b from fp8 operands, in the dtype of automatic casting. Magnitudes count where gradients are computed.
class Float8Layer final : public models::LinearKernel {
  public:
    explicit Float8Layer(const config::Fp8Recipe& recipe)
        : casts_(models::make_fp8_casts(recipe)), delayed_(dynamic_cast<models::DelayedCasts*>(casts_.get())) {}
    models::DelayedCasts* delayed() const { return delayed_; }

    at::Tensor multiply(const at::Tensor& x, const at::Tensor& weight, const at::Tensor& bias) override {
        const at::ScalarType type = at::kBFloat16;
        // The operands are fp32.
        const c10::impl::ExcludeDispatchKeyGuard no_casting(c10::autocast_dispatch_keyset);
        const at::Tensor input = x.to(type), matrix = weight.to(type);
        const bool trains = at::GradMode::is_enabled();
        if (trains && delayed_ != nullptr) {
            delayed_->see(input.detach(), models::DelayedCasts::kInput);
            delayed_->see(matrix.detach(), models::DelayedCasts::kWeight);
        }
        const at::Tensor y = models::cast_linear(input, matrix, {}, *casts_);
        if (trains && delayed_ != nullptr && y.requires_grad())
            y.register_hook([delayed = delayed_](const at::Tensor& gradient) {
                delayed->see(gradient, models::DelayedCasts::kGradient);
            });
        return bias.defined() ? y.add(bias.to(type)) : y;
    }

  private:
    std::unique_ptr<models::OperandCasts> casts_;
    models::DelayedCasts* delayed_;
};

/// What the filter of a handler chooses; nothing: the handler has none.
std::optional<std::vector<std::string>> chosen_by_filter(const std::vector<quantization::LinearModule>& layers,
                                                         const Fp8LayerFilter& filter, std::int64_t multiple) {
    if (!filter)
        return std::nullopt;
    std::vector<std::string> chosen;
    std::vector<Message> problems;
    for (std::size_t i = 0; i < layers.size(); ++i) {
        const quantization::LinearModule& layer = layers[i];
        if (!filter({.name = layer.name,
                     .in_features = layer.in,
                     .out_features = layer.out,
                     .is_first = i == 0,
                     .is_last = i + 1 == layers.size()}))
            continue;
        chosen.push_back(layer.name);
        if (layer.in % multiple != 0 || layer.out % multiple != 0)
            problems.push_back(Message("{} has {} inputs and {} outputs, and fp8 needs multiples of {}: leave it out",
                                       layer.name, layer.in, layer.out, multiple));
    }
    if (!problems.empty())
        throw UserError("module_filter_func: {}", Message::joined(problems));
    if (chosen.empty())
        throw UserError("module_filter_func: it chooses no Linear layer of the model: use bf16, or another filter");
    return chosen;
}

}  // namespace

config::Fp8Recipe fp8_recipe(const std::optional<Fp8RecipeHandler>& handler) {
    FromEnvironment from;
    config::Fp8Recipe recipe;
    recipe.scaling = config::Fp8Scaling::tensorwise;  // AO, which Accelerate prefers where all are installed
    Fp8RecipeHandler chosen = handler.value_or(AORecipeKwargs{});
    if (const std::optional<std::string> set = handler ? std::nullopt : set_variable(kEnvFp8Backend)) {
        const std::string backend = text::upper(*set);
        if (backend == "TE")
            chosen = TERecipeKwargs{};
        else if (backend == "MSAMP")
            chosen = MSAMPRecipeKwargs{};
        else if (backend != "AO")
            from.refuse(Message("{} is '{}': choose TE or AO", kEnvFp8Backend, *set));
    }
    if (const auto* te = std::get_if<TERecipeKwargs>(&chosen))
        read_te(*te, recipe, from);
    if (std::holds_alternative<MSAMPRecipeKwargs>(chosen))
        from.refuse(Message("fp8_backend MSAMP: {}", Message::table_text(plan::kMsAmpAbandoned)));
    check_values(recipe, from);
    const auto* ao = std::get_if<AORecipeKwargs>(&chosen);
    if (ao != nullptr && ao->recipe_name)
        read_recipe_name(*ao->recipe_name, recipe, from);
    if (ao != nullptr)  // without effect where weights are whole
        recipe.enable_fsdp_float8_all_gather = from.truth(kEnvFp8Gather, ao->enable_fsdp_float8_all_gather, true);
    if (const std::vector<Message> problems = from.problems(); !problems.empty())
        throw UserError(Message::joined(problems));
    return recipe;
}

Fp8LayerFilter fp8_filter(const std::optional<Fp8RecipeHandler>& handler) {
    if (!handler)
        return {};
    if (const auto* te = std::get_if<TERecipeKwargs>(&*handler))
        return te->module_filter_func;
    const auto* ao = std::get_if<AORecipeKwargs>(&*handler);
    return ao != nullptr ? ao->module_filter_func : Fp8LayerFilter();
}

struct Float8Modules::Impl {
    std::vector<std::string> names;
    std::vector<std::shared_ptr<models::KernelOfWeight>> layers;
    models::DelayedLayers scales;
};

Float8Modules::Float8Modules(const NamedTensors& linear, const config::Fp8Recipe& recipe, const Fp8LayerFilter& filter)
    : impl_(std::make_unique<Impl>()) {
    std::vector<quantization::LinearModule> all;
    for (const auto& [name, weight] : linear)
        all.push_back({name, weight.size(1), weight.size(0)});
    const std::optional<std::vector<std::string>> filtered =
        chosen_by_filter(all, filter, models::fp8_multiple(recipe));
    const std::vector<std::string> chosen = filtered ? *filtered : models::choose_fp8_layers(all, recipe);
    if (chosen.empty())
        throw UserError(
            "mixed_precision: {}",
            Message("fp8 is for Linear layers with sizes that are multiples of {}, besides the first and the last, and "
                    "the model has none: use bf16",
                    models::fp8_multiple(recipe)));
    for (const auto& [name, weight] : linear) {
        if (std::ranges::find(chosen, name) == chosen.end())
            continue;
        auto layer = std::make_shared<Float8Layer>(recipe);
        impl_->scales.add(name, layer->delayed());
        impl_->names.push_back(name);
        impl_->layers.push_back(models::set_kernel(weight, std::move(layer)));
    }
}

Float8Modules::~Float8Modules() = default;

const std::vector<std::string>& Float8Modules::names() const {
    return impl_->names;
}

std::vector<at::Tensor> Float8Modules::weights() const {
    std::vector<at::Tensor> weights;
    for (const auto& layer : impl_->layers)
        weights.push_back(layer->weight());
    return weights;
}

bool Float8Modules::has_state() const {
    return !impl_->scales.empty();
}
void Float8Modules::update(parallel::Communicator& ranks) {
    impl_->scales.update({&ranks});
}
Tree Float8Modules::state_dict() const {
    return impl_->scales.state_dict();
}
void Float8Modules::load_state_dict(const Tree& state) {
    impl_->scales.load_state_dict(state);
}

}  // namespace trainyard::accelerator
