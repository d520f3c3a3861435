// main() for tests that need a QApplication: settings and data are in a temporary folder, and the platform is
// offscreen, where windows get the focus that they request and no display is disturbed. With TRAINYARD_TEST_ON_DISPLAY,
// the display is used if there is one.

#include <QApplication>

#include "support/suite.h"
#include "support/temporary_folder.h"

int main(int argc, char** argv) {
    const trainyard::test::TemporaryFolder home;
    for (const char* name : {"XDG_CONFIG_HOME", "XDG_STATE_HOME", "XDG_DATA_HOME", "XDG_CACHE_HOME", "TRAINYARD_RUNS",
                             "XDG_RUNTIME_DIR"}) {
        const std::filesystem::path folder = home.path() / name;
        std::filesystem::create_directories(folder);
        std::filesystem::permissions(folder, std::filesystem::perms::owner_all);
        ::setenv(name, folder.c_str(), 1);
    }
    // Settings of the desktop environment must not influence tests.
    ::unsetenv("DBUS_SESSION_BUS_ADDRESS");
    if (std::getenv("TRAINYARD_TEST_ON_DISPLAY") == nullptr || std::getenv("DISPLAY") == nullptr)
        ::setenv("QT_QPA_PLATFORM", "offscreen", 0);
    QApplication application(argc, argv);
    return trainyard::test::run_suite(argc, argv);
}
