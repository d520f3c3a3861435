// SPDX-License-Identifier: GPL-3.0-or-later
#include "distributed/parallel/activation_checkpoint.h"

#include <algorithm>
#include <iterator>
#include <mutex>
#include <optional>
#include <stdexcept>
#include <utility>

#include <ATen/Context.h>
#include <ATen/ThreadLocalState.h>
#include <ATen/autocast_mode.h>
#include <ATen/core/dispatch/Dispatcher.h>
#include <ATen/core/grad_mode.h>
#include <ATen/core/stack.h>
#include <c10/core/impl/LocalDispatchKeySet.h>
#include <torch/csrc/autograd/engine.h>
#include <torch/csrc/autograd/saved_variable_hooks.h>
#include <torch/library.h>

#include <fmt/format.h>

#include "distributed/parallel/unit.h"

namespace trainyard::parallel {

namespace {

using torch::autograd::SavedVariableHooks;
using Values = torch::jit::Stack;  ///< results of an operation: tensors, and numbers beside them

/// Receives the tensors that autograd saves on this thread.
class SavedTensors {
  public:
    virtual ~SavedTensors() = default;
    virtual std::unique_ptr<SavedVariableHooks> hooks() = 0;
    virtual bool keeps_outputs() const = 0;
    virtual Values outputs(c10::function_ref<Values()> compute) = 0;  ///< of kept_outputs()
};

thread_local SavedTensors* saved_tensors = nullptr;

/// Below autograd, and used by nothing else: where LibTorch's own operations find kept_outputs().
constexpr auto kKey = c10::DispatchKey::Fake;

/// For as long as it lives, on this thread.
class SavedTensorsScope {
  public:
    explicit SavedTensorsScope(SavedTensors* now) : before_(std::exchange(saved_tensors, now)) {
        if (now != nullptr && now->keeps_outputs())
            operations_.emplace(kKey);
    }
    ~SavedTensorsScope() { saved_tensors = before_; }
    SavedTensorsScope(const SavedTensorsScope&) = delete;
    SavedTensorsScope& operator=(const SavedTensorsScope&) = delete;

  private:
    SavedTensors* before_;
    std::optional<c10::impl::IncludeDispatchKeyGuard> operations_;
};

/// Only the results of the outermost operation are kept, not those of the operations that it consists of.
Values compute_alone(c10::function_ref<Values()> compute) {
    const c10::impl::ExcludeDispatchKeyGuard below(kKey);
    const SavedTensorsScope none(nullptr);
    return compute();
}

Values kept_values(c10::function_ref<Values()> compute) {
    return saved_tensors == nullptr ? compute() : saved_tensors->outputs(compute);
}

/// Whether an operation draws random numbers: what follows it draws other ones where it does not run.
bool draws(const c10::FunctionSchema& schema, const torch::jit::Stack& stack) {
    const std::optional<int> index = schema.argumentIndexWithName("dropout_p");
    return index && stack[stack.size() - schema.arguments().size() + static_cast<std::size_t>(*index)].toDouble() > 0;
}

void operation_in_scope(const c10::OperatorHandle& operation, c10::DispatchKeySet keys, torch::jit::Stack* stack) {
    const auto run = [&] {
        operation.redispatchBoxed(keys & c10::DispatchKeySet(c10::DispatchKeySet::FULL_AFTER, kKey), stack);
    };
    if (draws(operation.schema(), *stack)) {
        const c10::impl::ExcludeDispatchKeyGuard below(kKey);
        return run();
    }
    const std::size_t rest = stack->size() - operation.schema().arguments().size();
    Values results = kept_values([&] {
        run();
        const auto begin = stack->begin() + static_cast<std::ptrdiff_t>(rest);
        return Values(std::make_move_iterator(begin), std::make_move_iterator(stack->end()));
    });
    stack->resize(rest);
    std::ranges::move(results, std::back_inserter(*stack));
}

/// Products of batches are missing: those of attention without a kernel of its own are what is not to be kept.
void register_operations() {
    static auto* const others = [] {
        auto* library = new torch::Library(torch::Library::IMPL, "_", kKey, __FILE__, __LINE__);
        library->fallback(torch::CppFunction::makeFallthrough());
        return library;
    }();
    static auto* const operations = [] {
        auto* library = new torch::Library(torch::Library::IMPL, "aten", kKey, __FILE__, __LINE__);
        for (const char* name :
             {"mm", "addmm", "convolution", "_scaled_dot_product_flash_attention_for_cpu",
              "_scaled_dot_product_flash_attention", "_scaled_dot_product_efficient_attention",
              "_scaled_dot_product_cudnn_attention", "_scaled_dot_product_fused_attention_overrideable"})
            library->impl(name, torch::CppFunction::makeFromBoxedFunction<&operation_in_scope>());
        return library;
    }();
    (void)others;
    (void)operations;
}

/// Autograd's engine asks itself for the hooks of tensors that are saved; Python's engine answers, the plain one has
/// none.
class EngineWithHooks final : public torch::autograd::Engine {
  public:
    std::unique_ptr<SavedVariableHooks> get_default_saved_variable_hooks() override {
        return saved_tensors == nullptr ? nullptr : saved_tensors->hooks();
    }
};

void install_engine() {
    static std::once_flag once;
    std::call_once(once, [] {
        torch::autograd::set_default_engine_stub([]() -> torch::autograd::Engine& {
            static auto& engine = *new EngineWithHooks;  // threads may use it until the process ends
            return engine;
        });
    });
}

/// Sizes and dtype of a tensor at the time when it was saved.
struct SavedShape {
    std::vector<std::int64_t> sizes;
    at::ScalarType type = at::kFloat;
    bool defined = false;

    explicit SavedShape(const at::Tensor& tensor) : defined(tensor.defined()) {
        if (!defined)
            return;
        sizes = tensor.sizes().vec();
        type = tensor.scalar_type();
    }
    bool operator==(const SavedShape&) const = default;
    std::string text() const {
        return defined ? std::string(c10::toString(type)) + " " + c10::str(at::IntArrayRef(sizes)) : "undefined";
    }
};

/// Generators of LibTorch at one moment: the CPU's, and that of the device of the tensors.
class GeneratorStates {
  public:
    explicit GeneratorStates(const Tensors& tensors) {
        remember(at::Device(at::kCPU));
        auto elsewhere = std::ranges::find_if(
            tensors, [](const at::Tensor& tensor) { return tensor.defined() && !tensor.is_cpu(); });
        if (elsewhere != tensors.end())
            remember(elsewhere->device());
    }
    void restore() const {
        for (const auto& [generator, state] : states_) {
            at::Generator target = generator;
            std::lock_guard lock(target.mutex());
            target.set_state(state);
        }
    }

  private:
    void remember(at::Device device) {
        at::Generator generator = at::globalContext().defaultGenerator(device);
        std::lock_guard lock(generator.mutex());
        states_.emplace_back(generator, generator.get_state());
    }
    std::vector<std::pair<at::Generator, at::Tensor>> states_;
};

/// Results of the first run that the second one has from it.
class KeptOutputs {
  public:
    explicit KeptOutputs(const Values& outputs) {
        for (const c10::IValue& output : outputs) {
            const bool is_tensor = output.isTensor() && output.toTensor().defined();
            values_.push_back(is_tensor ? without_graph(output.toTensor()) : output);
            versions_.push_back(is_tensor ? output.toTensor()._version() : 0);
        }
    }
    /// Once. Nothing where one was changed in place, or they are gone.
    std::optional<Values> take() {
        for (std::size_t i = 0; i < values_.size(); ++i)
            if (values_[i].isTensor() && values_[i].toTensor().defined() &&
                values_[i].toTensor()._version() != versions_[i])
                values_.clear();
        return values_.empty() ? std::nullopt : std::optional(std::exchange(values_, {}));
    }

  private:
    /// The same memory and version counter, above and below autograd.
    static at::Tensor without_graph(const at::Tensor& tensor) {
        const c10::TensorImpl& from = *tensor.unsafeGetTensorImpl();
        return at::Tensor(from.shallow_copy_and_detach(from.version_counter(), false));
    }

    Values values_;
    std::vector<std::uint32_t> versions_;
};

/// One call of a checkpointed part.
class CheckpointedCall final : public SavedTensors, public std::enable_shared_from_this<CheckpointedCall> {
  public:
    CheckpointedCall(std::function<Tensors(const Tensors&)> forward, const Tensors& inputs,
                     ActivationCheckpointOptions options)
        : forward_(std::move(forward)), options_(std::move(options)) {
        for (const at::Tensor& input : inputs) {
            inputs_.push_back(input.defined() ? input.detach() : input);
            if (input.defined() && input.requires_grad())
                inputs_.back().set_requires_grad(true);
        }
        if (options_.preserve_rng_state)
            generators_.emplace(inputs);
    }

    Tensors run(const Tensors& inputs) {
        SavedTensorsScope scope(this);
        return forward_(inputs);
    }

    std::unique_ptr<SavedVariableHooks> hooks() override;
    bool keeps_outputs() const override { return options_.keeps_outputs; }
    Values outputs(c10::function_ref<Values()> compute) override {
        Values results = compute_alone(compute);
        if (keeps_outputs())
            kept_.emplace_back(results);
        return results;
    }
    /// The number of a tensor that the first run saves.
    std::size_t note(const at::Tensor& tensor) {
        shapes_.emplace_back(tensor);
        return shapes_.size() - 1;
    }

    /// Saved tensor `number`, handed out once. Backward of a retained graph asks a second time, and the part runs once
    /// more.
    at::Tensor take(std::size_t number) {
        std::lock_guard lock(mutex_);
        if (number >= again_.size() || !again_[number])
            run_again();
        return *std::exchange(again_[number], std::nullopt);
    }

  private:
    /// The tensors of the second run: kept until backward takes them.
    class Again final : public SavedTensors {
      public:
        Again(std::vector<KeptOutputs>& kept, bool keeps_outputs) : kept_(kept), keeps_outputs_(keeps_outputs) {}
        std::vector<std::optional<at::Tensor>> tensors;
        std::unique_ptr<SavedVariableHooks> hooks() override;
        bool keeps_outputs() const override { return keeps_outputs_; }
        Values outputs(c10::function_ref<Values()> compute) override {
            std::optional<Values> kept;
            if (next_ < kept_.size())
                kept = kept_[next_++].take();
            return kept ? std::move(*kept) : compute_alone(compute);
        }

      private:
        std::vector<KeptOutputs>& kept_;
        bool keeps_outputs_;
        std::size_t next_ = 0;
    };

    void run_again();
    void check(const std::vector<std::optional<at::Tensor>>& tensors) const;

    std::function<Tensors(const Tensors&)> forward_;
    ActivationCheckpointOptions options_;
    Tensors inputs_;
    at::ThreadLocalState state_;  ///< of the first run: grad mode, autocast
    std::optional<GeneratorStates> generators_;
    std::vector<SavedShape> shapes_;
    std::vector<KeptOutputs> kept_;
    std::mutex mutex_;
    std::vector<std::optional<at::Tensor>> again_;
};

/// Placeholder for one saved tensor of the first run.
class SavedNumber final : public SavedVariableHooks {
  public:
    explicit SavedNumber(std::shared_ptr<CheckpointedCall> call) : call_(std::move(call)) {}
    void call_pack_hook(const at::Tensor& tensor) override { number_ = call_->note(tensor); }
    at::Tensor call_unpack_hook() override { return call_->take(number_); }

  private:
    std::shared_ptr<CheckpointedCall> call_;
    std::size_t number_ = 0;
};

/// Takes one saved tensor of the second run, whose own graph is never used.
class SavedAgain final : public SavedVariableHooks {
  public:
    explicit SavedAgain(std::vector<std::optional<at::Tensor>>& tensors) : tensors_(tensors) {}
    void call_pack_hook(const at::Tensor& tensor) override {
        tensors_.emplace_back(tensor.defined() ? tensor.detach() : tensor);
    }
    at::Tensor call_unpack_hook() override {
        throw std::logic_error("the graph of a forward that ran again has no backward");
    }

  private:
    std::vector<std::optional<at::Tensor>>& tensors_;
};

std::unique_ptr<SavedVariableHooks> CheckpointedCall::hooks() {
    return std::make_unique<SavedNumber>(shared_from_this());
}

std::unique_ptr<SavedVariableHooks> CheckpointedCall::Again::hooks() {
    return std::make_unique<SavedAgain>(tensors);
}

/// Copies of autocast's casts belong to the weights of this step: none may be left for the next one.
class AutocastNesting {
  public:
    AutocastNesting() { at::autocast::increment_nesting(); }
    ~AutocastNesting() {
        if (at::autocast::decrement_nesting() == 0)
            at::autocast::clear_cache();
    }
    AutocastNesting(const AutocastNesting&) = delete;
    AutocastNesting& operator=(const AutocastNesting&) = delete;
};

void CheckpointedCall::check(const std::vector<std::optional<at::Tensor>>& tensors) const {
    std::string difference;
    if (tensors.size() != shapes_.size())
        difference = fmt::format("it saved {} tensors for backward in the forward, and {} when it ran again",
                                 shapes_.size(), tensors.size());
    for (std::size_t i = 0; difference.empty() && i < tensors.size(); ++i)
        if (SavedShape now(*tensors[i]); !(now == shapes_[i]))
            difference = fmt::format("saved tensor {} was {} in the forward, and {} when it ran again", i,
                                     shapes_[i].text(), now.text());
    if (!difference.empty())
        throw std::runtime_error(
            "activation checkpointing of " + options_.name + ": " + difference +
            ": a part that is checkpointed must do the same each time, so take out what depends on "
            "anything but its inputs");
}

void CheckpointedCall::run_again() {
    std::optional<GeneratorStates> generators_now;
    if (generators_) {
        generators_now.emplace(inputs_);
        generators_->restore();
    }
    Tensors buffers_now;
    {
        at::NoGradGuard no_grad;
        for (const at::Tensor& buffer : options_.buffers)
            buffers_now.push_back(buffer.clone());
    }
    Again again(kept_, options_.keeps_outputs);
    {
        at::ThreadLocalStateGuard as_first(state_);
        AutocastNesting casting;
        SavedTensorsScope scope(&again);
        forward_(inputs_);
    }
    {
        at::NoGradGuard no_grad;
        for (std::size_t i = 0; i < buffers_now.size(); ++i)
            options_.buffers[i].copy_(buffers_now[i]);
    }
    if (generators_now)
        generators_now->restore();
    check(again.tensors);
    again_ = std::move(again.tensors);
}

}  // namespace

Tensors activation_checkpoint(std::function<Tensors(const Tensors&)> forward, const Tensors& inputs,
                              ActivationCheckpointOptions options) {
    if (!at::GradMode::is_enabled())
        return forward(inputs);
    install_engine();
    if (options.keeps_outputs)
        register_operations();
    return std::make_shared<CheckpointedCall>(std::move(forward), inputs, std::move(options))->run(inputs);
}

Tensors kept_outputs(c10::function_ref<Tensors()> compute) {
    if (saved_tensors == nullptr || !saved_tensors->keeps_outputs())
        return compute();
    Tensors results;
    for (c10::IValue& value : kept_values([&] {
             Values values;
             for (at::Tensor& tensor : compute())
                 values.emplace_back(std::move(tensor));
             return values;
         }))
        results.push_back(std::move(value).toTensor());
    return results;
}

at::Tensor kept_output(c10::function_ref<at::Tensor()> compute) {
    return kept_outputs([&] { return Tensors{compute()}; }).front();
}

Tensors ActivationCheckpointing::around(Unit& unit, const Tensors& inputs, StepContext& context,
                                        const UnitForward& forward) {
    if (!context.training || !at::GradMode::is_enabled())
        return forward(inputs, context);
    ActivationCheckpointOptions options{
        .name = fmt::format("unit {}", unit.name()), .preserve_rng_state = false, .keeps_outputs = keeps_outputs};
    for (const auto& buffer : unit.buffers())
        options.buffers.push_back(buffer->value);
    auto kept = std::make_shared<StepContext>(context);
    kept->recomputing = true;
    kept->logits = nullptr;
    kept->cache = nullptr;
    auto first = std::make_shared<StepContext*>(&context);
    Tensors outputs = activation_checkpoint(
        [forward, kept, first](const Tensors& tensors) { return forward(tensors, *first ? **first : *kept); }, inputs,
        std::move(options));
    *first = nullptr;
    return outputs;
}

}  // namespace trainyard::parallel
