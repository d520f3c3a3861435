#include "config/recipe/yaml_tree.h"

#include <gmock/gmock.h>

namespace trainyard::config {
namespace {

using testing::HasSubstr;

std::vector<Problem> problems_of(const std::string& yaml) {
    std::vector<Problem> problems;
    parse_yaml(yaml, "r.yaml", problems);
    return problems;
}

TEST(Yaml, KeepsPlacesQuotesAndOrder) {
    std::vector<Problem> problems;
    YamlValue tree = parse_yaml("a: 1\nb:\n  - 'x'\n  - {c: ~}\n", "r.yaml", problems);
    ASSERT_TRUE(problems.empty());
    ASSERT_EQ(tree.kind, YamlValue::Kind::map);
    ASSERT_EQ(tree.entries.size(), 2u);
    EXPECT_EQ(tree.entries[0].value.text, "1");
    EXPECT_TRUE(tree.entries[0].value.plain);
    EXPECT_EQ(tree.entries[0].value.line, 1);
    EXPECT_EQ(tree.entries[0].value.column, 4);
    const YamlValue& list = tree.entries[1].value;
    ASSERT_EQ(list.items.size(), 2u);
    EXPECT_FALSE(list.items[0].plain);
    EXPECT_EQ(list.items[0].line, 3);
    EXPECT_EQ(list.items[1].entries[0].value.kind, YamlValue::Kind::null);
}

TEST(Yaml, IsTextInUtf8) {
    EXPECT_TRUE(problems_of("\xef\xbb\xbfname: gr\xc3\xbc\xc3\x9f\n").empty());
    EXPECT_THAT(problems_of("a: 1\nb: caf\xe9\n").at(0).text(),
                HasSubstr("r.yaml:2:7: byte 11 (0xe9) is not valid UTF-8"));
    EXPECT_THAT(problems_of(std::string("\xff\xfe"
                                        "a\0:\0",
                                        6))
                    .at(0)
                    .text(),
                HasSubstr("r.yaml: the text is UTF-16"));
}

TEST(Yaml, LinesEndWithAnyOfTheThreeLineEnds) {
    for (const std::string end : {"\n", "\r\n", "\r"}) {
        std::vector<Problem> problems;
        const YamlValue tree = parse_yaml("a: 1" + end + "# c" + end + "b:" + end + "  - x" + end, "r.yaml", problems);
        ASSERT_TRUE(problems.empty()) << problems.at(0).text();
        ASSERT_EQ(tree.entries.size(), 2u);
        EXPECT_EQ(tree.entries[0].value.text, "1");
        EXPECT_EQ(tree.entries[1].key.line, 3);
        EXPECT_EQ(tree.entries[1].value.items.at(0).text, "x");
    }
}

TEST(Yaml, KeepsBothOfTwoEqualKeys) {
    std::vector<Problem> problems;
    EXPECT_EQ(parse_yaml("a: 1\na: 2\n", "r.yaml", problems).entries.size(), 2u);
}

TEST(Yaml, RefusesWhatHidesTheContent) {
    EXPECT_THAT(problems_of("a: &x 1\nb: *x\n").at(0).text(), HasSubstr("r.yaml:1:4: anchors"));
    EXPECT_THAT(problems_of("a: &x 1\nb: *x\n").at(1).text(), HasSubstr("r.yaml:2:4: aliases"));
    EXPECT_THAT(problems_of("a: !!python/object:os.system x\n").at(0).text(), HasSubstr("the tag"));
    EXPECT_THAT(problems_of("a: 1\n---\nb: 2\n").at(0).text(), HasSubstr("more than one document"));
    EXPECT_THAT(problems_of("? [a, b]\n: 1\n").at(0).text(), HasSubstr("a key must be a name, not a list"));
}

TEST(Yaml, PutsAliasesInWhereTheyAreAllowed) {
    const YamlRules rules = {.aliases = true, .most_nodes = 100};
    std::vector<Problem> problems;
    YamlValue tree = parse_yaml("a: &x {b: 1}\nc: *x\n", "r.yaml", problems, rules);
    ASSERT_TRUE(problems.empty());
    EXPECT_EQ(tree.entries.at(1).value.entries.at(0).key.text, "b");

    std::string bomb = "a0: &a0 [x, x, x, x]\n";
    for (int i = 1; i < 30; ++i)
        bomb += "a" + std::to_string(i) + ": &a" + std::to_string(i) + " [*a" + std::to_string(i - 1) + ", *a" +
                std::to_string(i - 1) + "]\n";
    parse_yaml(bomb, "r.yaml", problems, rules);
    EXPECT_THAT(problems.at(0).message, HasSubstr("holds more than 100 values"));

    problems.clear();
    parse_yaml("a: &x [*x]\n", "r.yaml", problems, rules);
    EXPECT_THAT(problems.at(0).message, HasSubstr("has no end"));
    EXPECT_THAT(problems_of("a: &x 1\n").at(0).message, HasSubstr("anchors"));

    problems.clear();
    std::string deep = "a: &a " + std::string(40, '[') + std::string(40, ']') + "\nb: " + std::string(40, '[') + "*a" +
                       std::string(40, ']') + "\n";
    parse_yaml(deep, "r.yaml", problems, {.aliases = true});
    EXPECT_THAT(problems.at(0).message, HasSubstr("nested deeper than 64 levels"));
}

TEST(Yaml, NamesThePlaceOfASyntaxError) {
    std::vector<Problem> problems = problems_of("a: 1\nb: [1, 2\nc: 3\n");
    ASSERT_EQ(problems.size(), 1u);
    EXPECT_GE(problems[0].line, 2);
    EXPECT_THAT(problems[0].message, HasSubstr("is not valid YAML here"));
    EXPECT_EQ(problems_of("a: \"open\n").size(), 1u);
    EXPECT_EQ(problems_of("\ta: 1\n").size(), 1u);
}

TEST(Yaml, BoundsSizeAndDepth) {
    EXPECT_THAT(problems_of(std::string(2 << 20, 'a')).at(0).text(), HasSubstr("more than the"));
    EXPECT_THAT(problems_of(std::string(100000, '[')).at(0).text(), HasSubstr("nested deeper than 64 levels"));
    EXPECT_THAT(problems_of(std::string("a: 1\0b", 6)).at(0).text(), HasSubstr("byte 4 is zero"));
    std::string deep = std::string(60, '[') + std::string(60, ']');
    EXPECT_TRUE(problems_of(deep).empty());
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
