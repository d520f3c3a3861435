// SPDX-License-Identifier: GPL-3.0-or-later
#include "desktop/shell/autopilot.h"

#include <cstdio>

#include <QApplication>
#include <QPushButton>

#include "desktop/launch/engine_link.h"
#include "desktop/runs/run_store.h"
#include "desktop/shell/first_run_page.h"
#include "desktop/shell/main_window.h"

namespace trainyard::desktop {

namespace {
constexpr int kPollMs = 100;
constexpr int kSettleMs = 1500;  ///< pages fill in from their threads
constexpr int kEngineWaitMs = 10000;
}  // namespace

Autopilot::Autopilot(MainWindow* window, const Options& options, QObject* parent)
    : QObject(parent), window_(window), options_(options) {}

void Autopilot::start() {
    if (options_.autostart) {
        connect(window_, &MainWindow::launchFailed, this, [this](const QString& words) {
            std::fprintf(stderr, "%s\n", qPrintable(words));
            finish(1);
        });
        connect(window_, &MainWindow::runLaunched, this, [](const QString& id) {
            std::printf("run %s\n", qPrintable(id));
            std::fflush(stdout);
        });
        connect(&poll_, &QTimer::timeout, this, &Autopilot::clickSample);
        poll_.start(kPollMs);
    } else if (!options_.screenshot.isEmpty()) {
        QTimer::singleShot(kSettleMs, this, [this] { finish(0); });
    }
}

void Autopilot::clickSample() {
    // The same way a person goes: the button answers once the engine was found.
    waited_ms_ += kPollMs;
    if (!window_->engine()->isReady() && window_->engine()->problem().isEmpty() && waited_ms_ < kEngineWaitMs)
        return;
    poll_.stop();
    disconnect(&poll_, nullptr, this, nullptr);
    connect(window_->store(), &RunStore::changed, this, &Autopilot::watch);
    window_->page<FirstRunPage>()->startButton()->click();
}

void Autopilot::watch() {
    const RunSummary* run = window_->store()->find(window_->launchedRun());
    if (run == nullptr || run->isLive() || over_)
        return;
    over_ = true;
    const bool failed = run->hasFailed();
    if (failed)
        std::fprintf(stderr, "%s\n", qPrintable(run->failure.isEmpty() ? run->message : run->failure));
    if (run->loss)
        std::printf("final loss %.3f\n", *run->loss);
    // The dashboard reads the last points in its own thread.
    QTimer::singleShot(kSettleMs, this, [this, failed] { finish(failed ? 1 : 0); });
}

bool Autopilot::saveScreenshot() {
    QApplication::processEvents();
    const bool saved = window_->grab().save(options_.screenshot, "PNG");
    if (saved)
        std::printf("screenshot %s\n", qPrintable(options_.screenshot));
    else
        std::fprintf(stderr, "The screenshot %s could not be written.\n", qPrintable(options_.screenshot));
    return saved;
}

void Autopilot::finish(int code) {
    if (!options_.screenshot.isEmpty() && !saveScreenshot() && code == 0)
        code = 1;
    std::fflush(stdout);
    QApplication::exit(code);
}

}  // namespace trainyard::desktop
