// SPDX-License-Identifier: GPL-3.0-or-later
#include "distributed/parallel/activation_checkpoint.h"

#include <algorithm>
#include <mutex>
#include <optional>
#include <stdexcept>
#include <utility>

#include <ATen/Context.h>
#include <ATen/ThreadLocalState.h>
#include <ATen/autocast_mode.h>
#include <ATen/core/grad_mode.h>
#include <torch/csrc/autograd/engine.h>
#include <torch/csrc/autograd/saved_variable_hooks.h>

#include <fmt/format.h>

#include "distributed/parallel/unit.h"

namespace trainyard::parallel {

namespace {

using torch::autograd::SavedVariableHooks;

/// Receives the tensors that autograd saves on this thread.
class SavedTensors {
  public:
    virtual ~SavedTensors() = default;
    virtual std::unique_ptr<SavedVariableHooks> hooks() = 0;
};

thread_local SavedTensors* saved_tensors = nullptr;

/// For as long as it lives, on this thread.
class SavedTensorsScope {
  public:
    explicit SavedTensorsScope(SavedTensors* now) : before_(std::exchange(saved_tensors, now)) {}
    ~SavedTensorsScope() { saved_tensors = before_; }
    SavedTensorsScope(const SavedTensorsScope&) = delete;
    SavedTensorsScope& operator=(const SavedTensorsScope&) = delete;

  private:
    SavedTensors* before_;
};

/// Autograd's engine asks itself for the hooks of tensors that are saved; Python's engine answers, the plain one has none.
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
    /// The number of a tensor that the first run saves.
    std::size_t note(const at::Tensor& tensor) {
        shapes_.emplace_back(tensor);
        return shapes_.size() - 1;
    }

    /// Saved tensor `number`, handed out once. Backward of a retained graph asks a second time, and the part runs once more.
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
        std::vector<std::optional<at::Tensor>> tensors;
        std::unique_ptr<SavedVariableHooks> hooks() override;
    };

    void run_again();
    void check(const std::vector<std::optional<at::Tensor>>& tensors) const;

    std::function<Tensors(const Tensors&)> forward_;
    ActivationCheckpointOptions options_;
    Tensors inputs_;
    at::ThreadLocalState state_;  ///< of the first run: grad mode, autocast
    std::optional<GeneratorStates> generators_;
    std::vector<SavedShape> shapes_;
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
    Again again;
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
    return std::make_shared<CheckpointedCall>(std::move(forward), inputs, std::move(options))->run(inputs);
}

Tensors ActivationCheckpointing::around(Unit& unit, const Tensors& inputs, StepContext& context,
                                        const UnitForward& forward) {
    if (!context.training || !at::GradMode::is_enabled())
        return forward(inputs, context);
    ActivationCheckpointOptions options{.name = fmt::format("unit {}", unit.name()), .preserve_rng_state = false};
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
