// SPDX-License-Identifier: GPL-3.0-or-later
#include "desktop/architecture/architecture_page.h"
#include "desktop/checkpoints/checkpoint_listing.h"
#include "desktop/hosts/dialog_asker.h"
#include "desktop/hosts/hang_up.h"
#include "desktop/hub/hub_dialog.h"
#include "desktop/pages/pages.h"

namespace trainyard::desktop {

namespace {

/// Questions of hosts, which end with the page.
struct AskerOfPage : QObject {
    explicit AskerOfPage(QWidget* page) : QObject(page), asker(DialogAsker::make(page)) {}
    ~AskerOfPage() override { asker->close(); }
    std::shared_ptr<DialogAsker> asker;
};

}  // namespace

PageEntry architecture_entry() {
    return {.key = QLatin1String(ArchitecturePage::kKey),
            .icon = QStringLiteral("graph"),
            .title = [] { return ArchitecturePage::tr("Architecture"); },
            .rail_key = QStringLiteral("checkpoints"),
            .own_window = true,
            .make = [](AppContext*, const QString&, QWidget* parent) -> Page* {
                auto* page = new ArchitecturePage(parent);
                const auto* questions = new AskerOfPage(page);
                page->setFarReader(
                    [asker = questions->asker](const RemotePlace& place, const widgets::Cancelled& cancelled) {
                        return list_far_checkpoint(place, asker, HangUp(cancelled).cancel()).far;
                    });
                QObject::connect(page, &ArchitecturePage::hubRequested, page, [page](bool compares) {
                    ask_hub(page, HubItem::Model, [page, compares](const QString&, const QString& folder) {
                        compares ? page->compareWith(folder) : page->open(folder);
                    });
                });
                return page;
            }};
}

}  // namespace trainyard::desktop
