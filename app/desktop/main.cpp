// trainyard-desktop: the window. It only reads run directories and drops requests into them; closing it stops nothing.

#include <cstdio>
#include <memory>

#include <QApplication>
#include <QTimer>

#include "base/error.h"
#include "desktop/autopilot.h"
#include "desktop/main_window.h"
#include "desktop/options.h"
#include "desktop/preferences.h"
#include "desktop/single_instance.h"
#include "widgets/stall_watch.h"
#include "widgets/theme.h"

int main(int argc, char** argv) {
    using namespace trainyard;
    QApplication application(argc, argv);
    QApplication::setApplicationName(QStringLiteral("trainyard-desktop"));
    QApplication::setApplicationDisplayName(QStringLiteral("Trainyard"));
    QApplication::setApplicationVersion(QStringLiteral(TRAINYARD_VERSION));
    QApplication::setDesktopFileName(QStringLiteral("trainyard"));

    desktop::Options options;
    const QString problem = desktop::parseOptions(application.arguments(), options);
    if (!problem.isEmpty()) {
        std::fprintf(stderr, "%s\n", qPrintable(problem));
        return kExitUsage;
    }
    desktop::Preferences preferences;
    // A window that is asked for a certain page or a picture stands for itself; others share one.
    desktop::SingleInstance instance;
    if (options.returns()) {
        if (desktop::SingleInstance::handOver(options.openFromHere()))
            return 0;
        instance.listen();
    }
    widgets::Theme& theme = widgets::Theme::instance();
    theme.setChoice(options.theme.value_or(preferences.theme()));
    theme.install(application);

    desktop::MainWindow window(&preferences, options);
    desktop::Autopilot autopilot(&window, options);
    QObject::connect(&instance, &desktop::SingleInstance::opened, &window, &desktop::MainWindow::comeForward);
    window.show();
    std::unique_ptr<widgets::StallWatch> watch;
    if (const int limit = widgets::StallWatch::wanted(); limit > 0)
        watch = std::make_unique<widgets::StallWatch>(limit);
    // The window stands before anything is read or asked.
    QTimer::singleShot(0, &window, [&] {
        window.begin();
        if (options.returns() && options.open.isEmpty())
            window.returnToLast();
        autopilot.start();
    });
    return QApplication::exec();
}
