// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
// Unit: the grain of everything that happens per block of a model (gathering, freeing, activation checkpointing,
// offloading, pipelining, profiling). Tensors flow from unit to unit: the hidden states of a decoder, both streams of
// an encoder-decoder, an image and what it is conditioned on. A call of a unit runs its hooks: before and after
// forward, around it, and, through marks on its
// inputs and outputs, where backward enters and leaves it. A model file contains mathematics only; whatever else a
// run needs is
// a hook. Modules of a program's own are units, too (accelerator/trainyard/block.h).

#include <cstdint>
#include <functional>
#include <map>
#include <memory>
#include <span>
#include <string>
#include <vector>

#include <ATen/core/Tensor.h>

#include "distributed/parallel/parameter.h"
#include "distributed/tensors/tree.h"

namespace trainyard::models {
class RouterStep;
}

namespace trainyard::parallel {

struct ExpertShare;
class Communicator;
struct PositionRun;
struct SequenceShare;
class Unit;

/// What flows between two units. Tensors may be undefined, and of any dtype; those that require a gradient get one.
using Tensors = std::vector<at::Tensor>;

/// Keys and values of the positions that a model has seen, when a sequence is made piece by piece (generation). The
/// units append.
struct KeyValueCache {
    std::int64_t length = 0;  ///< positions in it; models::Model::forward counts them
    std::map<const Unit*, Tensors>
        entries;  ///< of each unit that attends: keys and values [batch, heads, length, width of a head]
};

/// Data of a micro-batch that all units can read, besides the tensors that flow between them.
struct StepContext {
    at::Tensor tokens;    ///< [batch, seq] int64
    at::Tensor labels;    ///< [batch, seq] int64; -100: not counted
    NamedTensors inputs;  ///< further inputs of a model under Hugging Face's names: pixel_values, decoder_input_ids
    at::Tensor attention_mask;  ///< [batch, keys], not 0: a position that may be attended to; undefined: all of them
    at::Tensor position_ids;    ///< [batch, seq] int64; undefined: cache length, cache length + 1, ...
    /// Not null: tokens and labels are those positions of whole sequences that this rank has, labels[t] is what
    /// position t predicts (without: labels[t + 1]), and attention_mask is of all positions.
    const SequenceShare* sequence = nullptr;
    /// Not null: this rank has a part of the experts of each block (distributed/parallel/expert_share.h).
    const ExpertShare* experts = nullptr;
    /// Not null: the load-balancing loss of experts is that of all micro-batches of a step on all data ranks
    /// (models/networks/expert_router.h); null: of this micro-batch on this rank.
    models::RouterStep* router = nullptr;
    /// Not null: the ranks that share every layer, each with a part of the heads (tensor_part.h).
    Communicator* tensor_ranks = nullptr;
    /// Not null: between these layers each of those ranks has these positions of the sequences.
    const std::vector<PositionRun>* stream_positions = nullptr;
    double expert_capacity_factor = 0;  ///< of each sample, while it is trained; 0: no expert is ever full
    KeyValueCache* cache = nullptr;
    double loss_scale = 1.0;  ///< multiplies the summed loss of the gradients: 1 / (targets of the whole step)
    /// Out: the head adds the summed loss of its targets (0-dim float64, on the device); where gradients are wanted
    /// in backward.
    at::Tensor loss_sum;
    bool training = true;
    std::uint64_t seed = 0;  ///< of dropout
    std::int64_t step = 0;
    int micro_batch = 0;            ///< number within the step, on this rank
    std::int64_t first_sample = 0;  ///< global number of row 0 within the step: dropout is the same on every layout
    /// [2] int64 on the device: step and first_sample as the kernels of a captured step read them, whose host values
    /// are those of the capture (train/step_graph.h); undefined: `step` and `first_sample` count.
    at::Tensor counters;
    at::Tensor* logits = nullptr;  ///< where the head puts [batch, seq, vocabulary], when asked for
    /// Set where a plug-in has the loss of a micro-batch: the summed loss (0-dim float64) of outputs [rows, ...] and
    /// labels, instead of that of the task.
    std::function<at::Tensor(const at::Tensor& outputs, const at::Tensor& labels)> own_loss;
    /// The forward runs again, in backward (activation checkpointing): what it changes beside its outputs (running
    /// statistics, caches, sums) was changed the first time and must stay.
    bool recomputing = false;

    /// One of `inputs`. Throws std::invalid_argument with the names that are there.
    const at::Tensor& input(const std::string& name) const;
};

/// A unit's forward, as hooks around it call it.
using UnitForward = std::function<Tensors(const Tensors& inputs, StepContext& context)>;

/// Sees the tensors of a unit and its micro-batch. What is called in backward runs on autograd's thread.
class UnitHook {
  public:
    virtual ~UnitHook() = default;
    /// May replace inputs or outputs.
    virtual void before(Unit&, Tensors& /*inputs*/, StepContext&) {}
    virtual void after(Unit&, Tensors& /*outputs*/, StepContext&) {}
    /// Replaces the unit's forward. Runs inside the marks that report backward, so a recomputed forward reports
    /// nothing.
    virtual Tensors around(Unit&, const Tensors& inputs, StepContext& context, const UnitForward& forward) {
        return forward(inputs, context);
    }
    /// `gradients` of the outputs that required one, in their order.
    virtual void before_backward(Unit&, const Tensors& /*gradients*/, int /*micro_batch*/) {}
    /// All gradients of the unit's parameters that flow through the unit are there. `gradients` of the inputs that
    /// required one, in their order; empty where none did (embeddings).
    virtual void after_backward(Unit&, const Tensors& /*gradients*/, int /*micro_batch*/) {}
};

/// Activation checkpointing (activation_checkpoint.h) of units.
class ActivationCheckpointing final : public UnitHook {
  public:
    bool keeps_outputs = false;  ///< as ActivationCheckpointOptions has it

    Tensors around(Unit& unit, const Tensors& inputs, StepContext& context, const UnitForward& forward) override;
};

/// How backward reports where it enters and leaves a unit.
enum class BackwardMarks {
    /// Nodes of autograd, which have the gradients of all tensors together. What has passed one cannot be changed in
    /// place.
    nodes,
    /// Hooks on each tensor, which may be changed in place. Hooks of the unit see one gradient: the first that arrives.
    /// If no input needs a gradient, the end of the whole backward is that of the unit.
    tensor_hooks,
};

/// State that forward changes and no optimizer: running statistics. Saved under its name beside the parameters.
struct Buffer {
    std::string name;
    at::Tensor value;
};

class Unit {
  public:
    explicit Unit(std::string name, BackwardMarks marks = BackwardMarks::nodes)
        : name_(std::move(name)), marks_(marks) {}
    virtual ~Unit() = default;
    Unit(const Unit&) = delete;
    Unit& operator=(const Unit&) = delete;

    const std::string& name() const { return name_; }
    void set_name(std::string name) { name_ = std::move(name); }
    /// Its own parameters.
    const std::vector<Parameter*>& parameters() const { return parameters_; }
    /// Parameters of other units that it uses too (tied weights): their gradient is the sum over all units that use
    /// them.
    const std::vector<Parameter*>& tied_parameters() const { return tied_parameters_; }
    const std::vector<std::unique_ptr<Buffer>>& buffers() const { return buffers_; }
    /// A parameter beside those of its modules (an adapter); before a FlatArena lays it out.
    Parameter& add_extra_parameter(std::string name, std::vector<std::int64_t> shape, Initialiser initialiser) {
        return add_parameter(std::move(name), std::move(shape), initialiser);
    }
    /// Hooks run in the order added before, and in reverse order after; the first one added is the outermost. Not
    /// owned.
    void add_hook(UnitHook* hook) { hooks_.push_back(hook); }
    void remove_hook(const UnitHook* hook) { std::erase(hooks_, hook); }
    bool has_hooks() const { return !hooks_.empty(); }

    /// Runs the unit. `inputs` are empty for the first unit of a model, which starts from the context.
    Tensors operator()(const Tensors& inputs, StepContext& context);

    /// Called once backward is over: runs after_backward where no input needed a gradient, so that its end had no
    /// autograd node.
    void finish_backward();

  protected:
    virtual Tensors forward(const Tensors& inputs, StepContext& context) = 0;
    /// Runs the unit with `forward` instead of its own.
    Tensors call(const Tensors& inputs, StepContext& context, const UnitForward& forward);
    /// Makes a parameter of this unit.
    Parameter& add_parameter(std::string name, std::vector<std::int64_t> shape, Initialiser initialiser);
    /// Notes that this unit uses a parameter of another one.
    Parameter& tie_parameter(Parameter& parameter);
    Buffer& add_buffer(std::string name, at::Tensor start);

  private:
    friend struct BackwardMark;
    /// A forward, until its backward is over.
    struct Call {
        bool is_open = false;  ///< its backward runs
        int micro_batch = 0;
        double began = 0;  ///< monotonic seconds, while a profiler records
    };
    Tensors run_around(std::size_t hook, const Tensors& inputs, StepContext& context, const UnitForward& forward);
    void watch(const Tensors& tensors, const std::shared_ptr<Call>& call, bool entering);
    void run_before_backward(Call& call, const Tensors& gradients, int micro_batch);
    void run_after_backward(Call& call, const Tensors& gradients);

    std::string name_;
    BackwardMarks marks_;
    std::vector<std::unique_ptr<Parameter>> owned_;
    std::vector<Parameter*> parameters_, tied_parameters_;
    std::vector<std::unique_ptr<Buffer>> buffers_;
    std::vector<UnitHook*> hooks_;
    Call call_;                                                    ///< of nodes: one at a time
    std::shared_ptr<Unit*> self_ = std::make_shared<Unit*>(this);  ///< hooks on tensors may outlive the unit
};

/// One unit after the other.
Tensors run_units(std::span<Unit* const> units, Tensors inputs, StepContext& context);

}  // namespace trainyard::parallel
