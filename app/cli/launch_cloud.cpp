// SPDX-License-Identifier: GPL-3.0-or-later
#include "cli/launch_cloud.h"

#include <csignal>
#include <cstdlib>
#include <filesystem>
#include <stop_token>
#include <thread>

#include <CLI/CLI.hpp>
#include <fmt/format.h>

#include "base/error.h"
#include "cli/commands.h"
#include "cli/say.h"
#include "launch/cloud/sagemaker_job.h"

namespace trainyard::cli {

namespace fs = std::filesystem;

namespace {

constexpr double kBetweenJobLooks = 5;  ///< seconds between two looks at a job
constexpr const char* kSecretKeys[] = {"AWS_ACCESS_KEY_ID", "AWS_SECRET_ACCESS_KEY", "AWS_SESSION_TOKEN"};

struct JobArguments {
    std::string name, region;
    double interval_s = kBetweenJobLooks;
};

/// Requests `stop` when this process is asked to end.
class EndSignals {
  public:
    explicit EndSignals(std::stop_source stop) {
        sigemptyset(&signals_);
        for (const int number : {SIGTERM, SIGINT, SIGHUP, SIGUSR2})
            sigaddset(&signals_, number);
        ::pthread_sigmask(SIG_BLOCK, &signals_, nullptr);
        thread_ = std::jthread([this, stop](const std::stop_token& over) mutable {
            const timespec moment{0, 200'000'000};
            while (!over.stop_requested())
                if (const int number = ::sigtimedwait(&signals_, nullptr, &moment); number > 0 && number != SIGUSR2)
                    stop.request_stop();
        });
    }

  private:
    sigset_t signals_{};
    std::jthread thread_;
};

int follow_to_its_end(const JobArguments& arguments) {
    const std::stop_source stop;
    const EndSignals signals(stop);
    cloud::AwsClient client(cloud::find_access("", arguments.region, launch::this_process_environment()));
    const cloud::EndedJob ended = cloud::follow_job(
        client, arguments.name, arguments.interval_s, stop.get_token(),
        [](const std::string& line) {
            say(line + "\n");
            std::fflush(stdout);
        },
        [&](const std::string& state) {
            say_format(stderr, "SageMaker: %s: %s\n", arguments.name.c_str(), state.c_str());
        });
    say_format(stderr, "SageMaker: %s: %s, %lld s of training, %lld s are billed\n", arguments.name.c_str(),
               ended.status.c_str(), static_cast<long long>(ended.seconds),
               static_cast<long long>(ended.billed_seconds));
    if (!ended.model.empty())
        say_format(stderr, "SageMaker: the model is at %s\n", ended.model.c_str());
    if (ended.status == "Failed")
        throw UserError("the job {} failed: {}", arguments.name,
                        ended.reason.empty() ? "no reason given" : ended.reason);
    return kExitDone;
}

}  // namespace

void start_in_cloud(plan::Plan& made, const launch::LaunchSettings& settings, bool quiet) {
    cloud::check_job(*made.sagemaker);  // before keys are looked for
    const settings::Settings& chosen = settings.resolved.settings;
    const std::string region = chosen.text("region", "us-east-1");
    plan::EnvironmentMap environment = settings.environment;
    for (const auto& [name, value] : made.environment)
        environment[name] = value;
    cloud::AwsClient client(cloud::find_access(chosen.text("profile"), region, environment));
    cloud::StartOptions options;
    if (!settings.resolved.file.empty())
        options.left_out.push_back(fs::weakly_canonical(settings.resolved.file));
    if (!quiet)
        options.say = [](const Message& words) { say_format(stderr, "trainyard: %s\n", words.text().c_str()); };
    if (chosen.text("distributed_type") == "MODEL_PARALLEL" && !quiet)
        say_format(stderr, "trainyard: note: MODEL_PARALLEL has no settings here: the script sets it up itself\n");
    const cloud::StartedJob job = cloud::start_job(client, *made.sagemaker, options);
    if (!quiet)
        say_format(stderr, "trainyard: job %s in %s\n", job.name.c_str(), job.region.c_str());
    // The process that follows inherits the keys.
    for (const char* name : kSecretKeys)
        if (const auto found = made.environment.find(name); found != made.environment.end()) {
            ::setenv(name, found->second.c_str(), 1);
            made.environment.erase(found);
        }
    std::error_code error;
    made.starter = plan::Starter::process;
    made.command = {fs::read_symlink("/proc/self/exe", error).string(), "follow-job", job.name, "--region", job.region};
}

std::vector<std::string> without_secrets(std::vector<std::string> command) {
    bool next = false;
    for (std::string& word : command) {
        if (next)
            word = "***";
        next = word == "--aws_secret_access_key" || word == "--aws-secret-access-key";
        for (const char* flag : {"--aws_secret_access_key=", "--aws-secret-access-key="})
            if (word.starts_with(flag))
                word = std::string(flag) + "***";
    }
    return command;
}

void add_follow_job(CLI::App& app, Action& chosen) {
    auto arguments = std::make_shared<JobArguments>();
    CLI::App* command = app.add_subcommand("follow-job", "Follows a training job of Amazon SageMaker to its end");
    command->group("");
    command->add_option("name", arguments->name, "Name of the job")->required();
    command->add_option("--region", arguments->region, "Its region")->required();
    command->add_option("--interval", arguments->interval_s, "Seconds between two looks")
        ->check(CLI::Range(0.01, 3600.0));
    command->callback([arguments, &chosen] { chosen = [arguments] { return follow_to_its_end(*arguments); }; });
}

}  // namespace trainyard::cli
