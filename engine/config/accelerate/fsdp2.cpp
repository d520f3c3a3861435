// SPDX-License-Identifier: GPL-3.0-or-later
// FSDP 1 settings as FSDP 2, as `to-fsdp2` does it.

#include <fmt/format.h>

#include "base/error.h"
#include "config/accelerate/settings_file.h"

namespace trainyard::settings {

namespace {

const std::string kTable = "fsdp_config.";

void drop(Settings& settings, std::vector<ReadNote>& notes, const std::string& name, const Message& why) {
    const Value* found = settings.find(kTable + name);
    if (found == nullptr)
        return;
    notes.push_back({ReadNote::Kind::dropped, kTable + name, Message("{} was dropped: {}", name, why), found->line});
    settings.remove(kTable + name);
}

void convert_strategy(Settings& settings, std::vector<ReadNote>& notes) {
    const std::string from = kTable + "fsdp_sharding_strategy";
    const std::string to = kTable + "fsdp_reshard_after_forward";
    std::string strategy = settings.text(from);
    std::string where = from;
    if (strategy.empty()) {
        // The reference's questionnaire stored the strategy of FSDP 1 under this key.
        strategy = settings.text(to);
        where = to;
    }
    const Value* found = settings.find(where);
    int line = found == nullptr ? 0 : found->line;
    bool known = true;
    bool reshards = true;
    if (strategy == "FULL_SHARD" || strategy == "1") {
        reshards = true;
    } else if (strategy == "SHARD_GRAD_OP" || strategy == "2") {
        reshards = false;
    } else if (strategy == "NO_SHARD" || strategy == "3") {
        reshards = false;
        notes.push_back(
            {ReadNote::Kind::translated, to,
             "NO_SHARD became fsdp_reshard_after_forward: false, but FSDP 2 still shards: for whole copies use "
             "distributed_type MULTI_GPU",
             line});
    } else if (strategy == "HYBRID_SHARD" || strategy == "4" || strategy == "HYBRID_SHARD_ZERO2" || strategy == "5") {
        reshards = strategy == "HYBRID_SHARD" || strategy == "4";
        notes.push_back({ReadNote::Kind::translated, to,
                         Message("{} became fsdp_reshard_after_forward: {}; to keep a copy on each machine, "
                                 "set parallelism_config_dp_replicate_size to the number of machines and "
                                 "parallelism_config_dp_shard_size to the processes of one",
                                 strategy, reshards),
                         line});
    } else {
        known = false;
    }
    settings.remove(from);
    if (!known)
        return;
    if (strategy == "FULL_SHARD" || strategy == "1" || strategy == "SHARD_GRAD_OP" || strategy == "2")
        notes.push_back({ReadNote::Kind::translated, to,
                         Message("{} became fsdp_reshard_after_forward: {}", strategy, reshards), line});
    settings.set(to, Value(reshards));
}

}  // namespace

Settings to_fsdp2(const Settings& settings, std::vector<ReadNote>& notes) {
    const Value* table = settings.find("fsdp_config");
    if (table == nullptr || table->map() == nullptr || table->map()->empty()) {
        notes.push_back({ReadNote::Kind::unknown, "fsdp_config", "there is no fsdp_config: nothing to convert", 0});
        return settings;
    }
    if (settings.integer(kTable + "fsdp_version", 1) == 2) {
        notes.push_back({ReadNote::Kind::unknown, kTable + "fsdp_version",
                         "fsdp_version is 2 already: nothing to convert",
                         settings.find(kTable + "fsdp_version")->line});
        return settings;
    }
    Settings converted = settings;
    convert_strategy(converted, notes);
    const Message always = "FSDP 2 always does it";
    drop(converted, notes, "fsdp_backward_prefetch", "FSDP 2 prefetches automatically");
    drop(converted, notes, "fsdp_forward_prefetch", "FSDP 2 does not have it yet");
    drop(converted, notes, "fsdp_sync_module_states", "FSDP 2 has no need of it");
    drop(converted, notes, "fsdp_use_orig_params", always);
    if (converted.text(kTable + "fsdp_state_dict_type") == "LOCAL_STATE_DICT") {
        notes.push_back({ReadNote::Kind::translated, kTable + "fsdp_state_dict_type",
                         "LOCAL_STATE_DICT became SHARDED_STATE_DICT: FSDP 2 has no local checkpoints",
                         converted.find(kTable + "fsdp_state_dict_type")->line});
        converted.set(kTable + "fsdp_state_dict_type", "SHARDED_STATE_DICT");
    }
    converted.set(kTable + "fsdp_version", 2);
    return converted;
}

}  // namespace trainyard::settings
