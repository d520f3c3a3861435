#include "desktop/sources/metrics_tail.h"

#include "desktop/sources/event_tail.h"
#include "desktop/sources/log_lines.h"
#include "desktop/sources/trainer_state_tail.h"
#include "desktop/sources/wandb_tail.h"

namespace trainyard::desktop {

std::unique_ptr<MetricsTail> make_tail(const std::filesystem::path& place, LogKind kind) {
    switch (kind) {
        case LogKind::Jsonl:
            return make_jsonl_tail(place);
        case LogKind::Csv:
            return make_csv_tail(place);
        case LogKind::TrainerState:
            return make_trainer_state_tail(place);
        case LogKind::Wandb:
            return make_wandb_tail(place);
        case LogKind::Events:
            break;
    }
    return std::make_unique<EventTail>(place, widgets::EarlierStep::IsSortedIn);
}

std::optional<LogKind> kind_of_log(const std::filesystem::path& place) {
    std::error_code ignored;
    if (std::filesystem::is_directory(place, ignored))
        return LogKind::Events;
    return kind_of_log_file(place.filename().string());
}

std::optional<LogKind> kind_of_log_file(const std::string& name) {
    if (name.ends_with(".jsonl"))
        return LogKind::Jsonl;
    if (name.ends_with(".csv"))
        return LogKind::Csv;
    if (name.ends_with(".wandb"))
        return LogKind::Wandb;
    if (name == kTrainerState)
        return LogKind::TrainerState;
    return std::nullopt;
}

bool looks_like_metrics(const std::filesystem::path& file, LogKind kind) {
    switch (kind) {
        case LogKind::Jsonl:
            return looks_like_jsonl_metrics(file);
        case LogKind::Csv:
            return looks_like_csv_metrics(file);
        case LogKind::Wandb:
            return looks_like_wandb(file);
        case LogKind::TrainerState:  // the name says it; what is wrong with it is told
        case LogKind::Events:
            break;
    }
    return true;
}

}  // namespace trainyard::desktop
