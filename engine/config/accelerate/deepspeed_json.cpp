// SPDX-License-Identifier: GPL-3.0-or-later
// A DeepSpeed JSON (ds_config.json) as settings. `auto` leaves a key out: Accelerate then takes what the script says.

#include <fmt/format.h>

#include "base/error.h"
#include "config/accelerate/convert.h"
#include "config/accelerate/schema.h"
#include "config/accelerate/settings_file.h"
#include "config/values/value_formats.h"

namespace trainyard::settings {

namespace {

class Import {
  public:
    explicit Import(Loaded& loaded) : loaded_(loaded) {}

    void run(const Value::Map& root) {
        made_.set("compute_environment", "LOCAL_MACHINE");
        made_.set("distributed_type", "DEEPSPEED");
        const Value* zero = nullptr;
        for (const Entry& entry : root) {
            const std::string& key = entry.key;
            if (key == "zero_optimization")
                zero = &entry.value;
            else if (key == "gradient_accumulation_steps" || key == "gradient_clipping")
                put("deepspeed_config." + key, key, entry.value);
            else if (key == "fp16" || key == "bf16" || key == "bfloat16")
                precision(key == "fp16" ? "fp16" : "bf16", entry);
            else
                leave(entry, key);
        }
        if (zero == nullptr || zero->map() == nullptr)
            refuse(zero == nullptr ? root.empty() ? Value() : root.front().value : *zero, "zero_optimization",
                   "is missing: DeepSpeed needs this table, at least with a stage");
        else
            take_zero(*zero->map());
        if (!made_.has("deepspeed_config.zero_stage"))
            made_.set("deepspeed_config.zero_stage", 2);
        loaded_.settings = std::move(made_);
    }

  private:
    void refuse(const Value& at, const std::string& key, Message message) {
        loaded_.problems.push_back({loaded_.file, at.line, at.column, key, std::move(message)});
    }
    void leave(const Entry& entry, const std::string& path) {
        loaded_.notes.push_back({ReadNote::Kind::unknown, path,
                                 Message("{} has no place among Accelerate's keys and stays behind: keep the file as "
                                         "deepspeed_config_file if you need it",
                                         path),
                                 entry.line});
    }

    void put(const std::string& path, const std::string& from, const Value& value) {
        if (value.text() != nullptr && *value.text() == "auto") {
            loaded_.notes.push_back({ReadNote::Kind::dropped, path,
                                     Message("{} is auto and was left out: the script decides", from), value.line});
            return;
        }
        const Key* key = find_key(path);
        Converted converted = convert(*key, value);
        if (auto wrong = complaint(*key, converted.value)) {
            refuse(value, from, *wrong);
            return;
        }
        loaded_.notes.push_back({ReadNote::Kind::translated, path, Message("{} became {}", from, path), value.line});
        made_.set(path, std::move(converted.value));
    }

    void precision(const std::string& name, const Entry& entry) {
        Settings table({{"t", entry.value}});
        const Value* enabled = table.find("t.enabled");
        if (enabled == nullptr || (enabled->text() != nullptr && *enabled->text() == "auto"))
            return;
        if (!table.boolean("t.enabled"))
            return;
        if (made_.has("mixed_precision") && made_.text("mixed_precision") != name) {
            refuse(*enabled, entry.key + ".enabled", "fp16 and bf16 are both enabled: keep one");
            return;
        }
        loaded_.notes.push_back({ReadNote::Kind::translated, "mixed_precision",
                                 Message("{}.enabled became mixed_precision: {}", entry.key, name), entry.line});
        made_.set("mixed_precision", name);
    }

    void take_zero(const Value::Map& zero) {
        const std::string table = "zero_optimization.";
        for (const Entry& entry : zero) {
            std::string from = table + entry.key;
            if (entry.key == "stage")
                put("deepspeed_config.zero_stage", from, entry.value);
            else if (entry.key == "offload_optimizer" || entry.key == "offload_param")
                take_offload(entry, from);
            else if (entry.key == "stage3_gather_16bit_weights_on_model_save" ||
                     entry.key == "stage3_gather_fp16_weights_on_model_save")
                put("deepspeed_config.zero3_save_16bit_model", from, entry.value);
            else {
                if (const std::int64_t* size = entry.key == "zero_hpz_partition_size" ? entry.value.integer() : nullptr)
                    loaded_.hpz_partition_size = *size;
                leave(entry, from);
            }
        }
    }

    void take_offload(const Entry& entry, const std::string& from) {
        const Value::Map* table = entry.value.map();
        if (table == nullptr) {
            refuse(entry.value, from, Message("{} is not a table of keys", entry.value.description()));
            return;
        }
        for (const Entry& nested : *table) {
            std::string nested_from = from + "." + nested.key;
            if (nested.key == "device")
                put("deepspeed_config." + entry.key + "_device", nested_from, nested.value);
            else if (nested.key == "nvme_path")
                put("deepspeed_config." + entry.key + "_nvme_path", nested_from, nested.value);
            else
                leave(nested, nested_from);
        }
    }

    Loaded& loaded_;
    Settings made_;
};

}  // namespace

Loaded read_deepspeed_json(std::string text, const std::string& file) {
    Loaded loaded;
    loaded.text = std::move(text);
    loaded.file = file;
    loaded.format = Format::json;
    const Value root = parse_json_tree(loaded.text, file, loaded.problems, python_rules(loaded.problems));
    if (root.map() != nullptr)
        Import(loaded).run(*root.map());
    else if (loaded.problems.empty())
        loaded.problems.push_back(
            {file, root.line, root.column, "", "holds no table of keys: a DeepSpeed file begins with {"});
    return loaded;
}

}  // namespace trainyard::settings
