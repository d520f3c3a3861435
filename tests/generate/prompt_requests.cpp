#include "worker/prompt_requests.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "base/error.h"
#include "support/field_checks.h"

namespace trainyard::worker {
namespace {

using testing::HasSubstr;

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
    EXPECT_THAT(model(R"({"model":""})"), HasSubstr("names no model"));
    EXPECT_THAT(model(R"({"model":"/m","threads":5000})"), HasSubstr("threads is out of range"));
    EXPECT_THAT(model(R"({"model":"/m","placement":{"device":"cpu"}})"),
                HasSubstr("placement.device is not a known key"));
    EXPECT_THAT(model(R"({"model":"/m","adapters":[{"weight":1}]})"), HasSubstr("adapters[0].path is missing"));
    EXPECT_THAT(prompt(R"({"prompt":"a","top_q":1})"), HasSubstr("top_q is not a known key"));
    EXPECT_THAT(prompt(R"({"prompt":"a","seed":-1})"), HasSubstr("seed is out of range"));
    EXPECT_THAT(prompt(R"({"seed":1})"), HasSubstr("prompt is missing"));
    EXPECT_THAT(prompt("[]"), HasSubstr("is not a JSON object"));
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
