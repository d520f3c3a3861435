// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
// Message of a rank whose allocation failed: the memory it had, and the limit it exceeded.

#include <string>

#include "base/message.h"

namespace trainyard::worker {

/// "out of memory: this rank held 1.2 GB at most, its address space is limited to 2.0 GB (ulimit -v): ..."
Message out_of_memory_sentence();
/// Whether the text is what LibTorch's CPU allocator says when it gets nothing.
bool is_out_of_memory(const std::string& error);

}  // namespace trainyard::worker
