// SPDX-License-Identifier: GPL-3.0-or-later
#include <memory>

#include "base/error.h"
#include "base/untrusted.h"
#include "remote/all_hosts.h"
#include "remote/failure.h"
#include "remote/host_helper.h"
#include "remote/host_shell.h"
#include "remote/host_store.h"
#include "remote/probe.h"

namespace trainyard::remote {

namespace {

/// Prints the first `trainyard` that can be run: what hosts.yaml names, the one in PATH, that of a bundle.
constexpr const char* kFindProgram = R"script(
for program in "$1" "$(command -v trainyard 2>/dev/null)" "${XDG_CACHE_HOME:-$HOME/.cache}"/trainyard/bundles/*/bin/trainyard; do
    [ -n "$program" ] && [ -x "$program" ] && { printf %s "$program"; exit 0; }
done
exit 0
)script";
constexpr double kFindSeconds = 8;

struct Member {
    std::string name;
    std::unique_ptr<HostShell> shell;
    std::unique_ptr<HostHelper> helper;
    launch::ConnectionTarget target;
    Message problem;  ///< why it takes no part
};

void ask(Member& member, const StoredHost& stored, const ConnectOptions& options) {
    try {
        bool local = member.name == "localhost";
        member.shell = local ? local_shell(options.cancel) : shell_of(Session::connect(member.name, options));
        const std::string named = local ? std::filesystem::read_symlink("/proc/self/exe").parent_path() / "trainyard"
                                        : std::filesystem::path(stored.engine);
        const std::string program =
            member.shell->exec({{"sh", "-s", "--", named}, stored.environment, {}}, kFindProgram, kFindSeconds).output;
        if (program.empty()) {
            member.problem = Message(
                "{} has no Trainyard yet: `trainyard launch --check --hosts` brings it, and looks at "
                "this too",
                member.name);
            return;
        }
        HostPath::require(program, member.name);
        member.helper =
            std::make_unique<HostHelper>(*member.shell, RemoteCommand{{program}, stored.environment, {}}, member.name);
        member.target = member.helper->check("").target;
    } catch (const UserError& error) {
        member.helper.reset();
        member.problem = error.message();
    }
}

}  // namespace

std::vector<launch::ConnectionTest> test_connections(const std::vector<std::string>& names,
                                                     const ConnectOptions& options) {
    const HostStore store = HostStore::load();
    std::vector<Member> members(names.size());
    for_all_hosts(names.size(), [&](std::size_t i) {
        members[i].name = names[i];
        const StoredHost* stored = store.find(names[i]);
        ask(members[i], stored == nullptr ? StoredHost{} : *stored, options);
    });
    if (options.cancel && options.cancel->is_set())
        throw ConnectionError(Cause::cancelled, names.empty() ? "" : names.front(), "it was cancelled");
    std::vector<HostHelper*> helpers;
    std::vector<launch::ConnectionTarget> targets;
    for (Member& member : members)
        if (member.helper) {
            helpers.push_back(member.helper.get());
            targets.push_back(member.target);
        }
    std::vector<launch::ConnectionTest> asked = reach_matrix(helpers, targets), all;
    std::size_t next = 0;
    for (const Member& from : members)
        for (const Member& to : members) {
            if (&from == &to)
                continue;
            if (from.helper && to.helper) {
                all.push_back(std::move(asked[next++]));
                continue;
            }
            launch::ConnectionTest none;
            none.from = from.name;
            none.to = to.name;
            none.problem = from.helper ? to.problem : from.problem;
            all.push_back(std::move(none));
        }
    return all;
}

}  // namespace trainyard::remote
