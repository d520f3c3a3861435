// SPDX-License-Identifier: GPL-3.0-or-later
#include "desktop/curves/log_page.h"
#include "desktop/pages/pages.h"
#include "desktop/shell/app_context.h"

namespace trainyard::desktop {

PageEntry logs_entry() {
    return {.key = QLatin1String(LogPage::kKey),
            .icon = QStringLiteral("folder"),
            .title = [] { return LogPage::tr("Logs"); },
            .rail_key = QStringLiteral("runs"),
            .kept = 4,
            .own_window = true,
            .make = [](AppContext* app, const QString& place, QWidget* parent) -> Page* {
                auto* page = new LogPage(place, parent);
                QObject::connect(page, &LogPage::folderRequested, app, &AppContext::openFolder);
                QObject::connect(page, &LogPage::windowRequested, app, [app, place] {
                    app->openInOwnWindow({QLatin1String(LogPage::kKey), place});
                });
                return page;
            }};
}

}  // namespace trainyard::desktop
