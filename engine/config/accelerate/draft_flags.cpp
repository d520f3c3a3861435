// SPDX-License-Identifier: GPL-3.0-or-later
// The settings of a draft as flags of `launch`.

#include "base/letter_case.h"
#include "config/accelerate/draft.h"
#include "config/accelerate/schema.h"

namespace trainyard::settings {

namespace {

/// As Accelerate's parser takes it: truth values and the names of back ends in small letters.
std::string flag_text(const Key& key, const Value& value) {
    bool truths = key.type == Type::boolean || key.type == Type::booleans;
    bool small = truths || key.flag.name == "--dynamo_backend" || key.flag.name == "--fp8_backend";
    return small ? text::lower(value.display()) : value.display();
}

void add_paradigm(const Settings& settings, std::vector<std::string>& words) {
    std::string type = settings.text("distributed_type");
    if (type == "DEEPSPEED")
        words.emplace_back("--use_deepspeed");
    else if (type == "FSDP")
        words.emplace_back("--use_fsdp");
    else if (type == "MEGATRON_LM")
        words.emplace_back("--use_megatron_lm");
    else if (type == "XLA")
        words.emplace_back("--tpu");
    else if (settings.boolean("use_cpu"))
        words.emplace_back("--cpu");
    else if (type.starts_with("MULTI_") && settings.integer("num_processes", 1) > 1)
        words.emplace_back("--multi_gpu");
    const Value* mesh = settings.find("parallelism_config");
    if (type == "FSDP" && mesh != nullptr && mesh->map() != nullptr && !mesh->map()->empty())
        words.emplace_back("--use_parallelism_config");
}

void add_flag(const Settings& settings, const Key& key, const Value& value, std::vector<std::string>& words) {
    switch (key.flag.kind) {
        case FlagKind::none:
            return;
        case FlagKind::presence:
            if (settings.boolean(key.path()))
                words.emplace_back(key.flag.name);
            return;
        case FlagKind::absence:
            if (!settings.boolean(key.path(), true))
                words.emplace_back(key.flag.name);
            return;
        case FlagKind::repeated: {
            const Value::List* list = value.list();
            if (list == nullptr)
                return;
            for (const Value& item : *list) {
                words.emplace_back(key.flag.name);
                words.push_back(item.display());
            }
            return;
        }
        case FlagKind::value:
            words.emplace_back(key.flag.name);
            words.push_back(flag_text(key, value));
            return;
    }
}

}  // namespace

std::vector<std::string> Draft::command_flags() const {
    std::vector<std::string> words;
    if (settings_.text("compute_environment") == "AMAZON_SAGEMAKER")
        return words;
    add_paradigm(settings_, words);
    for (const auto& [path, value] : settings_.leaves()) {
        const Key* key = find_key(path);
        if (key == nullptr || value.is_null() || path == "use_cpu")
            continue;
        if (key->applies != nullptr && !key->applies(settings_))
            continue;
        // num_processes is always given: without it and a file the launcher would use the number of devices.
        if (value == key->standard() && path != "num_processes")
            continue;
        add_flag(settings_, *key, value, words);
    }
    return words;
}

}  // namespace trainyard::settings
