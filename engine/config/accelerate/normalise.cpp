// SPDX-License-Identifier: GPL-3.0-or-later
#include "config/accelerate/normalise.h"

#include <algorithm>
#include <array>

#include <fmt/format.h>

#include "base/error.h"
#include "base/truth.h"
#include "config/accelerate/convert.h"
#include "config/accelerate/schema.h"

namespace trainyard::settings {

namespace {

using Kind = ReadNote::Kind;

bool is_strategy(const Value& value) {
    const Key* key = find_key("fsdp_config.fsdp_sharding_strategy");
    return value.text() != nullptr && std::ranges::find(key->choices, *value.text()) != key->choices.end();
}

/// What `if value:` takes for true.
bool is_true_in_python(const Value& value) {
    if (const bool* truth = value.boolean())
        return *truth;
    if (const std::string* text = value.text())
        return !text->empty();
    if (const std::int64_t* number = value.integer())
        return *number != 0;
    if (const double* number = value.number())
        return *number != 0;
    if (const Value::List* items = value.list())
        return !items->empty();
    return value.map() != nullptr && !value.map()->empty();
}

/// Accelerate writes an empty table inside of a table as null.
Value without_empty_tables(Value value) {
    if (auto* entries = std::get_if<Value::Map>(&value.data)) {
        if (entries->empty())
            value.data = Value().data;
        else
            for (Entry& entry : *entries)
                entry.value = without_empty_tables(std::move(entry.value));
    }
    return value;
}

class Normaliser {
  public:
    Normaliser(const Value::Map& root, Loaded& loaded) : root_(root), loaded_(loaded) {}

    void run() {
        if (const Entry* environment = find("compute_environment"))
            sagemaker_ = environment->value.text() != nullptr && *environment->value.text() == "AMAZON_SAGEMAKER";
        take_old_keys();
        for (const Entry& entry : root_)
            take(entry);
        move_first_strategy();
        require();
        loaded_.settings = std::move(made_);
    }

  private:
    Entry* find(std::string_view key) {
        auto found = std::ranges::find(root_, key, &Entry::key);
        return found == root_.end() ? nullptr : &*found;
    }
    void drop(std::string_view key) {
        std::erase_if(root_, [key](const Entry& entry) { return entry.key == key; });
    }
    void note(Kind kind, std::string path, int line, Message message) {
        loaded_.notes.push_back({kind, std::move(path), std::move(message), line});
    }
    void refuse(int line, int column, std::string path, Message message) {
        loaded_.problems.push_back({loaded_.file, line, column, std::move(path), std::move(message)});
    }

    /// Keys that Accelerate had once. Each is renamed or dropped in `root_`.
    void take_old_keys() {
        take_fp16();
        take_dynamo_backend();
        take_tp_config();
        if (const Entry* ipex = find("ipex_config")) {
            note(
                Kind::dropped, "ipex_config", ipex->line,
                "ipex_config is of Accelerate 0.19 to 1.12 and was dropped: PyTorch itself now does what it asked for");
            drop("ipex_config");
        }
        if (Entry* type = find("distributed_type"); type != nullptr && type->value.text() != nullptr) {
            if (*type->value.text() == "TPU") {
                type->value.data = std::string("XLA");
                note(Kind::translated, type->key, type->line, "distributed_type: TPU became XLA, its name since 0.28");
            } else if (*type->value.text() == "TP") {
                refuse(
                    type->value.line, type->value.column, type->key,
                    "TP is of Accelerate 1.4 to 1.6: use FSDP with fsdp_version 2 and set parallelism_config_tp_size");
                type->value.data = std::string("FSDP");
            }
        }
    }

    void take_fp16() {
        const Entry* old = find("fp16");
        if (old == nullptr)
            return;
        bool on = is_true_in_python(old->value);
        int line = old->line;
        int column = old->column;
        if (find("mixed_precision") != nullptr) {
            note(Kind::dropped, "fp16", line, "fp16 was dropped: mixed_precision is given, too, and counts");
        } else if (on) {
            bool meant_no = old->value.text() != nullptr && truth_of(*old->value.text()) == Truth::no;
            note(meant_no ? Kind::repaired : Kind::translated, "fp16", line,
                 meant_no ? Message("fp16: the text '{}' counts as true, as in Accelerate, and became "
                                    "mixed_precision: fp16: write mixed_precision: 'no' if that is meant",
                                    *old->value.text())
                          : Message("fp16: true became mixed_precision: fp16"));
            Value precision("fp16");
            precision.line = line;
            precision.column = column;
            root_.push_back({"mixed_precision", std::move(precision), line, column});
        } else {
            note(Kind::dropped, "fp16", line, "fp16: false was dropped: without mixed_precision nothing is mixed");
        }
        drop("fp16");
    }

    void take_dynamo_backend() {
        const Entry* found = find("dynamo_backend");
        if (found == nullptr)
            return;
        Entry old = *found;
        drop("dynamo_backend");
        bool off = old.value.is_null() || (old.value.boolean() != nullptr && !*old.value.boolean()) ||
                   (old.value.text() != nullptr && *old.value.text() == "NO");
        if (find("dynamo_config") != nullptr)
            note(Kind::dropped, "dynamo_config", old.line,
                 "dynamo_config was replaced: dynamo_backend of Accelerate 0.15 is given, too, and counts there");
        drop("dynamo_config");
        if (off) {
            note(Kind::dropped, "dynamo_backend", old.line, "dynamo_backend: NO was dropped: nothing is compiled");
            return;
        }
        note(Kind::translated, "dynamo_backend", old.line, "dynamo_backend moved into dynamo_config");
        root_.push_back({"dynamo_config", Value(Value::Map{{"dynamo_backend", old.value, old.line, old.column}}),
                         old.line, old.column});
    }

    void take_tp_config() {
        const Entry* found = find("tp_config");
        if (found == nullptr)
            return;
        Entry old = *found;
        drop("tp_config");
        Settings table({{"tp_config", old.value}});
        const Value* size = table.find("tp_config.tp_size");
        Entry* mesh = find("parallelism_config");
        if (size == nullptr || size->is_null() || table.integer("tp_config.tp_size", 0) == 1 || mesh != nullptr) {
            note(Kind::dropped, "tp_config", old.line,
                 "tp_config is of Accelerate 1.4 to 1.6 and was dropped: parallelism_config has taken its place");
            return;
        }
        note(Kind::translated, "tp_config", old.line, "tp_size moved to parallelism_config.parallelism_config_tp_size");
        root_.push_back({"parallelism_config",
                         Value(Value::Map{{"parallelism_config_tp_size", *size, old.line, old.column}}), old.line,
                         old.column});
    }

    void take(const Entry& entry) {
        const std::vector<std::string>& tables = known_tables(sagemaker_);
        bool is_table =
            section_of_table(entry.key) != Section::launch && std::ranges::find(tables, entry.key) != tables.end();
        if (is_table) {
            take_table(entry);
            return;
        }
        if (const Key* key = find_key(entry.key, sagemaker_))
            put(*key, entry);
        else
            refuse_unknown(entry);
    }

    void refuse_unknown(const Entry& entry) {
        Message message;
        if (find_key(entry.key, !sagemaker_) != nullptr ||
            std::ranges::find(known_tables(!sagemaker_), entry.key) != known_tables(!sagemaker_).end()) {
            message = Message("does not belong to compute_environment {}: remove it",
                              sagemaker_ ? "AMAZON_SAGEMAKER" : "LOCAL_MACHINE");
        } else if (std::string home = table_with(entry.key); !home.empty()) {
            message = Message("is at the top level: move it into {}", home);
        } else {
            std::vector<std::string> names;
            for (const std::string& path : known_paths(sagemaker_))
                if (path.find('.') == std::string::npos)
                    names.push_back(path);
            for (const std::string& table : known_tables(sagemaker_))
                names.push_back(table);
            auto near = nearest_name(entry.key, names);
            message = near ? Message("is not a known key: did you mean '{}'?", *near)
                           : Message("is not a known key: remove it");
        }
        refuse(entry.line, entry.column, entry.key, message);
        // The key is refused, but its value is preserved: a user who opens the file to correct it finds both, and
        // check_keys() keeps refusing the key. A name with a dot would be read as a key of a table.
        if (entry.key.find('.') == std::string::npos)
            made_.set(entry.key, entry.value);
    }

    std::string table_with(const std::string& name) const {
        for (const std::string& table : known_tables(sagemaker_))
            if (const Key* key = find_key(table + "." + name, sagemaker_); key != nullptr && key->name == name)
                return table;
        return {};
    }

    void take_table(const Entry& entry) {
        if (entry.value.is_null()) {
            made_.set(entry.key, entry.value);
            return;
        }
        const Value::Map* entries = entry.value.map();
        if (entries == nullptr) {
            refuse(entry.value.line, entry.value.column, entry.key,
                   Message("{} is not a table of keys: write its keys below it, indented by two spaces",
                           entry.value.description()));
            return;
        }
        Value empty{Value::Map{}};
        empty.line = entry.value.line;
        empty.column = entry.value.column;
        made_.set(entry.key, std::move(empty));
        for (const Entry& nested : *entries)
            take_nested(entry.key, *entries, nested);
    }

    void take_nested(const std::string& table, const Value::Map& siblings, const Entry& entry) {
        std::string path = table + "." + entry.key;
        const Key* key = find_key(path, sagemaker_);
        if (key == nullptr) {
            std::vector<std::string> names;
            for (const std::string& known : known_paths(sagemaker_))
                if (known.starts_with(table + "."))
                    names.push_back(known.substr(table.size() + 1));
            auto near = nearest_name(entry.key, names);
            note(Kind::unknown, path, entry.line,
                 near ? Message("{} is not a known key of {} and was kept as it is: did you mean '{}'?", entry.key,
                                table, *near)
                      : Message("{} is not a known key of {} and was kept as it is", entry.key, table));
            made_.set(path, without_empty_tables(entry.value));
            return;
        }
        if (key->name != entry.key) {
            bool both = std::ranges::find(siblings, key->name, &Entry::key) != siblings.end() || made_.has(key->path());
            if (both) {
                note(Kind::dropped, path, entry.line,
                     Message("{} was dropped: {} is given, too, and counts", entry.key, key->name));
                return;
            }
            note(Kind::translated, path, entry.line, Message("{} is written {} today", entry.key, key->name));
        }
        put(*key, entry);
    }

    void put(const Key& key, const Entry& entry) {
        std::string path = key.path();
        bool first_strategy = path == "fsdp_config.fsdp_reshard_after_forward" && is_strategy(entry.value);
        if (first_strategy) {  // of FSDP 1; see move_first_strategy
            made_.set(path, entry.value);
            return;
        }
        Converted converted = convert(key, entry.value);
        bool open = path == "num_processes" && converted.value == Value(-1);  // to be given at the launch
        if (auto wrong = open ? std::nullopt : complaint(key, converted.value))
            refuse(entry.value.line, entry.value.column, path, *wrong);
        else if (converted.changed)
            note(Kind::repaired, path, entry.value.line, repair_of(entry.value, converted.value));
        if (!key.until.empty())
            note(Kind::unknown, path, entry.line,
                 Message("{} was read up to Accelerate {}; it was kept", key.name, key.until));
        made_.set(path, std::move(converted.value));
    }

    static Message repair_of(const Value& from, const Value& to) {
        Value made;
        made.data = to.data;  // its own spelling, not the file's
        return made.list() == nullptr ? Message("{} was read as {}", from.description(), made.description())
                                      : Message("{} was read as the list {}", from.description(), made.display());
    }

    /// Accelerate's questionnaire stores the sharding strategy of FSDP 1 in a key that only FSDP 2 reads.
    void move_first_strategy() {
        const std::string from = "fsdp_config.fsdp_reshard_after_forward";
        const std::string to = "fsdp_config.fsdp_sharding_strategy";
        const Value* found = made_.find(from);
        if (found == nullptr || !is_strategy(*found))
            return;
        Value strategy = *found;
        if (made_.integer("fsdp_config.fsdp_version", 1) == 2) {
            bool reshards = strategy == Value("FULL_SHARD") || strategy == Value("HYBRID_SHARD");
            refuse(strategy.line, strategy.column, from,
                   Message("{} is a strategy of FSDP 1: with fsdp_version 2 use {}", strategy.description(),
                           reshards ? "true" : "false"));
            return;
        }
        made_.remove(from);
        if (made_.has(to)) {
            note(Kind::dropped, from, strategy.line,
                 "fsdp_reshard_after_forward was dropped: FSDP 1 reads fsdp_sharding_strategy, which is given");
            return;
        }
        note(Kind::translated, from, strategy.line,
             Message("{} moved from fsdp_reshard_after_forward to fsdp_sharding_strategy, where FSDP 1 reads "
                     "it",
                     *strategy.text()));
        made_.set(to, std::move(strategy));
    }

    void require() {
        std::vector<std::pair<std::string_view, Message>> needed = {
            {"distributed_type",
             sagemaker_ ? Message("is missing: add it, e.g. distributed_type: DATA_PARALLEL, or 'NO' for one device")
                        : Message("is missing: add it, e.g. distributed_type: MULTI_GPU, or 'NO' for one process")}};
        if (sagemaker_) {
            needed.emplace_back("ec2_instance_type", "is missing: add it, e.g. ec2_instance_type: ml.p3.2xlarge");
            needed.emplace_back("iam_role_name", "is missing: add the role that SageMaker works with");
        }
        // Accelerate chooses the kind of file by it, and neither has one without a name.
        if (const Entry* environment = find("compute_environment");
            environment != nullptr && environment->value.is_null())
            refuse(environment->value.line, environment->value.column, "compute_environment",
                   "names nothing: write LOCAL_MACHINE or AMAZON_SAGEMAKER, or remove the key");
        for (const auto& [name, message] : needed)
            if (const Value* found = made_.find(name); found == nullptr || found->is_null())
                refuse(found == nullptr ? 0 : found->line, found == nullptr ? 0 : found->column, std::string(name),
                       message);
    }

    Value::Map root_;
    Loaded& loaded_;
    Settings made_;
    bool sagemaker_ = false;
};

}  // namespace

void normalise(const Value& root, Loaded& loaded) {
    const Value::Map* map = root.map();
    if (map != nullptr) {
        Normaliser(*map, loaded).run();
        return;
    }
    loaded.problems.push_back(
        {loaded.file, root.line, root.column, "",
         root.is_null() ? Message("is empty: write settings as `key: value` lines, at least distributed_type")
                        : Message("holds {}, not keys: write settings as `key: value` lines, at least distributed_type",
                                  root.description())});
}

}  // namespace trainyard::settings
