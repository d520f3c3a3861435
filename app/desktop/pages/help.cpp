// SPDX-License-Identifier: GPL-3.0-or-later
#include <QPointer>

#include "desktop/help/help_page.h"
#include "desktop/pages/pages.h"
#include "desktop/shell/app_context.h"
#include "desktop/shell/command_palette.h"
#include "widgets/job.h"

namespace trainyard::desktop {

namespace {

void find_manual_pages(AppContext* app, const PageEntry::FoundEntries& found) {
    static QPointer<widgets::Job> job;
    if (job.isNull())
        job = new widgets::Job(app);
    job->submit([] { return Manual::read(Manual::folder()); },
                [app, found](const Manual& manual) {
                    QVector<FinderEntry> entries;
                    for (const ManualPage& page : manual.pages())
                        entries << FinderEntry{.text = HelpPage::tr("Manual: %1").arg(page.title),
                                               .icon = QStringLiteral("info"),
                                               .kind = static_cast<int>(PaletteKind::Manual),
                                               .seldom = true,
                                               .go = [app, name = page.name] {
                                                   app->openInOwnWindow({QLatin1String(HelpPage::kKey), name});
                                               }};
                    found(entries);
                });
}

}  // namespace

PageEntry help_entry() {
    PageEntry entry{.key = QLatin1String(HelpPage::kKey),
                    .icon = QStringLiteral("info"),
                    .title = [] { return HelpPage::tr("Manual"); },
                    .transient = true,
                    .own_window = true,
                    .make = [](AppContext*, const QString&, QWidget* parent) -> Page* { return new HelpPage(parent); }};
    entry.palette = find_manual_pages;
    return entry;
}

}  // namespace trainyard::desktop
