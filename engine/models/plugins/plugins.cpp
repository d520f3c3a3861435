// SPDX-License-Identifier: GPL-3.0-or-later
#include "models/plugins/plugins.h"

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
    Rows<plugin::MetricFactory> metrics;
};

/// For the rest of the process: a library is not taken out again, since its objects may live on.
Loaded& loaded() {
    static auto* all = new Loaded;
    return *all;
}

class Filling final : public plugin::Registry {
  public:
    Filling(Loaded& all, std::string name) : all_(all), name_(std::move(name)) {}
    void add_model(const std::string& name, plugin::ModelFactory make) override {
        add(all_.models, "model", name, std::move(make));
    }
    void add_data_set(const std::string& name, plugin::DataFactory make) override {
        add(all_.data_sets, "data set", name, std::move(make));
    }
    void add_loss(const std::string& name, plugin::Loss loss) override {
        add(all_.losses, "loss", name, std::move(loss));
    }
    void add_metric(const std::string& name, plugin::MetricFactory make) override {
        add(all_.metrics, "metric", name, std::move(make));
    }

  private:
    template <class Thing>
    void add(Rows<Thing>& rows, const char* kind, const std::string& name, Thing thing) {
        const auto [row, made] = rows.try_emplace(name, Row<Thing>{name_, std::move(thing)});
        if (!made)
            throw UserError(
                "two plug-ins, {} and {}, have a {} named '{}': name one of them in plugins, or "
                "rename it",
                row->second.plugin, name_, kind, name);
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
    plugin->fill(filling);
    all.files.emplace(path, plugin->name);
}

template <class Thing>
Message unknown(const char* kind, const std::string& name, const Rows<Thing>& rows, const Loaded& all) {
    std::vector<std::string> names, files;
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
const Row<Thing>& row_named(const char* key, const char* kind, const std::string& name, const Rows<Thing>& rows) {
    std::lock_guard lock(loaded().mutex);
    const auto found = rows.find(name);
    if (found == rows.end())
        throw UserError("{}: {}", key, unknown(kind, name, rows, loaded()));
    return found->second;
}

/// Values as texts, inner tables and lists as JSON.
plugin::Arguments parsed(const std::string& json) {
    std::map<std::string, std::string> values;
    const nlohmann::json table = json.empty() ? nlohmann::json::object() : parse_json(json);
    for (const auto& [name, value] : table.items())
        values.emplace(name, value.is_string() ? value.get<std::string>() : json_text(value));
    return plugin::Arguments(std::move(values));
}

/// Calls something of a plug-in.
template <class Call>
auto guarded(const std::string& plugin, const char* kind, const std::string& name, Call call) {
    try {
        auto made = call();
        if (!made)
            throw std::runtime_error("it made nothing");
        return made;
    } catch (const UserError&) {
        throw;
    } catch (const std::exception& error) {
        throw UserError("the {} '{}' of the plug-in {}: {}", kind, name, plugin, message_of(error));
    }
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

std::shared_ptr<plugin::Model> make_model(const std::string& name, const std::string& arguments) {
    const auto& row = row_named("model.plugin", "model", name, loaded().models);
    return guarded(row.plugin, "model", name, [&] { return row.thing(parsed(arguments)); });
}

std::unique_ptr<plugin::DataSet> make_data_set(const std::string& name, const std::string& arguments) {
    const auto& row = row_named("data.plugin", "data set", name, loaded().data_sets);
    return guarded(row.plugin, "data set", name, [&] { return row.thing(parsed(arguments)); });
}

std::unique_ptr<plugin::Metric> make_metric(const std::string& name) {
    const auto& row = row_named("training.metrics", "metric", name, loaded().metrics);
    return guarded(row.plugin, "metric", name, [&] { return row.thing(); });
}

const plugin::Loss* find_loss(const std::string& name) {
    std::lock_guard lock(loaded().mutex);
    const auto found = loaded().losses.find(name);
    return found == loaded().losses.end() ? nullptr : &found->second.thing;
}

const plugin::Loss& loss_named(const std::string& name) {
    return row_named("model.loss", "loss", name, loaded().losses).thing;
}

at::Tensor counted_labels(const at::Tensor& labels) {
    return labels.is_floating_point() ? labels.isnan().logical_not() : labels.ne(kNotCounted);
}

at::Tensor summed_loss(const std::string& name, const at::Tensor& outputs, const at::Tensor& labels) {
    const at::Tensor counted = counted_labels(labels);
    at::Tensor values = loss_named(name)(outputs.to(at::kFloat), labels.masked_fill(counted.logical_not(), 0));
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

}  // namespace trainyard::plugins
