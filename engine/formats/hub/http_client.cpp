// SPDX-License-Identifier: GPL-3.0-or-later
#include "formats/hub/http_client.h"

#include <algorithm>
#include <string_view>

#include <curl/curl.h>
#include <dlfcn.h>
#include <fmt/format.h>

#include "base/error.h"
#include "base/number.h"
#include "base/text.h"

namespace trainyard::hub {

namespace {

/// libcurl, loaded for the rest of the process.
struct Curl {
    decltype(&::curl_global_init) global_init = nullptr;
    decltype(&::curl_easy_init) make = nullptr;
    decltype(&::curl_easy_setopt) set = nullptr;
    decltype(&::curl_easy_perform) perform = nullptr;
    decltype(&::curl_easy_getinfo) info = nullptr;
    decltype(&::curl_easy_strerror) words = nullptr;
    decltype(&::curl_easy_cleanup) end = nullptr;
    decltype(&::curl_slist_append) append = nullptr;
    decltype(&::curl_slist_free_all) free_list = nullptr;
    bool usable = true;

    Curl() {
        void* library = nullptr;
        for (const char* name : {"libcurl.so.4", "libcurl-gnutls.so.4"})
            if (library == nullptr)
                library = ::dlopen(name, RTLD_NOW | RTLD_LOCAL);
        if (library == nullptr) {
            usable = false;
            return;
        }
        const auto find = [&]<class Function>(Function& function, const char* name) {
            function = reinterpret_cast<Function>(::dlsym(library, name));
            usable = usable && function != nullptr;
        };
        find(global_init, "curl_global_init");
        find(make, "curl_easy_init");
        find(set, "curl_easy_setopt");
        find(perform, "curl_easy_perform");
        find(info, "curl_easy_getinfo");
        find(words, "curl_easy_strerror");
        find(end, "curl_easy_cleanup");
        find(append, "curl_slist_append");
        find(free_list, "curl_slist_free_all");
        usable = usable && global_init(CURL_GLOBAL_DEFAULT) == CURLE_OK;
    }
};

const Curl& curl() {
    static const Curl loaded;
    return loaded;
}

std::uint64_t number_in(std::string_view text) {
    return take_number<std::uint64_t>(text).value_or(0);
}

/// State of a response while it is received.
struct Arriving {
    HttpAnswer answer;
    std::uint64_t skip = 0;   ///< bytes before the wanted ones, of a server that sends the whole file
    std::uint64_t count = 0;  ///< wanted
    std::uint64_t begin = 0;
};

/// Called for each header, including those of redirects: a status line resets the answer.
std::size_t take_header(char* bytes, std::size_t, std::size_t size, void* arriving) {
    auto& [answer, skip, count, begin] = *static_cast<Arriving*>(arriving);
    const std::string_view line(bytes, size);
    if (line.starts_with("HTTP/")) {
        const std::size_t space = line.find(' ');
        answer = {};
        answer.status = space == line.npos ? 0 : static_cast<long>(number_in(line.substr(space + 1)));
        skip = answer.status == 206 ? 0 : begin;
        return size;
    }
    const std::size_t colon = line.find(':');
    if (colon == line.npos)
        return size;
    std::string name(line.substr(0, colon));
    std::transform(name.begin(), name.end(), name.begin(), [](unsigned char c) { return std::tolower(c); });
    std::string_view value = line.substr(colon + 1);
    value.remove_prefix(std::min(value.find_first_not_of(' '), value.size()));
    if (name == "content-range" && answer.status == 206) {
        if (const std::size_t slash = value.find('/'); slash != value.npos)
            answer.file_bytes = number_in(value.substr(slash + 1));
    } else if (name == "content-length" && answer.status == 200) {
        answer.file_bytes = number_in(value);
    }
    return size;
}

/// Fewer bytes than arrived end the request.
std::size_t take_body(char* bytes, std::size_t, std::size_t size, void* arriving) {
    auto& [answer, skip, count, begin] = *static_cast<Arriving*>(arriving);
    const std::uint64_t skipped = std::min<std::uint64_t>(skip, size);
    skip -= skipped;
    const std::uint64_t room = count - answer.body.size(), taken = std::min<std::uint64_t>(room, size - skipped);
    answer.body.append(bytes + skipped, taken);
    return skipped + taken == size ? size : 0;
}

}  // namespace

struct HttpClient::Connection {
    CURL* handle = nullptr;
    curl_slist* headers = nullptr;
    std::stop_token stop;

    /// Called now and then while a request is under way; not 0 ends it.
    static int ends(void* connection, curl_off_t, curl_off_t, curl_off_t, curl_off_t) {
        return static_cast<Connection*>(connection)->stop.stop_requested() ? 1 : 0;
    }
};

HttpClient::HttpClient(const std::string& token, std::stop_token stop) : connection_(std::make_unique<Connection>()) {
    connection_->stop = std::move(stop);
    if (!curl().usable || (connection_->handle = curl().make()) == nullptr)
        throw UserError("libcurl is not installed (Debian: libcurl4), so models of a hub cannot be looked up");
    const auto set = [&](CURLoption option, auto value) { curl().set(connection_->handle, option, value); };
    if (!token.empty()) {
        // A header that libcurl leaves out when it follows to another host, port or protocol.
        connection_->headers = curl().append(nullptr, ("Authorization: Bearer " + token).c_str());
        set(CURLOPT_HTTPHEADER, connection_->headers);
    }
    if (connection_->stop.stop_possible()) {
        set(CURLOPT_NOPROGRESS, 0L);
        set(CURLOPT_XFERINFOFUNCTION, &Connection::ends);
        set(CURLOPT_XFERINFODATA, connection_.get());
    }
    set(CURLOPT_NOSIGNAL, 1L);
    set(CURLOPT_FOLLOWLOCATION, 1L);
    set(CURLOPT_MAXREDIRS, 10L);
    // The names of protocols as texts came with libcurl 7.85, their bits are understood by all versions.
    set(static_cast<CURLoption>(CURLOPTTYPE_LONG + 181), static_cast<long>(CURLPROTO_HTTP | CURLPROTO_HTTPS));
    set(static_cast<CURLoption>(CURLOPTTYPE_LONG + 182), static_cast<long>(CURLPROTO_HTTP | CURLPROTO_HTTPS));
    set(CURLOPT_CONNECTTIMEOUT, 10L);
    set(CURLOPT_LOW_SPEED_LIMIT, 1L);
    set(CURLOPT_LOW_SPEED_TIME, 20L);
    set(CURLOPT_USERAGENT, "trainyard");
    set(CURLOPT_HEADERFUNCTION, &take_header);
    set(CURLOPT_WRITEFUNCTION, &take_body);
}

HttpClient::~HttpClient() {
    curl().end(connection_->handle);
    curl().free_list(connection_->headers);
}

HttpAnswer HttpClient::get(const std::string& address, std::uint64_t begin, std::uint64_t count) {
    Arriving arriving;
    arriving.begin = begin;
    arriving.count = count;
    const std::string range = fmt::format("{}-{}", begin, begin + count - 1);
    curl().set(connection_->handle, CURLOPT_URL, address.c_str());
    curl().set(connection_->handle, CURLOPT_RANGE, range.c_str());
    curl().set(connection_->handle, CURLOPT_HEADERDATA, &arriving);
    curl().set(connection_->handle, CURLOPT_WRITEDATA, &arriving);
    const CURLcode code = curl().perform(connection_->handle);
    const bool had_enough = code == CURLE_WRITE_ERROR && arriving.answer.body.size() == count;
    if (code != CURLE_OK && !had_enough)
        return {.problem = Message::verbatim(curl().words(code))};
    return std::move(arriving.answer);
}

}  // namespace trainyard::hub
