// SPDX-License-Identifier: GPL-3.0-or-later
#include "desktop/sources/metrics_tail.h"

#include <algorithm>

#include "desktop/sources/event_tail.h"
#include "desktop/sources/foreign_tails.h"
#include "desktop/sources/log_lines.h"
#include "desktop/sources/trainer_state_tail.h"

namespace trainyard::desktop {

namespace {

struct Format {
    LogKind kind;
    std::string_view ending;  ///< ending of the file name; without a leading dot: the whole name
    std::unique_ptr<MetricsTail> (*make)(std::filesystem::path file);
    bool (*looks)(const std::filesystem::path& file);  ///< nullptr: the name decides
};
constexpr Format kFormats[] = {{LogKind::Jsonl, ".jsonl", make_jsonl_tail, looks_like_jsonl_metrics},
                               {LogKind::Csv, ".csv", make_csv_tail, looks_like_csv_metrics},
                               {LogKind::Wandb, ".wandb", make_wandb_tail, looks_like_wandb},
                               {LogKind::Swanlab, ".swanlab", make_swanlab_tail, looks_like_swanlab},
                               {LogKind::Trackio, ".db", make_trackio_tail, looks_like_trackio},
                               {LogKind::Mlflow, kMlflowRun, make_mlflow_tail, looks_like_mlflow_run},
                               {LogKind::TrainerState, kTrainerState, make_trainer_state_tail, nullptr}};

}  // namespace

std::unique_ptr<MetricsTail> make_tail(const std::filesystem::path& place, LogKind kind) {
    const auto* format = std::ranges::find(kFormats, kind, &Format::kind);
    if (format != std::end(kFormats))
        return format->make(place);
    return std::make_unique<EventTail>(place);
}

std::optional<LogKind> kind_of_log(const std::filesystem::path& place) {
    std::error_code ignored;
    if (std::filesystem::is_directory(place, ignored))
        return LogKind::Events;
    return kind_of_log_file(place.filename().string());
}

std::optional<LogKind> kind_of_log_file(const std::string& name) {
    for (const Format& format : kFormats)
        if (name == format.ending || (format.ending.starts_with('.') && name.ends_with(format.ending)) ||
            name.ends_with("-" + std::string(format.ending)))  // of several in one folder
            return format.kind;
    return std::nullopt;
}

bool looks_like_metrics(const std::filesystem::path& file, LogKind kind) {
    const auto* format = std::ranges::find(kFormats, kind, &Format::kind);
    return format == std::end(kFormats) || format->looks == nullptr || format->looks(file);
}

}  // namespace trainyard::desktop
