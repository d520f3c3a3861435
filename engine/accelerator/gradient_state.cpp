// SPDX-License-Identifier: GPL-3.0-or-later
#include <algorithm>

#include <trainyard/gradient_state.h>

namespace trainyard::accelerator {

bool GradientState::end_of_dataloader() const {
    return !under_way_.empty() && under_way_.back()->at_end();
}

std::int64_t GradientState::remainder() const {
    return under_way_.empty() ? -1 : under_way_.back()->remainder();
}

void GradientState::pass_begins(data::Loader& loader) {
    forget(loader);
    under_way_.push_back(&loader);
}

void GradientState::pass_ends(data::Loader& loader) {
    forget(loader);
}

void GradientState::forget(const data::Loader& loader) {
    std::erase(under_way_, &loader);
}

}  // namespace trainyard::accelerator
