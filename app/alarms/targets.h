// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
// Where alarms are sent, and which: $XDG_CONFIG_HOME/trainyard/alarms.json (0600). Its secrets are elsewhere: in the
// system's key ring, or in a private file on systems without a key ring.

#include <map>
#include <optional>
#include <string>
#include <vector>

#include "alarms/rules.h"
#include "base/filesystem.h"
#include "remote/secret.h"
#include "run/paths.h"

namespace trainyard::alarms {

enum class TargetKind { command, webhook, mail };
/// What a webhook receives: our JSON, the form of a service, or the user's template.
enum class WebhookFormat { json, slack, discord, ntfy, gotify, custom };
enum class MailSecurity { starttls, tls, none };

const char* kind_name(TargetKind kind);

/// `{secret}` in an address or a header stands for the target's secret; the password of mail is one.
/// `{title}`, `{text}`, `{run}`, `{name}`, `{kind}`, `{step}` and `{host}` stand for those of the alarm.
struct Target {
    std::string name;
    TargetKind kind = TargetKind::webhook;
    bool enabled = true;
    int per_hour = 20;  ///< most messages in an hour; others are counted in the next one

    std::vector<std::string> command;  ///< argv; started without a shell, gets the alarm as JSON on standard input

    std::string address;
    WebhookFormat format = WebhookFormat::json;
    std::string body;                  ///< of the custom format; values are escaped for JSON strings
    std::vector<std::string> headers;  ///< `Name: value`

    std::string server;  ///< host or host:port; empty: the sendmail program of this machine
    MailSecurity security = MailSecurity::starttls;
    std::string user;  ///< empty: without a login
    std::string from;
    std::vector<std::string> to;

    void fields(auto& field) const;
    bool operator==(const Target&) const = default;
};

struct Settings {
    Rules rules;
    std::vector<Target> targets;
    bool operator==(const Settings&) const = default;

    bool sends_anything() const;
    const Target* find(const std::string& name) const;
};

fs::path settings_file();
/// The defaults if there is no file. Throws UserError naming the file and the key.
Settings load_settings();
void save_settings(const Settings& settings);
/// The rules of one run: those in its folder, else those of the settings.
Rules rules_of(const run::RunPaths& run, const Settings& settings);
/// Rules of its own for a run; nullopt: those of the settings again.
void save_rules_of(const run::RunPaths& run, const std::optional<Rules>& rules);

/// What is wrong with a target, or an empty message. Looks at its text alone.
Message problem_of(const Target& target);
/// Whether an address or header has {secret}, or mail has a user.
bool needs_secret(const Target& target);

/// Returns nullopt if none is stored.
std::optional<remote::Secret> find_secret(const Target& target);
/// Returns the file, or an empty path for the key ring. Throws UserError if it could not be stored.
fs::path keep_secret(const Target& target, const remote::Secret& secret);
void forget_secret(const Target& target);

}  // namespace trainyard::alarms
