// SPDX-License-Identifier: GPL-3.0-or-later
// Tests of alarms: each rule fires once, at the right moment, with a message; rules are saved; the signs are read from
// the folder of a run; and without a notification service nothing is shown on the desktop.

#include <cmath>
#include <set>

#include <QSignalSpy>
#include <QTest>

#include <gtest/gtest.h>

#include "alarms/run_look.h"
#include "base/clock.h"
#include "desktop/alarms/alarm_service.h"
#include "desktop/alarms/alarm_watch.h"
#include "desktop/alarms/desktop_notifier.h"
#include "formats/events/event_file.h"
#include "support/settle.h"
#include "support/temporary_folder.h"
#include "support/views_folder.h"

namespace trainyard::desktop {
namespace {

RunSight sight(std::int64_t step, double loss = 2) {
    RunSight one;
    one.path = QStringLiteral("/runs/a");
    one.name = QStringLiteral("a");
    one.trains = true;
    one.step = step;
    one.loss = loss;
    return one;
}

AlarmRules all_on() {
    AlarmRules rules;
    for (std::size_t i = 0; i < kNoticeKinds; ++i)
        rules.rule(static_cast<NoticeKind>(i)).loudness = Loudness::InApp;
    return rules;
}

TEST(Alarms, NoProgressFiresOnceAndNotWhilePaused) {
    AlarmWatch watch;
    const AlarmRules rules = all_on();
    EXPECT_TRUE(watch.observe(sight(10), rules, 0).empty());
    EXPECT_TRUE(watch.observe(sight(10), rules, 299).empty());
    const std::vector<Notice> notices = watch.observe(sight(10), rules, 301);
    ASSERT_EQ(notices.size(), 1u);
    EXPECT_EQ(notices[0].kind, NoticeKind::NoProgress);
    EXPECT_EQ(notices[0].message.text(), "no step for 5 min 1 s, since step 10");
    EXPECT_TRUE(watch.observe(sight(10), rules, 900).empty()) << "once";
    watch.forget(QStringLiteral("/runs/a"));
    RunSight paused = sight(10);
    paused.trains = false;
    watch.observe(paused, rules, 1000);
    EXPECT_TRUE(watch.observe(paused, rules, 2000).empty());
    EXPECT_TRUE(watch.observe(sight(10), rules, 2001).empty()) << "time counts from the end of the pause";
}

TEST(Alarms, LossesThatAreNoNumbersHighOrRise) {
    AlarmWatch watch;
    AlarmRules rules = all_on();
    rules.rule(NoticeKind::LossAbove).limit = 9;
    rules.rule(NoticeKind::Diverging).limit = 40;
    double time = 0;
    for (int step = 1; step <= 100; ++step)
        EXPECT_TRUE(watch.observe(sight(step, 4.0 / (1 + 0.01 * step)), rules, ++time).empty()) << step;
    std::vector<Notice> told;
    for (int step = 101; step <= 200; ++step)
        for (const Notice& notice : watch.observe(sight(step, 2 + 0.02 * (step - 100)), rules, ++time))
            told.push_back(notice);
    ASSERT_EQ(told.size(), 1u);
    EXPECT_EQ(told[0].kind, NoticeKind::Diverging);
    EXPECT_GE(told[0].step, 140);
    ASSERT_EQ(watch.observe(sight(201, 9.5), rules, ++time).size(), 1u);
    const std::vector<Notice> nan = watch.observe(sight(202, std::nan("")), rules, ++time);
    ASSERT_EQ(nan.size(), 1u);
    EXPECT_EQ(nan[0].kind, NoticeKind::NotANumber);
}

TEST(Alarms, ThroughputDiskAndMemory) {
    AlarmWatch watch;
    const AlarmRules rules = all_on();
    double time = 0;
    for (int step = 1; step <= 30; ++step) {
        RunSight one = sight(step);
        one.tokens_per_s = 1000;
        one.disk_free = 6e9;
        one.memory_share = 0.9;
        EXPECT_TRUE(watch.observe(one, rules, ++time).empty());
    }
    RunSight one = sight(31);
    one.tokens_per_s = 490;
    one.disk_free = 4.9e9;
    one.memory_share = 0.96;
    std::set<NoticeKind> kinds;
    for (const Notice& notice : watch.observe(one, rules, ++time))
        kinds.insert(notice.kind);
    EXPECT_EQ(kinds, (std::set{NoticeKind::SlowerThan, NoticeKind::DiskBelow, NoticeKind::MemoryAbove}));
}

TEST(Alarms, EventsOfTheRunAndWhatIsOff) {
    RunSight one = sight(5);
    run::Event spike{1, 5, "spike", -1, "loss 9 is 8 deviations above", {}, 0};
    run::Event failed{1, 5, "warning", -1, "checkpoint 5 was not saved: no room", {}, 0};
    one.events = {spike, failed};
    AlarmWatch watch;
    EXPECT_EQ(watch.observe(one, all_on(), 0).size(), 2u);
    AlarmWatch quiet;
    AlarmRules off = all_on();
    off.rule(NoticeKind::Spike).loudness = Loudness::Off;
    EXPECT_EQ(quiet.observe(one, off, 0).size(), 1u);
}

TEST(Alarms, RulesAreKeptForAllAndForOneRun) {
    const test::ViewsFolder views;
    AlarmRules rules;
    rules.rule(NoticeKind::NoProgress) = {Loudness::Off, 60, false};
    AlarmService::setRules(rules);
    AlarmRules own = rules;
    own.rule(NoticeKind::DiskBelow).limit = 50;
    AlarmService::setRulesOf(QStringLiteral("/runs/a"), own);
    EXPECT_EQ(AlarmService::rules(), rules);
    EXPECT_EQ(AlarmService::rulesOf(QStringLiteral("/runs/a")), own);
    EXPECT_EQ(AlarmService::rulesOf(QStringLiteral("/runs/b")), rules);
    EXPECT_EQ(AlarmRules().toJson().size(), 0) << "only values that differ from the defaults";
    const QJsonObject nonsense{{QStringLiteral("tell"), QStringLiteral("loudly")}, {QStringLiteral("limit"), -3}};
    EXPECT_EQ(AlarmRules().with(QJsonObject{{QStringLiteral("no_progress"), nonsense}}), AlarmRules());
    QString problem;
    read_limit(NoticeKind::MemoryAbove, QStringLiteral("120"), problem);
    EXPECT_EQ(problem.toStdString(), "“Memory above” takes a number greater than 0 and at most 100.");
}

TEST(Alarms, ALookTellsNewEventsAndTheFullestMachine) {
    test::TemporaryFolder folder;
    const run::RunPaths run = run::create_run_directory(folder.path(), "a");
    run::append_event(run, {1, 1, "nan", -1, "long ago", {}, 0});
    std::filesystem::create_directory(run.metrics() / "host-gpu-b");
    // The first as versions up to 0.1.0 wrote it.
    for (const auto& [inside, prefix, free] : {std::tuple("", "machine-gpu-a.", 90e9), {"host-gpu-b", "", 4e9}}) {
        events::EventFileWriter file(run.metrics() / inside, "", prefix);
        file.add_scalars(1, wall_seconds(),
                         {{"machine/disk_free_bytes", free},
                          {"machine/memory_bytes", free / 1e9},
                          {"machine/memory_total_bytes", 100}});
        file.flush();
    }
    alarms::RunLook look(run);
    const alarms::RunLook::Signs first = look.look();
    EXPECT_TRUE(first.events.empty()) << "existing events must not be reported as new";
    EXPECT_NEAR(*first.disk_free, 4e9, 1e3);
    EXPECT_NEAR(*first.memory_share, 0.9, 1e-6);
    run::append_event(run, {2, 7, "nan", -1, "now", {}, 0});
    ASSERT_EQ(look.look().events.size(), 1u);
    EXPECT_TRUE(look.look().events.empty());
}

TEST(Alarms, WithoutAServiceNothingHappensOnTheDesktop) {
    qputenv("DBUS_SESSION_BUS_ADDRESS", "unix:path=/nonexistent/bus");
    DesktopNotifier notifier;
    QSignalSpy opened(&notifier, &DesktopNotifier::openRequested);
    notifier.show(QStringLiteral("a"), QStringLiteral("b <c>"), QStringLiteral("/runs/a"), true);
    test::settle();
    EXPECT_EQ(opened.count(), 0);
}

}  // namespace
}  // namespace trainyard::desktop
