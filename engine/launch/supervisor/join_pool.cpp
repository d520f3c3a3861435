// SPDX-License-Identifier: GPL-3.0-or-later
#include "launch/supervisor/join_pool.h"

#include <algorithm>
#include <utility>

#include <fmt/format.h>

#include "base/clock.h"
#include "base/counted.h"
#include "base/error.h"

namespace trainyard::launch {

namespace {
constexpr double kGoodbyeSeconds = 1;
}

JoinPool::JoinPool(JoinOptions options, ListenerOptions listener, std::unique_ptr<RankMachine> own, int own_ranks)
    : options_(std::move(options)), listener_(std::move(listener)), own_(std::move(own)), own_ranks_(own_ranks) {
    listener_.open();
}

JoinPool::~JoinPool() = default;

void JoinPool::tell(const std::string& run_id, const std::string& spec, bool recipe) {
    listener_.meet_as(run_id);
    answer_ = {run_id, spec, recipe, options_.link.lease_s, options_.link.heartbeat_s};
}

void JoinPool::open() {
    running_ = false;
    listener_.open();
}

void JoinPool::close() {
    running_ = true;
    if (options_.port_is_the_stores)
        listener_.close();
}

void JoinPool::add_descriptors(std::vector<pollfd>& descriptors) const {
    listener_.add_descriptors(descriptors);
    for (const auto& member : members_)
        member->machine->add_descriptors(descriptors);
}

void JoinPool::take() {
    listener_.take();
    for (const Message& text : listener_.take_notes())
        note(text);
    while (auto arrival = listener_.next_arrival())
        let_in(std::move(*arrival));
    for (const auto& member : members_) {
        bool was_there = present(*member);
        member->machine->tend();
        if (was_there && !present(*member) && member->machine->all_ended() && !running_)
            note(Message("{} has left before the ranks were started", member->machine->host()));
    }
}

JoinPool::Member* JoinPool::place_for(const JoinRequest& request, Message& refusal) {
    auto same = std::ranges::find_if(members_, [&](const auto& member) { return member->agent == request.agent; });
    if (same != members_.end())
        return same->get();
    int number = request.machine_rank;
    if (options_.way == JoinOptions::Way::by_number) {
        if (number < 1 || number >= options_.max_machines) {
            refusal = number == 0 ? Message(
                                        "machine 0 is {}, where the run's head is: give this machine "
                                        "another --machine_rank, 1 to {}",
                                        own_->host(), options_.max_machines - 1)
                                  : Message(
                                        "machine {} does not exist in a run on {} machines: give this "
                                        "machine a --machine_rank of 1 to {}",
                                        number, options_.max_machines, options_.max_machines - 1);
            return nullptr;
        }
        auto taken = std::ranges::find_if(members_, [&](const auto& member) { return member->machine_rank == number; });
        if (taken != members_.end() && present(**taken)) {
            refusal = Message("machine {} is {} ({}) already: give this machine another --machine_rank", number,
                              (*taken)->machine->host(), (*taken)->address);
            return nullptr;
        }
        if (taken != members_.end())
            return taken->get();
    } else if (present_machines() >= options_.max_machines) {
        refusal =
            Message("all {} machines of the run are there: start it with more --num_machines", options_.max_machines);
        return nullptr;
    } else {
        number = static_cast<int>(members_.size()) + 1;
    }
    auto member = std::make_unique<Member>();
    member->machine_rank = number;
    auto index = static_cast<std::size_t>(number);
    bool named = options_.way == JoinOptions::Way::by_number && index < options_.hosts.size();
    member->machine = std::make_unique<RemoteMachine>(named ? options_.hosts[index] : request.host, options_.link);
    members_.push_back(std::move(member));
    return members_.back().get();
}

void JoinPool::let_in(AgentListener::Arrival arrival) {
    Message refusal;
    Member* member = place_for(arrival.request, refusal);
    if (member == nullptr) {
        note(Message("{} ({}) was turned away: {}", arrival.request.host, arrival.connection->peer(), refusal));
        return listener_.refuse(std::move(arrival.connection), {refusal, true});
    }
    // The ranks of the generation that runs are lost with the old connection; the supervisor must hear of that first.
    if (running_ && !member->machine->all_ended()) {
        if (present(*member))
            return listener_.refuse(std::move(arrival.connection),
                                    {"its earlier connection is not known to be lost yet", false});
    }
    bool back = !member->agent.empty();
    member->generation_seated = -1;
    member->agent = arrival.request.agent;
    member->ranks = arrival.request.ranks;
    member->address = arrival.connection->peer_address();
    arrival.connection->send(FrameKind::message, to_json(HeadOrder(answer_)));
    arrival.connection->flush();
    member->machine->attach(std::move(arrival.connection));
    const Message ranks = text::ranks(member->ranks);
    const Message came = back ? Message("{} ({}) is back as machine {} with {}", member->machine->host(),
                                        member->address, member->machine_rank, ranks)
                              : Message("{} ({}) joined as machine {} with {}", member->machine->host(),
                                        member->address, member->machine_rank, ranks);
    note(running_ ? Message("{}: it waits for the next generation", came) : came);
}

std::vector<const JoinPool::Member*> JoinPool::by_rank() const {
    std::vector<const Member*> there;
    for (const auto& member : members_)
        if (present(*member))
            there.push_back(member.get());
    std::ranges::stable_sort(there, {}, &Member::machine_rank);
    return there;
}

int JoinPool::present_machines() const {
    return 1 + static_cast<int>(by_rank().size());
}

std::vector<Participant> JoinPool::participants() {
    std::vector<Participant> all{{own_.get(), own_ranks_, listener_.address()}};
    ++seatings_;
    for (const auto& member : members_)
        if (present(*member))
            member->generation_seated = seatings_;
    for (const Member* member : by_rank())
        all.push_back({member->machine.get(), member->ranks, member->address});
    return all;
}

Message JoinPool::missing() const {
    int there = present_machines();
    if (there >= options_.max_machines)
        return {};
    std::vector<Message> names;
    if (options_.way == JoinOptions::Way::by_number) {
        for (int number = 1; number < options_.max_machines; ++number) {
            auto index = static_cast<std::size_t>(number);
            bool here = std::ranges::any_of(
                members_, [&](const auto& member) { return member->machine_rank == number && present(*member); });
            if (!here)
                names.push_back(index < options_.hosts.size() ? Message::verbatim(options_.hosts[index])
                                                              : Message("machine {}", number));
        }
        return Message::joined(names, ", ");
    }
    return Message("{} of {} machines", options_.max_machines - there, options_.max_machines);
}

int JoinPool::waiting() const {
    int count = 0;
    for (const auto& member : members_)
        count += present(*member) && member->generation_seated != seatings_;
    return count;
}

void JoinPool::note(const Message& text) {
    notes_.push_back(text);
}

std::vector<Message> JoinPool::take_notes() {
    return std::exchange(notes_, {});
}

void JoinPool::over(int exit_code, const Message& text) {
    double until = monotonic_seconds() + kGoodbyeSeconds;
    for (const auto& member : members_)
        member->machine->say_goodbye({exit_code, text}, std::max(0.05, until - monotonic_seconds()));
    // Those who are on their way need not wait for a head that will not answer.
    if (!listener_.is_open())
        return;
    listener_.take();
    while (auto arrival = listener_.next_arrival())
        listener_.refuse(std::move(arrival->connection), {Message("the run is over: {}", text), true});
    listener_.close();
}

}  // namespace trainyard::launch
