// SPDX-License-Identifier: GPL-3.0-or-later
// A plug-in to use as a template: a data set of two spirals, a network that classifies them, a loss, a metric and a
// tracker.

#include <cmath>
#include <fstream>

#include <ATen/ops/log_softmax.h>
#include <ATen/ops/relu.h>
#include <ATen/ops/scalar_tensor.h>
#include <ATen/ops/softmax.h>
#include <ATen/ops/tensor.h>
#include <torch/nn/modules/dropout.h>
#include <torch/nn/modules/linear.h>

#include <trainyard/plugin.h>

namespace {

namespace plugin = trainyard::plugin;

/// Parameters, their names and their initial values are those of the registered modules.
class Mlp final : public plugin::Model {
  public:
    explicit Mlp(const plugin::Arguments& arguments)
        : first_(register_module("first", torch::nn::Linear(2, arguments.integer("width", 32)))),
          second_(register_module("second",
                                  torch::nn::Linear(first_->options.out_features(), first_->options.out_features()))),
          output_(register_module("output", torch::nn::Linear(first_->options.out_features(), 2))),
          dropout_(register_module("dropout", torch::nn::Dropout(arguments.number("dropout", 0)))) {}

    at::Tensor forward(const plugin::Inputs& inputs) override {
        const at::Tensor x = at::relu(first_(inputs.at("points")));
        return output_(dropout_(at::relu(second_(x))));
    }

  private:
    torch::nn::Linear first_, second_, output_;
    torch::nn::Dropout dropout_;
};

/// Points of two spirals; the label is the index of the spiral.
class Spirals final : public plugin::DataSet {
  public:
    explicit Spirals(const plugin::Arguments& arguments) : size_(arguments.integer("points", 2000)) {
        if (size_ < 2)
            throw std::invalid_argument("arguments.points must be from 2 on");
    }
    std::int64_t size() const override { return size_; }
    std::map<std::string, at::Tensor> sample(std::int64_t index) const override {
        const std::int64_t label = index % 2;
        const double way = static_cast<double>(index * 619 % size_) / static_cast<double>(size_);  // shuffled
        const double angle = 7 * way + 3.14159265 * static_cast<double>(label), radius = 0.2 + way;
        return {{"points", at::tensor({static_cast<float>(radius * std::cos(angle)),
                                       static_cast<float>(radius * std::sin(angle))})},
                {"labels", at::scalar_tensor(label, at::kLong)}};
    }

  private:
    std::int64_t size_;
};

/// Lin et al., "Focal loss for dense object detection", 2017: well classified points count less.
at::Tensor focal_loss(const at::Tensor& outputs, const at::Tensor& labels) {
    const at::Tensor log = at::log_softmax(outputs, -1).gather(-1, labels.unsqueeze(-1)).squeeze(-1);
    return log.exp().neg().add(1).square().mul(log.neg());
}

/// Moves all points a little while they are trained, in every step to another side.
class Jitter final : public plugin::Step {
  public:
    void prepare(plugin::Inputs& batch, const plugin::StepPlace& place) const override {
        if (!place.training)
            return;
        at::Tensor& points = batch.at("points");
        points = points.add(0.01 * static_cast<double>(place.step % 5 - 2));
    }
};

/// Mean probability of the correct label.
class Confidence final : public plugin::Metric {
  public:
    Confidence() : Metric(2) {}
    void update(const at::Tensor& outputs, const at::Tensor& labels) override {
        sums[0] += at::softmax(outputs, -1).gather(-1, labels.unsqueeze(-1)).sum().item<double>();
        sums[1] += static_cast<double>(labels.numel());
    }
    double value() const override { return sums[0] / sums[1]; }
};

/// Appends a line of text for each step to a file in the run's folder.
class TextLog final : public plugin::Tracker {
  public:
    explicit TextLog(const plugin::TrackerContext& context) : path_(context.folder + "/steps.txt") {}
    void start() override {
        file_.open(path_, std::ios::app);
        if (!file_)
            throw std::runtime_error(path_ + " cannot be written");
    }
    void log(const std::vector<std::pair<std::string, double>>& metrics, std::int64_t step, double) override {
        file_ << step;
        for (const auto& [name, value] : metrics)
            file_ << ' ' << name << '=' << value;
        file_ << '\n';
    }
    void flush() override { file_.flush(); }

  private:
    std::string path_;
    std::ofstream file_;
};

}  // namespace

TRAINYARD_PLUGIN("spirals", [](plugin::Registry& registry) {
    registry.add_model("mlp", [](const plugin::Arguments& arguments) { return std::make_shared<Mlp>(arguments); });
    registry.add_data_set("spirals",
                          [](const plugin::Arguments& arguments) { return std::make_unique<Spirals>(arguments); });
    registry.add_loss("focal", focal_loss);
    registry.add_step("jitter", [] { return std::make_unique<Jitter>(); });
    registry.add_metric("confidence", [] { return std::make_unique<Confidence>(); });
    registry.add_tracker("text_log",
                         [](const plugin::TrackerContext& context) { return std::make_unique<TextLog>(context); });
})
