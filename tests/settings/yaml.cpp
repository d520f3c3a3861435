// SPDX-License-Identifier: GPL-3.0-or-later
// YAML and JSON as PyYAML and json read and write them.

#include <cmath>

#include <gmock/gmock.h>

#include "base/number.h"
#include "config/accelerate/settings_file.h"
#include "config/values/python_text.h"
#include "config/values/value_formats.h"
#include "support/says.h"

namespace trainyard::settings {
namespace {

using test::says;
using test::says_only;
using testing::_;
using testing::EndsWith;
using testing::HasSubstr;
using testing::StartsWith;

Value yaml(const std::string& text) {
    std::vector<Problem> problems;
    Value value = parse_yaml(text, "c.yaml", problems, python_rules(problems));
    EXPECT_TRUE(problems.empty()) << problems.at(0).text();
    return value;
}

std::string problem_of(const std::string& text, Format format = Format::yaml) {
    Loaded loaded = read_settings(text, "c.yaml", format);
    return loaded.problems.empty() ? "" : loaded.problems[0].text();
}

/// One value as safe_dump writes it behind `k: `.
std::string written(Value value) {
    std::string text = write_yaml({{"k", std::move(value)}});
    return text.substr(0, text.size() - 1);
}

TEST(Scalars, AreThoseOfYaml11) {
    EXPECT_EQ(resolve_plain("NO"), Value(false));
    EXPECT_EQ(resolve_plain("on"), Value(true));
    EXPECT_EQ(resolve_plain("y"), Value("y"));
    EXPECT_EQ(resolve_plain("010"), Value(8));
    EXPECT_EQ(resolve_plain("0o10"), Value("0o10"));
    EXPECT_EQ(resolve_plain("0x1F"), Value(31));
    EXPECT_EQ(resolve_plain("0b11"), Value(3));
    EXPECT_EQ(resolve_plain("1_000"), Value(1000));
    EXPECT_EQ(resolve_plain("-7"), Value(-7));
    EXPECT_EQ(resolve_plain("1:30"), Value(90));
    EXPECT_EQ(resolve_plain("1:60"), Value("1:60"));
    EXPECT_EQ(resolve_plain("08"), Value("08"));
    EXPECT_EQ(resolve_plain("1e4"), Value("1e4"));
    EXPECT_EQ(resolve_plain("1.0e-4"), Value(1e-4));
    EXPECT_EQ(resolve_plain("1.5e3"), Value("1.5e3"));
    EXPECT_EQ(resolve_plain(".5"), Value(0.5));
    EXPECT_EQ(resolve_plain("1."), Value(1.0));
    EXPECT_EQ(resolve_plain("-.inf"), Value(-HUGE_VAL));
    EXPECT_TRUE(std::isnan(*resolve_plain(".NaN").number()));
    EXPECT_TRUE(resolve_plain("~").is_null());
    EXPECT_EQ(resolve_plain("2024-01-02"), Value(Date{"2024-01-02"}));
    EXPECT_EQ(resolve_plain("2024-1-2"), Value("2024-1-2"));
    EXPECT_EQ(resolve_plain("2024-01-02 03:04:05Z"), Value(Date{"2024-01-02T03:04:05+00:00"}));
    EXPECT_EQ(resolve_plain("9223372036854775807"), Value(std::int64_t{9223372036854775807}));
    EXPECT_NE(resolve_plain("9223372036854775808").number(), nullptr);
}

TEST(Scalars, NumbersAreSpeltAsPythonDoes) {
    EXPECT_EQ(python_float(1), "1.0");
    EXPECT_EQ(python_float(1e-4), "0.0001");
    EXPECT_EQ(python_float(1e-5), "1e-05");
    EXPECT_EQ(python_float(1e15), "1000000000000000.0");
    EXPECT_EQ(python_float(1e16), "1e+16");
    EXPECT_EQ(python_float(0.1 + 0.2), "0.30000000000000004");
    EXPECT_EQ(python_float(-0.0), "-0.0");
}

TEST(Writer, QuotesWhatWouldBeSomethingElse) {
    EXPECT_EQ(written("NO"), "k: 'NO'");
    EXPECT_EQ(written("all"), "k: all");
    EXPECT_EQ(written("0"), "k: '0'");
    EXPECT_EQ(written("0,1"), "k: 0,1");
    EXPECT_EQ(written("1e4"), "k: 1e4");
    EXPECT_EQ(written(""), "k: ''");
    EXPECT_EQ(written("it's"), "k: it's");
    EXPECT_EQ(written("'a'"), "k: '''a'''");
    EXPECT_EQ(written("a: b"), "k: 'a: b'");
    EXPECT_EQ(written("a #b"), "k: 'a #b'");
    EXPECT_EQ(written(" a"), "k: ' a'");
    EXPECT_EQ(written("caf\xC3\xA9"), "k: \"caf\\xE9\"");
    EXPECT_EQ(written("a\tb"), "k: \"a\\tb\"");
    EXPECT_EQ(written("a\nb"), "k: 'a\n\n  b'");
    EXPECT_EQ(written(1e16), "k: 1.0e+16");
    EXPECT_EQ(written(HUGE_VAL), "k: .inf");
    EXPECT_EQ(written(Value()), "k: null");
    EXPECT_EQ(written(Value(Value::List{})), "k: []");
    EXPECT_EQ(written(Value(Value::List{1, "a"})), "k:\n- 1\n- a");
    EXPECT_EQ(written(Value(Value::Map{{"b", 1}, {"a", Value(Value::List{Value(Value::List{2})})}})),
              "k:\n  a:\n  - - 2\n  b: 1");
    std::string words = "word";
    for (int i = 0; i < 20; ++i)
        words += " word" + std::to_string(i);
    EXPECT_EQ(written(Value(words)),
              "k: word word0 word1 word2 word3 word4 word5 word6 word7 word8 word9 word10 word11\n"
              "  word12 word13 word14 word15 word16 word17 word18 word19");
}

TEST(Reader, PutsAliasesAndMergedTablesIn) {
    Value root = yaml("a: &t {x: 1, y: 2}\nb:\n  <<: *t\n  y: 3\nc: *t\n");
    Settings settings(*root.map());
    EXPECT_EQ(settings.integer("b.x", 0), 1);
    EXPECT_EQ(settings.integer("b.y", 0), 3);
    EXPECT_EQ(settings.integer("c.y", 0), 2);
}

TEST(Reader, GivesPlacesInYamlAndJson) {
    Value root = yaml("# c\na: 1\nb:\n  c: 'x'\n");
    EXPECT_EQ(root.map()->at(1).value.map()->at(0).line, 4);
    EXPECT_EQ(root.map()->at(1).value.map()->at(0).value.column, 6);

    std::vector<Problem> problems;
    root = parse_json_tree("{\"a\": 1,\n \"b\": {\"c\": \"x\\\"y\", \"d\": [true]}}", "c.json", problems,
                           python_rules(problems));
    ASSERT_TRUE(problems.empty());
    const Entry& inner = root.map()->at(1).value.map()->at(0);
    EXPECT_EQ(inner.line, 2);
    EXPECT_EQ(inner.column, 8);
    EXPECT_EQ(inner.value.column, 13);
    EXPECT_EQ(*inner.value.text(), "x\"y");
    EXPECT_EQ(root.map()->at(1).value.map()->at(1).value.list()->at(0).column, 27);
}

TEST(Json, IsWrittenAsPythonDoes) {
    Value::Map root = {{"b", 1.0}, {"a", Value(Value::List{"x\xC3\xA9\n", 1, Value()})}, {"c", Value(Value::Map{})}};
    EXPECT_EQ(write_json(root),
              "{\n  \"a\": [\n    \"x\\u00e9\\n\",\n    1,\n    null\n  ],\n  \"b\": 1.0,\n  \"c\": {}\n}\n");
    EXPECT_EQ(write_json({{"e", "\xF0\x9F\x98\x80"}}), "{\n  \"e\": \"\\ud83d\\ude00\"\n}\n");
}

TEST(Hostile, BombsDepthAndSizeEndSoon) {
    std::string bomb = "distributed_type: &a0 [x,x,x,x,x,x,x,x,x,x]\n";
    for (int i = 1; i < 20; ++i) {
        bomb += "a" + std::to_string(i) + ": &a" + std::to_string(i) + " [";
        for (int k = 0; k < 10; ++k)
            bomb += (k == 0 ? "*a" : ",*a") + std::to_string(i - 1);
        bomb += "]\n";
    }
    EXPECT_THAT(problem_of(bomb), says("holds more than {} values", 10000));
    EXPECT_THAT(problem_of("a: &x [*x]\n"),
                says("an alias (*name) inside of what it names has no end: write the value out"));
    EXPECT_THAT(problem_of(std::string(100000, '[')), says("nested deeper than {} levels", 64));
    std::string dashes;
    for (int i = 0; i < 100000; ++i)
        dashes += "- ";
    EXPECT_NE(problem_of(dashes + "a\n"), "");
    EXPECT_THAT(problem_of(std::string(100000, '['), Format::json), says("nested deeper than {} levels", 64));
    EXPECT_THAT(problem_of(std::string((1u << 20) + 1, 'a')),
                says("is {}, more than the {} allowed for settings", _, _));
    EXPECT_THAT(problem_of(std::string((1u << 20) + 1, ' '), Format::json),
                says("is {}, more than the {} allowed for settings", _, _));
    std::string many = "[0";
    for (int i = 0; i < 10000; ++i)
        many += ",0";
    EXPECT_THAT(problem_of("{\"a\": " + many + "]}", Format::json), says("holds more than {} values", 10000));
    EXPECT_THAT(problem_of("a: " + many + "]\n"), says("holds more than {} values", 10000));
    std::string keys;
    for (int i = 0; i < 20000; ++i)
        keys += "k" + std::to_string(i) + ": 1\n";
    EXPECT_THAT(problem_of(keys), says("holds more than {} values", 10000));
}

/// PyYAML and Python's json let the last one count, so that such files load in Accelerate.
TEST(Reader, OfAKeyThatIsGivenTwiceTheLastOneCountsAndAWarningSaysSo) {
    const std::string yaml_text =
        "distributed_type: 'NO'\n# why\ndebug: true\ndebug: false\nfsdp_config:\n  a: 1\n  a: 2\n";
    const std::string json_text =
        "{\"distributed_type\": \"NO\",\n\n\"debug\": true,\n\"debug\": false,\n"
        "\"fsdp_config\": {\"a\": 1,\n\"a\": 2}}";
    for (const auto& [text, format] : {std::pair{yaml_text, Format::yaml}, {json_text, Format::json}}) {
        Loaded loaded = read_settings(text, "c", format);
        EXPECT_TRUE(loaded.problems.empty()) << problem_of(text, format);
        EXPECT_FALSE(loaded.settings.boolean("debug"));
        EXPECT_EQ(loaded.settings.integer("fsdp_config.a", 0), 2);
        std::vector<std::string> said;
        for (const ReadNote& note : loaded.notes)
            if (note.kind == ReadNote::Kind::repaired)
                said.push_back(note.message);
        EXPECT_THAT(said,
                    testing::UnorderedElementsAre(says("{} is {}; the last one counts", EndsWith("debug"),
                                                       says_only("given twice, first in line {}: keep one", 3)),
                                                  says("{} is {}; the last one counts", EndsWith("fsdp_config.a"),
                                                       says("given twice, first in line {}: keep one", _).at_start())));
        // A line that stayed behind would count where the other is taken out.
        loaded.settings.remove("debug");
        EXPECT_FALSE(read_settings(rewrite(loaded, loaded.settings), "c", format).settings.has("debug"));
    }
}

TEST(Reader, OldFp16IsWhatPythonTakesForTrue) {
    for (const auto& [text, on] :
         {std::pair{"'no'", true}, {"fp16", true}, {"''", false}, {"0", false}, {"2.5", true}}) {
        Loaded loaded = read_settings(std::string("distributed_type: 'NO'\nfp16: ") + text + "\n", "c", Format::yaml);
        EXPECT_EQ(loaded.settings.text("mixed_precision") == "fp16", on) << text;
    }
    EXPECT_THAT(read_settings("distributed_type: 'NO'\nfp16: 'no'\n", "c", Format::yaml).notes.at(0).message,
                says("fp16: the text '{}' counts as true, as in Accelerate, and became mixed_precision: fp16: write "
                     "mixed_precision: 'no' if that is meant",
                     "no"));
}

TEST(Hostile, WhatHidesMeaningIsNamedWithItsPlace) {
    EXPECT_THAT(problem_of("a: !!python/object/apply:os.system ['id']\n"),
                says("the tag {} is not allowed here: leave it out", _));
    EXPECT_THAT(problem_of("distributed_type: 'NO'\n---\na: 1\n"),
                says("holds more than one document (---): keep one"));
    EXPECT_THAT(problem_of(std::string("a: 1\0", 5)), says("byte {} is zero: this is not a text file", 4));
    EXPECT_THAT(problem_of("a: caf\xE9\n"),
                test::says("byte {} (0x{:02x}) is not valid UTF-8", "6", 0xe9).after("c.yaml:1:7: "));
    EXPECT_THAT(problem_of("a: \x01\n"), says("byte {} is not text in UTF-8: save the file as UTF-8", 3));
    EXPECT_THAT(problem_of("a:\n\tb: 1\n"), says("a tab cannot stand here: use spaces").after("c.yaml:2:1: "));
    EXPECT_THAT(
        problem_of("a: 'b\n"),
        says("the quote that opens here is never closed: add one at the end of the text").after("c.yaml:1:4: "));
    EXPECT_THAT(problem_of("{\"a\": 1,}", Format::json), says("is not valid JSON here: {}", _).after("c.yaml:1:9: "));
    EXPECT_THAT(problem_of("{\"a\": \"\xFF\"}", Format::json),
                test::says("byte {} (0x{:02x}) is not valid UTF-8", "7", 0xff).after("c.yaml:1:8: "));
    EXPECT_THAT(problem_of(std::string("\xFF\xFE{\0}\0", 6), Format::json),
                says("the text is {0}: save it as UTF-8, for example with iconv -f {0} -t UTF-8", StartsWith("UTF-16"))
                    .after("c.yaml: "));
    EXPECT_THAT(problem_of(std::string("a\0:\0 \0x\0\n\0", 10)),
                says("the text is {0}: save it as UTF-8, for example with iconv -f {0} -t UTF-8", StartsWith("UTF-16"))
                    .after("c.yaml: "));
    EXPECT_THAT(problem_of("", Format::json), says("is not valid JSON here: {}", _));
    EXPECT_THAT(problem_of("[1]", Format::json),
                says("holds {}, not keys: write settings as `key: value` lines, at least distributed_type", "a list"));
}

TEST(Reader, TakesWhatPeopleAndEditorsWrite) {
    EXPECT_EQ(problem_of("\xEF\xBB\xBF"
                         "distributed_type: 'NO'\n"),
              "");
    EXPECT_THAT(problem_of("\xEF\xBB\xBF{\"distributed_type\": \"NO\"}", Format::json),
                says("begins with a byte order mark, which JSON does not have: save it as UTF-8 without one")
                    .after("c.yaml:1:1: "));
    EXPECT_EQ(problem_of("{\"distributed_type\": \"NO\", \"megatron_lm_config\": {\"a\": -Infinity, \"b\": NaN}}",
                         Format::json),
              "");
    EXPECT_THAT(problem_of("{\"distributed_type\": \"NO\",\n \"num_processes\": NaN}", Format::json),
                testing::HasSubstr("c.yaml:2:19: num_processes: "))
        << "by its key, not as broken JSON";
    EXPECT_THAT(problem_of("compute_environment: null\ndistributed_type: 'NO'\n"),
                testing::HasSubstr("c.yaml:1:22: compute_environment: names nothing"));
    EXPECT_EQ(problem_of("distributed_type: 'NO'\r\ndebug: true\r\n"), "");
    EXPECT_EQ(problem_of("---\ndistributed_type: 'NO'\n...\n"), "");
    EXPECT_EQ(problem_of("{\"distributed_type\": \"NO\", \"fsdp_config\": {\"x\": \"a\tb\"}}"), "");
    EXPECT_EQ(problem_of("distributed_type: 'NO' # isn't\nmain_training_function: don't, \"do\"\n"), "");
    EXPECT_EQ(problem_of("distributed_type: 'NO'\nmain_training_function: >-\n  a\tb 'c\n"), "");
}

}  // namespace
}  // namespace trainyard::settings
