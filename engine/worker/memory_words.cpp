// SPDX-License-Identifier: GPL-3.0-or-later
#include "worker/memory_words.h"

#include <cstdint>

#include <fmt/format.h>
#include <sys/resource.h>

#include "base/error.h"
#include "base/process_memory.h"
#include "base/text.h"

namespace trainyard::worker {

Message out_of_memory_sentence() {
    const std::string held = text::file_size(peak_memory_bytes());
    rlimit limit{};
    if (::getrlimit(RLIMIT_AS, &limit) == 0 && limit.rlim_cur != RLIM_INFINITY)
        return Message(
            "out of memory: this rank held {} at most, its address space is limited to {} (ulimit -v): make "
            "training.batch_size or data.sequence_length smaller, or raise the limit",
            held, text::file_size(limit.rlim_cur));
    return Message("out of memory: this rank held {} at most: make training.batch_size or data.sequence_length smaller",
                   held);
}

bool is_out_of_memory(const std::string& error) {
    return error.find("can't allocate memory") != std::string::npos || error.find("out of memory") != std::string::npos;
}

}  // namespace trainyard::worker
