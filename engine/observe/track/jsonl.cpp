// SPDX-License-Identifier: GPL-3.0-or-later
#include <optional>

#include <fmt/format.h>

#include "base/error.h"
#include "base/file.h"
#include "observe/track/builtin.h"
#include "observe/track/line_file.h"
#include "observe/track/spelling.h"

namespace trainyard::track {

namespace {

class JsonLines final : public Tracker {
  public:
    explicit JsonLines(const TrackerContext& context) : path_(context.logging_dir / (context.project + ".jsonl")) {
        check_arguments("jsonl", context.arguments, tracker_arguments("jsonl"));
        if (const Value* path = context.arguments.find("path"); path != nullptr && path->text())
            path_ = *path->text();
    }

    std::string name() const override { return "jsonl"; }
    void start() override {
        make_private_folder(path_.parent_path());
        file_.emplace(path_);
    }
    void store_init_configuration(const Values& configuration) override {
        file_->add(json_text(Values{{"configuration", configuration}}));
        file_->flush();
    }
    void log(const Record& record, const Value& arguments) override {
        check_arguments("jsonl", arguments, {});
        Values line;
        if (record.step)
            line.push_back({"step", *record.step});
        line.push_back({"wall_time", record.wall_time});
        line.push_back({"values", record.values});
        file_->add(json_text(line));
    }
    void restart(std::int64_t step, double wall_time) override {
        file_->add(json_text(Values{{"restart", step}, {"wall_time", wall_time}}));
    }
    void flush() override { file_->flush(); }
    void finish() override {
        flush();
        file_.reset();
    }

  private:
    fs::path path_;
    std::optional<LineFile> file_;
};

}  // namespace

/// <logging_dir>/<project>.jsonl: {"configuration": {...}}, {"step": 1, "wall_time": ..., "values": {"loss": 0.5}},
/// {"restart": 40, "wall_time": ...}: what came before with a step >= 40 is overtaken. Appends. Arguments: path (the
/// file).
TrackerKind jsonl_kind() {
    return {.name = "jsonl",
            .requires_logging_directory = true,
            .main_process_only = true,
            .make = [](const TrackerContext& context) { return std::make_unique<JsonLines>(context); },
            .available = [] { return true; }};
}

}  // namespace trainyard::track
