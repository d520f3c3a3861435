// SPDX-License-Identifier: GPL-3.0-or-later
// golden/trackers/aim.json: what Aim's package stores when Accelerate calls it, and what it stores for the
// bridge (here a stub of the package).
//
// Intended differences: a configuration has all values, tensors as lists and integers beyond 64 bits as numbers; texts
// and lists are texts, values of a dictionary have its name before theirs; lists of pictures are stored; an unknown
// run_hash makes what is logged wait. The name "" is "_", which Aim can read back.

#include <chrono>
#include <csignal>
#include <fstream>
#include <optional>
#include <sstream>
#include <thread>

#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "base/error.h"
#include "track/stub_aim.h"

namespace trainyard::track::aim_cases {
namespace {

namespace fs = std::filesystem;
using nlohmann::json;
using test::part;
using testing::HasSubstr;
using testing::IsEmpty;
using testing::SizeIs;

const Value& cases() {
    static const Value all = test::golden_tracker("aim");
    return part(all, "cases");
}

class GoldenAim : public testing::TestWithParam<std::size_t> {};

TEST_P(GoldenAim, TheRunIsTheSame) {
    const Value& recorded = cases().items().at(GetParam());
    const Value &input = part(recorded, "input"), &expected = part(recorded, "expected");
    test::TemporaryFolder folder;
    test::WorkingFolder working(folder.path());
    test::Variables variables;
    test::install_stub_aim(folder.path() / "python", variables);
    test::RecordedCalls calls("aim");
    calls.make(input);
    const std::vector<test::StubAimRun> runs = test::stub_aim_runs(folder.path() / "repository");
    const Value& theirs = part(expected, "runs");
    if (part(input, "off_main").boolean() != nullptr) {
        EXPECT_THAT(runs, IsEmpty());
        return;
    }
    if (theirs.is_list() && theirs.items().empty()) {  // an unknown run_hash
        EXPECT_THAT(runs, IsEmpty());
        EXPECT_THAT(calls.problems.at(0).text(), HasSubstr("Cannot find Run"));
        return;
    }
    ASSERT_THAT(runs, SizeIs(1));
    const test::StubAimRun& ours = runs[0];
    EXPECT_TRUE(ours.is_closed);
    EXPECT_FALSE(ours.watches) << "nothing about the machine is stored unasked";
    // Numbers of the calls, the last of a step counts.
    for (const Value& event : part(input, "events").items())
        if (part(event, "call").display() == "log")
            for (const auto& [name, value] : part(event, "values").entries())
                if (value.is_number()) {
                    EXPECT_TRUE(ours.curves.contains(name.empty() ? "_" : name)) << name;
                }
    if (!theirs.is_list())
        return;  // Aim's own reader failed
    const Value& run = theirs.items().at(0);
    EXPECT_EQ(ours.name, part(run, "name").display());
    EXPECT_EQ(ours.experiment, part(run, "experiment").display());
    const auto expect_curves = [&](const Value& curves) {
        for (const Value& curve : curves.items()) {
            const std::string name = curve.items().at(0).display();
            ASSERT_TRUE(ours.curves.contains(name)) << name;
            for (const Value& point : curve.items().at(2).items()) {
                const std::int64_t step = *point.items().at(0).integer();
                ASSERT_TRUE(ours.curves.at(name).contains(step)) << name << " " << step;
                EXPECT_EQ(ours.curves.at(name).at(step), point.items().at(1).as_double()) << name << " " << step;
            }
            EXPECT_EQ(ours.curves.at(name).size(), curve.items().at(2).items().size()) << name;
        }
    };
    const Value& metrics = part(run, "metrics");
    for (const Value* list : {&metrics, metrics.find("first"), metrics.find("last")})
        if (list != nullptr)
            expect_curves(*list);
    if (const Value* count = metrics.find("$list")) {
        EXPECT_EQ(static_cast<std::int64_t>(ours.curves.size()), *count->integer());
    }
    for (const Value& image : part(run, "images").items())
        EXPECT_EQ(ours.curves.at(image.display()).begin()->second.dump(), R"({"image":"89504e47"})");
    for (const auto& [key, value] : part(run, "params").entries()) {
        const json& own = ours.parameters.at("hparams").at(key);
        static const std::map<std::string, std::string> words{
            {"nan", "NaN"}, {"inf", "Infinity"}, {"-inf", "-Infinity"}};
        const auto word = words.find(value.text() == nullptr ? "" : *value.text());
        EXPECT_EQ(own, word == words.end() ? json::parse(trainyard::json_of(value).dump()) : json(word->second)) << key;
    }
}

std::vector<std::size_t> all_cases() {
    std::vector<std::size_t> numbers(cases().items().size());
    for (std::size_t i = 0; i < numbers.size(); ++i)
        numbers[i] = i;
    return numbers;
}

INSTANTIATE_TEST_SUITE_P(Cases, GoldenAim, testing::ValuesIn(all_cases()), [](const auto& about) {
    return test::case_name(part(cases().items().at(about.param), "id").display(), about.param);
});

class AimTracker : public testing::Test {
  protected:
    AimTracker() { variables_.set("HOME", folder_.path().string()); }
    std::unique_ptr<Trackers> start(bool continues = false, Value arguments = {}) {
        TrackersOptions options;
        options.project = "yard";
        options.logging_dir = folder_.path() / "run";
        options.continues = continues;
        if (!arguments.is_null())
            options.arguments["aim"] = std::move(arguments);
        return Trackers::start({"aim"}, options);
    }
    void install() { test::install_stub_aim(folder_.path() / "python", variables_); }
    std::vector<test::StubAimRun> runs() const { return test::stub_aim_runs(folder_.path() / "run"); }
    /// Whether an answer of the bridge has named the run.
    bool knows_the_run() const {
        for (const fs::directory_entry& file : fs::directory_iterator(folder_.path() / "run" / ".trainyard-unsent"))
            if (file.path().string().ends_with(".state.json"))
                return read_file(file.path()).find("\"run\"") != std::string::npos;
        return false;
    }

    test::TemporaryFolder folder_;
    test::Variables variables_;
};

TEST_F(AimTracker, APackageThatFailsHalfOfTheTimeLosesNothing) {
    install();
    variables_.set("STUB_AIM_FAILS", "0.01");  // of the calls: half of the deliveries fail
    constexpr std::int64_t kSteps = 300;
    for (int part = 0; part < 2; ++part) {  // the run continues after a restart
        auto trackers = start(part == 1);
        for (std::int64_t step = part * kSteps; step < (part + 1) * kSteps; ++step)
            trackers->log({{"loss", 1.0 / static_cast<double>(step + 1)}, {"lr", 0.5}}, step);
        trackers->finish();
    }
    variables_.set("STUB_AIM_FAILS", "0");
    start(true)->finish();
    ASSERT_THAT(runs(), SizeIs(1));
    for (const char* name : {"loss", "lr"})
        EXPECT_EQ(runs()[0].curves[name].size(), 2u * kSteps) << name;
    EXPECT_GE(runs()[0].starts, 2);
    EXPECT_TRUE(runs()[0].is_closed);
}

/// The bridge of this process; nothing before its start.
std::optional<pid_t> bridge_process() {
    for (const fs::directory_entry& thread : fs::directory_iterator("/proc/self/task")) {
        std::ifstream children(thread.path() / "children");
        for (pid_t child = 0; children >> child;) {
            std::ostringstream words;
            words << std::ifstream(fmt::format("/proc/{}/cmdline", child)).rdbuf();
            if (words.str().find("TRACKERS") != std::string::npos)
                return child;
        }
    }
    return std::nullopt;
}

TEST_F(AimTracker, AKilledBridgeIsStartedAgainAndNothingIsLost) {
    install();
    constexpr std::int64_t kSteps = 50;
    constexpr int kKills = 3;
    auto trackers = start();
    for (int part = 0; part <= kKills; ++part) {
        for (std::int64_t step = part * kSteps; step < (part + 1) * kSteps; ++step)
            trackers->log({{"loss", 1.0 / static_cast<double>(step + 1)}}, step);
        trackers->flush();
        if (part == kKills)
            break;
        // While it delivers, or after that: the first values are there, and the name of the run was known before.
        const std::size_t before = static_cast<std::size_t>(part) * kSteps;
        for (int i = 0; i < 3000 && (runs().empty() || runs()[0].curves["loss"].size() <= before); ++i)
            std::this_thread::sleep_for(std::chrono::milliseconds(5));
        EXPECT_TRUE(knows_the_run());
        const std::optional<pid_t> bridge = bridge_process();
        ASSERT_TRUE(bridge);
        ::kill(*bridge, SIGKILL);
    }
    trackers->finish();
    ASSERT_THAT(runs(), SizeIs(1));
    EXPECT_EQ(runs()[0].curves["loss"].size(), (kKills + 1u) * kSteps);
    EXPECT_TRUE(runs()[0].is_closed);
    EXPECT_GE(runs()[0].starts, 2);
    const std::vector<Message> problems = trackers->take_problems();
    EXPECT_LE(problems.size(), static_cast<std::size_t>(kKills));
    ASSERT_THAT(problems, testing::Not(IsEmpty()));
    EXPECT_THAT(problems[0].text(), AllOf(HasSubstr("the Python process of the tracker 'aim' ended"),
                                          HasSubstr("it was ended by signal 9"), HasSubstr("training continues")));
}

TEST_F(AimTracker, WithoutPythonOrThePackageEverythingWaits) {
    variables_.set("TRAINYARD_PYTHON", (folder_.path() / "no-python").string());
    {
        auto trackers = start();
        trackers->log({{"loss", 1}}, 0);
        trackers->finish();
        const std::vector<Message> problems = trackers->take_problems();
        ASSERT_THAT(problems, SizeIs(2));
        EXPECT_THAT(problems[0].text(), HasSubstr("no-python: No such file or directory"));
        EXPECT_THAT(problems[1].text(), HasSubstr("3 records were not sent and are saved in"));
    }
    ::unsetenv("TRAINYARD_PYTHON");
    variables_.set("PYTHONPATH", folder_.path().string());
    std::ofstream(folder_.path() / "aim.py") << "raise ModuleNotFoundError(\"No module named 'aim'\", name='aim')\n";
    {
        auto trackers = start(true);
        trackers->log({{"loss", 2}}, 1);
        trackers->finish();
        const std::vector<Message> problems = trackers->take_problems();
        ASSERT_THAT(problems, SizeIs(2));
        EXPECT_THAT(problems[0].text(), AllOf(HasSubstr("the Python package aim is not installed: run `"),
                                              HasSubstr("-m pip install aim`"), HasSubstr("TRAINYARD_PYTHON")));
    }
    install();
    start(true)->finish();
    ASSERT_THAT(runs(), SizeIs(1));
    EXPECT_EQ(runs()[0].curves["loss"].size(), 2u);
}

TEST_F(AimTracker, AnEntryThatAimRefusesIsSavedAndTheRestIsStored) {
    install();
    std::ofstream(folder_.path() / "python" / "aim.py", std::ios::app)
        << "\n    def track(self, value, name=None, step=None, plain=track):\n"
           "        if isinstance(value, Text):\n"
           "            raise TypeError('a curve has one kind of values')\n"
           "        plain(self, value, name, step)\n";
    auto trackers = start();
    trackers->log({{"loss", 1}}, 0);
    trackers->log({{"loss", "high"}}, 1);
    trackers->log({{"loss", 2}}, 2);
    trackers->finish();
    const std::vector<Message> problems = trackers->take_problems();
    ASSERT_THAT(problems, SizeIs(1));
    EXPECT_THAT(problems[0].text(), AllOf(HasSubstr("loss: a curve has one kind of values"), HasSubstr(".refused")));
    ASSERT_THAT(runs(), SizeIs(1));
    EXPECT_EQ(runs()[0].curves["loss"].size(), 2u);
}

TEST_F(AimTracker, PicturesTablesTextsAndArtifacts) {
    install();
    auto trackers = start(false, Values{{"experiment", "first"}});
    trackers->log_images({{Pictures{"samples", 2, 2, 3, 1, std::vector<std::uint8_t>(12, 200)}}, 4});
    trackers->log_table({"words", {"word", "score"}, {{"yes", 1.5}}, 4});
    trackers->log({{"note", "größe"}}, 4);
    write_file_atomically(folder_.path() / "weights.bin", "weights", false);
    trackers->log_artifact({folder_.path() / "weights.bin", "checkpoints/4"});
    trackers->flush();
    fs::remove(folder_.path() / "weights.bin");
    trackers->finish();
    EXPECT_THAT(trackers->take_problems(), IsEmpty());
    ASSERT_THAT(runs(), SizeIs(1));
    test::StubAimRun run = runs()[0];
    EXPECT_EQ(run.experiment, "first");
    EXPECT_EQ(run.curves["samples"][4].size(), 2u);
    EXPECT_EQ(run.curves["words"][4]["text"], "| word | score |\n| --- | --- |\n| yes | 1.5 |");
    EXPECT_EQ(run.curves["note"][4]["text"], "größe");
    EXPECT_EQ(run.artifacts.at("checkpoints/4/weights.bin"), "weights");
}

TEST_F(AimTracker, AllHasItOnlyWhereItIsInstalled) {
    variables_.set("PYTHONPATH", "");
    variables_.set("TRAINYARD_PYTHON", (folder_.path() / "no-python").string());
    EXPECT_THAT(available_trackers(), testing::Not(testing::Contains("aim")));
    ::unsetenv("TRAINYARD_PYTHON");
    install();
    EXPECT_THAT(available_trackers(), testing::Contains("aim"));
}

}  // namespace
}  // namespace trainyard::track::aim_cases
