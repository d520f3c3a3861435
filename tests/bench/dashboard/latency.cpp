// SPDX-License-Identifier: GPL-3.0-or-later
#include "bench/dashboard/latency.h"

#include <cstdlib>
#include <filesystem>
#include <functional>
#include <stdexcept>

#include <QElapsedTimer>
#include <QEventLoop>
#include <QProcess>
#include <QTimer>

#include "bench/dashboard/replot.h"
#include "dashboard/fabricated_run.h"
#include "desktop/curves/card_grid.h"
#include "desktop/curves/curve_card.h"
#include "desktop/curves/curves_panel.h"
#include "desktop/curves/log_page.h"
#include "desktop/dashboard/loss_panel.h"
#include "desktop/dashboard/run_page.h"
#include "desktop/dashboard/tags.h"
#include "remote/mirror.h"
#include "support/child.h"
#include "support/hosts.h"
#include "support/patience.h"
#include "support/temporary_folder.h"
#include "widgets/plot/curve_chart.h"

namespace trainyard::bench {

namespace fs = std::filesystem;

namespace {

constexpr int kRounds = 15;

void wait_for(const char* what, const std::function<bool()>& holds) {
    QElapsedTimer clock;
    clock.start();
    while (!holds()) {
        if (clock.elapsed() > kPatience)
            throw std::runtime_error(std::string(what) + " did not come");
        spin(20);
    }
}

test::FabricatedPlan plan() {
    test::FabricatedPlan made;
    made.done = 10'000;
    made.steps = 20'000;
    return made;
}

/// The host's user must be able to read what this user writes to its home.
void open_to_host(const fs::path& folder) {
    fs::permissions(folder, fs::perms::all);
    for (const fs::directory_entry& entry : fs::recursive_directory_iterator(folder))
        fs::permissions(entry.path(), fs::perms::all);
}

}  // namespace

Figure step_latency(const char* id, const char* what, double target, test::FabricatedRun& run,
                    const widgets::Series& series, widgets::CurveChart& chart) {
    Figure latency{id, what, "ms", {}, {}, target, true};
    for (int i = 0; i < kRounds; ++i) {
        spin(130 + 67 * i);
        const std::size_t before = series.size();
        QEventLoop loop;
        QElapsedTimer clock;
        double took = 0;
        QObject::connect(&chart, &widgets::CurveChart::redrawn, &loop, [&] {
            if (series.size() > before) {
                chart.repaint();
                took = static_cast<double>(clock.nsecsElapsed()) * 1e-6;
                loop.quit();
            }
        });
        QTimer::singleShot(kPatience, &loop, &QEventLoop::quit);
        clock.start();
        run.addStep();
        loop.exec();
        if (took == 0)
            throw std::runtime_error("a step was not drawn");
        latency.values.push_back(took);
    }
    return latency;
}

std::vector<Figure> over_ssh() {
    const test::TemporaryFolder folder;
    ::setenv("XDG_CACHE_HOME", folder.path().c_str(), 1);
    ::setenv("XDG_STATE_HOME", folder.path().c_str(), 1);
    test::TestHosts hosts(test::TestHosts::Options{.count = 1, .shares = {TRAINYARD_BUILD_DIR}});
    ::setenv("TRAINYARD_SSH_CONFIG", hosts.ssh_config().c_str(), 1);
    ::unsetenv("SSH_AUTH_SOCK");
    const fs::path there = hosts.home_of("host1") / "runs";
    test::FabricatedRun run(there, plan());
    open_to_host(there);
    const std::string inside = hosts[0].home + "/runs/" + run.paths().id();

    std::vector<Figure> figures;
    {
        const run::RunPaths mirror =
            remote::prepare_mirror(folder.path() / "runs", {"host1", inside, TRAINYARD_BUILD_DIR "/bin/trainyard"});
        QProcess follower;
        follower.setProcessChannelMode(QProcess::ForwardedErrorChannel);
        follower.start(QStringLiteral(TRAINYARD_BUILD_DIR "/bin/trainyard"),
                       {QStringLiteral("mirror"), QString::fromStdString(mirror.root().string())});
        desktop::RunPage page(mirror);
        page.resize(1228, 874);
        page.show();
        const widgets::Series& loss = page.record()->series(desktop::tag::kTrainLoss);
        wait_for("the run of the host", [&] { return loss.size() == static_cast<std::size_t>(run.step()); });
        figures.push_back(step_latency("latency.ssh", "a run on a host behind sshd (P9)", 1000, run, loss,
                                       *test::child<desktop::LossPanel>(page)->chart()));
        follower.terminate();
        follower.waitForFinished(kPatience);
    }
    desktop::LogPage page(QStringLiteral("host1:") + QString::fromStdString(inside + "/metrics"));
    page.resize(1228, 860);
    page.show();
    desktop::CurveCard* card = nullptr;
    wait_for("the logs of the host", [&] {
        card = qobject_cast<desktop::CurveCard*>(
            test::child<desktop::CardGrid>(page)->card(QStringLiteral("s:train/loss")));
        return card != nullptr && !card->chart()->curves().isEmpty() &&
               card->chart()->curves().first().series->size() == static_cast<std::size_t>(run.step());
    });
    figures.push_back(step_latency("latency.ssh_logs", "a folder of logs on a host, over SFTP (P9)", 1000, run,
                                   *card->chart()->curves().first().series, *card->chart()));
    return figures;
}

}  // namespace trainyard::bench
