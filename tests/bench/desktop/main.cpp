// SPDX-License-Identifier: GPL-3.0-or-later
// bench_wizard [--json]: speed of the wizard. Prints one line per figure; exits with 0 if all could be measured.
//   open      from the first request for New run to its first painted frame
//   expert    from Ctrl+Shift+E to the first painted frame of the table of all keys
//   key       from a key press in a field to the frame with the validated value, everywhere it is shown; for each page with many
//             fields, and for the recipe
//   finder    from a letter in the finder to the list on the screen, 10,000 entries

#include <cstdio>
#include <cstring>

#include <QApplication>
#include <QElapsedTimer>
#include <QEventLoop>
#include <QKeyEvent>
#include <QLineEdit>
#include <QTimer>

#include "bench/engine/figure.h"
#include "desktop/shell/finder.h"
#include "desktop/shell/main_window.h"
#include "desktop/shell/preferences.h"
#include "desktop/wizard/field_editor.h"
#include "desktop/wizard/step_page.h"
#include "desktop/wizard/wizard_page.h"
#include "support/temporary_folder.h"
#include "widgets/theme.h"

using namespace trainyard;
using bench::Figure;
using namespace trainyard::desktop;

namespace {

constexpr int kOpens = 10;
constexpr int kKeys = 60;

settings::Machine machine() {
    settings::Machine machine;
    machine.device = "cuda";
    machine.device_count = 8;
    machine.physical_cores = 64;
    machine.deepspeed = "0.16.4";
    return machine;
}

double milliseconds(const QElapsedTimer& clock) {
    return static_cast<double>(clock.nsecsElapsed()) * 1e-6;
}

void settle(WizardPage* page) {
    // An event loop that sleeps: processEvents() with a time limit would poll.
    QEventLoop loop;
    QTimer look;
    QObject::connect(&look, &QTimer::timeout, &loop, [&] {
        if (page->isChecked())
            loop.quit();
    });
    look.start(20);
    loop.exec();
}

void key(QWidget* field, Qt::Key code, const QString& text) {
    QKeyEvent press(QEvent::KeyPress, code, Qt::NoModifier, text);
    QApplication::sendEvent(field, &press);
    QKeyEvent release(QEvent::KeyRelease, code, Qt::NoModifier, text);
    QApplication::sendEvent(field, &release);
}

Figure keys(WizardPage* page, const char* name) {
    Figure figure{std::string("wizard.key.") + name,
                  std::string("a key in ") + name + ", judged and painted",
                  "ms",
                  {},
                  {},
                  16,
                  true};
    if (!page->goToField(QLatin1String(name)))
        return figure;
    settle(page);
    QWidget* field = QApplication::focusWidget();
    for (int i = 0; i < kKeys; ++i) {
        QElapsedTimer clock;
        clock.start();
        // Types and deletes a digit: valid and invalid values alternate.
        if (i % 2 == 0)
            key(field, Qt::Key_1, QStringLiteral("1"));
        else
            key(field, Qt::Key_Backspace, {});
        QApplication::processEvents();  // paints changes without waiting for anything
        figure.values.push_back(milliseconds(clock));
        settle(page);
    }
    return figure;
}

Figure finder() {
    Figure figure{"finder.letter", "a letter in the finder, 10,000 entries, painted", "ms", {}, {}, 50, true};
    QWidget window;
    window.resize(1440, 900);
    Finder finder(QStringLiteral("Find"), {}, &window);
    QVector<FinderEntry> entries(10'000);
    for (int i = 0; i < entries.size(); ++i)
        entries[i].text = QStringLiteral("gpt2-lr%1-seed%2   20261121-%3").arg(i % 40).arg(i % 7).arg(i, 6);
    window.show();
    finder.open(entries);
    const QString words = QStringLiteral("gpt2 seed3 99");
    for (int i = 0; i < kKeys; ++i) {
        const QString letter = words.mid(i % words.size(), 1);
        if (i % words.size() == 0)
            finder.field()->clear();
        QElapsedTimer clock;
        clock.start();
        key(finder.field(), Qt::Key_A, letter);
        QApplication::processEvents();
        figure.values.push_back(milliseconds(clock));
    }
    return figure;
}

}  // namespace

int main(int argc, char** argv) {
    const bool json = argc > 1 && std::strcmp(argv[1], "--json") == 0;
    if (argc > 1 && !json) {
        std::fprintf(stderr, "usage: bench_wizard [--json]\n");
        return 2;
    }
    const test::TemporaryFolder home;
    for (const char* name : {"XDG_CONFIG_HOME", "XDG_STATE_HOME", "XDG_DATA_HOME", "TRAINYARD_RUNS"})
        ::setenv(name, (home.path() / name).c_str(), 1);
    if (qEnvironmentVariableIsEmpty("DISPLAY") && qEnvironmentVariableIsEmpty("QT_QPA_PLATFORM"))
        qputenv("QT_QPA_PLATFORM", "offscreen");
    QApplication application(argc, argv);
    widgets::Theme::instance().install(application);
    Figure open{"wizard.open", "New run, first picture", "ms", {}, {}, 100, true};
    Figure expert{"wizard.expert", "Expert, first picture of all keys", "ms", {}, {}, 100, true};
    std::vector<Figure> all;
    for (int i = 0; i < kOpens; ++i) {
        Preferences preferences;
        MainWindow window(&preferences, {});
        window.context()->setMachine(machine());
        window.show();
        QApplication::processEvents();
        QElapsedTimer clock;
        clock.start();
        window.open({QStringLiteral("new"), {}});
        QApplication::processEvents();
        open.values.push_back(milliseconds(clock));
        WizardPage* page = window.page<WizardPage>();
        settle(page);
        clock.start();
        page->setExpert(true);
        QApplication::processEvents();
        expert.values.push_back(milliseconds(clock));
        page->setExpert(false);
        if (i + 1 < kOpens)
            continue;
        page->draft()->answer(QStringLiteral("fsdp"), QStringLiteral("yes"));
        page->draft()->answer(QStringLiteral("fsdp_wrap"), QStringLiteral("SIZE_BASED_WRAP"));
        all = {keys(page, "num_processes"), keys(page, "fsdp_min"), keys(page, "training.steps")};
    }
    all.insert(all.begin(), {open, expert});
    all.push_back(finder());
    if (json) {
        std::fputs(bench::to_json(all).c_str(), stdout);
    } else {
        for (const Figure& figure : all)
            std::printf("%s\n", bench::to_line(figure).c_str());
    }
    return 0;
}
