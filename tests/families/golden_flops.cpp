// SPDX-License-Identifier: GPL-3.0-or-later
// Floating-point operations of a sample beside those that torch counts in models of transformers (tests/golden/flops.json). Torch also counts the
// product that makes the angles of rotary embeddings, a thousandth.

#include <fstream>

#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

#include "models/spec/config_file.h"
#include "support/golden.h"

namespace trainyard::families {
namespace {

TEST(GoldenFlops, AreThoseThatTorchCounts) {
    const auto file = test::golden("flops.json");
    const auto cases = nlohmann::json::parse(std::ifstream(file)).at("cases");
    ASSERT_FALSE(cases.empty()) << file;
    for (const auto& each : cases) {
        SCOPED_TRACE(each.at("name").get<std::string>());
        const ModelConfig config = read_config(each.at("config").dump(), file.string()).config;
        SampleSize size{.tokens = each.at("tokens"),
                        .target_tokens = each.at("target_tokens"),
                        .labels = each.at("tokens"),
                        .height = each.at("height"),
                        .width = each.at("width")};
        const double expected = each.at("flops");
        EXPECT_NEAR(family_of(config).flops_per_sample(config, size), expected, 2e-3 * expected);
    }
}

}  // namespace
}  // namespace trainyard::families
