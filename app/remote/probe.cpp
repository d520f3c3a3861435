// SPDX-License-Identifier: GPL-3.0-or-later
#include "remote/probe.h"

#include <mutex>

#include "base/clock.h"
#include "base/fields.h"
#include "remote/all_hosts.h"
#include "remote/host_script.h"

namespace trainyard::remote {

HostFacts probe(Session& session, const StoredHost& stored, double seconds) {
    session.shell();  // finding out about it is not part of the clock's round trip
    double sent = wall_seconds();
    ExecResult answer = session.exec(
        {{"sh", "-s", "--", stored.runs_folder, stored.interpreter}, stored.environment, {}}, kHostScript, seconds);
    return parse_host_script(answer.output, session.host().alias, sent, wall_seconds());
}

namespace {

ProbeResult probe_one(const std::string& name, const ConnectOptions& options) {
    ProbeResult result;
    result.host = name;
    double begun = monotonic_seconds();
    try {
        if (name == "localhost") {
            result.facts = local_facts();
            return result;
        }
        HostStore store = HostStore::load();
        const StoredHost* stored = store.find(name);
        Session session = Session::connect(name, options);
        result.connect_s = monotonic_seconds() - begun;
        result.transcript = session.transcript();
        result.facts = probe(session, stored == nullptr ? StoredHost{} : *stored);
        result.transcript = session.transcript();
    } catch (const ConnectionError& error) {
        result.problem = error.message();
        result.cause = name_of(error.cause());
        result.command_to_try = error.command_to_try();
        if (!error.transcript().empty())
            result.transcript = error.transcript();
    } catch (const UserError& error) {
        result.problem = error.message();
        result.cause = name_of(Cause::bad_settings);
    }
    return result;
}

}  // namespace

std::vector<ProbeResult> probe_hosts(const std::vector<std::string>& names, const ConnectOptions& options,
                                     const std::function<void(const ProbeResult&)>& on_result) {
    std::vector<ProbeResult> results(names.size());
    std::mutex one_at_a_time;
    for_all_hosts(names.size(), [&](std::size_t i) {
        results[i] = probe_one(names[i], options);
        if (on_result) {
            std::lock_guard lock(one_at_a_time);
            on_result(results[i]);
        }
    });
    return results;
}

std::string to_json(const ProbeResult& result) {
    return fields::to_text(result);
}

}  // namespace trainyard::remote
