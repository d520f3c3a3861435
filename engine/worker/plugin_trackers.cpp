// SPDX-License-Identifier: GPL-3.0-or-later
#include "worker/plugin_trackers.h"

#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "base/error.h"
#include "models/plugins/plugins.h"
#include "observe/track/tracker.h"

namespace trainyard::worker {

namespace {

class PluginTracker final : public track::Tracker {
  public:
    PluginTracker(std::string name, const track::TrackerContext& context)
        : name_(std::move(name)),
          tracker_(plugins::make_tracker(name_, {context.project, context.logging_dir.string()})) {}
    std::string name() const override { return name_; }
    void start() override {
        call([&] { tracker_->start(); });
    }
    void store_init_configuration(const track::Values&) override {}
    void log(const track::Record& record, const Value&) override {
        std::vector<std::pair<std::string, double>> metrics;
        for (const auto& [name, value] : record.values)
            if (value.is_number())
                metrics.emplace_back(name, value.as_double());
        call([&] { tracker_->log(metrics, record.step.value_or(0), record.wall_time); });
    }
    void restart(std::int64_t step, double) override {
        call([&] { tracker_->restart(step); });
    }
    void flush() override {
        call([&] { tracker_->flush(); });
    }
    void finish() override {
        call([&] { tracker_->finish(); });
    }
    double finish_timeout_s() const override { return tracker_->finish_timeout_s(); }

  private:
    template <class Call>
    void call(Call work) {
        try {
            work();
        } catch (...) {  // messages about trackers begin with the tracker's name
            throw UserError("plug-in {}: {}", plugins::plugin_of(plugins::Part::tracker, name_),
                            plugins::current_message());
        }
    }
    std::string name_;
    std::unique_ptr<plugin::Tracker> tracker_;
};

}  // namespace

void register_plugin_trackers() {
    for (const std::string& name : plugins::names_of(plugins::Part::tracker)) {
        track::TrackerKind kind;
        kind.name = name;
        kind.requires_logging_directory = true;
        kind.make = [name](const track::TrackerContext& context) {
            return std::make_unique<PluginTracker>(name, context);
        };
        track::register_tracker(std::move(kind));
    }
}

}  // namespace trainyard::worker
