// SPDX-License-Identifier: GPL-3.0-or-later
// Signatures of requests to Amazon's services, compared with botocore's.

#include <map>

#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

#include "base/file.h"
#include "launch/cloud/aws_signature.h"
#include "support/golden.h"

namespace trainyard::cloud {
namespace {

using Json = nlohmann::json;

TEST(AwsSignatures, AreThoseOfBotocore) {
    const Json root = Json::parse(read_file(test::golden("sigv4.json")));
    ASSERT_FALSE(root["cases"].empty());
    for (const Json& one : root["cases"]) {
        SCOPED_TRACE(one["id"].get<std::string>());
        const Json& input = one["input"];
        AwsRequest request{.service = input["service"],
                           .region = input["region"],
                           .method = input["method"],
                           .address = input["url"],
                           .headers = {},
                           .body = input["body"]};
        for (const auto& [name, value] : input["headers"].items())
            request.headers.emplace_back(name, value.get<std::string>());
        const AwsSignature made =
            sign(request, {input["access_key"], input["secret_key"], input.value("token", "")}, input["time"]);
        const Json& expected = one["expected"];
        EXPECT_EQ(made.canonical_request, expected["canonical_request"].get<std::string>());
        EXPECT_EQ(made.text, expected["string_to_sign"].get<std::string>());
        EXPECT_EQ(made.signature, expected["signature"].get<std::string>());
        EXPECT_EQ((std::map<std::string, std::string>{made.headers.begin(), made.headers.end()}),
                  (expected["headers_added"].get<std::map<std::string, std::string>>()));
    }
}

}  // namespace
}  // namespace trainyard::cloud
