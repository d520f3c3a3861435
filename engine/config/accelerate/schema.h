// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
// Every setting there is, as one typed table: loader, checks, questionnaire, wizard, command-line flags, `--help` and the key
// reference (KEYS.md) are all made from it. A new setting is one row in the schema_*.cpp file of its section.
// Source: Accelerate 1.15 (config_args.py, launch.py, dataclasses.py).

#include <limits>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "config/accelerate/settings.h"

namespace trainyard::settings {

enum class Section {
    local,        ///< top level, compute_environment LOCAL_MACHINE
    sagemaker,    ///< top level, compute_environment AMAZON_SAGEMAKER
    fsdp,         ///< fsdp_config
    deepspeed,    ///< deepspeed_config
    megatron,     ///< megatron_lm_config
    dynamo,       ///< dynamo_config
    fp8,          ///< fp8_config
    mpirun,       ///< mpirun_config
    parallelism,  ///< parallelism_config
    launch,       ///< only a flag of `launch`, never in a file
};
/// `fsdp_config`; empty for the top level and for flags.
std::string_view table_name(Section section);
/// The section whose table that is; nullptr-like: Section::launch when no table is called so.
Section section_of_table(std::string_view table);

enum class Type {
    boolean,
    integer,
    number,  ///< an integer counts as one
    text,
    choice,  ///< one of `choices`
    path,
    texts,     ///< list of texts
    booleans,  ///< list of three truth values (override_linear_precision)
    table,     ///< a nested map; free keys
};

enum class FlagKind {
    none,      ///< cannot be given on the command line
    value,     ///< --flag X
    presence,  ///< --flag means true
    absence,   ///< --flag means false (--no_tpu_cluster)
    repeated,  ///< --flag X, several times
};

struct Flag {
    std::string_view name;   ///< `--fsdp_version`; `-` for `_` is accepted too
    std::string_view brief;  ///< `-m`
    FlagKind kind = FlagKind::none;
    std::string_view group;                   ///< heading in --help, e.g. `FSDP`
    Value fallback;                           ///< what Accelerate's parser has when the flag is absent; null: not set
    std::vector<std::string_view> also = {};  ///< other names: those of torchrun and of older releases
};

/// How a value reaches the environment of a rank.
struct Environment {
    enum class When { never, always, set };  ///< set: only when it is not null
    std::string_view name;                   ///< `FSDP_VERSION`
    When when = When::never;
    bool lower = false;  ///< text is lower-cased
    bool upper = false;
};

struct Range {
    double least = -std::numeric_limits<double>::infinity();
    double most = std::numeric_limits<double>::infinity();
};

struct Key {
    std::string_view name;  ///< as written in the file, e.g. `fsdp_version`
    Section section = Section::local;
    Type type = Type::text;
    std::string_view label;  ///< for people: `Sharding version`
    std::string_view help;   ///< one sentence, no full stop
    std::vector<std::string_view> choices;
    bool ignore_case = false;  ///< a choice may be written in any case; it is read as spelled in `choices`
    bool numbered = false;     ///< a choice may be written as its number, from 1
    bool keeps_words = false;  ///< `yes` and `no` as text stay so, since Accelerate's own questionnaire writes them
    Range range;
    Value fallback;  ///< of the file when the key is absent (Accelerate's class default); null: none
    Value
        effective;  ///< what counts when neither file nor flag says anything, where that is not fallback or flag.fallback
    Flag flag;
    Environment environment;
    std::vector<std::string_view> aliases;       ///< other spellings accepted when read; `name` is written
    std::string_view since;                      ///< Accelerate's version: `1.6`
    std::string_view until;                      ///< last version that had it; empty: still there
    std::string_view read_by;                    ///< which back ends read it: `FSDP 1, FSDP 2`
    bool (*applies)(const Settings&) = nullptr;  ///< nullptr: always
    std::string_view applies_when;               ///< in words: `fsdp_version is 1`

    /// `fsdp_config.fsdp_version`
    std::string path() const;
    /// What counts when nobody sets it: fallback, else flag.fallback, else effective; null: nothing.
    const Value& standard() const;
};

std::span<const Key> schema();
/// By path (aliases too, prefixes optional as Accelerate has them: fsdp_config.version); nullptr: unknown.
const Key* find_key(std::string_view path, bool sagemaker = false);
/// By flag name with or without dashes, `-` or `_`; nullptr: unknown.
const Key* find_flag(std::string_view name);
/// All paths, for "did you mean".
const std::vector<std::string>& known_paths(bool sagemaker = false);
/// The tables a file may hold: `fsdp_config` ...
const std::vector<std::string>& known_tables(bool sagemaker = false);

/// KEYS.md: every key and flag with type, default, range, condition and environment variable.
std::string keys_markdown();

}  // namespace trainyard::settings
