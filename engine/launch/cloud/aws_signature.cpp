// SPDX-License-Identifier: GPL-3.0-or-later
#include "launch/cloud/aws_signature.h"

#include <algorithm>
#include <array>
#include <map>
#include <sstream>

#include <fmt/format.h>
#include <fmt/ranges.h>
#include <openssl/evp.h>
#include <openssl/hmac.h>

#include "base/error.h"
#include "base/hex.h"
#include "base/letter_case.h"
#include "base/percent_encoding.h"

namespace trainyard::cloud {

namespace {

std::string hmac(const std::string& key, const std::string& text) {
    std::array<unsigned char, EVP_MAX_MD_SIZE> out{};
    unsigned int size = 0;
    HMAC(EVP_sha256(), key.data(), static_cast<int>(key.size()), reinterpret_cast<const unsigned char*>(text.data()),
         text.size(), out.data(), &size);
    return {reinterpret_cast<const char*>(out.data()), size};
}

struct Address {
    std::string host, path, query;
};

Address parts_of(const std::string& address) {
    const std::size_t scheme = address.find("://");
    if (scheme == std::string::npos)
        throw UserError("{} is not an address: begin it with https://", address);
    const std::size_t begin = scheme + 3, slash = address.find_first_of("/?", begin);
    Address parts{address.substr(begin, slash - begin), "/", ""};
    if (parts.host.empty())
        throw UserError("{} has no host", address);
    for (const char* usual : {":443", ":80"})
        if (parts.host.ends_with(usual) && address.starts_with(usual == std::string(":443") ? "https:" : "http:"))
            parts.host.resize(parts.host.size() - std::string(usual).size());
    if (slash == std::string::npos)
        return parts;
    const std::size_t mark = address.find('?', slash);
    if (mark != slash)
        parts.path = address.substr(slash, mark - slash);
    if (mark != std::string::npos)
        parts.query = address.substr(mark + 1);
    return parts;
}

/// Without "." and ".." and empty parts, and encoded once more than it is sent.
std::string normalised(const std::string& path) {
    std::vector<std::string> kept;
    std::istringstream in(path);
    for (std::string part; std::getline(in, part, '/');) {
        if (part == ".." && !kept.empty())
            kept.pop_back();
        else if (!part.empty() && part != "." && part != "..")
            kept.push_back(part);
    }
    const std::string plain =
        fmt::format("/{}{}", fmt::join(kept, "/"), path.ends_with('/') && !kept.empty() ? "/" : "");
    return percent_encoded(plain, "/");
}

std::string sorted_query(const std::string& query) {
    if (query.empty())
        return "";
    std::vector<std::pair<std::string, std::string>> pairs;
    std::istringstream in(query);
    for (std::string pair; std::getline(in, pair, '&');) {
        const std::size_t equals = pair.find('=');
        pairs.emplace_back(pair.substr(0, equals), equals == std::string::npos ? "" : pair.substr(equals + 1));
    }
    std::ranges::sort(pairs);
    std::vector<std::string> words;
    for (const auto& [name, value] : pairs)
        words.push_back(name + "=" + value);
    return fmt::format("{}", fmt::join(words, "&"));
}

/// Blanks at both ends and double ones do not count.
std::string single_blanks(const std::string& value) {
    std::istringstream in(value);
    std::vector<std::string> words;
    for (std::string word; in >> word;)
        words.push_back(word);
    return fmt::format("{}", fmt::join(words, " "));
}

}  // namespace

std::string sha256_digits(const std::string& bytes) {
    std::array<unsigned char, EVP_MAX_MD_SIZE> out{};
    unsigned int size = 0;
    EVP_Digest(bytes.data(), bytes.size(), out.data(), &size, EVP_sha256(), nullptr);
    return to_hex({reinterpret_cast<const char*>(out.data()), size});
}

AwsSignature sign(const AwsRequest& request, const AwsKeys& keys, const std::string& time) {
    const Address address = parts_of(request.address);
    const std::string body_hash = sha256_digits(request.body);
    AwsSignature made;
    made.headers.emplace_back("X-Amz-Date", time);
    if (!keys.session_token.empty())
        made.headers.emplace_back("X-Amz-Security-Token", keys.session_token);
    const bool is_storage = request.service == "s3";
    if (is_storage)
        made.headers.emplace_back("X-Amz-Content-SHA256", body_hash);

    std::map<std::string, std::string> signed_headers{{"host", address.host}};
    for (const auto* headers : {&request.headers, &std::as_const(made.headers)})
        for (const auto& [name, value] : *headers)
            signed_headers[text::lower(name)] = single_blanks(value);
    std::string lines, names;
    for (const auto& [name, value] : signed_headers) {
        lines += name + ":" + value + "\n";
        names += (names.empty() ? "" : ";") + name;
    }
    made.canonical_request =
        fmt::format("{}\n{}\n{}\n{}\n{}\n{}", request.method, is_storage ? address.path : normalised(address.path),
                    sorted_query(address.query), lines, names, body_hash);
    const std::string day = time.substr(0, 8);
    const std::string scope = fmt::format("{}/{}/{}/aws4_request", day, request.region, request.service);
    made.text = fmt::format("AWS4-HMAC-SHA256\n{}\n{}\n{}", time, scope, sha256_digits(made.canonical_request));
    std::string key = "AWS4" + keys.secret_key;
    for (const std::string& part : {day, request.region, request.service, std::string("aws4_request")})
        key = hmac(key, part);
    made.signature = to_hex(hmac(key, made.text));
    made.headers.emplace_back("Authorization",
                              fmt::format("AWS4-HMAC-SHA256 Credential={}/{}, SignedHeaders={}, Signature={}",
                                          keys.access_key, scope, names, made.signature));
    return made;
}

}  // namespace trainyard::cloud
