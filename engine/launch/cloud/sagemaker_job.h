// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
// A training job of Amazon SageMaker: created from a launch's plan, followed to its end.

#include <cstdint>
#include <filesystem>
#include <functional>
#include <stop_token>
#include <string>
#include <vector>

#include <nlohmann/json_fwd.hpp>

#include "base/message.h"
#include "launch/cloud/aws_client.h"
#include "launch/plan/plan.h"

namespace trainyard::cloud {

/// The body of CreateTrainingJob. `estimator`: plan::SageMakerJob::request, the arguments of SageMaker's estimator;
/// `inputs`: channels and their
/// addresses, or null; `role_arn` and `archive_uri`, where the script is. Throws InvalidInput naming every argument
/// that is unknown or contradicts.
nlohmann::json training_job(const nlohmann::json& estimator, const nlohmann::json& inputs, const std::string& name,
                            const std::string& region, const std::string& bucket, const std::string& role_arn,
                            const std::string& archive_uri);

struct StartOptions {
    std::vector<std::filesystem::path> left_out =
        {};                     ///< files of the script's folder that are not sent: the settings file
    std::string job_name = {};  ///< empty: made from base_job_name and the time
    std::function<void(const Message&)> say = [](const Message&) {};
};

struct StartedJob {
    std::string name, region;
};

/// Throws InvalidInput naming every argument that is unknown, of another kind, or contradicts another. Needs no keys
/// and no network.
void check_job(const plan::SageMakerJob& job);

/// Checks everything that can be checked, sends the script's folder and creates the job. Throws UserError.
StartedJob start_job(AwsClient& client, const plan::SageMakerJob& job, const StartOptions& options);

struct EndedJob {
    std::string status;  ///< Completed, Failed, Stopped
    std::string reason;  ///< of a failure
    std::string model;   ///< S3 address of the trained model
    std::int64_t seconds = 0, billed_seconds = 0;
};

/// Looks at the job every `interval_s` seconds. `line`: what its machines print; `state`: what SageMaker does. With a
/// `stop` the job is stopped, and its
/// end is awaited.
EndedJob follow_job(AwsClient& client, const std::string& name, double interval_s, const std::stop_token& stop,
                    const std::function<void(const std::string&)>& line,
                    const std::function<void(const std::string&)>& state);

}  // namespace trainyard::cloud
