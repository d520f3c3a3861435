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

class Impatient final : public plugin::Metric {
  public:
    Impatient() : Metric(1) {}
    void update(const at::Tensor&, const at::Tensor&) override {}
    double value() const override { throw std::runtime_error("the metric has had enough"); }
};

class Unstable final : public plugin::Tracker {
  public:
    explicit Unstable(bool starts) : starts_(starts) {}
    void start() override {
        if (!starts_)
            throw std::runtime_error("no network");
    }
    void log(const std::vector<std::pair<std::string, double>>&, std::int64_t, double) override { throw 42; }

  private:
    bool starts_;
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
    registry.add_loss("of_no_type", [](const at::Tensor&, const at::Tensor&) -> at::Tensor { throw 42; });
    registry.add_metric("impatient", [] { return std::make_unique<Impatient>(); });
    registry.add_tracker("unstable", [](const plugin::TrackerContext&) { return std::make_unique<Unstable>(true); });
    registry.add_tracker("offline", [](const plugin::TrackerContext&) { return std::make_unique<Unstable>(false); });
})
