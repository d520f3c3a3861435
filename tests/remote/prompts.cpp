// SPDX-License-Identifier: GPL-3.0-or-later
// Which prompts of a server a stored password answers: the first one of a login, if it is alone, hidden and asks for
// the password. Real connections to a server that asks like PAM modules and helpers of clusters.

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "remote/secret_bag.h"
#include "remote/session.h"
#include "support/prompting_server.h"
#include "support/temporary_folder.h"

namespace trainyard::remote {

namespace {

using test::PromptingServer;
using ::testing::ElementsAre;
using Answers = std::vector<std::vector<std::string>>;

/// The stored password where it is asked for, else a person who types "typed N".
class StoreAndPerson : public Asker {
  public:
    explicit StoreAndPerson(const HostSettings& host) {
        bag_.keep({SecretQuestion::Kind::password, host.alias, host.user, host.target(), "", false, 1, false},
                  Secret("stored"));
    }
    std::optional<SecretAnswer> ask(const SecretQuestion& question) override {
        if (const Secret* secret = bag_.find(question))
            return SecretAnswer{secret->copy(), false};
        asked.push_back(question);
        return SecretAnswer{Secret("typed " + std::to_string(asked.size())), false};
    }
    void say(const std::string&, const Message&) override {}
    std::vector<SecretQuestion> asked;

  private:
    SecretBag bag_;
};

class ServerPrompts : public ::testing::Test {
  protected:
    /// The answers that the server received to its prompts.
    Answers log_in(std::vector<PromptingServer::Round> rounds) {
        PromptingServer server(folder_.path(), std::move(rounds));
        EXPECT_TRUE(server.works());
        const HostSettings host = server.settings();
        StoreAndPerson person(host);
        ConnectOptions options;
        options.asker = &person;
        options.use_key_ring = false;
        {
            const Session session = Session::connect(host, SshConfig::empty(), options);
            EXPECT_EQ(session.authenticated_by(), "keyboard-interactive");
        }
        asked_ = std::move(person.asked);
        return server.answers();
    }

    test::TemporaryFolder folder_;
    std::vector<SecretQuestion> asked_;
};

TEST_F(ServerPrompts, OnlyTheFirstPromptOfALoginIsAnsweredFromTheStore) {
    const Answers answers = log_in({{{{"Password: "}}},
                                    {{{"New password: "}}},
                                    {{{"Retype new password: "}}},
                                    {{{"Verification code: ", true}, {"Password: "}}},
                                    {{{"Password: "}}}});
    EXPECT_THAT(answers, ElementsAre(ElementsAre("stored"), ElementsAre("typed 1"), ElementsAre("typed 2"),
                                     ElementsAre("typed 3", "typed 4"), ElementsAre("typed 5")));
    for (const SecretQuestion& question : asked_)
        EXPECT_EQ(question.kind, SecretQuestion::Kind::challenge) << question.subject;
    ASSERT_EQ(asked_.size(), 5u);
    EXPECT_EQ(asked_[0].subject, "New password: ");
    EXPECT_TRUE(asked_[2].echo);
}

TEST_F(ServerPrompts, APromptForANewPasswordIsNeverAnsweredFromTheStore) {
    EXPECT_THAT(log_in({{{{"New password: "}}}, {{{"Password: "}}}}),
                ElementsAre(ElementsAre("typed 1"), ElementsAre("typed 2")));
}

TEST_F(ServerPrompts, ALoginPromptAmongSeveralIsAsked) {
    EXPECT_THAT(log_in({{{{"Password: "}, {"One-time code: "}}}}), ElementsAre(ElementsAre("typed 1", "typed 2")));
}

TEST_F(ServerPrompts, APromptThatShowsWhatIsTypedIsAsked) {
    EXPECT_THAT(log_in({{{{"Password: ", true}}}}), ElementsAre(ElementsAre("typed 1")));
}

TEST_F(ServerPrompts, APromptIsAskedWhereTheInstructionSpeaksOfPasswords) {
    EXPECT_THAT(log_in({{{{"Password: "}}, "Your PASSWORD has expired: choose another one."}}),
                ElementsAre(ElementsAre("typed 1")));
    EXPECT_EQ(asked_.at(0).note, "Your PASSWORD has expired: choose another one.");
}

TEST_F(ServerPrompts, TextsOfAServerCannotControlATerminalOrForgeAnotherQuestion) {
    log_in({{{{"Code\x1b[2J\npassword of me@bank: \xc2\x9b\xe2\x80\xae"}}, "first\r\nsecond\x07"}});
    ASSERT_EQ(asked_.size(), 1u);
    EXPECT_EQ(asked_[0].subject, "Code\\x1b[2J\\npassword of me@bank: \\u009b\\u202e");
    EXPECT_EQ(asked_[0].note, "first\nsecond\\x07");
}

}  // namespace

}  // namespace trainyard::remote
