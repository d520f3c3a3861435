// SPDX-License-Identifier: GPL-3.0-or-later
#include "report/run_metrics.h"

#include <algorithm>
#include <map>

#include "base/clock.h"
#include "base/error.h"
#include "base/regular_file.h"
#include "config/values/value_formats.h"
#include "formats/events/event_folder.h"
#include "formats/events/event_layout.h"
#include "formats/events/event_summary.h"
#include "run/run_labels.h"
#include "run/spec.h"
#include "run/state.h"

namespace trainyard::report {

namespace {

constexpr std::uint64_t kLargestSpec = 16u << 20;  // bytes

/// The curves of the event files in metrics/ of a run; tags of ranks and hosts end in #3 and @host, as in the window.
class EventMetrics final : public StoredMetrics, private events::EventListener {
  public:
    explicit EventMetrics(const std::filesystem::path& folder)
        : files_(folder, group_of, events::EventFolder::Depth::folders) {
        while (!files_.poll(*this))
            flush();
        flush();
    }
    std::vector<Message> problems() const { return files_.problems(); }
    void setTokensPerStep(double tokens) { tokens_per_step_ = tokens; }

    widgets::XScale scale(widgets::XUnit unit) const override {
        widgets::XScale scale;
        scale.unit = unit;
        scale.start = start_;
        scale.tokens_per_step = tokens_per_step_;
        for (const char* name : {"train/epoch", "epoch"})
            if (const widgets::Series* epochs = find(name); epochs != nullptr && !epochs->empty())
                if (const auto last = epochs->point(epochs->size() - 1); last.value > 0 && last.step > 0)
                    scale.steps_per_epoch = static_cast<double>(last.step) / last.value;
        return scale;
    }

  private:
    static std::optional<std::string> group_of(const std::string& name) {
        const std::optional<events::EventSource> source = events::event_source(name);
        if (!source)
            return std::nullopt;
        return !source->host.empty() ? "@" + source->host
               : source->rank < 0    ? std::string()
                                     : "#" + std::to_string(source->rank);
    }
    std::string name_of(int tag) const { return files_.tag_name(tag) + files_.group(tag); }
    void scalar(int tag, std::int64_t step, double wall_time, double value) override {
        if (const auto place = static_cast<std::size_t>(tag); place >= waiting_.size())
            waiting_.resize(place + 1);
        waiting_[static_cast<std::size_t>(tag)].push_back({step, wall_time, value});
        if (start_ == 0 || wall_time < start_)
            start_ = wall_time;
    }
    void record(const std::string& group, const events::EventRecord& record, std::string_view,
                const std::filesystem::path&, std::uint64_t) override {
        for (const events::MediaValue& value : record.media)
            if (const auto* histogram = std::get_if<events::Histogram>(&value.value)) {
                events::Buckets buckets = events::buckets_of(*histogram);
                histograms_[std::string(value.tag) + group] = {std::move(buckets.limits), std::move(buckets.counts)};
            }
    }
    void restart(const std::string& group, std::int64_t step) override {
        flush();
        for (auto& [name, series] : curves_)
            if (group.empty() ? name.find_first_of("#@") == std::string::npos : name.ends_with(group))
                series.dropFrom(step);
    }
    void reset() override {
        waiting_.clear();
        curves_.clear();
    }
    void flush() {
        for (std::size_t tag = 0; tag < waiting_.size(); ++tag)
            if (!waiting_[tag].empty()) {
                curves_[name_of(static_cast<int>(tag))].append(waiting_[tag]);
                waiting_[tag].clear();
            }
    }

    events::EventFolder files_;
    std::vector<std::vector<widgets::SeriesPoint>> waiting_;  ///< by tag
    double start_ = 0, tokens_per_step_ = 1;
};

void flatten(const Value& value, const std::string& key, std::vector<std::pair<std::string, std::string>>& out) {
    if (value.is_map())
        for (const auto& [name, inner] : value.entries())
            flatten(inner, key.empty() ? name : key + "." + name, out);
    else if (!value.is_null())
        out.emplace_back(key, value.display());
}

/// The sections of run.yaml that say what was asked.
std::vector<std::pair<std::string, std::string>> settings_of(const run::RunPaths& run) {
    std::vector<Problem> problems;
    const Value text = parse_yaml(read_regular_file(run.spec(), kLargestSpec), run.spec().string(), problems);
    std::vector<std::pair<std::string, std::string>> settings;
    for (const char* section : {"recipe", "program", "launch"})
        if (const Value* found = text.find(section))
            flatten(*found, std::string(section) == "recipe" ? std::string() : section, settings);
    return settings;
}

}  // namespace

std::unique_ptr<ReportRun> read_run_facts(const run::RunPaths& run) {
    std::error_code error;
    if (!std::filesystem::is_directory(run.root(), error))
        throw UserError("{} is not a run", run.root().string());
    auto made = std::make_unique<ReportRun>();
    made->id = made->name = run.id();
    const auto attempt = [&](const auto& work) {
        try {
            work();
        } catch (const std::exception& failure) {
            made->problems.push_back(message_of(failure));
        }
    };
    attempt([&] {
        const std::optional<run::RunState> state = run::read_state(run);
        if (!state)
            return;
        const double now = wall_seconds();
        made->name = state->name.empty() ? made->name : state->name;
        made->status = run::shown_status(*state, now);
        made->created = state->created;
        made->duration = run::active_seconds(*state, run::is_over(state->status) ? now : state->heartbeat);
        made->step = state->progress.step;
        made->of = state->progress.of;
        if (state->first_failure)
            made->failure = state->first_failure->message.text();
    });
    const run::Labels labels = run::labels_or_none(run);
    made->name = labels.name.empty() ? made->name : labels.name;
    made->tags = labels.tags;
    made->note = labels.note;
    made->color = labels.color;
    if (std::filesystem::exists(run.spec(), error))
        attempt([&] { made->settings = settings_of(run); });
    if (const auto files = run::list_class_reports(run); !files.empty())
        attempt([&] { made->classes = run::read_class_report(files.back()); });
    return made;
}

std::unique_ptr<ReportRun> open_run(const run::RunPaths& run) {
    std::unique_ptr<ReportRun> made = read_run_facts(run);
    auto metrics = std::make_shared<EventMetrics>(run.metrics());
    for (const Message& problem : metrics->problems())
        made->problems.push_back(problem);
    try {
        if (std::filesystem::exists(run.spec()))
            if (const run::RunSpec spec = run::read_spec(run.spec()); !spec.program)
                metrics->setTokensPerStep(static_cast<double>(spec.recipe.tokens_per_step(spec.launch.num_processes)));
    } catch (const std::exception& failure) {
        made->problems.push_back(message_of(failure));
    }
    made->metrics = std::move(metrics);
    return made;
}

}  // namespace trainyard::report
