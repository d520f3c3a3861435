// SPDX-License-Identifier: GPL-3.0-or-later
#include "base/fields.h"

#include <array>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "base/error.h"
#include "support/field_checks.h"
#include "support/says.h"

namespace trainyard {
namespace {

using testing::ElementsAre;

enum class Color { red, green };
constexpr std::array kColors{"red", "green"};

struct Inner {
    int number = 0;
    std::vector<std::string> words;

    void fields(auto& field) const {
        field("number", number).required().between(1, 9);
        field("words", words).at_most(3);
    }
};

struct Outer {
    std::string name;
    Color color = Color::red;
    std::optional<Inner> inner;
    std::vector<Inner> list;
    std::map<std::string, double> table;
    double when = 0;
    std::optional<double> loss;
    Inner flat;
    std::uint8_t small = 0;
    std::int64_t step = -1;
    std::string path;
    std::string extra;
    std::filesystem::path folder;
    bool yes = false;

    void fields(auto& field) const {
        field("name", name).cut_at(5);
        field("color", color).names(kColors);
        field("inner", inner)("list", list)("table", table);
        field("when", when).time().null_if_default();
        field("loss", loss).real();
        field("flat_number", flat.number)("small", small);
        field("step", step).null_if_default();
        field.table("place", [this](auto& place) {
            place("path", path).omit_if_default().allowed_if([](const std::string& text) { return text != "/"; });
            place("folder", folder);
        });
        field("extra", extra).json().omit_if_default();
        field("yes", yes);
    }
};

struct Question {
    std::string text;
    static constexpr const char* kKind = "question";
    void fields(auto& field) const {
        field.all_required();
        field("text", text);
    }
};
struct Answer {
    int number = 0;
    static constexpr const char* kKind = "answer";
    void fields(auto& field) const { field("number", number); }
};
using Talk = std::variant<Question, Answer>;

std::vector<std::string> problems_of(const char* text) {
    Outer outer;
    fields::Reading in;
    fields::read(in, parse_json(text), outer);
    std::vector<std::string> problems;
    for (const fields::FieldProblem& problem : in.problems())
        problems.push_back(problem_text(problem));
    return problems;
}

TEST(Fields, KeepWhatTheyDescribe) {
    test::check_described<Inner, Outer, Question, Answer>();
}

TEST(Fields, AreWrittenInTheOrderOfTheirKeys) {
    EXPECT_EQ(fields::to_text(Outer{}),
              R"({"color":"red","flat_number":0,"inner":null,"list":[],"loss":null,"name":"",)"
              R"("place":{"folder":""},"small":0,"step":null,"table":{},"when":null,"yes":false})");
    Outer outer;
    outer.step = 3;
    outer.when = 1.5;
    outer.loss = -HUGE_VAL;
    outer.extra = R"({"b": 1, "a": [ ]})";
    EXPECT_EQ(fields::to_text(outer), R"({"color":"red","extra":{"a":[],"b":1},"flat_number":0,"inner":null,"list":[],)"
                                      R"("loss":"-inf","name":"","place":{"folder":""},"small":0,"step":3,"table":{},)"
                                      R"("when":"1970-01-01T00:00:01.500Z","yes":false})");
    EXPECT_EQ(fields::to_text(Answer{2}, 2), "{\n  \"kind\": \"answer\",\n  \"number\": 2\n}");
}

TEST(Fields, AllProblemsAreNamedWithTheirPlace) {
    EXPECT_THAT(
        problems_of(R"({"color": "blue", "inner": {"number": 10}, "list": [{"number": 1}, 5, {"words": [1]}],
                                "table": {"x y": "z"}, "when": "today", "flat_number": 1e10, "small": 256,
                                "place": {"path": "/"}, "loss": "many", "yes": 1})"),
        ElementsAre(test::says_only("{} is '{}', which this version does not know", "color", "blue"),
                    "flat_number is out of range", "inner.number is out of range",
                    test::says_only("{} has the wrong type", "list[1]"), "list[2].number is missing",
                    "list[2].words[0] has the wrong type", test::says_only("{} has the wrong type", "loss"),
                    "place.path cannot be '/'", "small is out of range",
                    test::says_only("{} has the wrong type", "table.x y"), test::says_only("{} is not a time", "when"),
                    test::says_only("{} has the wrong type", "yes")));
    EXPECT_THAT(problems_of(R"({"inner": {"number": 1, "words": ["", "", "", ""]}})"),
                ElementsAre(test::says_only("{} has {} entries, more than the {} allowed", "inner.words", 4, 3)));
    EXPECT_THAT(problems_of("[]"), ElementsAre("the value has the wrong type"));
}

TEST(Fields, MissingAndNullLeaveTheMemberAndOtherKeysAreIgnored) {
    Outer outer;
    outer.name = "here";
    outer.list.resize(1);
    fields::Reading in;
    fields::read(in, parse_json(R"({"name": null, "from_the_future": [1, 2], "small": 3.0})"), outer);
    EXPECT_TRUE(in.problems().empty());
    EXPECT_EQ(outer.name, "here");
    EXPECT_EQ(outer.list.size(), 1u);
    EXPECT_EQ(outer.small, 3);
}

TEST(Fields, WholeNumbersAreNotCut) {
    for (const char* number : {"1e308", "-1e308", "1.5", "4294967296", "-4294967296", "18446744073709551615", "true"})
        EXPECT_EQ(problems_of((std::string(R"({"flat_number": )") + number + "}").c_str()).size(), 1u) << number;
}

TEST(Fields, MessagesAreFoundByTheirKind) {
    EXPECT_EQ(fields::to_text(Talk(Question{"why"})), R"({"kind":"question","text":"why"})");
    EXPECT_EQ(std::get<Answer>(fields::from_text<Talk>(R"({"kind":"answer","number":7})", "x")).number, 7);
    for (const char* text : {R"({"kind":"dance"})", R"({"kind":7})", "{}", R"({"kind":"question"})", "[]", ""})
        EXPECT_THROW(fields::from_text<Talk>(text, "x"), UserError) << text;
}

struct Closed {
    int number = 0;
    void fields(auto& field) const {
        field.no_other_keys();
        field("number", number);
    }
};

TEST(Fields, OtherKeysAreRefusedWhereTheDescriptionSaysSo) {
    test::check_described<Closed>();
    EXPECT_EQ(fields::from_text<Closed>(R"({"number":1})", "x").number, 1);
    fields::Reading in;
    std::vector<Closed> list;
    fields::read(in, parse_json(R"([{"number":1,"nmuber":2}])"), list);
    ASSERT_EQ(in.problems().size(), 1u);
    EXPECT_EQ(problem_text(in.problems().front(), "x"), "x: [0].nmuber is not a known key");
}

TEST(Fields, AListStandsAlone) {
    const std::vector<Answer> list{{1}, {2}};
    EXPECT_EQ(fields::to_text(list), R"([{"kind":"answer","number":1},{"kind":"answer","number":2}])");
    EXPECT_EQ(fields::from_json<std::vector<Answer>>(parse_json(fields::to_text(list)), "x").at(1).number, 2);
}

TEST(Fields, TwoFieldsCannotHaveOneKey) {
    EXPECT_THROW(fields::make_description({.fields = {{.key = "a"}, {.key = "b"}, {.key = "a"}}, .fallback = nullptr}),
                 std::logic_error);
}

}  // namespace
}  // namespace trainyard
