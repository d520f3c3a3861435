// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
// tr() for free functions; QObjects have their own. lupdate files the words of all free functions of this namespace under its name.

#include <QCoreApplication>

namespace trainyard::widgets {

inline QString tr(const char* text, const char* comment = nullptr, int n = -1) {
    return QCoreApplication::translate("trainyard::widgets", text, comment, n);
}

}  // namespace trainyard::widgets
