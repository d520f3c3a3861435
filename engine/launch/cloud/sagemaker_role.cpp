// SPDX-License-Identifier: GPL-3.0-or-later
#include "launch/cloud/sagemaker_role.h"

#include <algorithm>
#include <string_view>

#include <nlohmann/json.hpp>

#include "base/json_writer.h"

namespace trainyard::cloud {

namespace {

using Json = nlohmann::json;

constexpr const char* kIamVersion = "2010-05-08";
constexpr std::size_t kMostRoleName = 64;

Json policy(Json statement) {
    statement["Effect"] = "Allow";
    return {{"Version", "2012-10-17"}, {"Statement", Json::array({std::move(statement)})}};
}

Json who_may_act() {
    return policy({{"Principal", {{"Service", "sagemaker.amazonaws.com"}}}, {"Action", "sts:AssumeRole"}});
}

Json what_it_may() {
    return policy(
        {{"Action",
          {"sagemaker:*", "ecr:GetDownloadUrlForLayer", "ecr:BatchGetImage", "ecr:BatchCheckLayerAvailability",
           "ecr:GetAuthorizationToken", "cloudwatch:PutMetricData", "cloudwatch:GetMetricData",
           "cloudwatch:GetMetricStatistics", "cloudwatch:ListMetrics", "logs:CreateLogGroup", "logs:CreateLogStream",
           "logs:DescribeLogStreams", "logs:PutLogEvents", "logs:GetLogEvents", "s3:CreateBucket", "s3:ListBucket",
           "s3:GetBucketLocation", "s3:GetObject", "s3:PutObject"}},
         {"Resource", "*"}});
}

/// https://docs.aws.amazon.com/IAM/latest/APIReference/API_CreateRole.html
bool is_role_name(std::string_view name) {
    return !name.empty() && name.size() <= kMostRoleName && std::ranges::all_of(name, [](char letter) {
        return (letter >= 'a' && letter <= 'z') || (letter >= 'A' && letter <= 'Z') ||
               (letter >= '0' && letter <= '9') || std::string_view("_+=,.@-").find(letter) != std::string_view::npos;
    });
}

}  // namespace

Message create_role(AwsClient& client, const std::string& name) {
    if (!is_role_name(name))
        throw UserError(
            "'{}' is not the name of a role: use at most {} letters, digits and _+=,.@- (a role whose ARN you have "
            "exists already)",
            name, kMostRoleName);
    try {
        client.query("iam",
                     {{"Action", "CreateRole"},
                      {"Version", kIamVersion},
                      {"RoleName", name},
                      {"AssumeRolePolicyDocument", json_text(who_may_act())}},
                     "Arn");
    } catch (const AwsRefusal& refusal) {
        if (refusal.code() != "EntityAlreadyExists")
            throw;
        return Message("the role {} exists already and is used as it is", name);
    }
    client.query("iam",
                 {{"Action", "PutRolePolicy"},
                  {"Version", kIamVersion},
                  {"RoleName", name},
                  {"PolicyName", name + "_policy_permission"},
                  {"PolicyDocument", json_text(what_it_may())}},
                 "RequestId");
    return Message("the role {} was created", name);
}

}  // namespace trainyard::cloud
