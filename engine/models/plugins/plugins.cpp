// SPDX-License-Identifier: GPL-3.0-or-later
#include "models/plugins/plugins.h"

#include <algorithm>
#include <filesystem>
#include <mutex>

#include <fmt/format.h>
#include <fmt/ranges.h>
#include <nlohmann/json.hpp>

#include "base/error.h"
#include "base/json.h"
#include "base/json_writer.h"
#include "base/shared_library.h"
#include "base/text.h"
#include "config/recipe/tracker_names.h"

namespace trainyard::plugins {

namespace {

constexpr const char* kEntry = "trainyard_plugin";
constexpr std::int64_t kNotCounted = -100;  ///< transformers' mark

/// An object that a plug-in has registered, with the name of the plug-in.
template <class Thing>
struct Row {
    std::string plugin;
    Thing thing;
};
template <class Thing>
using Rows = std::map<std::string, Row<Thing>>;

struct Loaded {
    std::mutex mutex;
    std::map<std::string, std::string> files;  ///< canonical path, name of the plug-in
    Rows<plugin::ModelFactory> models;
    Rows<plugin::DataFactory> data_sets;
    Rows<plugin::Loss> losses;
    Rows<plugin::StepFactory> steps;
    Rows<plugin::MetricFactory> metrics;
    Rows<plugin::TrackerFactory> trackers;
};

/// The key of recipes that names a part, and what messages call it.
struct PartWords {
    const char* key;
    const char* kind;
};
PartWords words_of(Part part) {
    switch (part) {
        case Part::model:
            return {"model.plugin", "model"};
        case Part::data_set:
            return {"data.plugin", "data set"};
        case Part::loss:
            return {"model.loss", "loss"};
        case Part::step:
            return {"training.step_function", "step"};
        case Part::metric:
            return {"training.metrics", "metric"};
        case Part::tracker:
            break;
    }
    return {"logging.trackers", "tracker"};
}

std::vector<std::string> tracker_names() {
#define TRAINYARD_TRACKER_NAME(NAME) #NAME,
    return {TRAINYARD_TRACKERS(TRAINYARD_TRACKER_NAME)};
#undef TRAINYARD_TRACKER_NAME
}

/// For the rest of the process: a library is not taken out again, since its objects may live on.
Loaded& loaded() {
    static auto* all = new Loaded;
    return *all;
}

class Filling final : public plugin::Registry {
  public:
    Filling(Loaded& all, std::string name) : all_(all), name_(std::move(name)) {}
    void add_model(const std::string& name, plugin::ModelFactory make) override {
        add(all_.models, Part::model, name, std::move(make));
    }
    void add_data_set(const std::string& name, plugin::DataFactory make) override {
        add(all_.data_sets, Part::data_set, name, std::move(make));
    }
    void add_loss(const std::string& name, plugin::Loss loss) override {
        add(all_.losses, Part::loss, name, std::move(loss));
    }
    void add_step(const std::string& name, plugin::StepFactory make) override {
        add(all_.steps, Part::step, name, std::move(make));
    }
    void add_metric(const std::string& name, plugin::MetricFactory make) override {
        add(all_.metrics, Part::metric, name, std::move(make));
    }
    void add_tracker(const std::string& name, plugin::TrackerFactory make) override {
        if (const std::vector<std::string> own = tracker_names(); std::ranges::find(own, name) != own.end())
            throw UserError("Trainyard has a tracker named '{}': give the tracker of the plug-in another name", name);
        add(all_.trackers, Part::tracker, name, std::move(make));
    }

  private:
    template <class Thing>
    void add(Rows<Thing>& rows, Part part, const std::string& name, Thing thing) {
        const auto [row, made] = rows.try_emplace(name, Row<Thing>{name_, std::move(thing)});
        if (!made)
            throw UserError(
                "two plug-ins, {} and {}, have a {} named '{}': name one of them in plugins, or "
                "rename it",
                row->second.plugin, name_, words_of(part).kind, name);
    }
    Loaded& all_;
    std::string name_;
};

void load_one(const std::string& file, Loaded& all) {
    std::error_code error;
    const std::string path = std::filesystem::weakly_canonical(file, error).string();
    if (all.files.contains(path))
        return;
    void* library = load_shared_library(file);
    const auto entry = reinterpret_cast<const TrainyardPlugin* (*)()>(find_symbol(library, kEntry));
    if (entry == nullptr)
        throw UserError(
            "{} is a shared library and no plug-in, because it has no entry {}(): write "
            "TRAINYARD_PLUGIN(...) in one of its files",
            file, kEntry);
    const TrainyardPlugin* plugin = entry();
    if (plugin == nullptr || plugin->interface_version != plugin::kInterfaceVersion)
        throw UserError(
            "{} was built for version {} of the plug-in interface, and this Trainyard has version "
            "{}: build it again with this Trainyard's headers",
            file, plugin == nullptr ? 0 : plugin->interface_version, plugin::kInterfaceVersion);
    if (plugin->torch_major != TORCH_VERSION_MAJOR || plugin->torch_minor != TORCH_VERSION_MINOR)
        throw UserError(
            "{} was built against LibTorch {}.{}, and this Trainyard has {}.{}: build it "
            "again",
            file, plugin->torch_major, plugin->torch_minor, TORCH_VERSION_MAJOR, TORCH_VERSION_MINOR);
    Filling filling(all, plugin->name);
    try {
        plugin->fill(filling);
    } catch (const UserError&) {
        throw;
    } catch (...) {
        throw UserError("the plug-in {} ({}) failed while it registered its parts: {}", plugin->name, file,
                        current_message());
    }
    all.files.emplace(path, plugin->name);
}

template <class Thing>
Message unknown(Part part, const std::string& name, const Rows<Thing>& rows, const Loaded& all) {
    const char* kind = words_of(part).kind;
    std::vector<std::string> names, files;
    if (part == Part::tracker)
        names = tracker_names();
    for (const auto& row : rows)
        names.push_back(row.first);
    for (const auto& file : all.files)
        files.push_back(file.first);
    if (files.empty())
        return Message("'{}' is a {} of a plug-in, and none is loaded: name its shared library in plugins", name, kind);
    if (names.empty())
        return Message("{} has no {}, so none is named '{}'", fmt::join(files, ", "), kind, name);
    return Message("{} has no {} named '{}'{}", fmt::join(files, ", "), kind, name, text::did_you_mean(name, names));
}

template <class Thing>
const Row<Thing>& row_named(Part part, const std::string& name, const Rows<Thing>& rows) {
    std::lock_guard lock(loaded().mutex);
    const auto found = rows.find(name);
    if (found == rows.end())
        throw UserError("{}: {}", words_of(part).key, unknown(part, name, rows, loaded()));
    return found->second;
}

/// Calls `work` with the rows of a part.
template <class Work>
auto with_rows(Part part, Work work) {
    switch (part) {
        case Part::model:
            return work(loaded().models);
        case Part::data_set:
            return work(loaded().data_sets);
        case Part::loss:
            return work(loaded().losses);
        case Part::step:
            return work(loaded().steps);
        case Part::metric:
            return work(loaded().metrics);
        case Part::tracker:
            break;
    }
    return work(loaded().trackers);
}

/// Values as texts, inner tables and lists as JSON.
plugin::Arguments parsed(const std::string& json) {
    std::map<std::string, std::string> values;
    const nlohmann::json table = json.empty() ? nlohmann::json::object() : parse_json(json);
    for (const auto& [name, value] : table.items())
        values.emplace(name, value.is_string() ? value.get<std::string>() : json_text(value));
    return plugin::Arguments(std::move(values));
}

/// Calls a factory of a plug-in.
template <class Call>
auto make_part(Part part, const std::string& name, Call call) {
    return call_part(part, name, [&] {
        auto made = call();
        if (!made)
            throw std::runtime_error("it made nothing");
        return made;
    });
}

}  // namespace

void load(const std::vector<std::string>& files) {
    std::lock_guard lock(loaded().mutex);
    for (const std::string& file : files)
        try {
            load_one(file, loaded());
        } catch (const std::exception& error) {
            throw UserError("plugins: {}", message_of(error));
        }
}

std::string plugin_of(Part part, const std::string& name) {
    return with_rows(part, [&](const auto& rows) { return row_named(part, name, rows).plugin; });
}

void require(Part part, const std::string& name) {
    (void)plugin_of(part, name);
}

std::vector<std::string> names_of(Part part) {
    std::lock_guard lock(loaded().mutex);
    return with_rows(part, [](const auto& rows) {
        std::vector<std::string> names;
        for (const auto& row : rows)
            names.push_back(row.first);
        return names;
    });
}

Message current_message() {
    try {
        throw;
    } catch (const std::exception& error) {
        return message_of(error);
    } catch (...) {
        return "an exception that is not a std::exception";
    }
}

void rethrow_with_names(Part part, const std::string& name) {
    throw UserError("the {} '{}' of the plug-in {}: {}", words_of(part).kind, name, plugin_of(part, name),
                    current_message());
}

std::shared_ptr<plugin::Model> make_model(const std::string& name, const std::string& arguments) {
    const auto& row = row_named(Part::model, name, loaded().models);
    return make_part(Part::model, name, [&] { return row.thing(parsed(arguments)); });
}

std::unique_ptr<plugin::DataSet> make_data_set(const std::string& name, const std::string& arguments) {
    const auto& row = row_named(Part::data_set, name, loaded().data_sets);
    return make_part(Part::data_set, name, [&] { return row.thing(parsed(arguments)); });
}

std::unique_ptr<plugin::Step> make_step(const std::string& name) {
    const auto& row = row_named(Part::step, name, loaded().steps);
    return make_part(Part::step, name, [&] { return row.thing(); });
}

std::unique_ptr<plugin::Metric> make_metric(const std::string& name) {
    const auto& row = row_named(Part::metric, name, loaded().metrics);
    return make_part(Part::metric, name, [&] { return row.thing(); });
}

std::unique_ptr<plugin::Tracker> make_tracker(const std::string& name, const plugin::TrackerContext& context) {
    const auto& row = row_named(Part::tracker, name, loaded().trackers);
    return make_part(Part::tracker, name, [&] { return row.thing(context); });
}

const plugin::Loss& loss_named(const std::string& name) {
    return row_named(Part::loss, name, loaded().losses).thing;
}

at::Tensor counted_labels(const at::Tensor& labels) {
    return labels.is_floating_point() ? labels.isnan().logical_not() : labels.ne(kNotCounted);
}

namespace {

/// `values_of` gives those of labels that are 0 where they do not count.
template <class ValuesOf>
at::Tensor sum_of_values(Part part, const std::string& name, const at::Tensor& labels, ValuesOf values_of) {
    const at::Tensor counted = counted_labels(labels);
    at::Tensor values = call_part(part, name, [&] { return values_of(labels.masked_fill(counted.logical_not(), 0)); });
    at::Tensor mask = counted;
    if (values.dim() == 1 && labels.dim() > 1)
        mask = counted.flatten(1).any(1);
    if (!values.sizes().equals(mask.sizes()))
        throw UserError(
            "the loss '{}' gives values of shape [{}], and the labels have the shape [{}]: give a "
            "value for each sample, or for each label",
            name, fmt::join(values.sizes(), ", "), fmt::join(labels.sizes(), ", "));
    return values.mul(mask.to(values.scalar_type())).sum(at::kDouble);
}

}  // namespace

at::Tensor summed_loss(const std::string& name, const at::Tensor& outputs, const at::Tensor& labels) {
    const plugin::Loss& loss = loss_named(name);
    return sum_of_values(Part::loss, name, labels,
                         [&](const at::Tensor& counted) { return loss(outputs.to(at::kFloat), counted); });
}

at::Tensor summed_loss(const plugin::Step& step, const std::string& name, const at::Tensor& outputs,
                       const at::Tensor& labels, const plugin::Inputs& batch) {
    return sum_of_values(Part::step, name, labels,
                         [&](const at::Tensor& counted) { return step.loss(outputs.to(at::kFloat), counted, batch); });
}

}  // namespace trainyard::plugins
