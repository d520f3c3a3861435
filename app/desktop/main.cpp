// SPDX-License-Identifier: GPL-3.0-or-later
// trainyard-desktop: the window. It only reads run directories and writes requests into them; closing it does not stop
// runs.

#include <algorithm>
#include <array>
#include <chrono>
#include <cstdio>
#include <memory>
#include <string_view>

#include <QApplication>
#include <QTimer>

#include "base/error.h"
#include "desktop/shell/autopilot.h"
#include "desktop/shell/crash_reports.h"
#include "desktop/shell/ending_signals.h"
#include "desktop/shell/main_window.h"
#include "desktop/shell/options.h"
#include "desktop/shell/preferences.h"
#include "desktop/shell/single_instance.h"
#include "desktop/shell/theme_words.h"
#include "widgets/executor.h"
#include "widgets/high_contrast.h"
#include "widgets/languages.h"
#include "widgets/stall_watch.h"
#include "widgets/theme.h"

using namespace trainyard;

namespace {

/// Whether only text is requested (--help, --version), which needs no display.
bool asks_for_words(int argc, char** argv) {
    return std::any_of(argv + 1, argv + argc, [](std::string_view word) {
        return word == "-h" || word == "--help" || word == "--help-all" || word == "-v" || word == "--version";
    });
}

/// Without a display Qt would abort with a core dump and advise to reinstall the program.
bool has_display(int argc, char** argv) {
    const bool chosen = std::any_of(argv + 1, argv + argc,
                                    [](std::string_view word) { return word == "-platform" || word == "--platform"; });
    return chosen || std::ranges::any_of(std::array{"DISPLAY", "WAYLAND_DISPLAY", "QT_QPA_PLATFORM"},
                                         [](const char* name) { return !qEnvironmentVariableIsEmpty(name); });
}

int showWindow(int argc, char** argv) {
    QCoreApplication::setApplicationName(QStringLiteral("trainyard-desktop"));
    QCoreApplication::setApplicationVersion(QStringLiteral(TRAINYARD_VERSION));
    if (asks_for_words(argc, argv)) {
        QCoreApplication words(argc, argv);
        widgets::Languages::install(words, widgets::Languages::ofSystem());
        desktop::Options unused;
        desktop::parseOptions(QCoreApplication::arguments(), unused);  // prints them and ends the program
    } else if (!has_display(argc, argv)) {
        std::fprintf(stderr,
                     "trainyard-desktop: there is no display: neither DISPLAY nor WAYLAND_DISPLAY is set. Over SSH, "
                     "connect with ssh -X; without a display, "
                     "the program trainyard does the same from the command line.\n");
        return kExitUsage;
    }
    QApplication application(argc, argv);
    desktop::EndingSignals ending;
    QApplication::setApplicationDisplayName(QStringLiteral("Trainyard"));
    QApplication::setDesktopFileName(QStringLiteral("trainyard"));

    // Messages before the settings are read use the language of the system.
    widgets::Languages::install(application, widgets::Languages::ofSystem());
    desktop::Preferences preferences;
    if (widgets::Languages::knows(preferences.language()))
        widgets::Languages::install(application, preferences.language());
    desktop::Options options;
    const QString problem = desktop::parseOptions(application.arguments(), options);
    if (!problem.isEmpty()) {
        std::fprintf(stderr, "%s\n", qPrintable(problem));
        return kExitUsage;
    }
    if (!options.language.isEmpty())
        widgets::Languages::install(application, options.language);
    // A window for a certain page or a screenshot is a separate instance; others share one.
    using desktop::SingleInstance;
    SingleInstance instance;
    const SingleInstance::Role role =
        options.returns()
            ? instance.begin({options.openFromHere(), desktop::theme_word(options.theme), options.command()})
            : SingleInstance::Role::First;
    if (role == SingleInstance::Role::Second)
        return 0;
    widgets::set_high_contrast(preferences.highContrast());
    widgets::Theme& theme = widgets::Theme::instance();
    theme.setChoice(options.theme.value_or(preferences.theme()));
    theme.setTextSize(preferences.sizeOfText());
    theme.install(application);

    desktop::record_crashes();
    desktop::MainWindow window(&preferences, options);
    desktop::Autopilot autopilot(&window, options);
    QObject::connect(&instance, &SingleInstance::opened, &window, [&window](const SingleInstance::Words& words) {
        // For this time only, as in a window of its own.
        if (const auto choice = desktop::theme_of(words.theme))
            widgets::Theme::instance().setChoice(*choice);
        window.comeForward(words.open, words.command);
    });
    QObject::connect(&ending, &desktop::EndingSignals::received, &window, [&window] {
        window.quit();
        QCoreApplication::quit();
    });
    window.appear();
    std::unique_ptr<widgets::StallWatch> watch;
    if (const int limit = widgets::StallWatch::wanted(); limit > 0)
        watch = std::make_unique<widgets::StallWatch>(limit);
    // Show the window before anything is read or probed.
    QTimer::singleShot(0, &window, [&] {
        window.begin();
        if (role == SingleInstance::Role::Unanswered)
            emit window.context()->said(SingleInstance::unansweredText());
        if (options.returns() && options.open.isEmpty())
            window.returnToLast();
        window.runCommand(options.command());
        autopilot.start();
    });
    return QApplication::exec();
}

}  // namespace

int main(int argc, char** argv) {
    const int code = showWindow(argc, argv);
    if (widgets::Executor::instance().finish(std::chrono::milliseconds(0)))
        return code;
    // A worker hangs, for example on an unreachable network disk. It may still use any object, so destructors must not
    // run.
    std::fflush(nullptr);
    std::_Exit(code);
}
