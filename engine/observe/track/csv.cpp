// SPDX-License-Identifier: GPL-3.0-or-later
#include <algorithm>
#include <deque>
#include <fstream>
#include <functional>
#include <optional>

#include <fmt/format.h>

#include "base/error.h"
#include "base/file.h"
#include "base/number.h"
#include "observe/track/builtin.h"
#include "observe/track/line_file.h"
#include "observe/track/spelling.h"

namespace trainyard::track {

namespace {

std::vector<std::string> fields_of(const std::string& record) {
    std::vector<std::string> fields(1);
    bool quoted = false;
    for (std::size_t i = 0; i < record.size(); ++i) {
        if (record[i] == '"' && quoted && i + 1 < record.size() && record[i + 1] == '"')
            fields.back() += record[i++];
        else if (record[i] == '"')
            quoted = !quoted;
        else if (record[i] == ',' && !quoted)
            fields.emplace_back();
        else
            fields.back() += record[i];
    }
    return fields;
}

std::string joined(const std::vector<std::string>& fields) {
    std::string line;
    for (std::size_t i = 0; i < fields.size(); ++i)
        line += (i == 0 ? "" : ",") + csv_field(fields[i], ',');
    return line;
}

class Csv final : public Tracker {
  public:
    explicit Csv(const TrackerContext& context) : path_(context.logging_dir / (context.project + ".csv")) {
        check_arguments("csv", context.arguments, tracker_arguments("csv"));
        if (const Value* path = context.arguments.find("path"); path != nullptr && path->text())
            path_ = *path->text();
    }

    std::string name() const override { return "csv"; }

    void start() override {
        make_private_folder(path_.parent_path());
        file_.emplace(path_);
        std::string header;
        if (std::ifstream reader(path_); !file_->empty() && std::getline(reader, header)) {
            columns_ = fields_of(header);
            if (columns_.size() < 2 || columns_[0] != "step" || columns_[1] != "wall_time")
                throw UserError(
                    "{} was not written by this tracker (its first columns are not step, wall_time): move it away or "
                    "choose another path",
                    path_.string());
        } else {
            columns_ = {"step", "wall_time"};
        }
    }

    void store_init_configuration(const Values& configuration) override {
        fs::path beside = path_;
        write_file_atomically(beside.replace_extension(".configuration.json"), indented_json(configuration) + "\n",
                              false);
    }

    void log(const Record& record, const Value& arguments) override {
        check_arguments("csv", arguments, {});
        Values values = flattened(record.values);
        for (const auto& [name, value] : values)
            if (name.find_first_of("\r\n") != std::string::npos)
                throw UserError("csv cannot have a column whose name has a line break");
        waiting_.push_back({std::move(values), record.step, record.wall_time});
    }

    void restart(std::int64_t step, double) override {
        flush();
        if (!file_->empty())
            rewrite(columns_.size(), [step](const std::string& record) {
                std::string_view begin = record;
                return take_number<std::int64_t>(begin).value_or(-1) < step;
            });
    }

    /// Records that could not be written stay for the next call.
    void flush() override {
        for (; !waiting_.empty(); waiting_.pop_front())
            add(waiting_.front());
        file_->flush();
    }
    void finish() override {
        flush();
        file_.reset();
    }

  private:
    void add(const Record& record) {
        const Values& values = record.values;
        const std::size_t known = columns_.size();
        for (const auto& [name, value] : values)
            if (std::find(columns_.begin() + 2, columns_.end(), name) == columns_.end())
                columns_.push_back(name);
        if (file_->empty()) {
            file_->add(joined(columns_));
        } else if (columns_.size() > known) {
            try {
                rewrite(known, [](const std::string&) { return true; });
            } catch (const UserError&) {
                columns_.resize(known);
                throw;
            }
        }
        std::vector<std::string> row(columns_.size());
        row[0] = record.step ? fmt::format("{}", *record.step) : "";
        row[1] = fmt::format("{:.6f}", record.wall_time);
        for (const auto& [name, value] : values) {
            auto column = std::find(columns_.begin() + 2, columns_.end(), name);
            std::string& cell = row[static_cast<std::size_t>(column - columns_.begin())];
            cell = python_text(value);
            std::ranges::replace_if(
                cell, [](char c) { return c == '\n' || c == '\r'; }, ' ');  // a line is a record
        }
        file_->add(joined(row));
    }

    /// Rewrites the file with the current header and the rows, of `known` columns, for which `keep` returns true.
    void rewrite(std::size_t known, const std::function<bool(const std::string& record)>& keep) {
        file_->flush();
        fs::path aside = path_;
        aside += ".new";
        fs::remove(aside);
        {
            LineFile out(aside);
            out.add(joined(columns_));
            const std::string empty_cells(columns_.size() - known, ',');
            std::ifstream reader(path_);
            std::string record;
            std::getline(reader, record);  // the old header
            for (std::size_t rows = 0; std::getline(reader, record); ++rows) {
                if (keep(record))
                    out.add(record + empty_cells);
                if (rows % 4096 == 4095)
                    out.flush();
            }
            out.flush();
        }
        fs::rename(aside, path_);
        file_.emplace(path_);
    }

    fs::path path_;
    std::optional<LineFile> file_;
    std::vector<std::string> columns_;
    std::deque<Record> waiting_;
};

}  // namespace

/// <logging_dir>/<project>.csv, for spreadsheets: step, wall_time, and a column per name, flat ("train/loss"). A name
/// that comes later is a new column at the end: a new file is written and replaces the old one, with
/// empty cells above. A restart removes the rows it overtakes. Line breaks in texts become blanks. The configuration
/// is saved next to it, in <project>.configuration.json. Arguments: path.
TrackerKind csv_kind() {
    return {.name = "csv",
            .requires_logging_directory = true,
            .main_process_only = true,
            .make = [](const TrackerContext& context) { return std::make_unique<Csv>(context); },
            .available = [] { return true; }};
}

}  // namespace trainyard::track
