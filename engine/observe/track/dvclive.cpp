// SPDX-License-Identifier: GPL-3.0-or-later
// The files of dvclive 3.49 (Live with save_dvc_exp=False, dvcyaml=None), as Accelerate's DVCLiveTracker drives it.

#include <cmath>
#include <deque>
#include <map>
#include <optional>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "base/error.h"
#include "base/file.h"
#include "base/json.h"
#include "base/number.h"
#include "config/values/value_formats.h"
#include "observe/track/builtin.h"
#include "observe/track/line_file.h"
#include "observe/track/spelling.h"

namespace trainyard::track {

namespace {

std::vector<std::string> parts_of(const std::string& name) {
    std::vector<std::string> parts;
    for (std::size_t begin = 0; begin <= name.size();) {
        const std::size_t end = std::min(name.find('/', begin), name.size());
        if (end > begin && name.substr(begin, end - begin) != ".")
            parts.push_back(name.substr(begin, end - begin));
        begin = end + 1;
    }
    const bool outside = name.starts_with('/') || std::find(parts.begin(), parts.end(), "..") != parts.end();
    if (parts.empty() || outside || name.find('\0') != std::string::npos)
        throw UserError("dvclive writes a file named after each metric, and '{}' would be outside of its folder", name);
    return parts;
}

Value& place_of(Values& values, const std::string& key) {
    for (auto& [name, value] : values)
        if (name == key)
            return value;
    values.push_back({key, Value()});
    return values.back().value;
}

/// values[part][part]... = value
void set_inside(Values& values, const std::vector<std::string>& parts, std::size_t at, const Value& value) {
    Value& place = place_of(values, parts[at]);
    if (at + 1 == parts.size()) {
        place = value;
        return;
    }
    Values inner = place.map() ? *place.map() : Values();
    if (!place.is_null() && !place.map())
        throw UserError("dvclive has the metric '{}' already, so that '{}' cannot lie below it",
                        fmt::join(parts.begin(), parts.begin() + static_cast<std::ptrdiff_t>(at) + 1, "/"),
                        fmt::join(parts, "/"));
    set_inside(inner, parts, at + 1, value);
    place = std::move(inner);
}

class DvcLive final : public Tracker {
  public:
    explicit DvcLive(const TrackerContext& context) : folder_("dvclive") {
        check_arguments("dvclive", context.arguments, tracker_arguments("dvclive"));
        if (const Value* dir = context.arguments.find("dir"); dir != nullptr && dir->text())
            folder_ = *dir->text();
        if (const Value* resume = context.arguments.find("resume"); resume != nullptr && resume->boolean())
            resume_ = *resume->boolean();
    }

    std::string name() const override { return "dvclive"; }

    void start() override {
        make_private_folder(folder_);
        const fs::path summary = folder_ / "metrics.json";
        if (!resume_) {
            fs::remove_all(folder_ / "plots" / "metrics");
            fs::remove(summary);
            fs::remove(folder_ / "params.yaml");
        } else if (fs::exists(summary)) {
            std::vector<Problem> problems;
            const Value found = parse_json_tree(read_file(summary), summary.string(), problems,
                                                {.most_bytes = kMostJsonBytes, .twice = &problems});
            if (!problems.empty() || !found.is_map())
                throw UserError("{} is not a JSON file of metrics: the run cannot continue with it", summary.string());
            summary_ = *found.map();
            if (const Value* step = found.find("step"); step != nullptr && step->as_double() != 0)
                step_ = static_cast<std::int64_t>(step->as_double()) + 1;
        }
    }

    void store_init_configuration(const Values& configuration) override {
        for (const auto& [key, value] : configuration)
            place_of(parameters_, key) = value;
        write_file_atomically(folder_ / "params.yaml", write_yaml(parameters_, YamlStyle::ruamel), false);
    }

    void log(const Record& record, const Value& arguments) override {
        check_arguments("dvclive", arguments, {"timestamp", "plot"});
        auto flag = [&](const char* name, bool fallback) {
            const Value* given = arguments.find(name);
            return given != nullptr && given->boolean() ? *given->boolean() : fallback;
        };
        const bool timestamp = flag("timestamp", false), plot = flag("plot", true);
        const std::int64_t step = record.step.value_or(step_);
        std::string left_out;
        std::vector<Message> problems;
        for (const auto& [name, given] : flattened(record.values)) {
            Value value = given;
            if (const double* real = given.number(); real != nullptr && !std::isfinite(*real))
                value = python_float(*real);
            if (!value.is_number() && !value.text()) {
                left_out += fmt::format("{}'{}'", left_out.empty() ? "" : ", ", name);
                continue;
            }
            try {
                const std::vector<std::string> parts = parts_of(name);
                set_inside(summary_, parts, 0, value);
                if (plot)
                    waiting_.push_back(
                        {parts,
                         fmt::format("{}step\t{}", timestamp ? "timestamp\t" : "", csv_field(parts.back(), '\t')),
                         fmt::format(
                             "{}{}\t{}",
                             timestamp ? fmt::format("{}\t", static_cast<std::int64_t>(record.wall_time * 1000)) : "",
                             step, csv_field(python_text(value), '\t'))});
            } catch (const UserError& error) {
                problems.push_back(error.message());
            }
        }
        place_of(summary_, "step") = step;
        step_ = step + 1;
        changed_ = true;
        if (!left_out.empty())
            problems.push_back(Message("dvclive keeps numbers and words, not {}", left_out));
        if (!problems.empty())
            throw UserError(Message::joined(problems));
    }

    /// Lines that could not be written stay for the next call. A file that fails holds up no other.
    void flush() override {
        for (; !waiting_.empty(); waiting_.pop_front()) {
            const Line& line = waiting_.front();
            LineFile& file = file_of(line.parts);
            if (file.empty())
                file.add(line.head);
            file.add(line.text);
        }
        std::optional<UserError> failed;
        for (auto& [path, file] : files_)
            try {
                file.flush();
            } catch (const UserError& error) {
                failed = error;
            }
        if (failed)
            throw UserError(*failed);
        if (changed_)
            write_file_atomically(folder_ / "metrics.json", indented_json(summary_) + "\n", false);
        changed_ = false;
    }

    void finish() override {
        flush();
        files_.clear();
    }

  private:
    LineFile& file_of(const std::vector<std::string>& parts) {
        fs::path path = folder_ / "plots" / "metrics";
        for (const std::string& part : parts)
            path /= part;
        path += ".tsv";
        auto found = files_.find(path);
        if (found == files_.end()) {
            make_private_folder(path.parent_path());
            found = files_.try_emplace(path, path).first;
        }
        return found->second;
    }

    /// A line for the file of a metric, and the first line of a new file.
    struct Line {
        std::vector<std::string> parts;
        std::string head, text;
    };

    fs::path folder_;
    bool resume_ = false;
    bool changed_ = true;  ///< metrics.json is not the summary
    std::int64_t step_ = 0;
    Values parameters_, summary_;
    std::deque<Line> waiting_;
    std::map<fs::path, LineFile> files_;
};

}  // namespace

/// A DVCLive folder, as dvclive 3.49 writes it without a DVC repository: plots/metrics/<name>.tsv, metrics.json,
/// params.yaml. Arguments: dir ("dvclive" in the working directory when there is none), resume. Of log: timestamp,
/// plot.
TrackerKind dvclive_kind() {
    return {.name = "dvclive",
            .requires_logging_directory = false,
            .main_process_only = true,
            .make = [](const TrackerContext& context) { return std::make_unique<DvcLive>(context); },
            .available = [] { return true; }};
}

}  // namespace trainyard::track
