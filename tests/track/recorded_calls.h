// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
// Recorded calls of the golden topic `trackers`, made through our trackers. What Python has and we have not: tensors
// and
// NumPy's numbers are numbers and lists here, tuples are lists, and values of an unknown class are left out.

#include <cstdlib>
#include <filesystem>
#include <functional>
#include <limits>
#include <memory>
#include <optional>
#include <regex>
#include <stdexcept>
#include <string>
#include <utility>
#include <vector>

#include <nlohmann/json.hpp>

#include "base/file.h"
#include "base/json.h"
#include "config/values/value_formats.h"
#include "observe/track/trackers.h"
#include "support/golden.h"
#include "support/temporary_folder.h"

namespace trainyard::test {

inline Value golden_tracker(const std::string& name) {
    const std::filesystem::path file = golden("trackers") / (name + ".json");
    std::vector<Problem> problems;
    Value found = parse_json_tree(read_file(file), file.string(), problems,
                                  {.most_nodes = 1u << 22, .most_bytes = 64u << 20, .twice = &problems});
    for (const Problem& problem : problems)
        throw std::runtime_error(problem.text().text());
    return found;
}

inline const Value& part(const Value& table, const char* key) {
    static const Value none;
    const Value* found = table.find(key);
    return found == nullptr ? none : *found;
}

/// JSON as Python writes it: numbers that are not finite are words, which become texts here.
inline nlohmann::json read_python_json(const std::string& text) {
    static const std::regex words(": (-?Infinity|NaN)(?=[,}])|:(-?Infinity|NaN)(?=[,}])");
    return read_json(std::regex_replace(text, words, ": \"$1$2\""));
}

/// Sets variables of the environment until the end of the test.
class Variables {
  public:
    void set(const std::string& name, const std::string& value) {
        ::setenv(name.c_str(), value.c_str(), 1);
        names_.push_back(name);
    }
    static void remove(const std::string& name) { ::unsetenv(name.c_str()); }
    ~Variables() {
        for (const std::string& name : names_)
            ::unsetenv(name.c_str());
    }

  private:
    std::vector<std::string> names_;
};

/// Another working directory until the end of the test.
class WorkingFolder {
  public:
    explicit WorkingFolder(const std::filesystem::path& folder) : before_(std::filesystem::current_path()) {
        std::filesystem::create_directories(folder);
        std::filesystem::current_path(folder);
    }
    ~WorkingFolder() { std::filesystem::current_path(before_); }

  private:
    std::filesystem::path before_;
};

class RecordedCalls {
  public:
    RecordedCalls(std::string tracker, std::vector<std::string> runs = {})
        : tracker_(std::move(tracker)), runs_(std::move(runs)) {}

    /// Calls that threw, by their message.
    std::vector<std::string> thrown;
    /// Problems of the trackers.
    std::vector<Message> problems;

    void make(const Value& input) {
        const bool main = !(part(input, "off_main").boolean() != nullptr && *part(input, "off_main").boolean());
        for (const Value& event : part(input, "events").items()) {
            const std::string call = part(event, "call").display();
            try {
                make_call(call, event, main);
            } catch (const std::exception& error) {
                thrown.emplace_back(error.what());
            }
        }
        finish();
    }

    /// A value as we have it; nothing for one of an unknown class.
    std::optional<Value> value_of(const Value& recorded) const {
        if (const Value* number = recorded.find("$number"))
            return number->display() == "nan"    ? std::numeric_limits<double>::quiet_NaN()
                   : number->display() == "-inf" ? -std::numeric_limits<double>::infinity()
                                                 : std::numeric_limits<double>::infinity();
        if (const Value* tensor = recorded.find("$tensor"))
            return *tensor;
        if (const Value* tuple = recorded.find("$tuple"))
            return *tuple;
        if (const Value* numpy = recorded.find("$numpy")) {
            const Value& number = numpy->items().at(0);
            return numpy->items().at(1).display() == "float32" ? Value(double{static_cast<float>(number.as_double())})
                                                               : number;
        }
        if (recorded.find("$object") != nullptr)
            return std::nullopt;
        if (const Value* run = recorded.find("$run"))
            return runs_.at(static_cast<std::size_t>(run->as_double()));
        if (const Value* repeat = recorded.find("$repeat")) {
            std::string text;
            for (int i = 0; i < repeat->items().at(1).as_double(); ++i)
                text += repeat->items().at(0).display();
            return text;
        }
        if (recorded.is_map())
            return values_of(recorded);
        if (recorded.is_list()) {
            Value::List list;
            for (const Value& item : recorded.items())
                if (std::optional<Value> one = value_of(item))
                    list.push_back(*one);
            return list;
        }
        return recorded;
    }

    track::Values values_of(const Value& recorded) const {
        track::Values values;
        for (const auto& [key, value] : recorded.entries())
            if (std::optional<Value> one = value_of(value))
                values.push_back({key, *one});
        return values;
    }

    /// Called with the trackers before they end.
    std::function<void(track::Trackers&)> before_end = {};

  private:
    void make_call(const std::string& call, const Value& event, bool main) {
        const auto step = [&]() -> std::optional<std::int64_t> {
            const Value& given = part(event, "step");
            return given.integer() != nullptr ? std::optional(*given.integer()) : std::nullopt;
        };
        if (call == "new" || call == "accelerator") {
            finish();
            options_ = {};
            options_.project = part(event, "project").display();
            options_.is_main_process = main;
            options_.configuration = values_of(part(event, "config"));
            const Value& folder = part(event, call == "new" ? "logging_dir" : "project_dir");
            if (folder.text() != nullptr)
                options_.logging_dir = *folder.text();
            const Value& kwargs =
                call == "new" ? part(event, "kwargs") : part(part(event, "init_kwargs"), tracker_.c_str());
            if (kwargs.is_map() && !kwargs.entries().empty())
                options_.arguments[tracker_] = values_of(kwargs);
            if (call == "accelerator")
                trackers_ = track::Trackers::start({tracker_}, options_);
        } else if (call == "start") {
            trackers_ = track::Trackers::start({tracker_}, options_);
        } else if (call == "finish" || call == "crash") {
            finish();
        } else if (trackers_ == nullptr) {
            throw std::runtime_error("the tracker was not started");
        } else if (call == "config") {
            trackers_->flush();
            trackers_->get(tracker_).store_init_configuration(values_of(part(event, "values")));
        } else if (call == "log") {
            trackers_->log(values_of(part(event, "values")), step());
        } else if (call == "log_images") {
            log_images(event, step());
        } else if (call == "log_table") {
            track::TableRecord table{part(event, "name").display(), {}, {}, step()};
            for (const Value& column : part(event, "columns").items())
                table.columns.push_back(column.display());
            for (const Value& row : part(event, "data").items())
                table.rows.push_back(row.items());
            trackers_->log_table(table);
        } else if (call == "log_artifact") {
            std::filesystem::create_directories("made");
            const std::filesystem::path file = std::filesystem::path("made") / part(event, "file").display();
            write_file_atomically(file, part(event, "text").display(), false);
            trackers_->log_artifact(
                {file, part(event, "into").is_list() ? part(event, "into").items().at(0).display() : ""});
        }
    }

    /// {name: [{"$image": [height, width, channels, k]}...]}, or one of them: byte i is i * k % 256.
    void log_images(const Value& event, std::optional<std::int64_t> step) {
        track::PictureRecord record;
        record.step = step;
        for (const auto& [name, images] : part(event, "values").entries()) {
            track::Pictures pictures;
            pictures.name = name;
            const Value::List one{images};
            for (const Value& image : images.is_list() ? images.items() : one) {
                const Value::List& size = part(image, "$image").items();
                pictures.height = static_cast<std::int64_t>(size.at(0).as_double());
                pictures.width = static_cast<std::int64_t>(size.at(1).as_double());
                pictures.channels = static_cast<std::int64_t>(size.at(2).as_double());
                const auto k = static_cast<std::int64_t>(size.at(3).as_double());
                for (std::int64_t i = 0; i < pictures.height * pictures.width * pictures.channels; ++i)
                    pictures.pixels.push_back(static_cast<std::uint8_t>(i * k % 256));
                ++pictures.count;
            }
            record.pictures.push_back(std::move(pictures));
        }
        trackers_->log_images(std::move(record));
    }

    void finish() {
        if (trackers_ == nullptr)
            return;
        if (before_end)
            before_end(*trackers_);
        trackers_->finish();
        for (Message& problem : trackers_->take_problems())
            problems.push_back(std::move(problem));
        trackers_.reset();
    }

    std::string tracker_;
    std::vector<std::string> runs_;
    track::TrackersOptions options_;
    std::unique_ptr<track::Trackers> trackers_;
};

}  // namespace trainyard::test
