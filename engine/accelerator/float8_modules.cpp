// SPDX-License-Identifier: GPL-3.0-or-later
#include "accelerator/float8_modules.h"

#include <algorithm>
#include <cstdlib>
#include <map>
#include <mutex>
#include <shared_mutex>

#include <ATen/core/grad_mode.h>
#include <ATen/ops/addmm.h>
#include <ATen/ops/linear.h>
#include <ATen/ops/matmul.h>
#include <c10/core/impl/LocalDispatchKeySet.h>
#include <torch/library.h>

#include "base/environment_names.h"
#include "base/error.h"
#include "base/letter_case.h"
#include "base/number.h"
#include "base/truth.h"
#include "config/recipe/recipe.h"
#include "launch/plan/recipe_settings.h"
#include "models/nn/quantization/fp8_layers.h"

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

struct Float8Layer {
    std::string name;
    at::Tensor weight;  ///< for its identity
    std::unique_ptr<models::OperandCasts> casts;
    models::DelayedCasts* delayed = nullptr;
};

/// The layers of all models of the program by their weights.
class Registry {
  public:
    static Registry& get() {
        static auto* const registry = new Registry;
        return *registry;
    }
    void add(Float8Layer& layer) {
        const std::unique_lock lock(mutex_);
        layers_[layer.weight.unsafeGetTensorImpl()] = &layer;
    }
    void remove(const Float8Layer& layer) {
        const std::unique_lock lock(mutex_);
        layers_.erase(layer.weight.unsafeGetTensorImpl());
    }
    /// The layer whose weight this is the transpose of: torch::nn::Linear multiplies with weight.t().
    Float8Layer* find_transposed(const at::Tensor& matrix) const {
        // Weights that are divided have no memory between their uses.
        const auto start_of = [](const at::Tensor& tensor) {
            return std::pair(tensor.storage().unsafeGetStorageImpl(), tensor.storage_offset());
        };
        if (matrix.dim() != 2 || !matrix.has_storage())
            return nullptr;
        const std::shared_lock lock(mutex_);
        for (const auto& [tensor, layer] : layers_)
            if (const at::Tensor& weight = layer->weight;
                weight.dim() == 2 && weight.has_storage() && start_of(weight) == start_of(matrix) &&
                weight.size(0) == matrix.size(1) && weight.stride(0) == matrix.stride(1) &&
                weight.stride(1) == matrix.stride(0))
                return layer;
        return nullptr;
    }
    Float8Layer* find(const at::Tensor& weight) const {
        const std::shared_lock lock(mutex_);
        const auto found = layers_.find(weight.unsafeGetTensorImpl());
        return found == layers_.end() ? nullptr : found->second;
    }

  private:
    mutable std::shared_mutex mutex_;
    std::map<const c10::TensorImpl*, Float8Layer*> layers_;
};

/// x W^T + b from fp8 operands, in the dtype of automatic casting. Magnitudes count where gradients are computed.
at::Tensor multiply(Float8Layer& layer, const at::Tensor& x, const at::Tensor& weight,
                    const std::optional<at::Tensor>& bias) {
    const at::ScalarType type = at::kBFloat16;
    const c10::impl::ExcludeDispatchKeyGuard no_casting(c10::autocast_dispatch_keyset);  // the operands are fp32
    const at::Tensor input = x.to(type), matrix = weight.to(type);
    const bool trains = at::GradMode::is_enabled();
    if (trains && layer.delayed != nullptr) {
        layer.delayed->see(input.detach(), models::DelayedCasts::kInput);
        layer.delayed->see(matrix.detach(), models::DelayedCasts::kWeight);
    }
    const at::Tensor y = models::cast_linear(input, matrix, {}, *layer.casts);
    if (trains && layer.delayed != nullptr && y.requires_grad())
        y.register_hook([delayed = layer.delayed](const at::Tensor& gradient) {
            delayed->see(gradient, models::DelayedCasts::kGradient);
        });
    return bias && bias->defined() ? y.add(bias->to(type)) : y;
}

/// A key above those of automatic casting and autograd that nothing else uses. It is in use from the first scope on.
constexpr auto kKey = c10::DispatchKey::TESTING_ONLY_GenericMode;

at::Tensor linear_in_scope(const at::Tensor& x, const at::Tensor& weight, const std::optional<at::Tensor>& bias) {
    const c10::impl::ExcludeDispatchKeyGuard below(kKey);
    if (Float8Layer* layer = Registry::get().find(weight))
        return multiply(*layer, x, weight, bias);
    return at::linear(x, weight, bias);
}

at::Tensor matmul_in_scope(const at::Tensor& x, const at::Tensor& matrix) {
    const c10::impl::ExcludeDispatchKeyGuard below(kKey);
    if (Float8Layer* layer = Registry::get().find_transposed(matrix))
        return multiply(*layer, x, layer->weight, std::nullopt);
    return at::matmul(x, matrix);
}

at::Tensor addmm_in_scope(const at::Tensor& bias, const at::Tensor& x, const at::Tensor& matrix, const at::Scalar& beta,
                          const at::Scalar& alpha) {
    const c10::impl::ExcludeDispatchKeyGuard below(kKey);
    if (beta.toDouble() == 1 && alpha.toDouble() == 1)
        if (Float8Layer* layer = Registry::get().find_transposed(matrix))
            return multiply(*layer, x, layer->weight, bias);
    return at::addmm(bias, x, matrix, beta, alpha);
}

void register_key() {
    static auto* const others = [] {
        auto* library = new torch::Library(torch::Library::IMPL, "_", kKey, __FILE__, __LINE__);
        library->fallback(torch::CppFunction::makeFallthrough());
        return library;
    }();
    static auto* const linear = [] {
        auto* library = new torch::Library(torch::Library::IMPL, "aten", kKey, __FILE__, __LINE__);
        library->impl("linear", linear_in_scope);
        library->impl("matmul", matmul_in_scope);
        library->impl("addmm", addmm_in_scope);
        return library;
    }();
    (void)others;
    (void)linear;
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
    if (const auto* ao = std::get_if<AORecipeKwargs>(&chosen))  // without effect where weights are whole
        recipe.enable_fsdp_float8_all_gather = from.truth(kEnvFp8Gather, ao->enable_fsdp_float8_all_gather, true);
    if (const std::vector<Message> problems = from.problems(); !problems.empty())
        throw UserError(Message::joined(problems));
    return recipe;
}

struct Float8Modules::Impl {
    std::vector<std::unique_ptr<Float8Layer>> layers;
    models::DelayedLayers scales;
};

Float8Modules::Float8Modules(const NamedTensors& linear, const config::Fp8Recipe& recipe)
    : impl_(std::make_unique<Impl>()) {
    std::vector<quantization::LinearModule> all;
    for (const auto& [name, weight] : linear)
        all.push_back({name, weight.size(1), weight.size(0)});
    const std::vector<std::string> chosen = models::choose_fp8_layers(all, recipe);
    if (chosen.empty())
        throw UserError(
            "mixed_precision: {}",
            Message("fp8 is for Linear layers with sizes that are multiples of {}, besides the first and the last, and "
                    "the model has none: use bf16",
                    models::fp8_multiple(recipe)));
    register_key();
    for (const auto& [name, weight] : linear) {
        if (std::ranges::find(chosen, name) == chosen.end())
            continue;
        auto layer = std::make_unique<Float8Layer>(Float8Layer{name, weight, models::make_fp8_casts(recipe)});
        layer->delayed = dynamic_cast<models::DelayedCasts*>(layer->casts.get());
        impl_->scales.add(name, layer->delayed);
        Registry::get().add(*layer);
        impl_->layers.push_back(std::move(layer));
    }
}

Float8Modules::~Float8Modules() {
    for (const auto& layer : impl_->layers)
        Registry::get().remove(*layer);
}

std::vector<std::string> Float8Modules::names() const {
    std::vector<std::string> names;
    for (const auto& layer : impl_->layers)
        names.push_back(layer->name);
    return names;
}

std::vector<at::Tensor> Float8Modules::weights() const {
    std::vector<at::Tensor> weights;
    for (const auto& layer : impl_->layers)
        weights.push_back(layer->weight);
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

std::shared_ptr<void> Float8Modules::scope() {
    return std::make_shared<c10::impl::IncludeDispatchKeyGuard>(kKey);
}

}  // namespace trainyard::accelerator
