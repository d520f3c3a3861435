// SPDX-License-Identifier: GPL-3.0-or-later
// System calls that signals interrupt, and transfers in parts.

#include "base/system_call.h"

#include <csignal>
#include <string>
#include <thread>
#include <vector>

#include <fcntl.h>
#include <gtest/gtest.h>
#include <pthread.h>
#include <sys/socket.h>
#include <unistd.h>

#include "base/file.h"
#include "base/file_descriptor.h"
#include "support/temporary_folder.h"

namespace trainyard {
namespace {

volatile std::sig_atomic_t signals_taken = 0;

/// Interrupts this thread every 2 ms as long as it lives; calls are not restarted by the kernel (no SA_RESTART).
class Interruptions {
  public:
    Interruptions() {
        struct sigaction action {};
        action.sa_handler = [](int) { signals_taken = signals_taken + 1; };
        ::sigaction(SIGUSR1, &action, &before_);
        signals_taken = 0;
        sender_ = std::jthread([target = ::pthread_self()](const std::stop_token& stop) {
            while (!stop.stop_requested()) {
                ::pthread_kill(target, SIGUSR1);
                ::usleep(2000);
            }
        });
    }
    ~Interruptions() {
        sender_ = {};
        ::sigaction(SIGUSR1, &before_, nullptr);
    }
    Interruptions(const Interruptions&) = delete;
    Interruptions& operator=(const Interruptions&) = delete;

  private:
    struct sigaction before_ {};
    std::jthread sender_;
};

struct Pipe {
    Pipe() {
        int ends[2];
        EXPECT_EQ(::pipe2(ends, O_CLOEXEC), 0);
        read = FileDescriptor(ends[0]);
        write = FileDescriptor(ends[1]);
    }
    FileDescriptor read, write;
};

TEST(SystemCall, AnInterruptedReadIsRepeated) {
    Pipe pipe;
    const Interruptions interruptions;
    std::thread late([&] {
        ::usleep(50'000);
        EXPECT_EQ(::write(pipe.write.get(), "x", 1), 1);
    });
    char letter = 0;
    EXPECT_EQ(retry_interrupted([&] { return ::read(pipe.read.get(), &letter, 1); }), 1);
    EXPECT_EQ(letter, 'x');
    EXPECT_GT(signals_taken, 1);
    late.join();
}

TEST(SystemCall, OtherErrorsAreReturned) {
    char letter = 0;
    EXPECT_EQ(retry_interrupted([&] { return ::read(-1, &letter, 1); }), -1);
    EXPECT_EQ(errno, EBADF);
    EXPECT_FALSE(write_all(-1, "text"));
    EXPECT_EQ(errno, EBADF);
    std::string text;
    EXPECT_FALSE(read_to_end(-1, text));
    EXPECT_EQ(read_all(-1, std::as_writable_bytes(std::span(&letter, 1))), -1);
}

TEST(SystemCall, MoreThanAPipeHoldsArrivesWholeWhileSignalsCome) {
    std::string sent(1 << 20, 'a');
    for (std::size_t i = 0; i < sent.size(); ++i)
        sent[i] = static_cast<char>('a' + i % 23);
    Pipe pipe;
    std::string received;
    std::thread reader([&] {
        ::usleep(20'000);
        EXPECT_TRUE(read_to_end(pipe.read.get(), received));
    });
    {
        const Interruptions interruptions;
        EXPECT_TRUE(write_all(pipe.write.get(), sent));
        EXPECT_GT(signals_taken, 1);
    }
    pipe.write.close();
    reader.join();
    EXPECT_EQ(received == sent, true) << received.size() << " of " << sent.size() << " bytes";
}

TEST(SystemCall, FilesAreReadAndWrittenAtAPlace) {
    const test::TemporaryFolder folder;
    const FileDescriptor file(::open((folder.path() / "file").c_str(), O_RDWR | O_CREAT | O_CLOEXEC, 0600));
    EXPECT_TRUE(write_all_at(file.get(), "0123456789", 0));
    EXPECT_TRUE(write_all_at(file.get(), "abc", 4));
    std::string part(5, '?');
    EXPECT_EQ(read_all_at(file.get(), std::as_writable_bytes(std::span(part)), 3), 5);
    EXPECT_EQ(part, "3abc7");
    EXPECT_EQ(read_all_at(file.get(), std::as_writable_bytes(std::span(part)), 8), 2) << "short at the end";
    EXPECT_EQ(part.substr(0, 2), "89");
    EXPECT_EQ(read_all(file.get(), std::as_writable_bytes(std::span(part))), 5) << "from the position of the file";
    EXPECT_EQ(part, "0123a");
}

TEST(SystemCall, APeerThatIsGoneIsAnErrorAndNotASignal) {
    int ends[2];
    ASSERT_EQ(::socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, ends), 0);
    const FileDescriptor ours(ends[0]);
    ::close(ends[1]);
    EXPECT_FALSE(send_all(ours.get(), "text"));
    EXPECT_EQ(errno, EPIPE);
}

}  // namespace
}  // namespace trainyard
