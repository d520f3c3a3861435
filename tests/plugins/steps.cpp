// SPDX-License-Identifier: GPL-3.0-or-later
// A plug-in with steps: one that changes nothing, one that weights tokens, and some that fail.
#include <ATen/ops/arange.h>
#include <ATen/ops/log_softmax.h>

#include <trainyard/plugin.h>

namespace {

namespace plugin = trainyard::plugin;

class Nothing final : public plugin::Step {};

/// Every third token is 7 for the model, not as a label, and odd positions count twice. Evaluations change nothing.
class Weighted final : public plugin::Step {
  public:
    void prepare(plugin::Inputs& batch, const plugin::StepPlace& place) const override {
        const at::Tensor& tokens = batch.at("input_ids");
        const at::Tensor positions = at::arange(tokens.size(1), tokens.options()).expand_as(tokens),
                         rows = at::arange(tokens.size(0), tokens.options()).unsqueeze(1).add(place.first_sample);
        batch["weights"] = positions.remainder(2).add(1).to(at::kFloat);
        if (place.training)
            batch["input_ids"] = tokens.masked_fill(positions.add(rows).add(place.step).remainder(3).eq(0), 7);
    }
    bool has_loss() const override { return true; }
    at::Tensor loss(const at::Tensor& outputs, const at::Tensor& labels, const plugin::Inputs& batch) const override {
        const at::Tensor log = at::log_softmax(outputs, -1).gather(-1, labels.unsqueeze(-1)).squeeze(-1);
        return log.neg().mul(batch.at("weights"));
    }
};

/// The same loss as the task's.
class Usual final : public plugin::Step {
  public:
    bool has_loss() const override { return true; }
    at::Tensor loss(const at::Tensor& outputs, const at::Tensor& labels, const plugin::Inputs&) const override {
        return at::log_softmax(outputs, -1).gather(-1, labels.unsqueeze(-1)).squeeze(-1).neg();
    }
};

class OtherRows final : public plugin::Step {
  public:
    void prepare(plugin::Inputs& batch, const plugin::StepPlace&) const override {
        batch["input_ids"] = batch.at("input_ids").narrow(0, 0, 1);
    }
};

class Unhappy final : public plugin::Step {
  public:
    void prepare(plugin::Inputs&, const plugin::StepPlace&) const override {
        throw std::runtime_error("the batch is not to its taste");
    }
};

}  // namespace

TRAINYARD_PLUGIN("steps", [](plugin::Registry& registry) {
    registry.add_step("nothing", [] { return std::make_unique<Nothing>(); });
    registry.add_step("weighted", [] { return std::make_unique<Weighted>(); });
    registry.add_step("usual", [] { return std::make_unique<Usual>(); });
    registry.add_step("other_rows", [] { return std::make_unique<OtherRows>(); });
    registry.add_step("unhappy", [] { return std::make_unique<Unhappy>(); });
})
