// SPDX-License-Identifier: GPL-3.0-or-later
#include "launch/cloud/aws_client.h"

#include <algorithm>
#include <chrono>
#include <condition_variable>
#include <ctime>
#include <map>
#include <mutex>
#include <sstream>
#include <string_view>

#include <fmt/chrono.h>
#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include "base/file.h"
#include "base/json.h"
#include "base/json_writer.h"
#include "base/number.h"
#include "base/percent_encoding.h"
#include "base/printable.h"
#include "base/text.h"

namespace trainyard::cloud {

using Json = nlohmann::json;

namespace {

std::string get(const plan::EnvironmentMap& environment, const std::string& name) {
    const auto found = environment.find(name);
    return found == environment.end() ? std::string() : found->second;
}

/// Sections of the files in ~/.aws. Lines that are indented continue a value there, and no key here has such.
std::map<std::string, std::string> section_of(const std::string& file, const std::string& section) {
    std::map<std::string, std::string> found;
    std::istringstream in;
    try {
        in.str(read_file(file, 1 << 20));
    } catch (const UserError&) {
        return found;  // a missing file has no sections
    }
    bool inside = false;
    for (std::string line; std::getline(in, line);) {
        const std::string plain(text::trimmed(line, " \t\r"));
        if (plain.starts_with('[') && plain.ends_with(']')) {
            const std::string name(text::trimmed(std::string_view(plain).substr(1, plain.size() - 2), " \t"));
            inside = name == section || name == "profile " + section;
        } else if (const std::size_t equals = plain.find('=');
                   inside && equals != std::string::npos && !plain.starts_with('#') && !plain.starts_with(';')) {
            found[std::string(text::trimmed(std::string_view(plain).substr(0, equals), " \t"))] =
                text::trimmed(std::string_view(plain).substr(equals + 1), " \t");
        }
    }
    return found;
}

std::string file_of(const plan::EnvironmentMap& environment, const char* variable, const char* usual) {
    const std::string named = get(environment, variable);
    return named.empty() ? get(environment, "HOME") + "/.aws/" + usual : named;
}

AwsKeys keys_of_profile(const std::string& profile, const plan::EnvironmentMap& environment) {
    for (const auto& file : {file_of(environment, "AWS_SHARED_CREDENTIALS_FILE", "credentials"),
                             file_of(environment, "AWS_CONFIG_FILE", "config")}) {
        std::map<std::string, std::string> section = section_of(file, profile);
        if (section.contains("aws_access_key_id") && section.contains("aws_secret_access_key"))
            return {section["aws_access_key_id"], section["aws_secret_access_key"], section["aws_session_token"]};
    }
    return {};
}

/// The text between <name> and </name>; empty: not there.
std::string element_of(const std::string& xml, const std::string& name) {
    const std::size_t begin = xml.find("<" + name + ">");
    if (begin == std::string::npos)
        return "";
    const std::size_t first = begin + name.size() + 2, end = xml.find("</" + name + ">", first);
    return end == std::string::npos ? "" : xml.substr(first, end - first);
}

struct Refused {
    std::string code, words;
};

Refused refused(const hub::HttpAnswer& answer) {
    Refused said{element_of(answer.body, "Code"), element_of(answer.body, "Message")};
    if (!said.code.empty())
        return said;
    const Json body = read_json(answer.body);
    if (!body.is_object())
        return said;
    const auto text = [&](const char* key) {
        return body.contains(key) && body[key].is_string() ? body[key].get<std::string>() : std::string();
    };
    said.code = text("__type");
    said.code.erase(0, said.code.find('#') == std::string::npos ? 0 : said.code.find('#') + 1);
    said.words = text("message").empty() ? text("Message") : text("message");
    return said;
}

bool passes(const hub::HttpAnswer& answer, const std::string& code) {
    constexpr std::string_view kBusy[] = {"Throttling",           "ThrottlingException",      "ThrottledException",
                                          "RequestLimitExceeded", "TooManyRequestsException", "SlowDown",
                                          "RequestTimeout",       "InternalFailure"};
    return answer.status >= 500 || answer.status == 429 || std::ranges::find(kBusy, code) != std::end(kBusy);
}

}  // namespace

AwsAccess find_access(const std::string& profile, const std::string& region, const plan::EnvironmentMap& environment) {
    AwsAccess access;
    access.region = region;
    access.endpoint = get(environment, "AWS_ENDPOINT_URL");
    while (access.endpoint.ends_with('/'))
        access.endpoint.pop_back();
    access.attempts =
        std::clamp(parse_number<int>(get(environment, "AWS_MAX_ATTEMPTS")).value_or(access.attempts), 1, 20);
    const std::string named = !profile.empty() ? profile : get(environment, "AWS_PROFILE");
    if (profile.empty())
        access.keys = {get(environment, "AWS_ACCESS_KEY_ID"), get(environment, "AWS_SECRET_ACCESS_KEY"),
                       get(environment, "AWS_SESSION_TOKEN")};
    if (access.keys.access_key.empty() || access.keys.secret_key.empty())
        access.keys = keys_of_profile(named.empty() ? "default" : named, environment);
    if (access.keys.access_key.empty() || access.keys.secret_key.empty())
        throw UserError(
            "Amazon's keys of the profile {} were not found: run `aws configure`, or set AWS_ACCESS_KEY_ID and "
            "AWS_SECRET_ACCESS_KEY",
            named.empty() ? "default" : named);
    return access;
}

AwsClient::AwsClient(AwsAccess access, std::stop_token stop)
    : access_(std::move(access)), stop_(std::move(stop)), http_("", stop_) {}

std::string AwsClient::address_of(const std::string& service, const std::string& bucket,
                                  const std::string& path) const {
    const bool is_storage = service == "s3";
    if (!access_.endpoint.empty())
        return access_.endpoint + (is_storage ? "/" + bucket + path : "/");
    const std::string domain = access_.region.starts_with("cn-") ? "amazonaws.com.cn" : "amazonaws.com";
    if (is_storage)
        return fmt::format("https://{}.s3.{}.{}{}", bucket, access_.region, domain, path.empty() ? "/" : path);
    if (service == "iam")
        return access_.region.starts_with("cn-") ? fmt::format("https://iam.cn-north-1.{}/", domain)
                                                 : fmt::format("https://iam.{}/", domain);
    return fmt::format("https://{}{}.{}.{}/", service == "sagemaker" ? "api." : "", service, access_.region, domain);
}

hub::HttpAnswer AwsClient::send(AwsRequest request, const char* what) {
    request.region =
        request.service == "iam" ? access_.region.starts_with("cn-") ? "cn-north-1" : "us-east-1" : access_.region;
    for (int attempt = 1;; ++attempt) {
        const std::string now = fmt::format("{:%Y%m%dT%H%M%SZ}", fmt::gmtime(std::time(nullptr)));
        hub::HttpRequest sent{.method = request.method, .address = request.address, .body = request.body};
        sent.limit_s = 60 + static_cast<double>(request.body.size()) / 1e5;
        for (const auto& [name, value] : request.headers)
            sent.headers.push_back(name + ": " + value);
        for (const auto& [name, value] : sign(request, access_.keys, now).headers)
            sent.headers.push_back(name + ": " + value);
        const hub::HttpAnswer answer = http_.send(sent);
        if (answer.status >= 200 && answer.status < 300)
            return answer;
        const Refused said = answer.status == 0 ? Refused() : refused(answer);
        const bool again = answer.status == 0 ? !answer.unreachable : passes(answer, said.code);
        if (!again || attempt >= access_.attempts || stop_.stop_requested()) {
            if (answer.status == 0)
                throw UserError("Amazon's service does not answer to {}: {}", what, answer.problem);
            throw AwsRefusal(
                Message("Amazon refused {}: {} ({})", what,
                        said.words.empty() ? fmt::format("HTTP {}", answer.status) : text::printable(said.words),
                        said.code.empty() ? "no reason given" : text::printable(said.code)),
                said.code, answer.status);
        }
        std::mutex mutex;
        std::unique_lock lock(mutex);
        std::condition_variable_any().wait_for(
            lock, stop_, std::chrono::milliseconds(250) * (1 << std::min(attempt, 6)), [] { return false; });
    }
}

Json AwsClient::call(const std::string& service, const std::string& target, const Json& body) {
    const hub::HttpAnswer answer =
        send({.service = service,
              .region = {},
              .address = address_of(service, "", ""),
              .headers = {{"Content-Type", "application/x-amz-json-1.1"}, {"X-Amz-Target", target}},
              .body = json_text(body)},
             target.c_str());
    const Json said = read_json(answer.body);
    return said.is_object() ? said : Json::object();
}

std::string AwsClient::query(const std::string& service, const std::vector<std::pair<std::string, std::string>>& fields,
                             const std::string& element) {
    std::string body;
    for (const auto& [name, value] : fields)
        body += (body.empty() ? "" : "&") + name + "=" + percent_encoded(value);
    const hub::HttpAnswer answer =
        send({.service = service,
              .region = {},
              .address = address_of(service, "", ""),
              .headers = {{"Content-Type", "application/x-www-form-urlencoded; charset=utf-8"}},
              .body = body},
             fields.front().second.c_str());
    std::string found = element_of(answer.body, element);
    if (found.empty())
        throw UserError("Amazon's answer to {} has no {}", fields.front().second, element);
    return found;
}

bool AwsClient::has_bucket(const std::string& bucket, const std::string& account) {
    try {
        send({.service = "s3",
              .region = {},
              .method = "GET",
              .address = address_of("s3", bucket, "") + "?list-type=2&max-keys=0",
              .headers = {{"x-amz-expected-bucket-owner", account}}},
             "S3 ListObjects");
        return true;
    } catch (const AwsRefusal& error) {
        if (error.status() == 404)
            return false;
        throw;
    }
}

void AwsClient::make_bucket(const std::string& bucket) {
    const std::string body = access_.region == "us-east-1"
                                 ? ""
                                 : fmt::format(
                                       "<CreateBucketConfiguration xmlns=\"http://s3.amazonaws.com/doc/2006-03-01/\">"
                                       "<LocationConstraint>{}</LocationConstraint></CreateBucketConfiguration>",
                                       access_.region);
    send({.service = "s3",
          .region = {},
          .method = "PUT",
          .address = address_of("s3", bucket, ""),
          .headers = {},
          .body = body},
         "S3 CreateBucket");
}

void AwsClient::put(const std::string& bucket, const std::string& key, std::string content,
                    const std::string& account) {
    AwsRequest request{.service = "s3",
                       .region = {},
                       .method = "PUT",
                       .address = address_of("s3", bucket, "/" + percent_encoded(key, "/")),
                       .headers = {{"x-amz-server-side-encryption", "aws:kms"}},
                       .body = std::move(content)};
    if (!account.empty())
        request.headers.emplace_back("x-amz-expected-bucket-owner", account);
    send(std::move(request), "S3 PutObject");
}

}  // namespace trainyard::cloud
