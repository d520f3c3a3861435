#include "parallel/schedule.h"

namespace trainyard::parallel {

Schedule plain_schedule(int micro_batches) {
    Schedule schedule;
    for (int i = 0; i < micro_batches; ++i) {
        schedule.push_back({ActionKind::forward, 0, i});
        schedule.push_back({ActionKind::backward, 0, i});
    }
    schedule.push_back({ActionKind::reduce, 0, 0});
    schedule.push_back({ActionKind::update, 0, 0});
    return schedule;
}

bool is_last_backward(const Schedule& schedule, std::size_t position) {
    if (schedule[position].kind != ActionKind::backward)
        return false;
    for (std::size_t later = position + 1; later < schedule.size(); ++later)
        if (schedule[later].kind == ActionKind::backward && schedule[later].stage == schedule[position].stage)
            return false;
    return true;
}

std::string to_text(const Schedule& schedule) {
    std::string text;
    for (const Action& action : schedule) {
        if (!text.empty())
            text += ' ';
        switch (action.kind) {
            case ActionKind::forward:
                text += 'F' + std::to_string(action.micro_batch);
                break;
            case ActionKind::backward:
                text += 'B' + std::to_string(action.micro_batch);
                break;
            case ActionKind::reduce:
                text += 'R';
                break;
            case ActionKind::update:
                text += 'U';
                break;
        }
    }
    return text;
}

}  // namespace trainyard::parallel
