// SPDX-License-Identifier: GPL-3.0-or-later
// main() for tests that need a QApplication: settings and data are in a temporary folder, and the platform is
// offscreen, with the screen of a laptop, where windows get the focus that they request and no display is disturbed.
// With TRAINYARD_TEST_ON_DISPLAY, the display is used if there is one.

#include <QApplication>

#include "support/private_home.h"
#include "support/suite.h"

int main(int argc, char** argv) {
    const trainyard::test::PrivateHome home({"TRAINYARD_RUNS", "XDG_RUNTIME_DIR"});
    // Settings of the desktop environment must not influence tests.
    ::unsetenv("DBUS_SESSION_BUS_ADDRESS");
    if (std::getenv("TRAINYARD_TEST_ON_DISPLAY") == nullptr || std::getenv("DISPLAY") == nullptr)
        ::setenv("QT_QPA_PLATFORM", "offscreen:configfile=" TRAINYARD_TESTS_DIR "/support/screen.json", 0);
    QApplication application(argc, argv);
    return trainyard::test::run_suite(argc, argv);
}
