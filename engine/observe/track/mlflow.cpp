// SPDX-License-Identifier: GPL-3.0-or-later
#include "observe/track/mlflow.h"

#include <algorithm>
#include <cmath>
#include <cstdlib>
#include <optional>
#include <set>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "base/error.h"
#include "base/file.h"
#include "base/json_writer.h"
#include "config/values/value_formats.h"
#include "observe/track/builtin.h"
#include "observe/track/remote_tracker.h"
#include "observe/track/run_folder.h"
#include "observe/track/spelling.h"

namespace trainyard::track {

namespace {

constexpr std::size_t kMostMetrics = 1000, kMostParameters = 100;  ///< of a batch
constexpr std::size_t kLongestName = 250, kLongestParameter = 6000;

std::int64_t milliseconds(double seconds) {
    return std::llround(seconds * 1000);
}

/// The tags of arguments: texts, and numbers as texts.
MlflowTags tags_in(const Value& table) {
    MlflowTags tags;
    for (const auto& [key, value] : table.entries())
        tags.emplace_back(mlflow_name(key), python_str(value));
    return tags;
}

/// Names that MLflow accepts. Those that are equal after the replacement of characters get a number.
class AcceptedNames {
  public:
    std::string add(const std::string& name) {
        const std::string accepted = mlflow_name(name);
        std::string own = accepted;
        for (int number = 2; !given_.insert(own).second; ++number)
            own = fmt::format("{}_{}", accepted, number);
        return own;
    }

  private:
    std::set<std::string> given_;
};

class Mlflow final : public Service {
  public:
    Mlflow(const Value& open, std::stop_token stop) : open_(open) {
        const Value* settings = open.find("settings");
        const std::string address = settings == nullptr ? "" : text_in(*settings, "address");
        store_ = address.starts_with("http://") || address.starts_with("https://")
                     ? make_mlflow_server(address, std::move(stop))
                     : make_mlflow_folder(address);
    }

    std::size_t deliver(std::span<const Value> entries, Values& memory) override {
        if (entry_of(memory, "run") == nullptr)
            open_run(number_in(entries.front(), "time"), memory);
        const Value known(memory);
        const std::string run = text_in(known, "run");
        if (entries.front().find("values") != nullptr)
            return log_values(run, entries);
        deliver_one(run, text_in(known, "artifacts"), entries.front(), memory);
        return 1;
    }

  private:
    void open_run(double time, Values& memory) {
        const Value* settings = open_.find("settings");
        const Value none = Values();
        const Value& given = settings == nullptr ? none : *settings;
        if (const std::string known = text_in(given, "run_id"); !known.empty()) {
            const auto [run, artifacts] = store_->find_run(known);
            store_->set_status(run, MlflowStatus::running, milliseconds(time));
            set_value(memory, "run", run);
            set_value(memory, "artifacts", artifacts);
            return;
        }
        const Value* named = given.find("tags");
        const MlflowTags own = named == nullptr ? MlflowTags() : tags_in(*named);
        if (entry_of(memory, "experiment") == nullptr)
            set_value(memory, "experiment", store_->experiment(text_in(given, "experiment"), own));
        const std::string experiment = entry_of(memory, "experiment")->value.display();
        MlflowTags tags{{"mlflow.source.name", "trainyard"}, {"mlflow.source.type", "LOCAL"}};
        const std::string name = text_in(given, "run_name");
        if (!name.empty())
            tags.emplace_back("mlflow.runName", name);
        if (const std::string note = text_in(given, "description"); !note.empty())
            tags.emplace_back("mlflow.note.content", note);
        tags.insert(tags.end(), own.begin(), own.end());
        const auto [run, artifacts] = store_->create_run(experiment, name, milliseconds(time), tags);
        set_value(memory, "run", run);
        set_value(memory, "artifacts", artifacts);
    }

    /// Sends the metrics of as many entries as a batch takes.
    std::size_t log_values(const std::string& run, std::span<const Value> entries) {
        for (std::size_t most = entries.size();; most = std::max<std::size_t>(1, most / 2)) {
            std::vector<MlflowMetric> metrics;
            std::size_t count = 0;
            for (; count < most; ++count) {
                const Value* values = entries[count].find("values");
                if (values == nullptr)
                    break;
                std::vector<MlflowMetric> more = metrics_of(entries[count], *values);
                if (count > 0 && metrics.size() + more.size() > kMostMetrics)
                    break;
                metrics.insert(metrics.end(), more.begin(), more.end());
            }
            if (count == 1) {  // alone, so that one metric that is refused loses no other
                if (const std::optional<Message> refusal = log_metrics(run, metrics))
                    throw UserError(*refusal);
                return count;
            }
            try {
                if (!metrics.empty())
                    store_->log_batch(run, metrics, {});
                return count;
            } catch (const ServiceUnavailable&) {
                throw;
            } catch (const UserError&) {  // one metric that is refused refuses all of its batch
                most = count;
            }
        }
    }

    /// Sends metrics, and those of a batch that the server refuses in halves: some servers take fewer than MLflow's
    /// own. Returns the reason for the first single metric that is refused.
    std::optional<Message> log_metrics(const std::string& run, const std::vector<MlflowMetric>& metrics) {
        if (metrics.empty())
            return std::nullopt;
        if (metrics.size() <= kMostMetrics)
            try {
                store_->log_batch(run, metrics, {});
                return std::nullopt;
            } catch (const ServiceUnavailable&) {
                throw;
            } catch (const UserError& refusal) {
                if (metrics.size() == 1)
                    return refusal.message();
            }
        const auto middle = metrics.begin() + static_cast<std::ptrdiff_t>((metrics.size() + 1) / 2);
        std::optional<Message> first = log_metrics(run, {metrics.begin(), middle});
        std::optional<Message> second = log_metrics(run, {middle, metrics.end()});
        return first ? first : second;
    }

    /// The numbers of an entry; names of dictionaries are flat. Texts and lists are not metrics.
    static std::vector<MlflowMetric> metrics_of(const Value& entry, const Value& values) {
        std::vector<MlflowMetric> metrics;
        AcceptedNames names;
        for (const auto& [name, value] : flattened(values.entries()))
            if (value.is_number())
                metrics.push_back({names.add(name), value.as_double(), milliseconds(number_in(entry, "time")),
                                   integer_in(entry, "step")});
        return metrics;
    }

    void deliver_one(const std::string& run, const std::string& artifacts, const Value& entry, Values& memory) {
        const std::int64_t time = milliseconds(number_in(entry, "time"));
        if (const Value* configuration = entry.find("configuration")) {
            log_parameters(run, configuration->entries());
        } else if (entry.find("pictures") != nullptr) {
            log_pictures(artifacts, entry, time);
        } else if (entry.find("table") != nullptr) {
            log_table(run, artifacts, entry, memory);
        } else if (entry.find("artifact") != nullptr) {
            store_->add_artifact(artifacts, text_in(entry, "name"), text_in(entry, "artifact"));
        } else if (entry.find("restart") != nullptr) {
            store_->set_status(run, MlflowStatus::running, time);
        } else if (entry.find("finish") != nullptr) {
            store_->set_status(run, MlflowStatus::finished, time);
        }
    }

    void log_parameters(const std::string& run, const Values& configuration) {
        MlflowTags parameters;
        AcceptedNames names;
        std::vector<std::string> too_long;
        for (const auto& [key, value] : configuration) {
            std::string text = python_str(value);
            if (text.size() > kLongestParameter)
                too_long.push_back(key);
            else
                parameters.emplace_back(names.add(key), std::move(text));
        }
        for (std::size_t at = 0; at < parameters.size(); at += kMostParameters)
            store_->log_batch(
                run, {},
                {parameters.begin() + static_cast<std::ptrdiff_t>(at),
                 parameters.begin() + static_cast<std::ptrdiff_t>(std::min(at + kMostParameters, parameters.size()))});
        if (!too_long.empty())
            throw UserError("MLflow takes parameters of at most {} characters, and these are longer: {}",
                            kLongestParameter, fmt::join(too_long, ", "));
    }

    /// As mlflow.log_image names them, so that the charts of its pages show them.
    void log_pictures(const std::string& artifacts, const Value& entry, std::int64_t time) {
        std::string name = text_in(entry, "pictures");
        std::ranges::replace(name, '/', '#');
        if (const Value* files = entry.find("files"))
            for (const Value& file : files->items()) {
                const fs::path path = file.display();
                store_->add_artifact(artifacts,
                                     fmt::format("images/{}%step%{}%timestamp%{}%{}.png", name,
                                                 integer_in(entry, "step"), time, path.stem().string()),
                                     path);
            }
    }

    /// As mlflow.log_table stores it: columns and data as JSON, named in a tag of the run.
    void log_table(const std::string& run, const std::string& artifacts, const Value& entry, Values& memory) {
        const Value none;
        const auto part = [&](const char* key) {
            const Value* found = entry.find(key);
            return found == nullptr ? none : *found;
        };
        std::string name = text_in(entry, "table");
        if (const Value* step = entry.find("step"))
            name += "_" + step->display();
        name += ".json";
        JsonWriter json;
        write_json_tree(json, Values{{"columns", part("columns")}, {"data", part("rows")}}, JsonTree::exact);
        const TemporaryFolder temporary;
        const fs::path& folder = temporary.path();
        write_file_atomically(folder / "table.json", json.take(), false);
        store_->add_artifact(artifacts, name, folder / "table.json");
        Value::List tables;
        if (const Entry* known = entry_of(memory, "tables"))
            tables = known->value.items();
        tables.emplace_back(Values{{"path", name}, {"type", "table"}});
        set_value(memory, "tables", tables);
        store_->set_tag(run, "mlflow.loggedArtifacts", json_text(Value(tables)));
    }

    const Value open_;
    std::unique_ptr<MlflowStore> store_;
};

/// The address of the store. Throws UserError.
std::string store_address(const TrackerContext& context) {
    std::string address = text_in(context.arguments, "tracking_uri", environment_text("MLFLOW_TRACKING_URI"));
    const fs::path base = context.logging_dir.empty() ? fs::path(".") : context.logging_dir;
    if (address.empty())
        return fs::absolute(base / "mlruns").lexically_normal().string();
    if (address.starts_with("http://") || address.starts_with("https://")) {
        while (address.ends_with('/'))
            address.pop_back();
        return without_credentials(address);
    }
    if (address.starts_with("file:")) {
        address.erase(0, 5);
        if (address.starts_with("//"))
            address.erase(0, 2);
    } else if (address.find("://") != std::string::npos || address == "databricks" || address == "uc") {
        throw UserError(
            "the tracker 'mlflow' writes to servers (http:, https:) and folders, not to {}: start "
            "`mlflow server` for it, and set MLFLOW_TRACKING_URI to the address of that server",
            without_credentials(address));
    }
    return fs::absolute(address).lexically_normal().string();
}

/// Variables win over arguments, as in Accelerate.
Values mlflow_settings(const TrackerContext& context) {
    check_arguments("mlflow", context.arguments, tracker_arguments("mlflow"));
    const auto chosen = [&](const char* variable, const char* argument, const std::string& fallback = {}) {
        const std::string set = environment_text(variable);
        return set.empty() ? text_in(context.arguments, argument, fallback) : set;
    };
    Value tags;
    if (const std::string set = environment_text("MLFLOW_TAGS"); !set.empty()) {
        std::vector<Problem> problems;
        tags = parse_json_tree(set, "MLFLOW_TAGS", problems, {.twice = &problems});
        if (!tags.is_map())
            throw UserError("MLFLOW_TAGS is not a JSON object, for example {{\"team\": \"a\"}}: {}", set);
    } else if (const Value* given = context.arguments.find("tags")) {
        tags = *given;
        if (!tags.is_map() && !tags.is_null())
            throw UserError("the argument tags of the tracker 'mlflow' must be a table of texts, not {}",
                            tags.description());
    }
    return {{"address", store_address(context)},
            {"experiment", chosen("MLFLOW_EXPERIMENT_NAME", "experiment_name", context.project)},
            {"run_id", chosen("MLFLOW_RUN_ID", "run_id")},
            {"run_name", text_in(context.arguments, "run_name")},
            {"description", text_in(context.arguments, "description")},
            {"tags", tags}};
}

}  // namespace

std::string mlflow_name(const std::string& name) {
    std::string accepted;
    for (const char c : name) {
        const auto byte = static_cast<unsigned char>(c);
        const bool known =
            std::isalnum(byte) != 0 || byte >= 0x80 || std::string_view("_-. :/").find(c) != std::string_view::npos;
        if (c == '/' && (accepted.empty() || accepted.ends_with('/')))
            continue;  // MLflow takes names for paths
        accepted += known ? c : '_';
    }
    while (accepted.ends_with('/'))
        accepted.pop_back();
    // A part of dots alone would be another path.
    std::string path;
    for (std::size_t begin = 0; begin <= accepted.size();) {
        const std::size_t end = std::min(accepted.find('/', begin), accepted.size());
        std::string part = accepted.substr(begin, end - begin);
        if (part == "." || part == "..")
            std::ranges::fill(part, '_');
        path += (begin == 0 ? "" : "/") + part;
        begin = end + 1;
    }
    if (path.size() > kLongestName) {  // a part of its hash keeps long names apart
        const std::string hash = "_" + sha256_hex(path).substr(0, 8);
        path.resize(kLongestName - hash.size());
        while (!path.empty() && (static_cast<unsigned char>(path.back()) & 0xC0) == 0x80)
            path.pop_back();  // the rest of a character
        if (!path.empty() && (static_cast<unsigned char>(path.back()) & 0x80) != 0)
            path.pop_back();
        path += hash;
    }
    return path.empty() ? "_" : path;
}

void copy_artifact(const fs::path& folder, const std::string& path, const fs::path& file) {
    const fs::path to = (folder / path).lexically_normal();
    fs::create_directories(to.parent_path());
    fs::copy_file(file, to, fs::copy_options::overwrite_existing);
}

/// MLflow: a server (REST API 2.0) or a folder, named by MLFLOW_TRACKING_URI; without it `mlruns` in the logging
/// directory. Credentials: MLFLOW_TRACKING_USERNAME and _PASSWORD, MLFLOW_TRACKING_TOKEN, ~/.mlflow/credentials,
/// ~/.netrc.
/// Arguments: experiment_name, run_id, run_name, tags, description, tracking_uri; nested_run has no meaning here,
/// because a
/// process has one run. Numbers are metrics, also those of dictionaries; other values are left out.
TrackerKind mlflow_kind() {
    return remote_kind({.name = "mlflow",
                        .settings = mlflow_settings,
                        .make = [](const Value& open, std::stop_token stop) -> std::unique_ptr<Service> {
                            return std::make_unique<Mlflow>(open, std::move(stop));
                        },
                        .keeps_pictures = true,
                        .keeps_tables = true,
                        .keeps_artifacts = true});
}

}  // namespace trainyard::track
