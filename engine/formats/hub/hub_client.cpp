// SPDX-License-Identifier: GPL-3.0-or-later
#include "formats/hub/hub_client.h"

#include <algorithm>
#include <cctype>
#include <chrono>
#include <condition_variable>
#include <exception>
#include <mutex>

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include "base/json.h"
#include "base/number.h"
#include "base/percent_encoding.h"
#include "base/text.h"
#include "formats/hub/hub_cache.h"
#include "formats/hub/hub_settings.h"

namespace trainyard::hub {

namespace {

constexpr int kMostAttempts = 5;  ///< in a row, each with less than kLeastPart
constexpr std::uint64_t kLeastPart = 64u << 10;
constexpr double kFirstPause = 0.25, kLongestPause = 60;
constexpr std::uint64_t kLongestListing = 64u << 20;
constexpr std::size_t kMostFiles = 200'000;

/// Names become paths in the cache.
bool is_relative_name(const std::string& name) {
    if (name.empty() || name.size() > 1000 || name.front() == '/' || name.back() == '/')
        return false;
    std::size_t begin = 0;
    while (begin <= name.size()) {
        const std::size_t end = std::min(name.find('/', begin), name.size());
        const std::string part = name.substr(begin, end - begin);
        if (part.empty() || part == "." || part == ".." || part.size() > 255)
            return false;
        begin = end + 1;
    }
    return std::ranges::none_of(name, [](unsigned char c) { return c < ' ' || c == 127 || c == '\\'; });
}

/// The value of an ETag, which becomes the name of a file.
std::string plain_etag(std::string_view etag) {
    if (etag.starts_with("W/"))
        etag.remove_prefix(2);
    etag = text::trimmed(etag, "\"");
    std::string name(etag);
    for (char& c : name)
        if (static_cast<unsigned char>(c) > 127 ||
            (std::isalnum(static_cast<unsigned char>(c)) == 0 && c != '-' && c != '_'))
            c = '_';
    return name.size() <= 200 ? name : std::string();
}

}  // namespace

HubClient::HubClient(RepoName repo, std::stop_token stop, std::function<void(const Message&)> note)
    : repo_(std::move(repo)),
      endpoint_(hub::endpoint()),
      token_(access_token()),
      stop_(stop),
      note_(std::move(note)),
      client_(token_, std::move(stop), download_timeout()) {}

void HubClient::wait(double seconds) {
    std::mutex mutex;
    std::condition_variable_any changed;
    std::unique_lock lock(mutex);
    changed.wait_for(lock, stop_, std::chrono::duration<double>(seconds), [] { return false; });
}

HttpAnswer HubClient::patiently(const std::string& what, const std::function<HttpAnswer()>& ask, bool was_reached) {
    double pause = kFirstPause;
    for (int attempt = 1;; ++attempt, pause *= 2) {
        HttpAnswer answer = ask();
        const bool busy = answer.status == 429 || answer.status >= 500;
        const bool broken = answer.status == 0 && (was_reached || !answer.unreachable);
        if (stop_.stop_requested())
            throw UserError("the download of {} was cancelled: the next one continues it", repo_.name);
        if ((!busy && !broken) || attempt == kMostAttempts || answer.retry_after_s > kLongestPause)
            return answer;
        const double seconds = std::max(pause, answer.retry_after_s);
        note_(busy ? Message("{} answered with status {} when it was asked for {}: asking again in {}", endpoint_,
                             answer.status, what, text::duration(seconds))
                   : Message("the connection to {} broke ({}): asking again for {} in {}", endpoint_, answer.problem,
                             what, text::duration(seconds)));
        wait(seconds);
    }
}

void HubClient::fail(const HttpAnswer& answer, const std::string& what) const {
    const std::string code = answer.header("x-error-code");
    const std::string page =
        fmt::format("{}/{}{}", endpoint_, repo_.kind == RepoKind::dataset ? "datasets/" : "", repo_.name);
    if (answer.status == 0)
        throw UnavailableError(
            "{} cannot be asked for {}: {}: check the network, https_proxy and HF_ENDPOINT; with "
            "HF_HUB_OFFLINE=1 only what is in the cache is used",
            endpoint_, what, answer.problem);
    if (answer.status == 429)
        throw UnavailableError(
            answer.retry_after_s > 0
                ? Message("{} refuses to answer for {} because of too many requests (status 429): try again in {}",
                          endpoint_, what, text::duration(answer.retry_after_s))
                : Message("{} refuses to answer for {} because of too many requests (status 429): try again later",
                          endpoint_, what));
    if (answer.status >= 500)
        throw UnavailableError("{} answered with status {} when it was asked for {}: try again later", endpoint_,
                               answer.status, what);
    if (code == "GatedRepo")
        throw UserError(
            "{} is gated: ask for access on {}, and set HF_TOKEN to a token of that account (hf auth login)",
            repo_.name, page);
    if (code == "RevisionNotFound")
        throw UnknownRepoError("{} on {} does not have the revision {}: check the branch, tag or commit", repo_.name,
                               endpoint_, repo_.revision);
    if (code == "EntryNotFound")
        throw UserError("{} on {} does not have {}", repo_.name, endpoint_, what);
    if (answer.status == 401 && !token_.empty() && code != "RepoNotFound")
        throw UserError("{} does not accept the access token: make a new one, and write it to HF_TOKEN (hf auth login)",
                        endpoint_);
    if (answer.status == 403)
        throw UserError("{} does not allow to read {}: the access token in HF_TOKEN needs the permission to read it",
                        endpoint_, repo_.name);
    const Message way = token_.empty() ? Message("check the name, or set HF_TOKEN to a token that may read it")
                                       : Message("check the name, and whether the access token may read it");
    if (answer.status == 401 || answer.status == 404)
        throw UnknownRepoError(repo_.kind == RepoKind::model
                                   ? Message("{} has no public model named {}: {}", endpoint_, repo_.name, way)
                                   : Message("{} has no public data set named {}: {}", endpoint_, repo_.name, way));
    throw UserError("{} answered with status {} when it was asked for {} of {}", endpoint_, answer.status, what,
                    repo_.name);
}

Listing HubClient::list() {
    const std::string address =
        fmt::format("{}/api/{}/{}/revision/{}", endpoint_, repo_.kind == RepoKind::dataset ? "datasets" : "models",
                    percent_encoded(repo_.name, "/"), percent_encoded(repo_.revision));
    const HttpAnswer answer = patiently(repo_.text(), [&] { return client_.get(address, 0, kLongestListing); });
    if (!answer.ok())
        fail(answer, repo_.text());
    const nlohmann::json json = read_json(answer.body);
    Listing listing;
    if (json.is_object() && json.value("sha", nlohmann::json()).is_string())
        listing.commit = json["sha"].get<std::string>();
    if (is_commit(listing.commit) && json.contains("siblings") && json["siblings"].is_array())
        for (const nlohmann::json& sibling : json["siblings"]) {
            const nlohmann::json name =
                sibling.is_object() ? sibling.value("rfilename", nlohmann::json()) : nlohmann::json();
            if (name.is_string() && is_relative_name(name.get<std::string>()) && listing.files.size() < kMostFiles)
                listing.files.push_back(name.get<std::string>());
        }
    if (listing.files.empty())
        throw UserError("the answer of {} for {} does not list files: check HF_ENDPOINT", endpoint_, repo_.text());
    return listing;
}

std::string HubClient::address_of(const std::string& commit, const std::string& file) const {
    return fmt::format("{}/{}{}/resolve/{}/{}", endpoint_, repo_.kind == RepoKind::dataset ? "datasets/" : "",
                       percent_encoded(repo_.name, "/"), commit, percent_encoded(file, "/"));
}

RemoteFile HubClient::describe(const std::string& commit, const std::string& file) {
    const HttpAnswer answer = patiently(file, [&] { return client_.head(address_of(commit, file)); });
    if (!answer.ok() && (answer.status < 300 || answer.status > 399))
        fail(answer, file);
    const std::string linked = answer.header("x-linked-etag"), size = answer.header("x-linked-size");
    RemoteFile found;
    found.etag = plain_etag(linked.empty() ? answer.header("etag") : linked);
    const auto bytes = parse_number<std::uint64_t>(size.empty() ? answer.header("content-length") : size);
    if (found.etag.empty() || !bytes)
        throw UserError("{} does not say the size and the hash of {} of {}: check HF_ENDPOINT and the proxy", endpoint_,
                        file, repo_.name);
    found.bytes = *bytes;
    return found;
}

void HubClient::read(const std::string& commit, const std::string& file, std::uint64_t begin, std::uint64_t size,
                     const std::function<void(std::string_view)>& sink) {
    std::uint64_t at = begin;
    for (int small_parts = 0;;) {
        const std::uint64_t before = at;
        const HttpAnswer answer = patiently(
            file,
            [&] {
                std::exception_ptr failure;
                HttpAnswer part = client_.read(address_of(commit, file), at, [&](std::string_view bytes) {
                    bytes = bytes.substr(0, size - at);
                    try {
                        sink(bytes);  // exceptions must not pass through libcurl
                    } catch (...) {
                        failure = std::current_exception();
                        return false;
                    }
                    at += bytes.size();
                    return at < size;
                });
                if (failure)
                    std::rethrow_exception(failure);
                if (at > before && at < size && part.status == 0)
                    part.status = 206;  // it is asked again at once, as the loop goes round
                return part;
            },
            at > begin);
        if (at == size)
            return;
        if (!answer.ok())
            fail(answer, file);
        if (at == before)
            throw UserError("{} of {} ended after {} of {} bytes on {}", file, repo_.name, at, size, endpoint_);
        small_parts = at - before < kLeastPart ? small_parts + 1 : 0;
        if (small_parts == kMostAttempts)
            throw UnavailableError(
                "{} of {} arrives too slowly, or in too small parts, from {}: {} of {} are here: check the network and "
                "https_proxy; the next download continues it",
                file, repo_.name, endpoint_, text::file_size(at), text::file_size(size));
        note_(Message("the connection to {} broke after {} of {}: continuing", endpoint_, text::file_size(at), file));
        if (small_parts > 0)
            wait(kFirstPause * small_parts);
    }
}

}  // namespace trainyard::hub
