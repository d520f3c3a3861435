// SPDX-License-Identifier: GPL-3.0-or-later
// golden/trackers/trackio.json: the rows of the database that Trackio writes, and of ours.
//
// Intended differences: `allow_val_change` is not among the hyper-parameters; tensors are kept as lists and numbers;
// a run
// to resume that does not exist is an error before anything is written; other tables are left to the package, which
// adds them when it opens the file (cases made_*).

#include <map>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "observe/track/sqlite_file.h"
#include "track/recorded_calls.h"

namespace trainyard::track::trackio_cases {
namespace {

namespace fs = std::filesystem;
using test::part;

const Value& cases() {
    static const Value all = test::golden_tracker("trackio");
    return part(all, "cases");
}

Value read_json_cell(const SqliteFile::Cell& cell) {
    std::vector<Problem> problems;
    return parse_json_tree(cell_text(cell), "a cell", problems, {.most_bytes = 1u << 24, .twice = &problems});
}

/// What is compared of a dictionary: without what Python alone has.
/// `theirs`: the recorded one, where times are replaced and long texts shortened.
Values plain(const Value& table, const Value& theirs, const Value& input) {
    Values values;
    for (const auto& [key, value] : table.entries()) {
        const Value& wanted = part(theirs, key.c_str());
        bool is_plain = key != "allow_val_change" && wanted.display() != "TIME" && wanted.find("$long") == nullptr;
        for (const Value& event : part(input, "events").items())
            if (const Value* logged = part(event, "values").find(key))
                is_plain = is_plain && logged->find("$tensor") == nullptr && logged->find("$object") == nullptr;
        if (is_plain)
            values.push_back({key, value});
    }
    return values;
}

class GoldenTrackio : public testing::TestWithParam<std::size_t> {};

TEST_P(GoldenTrackio, TheDatabaseHasTheSame) {
    const Value& recorded = cases().items().at(GetParam());
    const Value &input = part(recorded, "input"), &expected = part(recorded, "expected");
    test::TemporaryFolder folder;
    test::WorkingFolder working(folder.path() / "work");
    test::Variables variables;
    variables.set("HOME", (folder.path() / "home").string());
    variables.set("XDG_CACHE_HOME", (folder.path() / "home" / ".cache").string());
    for (const auto& [name, value] : part(input, "env").entries())
        variables.set(name, value.display());
    test::RecordedCalls calls("trackio");
    calls.make(input);
    if (!part(expected, "outcomes").items().empty()) {  // start() raised
        EXPECT_THAT(calls.thrown.at(0), testing::HasSubstr("there is no run"));
        return;
    }
    EXPECT_THAT(calls.thrown, testing::IsEmpty());
    if (part(input, "off_main").boolean() != nullptr)
        return;
    ASSERT_EQ(part(expected, "tables").entries().size(), 1u);
    const auto& [name, tables] = part(expected, "tables").entries().front();
    const fs::path file = folder.path() / name;
    ASSERT_TRUE(fs::exists(file)) << name;
    SqliteFile database(file);
    EXPECT_EQ(cell_text(database.run("PRAGMA journal_mode").at(0).at(0)), part(expected, "journal_mode").display());

    std::map<std::string, std::string> ids;  // ours -> theirs
    const auto configs = database.run("SELECT run_id, run_name, config, typeof(config) FROM configs ORDER BY id");
    const Value::List& wanted_configs = part(tables, "configs").items();
    ASSERT_EQ(configs.size(), wanted_configs.size());
    for (std::size_t i = 0; i < configs.size(); ++i) {
        ids[cell_text(configs[i][0])] = part(wanted_configs[i], "run_id").display();
        if (const std::string run = part(wanted_configs[i], "run_name").display(); run != "RANDOM-NAME") {
            EXPECT_EQ(cell_text(configs[i][1]), run);
        }
        if (part(wanted_configs[i], "config").is_map()) {
            const Value& recorded_config = part(wanted_configs[i], "config");
            const Value read = read_json_cell(configs[i][2]);
            EXPECT_EQ(Value(plain(read, recorded_config, input)),
                      Value(plain(recorded_config, recorded_config, input)));
        }
        EXPECT_EQ(cell_text(configs[i][3]), "blob");
    }
    EXPECT_EQ(ids.size(), configs.size());
    const Value& wanted = part(tables, "metrics");
    if (!wanted.is_list())
        return;
    const auto metrics = database.run("SELECT run_id, step, metrics, timestamp FROM metrics ORDER BY id");
    ASSERT_EQ(metrics.size(), wanted.items().size());
    for (std::size_t i = 0; i < metrics.size(); ++i) {
        const Value& row = wanted.items()[i];
        EXPECT_EQ(ids[cell_text(metrics[i][0])], part(row, "run_id").display());
        EXPECT_EQ(std::get<std::int64_t>(metrics[i][1]), *part(row, "step").integer());
        if (part(row, "metrics").is_map() && part(row, "metrics").find("$list") == nullptr) {
            EXPECT_EQ(Value(plain(read_json_cell(metrics[i][2]), part(row, "metrics"), input)),
                      Value(plain(part(row, "metrics"), part(row, "metrics"), input)))
                << i;
        }
        EXPECT_THAT(cell_text(metrics[i][3]), testing::MatchesRegex("20..-..-..T..:..:.*[+]00:00"));
    }
}

std::vector<std::size_t> event_cases() {
    std::vector<std::size_t> numbers;
    for (std::size_t i = 0; i < cases().items().size(); ++i)
        if (part(part(cases().items().at(i), "input"), "events").is_list())
            numbers.push_back(i);
    return numbers;
}

INSTANTIATE_TEST_SUITE_P(Cases, GoldenTrackio, testing::ValuesIn(event_cases()), [](const auto& about) {
    return test::case_name(part(cases().items().at(about.param), "id").display(), about.param);
});

/// Names of files that Trackio 0.43 gives to projects of these names: str.isalnum() of Python decides.
TEST(TrackioFiles, HaveTheLettersAndNumbersOfTheProject) {
    const std::map<std::string, std::string> names{
        {"Prüfung 2 × «7»; ツ", "Prüfung27ツ"}, {"a/b-c_d.e", "ab-c_de"}, {"½ m² №3 🚂", "½m²3"}, {"…", "default"}};
    for (const auto& [project, name] : names) {
        test::TemporaryFolder folder;
        test::Variables variables;
        variables.set("TRACKIO_DIR", folder.path().string());
        TrackersOptions options;
        options.project = project;
        auto trackers = Trackers::start({"trackio"}, options);
        trackers->log({{"loss", 1.5}}, 0);
        trackers->finish();
        EXPECT_THAT(trackers->take_problems(), testing::IsEmpty());
        EXPECT_TRUE(fs::exists(folder.path() / (name + ".db"))) << project;
    }
}

}  // namespace
}  // namespace trainyard::track::trackio_cases
