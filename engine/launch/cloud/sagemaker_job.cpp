// SPDX-License-Identifier: GPL-3.0-or-later
#include "launch/cloud/sagemaker_job.h"

#include <algorithm>
#include <chrono>
#include <cmath>
#include <condition_variable>
#include <map>
#include <mutex>
#include <tuple>

#include <fmt/chrono.h>
#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include "base/clock.h"
#include "base/error.h"
#include "base/json.h"
#include "base/json_writer.h"
#include "launch/cloud/sagemaker_images.h"
#include "launch/cloud/source_archive.h"

namespace trainyard::cloud {

using Json = nlohmann::json;

namespace {

constexpr std::size_t kMostName = 63;
constexpr std::int64_t kMostSeconds = 86400;  ///< of a job, as in SageMaker's estimator

enum class Kind { text, integer, truth, list, table, any };

/// Arguments of the estimator that have their place here.
const std::map<std::string, Kind>& known_arguments() {
    static const std::map<std::string, Kind> known{{"image_uri", Kind::text},
                                                   {"entry_point", Kind::text},
                                                   {"source_dir", Kind::text},
                                                   {"role", Kind::text},
                                                   {"transformers_version", Kind::text},
                                                   {"pytorch_version", Kind::text},
                                                   {"py_version", Kind::text},
                                                   {"base_job_name", Kind::text},
                                                   {"instance_count", Kind::integer},
                                                   {"instance_type", Kind::text},
                                                   {"debugger_hook_config", Kind::any},
                                                   {"distribution", Kind::table},
                                                   {"hyperparameters", Kind::table},
                                                   {"environment", Kind::table},
                                                   {"metric_definitions", Kind::list},
                                                   {"max_run", Kind::integer},
                                                   {"max_wait", Kind::integer},
                                                   {"use_spot_instances", Kind::truth},
                                                   {"checkpoint_s3_uri", Kind::text},
                                                   {"checkpoint_local_path", Kind::text},
                                                   {"volume_size", Kind::integer},
                                                   {"volume_kms_key", Kind::text},
                                                   {"output_kms_key", Kind::text},
                                                   {"tags", Kind::list},
                                                   {"output_path", Kind::text},
                                                   {"code_location", Kind::text},
                                                   {"subnets", Kind::list},
                                                   {"security_group_ids", Kind::list},
                                                   {"encrypt_inter_container_traffic", Kind::truth},
                                                   {"enable_network_isolation", Kind::truth},
                                                   {"max_retry_attempts", Kind::integer},
                                                   {"input_mode", Kind::text},
                                                   {"keep_alive_period_in_seconds", Kind::integer},
                                                   {"disable_profiler", Kind::truth},
                                                   {"container_log_level", Kind::integer},
                                                   {"enable_sagemaker_metrics", Kind::truth},
                                                   {"disable_output_compression", Kind::truth}};
    return known;
}

bool is_of(const Json& value, Kind kind) {
    switch (kind) {
        case Kind::text:
            return value.is_string();
        case Kind::integer:
            return value.is_number_integer();
        case Kind::truth:
            return value.is_boolean();
        case Kind::list:
            return value.is_array();
        case Kind::table:
            return value.is_object();
        case Kind::any:
            break;
    }
    return true;
}

const char* kind_name(Kind kind) {
    constexpr const char* kNames[] = {"a text", "a whole number", "true or false", "a list", "a table", "anything"};
    return kNames[static_cast<std::size_t>(kind)];
}

bool is_given(const Json& from, const char* key) {
    return from.is_object() && from.contains(key) && !from[key].is_null();
}

std::string text_of(const Json& from, const char* key) {
    return is_given(from, key) && from[key].is_string() ? from[key].get<std::string>() : "";
}

std::int64_t count_of(const Json& from, const char* key, std::int64_t otherwise = 0) {
    return is_given(from, key) && from[key].is_number_integer() ? from[key].get<std::int64_t>() : otherwise;
}

Json list_of(const Json& from, const char* key) {
    return is_given(from, key) && from[key].is_array() ? from[key] : Json::array();
}

Json table_of(const Json& from, const char* key) {
    return is_given(from, key) && from[key].is_object() ? from[key] : Json::object();
}

bool is_on(const Json& from, const char* key) {
    return is_given(from, key) && from[key].is_boolean() && from[key].get<bool>();
}

/// A value as the text of JSON that the container reads.
std::string hyperparameter(const Json& value) {
    return json_text(value, {.characters = JsonText::ascii});
}

Json distribution(const Json& given, const std::string& instance) {
    const Json data_parallel = table_of(table_of(given, "smdistributed"), "dataparallel");
    if (is_on(data_parallel, "enabled"))
        return {{"sagemaker_distributed_dataparallel_enabled", "true"},
                {"sagemaker_instance_type", hyperparameter(instance)},
                {"sagemaker_distributed_dataparallel_custom_mpi_options",
                 hyperparameter(text_of(data_parallel, "custom_mpi_options"))}};
    if (is_on(table_of(given, "torch_distributed"), "enabled"))
        return {{"sagemaker_torch_distributed_enabled", "true"}, {"sagemaker_instance_type", hyperparameter(instance)}};
    return Json::object();
}

Json channel(const std::string& name, const Json& address) {
    return {{"ChannelName", name},
            {"DataSource",
             {{"S3DataSource",
               {{"S3DataType", "S3Prefix"}, {"S3Uri", address}, {"S3DataDistributionType", "FullyReplicated"}}}}}};
}

void check_estimator(const Json& estimator) {
    std::vector<Problem> problems;
    const auto add = [&](const std::string& key, const Message& what) {
        problems.push_back({"", 0, 0, "additional_args." + key, what});
    };
    for (const auto& [key, value] : estimator.items()) {
        const auto known = known_arguments().find(key);
        if (known == known_arguments().end())
            add(key, Message("'{}' has no effect here: remove it, or spell it as an argument of SageMaker's estimator",
                             key));
        else if (!value.is_null() && !is_of(value, known->second))
            add(key, Message("{} must be {}", key, kind_name(known->second)));
    }
    if (const std::string type = text_of(estimator, "instance_type"); type == "local" || type == "local_gpu")
        problems.push_back(
            {"", 0, 0, "ec2_instance_type",
             "local mode runs Amazon's container on this machine: start the script without SageMaker instead"});
    else if (type.empty())
        problems.push_back({"", 0, 0, "ec2_instance_type", "the kind of machine is missing, e.g. ml.g5.2xlarge"});
    if (text_of(estimator, "role").empty())
        problems.push_back(
            {"", 0, 0, "iam_role_name", "the role that SageMaker acts as is missing: its name, or its ARN"});
    if (is_on(estimator, "use_spot_instances") && is_given(estimator, "max_wait") &&
        count_of(estimator, "max_wait") < count_of(estimator, "max_run", kMostSeconds))
        add("max_wait", "max_wait is below max_run: the time to wait includes that of the training");
    if (is_given(estimator, "max_wait") && !is_on(estimator, "use_spot_instances"))
        add("max_wait", "max_wait counts only with use_spot_instances");
    if (!problems.empty())
        throw InvalidInput(std::move(problems));
}

/// bucket and key of s3://bucket/key.
std::pair<std::string, std::string> storage_parts(const std::string& address) {
    if (!address.starts_with("s3://"))
        throw UserError("{} is not an address of Amazon S3: write s3://BUCKET/FOLDER", address);
    const std::size_t slash = address.find('/', 5);
    std::string key = slash == std::string::npos ? "" : address.substr(slash + 1);
    while (key.ends_with('/'))
        key.pop_back();
    return {address.substr(5, slash - 5), key};
}

std::string name_of_job(const std::string& base) {
    std::string name = base.empty() ? "accelerate-sagemaker-1" : base;
    for (char& c : name)
        if (std::isalnum(static_cast<unsigned char>(c)) == 0)
            c = '-';
    const double now = wall_seconds();
    const std::string time = fmt::format("-{:%Y-%m-%d-%H-%M-%S}-{:03}", fmt::gmtime(static_cast<std::time_t>(now)),
                                         static_cast<int>((now - std::floor(now)) * 1000));
    return name.substr(0, kMostName - time.size()) + time;
}

}  // namespace

Json training_job(const Json& estimator, const Json& inputs, const std::string& name, const std::string& region,
                  const std::string& bucket, const std::string& role_arn, const std::string& archive_uri) {
    check_estimator(estimator);
    const std::string output =
        text_of(estimator, "output_path").empty() ? "s3://" + bucket + "/" : text_of(estimator, "output_path");
    std::string image = text_of(estimator, "image_uri");
    if (image.empty())
        image = training_image(region, text_of(estimator, "pytorch_version"),
                               text_of(estimator, "transformers_version"), text_of(estimator, "py_version"));
    Json body{
        {"TrainingJobName", name},
        {"RoleArn", role_arn},
        {"AlgorithmSpecification",
         {{"TrainingInputMode", text_of(estimator, "input_mode").empty() ? "File" : text_of(estimator, "input_mode")},
          {"TrainingImage", image},
          {"EnableSageMakerMetricsTimeSeries",
           !is_given(estimator, "enable_sagemaker_metrics") || is_on(estimator, "enable_sagemaker_metrics")}}},
        {"OutputDataConfig", {{"S3OutputPath", output}}},
        {"StoppingCondition", {{"MaxRuntimeInSeconds", count_of(estimator, "max_run", kMostSeconds)}}},
        {"ResourceConfig",
         {{"VolumeSizeInGB", count_of(estimator, "volume_size", 30)},
          {"InstanceCount", count_of(estimator, "instance_count", 1)},
          {"InstanceType", estimator["instance_type"]}}},
        {"Environment", Json::object()}};
    const Json environment = table_of(estimator, "environment"), given = table_of(estimator, "hyperparameters");
    for (const auto& [key, value] : environment.items())
        body["Environment"][key] = value.is_string() ? value.get<std::string>() : hyperparameter(value);
    const auto copy = [&](const char* from, const char* object, const char* to) {
        if (is_given(estimator, from))
            (object == nullptr ? body : body[object])[to] = estimator[from];
    };
    copy("metric_definitions", "AlgorithmSpecification", "MetricDefinitions");
    copy("output_kms_key", "OutputDataConfig", "KmsKeyId");
    copy("max_wait", "StoppingCondition", "MaxWaitTimeInSeconds");
    copy("volume_kms_key", "ResourceConfig", "VolumeKmsKeyId");
    copy("keep_alive_period_in_seconds", "ResourceConfig", "KeepAlivePeriodInSeconds");
    copy("tags", nullptr, "Tags");
    if (is_on(estimator, "disable_output_compression"))
        body["OutputDataConfig"]["CompressionType"] = "NONE";
    if (is_on(estimator, "use_spot_instances"))
        body["EnableManagedSpotTraining"] = true;
    copy("checkpoint_s3_uri", "CheckpointConfig", "S3Uri");
    copy("checkpoint_local_path", "CheckpointConfig", "LocalPath");
    copy("subnets", "VpcConfig", "Subnets");
    copy("security_group_ids", "VpcConfig", "SecurityGroupIds");
    copy("max_retry_attempts", "RetryStrategy", "MaximumRetryAttempts");
    if (is_on(estimator, "encrypt_inter_container_traffic"))
        body["EnableInterContainerTrafficEncryption"] = true;
    body["ProfilerConfig"] = is_on(estimator, "disable_profiler")
                                 ? Json{{"DisableProfiler", true}}
                                 : Json{{"S3OutputPath", output}, {"DisableProfiler", false}};
    // A container without network gets the script as a channel of data.
    const bool isolated = is_on(estimator, "enable_network_isolation");
    if (isolated)
        body["EnableNetworkIsolation"] = true;
    if (inputs.is_object())
        for (const auto& [key, address] : inputs.items())
            body["InputDataConfig"].push_back(channel(key, address));
    if (isolated)
        body["InputDataConfig"].push_back(channel("code", archive_uri));

    Json& parameters = body["HyperParameters"] = Json::object();
    for (const auto& [key, value] : given.items())
        parameters[key] = hyperparameter(value);
    parameters["sagemaker_submit_directory"] =
        hyperparameter(isolated ? "/opt/ml/input/data/code/sourcedir.tar.gz" : archive_uri);
    parameters["sagemaker_program"] = hyperparameter(estimator["entry_point"]);
    parameters["sagemaker_container_log_level"] = hyperparameter(count_of(estimator, "container_log_level", 20));
    parameters["sagemaker_job_name"] = hyperparameter(name);
    parameters["sagemaker_region"] = hyperparameter(region);
    parameters.update(distribution(table_of(estimator, "distribution"), text_of(estimator, "instance_type")));
    return body;
}

void check_job(const plan::SageMakerJob& job) {
    check_estimator(parse_json(job.request));
}

StartedJob start_job(AwsClient& client, const plan::SageMakerJob& job, const StartOptions& options) {
    const Json estimator = parse_json(job.request);
    const Json inputs = job.inputs.empty() ? Json() : parse_json(job.inputs);
    const std::string& region = client.access().region;
    check_estimator(estimator);
    const std::filesystem::path folder = text_of(estimator, "source_dir");
    if (!std::filesystem::is_regular_file(folder / text_of(estimator, "entry_point")))
        throw UserError("there is no file {}", (folder / text_of(estimator, "entry_point")).string());
    const std::string name =
        options.job_name.empty() ? name_of_job(text_of(estimator, "base_job_name")) : options.job_name;
    const SourceArchive sources = pack_sources(folder, options.left_out);
    training_job(estimator, inputs, name, region, "bucket", "arn",
                 "s3://bucket/archive");  // refused before anything is sent
    if (std::ranges::find(sources.files, "requirements.txt") == sources.files.end())
        options.say(Message("{} has no requirements.txt: the job has only what its image brings", folder.string()));

    const std::string account =
        client.query("sts", {{"Action", "GetCallerIdentity"}, {"Version", "2011-06-15"}}, "Account");
    std::string role = text_of(estimator, "role");
    if (!role.starts_with("arn:"))
        role = client.query("iam", {{"Action", "GetRole"}, {"Version", "2010-05-08"}, {"RoleName", role}}, "Arn");
    std::string bucket, prefix = name, owner;
    if (const std::string place = text_of(estimator, "code_location"); !place.empty()) {
        std::string key;
        std::tie(bucket, key) = storage_parts(place);
        prefix = key.empty() ? name : key + "/" + name;
    } else if (const std::string output = text_of(estimator, "output_path"); !output.empty()) {
        bucket = storage_parts(output).first;
    } else {
        bucket = fmt::format("sagemaker-{}-{}", region, account);
        owner = account;
        if (!client.has_bucket(bucket, account)) {
            options.say(Message("making the bucket {}", bucket));
            client.make_bucket(bucket);
        }
    }
    const std::string key = prefix + "/source/sourcedir.tar.gz";
    options.say(
        Message("sending {} files of {} to s3://{}", sources.files.size(), folder.string(), bucket + "/" + key));
    client.put(bucket, key, sources.bytes, owner);
    client.call("sagemaker", "SageMaker.CreateTrainingJob",
                training_job(estimator, inputs, name, region, bucket, role, "s3://" + bucket + "/" + key));
    return {name, region};
}

EndedJob follow_job(AwsClient& client, const std::string& name, double interval_s, const std::stop_token& stop,
                    const std::function<void(const std::string&)>& line,
                    const std::function<void(const std::string&)>& state) {
    constexpr const char* kGroup = "/aws/sagemaker/TrainingJobs";
    std::map<std::string, std::string> next_of_stream;
    const auto read_logs = [&] {
        Json streams;
        try {
            streams = client.call(
                "logs", "Logs_20140328.DescribeLogStreams",
                {{"logGroupName", kGroup}, {"logStreamNamePrefix", name + "/"}, {"orderBy", "LogStreamName"}});
        } catch (const AwsRefusal& error) {
            if (error.code() != "ResourceNotFoundException")
                throw;
            return;  // nothing was printed yet
        }
        const bool several = list_of(streams, "logStreams").size() > 1;
        for (const Json& stream : list_of(streams, "logStreams")) {
            const std::string stream_name = text_of(stream, "logStreamName");
            for (std::string& next = next_of_stream[stream_name];;) {
                Json request{{"logGroupName", kGroup},
                             {"logStreamName", stream_name},
                             {"startTime", 0},
                             {"startFromHead", true}};
                if (!next.empty())
                    request["nextToken"] = next;
                const Json events = client.call("logs", "Logs_20140328.GetLogEvents", request);
                const std::string machine = stream_name.substr(std::min(stream_name.size(), name.size() + 1));
                for (const Json& event : list_of(events, "events"))
                    line((several ? machine.substr(0, machine.rfind('-')) + " " : "") + text_of(event, "message"));
                const std::string after = text_of(events, "nextForwardToken");
                if (after.empty() || after == next)
                    break;
                next = after;
            }
        }
    };
    std::string last;
    for (bool stopped = false;;) {
        const Json job = client.call("sagemaker", "SageMaker.DescribeTrainingJob", {{"TrainingJobName", name}});
        const std::string status = text_of(job, "TrainingJobStatus"), phase = text_of(job, "SecondaryStatus");
        std::string words = phase;
        if (const Json changes = list_of(job, "SecondaryStatusTransitions"); !changes.empty())
            if (const std::string why = text_of(changes.back(), "StatusMessage"); !why.empty())
                words += ": " + why;
        if (words != last)
            state(last = words);
        read_logs();
        if (status == "Completed" || status == "Failed" || status == "Stopped") {
            EndedJob ended{status, text_of(job, "FailureReason"), "", 0, 0};
            ended.model = text_of(table_of(job, "ModelArtifacts"), "S3ModelArtifacts");
            const std::int64_t machines = count_of(table_of(job, "ResourceConfig"), "InstanceCount", 1);
            ended.seconds = count_of(job, "TrainingTimeInSeconds") * machines;
            ended.billed_seconds = count_of(job, "BillableTimeInSeconds") * machines;
            return ended;
        }
        if (stop.stop_requested() && !stopped) {
            client.call("sagemaker", "SageMaker.StopTrainingJob", {{"TrainingJobName", name}});
            stopped = true;
        }
        std::mutex mutex;
        std::unique_lock lock(mutex);
        std::condition_variable_any wakes;
        if (stopped)
            wakes.wait_for(lock, std::chrono::duration<double>(interval_s), [] { return false; });
        else
            wakes.wait_for(lock, stop, std::chrono::duration<double>(interval_s), [] { return false; });
    }
}

}  // namespace trainyard::cloud
