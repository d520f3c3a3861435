// SPDX-License-Identifier: GPL-3.0-or-later
#include "observe/track/json_server.h"

#include <algorithm>
#include <fstream>

#include "base/error.h"
#include "base/json.h"
#include "base/json_writer.h"
#include "base/printable.h"
#include "base/text.h"

namespace trainyard::track {

namespace {

/// The server's words about a request that it refuses, as Comet, ClearML, SwanLab and GraphQL have them; empty: none.
std::string reason_of(const hub::HttpAnswer& answer) {
    const Json content = read_ordered_json(answer.body);
    const Json& errors = member(content, "errors");
    std::string words = text_member(content, "msg");
    for (const auto& [place, key] : {std::pair{&member(content, "meta"), "result_msg"},
                                     {errors.is_array() && !errors.empty() ? &errors[0] : &errors, "message"},
                                     {&content, "message"}})
        if (words.empty())
            words = text_member(*place, key);
    return text::printable(words);
}

}  // namespace

const Json& member(const Json& object, const char* key) {
    static const Json none = Json::object();
    const auto found = object.is_object() ? object.find(key) : object.end();
    return !object.is_object() || found == object.end() || found->is_null() ? none : *found;
}

std::string text_member(const Json& object, const char* key) {
    const Json& found = member(object, key);
    return found.is_string() ? found.get<std::string>() : std::string();
}

std::string netrc_password(const fs::path& file, const std::vector<std::string>& hosts) {
    std::ifstream words(file);
    bool is_host = false;
    for (std::string word, value; words >> word;) {
        if (word == "machine")
            is_host = words >> value && std::ranges::find(hosts, value) != hosts.end();
        else if (word == "default")
            is_host = true;
        else if (word == "password" && words >> value && is_host)
            return value;
    }
    return {};
}

JsonServer::JsonServer(About about, std::stop_token stop)
    : about_(std::move(about)), client_(make_client(std::move(stop), about_.certificates)) {}

ServiceUnavailable JsonServer::is_another_server(const Message& what) const {
    return {Message("{} did not answer as a {} server: {}", about_.address, about_.tool, what), true};
}

hub::HttpAnswer JsonServer::send(hub::HttpRequest request, const std::string& path, bool may_be_missing) {
    request.address = path.find("://") == std::string::npos ? about_.address + path : path;
    request.headers.insert(request.headers.end(), headers.begin(), headers.end());
    request.user_and_password = user_and_password;
    hub::HttpAnswer answer = answer_of(*client_, request, about_.address, about_.credentials);
    const std::string reason = answer.ok() ? std::string() : reason_of(answer);
    if (answer.status == 400 || answer.status == 422)
        throw UserError("{} refuses a request to {} ({})", about_.address, path,
                        Message::verbatim(reason.empty() ? std::to_string(answer.status) : reason));
    if (answer.ok() || answer.status == 201 || answer.status == 204 || (may_be_missing && answer.status == 404))
        return answer;
    if (!reason.empty())
        throw ServiceUnavailable(
            Message("{} answers {} to {}: {}", about_.address, answer.status, path, Message::verbatim(reason)), true);
    throw ServiceUnavailable(Message("{} did not answer as a {} server ({} to {}): check {}", about_.address,
                                     about_.tool, answer.status, path, about_.setting),
                             true);
}

Json JsonServer::post(const std::string& path, const Json& body) {
    return post_text(path, trainyard::json_text(body), "application/json");
}

Json JsonServer::post_text(const std::string& path, std::string body, const std::string& content_type) {
    hub::HttpRequest request;
    request.headers = {"Content-Type: " + content_type};
    request.body = std::move(body);
    return content_of(send(std::move(request), path), path);
}

Json JsonServer::send(const std::string& method, const std::string& path, const Json& body) {
    hub::HttpRequest request;
    request.method = method;
    request.headers = {"Content-Type: application/json"};
    request.body = trainyard::json_text(body);
    return content_of(send(std::move(request), path), path);
}

std::optional<Json> JsonServer::find(const std::string& path) {
    hub::HttpRequest request;
    request.method = "GET";
    const hub::HttpAnswer answer = send(std::move(request), path, true);
    return answer.status == 404 ? std::nullopt : std::optional(content_of(answer, path));
}

/// An answer may be empty; a page for people is not one of the tool.
Json JsonServer::content_of(const hub::HttpAnswer& answer, const std::string& path) const {
    Json content = read_ordered_json(answer.body);
    if (content.is_discarded() && !text::trimmed(answer.body).empty())
        throw is_another_server(Message("the answer to {} is not JSON", path));
    return content.is_object() ? content : Json::object();
}

void JsonServer::post_file(const std::string& path, const std::string& field, const std::string& name,
                           const fs::path& file) {
    const auto quoted = [](std::string text) {
        for (const auto& [from, to] : {std::pair{"\"", "%22"}, {"\r", "%0D"}, {"\n", "%0A"}})
            for (std::size_t at = 0; (at = text.find(from, at)) != std::string::npos;)
                text.replace(at, 1, to);
        return text;
    };
    const std::string boundary = "trainyard-" + random_hex(32);
    hub::HttpRequest request;
    request.headers = {"Content-Type: multipart/form-data; boundary=" + boundary};
    request.body = "--" + boundary + "\r\nContent-Disposition: form-data; name=\"" + quoted(field) + "\"; filename=\"" +
                   quoted(name) + "\"\r\nContent-Type: application/octet-stream\r\n\r\n";
    request.file = file;
    request.file_end = "\r\n--" + boundary + "--\r\n";
    send(std::move(request), path);
}

void JsonServer::put(const std::string& address, const fs::path& file, const std::string& name,
                     const std::vector<std::string>& given) {
    hub::HttpRequest request;
    request.method = "PUT";
    request.address = address;
    request.file = file;
    request.headers = given;
    const hub::HttpAnswer stored = answer_of(*client_, request, about_.address, about_.credentials);
    if (stored.status >= 400)
        throw UserError("{} does not store {} ({})", about_.address, name, stored.status);
}

}  // namespace trainyard::track
