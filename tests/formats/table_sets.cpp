// SPDX-License-Identifier: GPL-3.0-or-later
// Several files as one set: selecting files, sharding rows, and resuming within the set.

#include <filesystem>
#include <random>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "formats/tables/table_set.h"
#include "support/says.h"
#include "support/temporary_folder.h"
#include "written.h"

namespace trainyard::formats {
namespace {

using test::says;
using testing::_;
using testing::ElementsAre;
using testing::EndsWith;
using testing::HasSubstr;
using testing::StartsWith;

/// Files with `lines` rows each; a row is its index in the whole set.
std::vector<std::filesystem::path> numbered(const std::filesystem::path& folder, const std::vector<int>& lines) {
    std::vector<std::filesystem::path> files;
    int row = 0;
    for (std::size_t i = 0; i < lines.size(); ++i) {
        std::string text;
        for (int k = 0; k < lines[i]; ++k)
            text += "{\"row\": " + std::to_string(row++) + "}\n";
        files.push_back(test::write(folder / ("part" + std::to_string(i) + ".jsonl"), text.empty() ? "\n" : text));
    }
    return files;
}

std::vector<std::int64_t> rows_of(const Table& table) {
    auto values = table.at("row").values<std::int64_t>();
    return {values.begin(), values.end()};
}

TEST(TableSets, rows_are_taken_from_any_file_in_the_order_asked_for) {
    test::TemporaryFolder folder;
    TableSet set(numbered(folder.path(), {5, 40, 1, 300}));
    ASSERT_EQ(set.rows(), 346);
    std::mt19937_64 random(1);
    for (int round = 0; round < 50; ++round) {
        std::vector<std::int64_t> wanted;
        for (std::uint64_t i = random() % 30; i-- > 0;)
            wanted.push_back(static_cast<std::int64_t>(random() % 346));
        EXPECT_EQ(rows_of(set.take(wanted)), wanted);
    }
    EXPECT_THROW(set.take(std::vector<std::int64_t>{346}), std::out_of_range);
}

TEST(TableSets, reading_goes_on_at_every_row) {
    test::TemporaryFolder folder;
    auto files = numbered(folder.path(), {5, 1, 30, 2});
    for (std::int64_t piece : {1, 2, 7}) {
        TableSet set(files);
        std::int64_t row = 0;
        for (;;) {
            TableSet other(files);
            other.restore(set.state());
            Table table = set.next(piece);
            EXPECT_EQ(rows_of(other.next(piece)), rows_of(table));
            if (table.rows == 0)
                break;
            for (std::int64_t value : rows_of(table))
                EXPECT_EQ(value, row++);
        }
        EXPECT_EQ(row, 38);
    }
}

TEST(TableSets, a_state_of_another_file_is_refused_and_changes_nothing) {
    test::TemporaryFolder folder;
    auto files = numbered(folder.path(), {5, 5});
    TableSet set(files);
    set.next(2);
    TableSet::State state = set.state();
    set.next(2);
    test::write(files[0], "{\"row\": 100}\n{\"row\": 101}\n");
    EXPECT_THAT(test::refusal([&] { set.restore(state); }),
                says("{} was changed since the checkpoint was saved, so that reading cannot continue where it stopped: "
                     "restore the old file, or start the epoch again",
                     _));
    EXPECT_EQ(set.next(1).rows, 1);
    EXPECT_THAT(test::refusal([&] { set.restore({.file = 9, .position = {}, .stamp = {}}); }),
                says("the data set has {} files, and reading was to continue in file {}: it is not the set that the "
                     "position is of",
                     _, StartsWith("10")));
}

TEST(TableSets, columns_must_be_the_same_and_all_differences_are_said) {
    test::TemporaryFolder folder;
    std::vector<std::filesystem::path> files{test::write(folder.path() / "a.csv", "x,y\n1,2\n"),
                                             test::write(folder.path() / "b.csv", "x,y,note\n1,2,3\n"),
                                             test::write(folder.path() / "c.csv", "x,z\n1,2\n")};
    std::string sentence = test::refusal([&] { TableSet set(files); });
    EXPECT_THAT(sentence,
                says("{} has other columns than {}: {}: give all files the same columns", EndsWith("b.csv"), _, _));
    EXPECT_THAT(sentence, says("column '{}' is not there", "note"));
    EXPECT_THAT(sentence, HasSubstr("column 'y' is missing; column 'z' is not there"));
    EXPECT_EQ(test::refusal([&] { TableSet set(files, {.columns = {"x"}}); }), "");
    files = {test::write(folder.path() / "a.jsonl", "{\"y\": 1}\n"),
             test::write(folder.path() / "b.jsonl", "{\"y\": \"two\"}\n")};
    EXPECT_THAT(test::refusal([&] { TableSet set(files); }),
                says("{} there and {} here", EndsWith("y: int64"), "y: text"));
}

TEST(TableSets, columns_may_have_another_order_and_types_that_fit_together) {
    test::TemporaryFolder folder;
    // The expected rows are those of pandas.concat() for the same files.
    std::vector<std::filesystem::path> files{test::write(folder.path() / "a.csv", "x,y,z,w\n1,2,3,NA\n"),
                                             test::write(folder.path() / "b.csv", "w,z,y,x\n7,x,2.5,4\n")};
    TableSet set(files);
    const Table rows = set.take(std::vector<std::int64_t>{1, 0});
    EXPECT_EQ(rows.at("x").values<std::int64_t>()[0], 4);
    EXPECT_EQ(rows.at("x").values<std::int64_t>()[1], 1);
    EXPECT_EQ(rows.at("y").values<double>()[0], 2.5);
    EXPECT_EQ(rows.at("y").values<double>()[1], 2);
    EXPECT_EQ(rows.at("z").text(0), "x");
    EXPECT_EQ(rows.at("z").text(1), "3");
    EXPECT_EQ(rows.at("w").values<std::int64_t>()[0], 7);
    EXPECT_TRUE(rows.at("w").is_missing(1));
    Table first = set.next(10), second = set.next(10);
    EXPECT_EQ(first.columns[1].values<double>()[0], 2);
    EXPECT_EQ(second.columns[1].values<double>()[0], 2.5);
    EXPECT_EQ(second.columns[0].field.name, "x");
    files = {test::write(folder.path() / "a.jsonl", "{\"x\": 1, \"y\": null}\n"),
             test::write(folder.path() / "b.jsonl", "{\"y\": \"t\", \"x\": 1.5}\n")};
    TableSet lines(files);
    const Table read = lines.take(std::vector<std::int64_t>{0, 1});
    EXPECT_EQ(read.at("x").values<double>()[1], 1.5);
    EXPECT_EQ(read.at("y").text(1), "t");
}

TEST(TableSets, all_files_that_cannot_be_read_are_named_together) {
    test::TemporaryFolder folder;
    std::vector<std::filesystem::path> files{
        test::write(folder.path() / "a.csv", "x\n1\n"), test::write(folder.path() / "b.csv", "x\n\xe9\n"),
        test::write(folder.path() / "c.csv", std::string_view("\xff\xfex\0\n\0", 6))};
    const std::string sentence = test::refusal([&] { TableSet set(files); });
    EXPECT_THAT(sentence, test::says("byte {} (0x{:02x}) is not valid UTF-8", "2", 0xe9).after("b.csv:2: "));
    EXPECT_THAT(sentence,
                says("the text is {0}: save it as UTF-8, for example with iconv -f {0} -t UTF-8", StartsWith("UTF-16"))
                    .after("c.csv: "));
}

TEST(TableSets, files_folders_and_globs) {
    test::TemporaryFolder folder;
    std::filesystem::create_directories(folder.path() / "deep/.hidden");
    for (const char* name : {"b.txt", "a.jsonl", "deep/c.txt", "deep/.hidden/x.txt", ".x.txt", "note.doc"})
        test::write(folder.path() / name, "x");
    test::write(folder.path() / "empty.txt", "");
    auto names = [&](const std::vector<std::string>& paths, const std::string& pattern = "*") {
        std::vector<std::string> found;
        for (const auto& file : find_files(paths, pattern))
            found.push_back(std::filesystem::relative(file, folder.path()).string());
        return found;
    };
    std::string root = folder.path().string();
    EXPECT_THAT(names({root}), ElementsAre("a.jsonl", "b.txt", "deep/c.txt"));
    EXPECT_THAT(names({root}, "*.txt"), ElementsAre("b.txt", "deep/c.txt"));
    // .json files count as data only if the folder has no other data; else they describe it.
    std::filesystem::create_directories(folder.path() / "deep/lists");
    test::write(folder.path() / "deep/lists/rows.json", "[]");
    EXPECT_THAT(names({root}), ElementsAre("a.jsonl", "b.txt", "deep/c.txt"));
    EXPECT_THAT(names({root + "/deep/lists"}), ElementsAre("deep/lists/rows.json"));
    EXPECT_THAT(names({root}, "*.json"), ElementsAre("deep/lists/rows.json"));
    std::filesystem::remove_all(folder.path() / "deep/lists");
    EXPECT_THAT(names({root + "/*.txt"}), ElementsAre("b.txt"));
    EXPECT_THAT(names({root + "/deep", root + "/note.doc", root + "/deep/c.txt"}),
                ElementsAre("deep/c.txt", "note.doc"));
    std::string sentence = test::refusal([&] { names({root + "/none", root + "/empty.txt", root + "/*.csv"}); });
    EXPECT_THAT(sentence, says("{} does not exist", EndsWith("none")));
    EXPECT_THAT(sentence, says("{} is empty", EndsWith("empty.txt")));
    EXPECT_THAT(sentence, says("no file that is not empty matches {}", StartsWith(root + "/*.csv")));
    EXPECT_THAT(test::refusal([&] { find_files({}); }), says("no data was named: name files or folders"));
}

}  // namespace
}  // namespace trainyard::formats
