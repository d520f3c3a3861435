// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
// An application without windows: models and what reads for them need its event loop.

#include <QCoreApplication>

#include <gtest/gtest.h>

namespace trainyard::test {

class CoreTest : public testing::Test {
  protected:
    static void SetUpTestSuite() {
        static int count = 1;
        static char name[] = "test_view_models";
        static char* arguments[] = {name, nullptr};
        static QCoreApplication application(count, arguments);
    }
};

}  // namespace trainyard::test
