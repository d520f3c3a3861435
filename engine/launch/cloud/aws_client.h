// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
// Requests to Amazon's services: keys as Amazon's own tools find them, signed, repeated where a service is busy.

#include <stop_token>
#include <string>
#include <utility>
#include <vector>

#include <nlohmann/json_fwd.hpp>

#include "base/error.h"
#include "formats/hub/http_client.h"
#include "launch/cloud/aws_signature.h"
#include "launch/plan/resolve.h"

namespace trainyard::cloud {

struct AwsAccess {
    AwsKeys keys;
    std::string region;
    std::string endpoint = {};  ///< of all services, from AWS_ENDPOINT_URL; empty: Amazon's own
    int attempts = 5;           ///< AWS_MAX_ATTEMPTS
};

/// The keys of `profile`, else those of AWS_ACCESS_KEY_ID and AWS_SECRET_ACCESS_KEY, else of the profile AWS_PROFILE
/// or `default`: from
/// ~/.aws/credentials and ~/.aws/config, or the files that AWS_SHARED_CREDENTIALS_FILE and AWS_CONFIG_FILE name.
/// Throws UserError when there are none.
AwsAccess find_access(const std::string& profile, const std::string& region, const plan::EnvironmentMap& environment);

/// A service refused the request. `code` is its own word, e.g. AccessDeniedException.
class AwsRefusal : public UserError {
  public:
    AwsRefusal(Message message, std::string code, long status)
        : UserError(std::move(message)), code_(std::move(code)), status_(status) {}
    const std::string& code() const { return code_; }
    long status() const { return status_; }

  private:
    std::string code_;
    long status_;
};

class AwsClient {
  public:
    /// A `stop` ends requests and waits.
    explicit AwsClient(AwsAccess access, std::stop_token stop = {});
    const AwsAccess& access() const { return access_; }

    /// SageMaker and CloudWatch Logs: `target` is e.g. SageMaker.CreateTrainingJob. Throws AwsRefusal, and UserError
    /// without an answer.
    nlohmann::json call(const std::string& service, const std::string& target, const nlohmann::json& body);
    /// STS and IAM: the text of an element of the answer, e.g. <Account>.
    std::string query(const std::string& service, const std::vector<std::pair<std::string, std::string>>& fields,
                      const std::string& element);
    /// Whether the bucket is there, and belongs to `account`. Throws AwsRefusal when it is another's.
    bool has_bucket(const std::string& bucket, const std::string& account);
    void make_bucket(const std::string& bucket);
    /// `account`: the owner that the bucket must have; empty: any.
    void put(const std::string& bucket, const std::string& key, std::string content, const std::string& account);

  private:
    std::string address_of(const std::string& service, const std::string& bucket, const std::string& path) const;
    hub::HttpAnswer send(AwsRequest request, const char* what);

    AwsAccess access_;
    std::stop_token stop_;
    hub::HttpClient http_;
};

}  // namespace trainyard::cloud
