// SPDX-License-Identifier: GPL-3.0-or-later
#include "run/request_body.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "base/error.h"
#include "support/says.h"

namespace trainyard::run {
namespace {

using test::says;
using testing::_;
using Values = std::map<std::string, std::string>;

Request written_by_hand(const char* kind, Values values = {}) {
    Request request;
    request.kind = kind;
    request.values = std::move(values);
    return request;
}

Message refusal(const Request& request) {
    try {
        request_body(request);
        ADD_FAILURE() << request.kind << " is taken";
        return {};
    } catch (const UserError& error) {
        return error.message();
    }
}

/// The body after it was written into a file and read again.
template <typename Body>
Body through_file(const Body& body) {
    return std::get<Body>(request_body(parse_request(to_json(make_request(body, "desktop")), "test")));
}

TEST(RequestBody, IsReadAsItWasWritten) {
    const Request stop = make_request(StopRequest{.checkpoint = false}, "desktop");
    EXPECT_EQ(stop.kind, "stop");
    EXPECT_EQ(stop.from, "desktop");
    EXPECT_EQ(stop.values, (Values{{"checkpoint", "false"}}));
    EXPECT_FALSE(through_file(StopRequest{.checkpoint = false}).checkpoint);
    EXPECT_TRUE(through_file(StopRequest()).checkpoint);
    EXPECT_EQ(through_file(RateRequest{2.5e-4}).lr, 2.5e-4);
    EXPECT_EQ(through_file(MoveRequest{3}).place, 3);
    const ProfileRequest profile = through_file(ProfileRequest{.steps = 7, .repeat = 2, .with_flops = true});
    EXPECT_EQ(profile.steps, 7);
    EXPECT_EQ(profile.repeat, 2);
    EXPECT_TRUE(profile.with_flops);
    EXPECT_FALSE(profile.record_shapes);
    const NoteRequest note = through_file(NoteRequest{Message("alarm: {}", "no step"), 12});
    EXPECT_EQ(note.text.form(), "alarm: {}");
    EXPECT_EQ(note.step, 12);
    EXPECT_FALSE(through_file(NoteRequest{Message::verbatim("look"), {}}).step);
}

TEST(RequestBody, LeavesOutWhatIsUsual) {
    EXPECT_EQ(make_request(StopRequest(), "x").values, Values());
    EXPECT_EQ(make_request(ProfileRequest{.wait = 5}, "x").values, (Values{{"wait", "5"}}));
    EXPECT_EQ(make_request(NoteRequest{Message::verbatim("look"), {}}, "x").values, (Values{{"text", "look"}}));
}

TEST(RequestBody, RefusesWhatIsNotUnderstood) {
    EXPECT_THAT(refusal(written_by_hand("stopp")), says(": did you mean '{}'?", "stop"));
    EXPECT_THAT(refusal(written_by_hand("stop", {{"checkpoint", "maybe"}})), says("{}, true or false", "checkpoint"));
    EXPECT_THAT(refusal(written_by_hand("profile", {{"steps", "1001"}, {"wait", "x"}})),
                testing::AllOf(says("{}, from {} to {}", "steps", 1, 1000), says("{}, from {} to {}", "wait", 0, _)));
    EXPECT_THAT(refusal(written_by_hand("profile", {{"stack", "true"}})),
                says("{} does not know '{}': it takes {}", "profile", "stack", _));
    for (const char* rate : {"0", "-1", "101", "nan", "fast"})
        EXPECT_THAT(refusal(written_by_hand("set", {{"lr", rate}})),
                    says("{}, a number greater than {} and at most {}", "lr", 0, 100))
            << rate;
    EXPECT_THAT(refusal(written_by_hand("set")), says("{} takes {}", "set", _));
    EXPECT_THAT(refusal(written_by_hand("move", {{"place", "0"}})), says("{} takes {}", "move", _));
    EXPECT_THAT(refusal(written_by_hand("note")), says("{}, a text", "text"));
    EXPECT_THAT(refusal(written_by_hand("note", {{"text", "x"}, {"step", "one"}})), says("{}, a whole number", "step"));
    // An older command line writes a value that has no meaning here.
    EXPECT_TRUE(std::holds_alternative<KillRequest>(request_body(written_by_hand("kill", {{"checkpoint", "true"}}))));
}

}  // namespace
}  // namespace trainyard::run
