// SPDX-License-Identifier: GPL-3.0-or-later
#include "desktop/pages/pages.h"

#include <algorithm>

namespace trainyard::desktop {

// Every page: a file of this folder with a function that returns its entry. The order is that of the rail.
#define TRAINYARD_PAGES(PAGE) \
    PAGE(runs_entry)          \
    PAGE(sweeps_entry)        \
    PAGE(hosts_entry)         \
    PAGE(estimator_entry)     \
    PAGE(traces_entry)        \
    PAGE(checkpoints_entry)   \
    PAGE(notifications_entry) \
    PAGE(settings_entry)      \
    PAGE(first_run_entry)     \
    PAGE(reading_entry)       \
    PAGE(new_run_entry)       \
    PAGE(launch_entry)        \
    PAGE(run_entry)           \
    PAGE(try_it_entry)        \
    PAGE(architecture_entry)  \
    PAGE(logs_entry)          \
    PAGE(help_entry)

#define TRAINYARD_DECLARE(entry) PageEntry entry();
TRAINYARD_PAGES(TRAINYARD_DECLARE)
#undef TRAINYARD_DECLARE

const QVector<PageEntry>& all_pages() {
#define TRAINYARD_CALL(entry) entry(),
    static const QVector<PageEntry> pages{TRAINYARD_PAGES(TRAINYARD_CALL)};
#undef TRAINYARD_CALL
    return pages;
}

const PageEntry* find_page(const QString& key) {
    const auto found =
        std::find_if(all_pages().begin(), all_pages().end(), [&](const PageEntry& entry) { return entry.key == key; });
    return found == all_pages().end() ? nullptr : &*found;
}

}  // namespace trainyard::desktop
