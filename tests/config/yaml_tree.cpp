// SPDX-License-Identifier: GPL-3.0-or-later
#include <gmock/gmock.h>

#include "config/values/value_formats.h"
#include "support/says.h"

namespace trainyard::config {
namespace {

using test::says;
using test::says_only;
using testing::_;
using testing::HasSubstr;
using testing::StartsWith;

std::vector<Problem> yaml_problems(const std::string& yaml) {
    std::vector<Problem> problems;
    parse_yaml(yaml, "r.yaml", problems);
    return problems;
}

TEST(Yaml, KeepsPlacesQuotesAndOrder) {
    std::vector<Problem> problems;
    Value tree = parse_yaml("a: 1\nb:\n  - 'x'\n  - {c: ~}\n", "r.yaml", problems);
    ASSERT_TRUE(problems.empty());
    ASSERT_TRUE(tree.is_map());
    ASSERT_EQ(tree.entries().size(), 2u);
    EXPECT_EQ(tree.entries()[0].value.spelling(), "1");
    EXPECT_TRUE(tree.entries()[0].value.plain);
    EXPECT_EQ(tree.entries()[0].value.line, 1);
    EXPECT_EQ(tree.entries()[0].value.column, 4);
    const Value& list = tree.entries()[1].value;
    ASSERT_EQ(list.items().size(), 2u);
    EXPECT_FALSE(list.items()[0].plain);
    EXPECT_EQ(list.items()[0].line, 3);
    EXPECT_TRUE(list.items()[1].entries()[0].value.is_null());
}

TEST(Yaml, IsTextInUtf8) {
    EXPECT_TRUE(yaml_problems("\xef\xbb\xbfname: gr\xc3\xbc\xc3\x9f\n").empty());
    EXPECT_THAT(yaml_problems("a: 1\nb: caf\xe9\n").at(0).text(),
                test::says("byte {} (0x{:02x}) is not valid UTF-8: save the file as UTF-8, Latin-1 text for example "
                           "with iconv -f WINDOWS-1252 -t UTF-8",
                           11, 0xe9)
                    .after("r.yaml:2:7: "));
    EXPECT_THAT(yaml_problems(std::string("\xff\xfe"
                                          "a\0:\0",
                                          6))
                    .at(0)
                    .text(),
                says("the text is {0}: save it as UTF-8, for example with iconv -f {0} -t UTF-8", StartsWith("UTF-16"))
                    .after("r.yaml: "));
}

TEST(Yaml, LinesEndWithAnyOfTheThreeLineEnds) {
    for (const std::string end : {"\n", "\r\n", "\r"}) {
        std::vector<Problem> problems;
        const Value tree = parse_yaml("a: 1" + end + "# c" + end + "b:" + end + "  - x" + end, "r.yaml", problems);
        ASSERT_TRUE(problems.empty()) << problems.at(0).text();
        ASSERT_EQ(tree.entries().size(), 2u);
        EXPECT_EQ(tree.entries()[0].value.spelling(), "1");
        EXPECT_EQ(tree.entries()[1].line, 3);
        EXPECT_EQ(tree.entries()[1].value.items().at(0).spelling(), "x");
    }
}

TEST(Yaml, KeepsBothOfTwoEqualKeys) {
    std::vector<Problem> problems;
    const Value tree = parse_yaml("a: 1\na: 2\n", "r.yaml", problems);
    EXPECT_EQ(tree.entries().size(), 2u);
}

TEST(Yaml, RefusesWhatHidesTheContent) {
    EXPECT_THAT(yaml_problems("a: &x 1\nb: *x\n").at(0).text(), HasSubstr("r.yaml:1:4: anchors"));
    EXPECT_THAT(yaml_problems("a: &x 1\nb: *x\n").at(1).text(), HasSubstr("r.yaml:2:4: aliases"));
    EXPECT_THAT(yaml_problems("a: !!python/object:os.system x\n").at(0).text(),
                says("the tag {} is not allowed here: leave it out", _));
    EXPECT_THAT(yaml_problems("a: 1\n---\nb: 2\n").at(0).text(), says("holds more than one document (---): keep one"));
    EXPECT_THAT(yaml_problems("? [a, b]\n: 1\n").at(0).text(),
                says("a key must be a name, not {}", StartsWith("a list")));
}

TEST(Yaml, PutsAliasesInWhereTheyAreAllowed) {
    const TreeRules rules = {.aliases = true, .most_nodes = 100};
    std::vector<Problem> problems;
    Value tree = parse_yaml("a: &x {b: 1}\nc: *x\n", "r.yaml", problems, rules);
    ASSERT_TRUE(problems.empty());
    EXPECT_EQ(tree.entries().at(1).value.entries().at(0).key, "b");

    std::string bomb = "a0: &a0 [x, x, x, x]\n";
    for (int i = 1; i < 30; ++i)
        bomb += "a" + std::to_string(i) + ": &a" + std::to_string(i) + " [*a" + std::to_string(i - 1) + ", *a" +
                std::to_string(i - 1) + "]\n";
    parse_yaml(bomb, "r.yaml", problems, rules);
    EXPECT_THAT(problems.at(0).message, says("holds more than {} values", 100));

    problems.clear();
    parse_yaml("a: &x [*x]\n", "r.yaml", problems, rules);
    EXPECT_THAT(problems.at(0).message,
                says("an alias (*name) inside of what it names has no end: write the value out"));
    EXPECT_THAT(yaml_problems("a: &x 1\n").at(0).message,
                says("anchors (&name) are not allowed here: write the value out where it is needed"));

    problems.clear();
    std::string deep = "a: &a " + std::string(40, '[') + std::string(40, ']') + "\nb: " + std::string(40, '[') + "*a" +
                       std::string(40, ']') + "\n";
    parse_yaml(deep, "r.yaml", problems, {.aliases = true});
    EXPECT_THAT(problems.at(0).message, says("nested deeper than {} levels", 64));
}

TEST(Yaml, NamesAScalarByItsSpellingUntilPythonsRulesResolveIt) {
    const auto described = [](const TreeRules& rules) {
        std::vector<Problem> problems;
        const Value list = parse_yaml("[1e-4, 'x', 0x10, on, ~]", "r.yaml", problems, rules);
        std::vector<std::string> texts;
        for (const Value& item : list.items())
            texts.push_back(item.description());
        return texts;
    };
    std::vector<Problem> twice;
    EXPECT_THAT(described({}),
                testing::ElementsAre("'1e-4'", says_only("the text \"{}\"", "x"), "'0x10'", "'on'", "nothing"));
    EXPECT_THAT(described(python_rules(twice)),
                testing::ElementsAre(says_only("the text \"{}\"", "1e-4"), says_only("the text \"{}\"", "x"), "0x10",
                                     "on", "nothing"));
    EXPECT_THAT(Value(std::string(100, 'a')).description().text(),
                says_only("the text \"{}\"", std::string(57, 'a') + "..."));
}

TEST(Yaml, QuotesInFlowStyleWhatWouldBeSomethingElse) {
    std::vector<Problem> problems;
    const std::string text = "{\"null\": 1e-4, \"-a\": [\"1\", null], b: \"x\\n\"}";
    const Value tree = parse_yaml(text, "r.yaml", problems);
    EXPECT_EQ(flow_text(tree), text);
    EXPECT_EQ(tree.find("b")->spelling(), "x\n");
    EXPECT_EQ(flow_text(Value(Value::List{Value(true), Value(0.5)})), "[true, 0.5]");
}

TEST(Yaml, NamesThePlaceOfASyntaxError) {
    std::vector<Problem> problems = yaml_problems("a: 1\nb: [1, 2\nc: 3\n");
    ASSERT_EQ(problems.size(), 1u);
    EXPECT_GE(problems[0].line, 2);
    EXPECT_THAT(problems[0].message, says("is not valid YAML here: {}", _));
    EXPECT_EQ(yaml_problems("a: \"open\n").size(), 1u);
    EXPECT_EQ(yaml_problems("\ta: 1\n").size(), 1u);
}

TEST(Yaml, BoundsSizeAndDepth) {
    EXPECT_THAT(yaml_problems(std::string(2 << 20, 'a')).at(0).text(),
                says("is {}, more than the {} allowed for settings", _, _));
    EXPECT_THAT(yaml_problems(std::string(100000, '[')).at(0).text(), says("nested deeper than {} levels", 64));
    EXPECT_THAT(yaml_problems(std::string("a: 1\0b", 6)).at(0).text(),
                says("byte {} is zero: this is not a text file", 4));
    std::string deep = std::string(60, '[') + std::string(60, ']');
    EXPECT_TRUE(yaml_problems(deep).empty());
}

TEST(Yaml, SurvivesEveryCutOfADocument) {
    std::string yaml = "a: {b: [1, 'x', \"y\\n\"], c: |\n  text\n d: 2}\ne:\n  - f: ~\n";
    for (std::size_t size = 0; size <= yaml.size(); ++size) {
        std::vector<Problem> problems;
        EXPECT_NO_THROW(parse_yaml(yaml.substr(0, size), "r.yaml", problems)) << size;
    }
}

}  // namespace
}  // namespace trainyard::config
