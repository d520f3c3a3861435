// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
// Saves a screenshot of a window at the end of a test, for visual inspection, in the folder TRAINYARD_TEST_PICTURES.

#include <cstdlib>

#include <QApplication>
#include <QPixmap>
#include <QTest>
#include <QWidget>

#include <gtest/gtest.h>

#include "support/settle.h"

namespace trainyard::test {

inline void take_picture(QWidget* window, const char* suffix = "") {
    const char* folder = std::getenv("TRAINYARD_TEST_PICTURES");
    if (folder == nullptr || window == nullptr)
        return;
    settle();
    const auto* test = testing::UnitTest::GetInstance()->current_test_info();
    // The name of a parameterized test has slashes, which a file name cannot have.
    const QString name = QString::fromLatin1(test->name()).replace(QLatin1Char('/'), QLatin1Char('-'));
    window->grab().save(QStringLiteral("%1/%2%3.png").arg(QLatin1String(folder), name, QLatin1String(suffix)));
}

}  // namespace trainyard::test
