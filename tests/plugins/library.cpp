// SPDX-License-Identifier: GPL-3.0-or-later
// The plug-ins that tests load next to the sample: some work, others fail or are refused. They are compiled once, because
// LibTorch's headers take nearly all of the time; the build copies the library, and the name of the copy selects the
// plug-in (plugin_steps.so has "steps").
#include <csignal>
#include <filesystem>
#include <stdexcept>
#include <string>
#include <utility>

#include <ATen/ops/arange.h>
#include <ATen/ops/log_softmax.h>
#include <ATen/ops/ones.h>

#include <dlfcn.h>
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

/// A model whose parameters are not fp32.
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

/// Steps: one that changes nothing, one that weights tokens, and some that fail.
void add_steps(plugin::Registry& registry) {
    registry.add_step("nothing", [] { return std::make_unique<Nothing>(); });
    registry.add_step("weighted", [] { return std::make_unique<Weighted>(); });
    registry.add_step("usual", [] { return std::make_unique<Usual>(); });
    registry.add_step("other_rows", [] { return std::make_unique<OtherRows>(); });
    registry.add_step("unhappy", [] { return std::make_unique<Unhappy>(); });
}

/// Parts that fail, and a model whose parameters are not fp32.
void add_failing_parts(plugin::Registry& registry) {
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
}

constexpr TrainyardPlugin built_here(const char* title, void (*fill)(plugin::Registry&)) {
    return {plugin::kInterfaceVersion, TORCH_VERSION_MAJOR, TORCH_VERSION_MINOR, title, fill};
}

/// By the name of the copy, without plugin_.
const std::pair<const char*, TrainyardPlugin> kPlugins[] = {
    {"steps", built_here("steps", add_steps)},
    {"throws", built_here("throws", add_failing_parts)},
    // Built against another LibTorch.
    {"other_torch", {plugin::kInterfaceVersion, TORCH_VERSION_MAJOR, TORCH_VERSION_MINOR + 1, "later", nullptr}},
    // Ends the process while it registers its parts.
    {"crashes", built_here("crashing", [](plugin::Registry&) { std::raise(SIGKILL); })},
    // Fails while it registers its parts.
    {"no_licence",
     built_here("licensed", [](plugin::Registry&) { throw std::runtime_error("no licence for this plug-in"); })},
    // Has a loss with a name that the sample plug-in has, too.
    {"taken_name", built_here("second",
                              [](plugin::Registry& registry) {
                                  registry.add_loss(
                                      "focal", [](const at::Tensor& outputs, const at::Tensor&) { return outputs; });
                              })},
    // Has a tracker with the name of one of Trainyard.
    {"tracker_name", built_here("tables",
                                [](plugin::Registry& registry) {
                                    registry.add_tracker("csv", [](const plugin::TrackerContext&) {
                                        return std::unique_ptr<plugin::Tracker>();
                                    });
                                })},
};

/// The file that this copy was loaded from.
std::string own_file() {
    Dl_info info{};
    ::dladdr(&kPlugins, &info);
    return info.dli_fname;
}

}  // namespace

extern "C" __attribute__((visibility("default"))) const TrainyardPlugin* trainyard_plugin() {
    const std::string name = std::filesystem::path(own_file()).stem();
    for (const auto& [copy, entry] : kPlugins)
        if (name == std::string("plugin_") + copy)
            return &entry;
    return nullptr;
}
