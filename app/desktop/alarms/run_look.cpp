// SPDX-License-Identifier: GPL-3.0-or-later
#include "desktop/alarms/run_look.h"

#include <algorithm>
#include <map>
#include <string>
#include <utility>

#include "base/error.h"
#include "formats/events/event_folder.h"
#include "formats/events/event_layout.h"

namespace trainyard::desktop {

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

RunLook::RunLook(run::RunPaths run) : journal_(run.journal()), machines_(std::make_unique<Machines>(run)) {}

RunLook::~RunLook() = default;

RunLook::Signs RunLook::look() {
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
    return signs;
}

}  // namespace trainyard::desktop
