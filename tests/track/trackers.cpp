// SPDX-License-Identifier: GPL-3.0-or-later
// Tests of selecting, starting and logging to trackers, as Accelerate's filter_trackers and init_trackers do, and of
// our queues.

#include "observe/track/trackers.h"

#include <condition_variable>
#include <mutex>
#include <thread>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "base/clock.h"
#include "base/error.h"
#include "support/says.h"
#include "support/temporary_folder.h"

namespace trainyard::track {
namespace {

using test::says;
using testing::_;
using testing::AllOf;
using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;

/// Records the calls of fake trackers. While it is held, every call blocks.
struct Notebook {
    std::mutex mutex;
    std::condition_variable changed;
    std::vector<std::string> calls;
    bool held = false;

    void note(std::string call) {
        std::unique_lock lock(mutex);
        calls.push_back(std::move(call));
        changed.notify_all();
        changed.wait(lock, [&] { return !held; });
    }
    void hold(bool on) {
        std::lock_guard lock(mutex);
        held = on;
        changed.notify_all();
    }
    void await(std::size_t count) {
        std::unique_lock lock(mutex);
        changed.wait(lock, [&] { return calls.size() >= count; });
    }
};

class Fake final : public Tracker {
  public:
    Fake(std::shared_ptr<Notebook> notebook, std::string name, TrackerContext context = {})
        : notebook_(std::move(notebook)), name_(std::move(name)), context_(std::move(context)) {}
    std::string name() const override { return name_; }
    void start() override { notebook_->note("start " + context_.project); }
    void store_init_configuration(const Values& configuration) override {
        notebook_->note("configuration " + configuration.at(0).key);
    }
    void log(const Record& record, const Value& arguments) override {
        if (record.values.at(0).key == "bad")
            throw UserError("it does not like bad ones");
        notebook_->note("log " + record.values.at(0).key + "@" + std::to_string(record.step.value_or(-1)) +
                        (arguments.is_null() ? "" : " with arguments"));
    }
    void restart(std::int64_t step, double) override { notebook_->note("restart " + std::to_string(step)); }
    void finish() override { notebook_->note("finish"); }

  private:
    std::shared_ptr<Notebook> notebook_;
    std::string name_;
    TrackerContext context_;
};

TrackerKind fake_kind(const std::shared_ptr<Notebook>& notebook, std::string name, bool needs_folder = false) {
    return {.name = name,
            .requires_logging_directory = needs_folder,
            .main_process_only = true,
            .make = [notebook,
                     name](const TrackerContext& context) { return std::make_unique<Fake>(notebook, name, context); },
            .available = [] { return true; }};
}

std::vector<std::string> names_of(const std::vector<TrackerChoice>& choices) {
    std::vector<std::string> names;
    for (const TrackerChoice& choice : choices)
        names.push_back(std::holds_alternative<std::string>(choice)
                            ? std::get<std::string>(choice)
                            : std::get<std::shared_ptr<Tracker>>(choice)->name());
    return names;
}

TEST(Trackers, ARegisteredTrackerIsToldEverything) {
    auto notebook = std::make_shared<Notebook>();
    EXPECT_FALSE(register_tracker(fake_kind(notebook, "told")));
    EXPECT_TRUE(register_tracker(fake_kind(notebook, "told")));  // taking a name again is worth a warning
    TrackersOptions options;
    options.project = "yard";
    options.configuration = {{"lr", 0.1}};
    auto trackers = Trackers::start({"told", "told"}, options);
    trackers->log({{"loss", 1.0}}, 3);
    trackers->log({{"loss", 1.0}}, std::nullopt, {{"told", Values{{"x", 1}}}});
    trackers->restart(2);
    trackers->flush();
    EXPECT_THAT(trackers->names(), ElementsAre("told"));
    EXPECT_EQ(trackers->get("told").name(), "told");
    EXPECT_THROW(trackers->get("tensorboard"), UserError);
    EXPECT_THROW(trackers->log({{"loss", 1.0}}, 1, {{"tensorboard", {}}}), UserError);
    trackers->finish();
    trackers->log({{"late", 1.0}});
    EXPECT_THAT(notebook->calls, ElementsAre("start yard", "configuration lr", "log loss@3",
                                             "log loss@-1 with arguments", "restart 2", "finish"));
    EXPECT_THAT(trackers->take_problems(), IsEmpty());
}

TEST(Trackers, OffTheMainProcessNothingHappens) {
    auto notebook = std::make_shared<Notebook>();
    register_tracker(fake_kind(notebook, "main_only"));
    TrackerKind everywhere = fake_kind(notebook, "everywhere");
    everywhere.main_process_only = false;
    register_tracker(everywhere);
    TrackersOptions options;
    options.is_main_process = false;
    auto trackers = Trackers::start({"main_only", "everywhere"}, options);
    EXPECT_THAT(notebook->calls, ElementsAre("start trainyard"));
    Tracker& blank = trackers->get("main_only");
    blank.start();
    blank.log({{{"x", 1}}, 1, 0}, {});
    blank.finish();
    trackers->log({{"loss", 1}}, 1, {{"main_only", {}}});
    trackers->finish();
    EXPECT_THAT(notebook->calls, ElementsAre("start trainyard", "log loss@1", "finish"));
}

TEST(Trackers, FilterDropsRepeatsAndWhatIsNotThere) {
    auto notebook = std::make_shared<Notebook>();
    TrackerKind missing = fake_kind(notebook, "missing");
    missing.available = [] { return false; };
    register_tracker(missing);
    register_tracker(fake_kind(notebook, "wants_folder", true));
    auto own = std::make_shared<Fake>(notebook, "own");
    EXPECT_THAT(names_of(filter_trackers({"jsonl", "missing", own, "csv", "jsonl", own}, "logs")),
                ElementsAre("jsonl", "own", "csv"));
    const std::vector<std::string> all = names_of(filter_trackers({"all", own}, "logs"));
    EXPECT_EQ(all.front(), "own");
    EXPECT_THAT(all, testing::IsSupersetOf({"tensorboard", "jsonl", "csv", "dvclive", "wants_folder"}));
    EXPECT_THAT(all, testing::Not(testing::Contains("missing")));
    EXPECT_THAT(filter_trackers({}, ""), IsEmpty());
    try {
        filter_trackers({"tensorbord", "wants_folder", "dvclive"}, "");
        FAIL();
    } catch (const UserError& error) {
        EXPECT_THAT(error.what(), says(": did you mean '{}'?", "tensorboard"));
        EXPECT_THAT(error.what(), says("the tracker '{}' needs a logging directory: give one", "wants_folder"));
    }
    EXPECT_THROW(filter_trackers({"all"}, ""), UserError);
}

TEST(Trackers, AFullQueueDropsVisiblyOrWaits) {
    for (QueueFull when_full : {QueueFull::drop, QueueFull::wait}) {
        auto notebook = std::make_shared<Notebook>();
        register_tracker(fake_kind(notebook, "slow"));
        TrackersOptions options;
        options.queue_limit = 2;
        options.when_full = when_full;
        auto trackers = Trackers::start({"slow"}, options);
        notebook->hold(true);
        trackers->log({{"a", 1}}, 0);
        notebook->await(2);  // start, and the record that is held
        std::thread logging([&] {
            for (int step = 1; step <= 5; ++step)
                trackers->log({{"a", 1}}, step);
        });
        if (when_full == QueueFull::drop) {
            logging.join();
            EXPECT_EQ(trackers->dropped(), 3u);
            EXPECT_THAT(
                trackers->take_problems(),
                ElementsAre(says("the tracker '{}' cannot keep up: records are dropped while {} wait to be written",
                                 "slow", _)));
            notebook->hold(false);
        } else {
            notebook->hold(false);
            logging.join();
        }
        trackers->finish();
        if (when_full == QueueFull::drop) {
            EXPECT_THAT(notebook->calls, ElementsAre("start trainyard", "log a@0", "log a@1", "log a@2", "finish"));
            EXPECT_THAT(trackers->take_problems(),
                        ElementsAre(says("the tracker '{}' dropped {} records in all", _, 3)));
        } else {
            EXPECT_EQ(notebook->calls.size(), 8u);
            EXPECT_EQ(trackers->dropped(), 0u);
            EXPECT_THAT(trackers->take_problems(), IsEmpty());
        }
    }
}

TEST(Trackers, AFailureIsToldOnceAndTheOthersGoOn) {
    auto notebook = std::make_shared<Notebook>();
    register_tracker(fake_kind(notebook, "picky"));
    test::TemporaryFolder folder;
    TrackersOptions options;
    options.logging_dir = folder.path();
    options.project = "run";
    auto trackers = Trackers::start({"picky", "jsonl"}, options);
    for (int step = 0; step < 5; ++step)
        trackers->log({{step == 3 ? "good" : "bad", 1.0}}, step);
    trackers->flush();
    EXPECT_THAT(trackers->take_problems(), ElementsAre(HasSubstr("'picky' failed: it does not like bad ones")));
    trackers->finish();
    EXPECT_THAT(trackers->take_problems(), ElementsAre(says("the tracker '{}' failed {} times in all", "picky", 4)));
    EXPECT_THAT(notebook->calls, ElementsAre("start run", "log good@3", "finish"));
}

/// Its calls block while the notebook is held.
class Slow final : public Tracker {
  public:
    explicit Slow(std::shared_ptr<Notebook> notebook) : notebook_(std::move(notebook)) {}
    std::string name() const override { return "slow"; }
    void store_init_configuration(const Values&) override {}
    void log(const Record&, const Value&) override { notebook_->note("log"); }
    void finish() override { notebook_->note("finish"); }
    double finish_timeout_s() const override { return 2.2; }

  private:
    std::shared_ptr<Notebook> notebook_;
};

TEST(Trackers, TheEndDoesNotWaitForeverAndNamesWhatWasNotDelivered) {
    auto notebook = std::make_shared<Notebook>();
    std::vector<std::string> waits;
    TrackersOptions options;
    options.on_wait = [&](const Message& text) { waits.push_back(text.text()); };
    auto trackers = Trackers::start({std::make_shared<Slow>(notebook)}, options);
    trackers->log({{"a", 1}}, 0);
    trackers->flush();
    notebook->hold(true);
    for (int step = 1; step <= 3; ++step)
        trackers->log({{"a", 1}}, step);
    const double begun = monotonic_seconds();
    trackers->finish();
    EXPECT_LT(monotonic_seconds() - begun, 20);
    EXPECT_THAT(waits, ElementsAre(says("waiting for the tracker '{}': {} records are left, the limit is {:g} s",
                                        "slow", 3, 2.2)));
    EXPECT_THAT(trackers->take_problems(),
                ElementsAre(says("the tracker '{}' did not deliver {} of {} records within {:g} s of the end", "slow",
                                 3, 4, 2.2)));
    trackers->finish();
    trackers.reset();  // the call that is held outlives the trackers
    notebook->hold(false);
}

class Unstartable final : public Tracker {
  public:
    std::string name() const override { return "mine"; }
    void start() override { throw std::runtime_error("no network"); }
    void store_init_configuration(const Values&) override {}
    void log(const Record&, const Value&) override {}
};

TEST(Trackers, AFailureOfTheStartNamesTheTracker) {
    test::TemporaryFolder folder;
    TrackersOptions options;
    options.logging_dir = folder.path() / "new" / "logs";
    bool was_there = false;
    TrackerKind kind;
    kind.name = "theirs";
    kind.make = [&](const TrackerContext& context) -> std::unique_ptr<Tracker> {
        was_there = std::filesystem::is_directory(context.logging_dir);
        throw 42;
    };
    register_tracker(kind);
    try {
        Trackers::start({std::make_shared<Unstartable>(), "theirs"}, options);
        FAIL();
    } catch (const UserError& error) {
        EXPECT_THAT(error.what(), says("the tracker '{}' did not start: {}", "mine", "no network"));
        EXPECT_THAT(error.what(), says("the tracker '{}' could not be created: {}", "theirs",
                                       "an exception that is not a std::exception"));
    }
    EXPECT_TRUE(was_there) << "the logging directory must exist when a tracker is created";
}

/// What the reference's GeneralTracker checks: a tracker that lacks a part is refused with its name.
TEST(Trackers, WhatATrackerLacksIsNamed) {
    const auto refusal = [](const auto& call) -> std::string {
        try {
            call();
        } catch (const UserError& error) {
            return error.what();
        }
        return "";
    };
    const auto notebook = std::make_shared<Notebook>();
    EXPECT_THAT(refusal([&] { register_tracker(fake_kind(notebook, "")); }),
                says("a tracker was registered without a name: set TrackerKind::name"));
    TrackerKind kind = fake_kind(notebook, "bare");
    kind.make = nullptr;
    EXPECT_THAT(refusal([&] { register_tracker(kind); }),
                says("the tracker '{}' was registered without its function {}: set it in TrackerKind", "bare", "make"));
    kind = fake_kind(notebook, "bare");
    kind.available = nullptr;
    EXPECT_THAT(refusal([&] { register_tracker(kind); }), HasSubstr("available"));
    EXPECT_THAT(refusal([] { Trackers::start({"bare"}, {}); }), HasSubstr("unknown tracker 'bare'"));
    kind.available = [] { return true; };
    kind.make = [](const TrackerContext&) { return std::unique_ptr<Tracker>(); };
    register_tracker(kind);
    EXPECT_THAT(refusal([] { Trackers::start({"bare"}, {}); }),
                says("the tracker '{}' could not be created: {}", "bare", "its function make gave no tracker"));
    EXPECT_THAT(refusal([&] { Trackers::start({std::make_shared<Fake>(notebook, "", TrackerContext())}, {}); }),
                says("a tracker of the program has no name: return one from Tracker::name()"));
    EXPECT_THAT(refusal([] { Trackers::start({std::shared_ptr<Tracker>()}, {}); }),
                says("a tracker of the program is a null pointer: give an instance"));
    // A tracker that writes files needs a folder, and is not made without.
    register_tracker(fake_kind(notebook, "of_files", true));
    EXPECT_THAT(refusal([] { Trackers::start({"of_files"}, {}); }),
                says("the tracker '{}' needs a logging directory: give one", "of_files"));
}

TEST(Trackers, ProblemsOfStartingComeAllAtOnce) {
    test::TemporaryFolder folder;
    TrackersOptions options;
    options.logging_dir = folder.path();
    options.arguments["csv"] = Values{{"pth", "x"}};
    options.arguments["tensorboard"] = Values{{"flush", 1}};
    try {
        Trackers::start({"csv", "tensorboard", "jsonl"}, options);
        FAIL();
    } catch (const UserError& error) {
        EXPECT_THAT(error.what(), says(": did you mean '{}'?", "path"));
        EXPECT_THAT(error.what(), HasSubstr("tensorboard"));
    }
    const auto refusal = [](const auto& call) -> std::string {
        try {
            call();
        } catch (const UserError& error) {
            return error.what();
        }
        return "";
    };
    options.arguments = {{"jsnol", Values{}}, {"ledger", Values{}}};
    EXPECT_THAT(refusal([&] { Trackers::start({"jsonl"}, options); }),
                AllOf(HasSubstr("arguments for the tracker 'jsnol'"), HasSubstr("arguments for the tracker 'ledger'")));
    options.arguments.clear();
    EXPECT_THAT(refusal([&] {
                    Trackers::start({"mlflo", "jsonl", "ledger"}, options);
                }),
                AllOf(HasSubstr("unknown tracker 'mlflo'"), HasSubstr("unknown tracker 'ledger'")));
    const auto started = Trackers::start({"jsonl"}, options);
    EXPECT_THAT(refusal([&] {
                    started->log({{"loss", 1.0}}, 1, {{"jsnol", Value()}, {"ledger", Value()}});
                }),
                AllOf(HasSubstr("there is no tracker 'jsnol'"), HasSubstr("there is no tracker 'ledger'")));
}

}  // namespace
}  // namespace trainyard::track
