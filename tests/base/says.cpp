// SPDX-License-Identifier: GPL-3.0-or-later
// The matchers of support/says.h.
#include "support/says.h"

#include <stdexcept>
#include <string>
#include <vector>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "base/error.h"

namespace trainyard {
namespace {

using test::says;
using test::says_only;
using testing::_;
using testing::EndsWith;
using testing::Not;
using testing::StartsWith;

// A literal with the same words is not the one.
const Message kMessage("cannot read {}: {}", "/data/a.txt", Message("byte {} is not valid", 6));

TEST(Says, FindsTheLiteralWithItsValuesInAText) {
    const std::string text = "trainyard: a.yaml:3:5: cannot read /data/a.txt: it is empty\n";
    EXPECT_THAT(text, says("cannot read {}: {}", "/data/a.txt", StartsWith("it is empty")));
    EXPECT_THAT(text.c_str(), says("cannot read {}: {}", EndsWith("a.txt"), _));
    EXPECT_THAT(text, Not(says("cannot read {}: {}", "/data/a", _)));
    EXPECT_THAT(text, Not(says("cannot write {}: {}", _, _)));
    EXPECT_THAT(text, says("cannot read {}: {}", _, "it is empty").after("a.yaml:3:5: ").before("\n"));
    EXPECT_THAT(text, Not(says("cannot read {}: {}", _, _).after("a.yaml:3: ")));
    EXPECT_THAT(text, Not(says("cannot read {}: {}", _, "it").before("\n")));
    EXPECT_THAT(text, Not(says("cannot read {}: {}", _, _).at_start()));
    EXPECT_THAT(text, Not(says("cannot read {}: {}", _, "it is empty").at_end()));
    EXPECT_THAT(static_cast<const char*>(nullptr), Not(says("{} is empty", _)));
}

TEST(Says, TheWholeTextIsTheMessage) {
    EXPECT_THAT("cannot read a: b", says_only("cannot read {}: {}", "a", "b"));
    EXPECT_THAT("cannot read a: b c", Not(says_only("cannot read {}: {}", "a", "b")));
    EXPECT_THAT("x cannot read a: b", Not(says_only("cannot read {}: {}", "a", "b")));
    EXPECT_THAT("done: {} is empty", says_only("{} is empty", "{}").after("done: "));
}

TEST(Says, NumbersAreFormattedAsTheLiteralSays) {
    EXPECT_THAT("loss 0.1667 at byte 0x0a", says("loss {:.4f}", 0.16667));
    EXPECT_THAT("2 of 10 runs", says_only("{} of {} runs", 2, 10u));
    EXPECT_THAT("2 of 10 runs", Not(says_only("{} of {} runs", 2, 1)));
    EXPECT_THAT("write a or 3 a", says_only("write {0} or {1} {0}", "a", 3));
    EXPECT_THAT("such as {a: 1} for b", says_only("such as {{a: 1}} for {}", "b"));
    EXPECT_THAT("such as {...}", says_only("such as {...}"));
}

TEST(Says, AMessageHasTheLiteralAndNotOnlyItsText) {
    EXPECT_THAT(kMessage, says("cannot read {}: {}", "/data/a.txt", _));
    EXPECT_THAT(kMessage, says("byte {} is not valid", 6));
    EXPECT_THAT(kMessage, says("cannot read {}: {}", _, says_only("byte {} is not valid", 6)));
    EXPECT_THAT(kMessage, Not(says("byte {} is not valid", 7)));
    EXPECT_THAT(kMessage, Not(says("{}: byte {} is not valid", _, 6)));
    EXPECT_THAT(Message("byte {} {}", 6, "is not valid"), Not(says("byte {} is not valid", 6)));
    EXPECT_THAT(Message("host2: {}", std::string("byte 6 is not valid")), says("byte {} is not valid", 6));
    EXPECT_THAT(Message::joined({Message("nothing is there"), kMessage}), says("byte {} is not valid", 6));
    EXPECT_THAT((std::vector<Message>{kMessage}), Contains(says_only("cannot read {}: {}", _, _)));
}

TEST(Says, ExceptionsAndProblemsAreTheirMessages) {
    EXPECT_THAT([] { throw UserError(kMessage); }, testing::Throws<UserError>(says("byte {} is not valid", 6)));
    EXPECT_THAT(std::runtime_error("byte 6 is not valid"), says("byte {} is not valid", 6));
    const Problem problem{"a.yaml", 3, 5, "data.path", kMessage};
    EXPECT_THAT(problem, says("byte {} is not valid", 6));
    EXPECT_THAT(problem, says("{}:{}:{}: {}", "a.yaml", 3, 5, StartsWith("data.path: ")));
    EXPECT_THAT(InvalidInput({problem}), says("byte {} is not valid", 6));
}

TEST(Says, DescribesItself) {
    EXPECT_EQ(testing::DescribeMatcher<std::string>(says("cannot read {}: {}", 3, _).after("a: ")),
              "says \"cannot read {}: {}\" with \"3\", is anything after \"a: \"");
}

}  // namespace
}  // namespace trainyard
