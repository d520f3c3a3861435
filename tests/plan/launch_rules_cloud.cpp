// SPDX-License-Identifier: GPL-3.0-or-later
// Rules about SageMaker and TPU.

#include <algorithm>

#include "plan/launch_rules.h"

namespace trainyard::test {

namespace {

/// The one way past Accelerate's defects in SageMaker: a way of training that --cpu switches off again.
LaunchInput past_the_defects(const LaunchInput& in) {
    LaunchInput mended = in;
    mended.config_is_default = false;
    if (!in.typed("use_megatron_lm"))
        mended.add_flags({"--use_megatron_lm"});
    if (!in.typed("cpu"))
        mended.add_flags({"--cpu"});
    std::size_t at = mended.config.find("distributed_type: 'NO'");
    if (at != std::string::npos)
        mended.config.replace(at, std::string("distributed_type: 'NO'").size(), "distributed_type: DATA_PARALLEL");
    return mended;
}

bool is_no(const LaunchInput& in) {
    return in.config.find("distributed_type: 'NO'") != std::string::npos;
}

bool is_local_flag_typed(const LaunchInput& in) {
    return paradigm_typed(in) && !in.typed("cpu");
}

std::vector<std::string> remote_command(const LaunchInput& in) {
    std::string function = setting(in, "main_training_function", "main_training_function");
    std::vector<std::string> words;
    if (in.typed("tpu_use_sudo") || is_true(in.config_value("tpu_use_sudo")))
        words.emplace_back("sudo");
    for (std::string word :
         {std::string("accelerate-launch"), std::string("--tpu"), std::string("--no_tpu_cluster"),
          std::string("--num_machines"), std::string("1"), std::string("--mixed_precision"), std::string("no"),
          std::string("--dynamo_backend"), std::string("no"), std::string("--num_processes"),
          std::to_string(processes(in)), std::string("--main_training_function"), function.empty() ? "main" : function})
        words.push_back(std::move(word));
    if (in.typed("module") || std::ranges::count(in.flags, std::string("-m")) > 0)
        words.emplace_back("--module");
    for (std::string& word : in.program())
        words.push_back(std::move(word));
    return words;
}

}  // namespace

std::vector<Rule> cloud_rules() {
    return {
        {"a SageMaker file is not for this machine",
         "A way of training typed beside a SageMaker file crashes Accelerate, or starts here without the file's "
         "settings.",
         [](const LaunchInput& in, const Json&) { return is_sagemaker(in) && is_local_flag_typed(in); },
         [](const LaunchInput&, Json& e) { e = refused(); },
         {}},
        {"SageMaker files work",
         "Every SageMaker file fails in Accelerate: DATA_PARALLEL for a missing attribute, NO for a key that the "
         "loader "
         "itself put in; only a way of training with --cpu hides both.",
         [](const LaunchInput& in, const Json& e) {
             std::string type = e.contains("error") ? e["error"].value("type", "") : "";
             std::string message = e.contains("error") ? e["error"].value("message", "") : "";
             return is_sagemaker(in) &&
                    (type == "AttributeError" || message.find("['num_processes']") != std::string::npos);
         },
         [](const LaunchInput& in, Json& e) {
             if (!is_no(in))
                 return;
             e["estimator"]["distribution"] = nullptr;
             e["estimator"]["environment"]["ACCELERATE_SAGEMAKER_DISTRIBUTED_TYPE"] = "NO";
         },
         past_the_defects},
        {"dynamo_config of a SageMaker file arrives",
         "Accelerate stores it and never passes it on.",
         [](const LaunchInput& in, const Json& e) {
             return !e.contains("error") && e["launcher"] == "sagemaker" && !in.config_value("dynamo_config").empty();
         },
         [](const LaunchInput& in, Json& e) {
             for (auto [key, variable] : {std::pair{"dynamo_backend", "BACKEND"}, std::pair{"dynamo_mode", "MODE"},
                                          std::pair{"dynamo_use_fullgraph", "USE_FULLGRAPH"},
                                          std::pair{"dynamo_use_dynamic", "USE_DYNAMIC"}}) {
                 std::string value = in.config_value(std::string("dynamo_config.") + key);
                 if (!value.empty() && !in.typed(key))
                     e["estimator"]["environment"][std::string("ACCELERATE_DYNAMO_") + variable] =
                         value == "true"    ? "True"
                         : value == "false" ? "False"
                                            : value;
             }
         },
         {}},
        {"downcast_bf16 of the file counts",
         "A flag with a default always wins over the file.",
         [](const LaunchInput& in, const Json& e) {
             return !e.contains("error") && e["launcher"] == "tpu" && e["env"].contains("XLA_USE_BF16") &&
                    is_true(in.config_value("downcast_bf16"));
         },
         [](const LaunchInput&, Json& e) {
             e["env"].erase("XLA_USE_BF16");
             e["env"]["XLA_DOWNCAST_BF16"] = "1";
         },
         {}},
        {"--tpu is a TPU",
         "Without a file Accelerate uses several devices automatically if the machine has them, and ignores --tpu "
         "then.",
         [](const LaunchInput& in, const Json& e) {
             std::string error = e.contains("error") ? e["error"].value("type", "") : "";
             bool several =
                 error == "TypeError" || error == "RuntimeError" || (error.empty() && e["launcher"] == "ranks");
             return several && type_asked(in) == "XLA" && !in.typed("cpu") && !is_sagemaker(in);
         },
         [](const LaunchInput& in, Json& e) {
             if (!in.typed("num_processes"))
                 e["assumed"]["num_processes"] = std::to_string(processes(in));
         },
         [](const LaunchInput& in) {
             LaunchInput mended = in;
             mended.machine["device_count"] = 1;
             mended.add_flags({"--num_processes", std::to_string(processes(in))});
             return mended;
         }},
        {"TPU needs Python",
         "Accelerate's TPU launcher refuses --no_python, too; the golden cases replace it by a recorder.",
         [](const LaunchInput& in, const Json& e) {
             return !e.contains("error") && type_asked(in) == "XLA" && in.typed("no_python") && !in.typed("cpu");
         },
         [](const LaunchInput&, Json& e) { e = refused(); },
         {}},
        {"a TPU pod",
         "Started through torch_xla, whose program is named instead of called in this process; --tpu_cluster means a "
         "TPU "
         "without --tpu, too. The pod must have a name and a zone.",
         [](const LaunchInput& in, const Json& e) {
             std::string error = e.contains("error") ? e["error"].value("type", "") : "";
             if (!error.empty() && error != "ImportError" && error != "ModuleNotFoundError")
                 return false;
             bool pod = in.typed("tpu_cluster") ||
                        (!in.typed("no_tpu_cluster") && is_true(in.config_value("tpu_use_cluster")));
             return type_asked(in) == "XLA" && pod && !in.typed("cpu") && !is_sagemaker(in);
         },
         [](const LaunchInput& in, Json& e) {
             std::string name = in.config_value("tpu_name");
             if (name.empty() || in.config_value("tpu_zone").empty() || in.typed("no_python")) {
                 e = refused();
                 return;
             }
             e = {{"launcher", "tpu_pod"}, {"env", Json::object()},   {"assumed", Json::object()},
                  {"port_in_use", false},  {"no_peer_access", false}, {"remote", remote_command(in)}};
         },
         {}},
    };
}

}  // namespace trainyard::test
