// What a person at a terminal sees: the bar, Ctrl-C and the question behind it. Runs on a pseudo-terminal.

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <pty.h>

#include "cli/program.h"
#include "launch/fake_run.h"
#include "run/listing.h"

namespace trainyard {
namespace {

using test::FakeRun;
using testing::AllOf;
using testing::HasSubstr;

/// A program whose terminal we hold.
class AtTerminal {
  public:
    explicit AtTerminal(std::vector<std::string> words) {
        std::vector<char*> arguments;
        for (std::string& word : words)
            arguments.push_back(word.data());
        arguments.push_back(nullptr);
        winsize size{24, 100, 0, 0};
        pid_ = ::forkpty(&terminal_, nullptr, nullptr, &size);
        if (pid_ == 0) {
            ::execv(arguments[0], arguments.data());
            ::_exit(127);
        }
    }
    ~AtTerminal() {
        if (!waited_) {
            ::kill(pid_, SIGKILL);
            ::waitpid(pid_, nullptr, 0);
        }
        ::close(terminal_);
    }
    AtTerminal(const AtTerminal&) = delete;
    AtTerminal& operator=(const AtTerminal&) = delete;

    void type(const std::string& keys) {
        ASSERT_EQ(::write(terminal_, keys.data(), keys.size()), ssize_t(keys.size()));
    }
    /// True when `text` came; all that came is in screen().
    bool see(const std::string& text, double seconds = 60) {
        double deadline = monotonic_seconds() + seconds;
        while (screen_.find(text) == std::string::npos && monotonic_seconds() < deadline && read_some()) {
        }
        return screen_.find(text) != std::string::npos;
    }
    int wait() {
        double deadline = monotonic_seconds() + 60;
        while (monotonic_seconds() < deadline && read_some()) {
        }
        int status = 0;
        ::waitpid(pid_, &status, 0);
        waited_ = true;
        return WIFEXITED(status) ? WEXITSTATUS(status) : -1;
    }
    const std::string& screen() const { return screen_; }

  private:
    bool read_some() {
        pollfd ready{terminal_, POLLIN, 0};
        if (::poll(&ready, 1, 50) <= 0)
            return true;
        char buffer[4096];
        ssize_t n = ::read(terminal_, buffer, sizeof buffer);
        if (n > 0)
            screen_.append(buffer, static_cast<std::size_t>(n));
        return n > 0;
    }
    int terminal_ = -1;
    pid_t pid_ = 0;
    bool waited_ = false;
    std::string screen_;
};

class Terminal : public testing::Test {
  protected:
    Terminal() {
        ::setenv("FAKE_DO", "", 1);
        ::setenv("FAKE_STEPS", "100000", 1);
        ::setenv("FAKE_STEP_MS", "10", 1);
    }
    FakeRun fake_;
};

TEST_F(Terminal, TheBarIsRedrawnInPlace) {
    ::setenv("FAKE_STEPS", "50", 1);
    AtTerminal person({TRAINYARD_BIN_DIR "/trainyard", "launch", fake_.recipe()});
    EXPECT_EQ(person.wait(), 0) << person.screen();
    EXPECT_THAT(person.screen(),
                AllOf(HasSubstr("\r\033[Kstep "), HasSubstr("step 50/50 [######"), HasSubstr("finished 50 steps")));
}

TEST_F(Terminal, CtrlCThenAnyKeyLeavesTheRunRunning) {
    AtTerminal person({TRAINYARD_BIN_DIR "/trainyard", "launch", fake_.recipe()});
    ASSERT_TRUE(person.see("step ")) << person.screen();
    fake_.paths = run::list_runs(fake_.runs()).at(0).paths;
    person.type("\x03");
    ASSERT_TRUE(person.see("leave it running.")) << person.screen();
    EXPECT_THAT(person.screen(), HasSubstr("The run goes on: trainyard runs follow " + fake_.paths->id()));
    person.type("x");
    EXPECT_EQ(person.wait(), 130);
    std::int64_t step = fake_.state()->progress.step;
    EXPECT_GT(fake_.wait_for_step(step + 5).progress.step, step);
}

TEST_F(Terminal, CtrlCThenSStopsIt) {
    AtTerminal person({TRAINYARD_BIN_DIR "/trainyard", "launch", fake_.recipe()});
    ASSERT_TRUE(person.see("step ")) << person.screen();
    fake_.paths = run::list_runs(fake_.runs()).at(0).paths;
    person.type("\x03");
    ASSERT_TRUE(person.see("Press s"));
    person.type("s");
    EXPECT_EQ(person.wait(), 130) << "stopped, and the fake worker saves nothing to resume from";
    EXPECT_EQ(fake_.state()->status, run::Status::stopped);
    EXPECT_THAT(person.screen(), HasSubstr("stopped at step "));
}

TEST_F(Terminal, CtrlCTwiceStopsIt) {
    AtTerminal person({TRAINYARD_BIN_DIR "/trainyard", "launch", fake_.recipe()});
    ASSERT_TRUE(person.see("step ")) << person.screen();
    fake_.paths = run::list_runs(fake_.runs()).at(0).paths;
    person.type("\x03");
    ASSERT_TRUE(person.see("Press s"));
    person.type("\x03");
    person.wait();
    EXPECT_EQ(fake_.state()->status, run::Status::stopped);
}

}  // namespace
}  // namespace trainyard
