// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
// tr() for free functions; QObjects have their own. lupdate files the words of all free functions of this namespace
// under its name.

#include <QCoreApplication>

namespace trainyard::desktop {

inline QString tr(const char* text, const char* comment = nullptr, int n = -1) {
    return QCoreApplication::translate("trainyard::desktop", text, comment, n);
}

}  // namespace trainyard::desktop
