// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
// Writes rows of the schema, one chain of calls per key. Internal to schema_*.cpp.

#include <utility>
#include <vector>

#include "config/accelerate/schema.h"

namespace trainyard::settings {

class Row {
  public:
    explicit Row(Key& key) : key_(key) {}

    Row& choices(std::vector<std::string_view> words) {
        key_.choices = std::move(words);
        return *this;
    }
    Row& any_case() {
        key_.ignore_case = true;
        return *this;
    }
    Row& numbered() {
        key_.numbered = true;
        return *this;
    }
    Row& keeps_words() {
        key_.keeps_words = true;
        return *this;
    }
    Row& range(double least, double most = std::numeric_limits<double>::infinity()) {
        key_.range = {least, most};
        return *this;
    }
    Row& fallback(Value value) {
        key_.fallback = std::move(value);
        return *this;
    }
    Row& effective(Value value) {
        key_.effective = std::move(value);
        return *this;
    }
    Row& flag(std::string_view name, Value fallback = {}, FlagKind kind = FlagKind::value) {
        key_.flag.name = name;
        key_.flag.kind = kind;
        key_.flag.fallback = std::move(fallback);
        return *this;
    }
    /// --flag without a value.
    Row& presence(std::string_view name) { return flag(name, false, FlagKind::presence); }
    Row& also(std::vector<std::string_view> names) {
        key_.flag.also = std::move(names);
        return *this;
    }
    Row& brief(std::string_view name) {
        key_.flag.brief = name;
        return *this;
    }
    Row& group(std::string_view name) {
        key_.flag.group = name;
        return *this;
    }
    Row& always(std::string_view variable) {
        key_.environment = {variable, Environment::When::always, false, false};
        return *this;
    }
    Row& when_set(std::string_view variable) {
        key_.environment = {variable, Environment::When::set, false, false};
        return *this;
    }
    Row& lower() {
        key_.environment.lower = true;
        return *this;
    }
    Row& upper() {
        key_.environment.upper = true;
        return *this;
    }
    Row& aliases(std::vector<std::string_view> names) {
        key_.aliases = std::move(names);
        return *this;
    }
    Row& since(std::string_view version) {
        key_.since = version;
        return *this;
    }
    Row& until(std::string_view version) {
        key_.until = version;
        return *this;
    }
    Row& read_by(std::string_view backends) {
        key_.read_by = backends;
        return *this;
    }
    Row& applies(bool (*condition)(const Settings&), std::string_view words) {
        key_.applies = condition;
        key_.applies_when = words;
        return *this;
    }

  private:
    Key& key_;
};

/// The rows of one section; what its keys share is said once.
class SectionRows {
  public:
    SectionRows(std::vector<Key>& keys, Section section, std::string_view group, std::string_view read_by,
                bool (*applies)(const Settings&) = nullptr, std::string_view words = {})
        : keys_(keys), section_(section), group_(group), read_by_(read_by), applies_(applies), words_(words) {}

    Row operator()(std::string_view name, Type type, std::string_view label, std::string_view help) {
        Key& key = keys_.emplace_back();
        key.name = name;
        key.section = section_;
        key.type = type;
        key.label = label;
        key.help = help;
        key.flag.group = group_;
        key.read_by = read_by_;
        key.applies = applies_;
        key.applies_when = words_;
        return Row(key);
    }

  private:
    std::vector<Key>& keys_;
    Section section_;
    std::string_view group_;
    std::string_view read_by_;
    bool (*applies_)(const Settings&);
    std::string_view words_;
};

// One per section, each in its file; called once, in the order of the key reference.
void add_local_keys(std::vector<Key>& keys);
void add_sagemaker_keys(std::vector<Key>& keys);
void add_fsdp_keys(std::vector<Key>& keys);
void add_deepspeed_keys(std::vector<Key>& keys);
void add_megatron_keys(std::vector<Key>& keys);
void add_dynamo_keys(std::vector<Key>& keys);
void add_fp8_keys(std::vector<Key>& keys);
void add_mpirun_keys(std::vector<Key>& keys);
void add_parallelism_keys(std::vector<Key>& keys);
void add_launch_flags(std::vector<Key>& keys);

}  // namespace trainyard::settings
