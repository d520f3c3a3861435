// SPDX-License-Identifier: GPL-3.0-or-later
#include "bench/window/hostile.h"

#include <algorithm>
#include <atomic>
#include <cstdlib>
#include <ctime>
#include <deque>
#include <memory>
#include <thread>

#include <QElapsedTimer>
#include <QEventLoop>
#include <QTimer>

#include <nlohmann/json.hpp>

#include "base/clock.h"
#include "base/error.h"
#include "desktop/hosts/host_list.h"
#include "desktop/hosts/hosts_page.h"
#include "desktop/runs/run_store.h"
#include "desktop/shell/main_window.h"
#include "desktop/shell/preferences.h"
#include "fake_hosts.h"
#include "remote/host_facts.h"
#include "remote/mirror.h"
#include "run/paths.h"
#include "support/hostile_host.h"
#include "widgets/theme.h"

namespace trainyard::bench {

namespace {

using Json = nlohmann::json;

constexpr int kHosts = 24;
constexpr int kLies = 200;       // different answers of hosts
constexpr double kTarget = 100;  // ms: a person does not notice a shorter hold

std::uint64_t number_of(const char* variable, std::uint64_t otherwise) {
    const char* text = std::getenv(variable);
    return text == nullptr ? otherwise : std::strtoull(text, nullptr, 10);
}

double thread_seconds() {
    timespec now{};
    ::clock_gettime(CLOCK_THREAD_CPUTIME_ID, &now);
    return static_cast<double>(now.tv_sec) + 1e-9 * static_cast<double>(now.tv_nsec);
}

/// Text that is valid in JSON, as long as a host may make it.
std::string lie_of(test::Liar& liar) {
    static const std::string kRich = "\xe2\x80\xae<img src=\"/dev/zero\"><b>forged</b>";
    std::string text = kRich;
    for (std::size_t i = liar.one_in(8) ? liar.below(3000) : liar.below(4); i > 0; --i)
        text += " wide\twide";
    return text;
}

/// The script's answer of a host with 16 GPUs, each with many processes of other users.
std::string host_answer(test::Liar& liar) {
    std::string answer = "@clock\n1700000010.25\n@uname\n" + lie_of(liar) + "\n6.1\nx86_64\nLinux\n@system\n\"" +
                         lie_of(liar) + "\"\n@cores\n64\n@memory\nMemTotal: 1000000 kB\n@nvidia\n";
    std::string processes, owners;
    for (int gpu = 0; gpu < 16; ++gpu) {
        const std::string id = "GPU-" + std::to_string(gpu);
        answer += std::to_string(gpu) + ", H100 " + liar.name() + ", " + id +
                  ", 00000000:18:00.0, 81559, 1024, 41, 120.5, 97, 580.95.05, 9.0\n";
        for (std::size_t i = liar.below(200); i > 0; --i) {
            const std::string pid = std::to_string(1000 * gpu + static_cast<int>(i));
            processes += id + ", " + pid + ", 1000, <img src=x>" + liar.name() + "\n";
            owners += " " + pid + " <b>root</b> 1-02:03:04\n";
        }
    }
    answer += "status 0\n@nvidia_processes\n" + processes + "@nvidia_owners\n" + owners + "@end\n";
    return liar.one_in(3) ? liar.changed(answer) : answer;
}

class LyingHosts final : public test::FakeHosts {
  public:
    explicit LyingHosts(std::uint64_t seed) {
        test::Liar liar(seed);
        for (int i = 0; i < kHosts; ++i)
            add("gpu-" + std::to_string(i), 0);
        // Made in advance: to think out a lie is the work of the host, not of the window.
        for (int i = 0; i < kLies; ++i)
            lies_.push_back({liar.one_in(5) ? std::string() : host_answer(liar), Message::verbatim(lie_of(liar))});
    }
    desktop::HostAnswer probe(const std::string& name, const desktop::ProbeOrder&) override {
        desktop::HostAnswer answer;
        answer.result.host = name;
        answer.time = wall_seconds();
        const Lie& lie = lies_[next_++ % lies_.size()];
        answer.result.problem = lie.problem;
        try {
            answer.result.facts = remote::parse_host_script(lie.answer, name, 1700000000, 1700000001);
            answer.result.problem = {};
            answer.connected = true;
        } catch (const UserError& error) {
            answer.result.cause = "unreachable";
            answer.result.transcript = {error.message(), answer.result.problem};
        }
        return answer;
    }

  private:
    struct Lie {
        std::string answer;
        Message problem;
    };
    std::vector<Lie> lies_;
    std::atomic<std::size_t> next_{0};
};

/// What a hostile host sends of a run: files that are right but for their texts and sizes, between random lies.
class LyingRun {
  public:
    explicit LyingRun(std::uint64_t seed) : liar_(seed) {}
    std::string piece() {
        using remote::StreamFrame;
        if (begins_) {
            begins_ = false;
            length_ = 0;
            return remote::frame_bytes(StreamFrame::hello,
                                       Json{{"version", remote::kStreamVersion}, {"run", "far"}, {"time", 5}}.dump()) +
                   file("run.yaml", "recipe: {name: far}\nlaunch: {num_processes: 64}\n") +
                   file("state.json", state()) +
                   remote::frame_bytes(StreamFrame::begin, Json{{"path", "events.jsonl"}, {"id", "1"}}.dump());
        }
        switch (liar_.below(4)) {
            case 0:
                return file("state.json", liar_.one_in(20) ? liar_.changed(state()) : state());
            case 1: {
                std::string lines;
                for (std::size_t i = liar_.below(50); i > 0; --i)
                    lines += Json{{"time", "2026-11-21T07:45:13.000Z"},
                                  {"kind", liar_.one_in(4) ? lie_of(liar_) : "note"},
                                  {"step", liar_.below(1000)},
                                  {"rank", liar_.below(64)},
                                  {"text", lie_of(liar_)}}
                                 .dump() +
                             "\n";
                const std::string head = Json{{"path", "events.jsonl"}, {"offset", length_}}.dump();
                length_ += lines.size();
                return remote::frame_bytes(StreamFrame::bytes, head + "\n" + lines);
            }
            default: {
                // A random lie may end the connection; the next one starts from the beginning.
                std::string lie =
                    liar_.one_in(6) ? liar_.stream_piece() : remote::frame_bytes(StreamFrame::alive, R"({"time":5})");
                begins_ = lie.empty();
                return lie;
            }
        }
    }
    void begin() { begins_ = true; }

  private:
    std::string file(const char* path, const std::string& content) {
        return remote::frame_bytes(remote::StreamFrame::file, Json{{"path", path}}.dump() + "\n" + content);
    }
    std::string state() {
        Json ranks = Json::array();
        for (int rank = 0; rank < 64; ++rank)
            ranks.push_back({{"rank", rank}, {"host", lie_of(liar_)}, {"state", "running"}, {"phase", lie_of(liar_)}});
        return Json{{"run_id", "far"},
                    {"name", lie_of(liar_)},
                    {"created", "2026-11-21T07:45:12.000Z"},
                    {"started", "2026-11-21T07:45:13.000Z"},
                    {"heartbeat", iso_time(wall_seconds())},
                    {"supervisor", {{"host", "h"}, {"pid", 7}, {"start_time", 1}, {"generation", 1}}},
                    {"status", liar_.one_in(4) ? "failed" : "running"},
                    {"message", lie_of(liar_)},
                    {"progress", {{"step", liar_.below(1000)}, {"of", 1000}, {"loss", 2.5}}},
                    {"ranks", ranks}}
            .dump();
    }

    test::Liar liar_;
    bool begins_ = true;
    std::uint64_t length_ = 0;
};

void follow(const run::RunPaths& mirror, std::uint64_t seed, const std::atomic<bool>& ended) {
    LyingRun run(seed);
    while (!ended) {
        run.begin();
        test::HostileLink link([&] {
            std::this_thread::sleep_for(std::chrono::milliseconds(2));
            return ended ? std::string() : run.piece();
        });
        remote::MirrorOptions options;
        options.silence_s = 1;
        options.alive_every_s = 100;
        try {
            remote::follow_run(link, mirror, options);
        } catch (const UserError&) {  // a lie that was found out
        }
    }
}

void rest(int milliseconds) {
    QEventLoop loop;
    QTimer::singleShot(milliseconds, &loop, &QEventLoop::quit);
    loop.exec();
}

}  // namespace

std::vector<Figure> hostile_figures() {
    const auto seconds = static_cast<double>(number_of("TRAINYARD_HOSTILE_SECONDS", 60));
    const std::uint64_t seed = number_of("TRAINYARD_HOSTILE_SEED", 1);
    const run::RunPaths mirror =
        remote::prepare_mirror(run::runs_root(), {"gpu-0", "/home/me/runs/far", "/opt/trainyard"});
    desktop::Preferences preferences;
    desktop::Options options;
    options.size = QSize(1440, 900);
    desktop::MainWindow window(&preferences, options);
    window.context()->setHostSource(std::make_unique<LyingHosts>(seed));
    window.show();
    window.begin();
    while (!window.store()->isLoaded())
        rest(10);

    std::atomic<bool> ended{false};
    std::thread lying([&] { follow(mirror, seed, ended); });
    rest(1000);
    // Deques: to grow must not cost a turn of its own.
    std::deque<double> held, worked;
    QElapsedTimer since;
    double before = 0;
    QTimer beat;
    QObject::connect(&beat, &QTimer::timeout, [&] {
        if (since.isValid()) {
            held.push_back(static_cast<double>(since.nsecsElapsed()) * 1e-6);
            worked.push_back(1000 * (thread_seconds() - before));
        }
        before = thread_seconds();
        since.start();
    });
    beat.start(0);
    std::size_t found = 0;
    const double until = monotonic_seconds() + seconds;
    for (int turn = 0; monotonic_seconds() < until; ++turn) {
        window.context()->openRun(QString::fromStdString(mirror.root().filename().string()));
        rest(1500);
        auto* hosts = window.context()->show<desktop::HostsPage>();
        hosts->choose(QStringLiteral("gpu-%1").arg(turn % kHosts));
        hosts->hosts()->probeAll();
        rest(1500);
        found += static_cast<std::size_t>(hosts->hosts()->connected());
        window.open({QStringLiteral("runs"), {}});
        rest(500);
    }
    beat.stop();
    ended = true;
    lying.join();
    if (found == 0)
        throw UserError("no lying host was connected: the figures would be those of an idle window");
    std::ranges::sort(held);
    std::ranges::sort(worked);
    return {{"hostile.999",
             "event loop held: 99.9 % of its turns while a hostile host answers",
             "ms",
             {held[held.size() * 999 / 1000]},
             {},
             kTarget,
             true},
            {"hostile.longest", "the longest of them", "ms", {held.back()}, {}, kTarget, true},
            {"hostile.work",
             "the longest of them, in processor time of the GUI thread",
             "ms",
             {worked.back()},
             {},
             kTarget,
             true}};
}

}  // namespace trainyard::bench
