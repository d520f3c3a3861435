// SPDX-License-Identifier: GPL-3.0-or-later
#include "desktop/hosts/host_list.h"
#include "desktop/hosts/host_source.h"
#include "desktop/hosts/hosts_page.h"
#include "desktop/pages/pages.h"
#include "desktop/runs/run_store.h"
#include "desktop/shell/app_context.h"
#include "desktop/shell/command_palette.h"
#include "desktop/shell/finder.h"
#include "desktop/wizard/wizard_page.h"

namespace trainyard::desktop {

namespace {

Page* make_hosts_page(AppContext* app, const QString&, QWidget* parent) {
    auto* hosts = app->findChild<HostList*>(QString(), Qt::FindDirectChildrenOnly);
    if (hosts == nullptr)
        hosts = new HostList(app->takeHostSource(), app);
    auto* page = new HostsPage(app->engine(), hosts, parent);
    page->setRuns(app->store()->runs());
    QObject::connect(app->store(), &RunStore::changed, page, [app, page] { page->setRuns(app->store()->runs()); });
    QObject::connect(hosts, &HostList::listed, page, [app](const HostListing& listing) {
        if (auto* wizard = app->madePage<WizardPage>())
            wizard->setListing(listing);
    });
    QObject::connect(page, &HostsPage::countChanged, app, [app](int connected, int known) {
        emit app->countChanged(QLatin1String(HostsPage::kKey),
                               known == 0 ? QString() : QStringLiteral("%1/%2").arg(connected).arg(known));
    });
    return page;
}

QVector<FinderEntry> host_entries(AppContext* app, const HostList* hosts) {
    QVector<FinderEntry> entries;
    for (const HostRow& row : hosts->rows()) {
        const QString name = row.name();
        entries << FinderEntry{.text = row.title(),
                               .right = row.target,
                               .words = name,
                               .icon = QStringLiteral("hosts"),
                               .kind = static_cast<int>(PaletteKind::Host),
                               .go = [app, name] { app->show<HostsPage>()->choose(name); }};
    }
    return entries;
}

void find_hosts(AppContext* app, const PageEntry::FoundEntries& found) {
    HostList* hosts = app->page<HostsPage>()->hosts();
    if (hosts->isLoaded()) {
        found(host_entries(app, hosts));
        return;
    }
    // Files are read; nobody is asked over the network.
    QObject::connect(
        hosts, &HostList::loaded, app, [app, hosts, found] { found(host_entries(app, hosts)); },
        Qt::SingleShotConnection);
    hosts->load();
}

}  // namespace

PageEntry hosts_entry() {
    PageEntry entry{.key = QLatin1String(HostsPage::kKey),
                    .icon = QStringLiteral("hosts"),
                    .title = [] { return HostsPage::tr("Hosts"); },
                    .rail = RailSection::Top,
                    .shortcut = QKeySequence(QStringLiteral("Ctrl+2")),
                    .make = make_hosts_page};
    entry.palette_makes_page = true;
    entry.palette = find_hosts;
    return entry;
}

}  // namespace trainyard::desktop
