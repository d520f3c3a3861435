// SPDX-License-Identifier: GPL-3.0-or-later
#include "alarms/run_look.h"

#include <algorithm>
#include <map>
#include <string>
#include <utility>

#include "base/error.h"
#include "formats/events/event_folder.h"
#include "formats/events/event_layout.h"

namespace trainyard::alarms {

/// The newest figures of each machine.
struct RunLook::Machines : events::EventListener {
    explicit Machines(const run::RunPaths& run)
        : files(
              run.metrics(),
              [](const std::string& name) -> std::optional<std::string> {
                  const auto source = events::event_source(name);
                  return source && !source->host.empty() ? std::optional(source->host) : std::nullopt;
              },
              events::EventFolder::Depth::folders) {}
    void scalar(int tag, std::int64_t, double, double value) override {
        newest[files.group(tag)][files.tag_name(tag)] = value;
    }
    void restart(const std::string&, std::int64_t) override {}
    void reset() override { newest.clear(); }

    events::EventFolder files;
    std::map<std::string, std::map<std::string, double>> newest;  ///< by host, then by tag
};

/// The newest values of the run's curves.
struct RunLook::Curves : events::EventListener {
    explicit Curves(const run::RunPaths& run) : files(run.metrics()) {}
    void scalar(int tag, std::int64_t, double, double value) override { newest[files.tag_name(tag)] = value; }
    void restart(const std::string&, std::int64_t) override {}
    void reset() override { newest.clear(); }

    events::EventFolder files;
    std::map<std::string, double> newest;
};

RunLook::RunLook(run::RunPaths run)
    : run_(std::move(run)), journal_(run_.journal()), machines_(std::make_unique<Machines>(run_)) {}

RunLook::~RunLook() = default;

RunLook::Signs RunLook::look(const std::vector<MetricRule>& metrics) {
    Signs signs;
    try {
        signs.events = journal_.poll();
    } catch (const UserError&) {
        // The run's own page says what cannot be read.
    }
    if (std::exchange(first_, false))
        signs.events.clear();
    machines_->files.poll(*machines_);
    for (const auto& [host, figures] : machines_->newest) {
        if (auto free = figures.find("machine/disk_free_bytes"); free != figures.end())
            signs.disk_free = std::min(signs.disk_free.value_or(free->second), free->second);
        auto used = figures.find("machine/memory_bytes"), all = figures.find("machine/memory_total_bytes");
        if (used != figures.end() && all != figures.end() && all->second > 0)
            signs.memory_share = std::max(signs.memory_share.value_or(0), used->second / all->second);
    }
    if (metrics.empty())
        return signs;
    if (!curves_)
        curves_ = std::make_unique<Curves>(run_);
    while (!curves_->files.poll(*curves_)) {
    }
    for (const MetricRule& rule : metrics)
        if (const auto found = curves_->newest.find(rule.metric); found != curves_->newest.end())
            signs.metrics[rule.metric] = found->second;
    return signs;
}

}  // namespace trainyard::alarms
