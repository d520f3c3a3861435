// SPDX-License-Identifier: GPL-3.0-or-later
// Records of text files: several threads find the same ones as one thread, from any position, in bounded memory.

#include <filesystem>
#include <random>
#include <string>
#include <vector>

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <sys/resource.h>

#include "formats/tables/record_scanner.h"
#include "formats/tables/table_reader.h"
#include "support/says.h"
#include "support/temporary_folder.h"
#include "written.h"

namespace trainyard::formats {
namespace {

/// CSV records with quoted line ends, separators and quotes, and empty lines between records.
std::string random_csv(std::size_t bytes, std::mt19937_64& random) {
    std::string text;
    while (text.size() < bytes) {
        std::uint64_t kind = random() % 8;
        if (kind == 0) {
            text += random() % 2 == 0 ? "\n" : "\r\n";
        } else if (kind < 3) {
            text += '"';
            for (std::uint64_t i = random() % 40; i-- > 0;)
                text += i % 5 == 0 ? "\n" : i % 7 == 0 ? "\"\"" : i % 3 == 0 ? "\r\n" : "ab,";
            text += "\",1\n";
        } else {
            text.append(random() % 60, 'x');
            text += random() % 4 == 0 ? "y,2\r\n" : "y,2\n";
        }
    }
    if (random() % 2 == 0)
        text += "last,3";
    return text;
}

void expect_index_as_scanned(const std::filesystem::path& path, RecordKind kind) {
    SourceFile file(path);
    RecordScanner scanner(file, kind, 1 << 20);
    std::vector<std::uint64_t> begins;
    std::string_view record;
    while (scanner.next(record))
        begins.push_back(scanner.record_begin());
    RecordIndex index(file, kind, 1 << 20, 0, 4);
    ASSERT_EQ(index.count(), std::ssize(begins));
    for (std::int64_t row = 0; row < index.count(); row += 97) {
        RecordIndex::Place place = index.before(row);
        ASSERT_LE(place.row, row);
        ASSERT_LT(row - place.row, 16);
        ASSERT_EQ(place.byte, begins[static_cast<std::size_t>(place.row)]);
    }
}

TEST(Records, an_index_made_by_threads_is_the_one_of_a_single_pass) {
    test::TemporaryFolder folder;
    for (std::uint64_t seed = 1; seed <= 3; ++seed) {
        std::mt19937_64 random(seed);
        // Chunks are 8 MB, so that their borders are inside quotes, line ends and empty lines.
        std::filesystem::path path =
            test::write(folder.path() / "r.csv", random_csv((17 << 20) + random() % 4096, random));
        for (RecordKind kind : {RecordKind::csv, RecordKind::lines, RecordKind::filled_lines})
            expect_index_as_scanned(path, kind);
    }
}

TEST(Records, a_record_longer_than_a_chunk) {
    test::TemporaryFolder folder;
    std::string text = "a\n" + std::string(20 << 20, 'x') + "\nb\n";
    auto reader = open_table(test::write(folder.path() / "long.txt", text));
    ASSERT_EQ(reader->rows(), 3);
    EXPECT_EQ(reader->read(1, 1).at("text").text(0).size(), 20u << 20);
    EXPECT_EQ(reader->read(2, 1).at("text").text(0), "b");
}

TEST(Records, files_without_a_line_end_and_without_anything) {
    test::TemporaryFolder folder;
    EXPECT_EQ(open_table(test::write(folder.path() / "a.txt", ""))->rows(), 0);
    EXPECT_EQ(open_table(test::write(folder.path() / "b.txt", "one"))->rows(), 1);
    EXPECT_EQ(open_table(test::write(folder.path() / "c.txt", "one\n"))->rows(), 1);
    EXPECT_EQ(open_table(test::write(folder.path() / "d.txt", "\n\n"))->rows(), 2);
    EXPECT_EQ(open_table(test::write(folder.path() / "e.jsonl", "\n \t\r\n{}\n"))->rows(), 1);
    EXPECT_EQ(open_table(test::write(folder.path() / "f.csv", "a\n"))->rows(), 0);
    EXPECT_THAT(test::refusal([&] { open_table(test::write(folder.path() / "g.csv", "")); }),
                testing::HasSubstr("is empty"));
}

TEST(Records, a_record_beyond_the_limit_is_named_and_not_kept) {
    test::TemporaryFolder folder;
    std::string text = "short\n" + std::string(30 << 20, 'x');
    std::filesystem::path path = test::write(folder.path() / "endless.txt", text);
    for (bool whole : {false, true}) {
        auto reader = open_table(path, {.record_limit = 1 << 20});
        std::string sentence = test::refusal([&] { whole ? void(reader->rows()) : void(reader->next(10)); });
        EXPECT_THAT(
            sentence,
            test::says("{}: the record at byte {} is longer than {}: raise record_limit unless the file is damaged",
                       testing::_, 6, testing::StartsWith("1.0 MB")));
        EXPECT_THAT(sentence, testing::HasSubstr("endless.txt"));
    }
}

TEST(Records, a_file_that_becomes_shorter_is_an_error_and_no_signal) {
    test::TemporaryFolder folder;
    std::string text;
    for (int i = 0; i < 400000; ++i)
        text += std::to_string(i) + "\n";
    std::filesystem::path path = test::write(folder.path() / "shrinking.txt", text);
    auto reader = open_table(path);
    ASSERT_EQ(reader->rows(), 400000);
    reader->next(10);
    std::filesystem::resize_file(path, 1000);
    EXPECT_THAT(test::refusal([&] { reader->read(399000, 10); }),
                test::says("{} ends at byte {}, it had {} bytes when it was opened: it was changed or cut while it was "
                           "being read, start again with a file that stays as it is",
                           testing::_, testing::_, testing::_));
    EXPECT_THAT(test::refusal([&] {
                    while (reader->next(1000).rows > 0) {
                    }
                }),
                testing::HasSubstr("shrinking.txt"));
}

TEST(Records, a_pipe_and_a_folder_are_no_files) {
    test::TemporaryFolder folder;
    EXPECT_THAT(test::refusal([&] { open_table(folder.path(), {.format = "text"}); }),
                test::says("{} is not a regular file: give a data file", testing::_));
    EXPECT_THAT(test::refusal([&] { open_table("/dev/zero", {.format = "text"}); }),
                test::says("{} is not a regular file: give a data file", testing::_));
    EXPECT_THAT(test::refusal([&] { open_table(folder.path() / "none.txt"); }), testing::HasSubstr("No such file"));
    EXPECT_THAT(test::refusal([&] { open_table("x.unknown"); }),
                test::says("{}: its extension does not identify the data format (known: {}): set the format",
                           testing::_, testing::_));
    EXPECT_THAT(test::refusal([&] { open_table("x.csv", {.format = "cvs"}); }),
                test::says(": did you mean '{}'?", "csv"));
}

}  // namespace
}  // namespace trainyard::formats
