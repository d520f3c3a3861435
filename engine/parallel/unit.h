#pragma once
// Unit: the grain of everything that happens per block of a model (gathering, freeing, checkpointing, offloading, pipelining,
// profiling). Its call runs hooks around forward, and autograd nodes for their twins in backward. A model file contains
// mathematics only; whatever else a run needs is a hook.

#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include <ATen/core/Tensor.h>

#include "parallel/parameter.h"

namespace trainyard::parallel {

/// What a micro-batch carries through the units. Shapes: tokens and labels [batch, seq] int64.
struct StepContext {
    at::Tensor tokens;
    at::Tensor labels;        ///< -100: not counted
    double loss_scale = 1.0;  ///< multiplies the summed loss of the gradients: 1 / (targets of the whole step)
    at::Tensor loss_sum;      ///< out: the head adds the summed loss of its targets (0-dim float64, on the device)
    bool training = true;
    std::uint64_t seed = 0;  ///< of dropout
    std::int64_t step = 0;
    std::int64_t first_sample = 0;  ///< global number of row 0 within the step: dropout is the same on every layout
    at::Tensor* logits = nullptr;   ///< where the head puts [batch, seq, vocabulary], when asked for
};

class Unit;

class UnitHook {
  public:
    virtual ~UnitHook() = default;
    virtual void before(Unit&, StepContext&) {}
    virtual void after(Unit&, StepContext&) {}
    virtual void before_backward(Unit&) {}
    /// All gradients of the unit's parameters that flow through the unit are there.
    virtual void after_backward(Unit&) {}
};

class Unit {
  public:
    explicit Unit(std::string name) : name_(std::move(name)) {}
    virtual ~Unit() = default;
    Unit(const Unit&) = delete;
    Unit& operator=(const Unit&) = delete;

    const std::string& name() const { return name_; }
    const std::vector<Parameter*>& parameters() const { return parameters_; }
    /// Hooks run in the order added before, and in reverse order after. Not owned.
    void add_hook(UnitHook* hook) { hooks_.push_back(hook); }

    /// Runs the unit. `hidden` is undefined for the first unit, which starts from context.tokens.
    at::Tensor operator()(const at::Tensor& hidden, StepContext& context);

    /// Called once backward is over: runs after_backward where the unit's input needed no gradient (embeddings), so that its end
    /// had no autograd node.
    void finish_backward();

  protected:
    virtual at::Tensor forward(const at::Tensor& hidden, StepContext& context) = 0;
    /// Makes a parameter of this unit.
    Parameter& add_parameter(std::string name, std::vector<std::int64_t> shape, Initialiser initialiser);

  private:
    friend struct BackwardMark;
    void run_before_backward();
    void run_after_backward();

    std::string name_;
    std::vector<std::unique_ptr<Parameter>> owned_;
    std::vector<Parameter*> parameters_;
    std::vector<UnitHook*> hooks_;
    bool backward_open_ = false;
};

}  // namespace trainyard::parallel
