#include "worker/profile.h"

#include <filesystem>

#include <fmt/format.h>

#include "base/error.h"
#include "base/text.h"
#include "worker/log.h"

namespace trainyard::worker {

void Profile::begin(std::int64_t last) {
    const std::int64_t first = trainer_.position().step + 1;
    trace_.emplace(trainer_, rank_, first);
    last_ = last;
    if (reports_.speaks_for_run())
        log_info(fmt::format("profiling steps {} to {}", first, last));
}

void Profile::after_step() {
    if (trace_ && trainer_.position().step >= last_)
        finish();
}

void Profile::finish() {
    if (!trace_)
        return;
    const std::int64_t first = trace_->first_step(), last = trainer_.position().step;
    try {
        const train::StepTrace::Written written = trace_->write(paths_.traces(), last);
        if (reports_.speaks_for_run()) {
            std::string text = fmt::format("profile of steps {} to {}: phases and {} operators of each rank", first,
                                           last, text::quantity(static_cast<double>(written.operators)));
            if (written.left_out > 0)
                text += fmt::format(", {} more left out", written.left_out);
            reports_.event("profile", text, std::filesystem::relative(written.file, paths_.root()).string());
            requests_.answer(Ask::profile, true, text);
        }
    } catch (const UserError& error) {
        log_warning(error.what());
        requests_.answer(Ask::profile, false, error.what());
    }
    trace_.reset();
}

}  // namespace trainyard::worker
