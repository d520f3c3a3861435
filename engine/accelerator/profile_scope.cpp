// SPDX-License-Identifier: GPL-3.0-or-later
#include <exception>
#include <utility>

#include <fmt/format.h>

#include "accelerator/accelerator_parts.h"

namespace trainyard::accelerator {

ProfileScope::ProfileScope(std::unique_ptr<profile::Profiler> profiler, std::filesystem::path folder,
                           std::shared_ptr<parallel::ProcessState> process)
    : profiler_(std::move(profiler)),
      folder_(std::move(folder)),
      process_(std::move(process)),
      exceptions_(std::uncaught_exceptions()) {}

ProfileScope::~ProfileScope() noexcept(false) {
    if (profiler_ != nullptr && std::uncaught_exceptions() == exceptions_)
        finish();
}

void ProfileScope::finish() {
    if (!std::exchange(open_, false))
        return;
    profiler_->stop();
    if (folder_.empty())
        return;
    if (profiler_->has_trace())
        profiler_->export_chrome_trace(folder_ / fmt::format("profile_{}.json", process_->rank()));
    process_->wait_for_everyone();
}

ProfileScope Accelerator::profile(std::optional<profile::ProfileOptions> options) const {
    profile::ProfileOptions chosen = options ? std::move(*options) : impl_->options.profile;
    std::filesystem::path folder = chosen.output_trace_dir;
    auto profiler = std::make_unique<profile::Profiler>(
        std::move(chosen),
        profile::ProfilePlace{process_index(), num_processes(), process().world()->backend(), device().is_cuda()});
    profiler->start();
    return {std::move(profiler), std::move(folder), impl_->process};
}

}  // namespace trainyard::accelerator
