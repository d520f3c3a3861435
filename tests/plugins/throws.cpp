// SPDX-License-Identifier: GPL-3.0-or-later
// A plug-in whose parts fail, and one whose parameters are not fp32.
#include <ATen/ops/ones.h>

#include <trainyard/plugin.h>

namespace {

namespace plugin = trainyard::plugin;

class Halves final : public plugin::Model {
  public:
    Halves() { register_parameter("weight", at::ones({2}, at::kHalf)); }
    at::Tensor forward(const plugin::Inputs& inputs) override { return inputs.begin()->second; }
};

}  // namespace

TRAINYARD_PLUGIN("throws", [](plugin::Registry& registry) {
    registry.add_model("failing", [](const plugin::Arguments&) -> std::shared_ptr<plugin::Model> {
        throw std::runtime_error("the width is unlucky");
    });
    registry.add_model("halves", [](const plugin::Arguments&) { return std::make_shared<Halves>(); });
    registry.add_data_set("failing",
                          [](const plugin::Arguments&) -> std::unique_ptr<plugin::DataSet> { return nullptr; });
    registry.add_loss("of_one_number", [](const at::Tensor& outputs, const at::Tensor&) { return outputs.sum(); });
})
