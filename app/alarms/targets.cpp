// SPDX-License-Identifier: GPL-3.0-or-later
#include "alarms/targets.h"

#include <algorithm>
#include <cstdlib>

#include <fmt/format.h>

#include "base/error.h"
#include "base/fields.h"
#include "base/file.h"
#include "base/files/user_folders.h"
#include "base/percent_encoding.h"
#include "base/regular_file.h"
#include "base/text.h"

namespace trainyard::alarms {

namespace {

constexpr std::uint64_t kMostSettings = 1 << 20, kMostSecret = 1 << 16;
constexpr const char* kSecretKind = "alarm";
constexpr const char* kKindNames[] = {"command", "webhook", "mail"};
constexpr const char* kFormatNames[] = {"json", "slack", "discord", "ntfy", "gotify", "custom"};
constexpr const char* kSecurityNames[] = {"starttls", "tls", "none"};

struct StoredRule {
    bool send = true;
    std::optional<double> limit;
    void fields(auto& field) const { field("send", send)("limit", limit).omit_if_default(); }
};

struct StoredMetric {
    std::string metric;
    std::optional<double> above, below;
    void fields(auto& field) const {
        field("metric", metric).required()("above", above).omit_if_default()("below", below).omit_if_default();
    }
};

struct StoredSettings {
    std::map<std::string, StoredRule> rules;
    std::vector<StoredMetric> metrics;
    std::vector<Target> targets;
    void fields(auto& field) const {
        field("rules", rules)("metrics", metrics)("targets", targets);
        field.no_other_keys();
    }
};

StoredSettings stored(const Settings& settings) {
    StoredSettings all;
    for (std::size_t i = 0; i < kNoticeKinds; ++i) {
        const auto kind = static_cast<NoticeKind>(i);
        const std::optional<double>& limit = settings.rules.limit(kind);
        all.rules[kind_key(kind)] = {limit.has_value(), has_limit(kind) ? limit : std::nullopt};
    }
    for (const MetricRule& rule : settings.rules.metrics)
        all.metrics.push_back({rule.metric, rule.above ? std::optional(rule.limit) : std::nullopt,
                               rule.above ? std::nullopt : std::optional(rule.limit)});
    all.targets = settings.targets;
    return all;
}

Settings settings_of(const StoredSettings& all, const std::string& origin) {
    Settings settings;
    for (const auto& [key, rule] : all.rules) {
        std::size_t i = 0;
        while (i < kNoticeKinds && key != kind_key(static_cast<NoticeKind>(i)))
            ++i;
        if (i == kNoticeKinds)
            throw UserError("{}: rules.{} is not a rule", origin, key);
        const auto kind = static_cast<NoticeKind>(i);
        const double limit = rule.limit.value_or(default_limit(kind));
        if (has_limit(kind) && !(limit > 0 && limit <= highest_limit(kind)))
            throw UserError("{}: rules.{}.limit is not a number greater than 0 and at most {}", origin, key,
                            highest_limit(kind));
        settings.rules.limits[i] = rule.send ? std::optional(limit) : std::nullopt;
    }
    for (const StoredMetric& rule : all.metrics) {
        if (rule.above.has_value() == rule.below.has_value())
            throw UserError("{}: the rule for {} needs either above or below", origin, rule.metric);
        settings.rules.metrics.push_back({rule.metric, rule.above.has_value(), rule.above ? *rule.above : *rule.below});
    }
    settings.targets = all.targets;
    for (const Target& target : settings.targets)
        if (const Message problem = problem_of(target); !problem.empty())
            throw UserError("{}: {}", origin, problem);
    return settings;
}

std::optional<Settings> read_file_of(const fs::path& file) {
    std::error_code error;
    if (!fs::exists(file, error))
        return std::nullopt;
    return settings_of(fields::from_text<StoredSettings>(read_regular_file(file, kMostSettings), file.string()),
                       file.string());
}

fs::path rules_file(const run::RunPaths& run) {
    return run.root() / "alarms.json";
}

fs::path secret_file(const Target& target) {
    return files::config_folder() / "alarm-secrets" / ("target-" + percent_encoded(target.name));
}

bool has_placeholder(const std::string& text) {
    return text.find("{secret}") != std::string::npos;
}

/// `https://host`, without what follows.
std::string_view scheme_and_host(std::string_view address, std::string_view& host) {
    const std::size_t colon = address.find("://");
    if (colon == std::string_view::npos)
        return {};
    host = address.substr(colon + 3);
    host = host.substr(0, host.find_first_of("/?#"));
    if (const std::size_t at = host.rfind('@'); at != std::string_view::npos)
        host = host.substr(at + 1);
    return address.substr(0, colon);
}

bool is_loopback(std::string_view host) {
    for (const std::string_view name : {"localhost", "127.0.0.1", "[::1]"})
        if (host == name || (host.starts_with(name) && host.substr(name.size()).starts_with(':')))
            return true;
    return false;
}

bool is_address_of_mail(const std::string& text) {
    const std::size_t at = text.find('@');
    return at != std::string::npos && at > 0 && at + 1 < text.size() &&
           text.find_first_of(" \t\r\n<>,;\"") == std::string::npos;
}

}  // namespace

const char* kind_name(TargetKind kind) {
    return kKindNames[static_cast<std::size_t>(kind)];
}

void Target::fields(auto& field) const {
    field("name", name).required()("kind", kind).names(kKindNames)("enabled", enabled);
    field("per_hour", per_hour).between(1, 1000);
    field("command", command).omit_if_default();
    field("address", address).omit_if_default();
    field("format", format).names(kFormatNames).omit_if_default();
    field("body", body).omit_if_default();
    field("headers", headers).omit_if_default();
    field("server", server).omit_if_default();
    field("security", security).names(kSecurityNames).omit_if_default();
    field("user", user).omit_if_default();
    field("from", from).omit_if_default();
    field("to", to).omit_if_default();
    field.no_other_keys();
}

bool Settings::sends_anything() const {
    return std::ranges::any_of(targets, &Target::enabled);
}

const Target* Settings::find(const std::string& name) const {
    const auto found = std::ranges::find(targets, name, &Target::name);
    return found == targets.end() ? nullptr : &*found;
}

fs::path settings_file() {
    return files::config_folder() / "alarms.json";
}

Settings load_settings() {
    return read_file_of(settings_file()).value_or(Settings{});
}

void save_settings(const Settings& settings) {
    std::error_code ignored;
    fs::create_directories(files::config_folder(), ignored);
    write_file_atomically(settings_file(), fields::to_text(stored(settings), 2) + "\n");
}

Rules rules_of(const run::RunPaths& run, const Settings& settings) {
    const std::optional<Settings> own = read_file_of(rules_file(run));
    return own ? own->rules : settings.rules;
}

void save_rules_of(const run::RunPaths& run, const std::optional<Rules>& rules) {
    std::error_code ignored;
    if (!rules)
        fs::remove(rules_file(run), ignored);
    else
        write_file_atomically(rules_file(run), fields::to_text(stored({*rules, {}}), 2) + "\n");
}

bool needs_secret(const Target& target) {
    switch (target.kind) {
        case TargetKind::command:
            return false;
        case TargetKind::webhook:
            return has_placeholder(target.address) || std::ranges::any_of(target.headers, has_placeholder);
        case TargetKind::mail:
            return !target.server.empty() && !target.user.empty();
    }
    return false;
}

Message problem_of(const Target& target) {
    if (text::trimmed(target.name).empty())
        return "a target of alarms needs a name";
    switch (target.kind) {
        case TargetKind::command:
            if (target.command.empty() || target.command.front().empty())
                return Message("the target {} needs a program to start", target.name);
            if (std::ranges::any_of(target.command, has_placeholder))
                return Message(
                    "other users could read the secret of {} in the list of processes: let the program read it "
                    "from a file",
                    target.name);
            return {};
        case TargetKind::webhook: {
            std::string_view host;
            const std::string_view scheme = scheme_and_host(target.address, host);
            if ((scheme != "https" && scheme != "http") || host.empty() ||
                target.address.find_first_of(" \t\r\n") != std::string::npos)
                return Message("the address of {} does not begin with https:// and a host", target.name);
            if (host.find('{') != std::string_view::npos)
                return Message("the host in the address of {} cannot have a placeholder", target.name);
            if (scheme == "http" && needs_secret(target) && !is_loopback(host))
                return Message(
                    "the address of {} begins with http://, which would send its secret unencrypted: use "
                    "https://",
                    target.name);
            for (const std::string& header : target.headers)
                if (header.find(':') == std::string::npos || header.find_first_of("\r\n") != std::string::npos)
                    return Message("a header of {} is not of the form Name: value", target.name);
            if (target.format == WebhookFormat::custom && target.body.empty())
                return Message("the target {} needs a body, such as {}", target.name, R"({"text": "{title}: {text}"})");
            return {};
        }
        case TargetKind::mail:
            if (target.to.empty())
                return Message("the target {} needs an address to send mail to", target.name);
            for (const std::string& address : target.to)
                if (!is_address_of_mail(address))
                    return Message("{} is not a mail address", address);
            if (!is_address_of_mail(target.from))
                return Message("the target {} needs the mail address of the sender", target.name);
            if (target.server.find_first_of("/ \t\r\n@") != std::string::npos)
                return Message("the mail server of {} is not a host or host:port", target.name);
            if (target.security == MailSecurity::none && !target.user.empty() && !is_loopback(target.server))
                return Message("the password of {} would be sent unencrypted: use starttls or tls", target.name);
            return {};
    }
    return {};
}

std::optional<remote::Secret> find_secret(const Target& target) {
    if (auto secret = remote::key_ring::find({kSecretKind, target.name}))
        return secret;
    std::error_code error;
    if (!fs::exists(secret_file(target), error))
        return std::nullopt;
    std::string text = read_regular_file(secret_file(target), kMostSecret);
    remote::Secret secret(text::trimmed(text));
    remote::wipe(text);
    return secret;
}

fs::path keep_secret(const Target& target, const remote::Secret& secret) {
    const fs::path file = secret_file(target);
    std::error_code ignored;
    if (remote::key_ring::problem().empty()) {
        try {
            remote::key_ring::keep({kSecretKind, target.name}, secret);
            fs::remove(file, ignored);
            return {};
        } catch (const UserError&) {
            // It is locked on a machine without a display, which cannot ask for its password.
        }
    }
    fs::create_directories(files::config_folder(), ignored);
    make_private_folder(file.parent_path());
    write_file_atomically(file, secret.view());
    return file;
}

void forget_secret(const Target& target) {
    remote::key_ring::forget({kSecretKind, target.name});
    std::error_code ignored;
    fs::remove(secret_file(target), ignored);
}

}  // namespace trainyard::alarms
