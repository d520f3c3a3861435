// SPDX-License-Identifier: GPL-3.0-or-later
#include "desktop/architecture/architecture_page.h"
#include "desktop/pages/pages.h"

namespace trainyard::desktop {

PageEntry architecture_entry() {
    return {.key = QLatin1String(ArchitecturePage::kKey),
            .icon = QStringLiteral("graph"),
            .title = [] { return ArchitecturePage::tr("Architecture"); },
            .rail_key = QStringLiteral("checkpoints"),
            .own_window = true,
            .make = [](AppContext*, const QString&, QWidget* parent) -> Page* { return new ArchitecturePage(parent); }};
}

}  // namespace trainyard::desktop
