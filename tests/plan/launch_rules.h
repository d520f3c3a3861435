// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
// Where the product differs from Accelerate's launcher on purpose. Each rule is a predicate over the input, a reason, and our own
// expected result, worked out from the input and Accelerate's answer. The same table for people:
// engine/launch/plan/README.md.
//
// Two kinds: `adapt` changes Accelerate's answer; `instead` gives an input that means the same and that Accelerate handles right,
// and the product must answer both alike (but for what `adapt` changes).

#include <functional>
#include <optional>
#include <vector>

#include "plan/launch_input.h"

namespace trainyard::test {

struct Rule {
    const char* name;
    const char* reason;
    std::function<bool(const LaunchInput&, const Json& expected)> applies;
    std::function<void(const LaunchInput&, Json& expected)> adapt;  ///< empty for the other kind
    std::function<LaunchInput(const LaunchInput&)> instead;         ///< empty for the other kind
};

const std::vector<Rule>& rules();

/// Accelerate's answer in the product's words: torchrun's numbers as text, its ranks, its assumptions as a table.
Json normalised(const LaunchInput& input, Json expected);
/// The product's warnings brought into the same form.
Json with_facts(Json answer);
/// What the product must answer. `applied`: names of the rules that were needed.
Json judged(const LaunchInput& input, const Json& accelerate, std::vector<std::string>& applied);
/// Empty when they agree; else what differs.
std::string difference(const Json& expected, const Json& answer);

inline const Json& refused() {
    static const Json kRefused{{"error", {{"type", "refused"}}}};
    return kRefused;
}

// Values that an input requests, computed independently of the code under test.
std::string setting(const LaunchInput& input, const std::string& flag, const std::string& path);  ///< flag, else file
std::string type_asked(const LaunchInput& input);  ///< DEEPSPEED FSDP MEGATRON_LM MULTI XLA MULTI_CPU NO
bool on_cpu(const LaunchInput& input);             ///< --cpu, use_cpu or MULTI_CPU
bool is_sagemaker(const LaunchInput& input);
bool paradigm_typed(const LaunchInput& input);
int processes(const LaunchInput& input);  ///< in all, no accelerator counts as one
int machines(const LaunchInput& input);
int machine_rank(const LaunchInput& input);      ///< -1: not said
int ranks_here(const LaunchInput& input);        ///< of this machine, the first machines have one more
std::string hostfile(const LaunchInput& input);  ///< of mpirun
bool is_true(const std::string& text);

/// Whether an answer starts ranks.
inline bool is_ranks(const Json& answer) {
    return answer.contains("launcher") && answer["launcher"] == "ranks";
}

std::vector<Rule> input_rules();    ///< launch_rules_input.cpp: files and flags that mean the same as others
std::vector<Rule> count_rules();    ///< launch_rules_count.cpp: processes, machines, threads
std::vector<Rule> setting_rules();  ///< launch_rules_setting.cpp: values that do not arrive, contradictions
std::vector<Rule> cloud_rules();    ///< launch_rules_cloud.cpp: SageMaker and TPU

}  // namespace trainyard::test
