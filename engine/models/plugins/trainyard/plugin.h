// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
// What a plug-in includes: models, data sets, losses, steps, metrics and trackers of one's own for recipes, in a shared
// library.
//
//     class Mlp final : public trainyard::plugin::Model { ... };
//
//     TRAINYARD_PLUGIN("mine", [](trainyard::plugin::Registry& registry) {
//         registry.add_model("mlp", [](const trainyard::plugin::Arguments& a) { return
// std::make_shared<Mlp>(a.integer("width", 32)); });
//     })
//
// A recipe names the library in `plugins`, and what is in it by name: model.plugin, data.plugin, model.loss,
// training.step_function, training.metrics, logging.trackers. The folder plugin of the samples is a project to copy.
// The entry is a C function whose answer begins with the version of this interface; the rest of it are C++ objects, so
// a plug-in is built with the compiler's usual standard library and against the LibTorch of the Trainyard that loads
// it. Both versions are compared before anything else of the library is called. A plug-in runs with the rights of the
// run. It may throw: the run ends with the text of the exception, and with the names of the plug-in and the part. An
// exception of a tracker is only a warning, unless it comes from start().

#include <cstdint>
#include <functional>
#include <map>
#include <memory>
#include <stdexcept>
#include <string>
#include <utility>
#include <vector>

#include <torch/headeronly/version.h>
#include <torch/nn/module.h>

namespace trainyard::plugin {

/// Changes with every change of this file that a library built before it does not survive.
inline constexpr std::uint32_t kInterfaceVersion = 3;

/// The table model.arguments or data.arguments of the recipe. Values of inner tables and lists are JSON texts.
class Arguments {
  public:
    /// Takes the values as texts, by name.
    explicit Arguments(std::map<std::string, std::string> values) : values_(std::move(values)) {}
    /// Returns a whole number, or `otherwise` if the recipe has none. Throws std::invalid_argument for other texts.
    std::int64_t integer(const std::string& name, std::int64_t otherwise) const {
        return read<std::int64_t>(name, otherwise, "a whole number",
                                  [](const std::string& text, std::size_t* end) { return std::stoll(text, end); });
    }
    /// Returns a number, or `otherwise` if the recipe has none. Throws std::invalid_argument for other texts.
    double number(const std::string& name, double otherwise) const {
        return read<double>(name, otherwise, "a number",
                            [](const std::string& text, std::size_t* end) { return std::stod(text, end); });
    }
    /// Returns true or false, or `otherwise` if the recipe has neither. Throws std::invalid_argument for other texts.
    bool flag(const std::string& name, bool otherwise) const {
        const std::string value = text(name, otherwise ? "true" : "false");
        if (value != "true" && value != "false")
            throw std::invalid_argument("arguments." + name + " is " + value + ", and not true or false");
        return value == "true";
    }
    /// Returns a text, or `otherwise` if the recipe has none.
    std::string text(const std::string& name, const std::string& otherwise) const {
        const auto found = values_.find(name);
        return found == values_.end() ? otherwise : found->second;
    }
    /// All, for a plug-in that refuses names it does not know.
    const std::map<std::string, std::string>& values() const { return values_; }

  private:
    template <class Number, class Parse>
    Number read(const std::string& name, Number otherwise, const char* kind, Parse parse) const {
        const auto found = values_.find(name);
        if (found == values_.end())
            return otherwise;
        try {
            std::size_t end = 0;
            const auto value = static_cast<Number>(parse(found->second, &end));
            if (end == found->second.size())
                return value;
        } catch (const std::exception&) {
            // said below
        }
        throw std::invalid_argument("arguments." + name + " is " + found->second + ", and not " + kind);
    }
    std::map<std::string, std::string> values_;
};

/// Tensors of a batch, whose rows are its samples, under the names of Hugging Face: input_ids, attention_mask,
/// token_type_ids, pixel_values; of a data set of a plug-in under the names that it gives.
using Inputs = std::map<std::string, at::Tensor>;

/// A network. Parameters and buffers are those that it registers (register_module, register_parameter); their values
/// when it has been made are those that training starts from. Random numbers depend on the recipe's seed and the step.
/// Parameters are fp32. They are trained, saved (safetensors, under their names here) and shared out by the engine.
class Model : public torch::nn::Module {
  public:
    /// Outputs, whose rows are the samples': logits for the losses of the tasks.
    virtual at::Tensor forward(const Inputs& inputs) = 0;
};

/// Samples at any position; sample() is called from several threads.
class DataSet {
  public:
    virtual ~DataSet() = default;
    /// Returns the number of samples.
    virtual std::int64_t size() const = 0;
    /// Tensors without a dimension for the batch, of the same names and shapes for every sample, on the CPU: "labels",
    /// and the model's inputs. Labels that are not counted are -100, or NaN where labels are real numbers.
    virtual std::map<std::string, at::Tensor> sample(std::int64_t index) const = 0;
};

/// A value for every sample [rows], or for every label: the engine leaves out those whose labels are not counted, adds
/// the others up, and divides by the labels of the step on all ranks. `outputs` are fp32.
using Loss = std::function<at::Tensor(const at::Tensor& outputs, const at::Tensor& labels)>;

/// The place of a micro-batch in a run.
struct StepPlace {
    std::int64_t step = 0;          ///< -1: of an evaluation
    std::int64_t first_sample = 0;  ///< number of its first row within the step, over all ranks
    std::uint64_t seed = 0;         ///< of the run
    bool training = true;           ///< off: an evaluation
};

/// How a micro-batch is computed: what the model reads of it, and its loss. Several ranks may compute parts of one
/// micro-batch (stages of a pipeline, parts of layers): each of them calls these functions with the same batch, so what
/// they do depends on their arguments alone.
class Step {
  public:
    virtual ~Step() = default;
    /// Changes the batch before the model reads it: tensors under the names of Inputs, and "labels". The number of rows
    /// and the names input_ids and labels stay.
    virtual void prepare(Inputs& batch, const StepPlace& place) const {
        (void)batch;
        (void)place;
    }
    /// Whether loss() replaces the loss of the task.
    virtual bool has_loss() const { return false; }
    /// As Loss, with everything that the batch has. Of language models outputs are [rows, positions, vocabulary], and
    /// labels [rows, positions] what each position predicts.
    virtual at::Tensor loss(const at::Tensor& outputs, const at::Tensor& labels, const Inputs& batch) const {
        (void)labels;
        (void)batch;
        return outputs;
    }
};

/// A figure of an evaluation, from sums that are added over batches and ranks.
class Metric {
  public:
    /// Starts with `size` sums that are 0.
    explicit Metric(std::size_t size) : sums(size, 0.0) {}
    virtual ~Metric() = default;
    /// Adds a batch to the sums. `outputs` are fp32.
    virtual void update(const at::Tensor& outputs, const at::Tensor& labels) = 0;
    /// Returns the figure from the sums of all batches and ranks.
    virtual double value() const = 0;
    /// Sums that update() adds to and the engine adds up over the ranks.
    std::vector<double> sums;
};

/// Arguments for the constructor of a tracker.
struct TrackerContext {
    std::string project;  ///< name of the run
    std::string folder;   ///< of the run, for files of trackers; it exists
};

/// A place where the metrics of a run go: those of logging.trackers. Rank 0 has it. Calls come from one thread at a
/// time, which is not that of training, so they may block. A full queue drops records, which is reported.
class Tracker {
  public:
    virtual ~Tracker() = default;
    /// Called before training. If it throws, the run does not start.
    virtual void start() {}
    /// Metrics of a step by name, e.g. train/loss. `wall_time` is in seconds since 1970.
    virtual void log(const std::vector<std::pair<std::string, double>>& metrics, std::int64_t step,
                     double wall_time) = 0;
    /// The run continues from `step` after a restart: records of this step and later ones are obsolete.
    virtual void restart(std::int64_t step) { (void)step; }
    /// Delivers what was logged. Called when the queue is empty.
    virtual void flush() {}
    /// Called at the end, after the last record.
    virtual void finish() {}
    /// Seconds that the end of the run waits for records in the queue; those left are reported as not delivered.
    virtual double finish_timeout_s() const { return 30; }
};

using ModelFactory = std::function<std::shared_ptr<Model>(const Arguments&)>;
using DataFactory = std::function<std::unique_ptr<DataSet>(const Arguments&)>;
using StepFactory = std::function<std::unique_ptr<Step>()>;
using MetricFactory = std::function<std::unique_ptr<Metric>()>;
using TrackerFactory = std::function<std::unique_ptr<Tracker>(const TrackerContext&)>;

/// Where a plug-in puts what it has. A name that is taken ends the run with a sentence.
class Registry {
  public:
    virtual ~Registry() = default;
    /// Adds a model that recipes name by model.plugin.
    virtual void add_model(const std::string& name, ModelFactory make) = 0;
    /// Adds a data set that recipes name by data.plugin.
    virtual void add_data_set(const std::string& name, DataFactory make) = 0;
    /// Adds a loss that recipes name by model.loss.
    virtual void add_loss(const std::string& name, Loss loss) = 0;
    /// Adds a step that recipes name by training.step_function.
    virtual void add_step(const std::string& name, StepFactory make) = 0;
    /// Adds a metric that recipes name in training.metrics; evaluations report it as eval/name.
    virtual void add_metric(const std::string& name, MetricFactory make) = 0;
    /// Adds a tracker that recipes name in logging.trackers.
    virtual void add_tracker(const std::string& name, TrackerFactory make) = 0;
};

}  // namespace trainyard::plugin

/// The first field of every version of this interface is its number.
struct TrainyardPlugin {
    /// kInterfaceVersion of the header that the plug-in was built with.
    std::uint32_t interface_version;
    std::uint32_t torch_major;  ///< major version of the LibTorch that the plug-in was built with
    std::uint32_t torch_minor;  ///< minor version of that LibTorch
    /// The title of the plug-in, for messages.
    const char* name;
    /// Adds the parts of the plug-in to a registry.
    void (*fill)(trainyard::plugin::Registry& registry);
};

/// The entry: `title` names the plug-in in messages, the function after it fills the registry.
#define TRAINYARD_PLUGIN(title, ...)                                                                   \
    extern "C" __attribute__((visibility("default"))) const TrainyardPlugin* trainyard_plugin() {      \
        static const TrainyardPlugin plugin{trainyard::plugin::kInterfaceVersion, TORCH_VERSION_MAJOR, \
                                            TORCH_VERSION_MINOR, title, __VA_ARGS__};                  \
        return &plugin;                                                                                \
    }
