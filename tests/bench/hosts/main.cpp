// SPDX-License-Identifier: GPL-3.0-or-later
// bench_hosts [--json]: responsiveness of the window while hosts are probed. Prints one line per figure.
//   hosts.stall   the longest iteration of the event loop while 50 hosts with 8 GPUs answer at once

#include <cstring>

#include <QApplication>
#include <QElapsedTimer>
#include <QEventLoop>
#include <QTimer>

#include "bench/engine/figure.h"
#include "desktop/hosts/hosts_page.h"
#include "fake_hosts.h"
#include "support/temporary_folder.h"
#include "widgets/theme.h"

using namespace trainyard;
using namespace trainyard::desktop;

namespace {

constexpr int kRounds = 5;
constexpr int kHosts = 50;
constexpr int kBeatMs = 1;

double longest_stall() {
    auto source = std::make_unique<test::FakeHosts>();
    for (int i = 0; i < kHosts; ++i)
        source->add("node-" + std::to_string(i), i % 3 == 0 ? 0 : 8).seconds = 0.3;
    HostsPage page(nullptr, std::move(source));
    page.resize(1440, 900);
    page.show();
    QEventLoop loop;
    QTimer beat;
    QElapsedTimer since;
    double longest = 0;
    bool asked = false;
    QObject::connect(&beat, &QTimer::timeout, &loop, [&] {
        if (!asked && page.hosts()->isLoaded() && page.hosts()->asking() == 0) {
            asked = true;
            since.start();
            page.hosts()->probeAll();
            return;
        }
        if (!asked)
            return;
        longest = std::max(longest, static_cast<double>(since.nsecsElapsed()) * 1e-6);
        since.restart();
        if (page.hosts()->asking() == 0)
            loop.quit();
    });
    beat.start(kBeatMs);
    loop.exec();
    return longest;
}

int measure(int argc, char** argv) {
    const bool json = argc > 1 && std::strcmp(argv[1], "--json") == 0;
    const test::TemporaryFolder home;
    for (const char* name : {"XDG_CONFIG_HOME", "XDG_STATE_HOME", "XDG_DATA_HOME", "TRAINYARD_RUNS"})
        ::setenv(name, (home.path() / name).c_str(), 1);
    if (qEnvironmentVariableIsEmpty("DISPLAY") && qEnvironmentVariableIsEmpty("QT_QPA_PLATFORM"))
        qputenv("QT_QPA_PLATFORM", "offscreen");
    QApplication application(argc, argv);
    widgets::Theme::instance().install(application);
    bench::Figure stall{
        "hosts.stall", "longest turn of the event loop, " + std::to_string(kHosts) + " hosts asked", "ms", {}, {}, 50,
        true};
    for (int i = 0; i < kRounds; ++i)
        stall.values.push_back(longest_stall());
    bench::print({stall}, json);
    return 0;
}

}  // namespace

int main(int argc, char** argv) {
    return bench::main_of("bench_hosts", measure, argc, argv);
}
