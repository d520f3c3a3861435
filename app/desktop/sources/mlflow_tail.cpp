// SPDX-License-Identifier: GPL-3.0-or-later
// A run in the file store of MLflow, by its meta.yaml: next to it are metrics/ (a file for each curve, with "time value
// step" in a line, time in milliseconds), params/ and tags/ (a file for each, with its value). Names with slashes are
// folders.
#include <algorithm>
#include <cmath>
#include <map>
#include <optional>
#include <utility>

#include "base/clock.h"
#include "base/error.h"
#include "base/files/growing_file.h"
#include "base/number.h"
#include "base/regular_file.h"
#include "desktop/sources/foreign_tails.h"
#include "desktop/sources/point_collector.h"
#include "formats/events/tag_table.h"

namespace trainyard::desktop {

namespace {

namespace fs = std::filesystem;

constexpr double kLookEvery = 1;                  ///< seconds between two looks for new curves
constexpr std::size_t kMostFiles = 10'000;        ///< of metrics, parameters and tags each
constexpr std::size_t kBuffer = 1u << 20;         ///< bytes
constexpr std::uint64_t kLongestWord = 1u << 16;  ///< bytes of a parameter or tag that are read

/// A number as Python's str() writes it.
std::optional<double> python_number(std::string_view text) {
    if (text == "nan")
        return std::nan("");
    if (text == "inf" || text == "-inf")
        return text == "inf" ? HUGE_VAL : -HUGE_VAL;
    return parse_number<double>(text);
}

/// Files below a folder with their names relative to it.
std::map<std::string, fs::path> files_below(const fs::path& folder) {
    std::map<std::string, fs::path> found;
    std::error_code error;
    fs::recursive_directory_iterator entry(folder, fs::directory_options::skip_permission_denied, error), end;
    for (; !error && entry != end && found.size() < kMostFiles; entry.increment(error)) {
        std::error_code gone;
        if (entry->is_regular_file(gone) && !entry->is_symlink(gone))
            found.emplace(entry->path().lexically_relative(folder).generic_string(), entry->path());
    }
    return found;
}

class MlflowTail final : public MetricsTail {
  public:
    explicit MlflowTail(const fs::path& file) : points_(widgets::EarlierStep::RepeatOvertakes) {
        std::error_code missing;
        const fs::path real = fs::canonical(file, missing);
        folder_ = (missing ? file : real).parent_path();
    }

    bool poll(CurveBatch& batch, std::uint64_t limit_bytes) override {
        look(batch);
        problems_.clear();
        bool all = true;
        for (auto& [name, file] : metrics_) {
            const std::uint64_t read = readMetric(name, file, limit_bytes, batch);
            limit_bytes -= std::min(limit_bytes, read);
            if (limit_bytes == 0) {
                all = false;
                break;
            }
        }
        points_.flush(batch, [this](int tag) { return tags_.name(tag); });
        return all;
    }

    std::vector<Message> problems() const override { return problems_; }

  private:
    void look(CurveBatch& batch) {
        const double now = monotonic_seconds();
        if (now < next_look_)
            return;
        next_look_ = now + kLookEvery;
        for (const auto& [name, path] : files_below(folder_ / "metrics"))
            metrics_.try_emplace(name, path);
        ParameterWords words;
        for (const auto& [name, path] : files_below(folder_ / "params"))
            words.emplace_back(name, contentOf(path));
        if (words != words_)
            batch.parameters = words_ = std::move(words);
        LogLabels labels;
        for (const auto& [name, path] : files_below(folder_ / "tags")) {
            if (name == "mlflow.runName")
                labels.name = contentOf(path);
            else if (name == "mlflow.note.content")
                labels.note = contentOf(path);
            else if (!name.starts_with("mlflow."))
                labels.tags.push_back(name + ": " + contentOf(path));
        }
        if (!(labels == labels_))
            batch.labels = labels_ = std::move(labels);
    }

    static std::string contentOf(const fs::path& path) {
        try {
            return read_regular_file(path, kLongestWord);
        } catch (const UserError&) {
            return "…";  // too long, or gone since
        }
    }

    /// Returns the number of bytes that were read.
    std::uint64_t readMetric(const std::string& name, files::GrowingFile& file, std::uint64_t limit_bytes,
                             CurveBatch& batch) {
        using Poll = files::GrowingFile::Poll;
        const bool had_points = file.position() > 0;
        const Poll state = file.poll();
        if (state == Poll::Failed)
            problems_.push_back(file.error());
        if (state != Poll::Changed && state != Poll::Again)
            return 0;
        if (state == Poll::Again && had_points) {  // another file: all is read again
            points_.drop();
            for (auto& [other, each] : metrics_)
                if (&each != &file)
                    each.restart();
            batch.changes.push_back({CurveChange::Kind::Reset, {}, 0, {}});
        }
        std::uint64_t taken = 0;
        std::string buffer(kBuffer, '\0');
        while (taken < limit_bytes) {
            const ssize_t got = file.read(buffer.data(), buffer.size(), file.position());
            if (got <= 0) {
                if (got < 0)
                    problems_.push_back(file.error());
                break;
            }
            const std::size_t end = std::string_view(buffer.data(), static_cast<std::size_t>(got)).rfind('\n');
            if (end == std::string_view::npos)
                break;  // the last line is being written
            takeLines(name, std::string_view(buffer.data(), end + 1));
            file.consume(buffer.data(), end + 1);
            taken += end + 1;
        }
        if (taken >= limit_bytes)
            file.force_poll();
        file.close();
        return taken;
    }

    void takeLines(const std::string& name, std::string_view lines) {
        while (!lines.empty()) {
            const std::size_t end = lines.find('\n');
            std::string_view line = lines.substr(0, end);
            lines.remove_prefix(end + 1);
            std::string_view words[3];
            for (std::string_view& word : words) {
                word = line.substr(0, line.find(' '));
                line.remove_prefix(std::min(line.size(), word.size() + 1));
            }
            const auto time = parse_number<std::int64_t>(words[0]);
            const auto value = python_number(words[1]);
            const auto step = words[2].empty() ? std::optional<std::int64_t>(0) : parse_number<std::int64_t>(words[2]);
            if (time && value && step)
                points_.add(tags_.number(name), {*step, static_cast<double>(*time) / 1000, *value});
        }
    }

    fs::path folder_;
    std::map<std::string, files::GrowingFile> metrics_;
    ParameterWords words_;
    LogLabels labels_;
    std::vector<Message> problems_;
    double next_look_ = 0;
    events::TagTable tags_;
    PointCollector points_;
};

}  // namespace

std::unique_ptr<MetricsTail> make_mlflow_tail(fs::path file) {
    return std::make_unique<MlflowTail>(file);
}

bool looks_like_mlflow_run(const fs::path& file) {
    std::error_code missing;
    const fs::path real = fs::canonical(file, missing);
    if (missing || !fs::is_directory(real.parent_path() / "metrics", missing))
        return false;
    try {
        const std::string text = read_regular_file(real, kLongestWord);
        return text.find("run_id:") != std::string::npos || text.find("run_uuid:") != std::string::npos;
    } catch (const UserError&) {
        return false;
    }
}

}  // namespace trainyard::desktop
