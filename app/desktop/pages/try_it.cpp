// SPDX-License-Identifier: GPL-3.0-or-later
#include "desktop/pages/pages.h"
#include "desktop/shell/app_context.h"
#include "desktop/try_it/try_it_page.h"

namespace trainyard::desktop {

PageEntry try_it_entry() {
    return {.key = QLatin1String(TryItPage::kKey),
            .icon = QStringLiteral("play"),
            .title = [] { return TryItPage::tr("Try it"); },
            .rail_key = QStringLiteral("checkpoints"),
            .own_window = true,
            .make = [](AppContext*, const QString&, QWidget* parent) -> Page* { return new TryItPage(parent); }};
}

}  // namespace trainyard::desktop
