// SPDX-License-Identifier: GPL-3.0-or-later
#include "worker/answers.h"

#include <cstdio>
#include <new>
#include <string_view>

#include <ATen/Parallel.h>
#include <c10/util/Exception.h>

#include <nlohmann/json.hpp>
#include <poll.h>
#include <unistd.h>

#include "base/error.h"
#include "base/fields.h"
#include "base/json.h"
#include "base/json_writer.h"
#include "base/printable.h"

namespace trainyard::worker {

namespace {

constexpr std::size_t kLongestRequest = 16u << 20;

constexpr const char* kNoMemory =
    "the model does not fit into memory: let part of it be read from disk (--device-map auto, with --max-memory "
    "cpu=SIZE "
    "where less is to be used), or give --dtype bfloat16";

bool is_out_of_memory(const c10::Error& error) {
    return std::string_view(error.what_without_backtrace()).find("memory") != std::string_view::npos;
}

struct Said {
    Message message;
    void fields(auto& field) const { field("message", message); }
};

}  // namespace

std::optional<std::string> RequestLines::line(bool wait) {
    for (;;) {
        if (const std::size_t end = buffer_.find('\n'); end != std::string::npos) {
            std::string line = buffer_.substr(0, end);
            buffer_.erase(0, end + 1);
            return line;
        }
        pollfd ready{STDIN_FILENO, POLLIN, 0};
        if (ended_ || buffer_.size() > kLongestRequest || (!wait && ::poll(&ready, 1, 0) <= 0))
            return std::nullopt;
        char bytes[1 << 16];
        const ssize_t count = ::read(STDIN_FILENO, bytes, sizeof bytes);
        if (count <= 0)
            ended_ = true;
        else
            buffer_.append(bytes, static_cast<std::size_t>(count));
    }
}

void Answers::print(const std::string& text) const {
    if (plain_)
        std::fputs(text::printable_lines(text).c_str(), stdout);
    std::fflush(stdout);
}

void Answers::event(const nlohmann::json& event) const {
    if (plain_)
        return;
    std::fputs((json_text(event) + "\n").c_str(), stdout);
    std::fflush(stdout);
}

void Answers::message_event(const char* kind, const Message& message) const {
    if (plain_)
        std::fprintf(stderr, "trainyard: %s\n", text::printable_lines(message.text()).c_str());
    nlohmann::json json = parse_json(fields::to_text(Said{message}));
    json["event"] = kind;
    event(json);
}

Message problem_of_loading(int threads, const std::function<void()>& load) {
    try {
        if (threads > 0)
            at::set_num_threads(threads);
        load();
        return {};
    } catch (const UserError& error) {
        return message_of(error);
    } catch (const std::bad_alloc&) {
        return Message::table_text(kNoMemory);
    } catch (const c10::Error& error) {
        return is_out_of_memory(error) ? Message::table_text(kNoMemory)
                                       : Message::verbatim(error.what_without_backtrace());
    }
}

}  // namespace trainyard::worker
