// SPDX-License-Identifier: GPL-3.0-or-later
// The questionnaire at a terminal: arrow keys, digits, going back, Ctrl-C.

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "base/file.h"
#include "cli/at_terminal.h"
#include "config/accelerate/settings_file.h"
#include "support/temporary_folder.h"

namespace trainyard {
namespace {

using test::AtTerminal;
using testing::HasSubstr;

const std::string kUp = "\033[A";
const std::string kDown = "\033[B";
const std::string kHome = "\033[H";
const std::string kEnd = "\033OF";

class ConfigTerminal : public testing::Test {
  protected:
    ConfigTerminal() {
        ::setenv("HF_HOME", folder_.path().c_str(), 1);
        ::setenv("TERM", "xterm", 1);
        ::unsetenv("TRAINYARD_CONFIG");
    }
    std::vector<std::string> words() const {
        return {TRAINYARD_BIN_DIR "/trainyard", "config", "--config_file", file().string()};
    }
    fs::path file() const { return folder_.path() / "a.yaml"; }
    test::TemporaryFolder folder_;
};

TEST_F(ConfigTerminal, ArrowKeysChooseAndTheFileIsWritten) {
    AtTerminal terminal(words());
    ASSERT_TRUE(terminal.see("Where will this run?"));
    terminal.type("\r");
    ASSERT_TRUE(terminal.see("What kind of machine is it?"));
    terminal.type(kEnd + kUp + kHome + kDown + kDown + kUp + "\r");
    ASSERT_TRUE(terminal.see("How many machines?"));
    terminal.type("2\1771\r");  // 2, backspace, 1
    ASSERT_TRUE(terminal.see("Check distributed operations"));
    terminal.type("y\r");
    ASSERT_TRUE(terminal.see("Start the processes with mpirun?"));
    terminal.type("\r");
    ASSERT_TRUE(terminal.see("Compile the model"));
    terminal.type("\r");
    ASSERT_TRUE(terminal.see("How many processes in all"));
    terminal.type("0\r");
    ASSERT_TRUE(terminal.see("out of range, use 1 to"));
    terminal.type("3\r");
    ASSERT_TRUE(terminal.see("Which mixed precision?"));
    terminal.type("2\r");
    ASSERT_TRUE(terminal.see("Write the file?"));
    terminal.type("\r");
    EXPECT_EQ(terminal.wait(), 0) << terminal.screen();
    EXPECT_TRUE(terminal.is_as_before());
    settings::Settings settings = settings::load_settings(file()).settings;
    EXPECT_EQ(settings.text("distributed_type"), "MULTI_CPU");
    EXPECT_EQ(settings.integer("num_machines", 0), 1);
    EXPECT_EQ(settings.integer("num_processes", 0), 3);
    EXPECT_TRUE(settings.boolean("debug"));
    EXPECT_EQ(settings.text("mixed_precision"), "bf16");
}

TEST_F(ConfigTerminal, CtrlCLeavesNoFileAndTheTerminalAsItWas) {
    AtTerminal terminal(words());
    ASSERT_TRUE(terminal.see("Where will this run?"));
    terminal.type("\r");
    ASSERT_TRUE(terminal.see("What kind of machine is it?"));
    EXPECT_FALSE(terminal.is_as_before());
    terminal.type("\003");
    EXPECT_EQ(terminal.wait(), 130);
    EXPECT_THAT(terminal.screen(), HasSubstr("nothing was written"));
    EXPECT_TRUE(terminal.is_as_before());
    EXPECT_FALSE(fs::exists(file()));
}

TEST_F(ConfigTerminal, ASignalGivesTheTerminalBack) {
    AtTerminal terminal(words());
    ASSERT_TRUE(terminal.see("Amazon SageMaker"));
    EXPECT_FALSE(terminal.is_as_before());
    terminal.signal(SIGTERM);
    EXPECT_EQ(terminal.wait(), -SIGTERM);
    EXPECT_TRUE(terminal.is_as_before());
    EXPECT_FALSE(fs::exists(file()));
}

TEST_F(ConfigTerminal, EscapeAndLeftGoBackToTheQuestionBefore) {
    AtTerminal terminal(words());
    ASSERT_TRUE(terminal.see("Where will this run?"));
    terminal.type("\r");
    ASSERT_TRUE(terminal.see("What kind of machine is it?"));
    terminal.type("4\r");
    ASSERT_TRUE(terminal.see("How many machines?"));
    std::size_t before = terminal.screen().size();
    terminal.type("\033");
    ASSERT_TRUE(terminal.see_after(before, "What kind of machine is it?"));
    before = terminal.screen().size();
    terminal.type("\033[D");
    ASSERT_TRUE(terminal.see_after(before, "Where will this run?"));
    before = terminal.screen().size();
    terminal.type("\r");
    ASSERT_TRUE(terminal.see_after(before, ">  4  Many GPUs")) << "the answer given before is kept";
    terminal.type("\004");  // Ctrl-D: no more input
    EXPECT_EQ(terminal.wait(), 2);
    EXPECT_TRUE(terminal.is_as_before());
    EXPECT_FALSE(fs::exists(file()));
}

TEST_F(ConfigTerminal, ATerminalThatCannotDrawIsAskedLineByLine) {
    ::setenv("TERM", "dumb", 1);
    AtTerminal terminal(words());
    ASSERT_TRUE(terminal.see("[LOCAL_MACHINE] > "));
    terminal.type("1\n");
    ASSERT_TRUE(terminal.see("How do you sign in to AWS?"));
    terminal.type("\004");
    EXPECT_EQ(terminal.wait(), 2);
    EXPECT_EQ(terminal.screen().find('\033'), std::string::npos);
}

}  // namespace
}  // namespace trainyard
