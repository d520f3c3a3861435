// SPDX-License-Identifier: GPL-3.0-or-later
#include "alarms/delivery.h"

#include <algorithm>
#include <cstdlib>
#include <ctime>

#include <fmt/chrono.h>
#include <fmt/format.h>
#include <fmt/ranges.h>
#include <nlohmann/json.hpp>
#include <sys/wait.h>

#include "base/clock.h"
#include "base/error.h"
#include "base/fields.h"
#include "base/find_program.h"
#include "base/json_writer.h"
#include "base/percent_encoding.h"
#include "base/process.h"
#include "base/random_hex.h"
#include "base/run_program.h"
#include "base/text.h"
#include "formats/hub/http_client.h"

namespace trainyard::alarms {

namespace {

constexpr std::size_t kMostDiscord = 2000;  // characters of a message, by its documentation
constexpr std::size_t kMostAnswer = 200;    // bytes of a server's answer that are shown

std::string one_line(std::string text) {
    std::ranges::replace_if(
        text, [](unsigned char c) { return c < 0x20 || c == 0x7f; }, ' ');
    return text;
}

/// The text as the content of a JSON string, without its quotes.
std::string json_escaped(const std::string& text) {
    const std::string quoted = quoted_json(text);
    return quoted.substr(1, quoted.size() - 2);
}

/// Replaces the placeholders in one pass, so that a value with braces stays as it is.
std::string filled(const std::string& form, const Alarm& alarm, std::string_view secret,
                   std::string (*written)(std::string)) {
    const std::pair<std::string_view, std::string> values[] = {
        {"{title}", alarm.title},
        {"{text}", alarm.text},
        {"{run}", alarm.run},
        {"{name}", alarm.name},
        {"{kind}", alarm.kind},
        {"{host}", alarm.host},
        {"{step}", alarm.step < 0 ? "" : std::to_string(alarm.step)}};
    std::string text;
    for (std::size_t at = 0; at < form.size();) {
        const std::string_view rest = std::string_view(form).substr(at);
        if (rest.starts_with("{secret}")) {
            text += secret;
            at += std::string_view("{secret}").size();
            continue;
        }
        const auto value = std::ranges::find_if(values, [&](const auto& one) { return rest.starts_with(one.first); });
        if (value == std::end(values)) {
            text += form[at++];
        } else {
            text += written(value->second);
            at += value->first.size();
        }
    }
    return text;
}

std::string as_it_is(std::string text) {
    return text;
}

std::string in_address(std::string text) {
    return percent_encoded(text);
}

/// A line of what the server or program said, without the secret.
std::string answer_of(std::string text, std::string_view secret) {
    if (!secret.empty())
        for (std::size_t at = text.find(secret); at != std::string::npos; at = text.find(secret))
            text.replace(at, secret.size(), "…");
    text = one_line(text.substr(0, kMostAnswer));
    return std::string(text::trimmed(text));
}

Message with_answer(const Message& problem, const std::string& answer) {
    return answer.empty() ? problem : Message("{}: {}", problem, answer);
}

Delivery to_command(const Target& target, const Alarm& alarm, const DeliveryLimits& limits) {
    std::vector<std::string> words;
    for (const std::string& word : target.command)
        words.push_back(filled(word, alarm, {}, as_it_is));
    const ProgramResult result = run_program(words, fields::to_text(alarm) + "\n", limits.command);
    if (result.timed_out)
        return {Message("{} did not end within {:.0f} s", target.command.front(), limits.command), true};
    if (result.status < 0)
        return {Message("{} cannot be started", target.command.front()), false};
    if (result.ok())
        return {};
    const int code = WIFEXITED(result.status) ? WEXITSTATUS(result.status) : 128 + WTERMSIG(result.status);
    return {with_answer(Message("{} ended with code {}", target.command.front(), code), answer_of(result.error, {})),
            code != 127};
}

std::string host_of(const std::string& address) {
    const std::size_t begin = address.find("://") + 3;
    std::string host = address.substr(begin, address.find_first_of("/?#", begin) - begin);
    return host.substr(host.rfind('@') + 1);
}

Delivery to_webhook(const Target& target, const Alarm& alarm, std::string_view secret, const DeliveryLimits& limits,
                    std::stop_token stop) {
    hub::HttpRequest request;
    request.address = filled(target.address, alarm, secret, in_address);
    request.body = webhook_body(target, alarm);
    request.limit_s = limits.request;
    for (const std::string& header : target.headers)
        request.headers.push_back(one_line(filled(header, alarm, secret, as_it_is)));
    if (target.format == WebhookFormat::ntfy) {
        request.headers.push_back("Title: " + one_line(alarm.title));
        request.headers.push_back("Content-Type: text/plain; charset=utf-8");
    } else {
        request.headers.push_back("Content-Type: application/json");
    }
    hub::HttpClient client({}, std::move(stop));
    const hub::HttpAnswer answer = client.send(request);
    const std::string host = host_of(target.address);
    if (answer.status == 0)
        return {Message("{} did not answer: {}", host, answer.problem), true};
    if (answer.status >= 200 && answer.status < 300)
        return {};
    if (answer.status >= 300 && answer.status < 400)
        return {Message("{} redirects to another address: enter that one", host), false};
    return {with_answer(Message("{} refused the message with status {}", host, answer.status),
                        answer_of(answer.body, secret)),
            answer.status == 408 || answer.status == 429 || answer.status >= 500};
}

/// RFC 2047 where a text is not ASCII.
std::string header_text(const std::string& text) {
    const std::string line = one_line(text);
    if (std::ranges::all_of(line, [](unsigned char c) { return c < 0x80; }))
        return line;
    std::string encoded, word;
    const auto end_word = [&] {
        if (!word.empty())
            encoded += (encoded.empty() ? "=?UTF-8?Q?" : "\r\n =?UTF-8?Q?") + std::exchange(word, {}) + "?=";
    };
    for (const char letter : line) {
        const auto byte = static_cast<unsigned char>(letter);
        if (word.size() > 50 && (byte & 0xc0) != 0x80)  // not within a character
            end_word();
        if (letter == ' ')
            word += '_';
        else if (byte < 0x80 && std::isalnum(byte) != 0)
            word += letter;
        else
            word += fmt::format("={:02X}", byte);
    }
    end_word();
    return encoded;
}

Delivery to_mail(const Target& target, const Alarm& alarm, std::string_view secret, const DeliveryLimits& limits) {
    const std::string text = mail_text(target, alarm);
    if (target.server.empty()) {
        const char* path = std::getenv("PATH");
        const std::string places = std::string(path != nullptr ? path : "") + ":/usr/sbin:/usr/lib";
        const std::string program = find_program("sendmail", places.c_str());
        if (program.empty())
            return {"this machine has no sendmail program: name a mail server", false};
        std::vector<std::string> words{program, "-i", "-f", target.from, "--"};
        words.insert(words.end(), target.to.begin(), target.to.end());
        std::string unix_lines = text;
        std::erase(unix_lines, '\r');
        const ProgramResult result = run_program(words, unix_lines, limits.command);
        if (result.timed_out)
            return {Message("{} did not end within {:.0f} s", program, limits.command), true};
        if (!result.ok())
            return {with_answer(Message("{} did not accept the mail", program), answer_of(result.error, {})), true};
        return {};
    }
    hub::Mail mail;
    mail.server = target.server;
    mail.security = target.security == MailSecurity::tls        ? hub::Mail::Security::tls
                    : target.security == MailSecurity::starttls ? hub::Mail::Security::starttls
                                                                : hub::Mail::Security::none;
    mail.user = target.user;
    mail.password = secret;
    mail.from = target.from;
    mail.to = target.to;
    mail.text = text;
    mail.limit_s = limits.request;
    const hub::HttpAnswer answer = hub::send_mail(mail);
    if (answer.problem.empty())
        return {};
    // 5.. : for ever (RFC 5321, 4.2.1), the login included.
    return {Message("the mail server {} did not accept the mail: {}", target.server, answer.problem),
            answer.status < 500};
}

}  // namespace

void Alarm::fields(auto& field) const {
    field("kind", kind)("title", title)("text", text)("run", run)("name", name)("host", host)("folder", folder);
    field("step", step).null_if_default()("time", time).time();
}

Alarm test_alarm() {
    return {.kind = "test",
            .title = "Trainyard: test message",
            .text = "Alarms of runs on " + host_name() + " arrive here.",
            .host = host_name(),
            .time = wall_seconds()};
}

std::string webhook_body(const Target& target, const Alarm& alarm) {
    const auto dump = [](const nlohmann::ordered_json& json) { return json_text(json); };
    switch (target.format) {
        case WebhookFormat::json:
            return fields::to_text(alarm);
        case WebhookFormat::slack:
            return dump({{"text", fmt::format("*{}*\n{}", one_line(alarm.title), alarm.text)}});
        case WebhookFormat::discord: {
            std::string content = fmt::format("**{}**\n{}", one_line(alarm.title), alarm.text);
            if (content.size() > kMostDiscord)  // bytes are at least as many
                content.resize(kMostDiscord);
            return dump({{"content", content}, {"allowed_mentions", {{"parse", nlohmann::ordered_json::array()}}}});
        }
        case WebhookFormat::ntfy:
            return alarm.text;
        case WebhookFormat::gotify:
            return dump({{"title", alarm.title}, {"message", alarm.text}, {"priority", 5}});
        case WebhookFormat::custom:
            return filled(target.body, alarm, {}, [](std::string text) { return json_escaped(text); });
    }
    return {};
}

std::string mail_text(const Target& target, const Alarm& alarm) {
    const std::time_t seconds = static_cast<std::time_t>(alarm.time > 0 ? alarm.time : wall_seconds());
    std::string text = fmt::format(
        "From: {}\r\nTo: {}\r\nSubject: {}\r\nDate: {:%a, %d %b %Y %H:%M:%S +0000}\r\nMessage-ID: <{}@{}>\r\n"
        "MIME-Version: 1.0\r\nContent-Type: text/plain; charset=utf-8\r\nContent-Transfer-Encoding: 8bit\r\n"
        "Auto-Submitted: auto-generated\r\n\r\n",
        target.from, fmt::join(target.to, ", "), header_text(alarm.title), fmt::gmtime(seconds), random_hex(24),
        target.from.substr(target.from.find('@') + 1));
    std::string body = alarm.text + "\n";
    if (!alarm.run.empty())
        body += fmt::format("\nrun:    {}\nfolder: {}\n", alarm.run, alarm.folder);
    if (alarm.step >= 0)
        body += fmt::format("step:   {}\n", alarm.step);
    body += fmt::format("host:   {}\n", alarm.host);
    for (const char letter : body)
        if (letter == '\n')
            text += "\r\n";
        else if (letter != '\r')
            text += letter;
    return text;
}

Delivery deliver(const Target& target, const Alarm& alarm, const DeliveryLimits& limits, std::stop_token stop) {
    if (Message problem = problem_of(target); !problem.empty())
        return {std::move(problem), false};
    try {
        std::optional<remote::Secret> secret;
        if (needs_secret(target)) {
            secret = find_secret(target);
            if (!secret)
                return {Message("the secret of {} is not stored on this machine: enter it again, or give it to "
                                "`trainyard alarms secret {}`",
                                target.name, target.name),
                        false};
        }
        const std::string_view hidden = secret ? secret->view() : std::string_view();
        if (target.kind != TargetKind::command && !(target.kind == TargetKind::mail && target.server.empty()) &&
            !hub::HttpClient::is_available())
            return {"libcurl is not installed (Debian: libcurl4), so nothing can be sent", false};
        switch (target.kind) {
            case TargetKind::command:
                return to_command(target, alarm, limits);
            case TargetKind::webhook:
                return to_webhook(target, alarm, hidden, limits, std::move(stop));
            case TargetKind::mail:
                return to_mail(target, alarm, hidden, limits);
        }
    } catch (const UserError& error) {
        return {error.message(), true};
    }
    return {};
}

}  // namespace trainyard::alarms
