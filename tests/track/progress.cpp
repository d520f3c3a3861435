// SPDX-License-Identifier: GPL-3.0-or-later
// Tests of the progress bar: its line (expected values are from tqdm.format_meter), and the output if stderr is not a
// terminal.

#include <fcntl.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <trainyard/loop_progress.h>
#include <unistd.h>

namespace trainyard::track {
namespace {

TEST(Progress, TheLineIsThatOfTqdm) {
    ProgressOptions options;
    options.description = "train";
    options.total = 100;
    EXPECT_EQ(Progress::line(options, 45, 10, 4.5, "loss=1.23", 70),
              "train:  45%|██████▎       | 45/100 [00:10<00:12,  4.50it/s, loss=1.23]");
    EXPECT_EQ(Progress::line(options, 0, 0, std::nullopt, "", 50),
              "train:   0%|              | 0/100 [00:00<?, ?it/s]");
    EXPECT_EQ(Progress::line(options, 100, 3725, 0.5, "", 60),
              "train: 100%|████████████| 100/100 [1:02:05<00:00,  2.00s/it]");
    EXPECT_EQ(Progress::line(options, 100, 10, 10.0, "", 10), "train: 100");
    options.description.clear();
    EXPECT_EQ(Progress::line(options, 33, 7, 123.456, "", 40), " 33%|▎| 33/100 [00:07<00:00, 123.46it/s]");
    options.description = "train";
    options.total.reset();
    options.unit = "tok";
    EXPECT_EQ(Progress::line(options, 7, 2, 3.5, "", 60), "train: 7tok [00:02,  3.50tok/s]");
}

struct Pipe {
    int ends[2];
    Pipe() {
        if (::pipe2(ends, O_CLOEXEC) != 0)
            throw std::runtime_error("no pipe");
    }
    ~Pipe() { ::close(ends[0]); }
    std::string read_all() {
        ::close(ends[1]);
        std::string text;
        char block[4096];
        for (ssize_t n; (n = ::read(ends[0], block, sizeof block)) > 0;)
            text.append(block, static_cast<std::size_t>(n));
        return text;
    }
};

TEST(Progress, ElsewhereThanOnATerminalItIsPlainLines) {
    Pipe pipe;
    {
        Progress progress({.description = "epoch", .total = 3, .fd = pipe.ends[1]});
        for (int step = 0; step < 3; ++step)
            progress.update();
        progress.set_postfix("loss=2");
        progress.write("a message");
    }
    const std::string text = pipe.read_all();
    EXPECT_THAT(text, testing::StartsWith("a message\nepoch: 100%|"));
    EXPECT_THAT(text, testing::EndsWith("loss=2]\n"));
    EXPECT_THAT(text, testing::Not(testing::HasSubstr("\r")));
}

TEST(Progress, OtherProcessesAreSilent) {
    Pipe pipe;
    {
        Progress progress({.total = 1, .is_local_main = false, .fd = pipe.ends[1]});
        progress.update();
        progress.write("no");
        EXPECT_EQ(progress.count(), 1);
        Progress everywhere({.total = 1, .is_local_main = false, .main_process_only = false, .fd = pipe.ends[1]});
    }
    EXPECT_THAT(pipe.read_all(), testing::StartsWith("  0%|"));
}

}  // namespace
}  // namespace trainyard::track
