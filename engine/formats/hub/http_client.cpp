// SPDX-License-Identifier: GPL-3.0-or-later
#include "formats/hub/http_client.h"

#include <algorithm>
#include <array>
#include <cerrno>
#include <cstdio>
#include <cstdlib>
#include <filesystem>
#include <string_view>

#include <curl/curl.h>
#include <fmt/format.h>

#include "base/clock.h"
#include "base/error.h"
#include "base/number.h"
#include "base/shared_library.h"
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
    decltype(&::curl_getdate) date = nullptr;
    bool usable = false;

    Curl() {
        SystemLibrary library({"libcurl.so.4", "libcurl-gnutls.so.4"});
        library.find(global_init, "curl_global_init");
        library.find(make, "curl_easy_init");
        library.find(set, "curl_easy_setopt");
        library.find(perform, "curl_easy_perform");
        library.find(info, "curl_easy_getinfo");
        library.find(words, "curl_easy_strerror");
        library.find(end, "curl_easy_cleanup");
        library.find(append, "curl_slist_append");
        library.find(free_list, "curl_slist_free_all");
        library.find(date, "curl_getdate");
        usable = library.usable() && global_init(CURL_GLOBAL_DEFAULT) == CURLE_OK;
    }
};

const Curl& curl() {
    static const Curl loaded;
    return loaded;
}

std::uint64_t number_in(std::string_view text) {
    return take_number<std::uint64_t>(text).value_or(0);
}

constexpr const char* kIssuerVariables[] = {"SSL_CERT_FILE", "REQUESTS_CA_BUNDLE", "CURL_CA_BUNDLE", "SSL_CERT_DIR"};

/// A file with certificates, or a folder with one file for each.
bool trust_issuers_in(CURL* handle, const char* place) {
    std::error_code error;
    if (std::filesystem::is_regular_file(place, error))
        curl().set(handle, CURLOPT_CAINFO, place);
    else if (std::filesystem::is_directory(place, error))
        curl().set(handle, CURLOPT_CAPATH, place);
    else
        return false;
    return true;
}

/// The issuers of certificates that a user's other programs trust: the variables of OpenSSL, of Python's requests (as
/// huggingface_hub uses it) and of curl, which libcurl does not read. Without them those of the system.
void trust_issuers(CURL* handle) {
    for (const char* name : kIssuerVariables)
        if (const char* place = std::getenv(name); place != nullptr && *place != 0 && trust_issuers_in(handle, place))
            return;
}

/// The variables that name issuers of certificates and do not lead to any, for messages about certificates.
Message missing_issuers() {
    std::error_code error;
    std::vector<Message> missing;
    for (const char* name : kIssuerVariables)
        if (const char* place = std::getenv(name);
            place != nullptr && *place != 0 && !std::filesystem::exists(place, error))
            missing.push_back(Message("{} names {}, which does not exist", name, place));
    return Message::joined(missing);
}

/// libcurl reads http_proxy in lower case only, since a web server's programs get HTTP_PROXY from a request. A user's
/// Python programs read both.
void choose_proxy(CURL* handle, const std::string& address) {
    const char* proxy = std::getenv("HTTP_PROXY");
    const bool is_used = proxy != nullptr && *proxy != 0 && address.starts_with("http://") &&
                         std::getenv("http_proxy") == nullptr && std::getenv("REQUEST_METHOD") == nullptr;
    curl().set(handle, CURLOPT_PROXY, is_used ? proxy : static_cast<const char*>(nullptr));
}

/// Retry-After: seconds, or a date, which is compared with the server's own clock where it says it.
double retry_after(const HttpAnswer& answer) {
    const std::string after = answer.header("retry-after");
    if (after.empty())
        return 0;
    if (const auto seconds = parse_number<double>(after, 0))
        return *seconds;
    const auto time_in = [](const std::string& text) {
        return static_cast<double>(curl().date(text.c_str(), nullptr));
    };
    const double until = time_in(after), now = time_in(answer.header("date"));
    return until < 0 ? 0 : std::max(0.0, until - (now < 0 ? wall_seconds() : now));
}

constexpr std::size_t kMostHeaders = 200, kLongestHeader = 16u << 10;

/// Why there was no answer: `reason`, or, if it is empty, what libcurl says of the code. What users meet often has a
/// translation, unlike the words of libcurl.
Message words_of(CURLcode code, const char* reason = "") {
    switch (code) {
        case CURLE_COULDNT_RESOLVE_HOST:
            return Message("the name of the host was not found");
        case CURLE_COULDNT_CONNECT:
            return Message("the connection was refused, or no route leads to the host");
        case CURLE_OPERATION_TIMEDOUT:
            return Message("it took too long");
        default:
            return Message::verbatim(*reason != 0 ? reason : curl().words(code));
    }
}

bool cannot_connect(CURLcode code) {
    switch (code) {
        case CURLE_COULDNT_RESOLVE_PROXY:
        case CURLE_COULDNT_RESOLVE_HOST:
        case CURLE_COULDNT_CONNECT:
        case CURLE_URL_MALFORMAT:
        case CURLE_UNSUPPORTED_PROTOCOL:
        case CURLE_PEER_FAILED_VERIFICATION:
        case CURLE_SSL_CACERT_BADFILE:
        case CURLE_SSL_CERTPROBLEM:
        case CURLE_SSL_CONNECT_ERROR:
            return true;
        default:
            return false;
    }
}

}  // namespace

/// State of a response while it is received.
struct HttpClient::Arriving {
    HttpAnswer answer = {};
    std::uint64_t begin = 0;
    std::uint64_t count = 0;  ///< wanted, without a sink
    std::uint64_t skip = 0;   ///< bytes before the wanted ones, of a server that sends the whole file
    const std::function<bool(std::string_view)>* sink = nullptr;
    bool headers_alone = false, ended = false;

    /// Called for each header, including those of redirects: a status line resets the answer.
    static std::size_t take_header(char* bytes, std::size_t, std::size_t size, void* arriving) {
        auto& [answer, begin, count, skip, sink, headers_alone, ended] = *static_cast<Arriving*>(arriving);
        const std::string_view line(bytes, size);
        if (line.starts_with("HTTP/")) {
            const std::size_t space = line.find(' ');
            answer = {};
            answer.status = space == line.npos ? 0 : static_cast<long>(number_in(line.substr(space + 1)));
            skip = answer.status == 206 ? 0 : begin;
            return size;
        }
        const std::size_t colon = line.find(':');
        if (colon == line.npos || size > kLongestHeader || answer.headers.size() >= kMostHeaders)
            return size;
        std::string name(line.substr(0, colon));
        std::transform(name.begin(), name.end(), name.begin(), [](unsigned char c) { return std::tolower(c); });
        const std::string_view value = text::trimmed(line.substr(colon + 1));
        if (name == "content-range" && answer.status == 206) {
            if (const std::size_t slash = value.find('/'); slash != value.npos)
                answer.file_bytes = number_in(value.substr(slash + 1));
            if (value.starts_with("bytes ") && number_in(value.substr(6)) != begin)
                return 0;  // other bytes than were asked for
        } else if (name == "content-length" && answer.status == 200) {
            answer.file_bytes = number_in(value);
        }
        answer.headers[std::move(name)] = value;
        return size;
    }

    /// Fewer bytes than arrived end the request.
    static std::size_t take_body(char* bytes, std::size_t, std::size_t size, void* arriving) {
        auto& [answer, begin, count, skip, sink, headers_alone, ended] = *static_cast<Arriving*>(arriving);
        if (sink != nullptr && !answer.ok())
            return size;
        const std::uint64_t skipped = std::min<std::uint64_t>(skip, size);
        skip -= skipped;
        const std::string_view wanted(bytes + skipped, size - skipped);
        if (sink != nullptr) {
            ended = !wanted.empty() && !(*sink)(wanted);
            return ended ? 0 : size;
        }
        const std::uint64_t taken = std::min<std::uint64_t>(count - answer.body.size(), wanted.size());
        answer.body.append(wanted.substr(0, taken));
        return skipped + taken == size ? size : 0;
    }
};

namespace {

/// The rest of a body of a text, a file and a text.
struct SentBody {
    std::string_view begin, end;
    std::FILE* file = nullptr;

    static std::size_t read(char* bytes, std::size_t, std::size_t room, void* body) {
        auto& [begin, end, file] = *static_cast<SentBody*>(body);
        if (begin.empty())
            if (const std::size_t n = std::fread(bytes, 1, room, file); n > 0)
                return n;
        if (std::ferror(file) != 0)
            return CURL_READFUNC_ABORT;
        std::string_view& text = begin.empty() ? end : begin;
        const std::size_t n = text.copy(bytes, room);
        text.remove_prefix(n);
        return n;
    }
};

}  // namespace

struct HttpClient::Connection {
    CURL* handle = nullptr;
    curl_slist* headers = nullptr;
    std::stop_token stop;
    std::array<char, CURL_ERROR_SIZE> reason{};  ///< libcurl's precise words about the request

    /// Called now and then while a request is under way; not 0 ends it.
    static int ends(void* connection, curl_off_t, curl_off_t, curl_off_t, curl_off_t) {
        return static_cast<Connection*>(connection)->stop.stop_requested() ? 1 : 0;
    }
};

HttpClient::HttpClient(const std::string& token, std::stop_token stop, long timeout)
    : connection_(std::make_unique<Connection>()) {
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
    trust_issuers(connection_->handle);
    set(CURLOPT_ERRORBUFFER, connection_->reason.data());
    set(CURLOPT_NOSIGNAL, 1L);
    set(CURLOPT_MAXREDIRS, 10L);
    set(CURLOPT_BUFFERSIZE, 256L << 10);
    // The names of protocols as texts came with libcurl 7.85, their bits are understood by all versions.
    set(static_cast<CURLoption>(CURLOPTTYPE_LONG + 181), static_cast<long>(CURLPROTO_HTTP | CURLPROTO_HTTPS));
    set(static_cast<CURLoption>(CURLOPTTYPE_LONG + 182), static_cast<long>(CURLPROTO_HTTP | CURLPROTO_HTTPS));
    set(CURLOPT_CONNECTTIMEOUT, 10L);
    set(CURLOPT_LOW_SPEED_LIMIT, 1024L);
    set(CURLOPT_LOW_SPEED_TIME, timeout);
    set(CURLOPT_USERAGENT, "trainyard");
    set(CURLOPT_HEADERFUNCTION, &Arriving::take_header);
    set(CURLOPT_WRITEFUNCTION, &Arriving::take_body);
}

HttpClient::~HttpClient() {
    curl().end(connection_->handle);
    curl().free_list(connection_->headers);
}

void HttpClient::set_certificates(const HttpCertificates& certificates) {
    const auto set = [&](CURLoption option, auto value) { curl().set(connection_->handle, option, value); };
    if (!certificates.issuers.empty() && !trust_issuers_in(connection_->handle, certificates.issuers.c_str()))
        throw UserError("cannot read {}: {}", certificates.issuers.string(), system_message(ENOENT));
    if (!certificates.own.empty())
        set(CURLOPT_SSLCERT, certificates.own.c_str());
    set(CURLOPT_SSL_VERIFYPEER, certificates.are_checked ? 1L : 0L);
    set(CURLOPT_SSL_VERIFYHOST, certificates.are_checked ? 2L : 0L);
}

HttpAnswer HttpClient::failure(int code) const {
    const auto kind = static_cast<CURLcode>(code);
    const Message words = words_of(kind);
    const Message precise = connection_->reason.front() == 0 ? words : Message::verbatim(connection_->reason.data());
    HttpAnswer answer{.problem = words, .unreachable = cannot_connect(kind)};
    long of_proxy = 0;
    curl().info(connection_->handle, CURLINFO_HTTP_CONNECTCODE, &of_proxy);
    if (of_proxy >= 300) {
        answer.unreachable = true;
        answer.problem =
            of_proxy == 407
                ? Message(
                      "the proxy does not accept the user and password (407): check "
                      "https_proxy, as in http://user:password@proxy:8080")
                : Message("the proxy does not connect to it ({}): check https_proxy and no_proxy", of_proxy);
    } else if (kind == CURLE_COULDNT_RESOLVE_PROXY) {
        answer.problem = precise;
    } else if (kind == CURLE_PEER_FAILED_VERIFICATION || kind == CURLE_SSL_CACERT_BADFILE ||
               kind == CURLE_SSL_CERTPROBLEM) {
        const Message missing = missing_issuers();
        answer.problem = Message::joined({Message("its certificate cannot be checked: {}", precise), missing});
    }
    return answer;
}

HttpAnswer HttpClient::perform(const std::string& address, Arriving& arriving) {
    const auto set = [&](CURLoption option, auto value) { curl().set(connection_->handle, option, value); };
    std::string range = fmt::format("{}-", arriving.begin);
    if (arriving.sink == nullptr)
        range += fmt::format("{}", arriving.begin + arriving.count - 1);
    const bool whole = arriving.headers_alone || (arriving.sink != nullptr && arriving.begin == 0);
    choose_proxy(connection_->handle, address);
    connection_->reason.front() = 0;
    set(CURLOPT_URL, address.c_str());
    set(CURLOPT_RANGE, whole ? static_cast<const char*>(nullptr) : range.c_str());
    set(CURLOPT_FOLLOWLOCATION, arriving.headers_alone ? 0L : 1L);
    if (arriving.headers_alone)
        set(CURLOPT_NOBODY, 1L);
    else
        set(CURLOPT_HTTPGET, 1L);  // also turns CURLOPT_NOBODY off
    set(CURLOPT_HEADERDATA, &arriving);
    set(CURLOPT_WRITEDATA, &arriving);
    const CURLcode code = curl().perform(connection_->handle);
    const bool had_enough =
        code == CURLE_WRITE_ERROR &&
        (arriving.sink != nullptr ? arriving.ended
                                  : arriving.answer.ok() && arriving.answer.body.size() == arriving.count);
    if (code != CURLE_OK && !had_enough)
        return failure(code);
    arriving.answer.retry_after_s = retry_after(arriving.answer);
    return std::move(arriving.answer);
}

HttpAnswer HttpClient::get(const std::string& address, std::uint64_t begin, std::uint64_t count) {
    Arriving arriving{.begin = begin, .count = count};
    return perform(address, arriving);
}

HttpAnswer HttpClient::head(const std::string& address) {
    constexpr int kMostRedirects = 5;
    std::string at = address;
    for (int redirects = 0;; ++redirects) {
        Arriving arriving{.headers_alone = true};
        HttpAnswer answer = perform(at, arriving);
        const std::string to = answer.header("location");
        if (answer.status < 300 || answer.status > 399 || !to.starts_with('/') || to.starts_with("//") ||
            redirects == kMostRedirects)
            return answer;
        const std::size_t host = at.find("://");
        at.replace(std::min(at.find('/', host + 3), at.size()), std::string::npos, to);
    }
}

bool HttpClient::is_available() {
    return curl().usable;
}

HttpAnswer HttpClient::send(const HttpRequest& request) {
    const auto set = [&](CURLoption option, auto value) { curl().set(connection_->handle, option, value); };
    constexpr std::uint64_t kMostAnswer = 16u << 20;
    Arriving arriving{.count = kMostAnswer};
    const std::unique_ptr<std::FILE, int (*)(std::FILE*)> file(
        request.file.empty() ? nullptr : std::fopen(request.file.c_str(), "rbe"),
        [](std::FILE* open) { return open == nullptr ? 0 : std::fclose(open); });
    if (!request.file.empty() && file == nullptr)
        throw UserError("cannot read {}: {}", request.file.string(), system_message(errno));
    SentBody sent{request.body, request.file_end, file.get()};
    curl_slist* headers = nullptr;
    for (const std::string& header : request.headers)
        headers = curl().append(headers, header.c_str());
    headers = curl().append(headers, "Expect:");  // no server here answers before the body
    choose_proxy(connection_->handle, request.address);
    connection_->reason.front() = 0;
    set(CURLOPT_URL, request.address.c_str());
    set(CURLOPT_RANGE, static_cast<const char*>(nullptr));
    set(CURLOPT_FOLLOWLOCATION, 0L);
    set(CURLOPT_HTTPHEADER, headers);
    if (!request.user_and_password.empty()) {
        set(CURLOPT_HTTPAUTH, static_cast<long>(CURLAUTH_BASIC));
        set(CURLOPT_USERPWD, request.user_and_password.c_str());
    } else if (request.use_netrc) {
        set(CURLOPT_NETRC, static_cast<long>(CURL_NETRC_OPTIONAL));
    }
    if (file != nullptr) {
        set(CURLOPT_UPLOAD, 1L);
        set(CURLOPT_READFUNCTION, &SentBody::read);
        set(CURLOPT_READDATA, &sent);
        set(CURLOPT_INFILESIZE_LARGE, static_cast<curl_off_t>(request.body.size() + request.file_end.size() +
                                                              std::filesystem::file_size(request.file)));
        set(CURLOPT_TIMEOUT_MS, 0L);
    } else {
        if (request.method == "GET") {
            set(CURLOPT_HTTPGET, 1L);
        } else {
            set(CURLOPT_POST, 1L);
            set(CURLOPT_POSTFIELDSIZE_LARGE, static_cast<curl_off_t>(request.body.size()));
            set(CURLOPT_POSTFIELDS, request.body.data());
        }
        set(CURLOPT_TIMEOUT_MS, static_cast<long>(request.limit_s * 1000));
    }
    set(CURLOPT_CUSTOMREQUEST, request.method.c_str());
    set(CURLOPT_HEADERDATA, &arriving);
    set(CURLOPT_WRITEDATA, &arriving);
    const CURLcode code = curl().perform(connection_->handle);
    // The next request may be one of get().
    set(CURLOPT_HTTPGET, 1L);
    set(CURLOPT_CUSTOMREQUEST, static_cast<const char*>(nullptr));
    set(CURLOPT_HTTPHEADER, connection_->headers);
    set(CURLOPT_USERPWD, static_cast<const char*>(nullptr));
    set(CURLOPT_NETRC, static_cast<long>(CURL_NETRC_IGNORED));
    set(CURLOPT_TIMEOUT_MS, 0L);
    curl().free_list(headers);
    if (code != CURLE_OK)
        return failure(code);
    arriving.answer.retry_after_s = retry_after(arriving.answer);
    return std::move(arriving.answer);
}

HttpAnswer send_mail(const Mail& mail) {
    CURL* handle = curl().make();
    if (handle == nullptr)
        return {.problem = "libcurl cannot be used"};
    const auto set = [handle](CURLoption option, auto value) { curl().set(handle, option, value); };
    const bool tls = mail.security == Mail::Security::tls;
    const std::string address = (tls ? "smtps://" : "smtp://") + mail.server +
                                (mail.server.find(':') != std::string::npos || tls ? ""
                                 : mail.security == Mail::Security::none           ? ":25"
                                                                                   : ":587");
    curl_slist* receivers = nullptr;
    for (const std::string& one : mail.to)
        receivers = curl().append(receivers, ("<" + one + ">").c_str());
    const std::string from = "<" + mail.from + ">";
    std::string_view left = mail.text;
    std::array<char, CURL_ERROR_SIZE> reason{};
    trust_issuers(handle);
    set(CURLOPT_URL, address.c_str());
    set(CURLOPT_ERRORBUFFER, reason.data());
    set(CURLOPT_NOSIGNAL, 1L);
    set(CURLOPT_USE_SSL, static_cast<long>(mail.security == Mail::Security::none ? CURLUSESSL_NONE : CURLUSESSL_ALL));
    if (!mail.user.empty()) {
        set(CURLOPT_USERNAME, mail.user.c_str());
        set(CURLOPT_PASSWORD, mail.password.c_str());
    }
    set(CURLOPT_MAIL_FROM, from.c_str());
    set(CURLOPT_MAIL_RCPT, receivers);
    set(CURLOPT_UPLOAD, 1L);
    set(
        CURLOPT_READFUNCTION, +[](char* bytes, std::size_t size, std::size_t count, void* rest) -> std::size_t {
            auto& text = *static_cast<std::string_view*>(rest);
            const std::size_t n = text.copy(bytes, size * count);
            text.remove_prefix(n);
            return n;
        });
    set(CURLOPT_READDATA, &left);
    set(CURLOPT_CONNECTTIMEOUT, 10L);
    set(CURLOPT_TIMEOUT_MS, static_cast<long>(mail.limit_s * 1000));
    HttpAnswer answer;
    if (const CURLcode code = curl().perform(handle); code != CURLE_OK)
        answer.problem = words_of(code, reason.data());
    curl().info(handle, CURLINFO_RESPONSE_CODE, &answer.status);
    curl().end(handle);
    curl().free_list(receivers);
    return answer;
}

HttpAnswer HttpClient::read(const std::string& address, std::uint64_t begin,
                            const std::function<bool(std::string_view)>& sink) {
    Arriving arriving{.begin = begin, .sink = &sink};
    return perform(address, arriving);
}

}  // namespace trainyard::hub
