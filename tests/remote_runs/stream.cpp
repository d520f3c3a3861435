// SPDX-License-Identifier: GPL-3.0-or-later
// Tests both ends of a run's stream over pipes: no data is lost or duplicated if connections are cut, processes are
// killed, or files are rotated or replaced.

#include <atomic>
#include <chrono>
#include <csignal>
#include <random>
#include <thread>

#include <fcntl.h>
#include <gtest/gtest.h>
#include <poll.h>
#include <sys/socket.h>
#include <unistd.h>

#include "base/clock.h"
#include "base/error.h"
#include "base/file.h"
#include "base/file_descriptor.h"
#include "remote/mirror.h"
#include "run/mirror.h"
#include "run/request.h"
#include "run/state.h"
#include "support/says.h"
#include "support/temporary_folder.h"

namespace trainyard::remote {

namespace {

using namespace std::chrono_literals;

/// A socket that can be cut after so many bytes.
class SocketLink final : public ByteLink {
  public:
    SocketLink(FileDescriptor socket, std::uint64_t cut_after) : socket_(std::move(socket)), left_(cut_after) {}
    std::string read(double seconds, int wake) override {
        pollfd waits[2] = {{socket_.get(), POLLIN, 0}, {wake, POLLIN, 0}};
        ::poll(waits, 2, static_cast<int>(seconds * 1000));
        if (waits[0].revents == 0)
            return {};
        char buffer[3001];  // no multiple of anything
        ssize_t n = ::read(socket_.get(), buffer, sizeof buffer);
        if (n <= 0) {
            ended_ = true;
            return {};
        }
        auto taken = std::min<std::uint64_t>(left_, static_cast<std::uint64_t>(n));
        left_ -= taken;
        if (left_ == 0)
            ended_ = true;  // the rest of this piece is lost on the way
        return {buffer, static_cast<std::size_t>(taken)};
    }
    void write(std::string_view bytes) override {
        if (::send(socket_.get(), bytes.data(), bytes.size(), MSG_NOSIGNAL) != static_cast<ssize_t>(bytes.size()))
            throw UserError("cut");
    }
    bool ended() const override { return ended_; }

  private:
    FileDescriptor socket_;
    std::uint64_t left_;
    bool ended_ = false;
};

constexpr std::uint64_t kUncut = ~0ull;

class StreamTest : public ::testing::Test {
  protected:
    void SetUp() override {
        ::signal(SIGPIPE, SIG_IGN);  // as both programs that have an end of a stream do
        for (const run::RunPaths& paths : {host_, here_})
            fs::create_directories(paths.requests_done());
        fs::create_directories(host_.logs());
        fs::create_directories(host_.metrics());
        write_file_atomically(host_.spec(), "name: x\n", false);
        set_status(run::Status::running);
        run::MirrorState mirror;
        mirror.host = "pipe";
        run::write_mirror(here_, mirror);
    }

    void set_status(run::Status status) {
        run::RunState state;
        state.run_id = host_.id();
        state.status = status;
        state.supervisor_host = host_name();
        state.supervisor = this_process();
        run::write_state(host_, state, false);
    }

    void append(const fs::path& file, const std::string& text) {
        FileDescriptor descriptor(::open(file.c_str(), O_WRONLY | O_CREAT | O_APPEND, 0600));
        ASSERT_EQ(::write(descriptor.get(), text.data(), text.size()), static_cast<ssize_t>(text.size()));
    }

    /// One connection; the server ends with it.
    MirrorOutcome connect(std::uint64_t cut_after = kUncut, int stop = -1) {
        int ends[2];
        EXPECT_EQ(::socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, ends), 0);
        FileDescriptor server_end(ends[1]);
        std::thread server([this, &server_end] {
            ServeOptions options;
            options.look_every_s = 0.05;
            options.alive_every_s = 0.2;
            serve_run(host_, server_end.get(), server_end.get(), options);
            server_end.close();
        });
        MirrorOutcome outcome;
        {
            SocketLink link{FileDescriptor(ends[0]), cut_after};
            MirrorOptions options;
            options.alive_every_s = 0.2;
            outcome = follow_run(link, here_, options, stop);
        }
        server.join();
        return outcome;
    }

    std::string here(const std::string& path) { return read_file(here_.root() / path); }
    std::string there(const std::string& path) { return read_file(host_.root() / path); }
    void expect_same(const std::string& path) { EXPECT_TRUE(here(path) == there(path)) << path; }

    test::TemporaryFolder folder_;
    run::RunPaths host_{folder_.path() / "host" / "the-run"};
    run::RunPaths here_{folder_.path() / "here" / "the-run"};
};

std::string lines(int first, int count) {
    std::string text;
    for (int i = first; i < first + count; ++i)
        text += "line " + std::to_string(i) + " of a log that is long enough to be cut anywhere\n";
    return text;
}

TEST_F(StreamTest, BringsARunThatIsOver) {
    append(host_.journal(), lines(0, 10));
    append(host_.rank_log(0), lines(0, 5000));
    append(host_.metrics() / "events.out.tfevents.1", std::string("\0\1\2\n", 4));
    fs::create_directories(host_.checkpoints() / "checkpoint_1");
    write_file_atomically(host_.checkpoints() / "checkpoint_1" / "manifest.json", "{}", false);
    append(host_.checkpoints() / "checkpoint_1" / "model.safetensors", "weights");
    fs::create_directories(host_.traces());
    append(host_.traces() / "step-1.trace.json.gz", "trace");
    append(host_.root() / "state.json.77.tmp", "half");
    set_status(run::Status::finished);

    MirrorOutcome outcome = connect();
    EXPECT_EQ(outcome.end, MirrorEnd::over) << outcome.reason;
    for (const char* path : {"events.jsonl", "logs/rank-00000.log", "metrics/events.out.tfevents.1", "run.yaml",
                             "state.json", "checkpoints/checkpoint_1/manifest.json"})
        expect_same(path);
    EXPECT_FALSE(fs::exists(here_.checkpoints() / "checkpoint_1" / "model.safetensors"));
    EXPECT_FALSE(fs::exists(here_.traces()));
    EXPECT_FALSE(fs::exists(here_.root() / "state.json.77.tmp"));
    auto mirror = run::read_mirror(here_);
    EXPECT_TRUE(mirror->complete);
    EXPECT_EQ(mirror->host, "pipe");
    EXPECT_EQ(run::shown_status(*run::read_state(here_), wall_seconds() + 1000), "finished");
}

TEST_F(StreamTest, GoesOnAfterEveryCutWithoutGapOrDouble) {
    append(host_.journal(), lines(0, 100));
    std::mt19937 random(7);
    int line = 100;
    for (int round = 0; round < 40; ++round) {
        append(host_.journal(), lines(line, 20));
        append(host_.rank_log(0), lines(line, 200));
        line += 200;
        MirrorOutcome outcome = connect(1 + random() % 20000);
        EXPECT_EQ(outcome.end, MirrorEnd::lost);
        std::string so_far = fs::exists(here_.rank_log(0)) ? here("logs/rank-00000.log") : "";
        ASSERT_TRUE(there("logs/rank-00000.log").starts_with(so_far)) << "round " << round;
    }
    set_status(run::Status::finished);
    EXPECT_EQ(connect().end, MirrorEnd::over);
    expect_same("events.jsonl");
    expect_same("logs/rank-00000.log");
}

TEST_F(StreamTest, RotatedTruncatedAndReplacedFilesEndUpTheSame) {
    append(host_.rank_log(0), lines(0, 1000));
    append(host_.rank_log(1), lines(0, 1000));
    append(host_.rank_log(2), lines(0, 1000));
    connect(60000);
    fs::path rotated = host_.rank_log(0).string() + ".1";
    fs::rename(host_.rank_log(0), rotated);
    append(rotated, lines(1000, 10));
    append(host_.rank_log(0), lines(5000, 2000));
    fs::resize_file(host_.rank_log(1), 100);
    append(host_.rank_log(1), lines(9000, 3000));
    fs::remove(host_.rank_log(2));
    connect(30000);
    fs::rename(host_.rank_log(0), rotated);  // replaces the older one
    append(host_.rank_log(0), lines(8000, 10));
    set_status(run::Status::failed);
    EXPECT_EQ(connect().end, MirrorEnd::over);
    expect_same("logs/rank-00000.log");
    expect_same("logs/rank-00000.log.1");
    expect_same("logs/rank-00001.log");
    EXPECT_FALSE(fs::exists(here_.rank_log(2)));
}

TEST_F(StreamTest, LogsThatRotateUnderItsEyesArriveWhole) {
    std::atomic<bool> done = false;
    std::thread writer([&] {
        for (int piece = 0; piece < 60; ++piece) {
            append(host_.rank_log(0), lines(piece * 100, 100));
            append(host_.journal(), lines(piece, 1));
            if (piece % 20 == 19)
                fs::rename(host_.rank_log(0), host_.rank_log(0).string() + ".1");
            std::this_thread::sleep_for(10ms);
        }
        append(host_.rank_log(0), "last\n");
        set_status(run::Status::finished);
        done = true;
    });
    EXPECT_EQ(connect().end, MirrorEnd::over);
    EXPECT_TRUE(done);
    writer.join();
    expect_same("events.jsonl");
    expect_same("logs/rank-00000.log");
    expect_same("logs/rank-00000.log.1");
}

TEST_F(StreamTest, RequestsGoUpOnceAndTheirAnswersComeBack) {
    std::atomic<bool> stop = false;
    int taken = 0;
    std::thread supervisor([&] {
        while (!stop) {
            for (run::Request request : run::pending_requests(host_)) {
                ++taken;
                request.outcome = "done";
                request.text = "Saved.";
                run::finish_request(host_, request);
            }
            std::this_thread::sleep_for(5ms);
        }
    });
    run::Request request;
    request.kind = "checkpoint";
    request.from = "terminal";
    std::string early = run::drop_request(here_, request);
    std::thread user([&] {
        std::string late = run::drop_request(here_, request);
        double until = monotonic_seconds() + 20;
        while (monotonic_seconds() < until &&
               (!run::finished_request(here_, late) || !run::finished_request(here_, early)))
            std::this_thread::sleep_for(5ms);
        auto answer = run::finished_request(here_, late);
        EXPECT_TRUE(answer && answer->text == "Saved.");
        EXPECT_TRUE(run::finished_request(here_, early));
        set_status(run::Status::stopped);
    });
    EXPECT_EQ(connect().end, MirrorEnd::over);
    user.join();
    stop = true;
    supervisor.join();
    EXPECT_EQ(taken, 2);
    EXPECT_TRUE(run::pending_requests(here_).empty());
}

TEST_F(StreamTest, AnswerThatWentAstrayIsSentOnceMore) {
    run::Request request;
    request.kind = "checkpoint";
    std::string id = run::drop_request(here_, request);
    connect(1);  // the request went up, nothing came down
    run::Request taken = request;
    taken.id = id;
    taken.outcome = "done";
    run::finish_request(host_, taken);
    set_status(run::Status::finished);
    EXPECT_EQ(connect().end, MirrorEnd::over);
    EXPECT_TRUE(run::finished_request(here_, id));
    EXPECT_TRUE(run::pending_requests(here_).empty());
    EXPECT_TRUE(run::pending_requests(host_).empty());
}

TEST_F(StreamTest, FolderThatIsGoneDoesNotEmptyTheMirror) {
    append(host_.journal(), lines(0, 1000));
    connect(20000);
    std::string before = here("state.json");
    fs::rename(host_.root(), folder_.path() / "elsewhere");
    MirrorOutcome outcome = connect();
    EXPECT_EQ(outcome.end, MirrorEnd::lost);
    EXPECT_THAT(outcome.reason.text(), test::says("{} on {} is not a run's folder any more", testing::_, testing::_))
        << outcome.reason;
    EXPECT_EQ(here("state.json"), before);
}

TEST_F(StreamTest, StopEndsItSoon) {
    int ends[2];
    ASSERT_EQ(::pipe(ends), 0);
    FileDescriptor read(ends[0]), write(ends[1]);
    std::thread stopper([&] {
        std::this_thread::sleep_for(300ms);
        EXPECT_EQ(::write(write.get(), "x", 1), 1);
    });
    EXPECT_EQ(connect(kUncut, read.get()).end, MirrorEnd::stopped);
    stopper.join();
    EXPECT_FALSE(run::read_mirror(here_)->connected);
}

TEST(StreamFrames, HostilePathsAreRefused) {
    test::TemporaryFolder folder;
    MirrorFolder mirror{run::RunPaths(folder.path() / "run")};
    for (const char* path : {"../x.json", "/etc/x.json", "logs/../../x.json", "checkpoints/c/model.json", "mirror.json",
                             "requests/x.json", ".hidden.json", "", "logs/x.log"}) {
        std::string payload = std::string("{\"path\":\"") + path + "\"}\nharm";
        EXPECT_THROW(mirror.apply({StreamFrame::file, payload}), UserError) << path;
    }
    EXPECT_THROW(mirror.apply({StreamFrame::begin, R"({"path":"../x.log","id":"1"})"}), UserError);
    EXPECT_THROW(mirror.apply({StreamFrame::begin, R"({"path":5,"id":[]})"}), UserError);
    EXPECT_THROW(mirror.apply({StreamFrame::bytes, "{\"path\":\"logs/a.log\",\"offset\":0}\nx"}), UserError);
    EXPECT_THROW(mirror.apply({StreamFrame::bytes, "no head"}), UserError);
    EXPECT_THROW(mirror.apply({StreamFrame::gone, R"({"path":"../../x"})"}), UserError);
}

TEST(StreamFrames, AnythingElseThanFramesIsRefused) {
    StreamReader reader;
    reader.feed("Welcome to this host!\n");
    EXPECT_THROW(reader.next(), UserError);
    StreamReader empty;
    empty.feed(std::string("\0\0\0\0", 4));
    EXPECT_THROW(empty.next(), UserError);
    std::string bytes = frame_bytes(StreamFrame::alive, "{}") + frame_bytes(StreamFrame::over, "");
    StreamReader slow;
    int frames = 0;
    for (char byte : bytes) {
        slow.feed({&byte, 1});
        while (slow.next())
            ++frames;
    }
    EXPECT_EQ(frames, 2);
}

}  // namespace

}  // namespace trainyard::remote
