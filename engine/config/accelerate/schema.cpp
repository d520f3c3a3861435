// SPDX-License-Identifier: GPL-3.0-or-later
#include "config/accelerate/schema.h"

#include <algorithm>
#include <array>
#include <map>

#include "config/accelerate/schema_rows.h"

namespace trainyard::settings {

namespace {

struct TableName {
    Section section;
    std::string_view name;
    /// May be left out of a key's name, or put before it where the key has none.
    std::string_view prefix;
};

constexpr std::array<TableName, 7> kTables = {{
    {Section::fsdp, "fsdp_config", "fsdp_"},
    {Section::deepspeed, "deepspeed_config", ""},
    {Section::megatron, "megatron_lm_config", ""},
    {Section::dynamo, "dynamo_config", "dynamo_"},
    {Section::fp8, "fp8_config", "fp8_"},
    {Section::mpirun, "mpirun_config", ""},
    {Section::parallelism, "parallelism_config", ""},
}};

std::vector<Key> make_schema() {
    std::vector<Key> keys;
    keys.reserve(256);
    add_local_keys(keys);
    add_sagemaker_keys(keys);
    add_fsdp_keys(keys);
    add_deepspeed_keys(keys);
    add_megatron_keys(keys);
    add_dynamo_keys(keys);
    add_fp8_keys(keys);
    add_mpirun_keys(keys);
    add_parallelism_keys(keys);
    add_launch_flags(keys);
    return keys;
}

const std::vector<Key>& all_keys() {
    static const std::vector<Key> keys = make_schema();
    return keys;
}

bool stands_in(Section section, bool sagemaker) {
    switch (section) {
        case Section::sagemaker:
            return sagemaker;
        case Section::dynamo:
            return true;
        case Section::launch:
            return false;
        default:
            return !sagemaker;
    }
}

using Index = std::map<std::string, const Key*, std::less<>>;

Index make_index(bool sagemaker) {
    Index index;
    auto add = [&index](const std::string& path, const Key* key) { index.emplace(path, key); };
    for (const Key& key : all_keys()) {
        if (!stands_in(key.section, sagemaker))
            continue;
        add(key.path(), &key);
    }
    // Other spellings never hide a key's own name.
    for (const Key& key : all_keys()) {
        if (!stands_in(key.section, sagemaker))
            continue;
        std::string table(table_name(key.section));
        std::string before = table.empty() ? "" : table + ".";
        std::vector<std::string_view> names(key.aliases);
        names.insert(names.begin(), key.name);
        for (const TableName& known : kTables) {
            if (known.section != key.section)
                continue;
            for (std::string_view name : names) {
                add(before + std::string(name), &key);
                if (known.prefix.empty())
                    continue;
                if (name.starts_with(known.prefix))
                    add(before + std::string(name.substr(known.prefix.size())), &key);
                else
                    add(before + std::string(known.prefix) + std::string(name), &key);
            }
        }
        for (std::string_view name : key.aliases)
            add(before + std::string(name), &key);
    }
    return index;
}

const Index& index_of(bool sagemaker) {
    static const Index local = make_index(false);
    static const Index cloud = make_index(true);
    return sagemaker ? cloud : local;
}

/// `--Fsdp-Version` and `fsdp_version` are one flag; case counts.
std::string plain_flag(std::string_view name) {
    std::string plain(name.substr(std::min(name.find_first_not_of('-'), name.size())));
    std::ranges::replace(plain, '-', '_');
    return plain;
}

}  // namespace

std::string_view table_name(Section section) {
    for (const TableName& table : kTables)
        if (table.section == section)
            return table.name;
    return {};
}

Section section_of_table(std::string_view table) {
    for (const TableName& known : kTables)
        if (known.name == table)
            return known.section;
    return Section::launch;
}

std::string Key::path() const {
    std::string_view table = table_name(section);
    return table.empty() ? std::string(name) : std::string(table) + "." + std::string(name);
}

const Value& Key::standard() const {
    if (!fallback.is_null())
        return fallback;
    return flag.fallback.is_null() ? effective : flag.fallback;
}

std::span<const Key> schema() {
    return all_keys();
}

const Key* find_key(std::string_view path, bool sagemaker) {
    const Index& index = index_of(sagemaker);
    auto found = index.find(path);
    return found == index.end() ? nullptr : found->second;
}

const Key* find_flag(std::string_view name) {
    static const std::map<std::string, const Key*, std::less<>> flags = [] {
        std::map<std::string, const Key*, std::less<>> made;
        for (const Key& key : all_keys()) {
            if (key.flag.kind == FlagKind::none)
                continue;
            made.emplace(plain_flag(key.flag.name), &key);
            if (!key.flag.brief.empty())
                made.emplace(plain_flag(key.flag.brief), &key);
            for (const std::string_view other : key.flag.also)
                made.emplace(plain_flag(other), &key);
        }
        return made;
    }();
    auto found = flags.find(plain_flag(name));
    return found == flags.end() ? nullptr : found->second;
}

const std::vector<std::string>& known_paths(bool sagemaker) {
    auto make = [](bool cloud) {
        std::vector<std::string> paths;
        for (const Key& key : all_keys())
            if (stands_in(key.section, cloud))
                paths.push_back(key.path());
        return paths;
    };
    static const std::vector<std::string> local = make(false);
    static const std::vector<std::string> cloud = make(true);
    return sagemaker ? cloud : local;
}

const std::vector<std::string>& known_tables(bool sagemaker) {
    static const std::vector<std::string> local = [] {
        std::vector<std::string> names;
        for (const TableName& table : kTables)
            names.emplace_back(table.name);
        return names;
    }();
    static const std::vector<std::string> cloud = {"dynamo_config", "additional_args"};
    return sagemaker ? cloud : local;
}

}  // namespace trainyard::settings
