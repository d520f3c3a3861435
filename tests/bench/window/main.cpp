// SPDX-License-Identifier: GPL-3.0-or-later
// bench_window [--json] [--hostile | --data]: the whole program as users have it open. Prints one line per figure;
// exits with 0 if all could be measured. --hostile: hostile.* alone; --data: data.* and hub.* alone.
//   start.*    from starting the process to a painted window that accepts keys, without runs and with the last run reopened (P15)
//   memory.*   ten open runs of 100,000 steps, in an otherwise idle process (P16)
//   idle.*     share of a core of that process, and of one with a finished run open (P16)
//   stall.*    time for which the event loop is blocked while ten runs grow and pages are switched (P16)
//   log.*      a log of a million lines (P14)
//   data.*     the preview of data, hub.* the dialog of the hub (data.h)
//   hostile.*  time for which the event loop is blocked while a hostile host is followed (hostile.h)
// start.* runs this program again as `--child [RUN]`, which does what trainyard-desktop does and reports when it is
// ready; memory.* and idle.* run it as `--open RUN...`, which opens the runs one after the other and reports the cost.

#include <algorithm>
#include <atomic>
#include <cstdio>
#include <cstring>
#include <ctime>
#include <fstream>
#include <memory>
#include <thread>

#include <QApplication>
#include <QElapsedTimer>
#include <QEventLoop>
#include <QTimer>

#include <nlohmann/json.hpp>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#include "base/clock.h"
#include "bench/engine/figure.h"
#include "bench/peer_program.h"
#include "bench/window/data.h"
#include "bench/window/hostile.h"
#include "bench/window/log.h"
#include "dashboard/fabricated_run.h"
#include "desktop/dashboard/run_page.h"
#include "desktop/runs/run_store.h"
#include "desktop/shell/main_window.h"
#include "desktop/shell/options.h"
#include "desktop/shell/preferences.h"
#include "support/temporary_folder.h"
#include "widgets/theme.h"

using namespace trainyard;
using bench::Figure;

namespace {

constexpr int kStarts = 9;
constexpr int kOpenRuns = 10;
constexpr int kIdleSeconds = 10;

double process_seconds() {
    timespec time{};
    ::clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &time);
    return static_cast<double>(time.tv_sec) + static_cast<double>(time.tv_nsec) * 1e-9;
}

/// `name`: Rss or Pss (proportional share of shared pages).
double megabytes(const std::string& name) {
    std::ifstream status("/proc/self/smaps_rollup");
    for (std::string line; std::getline(status, line);)
        if (line.starts_with(name + ":"))
            return std::stod(line.substr(name.size() + 1)) / 1024;
    return 0;
}

void rest(int milliseconds) {
    QEventLoop loop;
    QTimer::singleShot(milliseconds, &loop, &QEventLoop::quit);
    loop.exec();
}

/// The startup of trainyard-desktop, from main().
struct Program {
    explicit Program(QApplication& application, const QString& run = {}) {
        widgets::Theme::instance().setChoice(widgets::ThemeChoice::Dark);
        widgets::Theme::instance().install(application);
        options.size = QSize(1440, 900);
        window = std::make_unique<desktop::MainWindow>(&preferences, options);
        window->show();
        window->begin();
        if (!run.isEmpty())
            window->context()->openRun(run);
    }
    desktop::Preferences preferences;
    desktop::Options options;
    std::unique_ptr<desktop::MainWindow> window;
};

void open_run(desktop::MainWindow& window, const QString& run) {
    window.context()->openRun(run);
    QElapsedTimer limit;
    limit.start();
    const auto caught_up = [&] {
        const auto* page = qobject_cast<desktop::RunPage*>(window.currentPage());
        return page != nullptr && page->record()->isCaughtUp();
    };
    while (!caught_up() && limit.elapsed() < 20'000)
        rest(10);
}

int open_runs(QApplication& application, const QStringList& runs) {
    const Program program(application);
    for (const QString& run : runs)
        open_run(*program.window, run);
    rest(3000);
    nlohmann::json figures{{"rss", megabytes("Rss")}, {"pss", megabytes("Pss")}, {"anonymous", megabytes("Pss_Anon")}};
    for (int i = 0; i < 3; ++i) {
        const double used = process_seconds();
        rest(kIdleSeconds * 1000);
        figures["idle"].push_back(100 * (process_seconds() - used) / kIdleSeconds);
    }
    std::printf("%s\n", figures.dump().c_str());
    return 0;
}

std::vector<Figure> opened(const std::string& self, const std::vector<std::string>& ten, const std::string& over) {
    const auto figures_of = [&](const std::vector<std::string>& runs) {
        std::vector<std::string> command{self, "--open"};
        command.insert(command.end(), runs.begin(), runs.end());
        return nlohmann::json::parse(bench::output_of(command));
    };
    const nlohmann::json all = figures_of(ten), one = figures_of({over});
    Figure memory{"memory.ten", "proportional set size, ten runs of 100,000 steps open", "MB", {all["pss"]}, {}, 150,
                  true};
    Figure resident{
        "memory.resident", "resident, libraries that others use counted whole", "MB", {all["rss"]}, {}, {}, true};
    Figure single{"memory.one", "proportional set size, one run open", "MB", {one["pss"]}, {}, {}, true};
    Figure live{"idle.ten", "process, ten runs open that say nothing now", "% of a core", all["idle"], {}, 1, true};
    Figure quiet{"idle.over", "process, one run open that is over", "% of a core", one["idle"], {}, 1, true};
    return {memory, resident, single, live, quiet};
}

int child(QApplication& application, const QString& run) {
    Program program(application, run);
    QElapsedTimer limit;
    limit.start();
    const auto ready = [&] {
        if (!program.window->store()->isLoaded())
            return false;
        if (run.isEmpty())
            return true;
        const auto* page = qobject_cast<desktop::RunPage*>(program.window->currentPage());
        return page != nullptr && page->record()->isCaughtUp();
    };
    while (!ready() && limit.elapsed() < 30'000)
        QApplication::processEvents(QEventLoop::AllEvents | QEventLoop::WaitForMoreEvents, 5);
    program.window->repaint();
    std::printf("ready\n");
    std::fflush(stdout);
    return 0;
}

/// Seconds from fork() to the child's report.
double start_once(const std::string& self, const std::string& run) {
    int pipe_ends[2];
    if (::pipe(pipe_ends) != 0)
        return -1;
    const double begun = monotonic_seconds();
    const pid_t pid = ::fork();
    if (pid == 0) {
        ::dup2(pipe_ends[1], 1);
        ::close(pipe_ends[0]);
        ::execl(self.c_str(), self.c_str(), "--child", run.empty() ? nullptr : run.c_str(), nullptr);
        ::_exit(127);
    }
    ::close(pipe_ends[1]);
    char byte = 0;
    const bool told = ::read(pipe_ends[0], &byte, 1) == 1;
    const double seconds = monotonic_seconds() - begun;
    ::close(pipe_ends[0]);
    int status = 0;
    ::waitpid(pid, &status, 0);
    return told ? seconds : -1;
}

std::vector<Figure> starts(const std::string& self, const std::string& run) {
    Figure bare{"start.window", "process start to a painted window, list of runs read", "s", {}, {}, 0.5, true};
    Figure restored{
        "start.restored", "process start to the last run's curves of 100,000 steps", "s", {}, {}, 1.0, true};
    for (int i = 0; i < kStarts; ++i) {
        bare.values.push_back(start_once(self, {}));
        restored.values.push_back(start_once(self, run));
    }
    return {bare, restored};
}

std::vector<Figure> open_window(QApplication& application, std::vector<std::unique_ptr<test::FabricatedRun>>& runs) {
    Program program(application);
    for (const auto& run : runs)
        open_run(*program.window, QString::fromStdString(run->paths().root().filename().string()));
    rest(1000);

    std::vector<double> holds;
    QElapsedTimer since;
    QTimer beat;
    QObject::connect(&beat, &QTimer::timeout, [&] {
        if (since.isValid())
            holds.push_back(static_cast<double>(since.nsecsElapsed()) * 1e-6);
        since.start();
    });
    std::atomic<bool> ended{false};
    std::thread writer([&] {
        for (int i = 0; i < 200; ++i) {
            for (const auto& run : runs)
                run->addStep(i % 4 == 0);
            std::this_thread::sleep_for(std::chrono::milliseconds(50));
        }
        ended = true;
    });
    beat.start(0);
    for (std::size_t i = 0; !ended; ++i) {
        // Pages are switched as by a user who searches for something.
        program.window->context()->openRun(
            QString::fromStdString(runs[i % runs.size()]->paths().root().filename().string()));
        rest(250);
        program.window->open({i % 2 == 0 ? QStringLiteral("runs") : QStringLiteral("settings"), {}});
        rest(150);
    }
    writer.join();
    beat.stop();
    std::sort(holds.begin(), holds.end());
    Figure most{"stall.999", "event loop held: 99.9 % of its turns, ten runs growing, pages changed",
                "ms",        {holds[holds.size() * 999 / 1000]},
                {},          50,
                true};
    Figure longest{"stall.longest", "the longest of them", "ms", {holds.back()}, {}, 50, true};
    return {most, longest};
}

}  // namespace

int main(int argc, char** argv) {
    if (qEnvironmentVariableIsEmpty("DISPLAY") && qEnvironmentVariableIsEmpty("QT_QPA_PLATFORM"))
        qputenv("QT_QPA_PLATFORM", "offscreen");
    if (argc > 1 && std::strcmp(argv[1], "--child") == 0) {
        QApplication application(argc, argv);
        return child(application, argc > 2 ? QString::fromLocal8Bit(argv[2]) : QString());
    }
    if (argc > 2 && std::strcmp(argv[1], "--open") == 0) {
        QApplication application(argc, argv);
        return open_runs(application, application.arguments().mid(2));
    }
    bool json = false, hostile_alone = false, data_alone = false;
    for (int i = 1; i < argc; ++i) {
        const std::string word = argv[i];
        json = json || word == "--json";
        hostile_alone = hostile_alone || word == "--hostile";
        data_alone = data_alone || word == "--data";
        if (word != "--json" && word != "--hostile" && word != "--data") {
            std::fprintf(stderr, "usage: bench_window [--json] [--hostile | --data]\n");
            return 2;
        }
    }
    const test::TemporaryFolder folder;
    for (const char* name :
         {"XDG_CONFIG_HOME", "XDG_STATE_HOME", "XDG_DATA_HOME", "XDG_CACHE_HOME", "TRAINYARD_RUNS"}) {
        const std::filesystem::path path = folder.path() / name;
        std::filesystem::create_directories(path);
        ::setenv(name, path.c_str(), 1);
    }
    if (hostile_alone || data_alone) {
        QApplication application(argc, argv);
        widgets::Theme::instance().install(application);
        bench::print(hostile_alone ? bench::hostile_figures() : bench::data_figures(), json);
        return 0;
    }
    std::vector<std::unique_ptr<test::FabricatedRun>> runs;
    for (int i = 0; i < kOpenRuns; ++i) {
        test::FabricatedPlan plan;
        plan.name = "run-" + std::to_string(i);
        plan.done = 100'000;
        plan.steps = 200'000;
        plan.seed = static_cast<std::uint32_t>(i + 1);
        plan.checkpoint_every = 5000;
        plan.evaluate_every = 1000;
        runs.push_back(std::make_unique<test::FabricatedRun>(folder.path() / "TRAINYARD_RUNS", plan));
    }
    std::vector<Figure> figures = starts(argv[0], runs.back()->paths().root().filename().string());
    test::FabricatedPlan plan;
    plan.name = "over";
    plan.done = plan.steps = 100'000;
    plan.status = run::Status::finished;
    const test::FabricatedRun over(folder.path() / "TRAINYARD_RUNS", plan);
    std::vector<std::string> names;
    for (const auto& run : runs)
        names.push_back(run->paths().root().filename().string());
    for (Figure& figure : opened(argv[0], names, over.paths().root().filename().string()))
        figures.push_back(std::move(figure));
    QApplication application(argc, argv);
    for (Figure& figure : open_window(application, runs))
        figures.push_back(std::move(figure));
    for (Figure& figure : bench::log_figures())
        figures.push_back(std::move(figure));
    for (Figure& figure : bench::data_figures())
        figures.push_back(std::move(figure));
    for (Figure& figure : bench::hostile_figures())
        figures.push_back(std::move(figure));
    bench::print(figures, json);
    return 0;
}
