// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
// Amazon's services on 127.0.0.1, one account, one role, one job.

#include <deque>
#include <map>
#include <mutex>
#include <string>
#include <utility>
#include <vector>

#include <nlohmann/json.hpp>

#include "support/fake_service.h"

namespace trainyard::test {

class FakeAmazon {
  public:
    using Json = nlohmann::json;
    /// Status and body in place of the usual answer, one after the other; null: the usual one.
    std::map<std::string, std::deque<Json>> answers;
    bool has_bucket = true;
    std::string account = "123456789012";
    Json final = {{"TrainingJobStatus", "Completed"}, {"SecondaryStatus", "Completed"}};
    bool runs_until_stopped = false;

    std::string address() const { return service_.address(); }
    /// Names of the requests in their order, as in the recorded cases, and the JSON bodies.
    std::vector<std::pair<std::string, Json>> calls() const {
        const std::lock_guard lock(mutex_);
        return calls_;
    }
    std::vector<FakeService::Request> requests() const { return service_.requests(); }
    Json body_of(const std::string& action) const {
        Json last;
        for (const auto& [name, body] : calls())
            if (name == action)
                last = body;
        return last;
    }

  private:
    static std::string action_of(const FakeService::Request& request) {
        if (const auto target = request.headers.find("x-amz-target"); target != request.headers.end())
            return target->second.substr(target->second.find('.') + 1);
        if (const std::size_t at = request.body.find("Action="); at == 0)
            return request.body.substr(7, request.body.find('&') - 7);
        return "S3 " + request.method;
    }

    FakeService::Answer answer(const FakeService::Request& request) {
        const std::lock_guard lock(mutex_);
        const std::string action = action_of(request);
        calls_.emplace_back(action, Json::parse(request.body, nullptr, false));
        if (std::deque<Json>& own = answers[action]; !own.empty()) {
            const Json given = own.front();
            if (own.size() > 1)
                own.pop_front();
            if (given.is_array())
                return {given[0], given[1].is_string() ? given[1].get<std::string>() : given[1].dump()};
        }
        if (action == "GetCallerIdentity")
            return {200, "<R><Account>" + account + "</Account></R>"};
        if (action == "GetRole") {
            const std::string name = request.body.substr(request.body.find("RoleName=") + 9);
            return {200, "<R><Role><Arn>arn:aws:iam::" + account + ":role/" + name + "</Arn></Role></R>"};
        }
        if (action == "CreateRole")
            return {
                200,
                "<R><CreateRoleResult><Role><Arn>arn:aws:iam::123456789012:role/r</Arn></Role></CreateRoleResult></R>"};
        if (action == "PutRolePolicy")
            return {200, "<R><ResponseMetadata><RequestId>1</RequestId></ResponseMetadata></R>"};
        if (action == "S3 GET")
            return has_bucket ? FakeService::Answer{200, "<R/>"}
                              : FakeService::Answer{404, "<Error><Code>NoSuchBucket</Code></Error>"};
        if (action == "S3 PUT") {
            has_bucket = true;
            return {200, ""};
        }
        if (action == "CreateTrainingJob")
            return {200, R"({"TrainingJobArn": "arn"})"};
        if (action == "StopTrainingJob") {
            runs_until_stopped = false;
            final = {{"TrainingJobStatus", "Stopped"}, {"SecondaryStatus", "Stopped"}};
            return {200, "{}"};
        }
        if (action == "DescribeTrainingJob") {
            if (runs_until_stopped)
                return {200, R"({"TrainingJobStatus": "InProgress", "SecondaryStatus": "Training"})"};
            Json job = final;
            job.update({{"TrainingTimeInSeconds", 60},
                        {"BillableTimeInSeconds", 30},
                        {"ResourceConfig", {{"InstanceCount", 2}}},
                        {"ModelArtifacts", {{"S3ModelArtifacts", "s3://bucket/model.tar.gz"}}}});
            return {200, job.dump()};
        }
        const Json body = Json::parse(request.body, nullptr, false);
        if (action == "DescribeLogStreams")
            return {200, Json{{"logStreams",
                               {{{"logStreamName", body.value("logStreamNamePrefix", "") + "algo-1-1700000000"}}}}}
                             .dump()};
        if (action == "GetLogEvents") {
            Json events = Json::array();
            if (!body.contains("nextToken"))
                for (int step = 1; step <= 3; ++step)
                    events.push_back(
                        {{"timestamp", step},
                         {"message", "step " + std::to_string(step) + " loss: 0." + std::to_string(9 - step)}});
            return {200, Json{{"events", events}, {"nextForwardToken", "f/1"}}.dump()};
        }
        return {400, R"({"__type": "UnknownOperationException", "message": "unknown"})"};
    }

    mutable std::mutex mutex_;
    std::vector<std::pair<std::string, Json>> calls_;
    FakeService service_{[this](const FakeService::Request& request) { return answer(request); }};
};

}  // namespace trainyard::test
