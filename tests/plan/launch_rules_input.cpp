// SPDX-License-Identifier: GPL-3.0-or-later
// Rules about files and flags that Accelerate misreads or refuses, though what is meant is clear.

#include <algorithm>
#include <array>
#include <regex>

#include "plan/launch_rules.h"

namespace trainyard::test {

namespace {

bool matches(const LaunchInput& in, const std::string& expression) {
    return in.file_counts() && std::regex_search(in.config, std::regex(expression, std::regex::ECMAScript));
}

LaunchInput with_config(const LaunchInput& in, const std::string& expression, const std::string& replacement) {
    LaunchInput mended = in;
    mended.config = std::regex_replace(in.config, std::regex(expression, std::regex::ECMAScript), replacement);
    return mended;
}

/// Regular expressions of unquoted values, on a line of their own.
constexpr const char* kBareNo =
    "(^|\\n)(distributed_type|mixed_precision): (NO|no|No|off|Off|OFF|false|False)(?=\\n|$)";
constexpr const char* kBareDevice = "(^|\\n)gpu_ids: ([0-9]+)(?=\\n|$)";
constexpr const char* kLinearOne = "override_linear_precision: (true|false)(?= *[,}\\n]|$)";
constexpr const char* kLinearTuple = "override_linear_precision: ['\"]?\\(([^)\\n]*)\\)['\"]?";
constexpr const char* kOldTable = "(^|\\n)ipex_config:\\n(?:  [^\\n]*\\n)*";
constexpr const char* kOldTpu = "(^|\\n)distributed_type: TPU(?=\\n|$)";
constexpr const char* kPlainSharding =
    "fsdp_reshard_after_forward: '?(FULL_SHARD|SHARD_GRAD_OP|NO_SHARD|HYBRID_SHARD|HYBRID_SHARD_ZERO2)'?(?= "
    "*[,}\\n]|$)";

constexpr const char* kPower = "(\n +fsdp_min_num_params: )([1-9])e([0-9]{1,2})(?=\n|$)";

constexpr std::array kSwitches = {"cpu",
                                  "multi_gpu",
                                  "tpu",
                                  "use_deepspeed",
                                  "use_fsdp",
                                  "use_megatron_lm",
                                  "debug",
                                  "same_network",
                                  "enable_cpu_affinity",
                                  "downcast_bf16",
                                  "use_parallelism_config"};

/// A flag whose value is valid in Accelerate's files but refused on its command line, and the value that the command
/// line accepts instead.
struct ValueOfFiles {
    const char* flag;
    const char* written;   ///< a regular expression
    const char* variable;  ///< set to the value as the file has it; empty where both mean the same
    std::function<std::string(const std::string&)> taken;
};
const std::vector<ValueOfFiles>& values_of_files() {
    auto whole = [](const std::string& text) { return std::to_string(static_cast<long long>(std::stod(text))); };
    static const std::vector<ValueOfFiles> table{
        {"fsdp_min_num_params", "[0-9]+(\\.0*)?[eE][0-9]|[0-9]+\\.0*", "", whole},
        {"gradient_clipping", "auto", "ACCELERATE_GRADIENT_CLIPPING", [](const std::string&) { return "0.5"; }},
        {"fp8_backend", "[A-Z]+", "", [](std::string text) {
             std::ranges::transform(text, text.begin(), [](unsigned char c) { return std::tolower(c); });
             return text;
         }}};
    return table;
}
LaunchInput with_values_of_flags(const LaunchInput& in) {
    LaunchInput mended = in;
    for (const ValueOfFiles& each : values_of_files()) {
        const std::string value = in.value_of(each.flag);
        if (!std::regex_match(value, std::regex(each.written)))
            continue;
        for (std::string& word : mended.flags)
            if (word == value)
                word = each.taken(value);
            else if (word.starts_with("--") && word.ends_with("=" + value) && flag_name(word).starts_with(each.flag))
                word = word.substr(0, word.find('=') + 1) + each.taken(value);
    }
    return mended;
}

/// `--cpu=true`, the first of its kind; nullptr when there is none.
const std::string* switch_with_value(const LaunchInput& in) {
    for (const std::string& word : in.flags) {
        if (!word.starts_with("--"))
            return nullptr;
        std::size_t equals = word.find('=');
        if (equals != std::string::npos && is_true(word.substr(equals + 1)) &&
            std::ranges::count(kSwitches, flag_name(word.substr(0, equals))) > 0)
            return &word;
    }
    return nullptr;
}

/// Compilers that torch has and Accelerate's command line does not know, or writes wrong.
std::string missing_compiler(const LaunchInput& in) {
    std::string typed = in.value_of("dynamo_backend"), upper = typed;
    std::ranges::transform(upper, upper.begin(), [](unsigned char c) { return static_cast<char>(std::toupper(c)); });
    if (upper == "TORHCHXLA_TRACE_ONCE")
        return "TORCHXLA_TRACE_ONCE";
    bool known = upper == "TORCHXLA_TRACE_ONCE" || upper == "HPU_BACKEND" || upper == "NEURON";
    static const std::vector<std::string> kOthers = {
        "NO",     "EAGER",  "AOT_EAGER", "INDUCTOR", "AOT_TS_NVFUSER",         "NVPRIMS_NVFUSER", "CUDAGRAPHS", "OFI",
        "FX2TRT", "ONNXRT", "TENSORRT",  "TVM",      "AOT_TORCHXLA_TRACE_ONCE"};
    bool other_case = typed == upper && !typed.empty() && std::ranges::count(kOthers, upper) > 0;
    return known || other_case ? upper : "";
}

}  // namespace

std::vector<Rule> input_rules() {
    return {
        {"flags of older releases are accepted",
         "--ipex and --use_xpu are of Accelerate up to 1.12: they have no effect, and a note says so.",
         [](const LaunchInput& in, const Json&) { return in.typed("ipex") || in.typed("use_xpu"); },
         {},
         [](const LaunchInput& in) {
             LaunchInput without = in;
             std::erase(without.flags, "--ipex");
             std::erase(without.flags, "--use_xpu");
             return without;
         }},
        {"one process for each device that is named",
         "--gpu_ids without --num_processes and without a file: Accelerate starts as many processes as the machine has "
         "devices on those that are named.",
         [](const LaunchInput& in, const Json& e) {
             std::string ids = in.value_of("gpu_ids");
             return !e.contains("error") && !in.file_counts() && !in.typed("num_processes") && !in.typed("cpu") &&
                    !ids.empty() && ids != "all" &&
                    1 + std::ranges::count(ids, ',') != in.machine_value("device_count", 0);
         },
         [](const LaunchInput& in, Json& e) {
             e["assumed"]["num_processes"] = std::to_string(1 + std::ranges::count(in.value_of("gpu_ids"), ','));
         },
         [](const LaunchInput& in) {
             LaunchInput mended = in;
             mended.add_flags({"--num_processes", std::to_string(1 + std::ranges::count(in.value_of("gpu_ids"), ','))});
             return mended;
         }},
        {"bare NO is a word",
         "YAML 1.1 reads an unquoted NO as false, and Accelerate uses false.",
         [](const LaunchInput& in, const Json&) { return matches(in, kBareNo); },
         {},
         [](const LaunchInput& in) {
             LaunchInput mended =
                 with_config(in, "(^|\\n)distributed_type: (NO|no|No|off|Off|OFF|false|False)(?=\\n|$)",
                             "$1distributed_type: 'NO'");
             return with_config(mended, "(^|\\n)mixed_precision: (NO|no|No|off|Off|OFF|false|False)(?=\\n|$)",
                                "$1mixed_precision: 'no'");
         }},
        {"a bare device is a device",
         "gpu_ids: 0 without quotes is a number, which has no split().",
         [](const LaunchInput& in, const Json&) { return matches(in, kBareDevice); },
         {},
         [](const LaunchInput& in) { return with_config(in, kBareDevice, "$1gpu_ids: '$2'"); }},
        {"one truth value for all linear parts",
         "override_linear_precision must be a YAML list: false crashes, (false, false, true) is a text of which the "
         "first three characters are exported.",
         [](const LaunchInput& in, const Json&) { return matches(in, kLinearOne) || matches(in, kLinearTuple); },
         {},
         [](const LaunchInput& in) {
             LaunchInput mended = with_config(in, kLinearOne, "override_linear_precision: [$1, $1, $1]");
             return with_config(mended, kLinearTuple, "override_linear_precision: [$1]");
         }},
        {"files of older versions",
         "ipex_config (0.19 to 1.12) has nothing to say today and distributed_type TPU is called XLA: the files are "
         "read, "
         "with a note, instead of refused.",
         [](const LaunchInput& in, const Json&) { return matches(in, kOldTable) || matches(in, kOldTpu); },
         {},
         [](const LaunchInput& in) {
             return with_config(with_config(in, kOldTable, "$1"), kOldTpu, "$1distributed_type: XLA");
         }},
        {"the sharding strategy of FSDP 1 arrives",
         "Accelerate's questionnaire writes it into fsdp_reshard_after_forward, which FSDP 1 does not read.",
         [](const LaunchInput& in, const Json&) {
             return matches(in, kPlainSharding) && setting(in, "fsdp_version", "fsdp_config.fsdp_version") != "2" &&
                    in.config_value("fsdp_config.fsdp_sharding_strategy").empty();
         },
         {},
         [](const LaunchInput& in) { return with_config(in, kPlainSharding, "fsdp_sharding_strategy: $1"); }},
        {"1e8 is a number",
         "YAML 1.1 takes 1e8 for a text, and Accelerate passes the text on.",
         [](const LaunchInput& in, const Json&) { return matches(in, kPower); },
         {},
         [](const LaunchInput& in) {
             LaunchInput mended = in;
             std::smatch found;
             while (std::regex_search(mended.config, found, std::regex(kPower, std::regex::ECMAScript))) {
                 std::string whole = found[2].str() + std::string(std::stoul(found[3].str()), '0');
                 mended.config = found.prefix().str() + found[1].str() + whole + found.suffix().str();
             }
             return mended;
         }},
        {"arguments stay as they are",
         "Python's parser drops a -- after the program.",
         [](const LaunchInput& in, const Json& e) {
             return e.contains("command") && in.program().size() > 1 && in.program()[1] == "--";
         },
         [](const LaunchInput& in, Json& e) {
             auto at = std::find(e["command"].begin(), e["command"].end(), Json(in.program()[0]));
             e["command"].insert(at + 1, "--");
         },
         {}},
        {"switches may have a value",
         "--same_network=false overrules a file; Accelerate has no way to say it.",
         [](const LaunchInput& in, const Json&) { return switch_with_value(in) != nullptr; },
         {},
         [](const LaunchInput& in) {
             LaunchInput mended = in;
             const std::string& word = *switch_with_value(in);
             auto at = std::ranges::find(mended.flags, word);
             *at = word.substr(0, word.find('='));
             return mended;
         }},
        {"flags take what files take",
         "A value that a file may hold is taken as a flag, too: 1e6 for a whole number, auto for the clipping, FP8 "
         "backends in any case.",
         [](const LaunchInput& in, const Json& e) {
             return e.contains("error") && with_values_of_flags(in).flags != in.flags;
         },
         [](const LaunchInput& in, Json& e) {
             for (const ValueOfFiles& each : values_of_files())
                 if (std::regex_match(in.value_of(each.flag), std::regex(each.written)) && e.contains("env") &&
                     e["env"].contains(each.variable))
                     e["env"][each.variable] = in.value_of(each.flag);
         },
         with_values_of_flags},
        {"compilers by their names",
         "Accelerate's command line misspells TORCHXLA_TRACE_ONCE, lacks HPU_BACKEND and NEURON, and takes lower case "
         "only.",
         [](const LaunchInput& in, const Json& e) { return e.contains("error") && !missing_compiler(in).empty(); },
         [](const LaunchInput& in, Json& e) {
             if (e.contains("env"))
                 e["env"]["ACCELERATE_DYNAMO_BACKEND"] = missing_compiler(in);
         },
         [](const LaunchInput& in) {
             LaunchInput mended = in;
             for (std::string& word : mended.flags)
                 if (word == in.value_of("dynamo_backend"))
                     word = "eager";
             return mended;
         }},
        {"false is false for loading once",
         "fsdp_cpu_ram_efficient_loading false as a flag is a text and counts as true beside a file that says "
         "fsdp_sync_module_states: false.",
         [](const LaunchInput& in, const Json& e) {
             const char* once = "fsdp_cpu_ram_efficient_loading";
             return e.contains("error") && in.typed(once) && !is_true(in.value_of(once)) &&
                    !in.typed("fsdp_sync_module_states") &&
                    in.config_value("fsdp_config.fsdp_sync_module_states") == "false";
         },
         {},
         [](const LaunchInput& in) {
             LaunchInput mended = in;
             mended.add_flags({"--fsdp_sync_module_states", "false"});
             return mended;
         }},
        {"a mesh beside a file of FSDP 2",
         "--use_parallelism_config is refused without --use_fsdp even where the file says FSDP 2.",
         [](const LaunchInput& in, const Json& e) {
             return e.contains("error") && in.typed("use_parallelism_config") && !paradigm_typed(in) &&
                    !in.typed("cpu") && type_asked(in) == "FSDP";
         },
         {},
         [](const LaunchInput& in) {
             LaunchInput mended = in;
             mended.add_flags({"--use_fsdp"});
             return mended;
         }},
        {"bf16 on the CPU",
         "The CPU computes in bf16 whatever the accelerator beside it can do.",
         [](const LaunchInput& in, const Json& e) {
             return e.contains("error") && on_cpu(in) && !in.machine_value("bf16", true) &&
                    in.value_of("mixed_precision") == "bf16";
         },
         {},
         [](const LaunchInput& in) {
             LaunchInput mended = in;
             mended.machine["bf16"] = true;
             return mended;
         }},
    };
}

}  // namespace trainyard::test
