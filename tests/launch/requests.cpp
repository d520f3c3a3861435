// SPDX-License-Identifier: GPL-3.0-or-later
// Requests of a run, with and without a place in the queue.

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "base/file.h"
#include "launch/supervisor/queue_turn.h"
#include "launch/supervisor/request_inbox.h"
#include "support/says.h"
#include "support/temporary_folder.h"

namespace trainyard::launch {
namespace {

using test::says;
using test::says_only;
using testing::IsEmpty;

class Requests : public testing::Test {
  protected:
    Requests() { inbox_.watch_folder(); }
    std::string drop(const std::string& kind) {
        run::Request request;
        request.kind = kind;
        return run::drop_request(paths_, request);
    }
    std::string outcome(const std::string& id) {
        const std::optional<run::Request> answer = run::finished_request(paths_, id);
        return answer ? answer->outcome : "";
    }

    test::TemporaryFolder folder_;
    run::RunPaths paths_ = run::create_run_directory(folder_.path(), "requests");
    RequestInbox inbox_{paths_, 1};
};

TEST_F(Requests, AreTakenOnceInTheirOrder) {
    drop("stop");
    drop("checkpoint");
    const std::vector<run::Request> taken = inbox_.take(100);
    ASSERT_EQ(taken.size(), 2u);
    EXPECT_EQ(taken[0].kind, "stop");
    EXPECT_EQ(taken[1].kind, "checkpoint");
    EXPECT_THAT(inbox_.take(200), IsEmpty());
}

TEST_F(Requests, WhatIsNotARequestIsRefused) {
    const std::string unknown = drop("stopp");
    write_file_atomically(paths_.requests() / "broken.json", "{", false);
    EXPECT_THAT(inbox_.take(100), IsEmpty());
    EXPECT_EQ(outcome("broken"), "refused");
    EXPECT_EQ(outcome(unknown), "refused");
    EXPECT_THAT(run::finished_request(paths_, unknown)->text.text(), says(": did you mean '{}'?", "stop"));
}

TEST_F(Requests, WaitForTheirAnswer) {
    const std::string stop = drop("stop"), again = drop("stop"), save = drop("checkpoint");
    for (const run::Request& request : inbox_.take(100))
        inbox_.expect(request);
    EXPECT_EQ(inbox_.settle(stop)->kind, "stop");
    EXPECT_FALSE(inbox_.settle(stop)) << "only once";
    inbox_.answer_all("refused", "not now", "stop");
    EXPECT_EQ(outcome(again), "refused");
    EXPECT_EQ(outcome(save), "");
    inbox_.answer_all("failed", "the ranks failed");
    EXPECT_EQ(outcome(save), "failed");
}

TEST_F(Requests, TheEndAnswersAll) {
    const std::string stop = drop("stop"), kill = drop("kill"), save = drop("checkpoint");
    for (const run::Request& request : inbox_.take(100))
        inbox_.expect(request);
    const std::string late = drop("note");
    inbox_.close(run::Status::stopped, true, "killed at step 3");
    EXPECT_EQ(outcome(stop), "failed") << "the ranks had to be killed";
    EXPECT_EQ(outcome(kill), "done");
    EXPECT_EQ(outcome(save), "failed");
    EXPECT_EQ(outcome(late), "refused");
    EXPECT_EQ(run::finished_request(paths_, late)->text, "the run is over: killed at step 3");
}

TEST_F(Requests, OfAFailedRunAreNotDone) {
    const std::string stop = drop("stop");
    for (const run::Request& request : inbox_.take(100))
        inbox_.expect(request);
    inbox_.close(run::Status::failed, false, "rank 1 failed");
    EXPECT_EQ(outcome(stop), "failed");
}

TEST_F(Requests, ForTheQueueAreRefusedOutsideOfIt) {
    QueueTurn queue(paths_, 0.5);
    EXPECT_STREQ(queue.take(run::StartRequest()).outcome, "refused");
    queue.enter({});
    EXPECT_TRUE(queue.waits());
    EXPECT_THAT(queue.take(run::PauseRequest()).text,
                says_only("a run in the queue takes stop, kill, note, move and start, not {}", "pause"));
    EXPECT_FALSE(queue.look(0.4, [] { FAIL() << "it is too early"; }));
    queue.leave();
    EXPECT_FALSE(queue.waits());
}

}  // namespace
}  // namespace trainyard::launch
