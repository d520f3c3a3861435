// SPDX-License-Identifier: GPL-3.0-or-later
// The arguments of Amazon SageMaker's Hugging Face estimator.

#include <cmath>
#include <sstream>

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include "base/error.h"
#include "base/json_writer.h"
#include "base/number.h"
#include "base/text.h"
#include "base/text_file.h"
#include "config/values/value_formats.h"
#include "launch/plan/environment.h"
#include "launch/plan/plan_parts.h"

namespace trainyard::plan {

using Json = nlohmann::json;
using settings::Settings;

namespace {

/// `0.1`, `100`, `True`: as Accelerate guesses the type of a hyperparameter.
Json guessed(const std::string& text) {
    if (text == "True" || text == "False")
        return text == "True";
    const auto read = parse_number<double>(text);
    if (!read)
        return text;
    const double number = *read;
    if (!std::isfinite(number))  // JSON has no such number
        return text;
    if (number == std::floor(number) && std::abs(number) < 9e15)
        return static_cast<std::int64_t>(number);
    return number;
}

std::string plain(std::string word) {
    word.erase(0, word.find_first_not_of('-'));
    for (char& c : word)
        c = c == '-' ? '_' : c;
    return word;
}

Json hyperparameters(const std::vector<std::string>& arguments) {
    Json all = Json::object();
    for (std::size_t i = 0; i < arguments.size(); ++i) {
        const std::string& word = arguments[i];
        if (!word.starts_with("-"))
            refuse("", Message("'{}' has no name: SageMaker takes the script's arguments as --name value", word));
        std::size_t equals = word.find('=');
        bool attached = equals != std::string::npos;
        const bool has_next =
            i + 1 < arguments.size() && (!arguments[i + 1].starts_with("-") || parse_number<double>(arguments[i + 1]));
        if (!attached && !has_next)
            refuse("", Message("{} has no value: SageMaker cannot pass switches, give every argument one", word));
        std::string name = plain(word.substr(0, equals));
        if (all.contains(name))
            refuse("", Message("--{} is given more than once: give it once", name));
        all[name] = guessed(attached ? word.substr(equals + 1) : arguments[++i]);
    }
    return all;
}

/// Rows of a TSV file below its header, two columns each.
std::vector<std::pair<std::string, std::string>> read_table(const Settings& settings, const char* key) {
    std::vector<std::pair<std::string, std::string>> rows;
    std::string file = settings.text(key);
    if (file.empty())
        return rows;
    std::istringstream in;
    try {
        in.str(text::read_text_file(file));
    } catch (const InvalidInput&) {
        throw;
    } catch (const UserError&) {
        refuse(key, Message("{} cannot be read: name a file of two columns between tabs, with a header", file));
    }
    std::string line;
    for (int number = 1; std::getline(in, line); ++number) {
        if (!line.empty() && line.back() == '\r')
            line.pop_back();
        std::size_t tab = line.find('\t');
        if (number == 1 || line.empty())
            continue;
        if (tab == std::string::npos)
            refuse(key, Message("{}:{} has one column: put a tab between the two", file, number));
        const std::string second = line.substr(tab + 1, line.find('\t', tab + 1) - tab - 1);
        rows.emplace_back(line.substr(0, tab), text::trimmed(second, " \t"));
    }
    return rows;
}

/// additional_args of the file over what was worked out, tables within each other.
void merge(const Json& from, Json& into) {
    for (const auto& [key, value] : from.items())
        if (value.is_object() && into.contains(key) && into[key].is_object())
            merge(value, into[key]);
        else
            into[key] = value;
}

void add_credentials(const PlanInput& input, EnvironmentMap& out) {
    const Settings& settings = input.resolved.settings;
    out["AWS_DEFAULT_REGION"] = settings.text("region", "us-east-1");
    std::string key = settings.text("aws_access_key_id"), secret = settings.text("aws_secret_access_key");
    if (!settings.text("profile").empty()) {
        out["AWS_PROFILE"] = settings.text("profile");
    } else if (!key.empty() && !secret.empty()) {
        out["AWS_ACCESS_KEY_ID"] = key;
        out["AWS_SECRET_ACCESS_KEY"] = secret;
    } else if (!input.environment.contains("AWS_ACCESS_KEY_ID") ||
               !input.environment.contains("AWS_SECRET_ACCESS_KEY")) {
        refuse("profile",
               "Amazon's access is missing: set profile in the settings file, or AWS_ACCESS_KEY_ID and "
               "AWS_SECRET_ACCESS_KEY in the environment");
    }
}

Json text_or_null(const Settings& settings, const char* key) {
    std::string text = settings.text(key);
    return text.empty() ? Json() : Json(text);
}

}  // namespace

void plan_sagemaker(const PlanInput& input, Plan& plan) {
    const Settings& settings = input.resolved.settings;
    const std::string& program = input.flags.program;
    if (input.flags.is_on("module") || input.flags.is_on("no_python") || !program.ends_with(".py"))
        refuse("", Message("SageMaker starts Python scripts, and '{}' is not one: name a file that ends in .py, "
                           "without --module and --no_python",
                           program));
    add_credentials(input, plan.environment);
    std::size_t slash = program.rfind('/');
    std::string folder = slash == std::string::npos ? "." : slash == 0 ? "/" : program.substr(0, slash);
    Json request{
        {"image_uri", text_or_null(settings, "image_uri")},
        {"entry_point", program.substr(slash == std::string::npos ? 0 : slash + 1)},
        {"source_dir", folder},
        {"role", text_or_null(settings, "iam_role_name")},
        {"transformers_version", text_or_null(settings, "transformers_version")},
        {"pytorch_version", text_or_null(settings, "pytorch_version")},
        {"py_version", text_or_null(settings, "py_version")},
        {"base_job_name", text_or_null(settings, "base_job_name")},
        {"instance_count", settings.integer("num_machines", 1)},
        {"instance_type", text_or_null(settings, "ec2_instance_type")},
        {"debugger_hook_config", false},
        {"distribution", Json()},
        {"hyperparameters", hyperparameters(input.flags.arguments)},
        {"environment", sagemaker_environment(input.resolved)},
        {"metric_definitions", Json()},
    };
    if (settings.text("distributed_type") == "DATA_PARALLEL")
        request["distribution"] = {{"smdistributed", {{"dataparallel", {{"enabled", true}}}}}};
    for (const auto& [name, pattern] : read_table(settings, "sagemaker_metrics_file"))
        request["metric_definitions"].push_back({{"Name", name}, {"Regex", pattern}});
    if (const Value* more = settings.find("additional_args"); more != nullptr && more->map() != nullptr)
        merge(json_of(*more), request);
    Json inputs;
    for (const auto& [channel, place] : read_table(settings, "sagemaker_inputs_file"))
        inputs[channel] = place;
    plan.sagemaker = SageMakerJob{json_text(request), inputs.is_null() ? "" : json_text(inputs)};
    plan.world_size = static_cast<int>(input.machines());
}

}  // namespace trainyard::plan
