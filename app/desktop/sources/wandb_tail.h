// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
// run-*.wandb: what Weights & Biases keeps of a run on the disk when it is offline (and beside it, when it is not), so that it is seen without
// their server. LevelDB's log format (https://github.com/google/leveldb/blob/main/doc/log_format.md) after a head of 7 bytes: blocks of 32 KiB, records in
// pieces, each with the CRC-32 of its type and bytes. A record is a protocol buffer; of its kinds `history` holds the curves (key and value as JSON,
// with `_step` and `_timestamp`), `run` and `config` the parameters; the rest is left out. The last record waits for its rest; behind damage
// nothing is read, and that is said.

#include <filesystem>
#include <memory>

#include "desktop/sources/metrics_tail.h"

namespace trainyard::desktop {

std::unique_ptr<MetricsTail> make_wandb_tail(std::filesystem::path file);
bool looks_like_wandb(const std::filesystem::path& file);

}  // namespace trainyard::desktop
