// SPDX-License-Identifier: GPL-3.0-or-later
#include <cerrno>
#include <cstring>
#include <mutex>
#include <thread>

#include <sys/socket.h>

#include "base/system_call.h"
#include "remote/agent_socket.h"
#include "remote/session.h"

namespace trainyard::remote {

namespace {

constexpr char kFailure = 5, kSignRequest = 13;

}  // namespace

struct AgentFilter::State {
    FileDescriptor agent, ours, theirs;
    Cancel stop;
    int cancel = -1;
    std::mutex mutex;
    std::vector<AgentKey> shown;
    std::thread thread;

    std::string answer_to(const std::string& request) {
        AgentKey key;
        {
            std::lock_guard lock(mutex);
            if (request.front() == kRequestIdentities)
                return identities_answer(shown);
            if (shown.empty())
                return std::string(1, kFailure);
            key = shown.front();
        }
        std::string_view fields = std::string_view(request).substr(1);
        std::optional<std::string_view> blob = take_wire_text(fields);
        if (request.front() != kSignRequest || !blob || base64_encode(*blob) != key.key.blob)
            return std::string(1, kFailure);
        // A person may have to confirm or to touch the key.
        std::optional<std::string> answer;
        if (send_all(agent.get(), wire_text(request)))
            answer = read_agent_message(agent.get(), kPersonWithin, cancel);
        return answer.value_or(std::string(1, kFailure));
    }

    void run() {
        while (std::optional<std::string> request = read_agent_message(ours.get(), -1, stop.descriptor()))
            if (!send_all(ours.get(), wire_text(answer_to(*request))))
                break;
        ours.close();
    }
};

AgentFilter::AgentFilter(const std::string& identity_agent, int cancel) : state_(std::make_unique<State>()) {
    state_->cancel = cancel;
    state_->agent = connect_agent(identity_agent);
    int pair[2];
    if (::socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, pair) != 0)
        throw UserError("no socket for the agent: {}", system_message(errno));
    state_->ours = FileDescriptor(pair[0]);
    state_->theirs = FileDescriptor(pair[1]);
    state_->thread = std::thread([state = state_.get()] { state->run(); });
}

AgentFilter::~AgentFilter() {
    state_->stop.set();
    state_->thread.join();
}

int AgentFilter::take_descriptor() {
    return state_->theirs.release();
}

void AgentFilter::show(const AgentKey& key) {
    std::lock_guard lock(state_->mutex);
    state_->shown = {key};
}

}  // namespace trainyard::remote
