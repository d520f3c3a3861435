// SPDX-License-Identifier: GPL-3.0-or-later
#include "worker/prompt_requests.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "base/error.h"
#include "support/field_checks.h"
#include "support/says.h"

namespace trainyard::worker {
namespace {

using test::says;
using testing::_;
using testing::EndsWith;

std::string refusal(const std::function<void()>& read) {
    try {
        read();
    } catch (const UserError& error) {
        return error.what();
    }
    return "";
}

TEST(PromptRequests, EveryFieldSurvivesAndIsChecked) {
    test::check_described<ModelRequest, PromptRequest, generate::ModelPlacement, generate::AdapterSource>();
}

TEST(PromptRequests, WhatIsNotKnownOrOutOfRangeIsNamed) {
    auto model = [](const char* line) { return refusal([&] { parse_model_request(line); }); };
    auto prompt = [](const char* line) { return refusal([&] { parse_prompt_request(line); }); };
    EXPECT_EQ(model(R"({"model":"/m","threads":2})"), "");
    EXPECT_THAT(model(R"({"model":""})"), says("the first line names no model"));
    EXPECT_THAT(model(R"({"model":"/m","threads":5000})"), says("{} is out of range", EndsWith("threads")));
    EXPECT_THAT(model(R"({"model":"/m","placement":{"device":"cpu"}})"),
                says("{} is not a known key", EndsWith("placement.device")));
    EXPECT_THAT(model(R"({"model":"/m","adapters":[{"weight":1}]})"),
                says("{} is missing", EndsWith("adapters[0].path")));
    EXPECT_THAT(prompt(R"({"prompt":"a","top_q":1})"), says("{} is not a known key", EndsWith("top_q")));
    EXPECT_THAT(prompt(R"({"prompt":"a","seed":-1})"), says("{} is out of range", EndsWith("seed")));
    EXPECT_THAT(prompt(R"({"seed":1})"), says("a request needs either a prompt, prompts or messages"));
    EXPECT_THAT(prompt(R"({"prompt":"a","messages":[{"role":"user","content":"b"}]})"),
                says("a request needs either a prompt, prompts or messages"));
    EXPECT_THAT(prompt(R"({"prompt":"a","prompts":["b"]})"),
                says("a request needs either a prompt, prompts or messages"));
    EXPECT_THAT(prompt(R"({"prompts":[]})"), says("a request has {} prompts: give 1 to {}", 0, 1024));
    EXPECT_THAT(prompt(R"({"messages":[]})"), says("a conversation needs at least one message"));
    EXPECT_THAT(prompt(R"({"messages":[{"role":"user"}]})"), says("{} is missing", EndsWith("content")));
    EXPECT_THAT(prompt("[]"), says("{} is not a JSON object: it was cut short or written by another program", _));
    EXPECT_TRUE(parse_prompt_request(R"({"stop":true,"other":1})").stop);
}

TEST(PromptRequests, ANumberOfNewTokensReplacesTheLengthOfTheDefaults) {
    generate::GenerationOptions defaults;
    defaults.max_length = 20;
    EXPECT_EQ(parse_prompt_request(R"({"prompt":"a"})", defaults).options.max_length, 20);
    EXPECT_EQ(parse_prompt_request(R"({"prompt":"a","max_new_tokens":5})", defaults).options.max_length, 0);
}

}  // namespace
}  // namespace trainyard::worker
