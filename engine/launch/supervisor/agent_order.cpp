// SPDX-License-Identifier: GPL-3.0-or-later
#include "launch/supervisor/agent_order.h"

#include <fmt/format.h>

#include "base/error.h"
#include "base/fields.h"
#include "base/printable.h"
#include "base/untrusted.h"

namespace trainyard::launch {

namespace {

using fields::Json;

/// A described order and its secret, which is wiped from the values that were read.
template <typename Order>
Order parse_order_of(std::string_view text, const char* command, bool needs_secret) {
    Json json = read_json(text);
    std::vector<Problem> problems;
    auto add = [&](const std::string& key, const Message& message) {
        problems.push_back({std::string("order of trainyard ") + command, 0, 0, key, message});
    };
    if (!json.is_object()) {
        add("", Message("trainyard {} reads an order as JSON from its standard input, which this is not: it "
                        "is started by `trainyard launch`, not by hand",
                        command));
        throw InvalidInput(std::move(problems));
    }
    Order order;
    if (const auto found = json.find("secret"); found != json.end() && found->is_string()) {
        std::string& secret = found->get_ref<std::string&>();
        try {
            if (!secret.empty())
                order.secret = Secret(secret);
        } catch (const UserError& error) {
            add("secret", error.message());
        }
        wipe(secret);
    } else if (found != json.end() || needs_secret) {
        add("secret", found == json.end() ? Message("is missing") : Message("must be a text"));
    }
    const auto version = json.find("version");
    if (version == json.end() || !version->is_string())
        add("version", version == json.end() ? Message("is missing") : Message("must be a text"));
    else if (*version != order_version())
        add("version", Message("the order is of Trainyard {}, this machine has {}: install the same version "
                               "on all machines",
                               text::printable(version->get_ref<const std::string&>(), 60), order_version()));
    fields::Reading in;
    fields::read(in, json, order);
    for (const fields::FieldProblem& problem : in.problems())
        add("", problem_text(problem));
    if (!problems.empty())
        throw InvalidInput(std::move(problems));
    return order;
}

/// The order with its secret in front, in memory that the caller can wipe: texts that grow leave copies behind.
template <typename Order>
std::string with_secret(const Order& order) {
    const std::string rest = fields::to_text(order);
    std::string all;
    all.reserve(rest.size() + 6 * order.secret.text().size() + 16);
    all += "{\"secret\":";
    append_json_text(all, order.secret.text());
    all.append(",").append(rest, 1);
    return all;
}

}  // namespace

const char* order_version() {
    return TRAINYARD_VERSION;
}

bool is_run_id(const std::string& text) {
    return RunId::parse(text).has_value();
}

bool is_run_id_or_empty(const std::string& text) {
    return text.empty() || is_run_id(text);
}

std::string to_json(const SuperviseOrder& order) {
    return with_secret(order);
}

std::string to_json(const AgentOrder& order) {
    return with_secret(order);
}

std::string to_json(const SuperviseAnswer& answer) {
    return fields::to_text(answer);
}

std::string to_json(const AgentAnswer& answer) {
    return fields::to_text(answer);
}

SuperviseOrder parse_supervise_order(std::string_view json) {
    auto order = parse_order_of<SuperviseOrder>(json, "supervise", false);
    if (order.link.heartbeat_s * 2 > order.link.lease_s)
        throw InvalidInput(
            {{"order of trainyard supervise", 0, 0, "lease_s", "must be at least two heartbeats (heartbeat_s) long"}});
    return order;
}

AgentOrder parse_agent_order(std::string_view json) {
    return parse_order_of<AgentOrder>(json, "agent", true);
}

}  // namespace trainyard::launch
