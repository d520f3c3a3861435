// SPDX-License-Identifier: GPL-3.0-or-later
#include "desktop/text/engine_words.h"

#include <string>

#include <QCoreApplication>

namespace trainyard::desktop {

QString engineWords(std::string_view text) {
    return text.empty() ? QString() : QCoreApplication::translate("trainyard::engine", std::string(text).c_str());
}

}  // namespace trainyard::desktop
