// SPDX-License-Identifier: GPL-3.0-or-later
// TPU pods and Amazon SageMaker. Access keys are not asked for: the reference needs them to create
// a role on the spot, which we do not; a file never holds them and launch reads them from the environment.

#include <algorithm>
#include <filesystem>
#include <system_error>

#include "config/accelerate/questions.h"

namespace trainyard::settings::questions {

namespace {

constexpr std::string_view kRole = "accelerate_sagemaker_execution_role";

std::string joined(const Value& list, char separator) {
    std::string text;
    for (const Value& item : *list.list())
        text += (text.empty() ? "" : std::string(1, separator)) + item.display();
    return text;
}

bool xla(const Context& context) {
    return context.is("machine_type", "XLA");
}
bool cluster(const Context& context) {
    return context.yes("tpu_cluster");
}
bool parallel_job(const Context& context) {
    return context.sagemaker() && !context.is("sm_dist", "NO");
}

/// "yes" and the path that belongs to it.
void add_optional_path(std::vector<Row>& rows, std::string_view ask_id, std::string_view ask, std::string_view id,
                       QuestionKind kind, std::string_view title, std::string_view label, std::string_view help,
                       std::string_view path) {
    rows.push_back({.question = question(ask_id, Topic::cloud, QuestionKind::yes_no, ask, label, help),
                    .fallback = "no",
                    .read = yes_when_there({std::string(path)}, "")});
    std::string steering(ask_id);
    rows.push_back({.question = question(id, Topic::cloud, kind, title, label, help, path),
                    .shown = [steering](const Context& context) { return context.yes(steering); },
                    .hidden = "only when wanted"});
}

}  // namespace

std::vector<Row> tpu_rows() {
    constexpr std::string_view kOnly = "only for TPUs";
    constexpr std::string_view kCluster = "only for a TPU cluster";
    std::vector<Row> rows;
    rows.push_back(
        {.question = question("tpu_main", Topic::cloud, QuestionKind::text, "Which function runs in every process?",
                              "Main function", "Name of a function of the script", "main_training_function"),
         .shown = xla,
         .hidden = kOnly,
         .fallback = "main"});
    rows.push_back(
        {.question = question("tpu_cluster", Topic::cloud, QuestionKind::yes_no, "Is it a cluster of TPU machines?",
                              "TPU cluster", "A pod that gcloud reaches", "tpu_use_cluster"),
         .shown = xla,
         .hidden = kOnly,
         .fallback = "no"});
    rows.push_back({.question = question("tpu_name", Topic::cloud, QuestionKind::text, "Name of the cluster?",
                                         "Cluster", "As gcloud lists it", "tpu_name"),
                    .shown = cluster,
                    .hidden = kCluster,
                    .required = "tpu_name is missing: name the TPU cluster as `gcloud compute tpus tpu-vm list` does"});
    rows.push_back({.question = question("tpu_zone", Topic::cloud, QuestionKind::text, "Zone of the cluster?", "Zone",
                                         "For example us-central1-a", "tpu_zone"),
                    .shown = cluster,
                    .hidden = kCluster,
                    .required = "tpu_zone is missing: name the zone of the TPU cluster, such as us-central1-a"});
    // A truth value; the reference stores what was typed, and its launcher takes the text `no` for yes.
    rows.push_back({.question = question("tpu_sudo", Topic::cloud, QuestionKind::yes_no, "Run with sudo in the pod?",
                                         "sudo", "For the commands on the pod's machines", "tpu_use_sudo"),
                    .shown = cluster,
                    .hidden = kCluster,
                    .fallback = "no"});
    rows.push_back({.question = question("tpu_cmd_yn", Topic::cloud, QuestionKind::yes_no,
                                         "Are there commands to run first on each pod machine?", "Start-up commands",
                                         "For example an installation"),
                    .shown = cluster,
                    .hidden = kCluster,
                    .fallback = "no",
                    .read = yes_when_there({"commands", "command_file"}, "")});
    rows.push_back({.question = question("tpu_cmd_file_yn", Topic::cloud, QuestionKind::yes_no, "Are they in a script?",
                                         "Commands in a script", "Else they are given here"),
                    .shown = [](const Context& context) { return context.yes("tpu_cmd_yn"); },
                    .hidden = "only with start-up commands",
                    .fallback = "no",
                    .read = yes_when_there({"command_file"}, "")});
    rows.push_back({.question = question("tpu_cmd_file", Topic::cloud, QuestionKind::path, "Which script?", "Script",
                                         "Stored with its full path", "command_file"),
                    .shown = [](const Context& context) { return context.yes("tpu_cmd_file_yn"); },
                    .hidden = "only with start-up commands in a script",
                    .required = "command_file is missing: name the script with the start-up commands",
                    .write =
                        [](const Context&, const std::string& answer, Settings& settings) {
                            std::error_code error;
                            auto path = std::filesystem::absolute(with_home(answer), error);
                            settings.set("command_file", error ? answer : path.lexically_normal().string());
                        }});
    rows.push_back(
        {.question = question("tpu_cmd", Topic::cloud, QuestionKind::text, "Which commands? (one a line)", "Commands",
                              "One a line", "commands"),
         .shown = [](const Context& context) { return context.yes("tpu_cmd_yn") && !context.yes("tpu_cmd_file_yn"); },
         .hidden = "only with start-up commands given here",
         .required = "commands are missing: give at least one, or answer that no commands are needed",
         .write = [](const Context&, const std::string& answer,
                     Settings& settings) { settings.set("commands", list_of(answer, '\n')); },
         .read = [](const Settings& settings) -> std::optional<std::string> {
             const Value* value = settings.find("commands");
             if (value == nullptr || value->list() == nullptr)
                 return std::nullopt;
             return joined(*value, '\n');
         }});
    rows.push_back({.question = question("tpu_vm", Topic::cloud, QuestionKind::text,
                                         "Names of the machines, if they are not an instance group?", "Machines",
                                         "With commas; nothing for an instance group", "tpu_vm"),
                    .shown = cluster,
                    .hidden = kCluster,
                    .stored = Stored::list});
    rows.push_back(
        {.question = question("tpu_env", Topic::cloud, QuestionKind::text, "Environment variables for the pod?",
                              "Environment", "NAME=value, with commas", "tpu_env"),
         .shown = cluster,
         .hidden = kCluster,
         .stored = Stored::list});
    return rows;
}

std::vector<Row> sagemaker_rows() {
    std::vector<Row> rows;
    rows.push_back(
        {.question = question("sm_auth", Topic::cloud, QuestionKind::menu, "How do you sign in to AWS?", "Sign-in",
                              "With keys, launch reads AWS_ACCESS_KEY_ID and AWS_SECRET_ACCESS_KEY", "",
                              {{"profile", "Profile", "of ~/.aws"},
                               {"credentials", "Access keys", "from the environment when launching"}}),
         .fallback = "profile",
         .read = [](const Settings& settings) -> std::optional<std::string> {
             if (settings.text("compute_environment") != "AMAZON_SAGEMAKER")
                 return std::nullopt;
             return settings.has("profile") ? "profile" : "credentials";
         }});
    rows.push_back({.question = question("sm_profile", Topic::cloud, QuestionKind::text, "Which AWS profile?",
                                         "Profile", "A section of ~/.aws/config", "profile"),
                    .shown = [](const Context& context) { return context.is("sm_auth", "profile"); },
                    .hidden = "only when signing in with a profile",
                    .fallback = "default"});
    rows.push_back({.question = question("sm_region", Topic::cloud, QuestionKind::text, "Which AWS region?", "Region",
                                         "Where the jobs run", "region"),
                    .fallback = "us-east-1"});
    rows.push_back(
        {.question = question("sm_role", Topic::cloud, QuestionKind::menu, "Which IAM role do the jobs get?", "Role",
                              "It must be allowed to use SageMaker, S3, ECR and logs", "",
                              {{"name", "One that exists", "give its name"},
                               {"create", "Accelerate's usual one", "the name `accelerate config` gives it"}}),
         .fallback = "name",
         .read = [](const Settings& settings) -> std::optional<std::string> {
             if (!settings.has("iam_role_name"))
                 return std::nullopt;
             return settings.text("iam_role_name") == kRole ? "create" : "name";
         }});
    rows.push_back({.question = question("sm_role_name", Topic::cloud, QuestionKind::text, "Name of the role?",
                                         "Role name", "Not its ARN", "iam_role_name"),
                    .shown = [](const Context& context) { return context.is("sm_role", "name"); },
                    .hidden = "only for a role of your own",
                    .required = "iam_role_name is missing: SageMaker starts no job without a role"});
    add_optional_path(rows, "sm_docker_yn", "Use a container image of your own?", "sm_docker", QuestionKind::text,
                      "Which image?", "Image", "In ECR, with its tag", "image_uri");
    add_optional_path(rows, "sm_inputs_yn", "Give the job input channels?", "sm_inputs", QuestionKind::path,
                      "Which TSV file names them?", "Input channels", "A table with the columns channel and location",
                      "sagemaker_inputs_file");
    add_optional_path(rows, "sm_metrics_yn", "Pick metrics out of the log?", "sm_metrics", QuestionKind::path,
                      "Which TSV file names them?", "Metrics", "A table with the columns name and regex",
                      "sagemaker_metrics_file");
    rows.push_back({.question = question("sm_dist", Topic::cloud, QuestionKind::menu, "How is the job distributed?",
                                         "Distribution", "SageMaker's own data parallelism", "distributed_type",
                                         {{"NO", "Not at all", "one machine"}, {"DATA_PARALLEL", "Data parallel", ""}}),
                    .fallback = "NO"});
    for (Row& row : compile_rows(true)) {
        row.question.topic = Topic::cloud;
        rows.push_back(std::move(row));
    }
    rows.push_back({.question = question("sm_instance", Topic::cloud, QuestionKind::menu, "Which EC2 type?", "EC2 type",
                                         "Types that SageMaker's data parallelism runs on", "ec2_instance_type",
                                         plain_options({"ml.p3.16xlarge", "ml.p3dn.24xlarge", "ml.p4dn.24xlarge"})),
                    .shown = parallel_job,
                    .hidden = "only for a distributed job",
                    .fallback = "ml.p3.16xlarge"});
    rows.push_back({.question = question("sm_instance1", Topic::cloud, QuestionKind::text, "Which EC2 type?",
                                         "EC2 type", "For example ml.g5.xlarge", "ec2_instance_type"),
                    .shown = [](const Context& context) { return context.is("sm_dist", "NO"); },
                    .hidden = "only for a job on one machine",
                    .fallback = "ml.p3.2xlarge",
                    .write =
                        [](const Context&, const std::string& answer, Settings& settings) {
                            std::string type = answer;  // AWS knows lower case only
                            std::transform(type.begin(), type.end(), type.begin(),
                                           [](char c) { return c >= 'A' && c <= 'Z' ? static_cast<char>(c + 32) : c; });
                            settings.set("ec2_instance_type", type);
                        }});
    rows.push_back({.question = question("sm_debug", Topic::cloud, QuestionKind::yes_no,
                                         "Check distributed operations while running?", "Debug checks",
                                         "Finds shapes that differ between processes; slower", "debug"),
                    .shown = parallel_job,
                    .hidden = "only for a distributed job",
                    .fallback = "no"});
    rows.push_back({.question = question("sm_machines", Topic::cloud, QuestionKind::integer, "How many machines?",
                                         "Machines", "Of that EC2 type", "num_machines"),
                    .shown = parallel_job,
                    .hidden = "only for a distributed job",
                    .fallback = "1",
                    .range = {1, 65536}});
    rows.push_back({.question = question("sm_mp", Topic::cloud, QuestionKind::menu, "Which mixed precision?",
                                         "Mixed precision", "Number format of the matrix products", "mixed_precision",
                                         plain_options({"no", "fp16", "bf16", "fp8"})),
                    .fallback = "no"});
    return rows;
}

}  // namespace trainyard::settings::questions
