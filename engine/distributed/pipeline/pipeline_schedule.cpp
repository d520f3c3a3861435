#include "distributed/pipeline/pipeline_schedule.h"

#include <algorithm>
#include <array>
#include <stdexcept>

namespace trainyard::pipeline {

namespace {

using enum ActionKind;

/// A pipeline with one stage per rank: the actions of `order(stage)`, with sends and receives inserted.
template <class Order>
Schedule pipeline(std::string name, int stages, int micro_batches, bool trains, Order order) {
    Schedule schedule{std::move(name), stages, micro_batches, {}, {}};
    for (int stage = 0; stage < stages; ++stage) {
        bool first = stage == 0, last = stage + 1 == stages;
        RankActions actions;
        for (const Action& action : order(stage)) {
            auto add = [&](ActionKind kind) { actions.push_back({kind, stage, action.micro_batch}); };
            bool backwards = action.kind == backward || action.kind == backward_input;
            if (action.kind == forward && !first)
                add(receive_forward);
            if (backwards && !last)
                add(receive_backward);
            add(action.kind);
            if (action.kind == forward && !last)
                add(send_forward);
            if (backwards && !first)
                add(send_backward);
        }
        if (trains) {
            actions.push_back({reduce, stage, 0});
            actions.push_back({update, stage, 0});
        }
        schedule.rank_of_stage.push_back(stage);
        schedule.ranks.push_back(std::move(actions));
    }
    return schedule;
}

/// 1F1B: a warm-up of as many forwards as there are later stages, then for each micro-batch i a forward and what
/// `backwards(order, i)` appends.
template <class Backwards>
RankActions one_forward_one_backward(int stage, int stages, int micro_batches, Backwards backwards) {
    int ahead = std::min(micro_batches, stages - 1 - stage);
    RankActions order;
    for (int i = 0; i < ahead; ++i)
        order.push_back({forward, stage, i});
    for (int i = 0; i < micro_batches; ++i) {
        if (ahead + i < micro_batches)
            order.push_back({forward, stage, ahead + i});
        backwards(order, i);
    }
    return order;
}

void check_sizes(int stages, int micro_batches) {
    if (stages < 1 || micro_batches < 1)
        throw std::invalid_argument("a schedule needs a stage and a micro-batch at least, not " +
                                    std::to_string(stages) + " and " + std::to_string(micro_batches));
}

}  // namespace

Schedule plain_schedule(int micro_batches) {
    Schedule schedule = one_forward_one_backward_schedule(1, micro_batches);
    schedule.name = "plain";
    return schedule;
}

Schedule gpipe_schedule(int stages, int micro_batches) {
    check_sizes(stages, micro_batches);
    return pipeline("GPipe", stages, micro_batches, true, [&](int stage) {
        RankActions order;
        for (ActionKind kind : {forward, backward})
            for (int i = 0; i < micro_batches; ++i)
                order.push_back({kind, stage, i});
        return order;
    });
}

Schedule one_forward_one_backward_schedule(int stages, int micro_batches) {
    check_sizes(stages, micro_batches);
    return pipeline("1F1B", stages, micro_batches, true, [&](int stage) {
        return one_forward_one_backward(stage, stages, micro_batches, [&](RankActions& order, int i) {
            order.push_back({backward, stage, i});
        });
    });
}

Schedule zero_bubble_schedule(int stages, int micro_batches) {
    check_sizes(stages, micro_batches);
    return pipeline("ZBH1", stages, micro_batches, true, [&](int stage) {
        int weights = 0;
        RankActions order = one_forward_one_backward(stage, stages, micro_batches, [&](RankActions& actions, int i) {
            actions.push_back({backward_input, stage, i});
            // Later stages postpone the backwards of weights longer, because they keep fewer micro-batches.
            if (i >= stage)
                actions.push_back({backward_weight, stage, weights++});
        });
        while (weights < micro_batches)
            order.push_back({backward_weight, stage, weights++});
        return order;
    });
}

Schedule forward_schedule(int stages, int micro_batches) {
    check_sizes(stages, micro_batches);
    return pipeline("forward", stages, micro_batches, false, [&](int stage) {
        RankActions order;
        for (int i = 0; i < micro_batches; ++i)
            order.push_back({forward, stage, i});
        return order;
    });
}

namespace {

struct NamedSchedule {
    const char* name;
    Schedule (*make)(int stages, int micro_batches);
};
constexpr NamedSchedule kNamedSchedules[] = {
    {"GPipe", gpipe_schedule},
    {"1F1B", one_forward_one_backward_schedule},
    {"ZBH1", zero_bubble_schedule},
};

}  // namespace

const std::vector<std::string>& schedule_names() {
    static const std::vector<std::string> names = [] {
        std::vector<std::string> all;
        for (const NamedSchedule& schedule : kNamedSchedules)
            all.emplace_back(schedule.name);
        return all;
    }();
    return names;
}

Schedule make_schedule(const std::string& name, int stages, int micro_batches) {
    for (const NamedSchedule& schedule : kNamedSchedules)
        if (schedule.name == name)
            return schedule.make(stages, micro_batches);
    throw std::invalid_argument("'" + name + "' is no pipeline schedule: there are GPipe, 1F1B and ZBH1");
}

bool is_last_backward(const RankActions& actions, std::size_t position) {
    if (actions[position].kind != backward)
        return false;
    return std::none_of(
        actions.begin() + static_cast<std::ptrdiff_t>(position) + 1, actions.end(), [&](const Action& later) {
            return later.stage == actions[position].stage && (later.kind == backward || later.kind == backward_weight);
        });
}

std::string to_text(const Action& action) {
    static constexpr std::array<const char*, 8> kinds{"F", "B", "I", "W", "SEND_F", "RECV_F", "SEND_B", "RECV_B"};
    if (action.kind == reduce)
        return "REDUCE";
    if (action.kind == update)
        return "UPDATE";
    return std::to_string(action.stage) + kinds[static_cast<std::size_t>(action.kind)] +
           std::to_string(action.micro_batch);
}

std::string to_text(const Schedule& schedule) {
    std::string text;
    for (const RankActions& actions : schedule.ranks) {
        for (std::size_t i = 0; i < actions.size(); ++i)
            text += (i == 0 ? "" : " ") + to_text(actions[i]);
        text += '\n';
    }
    return text;
}

}  // namespace trainyard::pipeline
