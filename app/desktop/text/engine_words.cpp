// SPDX-License-Identifier: GPL-3.0-or-later
#include <string>

#include <QCoreApplication>

#include "desktop/text/qt_text.h"

namespace trainyard::desktop {

QString engineWords(std::string_view text) {
    return text.empty() ? QString() : QCoreApplication::translate("trainyard::engine", std::string(text).c_str());
}

}  // namespace trainyard::desktop
