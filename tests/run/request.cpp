// SPDX-License-Identifier: GPL-3.0-or-later
#include "run/request.h"

#include <fstream>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "base/error.h"
#include "base/filesystem.h"
#include "support/temporary_folder.h"

namespace trainyard::run {
namespace {

using testing::HasSubstr;

class Requests : public testing::Test {
  protected:
    Requests() { fs::create_directories(run_.requests_done()); }
    test::TemporaryFolder folder_;
    RunPaths run_{folder_.path()};
};

Request make(const std::string& kind, double time = 0) {
    Request request;
    request.kind = kind;
    request.from = "desktop";
    request.time = time;
    return request;
}

TEST_F(Requests, DroppedTakenAnswered) {
    Request asked = make("note");
    asked.values = {{"text", "look here"}, {"step", "12"}};
    std::string id = drop_request(run_, asked);
    EXPECT_EQ(id.size(), 36u);
    std::vector<Request> pending = pending_requests(run_);
    ASSERT_EQ(pending.size(), 1u);
    EXPECT_EQ(pending[0].id, id);
    EXPECT_EQ(pending[0].values, asked.values);
    EXPECT_EQ(pending[0].from, "desktop");
    EXPECT_FALSE(finished_request(run_, id));

    pending[0].outcome = "done";
    pending[0].text = "noted";
    finish_request(run_, pending[0]);
    EXPECT_TRUE(pending_requests(run_).empty());
    auto finished = finished_request(run_, id);
    ASSERT_TRUE(finished);
    EXPECT_EQ(finished->outcome, "done");
    EXPECT_EQ(finished->text, "noted");
    EXPECT_EQ(finished->kind, "note");
}

TEST_F(Requests, OldestFirst) {
    drop_request(run_, make("kill", 300));
    drop_request(run_, make("stop", 100));
    drop_request(run_, make("checkpoint", 200));
    std::vector<Request> pending = pending_requests(run_);
    ASSERT_EQ(pending.size(), 3u);
    EXPECT_EQ(pending[0].kind, "stop");
    EXPECT_EQ(pending[1].kind, "checkpoint");
    EXPECT_EQ(pending[2].kind, "kill");
}

TEST_F(Requests, ThoseOfOneProcessKeepTheirOrderHoweverFastTheyCome) {
    constexpr int kMany = 200;
    for (int place = 0; place < kMany; ++place) {
        Request request = make("move");
        request.values["place"] = std::to_string(place);
        drop_request(run_, request);
    }
    std::vector<Request> pending = pending_requests(run_);
    ASSERT_EQ(pending.size(), static_cast<std::size_t>(kMany));
    for (int place = 0; place < kMany; ++place)
        EXPECT_EQ(pending[static_cast<std::size_t>(place)].values.at("place"), std::to_string(place));
}

TEST_F(Requests, AFileThatIsNoRequestCanBeRefused) {
    std::ofstream(run_.requests() / "broken.json") << "{\"kind\":";
    std::ofstream(run_.requests() / "unfinished.json.12.tmp") << "{\"kind\":\"stop\"}";
    std::vector<Message> problems;
    std::vector<Request> pending = pending_requests(run_, &problems);
    ASSERT_EQ(pending.size(), 1u);
    EXPECT_EQ(pending[0].id, "broken");
    EXPECT_EQ(pending[0].kind, "");
    ASSERT_EQ(problems.size(), 1u);
    EXPECT_THAT(problems[0], HasSubstr("broken.json"));
    pending[0].outcome = "refused";
    finish_request(run_, pending[0]);
    EXPECT_TRUE(pending_requests(run_).empty());
}

TEST_F(Requests, AnIdCannotPointOutsideTheFolder) {
    std::ofstream(run_.requests() / "plain.json") << R"({"kind":"stop","id":"../../elsewhere"})";
    std::vector<Request> pending = pending_requests(run_);
    ASSERT_EQ(pending.size(), 1u);
    EXPECT_EQ(pending[0].id, "plain");
    EXPECT_FALSE(finished_request(run_, "../../state"));
}

TEST_F(Requests, LinksAreNotFollowed) {
    std::ofstream(folder_.path() / "secret.json") << R"({"kind":"stop"})";
    fs::create_symlink(folder_.path() / "secret.json", run_.requests() / "link.json");
    EXPECT_TRUE(pending_requests(run_).empty());
}

TEST_F(Requests, HandWrittenValuesMayBeNumbers) {
    Request request = parse_request(R"({"kind":"profile","values":{"steps":10,"memory":true}})", "x");
    EXPECT_EQ(request.values["steps"], "10");
    EXPECT_EQ(request.values["memory"], "true");
}

TEST_F(Requests, AFolderThatIsGoneIsASentence) {
    EXPECT_THROW(drop_request(RunPaths(folder_.path() / "none"), make("stop")), UserError);
    EXPECT_TRUE(pending_requests(RunPaths(folder_.path() / "none")).empty());
}

}  // namespace
}  // namespace trainyard::run
