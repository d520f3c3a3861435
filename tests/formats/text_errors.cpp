// SPDX-License-Identifier: GPL-3.0-or-later
// Errors in CSV and JSON files are reported with line, column and what to do.

#include <algorithm>
#include <filesystem>
#include <string>
#include <tuple>

#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "formats/tables/table_reader.h"
#include "formats/tables/text_check.h"
#include "support/says.h"
#include "support/temporary_folder.h"
#include "written.h"

namespace trainyard::formats {
namespace {

using test::says;
using test::says_only;
using testing::_;
using testing::EndsWith;
using testing::HasSubstr;
using testing::StartsWith;

class TextErrors : public testing::Test {
  protected:
    std::string refused(const std::string& name, const std::string& text, const ReadOptions& options = {}) {
        std::filesystem::path path = test::write(folder_.path() / name, text);
        return test::refusal([&] {
            auto reader = open_table(path, options);
            while (reader->next(100).rows > 0) {
            }
        });
    }
    Table read(const std::string& name, const std::string& text, const ReadOptions& options = {}) {
        auto reader = open_table(test::write(folder_.path() / name, text), options);
        return reader->next(1000);
    }
    test::TemporaryFolder folder_;
};

TEST_F(TextErrors, csv_quotes) {
    EXPECT_THAT(
        refused("a.csv", "a,b\n1,\"x\ny\" z\n"),
        says("text behind the quote that closes a field: double quotes inside of a field").after("a.csv:3:3: "));
    EXPECT_THAT(refused("a.csv", "a,b\n1,x\n2,x\"y\n3,z\n"),
                says("a quote inside of a field without quotes: put the field in quotes and double this one")
                    .after("a.csv:3:4: "));
    EXPECT_THAT(refused("a.csv", "a,b\n1,x\n5\" disk,2\n6\" disk,3\n"),
                says("a quote inside of a field without quotes: put the field in quotes and double this one")
                    .after("a.csv:3:2: "));
    EXPECT_THAT(refused("a.csv", "a,b\n1,\"never\nclosed\n"),
                says("the quote that opens this field is not closed").after("a.csv:2:3: "));
}

TEST_F(TextErrors, records_that_are_left_out_are_told_and_the_others_are_whole) {
    std::vector<CorruptRows> told;
    ReadOptions options;
    options.infer_rows = 4;
    options.on_corrupt = [&](const CorruptRows& rows) { told.push_back(rows); };
    const std::pair<const char*, const char*> files[] = {
        {"a.jsonl",
         "{\"n\": 1, \"t\": \"one\"}\n{\"n\": 2, \"t\":\n{\"n\": 3, \"t\": \"three\"}\n\n{\"n\": 4, \"t\": null}\n"
         "{\"t\": \"x\", \"n\": \"text\"}\n{\"n\": 6, \"t\": \"six\"}\n"},
        {"a.csv", "n,t\n1,one\n2,two,too many\n3,three\n4,NA\nx,text\n6,six\n"}};
    for (auto [name, text] : files) {
        told.clear();
        auto reader = open_table(test::write(folder_.path() / name, text), options);
        Table table = reader->next(1000);
        ASSERT_EQ(table.rows, 4) << name;
        const Column &n = table.at("n"), &t = table.at("t");
        EXPECT_EQ(std::vector<std::int64_t>(n.values<std::int64_t>().begin(), n.values<std::int64_t>().end()),
                  (std::vector<std::int64_t>{1, 3, 4, 6}));
        EXPECT_EQ(t.text(0), "one");
        EXPECT_EQ(t.text(1), "three");
        EXPECT_TRUE(t.is_missing(2));
        EXPECT_EQ(t.text(3), "six");
        ASSERT_EQ(told.size(), 2u) << name;
        EXPECT_EQ(told[0].first, 1);
        EXPECT_EQ(told[1].first, 4);
        EXPECT_EQ(told[0].count, 1);
        EXPECT_THAT(told[0].message, HasSubstr(std::string(name) + (name[2] == 'j' ? ":2: " : ":3: ")));
        EXPECT_THAT(told[1].message, HasSubstr(std::string(name) + ":6: "));
        EXPECT_EQ(reader->position().row, 6) << "those left out count as rows";
        EXPECT_THROW(reader->read(0, 6), CorruptRecord) << "rows that are requested by number must not be skipped";
    }
    EXPECT_THAT(refused("b.csv", "a,b\n1,2\n3,\"never\nclosed\n", options),
                says("the quote that opens this field is not closed").after("b.csv:3:3: "));
}

TEST_F(TextErrors, csv_columns) {
    EXPECT_THAT(refused("a.csv", "a,b\n1,2\n1,2,3\n"),
                says("{} fields, the file has {} columns", EndsWith("a.csv:3: 3"), 2));
    EXPECT_THAT(refused("a.csv", "a,b,a\n"), says("column '{}' is there twice: give other names", "a"));
    EXPECT_THAT(refused("a.csv", "aa,b\n", {.columns = {"ab"}}), says(": did you mean '{}'?", _));
    EXPECT_THAT(refused("a.csv", "a,b\n", {.types = {{"c", ElementType::text}}}),
                says("{} has no column '{}', whose type was given{}", _, "c", _));
    EXPECT_THAT(refused("a.csv", "a;b\n", {.separator = '"'}),
                says("the separator of a CSV file is a quote or a line end: choose a comma, ';', '|' or a tabulator"));
}

TEST_F(TextErrors, csv_types_hold_for_the_whole_file) {
    std::string text = "n,t\n";
    for (int i = 0; i < 10; ++i)
        text += std::to_string(i) + ",x\n";
    std::string sentence = refused("a.csv", text + "1.5,x\n", {.infer_rows = 10});
    EXPECT_THAT(sentence,
                HasSubstr("a.csv:12: column 'n' is int64 by the first 10 rows, but '1.5' does not have that type: "
                          "give its type"));
    EXPECT_EQ(refused("a.csv", text + "1.5,x\n", {.types = {{"n", ElementType::f32}}, .infer_rows = 10}), "");
    EXPECT_THAT(refused("a.csv", text + "300,x\n", {.types = {{"n", ElementType::u8}}}),
                says("column '{}' is {} {}, but '{}' does not have that type: {}", _, EndsWith("uint8"),
                     says_only("as was asked for"), 300, _));
}

TEST_F(TextErrors, csv_options) {
    Table table = read("a.csv", "\xef\xbb\xbf# x|7| +3\n# y|NA|\"NA\"\n",
                       {.separator = '|', .header = false, .names = {"t", "n", "s"}});
    ASSERT_EQ(table.rows, 2);
    EXPECT_EQ(table.at("t").text(0), "# x");
    EXPECT_EQ(table.at("n").field.type, ElementType::i64);
    EXPECT_TRUE(table.at("n").is_missing(1));
    EXPECT_FALSE(table.at("s").is_missing(1));  // quoted
    EXPECT_EQ(table.at("s").text(1), "NA");
    table = read("b.csv", "a,b,c\n1,x,true\n2,y,False\n", {.columns = {"c", "a"}, .types = {{"a", ElementType::f16}}});
    ASSERT_EQ(table.columns.size(), 2u);
    EXPECT_EQ(table.columns[0].field.describe(), "c: bool");
    EXPECT_EQ(table.columns[1].values<std::uint16_t>()[1], 0x4000);  // 2.0 in half precision
}

TEST_F(TextErrors, encodings_of_every_text_format) {
    const auto utf16 = [](std::string_view text) {
        std::string wide = "\xff\xfe";
        for (const char letter : text)
            (wide += letter) += '\0';
        return wide;
    };
    for (const auto& [name, head, row] :
         {std::tuple("a.txt", "text\n", "%\n"), std::tuple("a.csv", "text,n\n", "\"%\",1\n"),
          std::tuple("a.tsv", "text\tn\n", "%\t1\n"),
          std::tuple("a.jsonl", "{\"text\": \"x\"}\n", "{\"text\": \"%\"}\n")}) {
        const auto rows = [&](std::string_view word) {
            std::string text = head;
            for (int i = 0; i < 1500; ++i)  // the fault is after the rows that types are inferred from
                text += std::string(row).replace(std::string(row).find('%'), 1, i == 1400 ? word : "word");
            return text;
        };
        EXPECT_EQ(refused(name, rows("gr\xc3\xbc\xc3\x9f")), "") << name;
        const std::string latin = rows("gr\xfc\xdf");
        const std::string expected =
            fmt::format("{}:1402: byte {} (0xfc) is not valid UTF-8: save the file as UTF-8", name, latin.find('\xfc'));
        EXPECT_THAT(refused(name, latin), HasSubstr(expected));
        const std::filesystem::path path = folder_.path() / name;
        EXPECT_THAT(test::refusal([&] { open_table(path)->read(1395, 20); }), HasSubstr(expected)) << "indexed, too";
        EXPECT_THAT(first_text_fault(path, RecordKind::lines, 1 << 30), HasSubstr(expected));
        EXPECT_EQ(first_text_fault(path, RecordKind::lines, 1000), "");
        EXPECT_THAT(
            refused(name, utf16(rows("x"))),
            says("the text is {0}: save it as UTF-8, for example with iconv -f {0} -t UTF-8", StartsWith("UTF-16"))
                .after(std::string(name) + ": "));
        EXPECT_THAT(
            refused(name, rows("x") + std::string(600, '\0')),
            says("zero bytes begin at byte {}: the file is damaged or is not text, so restore it or remove them", _));
        const Table marked = read(name, "\xef\xbb\xbf" + rows("x"));
        EXPECT_EQ(marked.columns[0].field.name, "text") << name;
        if (name == std::string("a.txt")) {
            EXPECT_EQ(marked.columns[0].text(0), "text");
        }
        std::string returns = rows("x");
        std::ranges::replace(returns, '\n', '\r');
        auto reader = open_table(test::write(path, returns));
        const std::int64_t head_rows = name == std::string("a.txt") || name == std::string("a.jsonl") ? 1 : 0;
        EXPECT_EQ(reader->rows(), 1500 + head_rows) << name;
        EXPECT_EQ(reader->read(1400 + head_rows, 1).columns[0].text(0), "x") << name;
        std::ranges::replace(returns, 'w', '\xe9');
        EXPECT_THAT(refused(name, returns), HasSubstr(std::string(name) + ":2: byte"))
            << "lines end at carriage returns";
    }
}

TEST_F(TextErrors, csv_as_pandas_reads_it) {
    // Values from pandas.read_csv() 3.1.
    Table table = read("a.csv", "text;label\na, b;1\n");
    EXPECT_EQ(table.at("text").text(0), "a, b");
    EXPECT_EQ(table.at("label").values<std::int64_t>()[0], 1);
    table = read("a.csv", "sep=;\r\ntext;label\r\na, b;1\r\n");
    EXPECT_EQ(table.at("text").text(0), "a, b");
    table = read("a.csv", "text,label\nhe said \"hi\" x,1\n   \n\nb,2\n");
    ASSERT_EQ(table.rows, 2);
    EXPECT_EQ(table.at("text").text(0), "he said \"hi\" x");
    table = read("a.csv", "text,label\nb,1\n5\" disk,2");
    EXPECT_EQ(table.at("text").text(1), "5\" disk");
    table = read("a.csv", "text,label\r\"a\rb\",1\rb,2\r");
    EXPECT_EQ(table.at("text").text(0), "a\rb");
    table = read("a.csv", "text,label,\na,1,\nb,2,\n");
    EXPECT_EQ(table.columns[2].field.name, "Unnamed: 2");
    table = read("a.csv", "text,label\na,1,\nb,2,\n");
    EXPECT_EQ(table.at("label").values<std::int64_t>()[1], 2) << "pandas takes the first column for an index here";
    table = read("a.csv", "text,label\nNone,1\nn/a,2\n#N/A,3\nx,4\n");
    EXPECT_TRUE(table.at("text").is_missing(0) && table.at("text").is_missing(1) && table.at("text").is_missing(2));
    table = read("a.csv", "text,label\na,\"1,234\"\n");
    EXPECT_EQ(table.at("label").text(0), "1,234");
    table = read("a.csv", "text,label\na" + std::string("\0", 1) + "b,1\n");
    EXPECT_EQ(table.at("text").text(0), std::string("a\0b", 3));
    // Columns that are not asked for.
    table = read("a.csv", ",x,text,x,\n1,2,a,3,4\n", {.columns = {"text"}});
    EXPECT_EQ(table.at("text").text(0), "a");
    EXPECT_THAT(refused("a.csv", "x,text,x\n2,a,3\n", {.columns = {"x"}}),
                says("column '{}' is there twice: give other names", "x"));
    EXPECT_THAT(
        refused("a.csv", "a,b\n1,x\ry\n2,z\n"),
        says("a line end inside of a field without quotes: put the field in quotes, or end all lines in the same way")
            .after("a.csv:2:4: "));
    EXPECT_THAT(refused("a.csv", "text,label\na\n"),
                says("{} fields, the file has {} columns", EndsWith("a.csv:2: 1"), 2));
}

TEST_F(TextErrors, json_members_that_are_not_asked_for) {
    const ReadOptions text{.columns = {"text"}, .infer_rows = 1};
    EXPECT_EQ(
        refused("a.jsonl", "{\"text\": \"a\", \"meta\": {\"n\": 1}}\n{\"meta\": \"none\", \"text\": \"b\"}\n", text),
        "");
    EXPECT_EQ(refused("a.jsonl", "{\"a.b\": 1, \"a\": {\"b\": 2}, \"text\": \"a\"}\n", text), "");
    EXPECT_THAT(refused("a.jsonl", "[\n[\"a\"]\n]\n"),
                says("this line begins a list, and JSON Lines has an object in each line: write one object per line")
                    .after("a.jsonl:1: "));
}

TEST_F(TextErrors, json_lists) {
    const std::string list = "\xef\xbb\xbf\n[ {\"a\": \"]},[\\\"\"},\n  {\n \"a\": \"b\",\n \"l\": [1, 2]\n} ]\r\n";
    for (const char* name : {"a.json", "a.jsonl"}) {
        Table table = read(name, list);
        ASSERT_EQ(table.rows, 2) << name;
        EXPECT_EQ(table.at("a").text(0), "]},[\"");
        EXPECT_EQ(table.at("a").text(1), "b");
        EXPECT_EQ(table.at("l").list_ends, (std::vector<std::int64_t>{0, 2}));
    }
    EXPECT_EQ(read("a.json", "{\"a\": 1}\n{\"a\": 2}\n").rows, 2) << "lines in a file with this ending";
    EXPECT_EQ(read("a.json", "[]").rows, 0);
    // Faults have the line of their element.
    EXPECT_THAT(refused("a.json", "[\n{\"a\": 1},\n\n{\"a\" 1}]"),
                says("the element of the list that begins here is not valid JSON: {}", _).after("a.json:4: "));
    EXPECT_THAT(refused("a.json", "[{\"a\": 1},\n7]"),
                says("the element of the list that begins here is not a JSON object").after("a.json:2: "));
    EXPECT_THAT(refused("a.json", "[{\"a\": 1},\n{\"a\": \"x\"}]", {.infer_rows = 1}),
                HasSubstr("a.json:2: the member 'a' is int64"));
    for (const char* cut : {"[{\"a\": 1}", "[{\"a\": 1},", "[{\"a\": 1}, {\"a\"", "[{\"a\": \"1}]", "[{\"a\": [1}"})
        EXPECT_THAT(refused("a.json", cut),
                    says("{}: the list has no end: the file is not complete, or a bracket or quote in it is not closed",
                         EndsWith("a.json")))
            << cut;
    EXPECT_THAT(refused("a.json", "[{\"a\": 1} {\"a\": 2}]"),
                says("{}: byte {} is neither the comma after an element of the list nor the end of the list",
                     EndsWith("a.json"), 10));
    EXPECT_THAT(refused("a.json", "[{\"a\": 1}]\n[{\"a\": 2}]"),
                says("{}: there is more after the end of the list, at byte {}: a JSON file has one list",
                     EndsWith("a.json"), 11));
    EXPECT_THAT(refused("a.json", "[{\"a\": \"" + std::string(5000, 'x') + "\"}]", {.record_limit = 4000}),
                HasSubstr("raise record_limit"));
    std::vector<std::int64_t> skipped;
    auto reader =
        open_table(test::write(folder_.path() / "b.json", "[{\"a\": 1}, {\"a\" 2}, {\"a\": 3}]"),
                   {.infer_rows = 1, .on_corrupt = [&](const CorruptRows& rows) { skipped.push_back(rows.first); }});
    EXPECT_EQ(reader->next(10).rows, 2);
    EXPECT_EQ(skipped, std::vector<std::int64_t>{1});
}

TEST_F(TextErrors, long_json_lists_are_read_from_every_place) {
    std::string text = "[";
    constexpr std::int64_t kElements = 3000;
    for (std::int64_t i = 0; i < kElements; ++i)
        text += fmt::format("{}\n  {{\"n\": {}, \"t\": \"{}\"}}", i == 0 ? "" : " ,", i,
                            std::string(static_cast<std::size_t>(i * 37 % 3000), '}'));
    const std::filesystem::path path = test::write(folder_.path() / "a.json", text + "\n]");
    const auto reader = open_table(path);
    EXPECT_EQ(reader->rows(), kElements);
    for (const std::int64_t row : {0, 1, 15, 16, 17, 2047, 2998})
        EXPECT_EQ(reader->read(row, 2).at("n").values<std::int64_t>()[1], row + 1);
    std::int64_t seen = 0;
    for (Table table = reader->next(701); table.rows > 0; table = reader->next(701)) {
        EXPECT_EQ(table.at("n").values<std::int64_t>()[0], seen);
        seen += table.rows;
        const auto other = open_table(path);
        other->seek(reader->position());
        const Table next = other->next(1);
        EXPECT_EQ(next.rows, seen < kElements ? 1 : 0);
        if (next.rows > 0) {
            EXPECT_EQ(next.at("n").values<std::int64_t>()[0], seen);
        }
    }
    EXPECT_EQ(seen, kElements);
}

TEST_F(TextErrors, json) {
    EXPECT_THAT(refused("a.jsonl", "{\"a\": 1}\n\n{\"a\": }\n"),
                says("this line is not valid JSON: {}", _).after("a.jsonl:3: "));
    EXPECT_THAT(refused("a.jsonl", "{\"a\": 1} {\"a\": 2}\n"), says("this line is not valid JSON: {}", _));
    EXPECT_THAT(refused("a.jsonl", "[1]\n"), says("this line is not a JSON object ({...})"));
    EXPECT_THAT(refused("a.jsonl", "{\"a\": \"\xff\"}\n"), HasSubstr("UTF-8"));
    EXPECT_THAT(refused("a.jsonl", "{\"a\": 1, \"a\": 2}\n"), HasSubstr("'a' is there twice"));
    EXPECT_THAT(refused("a.jsonl", "{\"a\": 1}\n{\"a\": \"x\"}\n", {.infer_rows = 1}),
                HasSubstr("a.jsonl:2: the member 'a' is int64"));
    EXPECT_THAT(
        refused("a.jsonl", "{\"a\": 1}\n{\"b\": 1}\n", {.infer_rows = 1}),
        says("the member '{}' is in none of the first {} rows: name the columns that you want or infer from more rows",
             "b", 1));
    EXPECT_EQ(refused("a.jsonl", "{\"a\": 1}\n{\"b\": 1}\n", {.columns = {"a"}, .infer_rows = 1}), "");
    EXPECT_THAT(refused("a.jsonl", "{\"a\": {\"b\": 1}}\n{\"a\": 1}\n", {.infer_rows = 1}),
                says("the member '{}' is an object in the first {} rows and none here", _, _));
}

TEST_F(TextErrors, json_as_deep_as_one_likes) {
    for (std::size_t depth : {20u, 900u, 100000u}) {
        std::string deep, close;
        for (std::size_t i = 0; i < depth; ++i) {
            deep += i % 2 == 0 ? "{\"a\":" : "[";
            close.insert(close.begin(), i % 2 == 0 ? '}' : ']');
        }
        std::string sentence = refused("deep.jsonl", deep + "1" + close + "\n");
        if (depth > 1024)
            EXPECT_THAT(sentence, says("this line is not valid JSON: {}", _));
        else
            EXPECT_EQ(sentence, "");
    }
    std::string objects, close;
    for (int i = 0; i < 500; ++i) {
        objects += "{\"a\":";
        close += '}';
    }
    Table table = read("objects.jsonl", objects + "1" + close + "\n");
    ASSERT_EQ(table.columns.size(), 1u);
    EXPECT_EQ(table.columns[0].field.name, "a.a.a.a.a.a.a.a");  // deeper members are JSON text
}

TEST_F(TextErrors, json_types) {
    Table table = read("t.jsonl",
                       "{\"big\": 18446744073709551615, \"mix\": 1, \"l\": [1, 2.5], \"e\": [], \"n\": null}\n"
                       "{\"big\": 1, \"mix\": \"x\", \"l\": [], \"e\": [], \"n\": null}\n");
    EXPECT_EQ(table.at("big").field.type, ElementType::f64);
    EXPECT_EQ(table.at("mix").text(0), "1");
    EXPECT_EQ(table.at("mix").text(1), "\"x\"");
    EXPECT_THAT(table.at("l").field.describe(), says_only("{}: list of {}", "l", "float64"));
    EXPECT_EQ(table.at("l").end_of(1), 2);
    EXPECT_TRUE(table.at("n").is_missing(0));
    table = read("t.jsonl", "{\"big\": 18446744073709551615}\n", {.types = {{"big", ElementType::u64}}});
    EXPECT_EQ(table.at("big").values<std::uint64_t>()[0], 18446744073709551615u);
}

}  // namespace
}  // namespace trainyard::formats
