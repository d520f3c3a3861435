// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
// Signature version 4 of Amazon's services, as botocore makes it. The canonical request and the text that is signed are
// returned too, because a server that refuses a signature answers with its own.
// Source: https://docs.aws.amazon.com/IAM/latest/UserGuide/reference_sigv-create-signed-request.html

#include <string>
#include <utility>
#include <vector>

namespace trainyard::cloud {

struct AwsKeys {
    std::string access_key;
    std::string secret_key;
    std::string session_token = {};  ///< of temporary keys; empty: none
};

struct AwsRequest {
    std::string service;  ///< sagemaker, s3, sts, iam, logs
    std::string region;
    std::string method = "POST";
    std::string address;  ///< with scheme; path and query as they are sent
    std::vector<std::pair<std::string, std::string>> headers = {};
    std::string body = {};
};

struct AwsSignature {
    std::string canonical_request, text, signature;
    /// Headers to add to the request, among them Authorization.
    std::vector<std::pair<std::string, std::string>> headers;
};

/// `time`: UTC as 20231114T221320Z. Throws UserError if the address has no scheme or host.
AwsSignature sign(const AwsRequest& request, const AwsKeys& keys, const std::string& time);

/// SHA-256 in hexadecimal digits.
std::string sha256_digits(const std::string& bytes);

}  // namespace trainyard::cloud
