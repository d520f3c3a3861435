// SPDX-License-Identifier: GPL-3.0-or-later
// `trainyard launch` with settings of Amazon SageMaker and of a TPU pod: each becomes a run that follows what was
// started elsewhere.

#include <csignal>
#include <fstream>

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

#include "base/file.h"
#include "cli/program.h"
#include "fake_amazon.h"
#include "run/paths.h"
#include "run/state.h"
#include "support/temporary_folder.h"

namespace trainyard {
namespace {

namespace fs = std::filesystem;
using Json = nlohmann::json;
using test::Program;
using test::Said;
using testing::AllOf;
using testing::HasSubstr;

constexpr const char* kSecret = "wJalrXUtnFEMI/K7MDENG+bPxRfiCYEXAMPLEKEY";

class CloudJobs : public testing::Test {
  protected:
    void write(const std::string& name, const std::string& text) {
        fs::create_directories((folder_.path() / name).parent_path());
        std::ofstream(folder_.path() / name) << text;
    }
    std::unique_ptr<Program> launch(std::vector<std::string> flags) {
        std::vector<std::string> words{
            TRAINYARD_BIN_DIR "/trainyard", "launch", "--config_file", "config.yaml", "--run_dir", "run"};
        words.insert(words.end(), flags.begin(), flags.end());
        return std::make_unique<Program>(words, [&] {
            fs::current_path(folder_.path());
            for (const char* name :
                 {"AWS_PROFILE", "AWS_SESSION_TOKEN", "AWS_ACCESS_KEY_ID", "AWS_SECRET_ACCESS_KEY", "SLURM_JOB_ID"})
                ::unsetenv(name);
            ::setenv("AWS_ENDPOINT_URL", amazon_.address().c_str(), 1);
            ::setenv("AWS_MAX_ATTEMPTS", "3", 1);
            ::setenv("HOME", folder_.path().c_str(), 1);
            ::setenv("TRAINYARD_RUNS", (folder_.path() / "runs").c_str(), 1);
            ::setenv("PYTHONPATH", (folder_.path() / "stand_in").c_str(), 1);
        });
    }
    void sagemaker(const std::string& more = "") {
        write("config.yaml",
              "compute_environment: AMAZON_SAGEMAKER\ndistributed_type: 'NO'\nec2_instance_type: "
              "ml.g5.2xlarge\niam_role_name: a-role\n"
              "region: us-east-1\nimage_uri: own:1\n" +
                  more);
        write("code/train.py", "print('never here')\n");
    }
    run::RunState state() const { return run::read_state(run::RunPaths(folder_.path() / "run")).value(); }
    /// Files below the run folder with this text.
    std::vector<std::string> files_with(const std::string& text) const {
        std::vector<std::string> found;
        for (const fs::directory_entry& entry : fs::recursive_directory_iterator(folder_.path() / "run"))
            if (entry.is_regular_file() && read_file(entry.path()).find(text) != std::string::npos)
                found.push_back(entry.path().string());
        return found;
    }

    test::TemporaryFolder folder_;
    test::FakeAmazon amazon_;
};

const std::vector<std::string> kKeys{
    "--aws_access_key_id", "AKIDEXAMPLE", "--aws_secret_access_key", kSecret, "code/train.py", "--lr", "0.1"};

TEST_F(CloudJobs, TheQuestionnaireCreatesTheRole) {
    write(".aws/credentials",
          std::string("[default]\naws_access_key_id = AKIDEXAMPLE\naws_secret_access_key = ") + kSecret + "\n");
    const auto config = [&](std::vector<std::string> flags) {
        std::vector<std::string> words{TRAINYARD_BIN_DIR "/trainyard", "config", "--config_file", "made.yaml"};
        words.insert(words.end(), flags.begin(), flags.end());
        return Program(words,
                       [&] {
                           fs::current_path(folder_.path());
                           for (const char* name : {"AWS_PROFILE", "AWS_ACCESS_KEY_ID", "AWS_SECRET_ACCESS_KEY"})
                               ::unsetenv(name);
                           ::setenv("AWS_ENDPOINT_URL", amazon_.address().c_str(), 1);
                           ::setenv("AWS_MAX_ATTEMPTS", "1", 1);
                           ::setenv("HOME", folder_.path().c_str(), 1);
                       })
            .wait(60);
    };
    write("made.yaml",
          "compute_environment: AMAZON_SAGEMAKER\ndistributed_type: 'NO'\nec2_instance_type: ml.g5.2xlarge\n"
          "iam_role_name: accelerate_sagemaker_execution_role\nprofile: default\nregion: us-east-1\n");
    EXPECT_EQ(config({"--yes"}).code, 0);
    EXPECT_TRUE(amazon_.calls().empty()) << "nothing is created that was not asked for";
    const Said made = config({"--yes", "--create-role"});
    EXPECT_EQ(made.code, 0) << made.err;
    EXPECT_THAT(made.out, HasSubstr("the role accelerate_sagemaker_execution_role was created"));
    ASSERT_EQ(amazon_.calls().size(), 2u);
    EXPECT_EQ(amazon_.calls()[0].first, "CreateRole");
    EXPECT_EQ(amazon_.calls()[1].first, "PutRolePolicy");
    amazon_.answers["CreateRole"] = {Json::array({403, "<E><Code>AccessDenied</Code><Message>not you</Message></E>"})};
    const Said refused = config({"--yes", "--create-role"});
    EXPECT_THAT(refused.err, AllOf(HasSubstr("was not created"), HasSubstr("not you (AccessDenied)")));
    EXPECT_THAT(refused.out + refused.err, testing::Not(HasSubstr(kSecret)));
    const Said local = config({"--yes", "--fresh", "--create-role"});
    EXPECT_EQ(local.code, 2);
    EXPECT_THAT(local.err, HasSubstr("--create-role is for settings of Amazon SageMaker"));
}

TEST_F(CloudJobs, AJobOfSageMakerIsARunWithLogsAndCurves) {
    sagemaker();
    const Said said = launch(kKeys)->wait(60);
    EXPECT_EQ(said.code, 0) << said.err;
    EXPECT_THAT(said.out, AllOf(HasSubstr("step 1 loss: 0.8"), HasSubstr("step 3 loss: 0.6")));
    EXPECT_THAT(said.out + said.err, AllOf(HasSubstr("120 s of training, 60 s are billed"),
                                           HasSubstr("s3://bucket/model.tar.gz"), HasSubstr("requirements.txt")));
    EXPECT_EQ(state().status, run::Status::finished);
    EXPECT_FALSE(files_with("step 2 loss: 0.7").empty()) << "the log";
    bool curves = false;
    for (const fs::directory_entry& entry : fs::directory_iterator(folder_.path() / "run" / "metrics"))
        curves |= entry.path().string().ends_with(".printed");
    EXPECT_TRUE(curves);
    EXPECT_EQ(amazon_.body_of("CreateTrainingJob")["HyperParameters"]["lr"], "0.1");
    EXPECT_THAT(files_with(kSecret), testing::IsEmpty());
    EXPECT_THAT(said.out + said.err, testing::Not(HasSubstr(kSecret)));
}

TEST_F(CloudJobs, AJobThatFailsFailsTheRunWithItsReason) {
    sagemaker();
    amazon_.final = {{"TrainingJobStatus", "Failed"}, {"FailureReason", "AlgorithmError: exit code 1"}};
    const Said said = launch(kKeys)->wait(60);
    EXPECT_NE(said.code, 0);
    EXPECT_THAT(said.out + said.err, HasSubstr("AlgorithmError: exit code 1"));
    EXPECT_EQ(state().status, run::Status::failed);
}

TEST_F(CloudJobs, StoppingTheRunStopsTheJob) {
    sagemaker();
    amazon_.runs_until_stopped = true;
    const std::unique_ptr<Program> program = launch(kKeys);
    program->read_until([](const Said& said) { return said.out.find("step 3 loss") != std::string::npos; });
    ::kill(program->pid(), SIGINT);
    program->wait(60);
    EXPECT_FALSE(amazon_.body_of("StopTrainingJob").is_null());
}

TEST_F(CloudJobs, WrongKeysAreOneMessageAndNoRun) {
    sagemaker();
    amazon_.answers["GetCallerIdentity"] = {
        Json{403, "<E><Code>InvalidClientTokenId</Code><Message>The security token is invalid.</Message></E>"}};
    const Said said = launch(kKeys)->wait(60);
    EXPECT_NE(said.code, 0);
    EXPECT_THAT(said.err, AllOf(HasSubstr("GetCallerIdentity"),
                                HasSubstr("The security token is invalid. (InvalidClientTokenId)")));
    EXPECT_FALSE(fs::exists(folder_.path() / "run" / "state.json"));
    EXPECT_TRUE(amazon_.body_of("CreateTrainingJob").is_null());
}

/// Arguments of the estimator are judged by the dry run, and before Amazon's keys are looked for.
TEST_F(CloudJobs, WrongArgumentsAreNamedWithoutKeys) {
    sagemaker(
        "profile: nobody\nadditional_args:\n  use_spot_instances: true\n  max_wait: soon\n  enable_network_isolation: "
        "maybe\n  spot: "
        "true\n");
    const auto names = AllOf(HasSubstr("max_wait must be a whole number"),
                             HasSubstr("enable_network_isolation must be"), HasSubstr("'spot' has no effect here"));
    const Said planned = launch({"--dry-run", "code/train.py"})->wait(60);
    EXPECT_EQ(planned.code, 0) << planned.err;
    EXPECT_THAT(planned.out, names);
    const Said said = launch({"code/train.py"})->wait(60);
    EXPECT_EQ(said.code, 2);
    EXPECT_THAT(said.err, names);
    EXPECT_TRUE(amazon_.body_of("CreateTrainingJob").is_null());
}

TEST_F(CloudJobs, APodOfTpusIsStartedByTorchXla) {
    write("config.yaml",
          "compute_environment: LOCAL_MACHINE\ndistributed_type: XLA\nnum_processes: 8\nnum_machines: "
          "1\nmixed_precision: bf16\n"
          "main_training_function: train\ntpu_name: a-tpu\ntpu_zone: us-central1-a\ntpu_use_cluster: "
          "true\ntpu_use_sudo: false\n"
          "downcast_bf16: 'no'\nuse_cpu: false\n");
    write("train_tpu.py", "def train():\n    pass\n");
    write("stand_in/torch_xla/__init__.py", "");
    write("stand_in/torch_xla/distributed/__init__.py", "");
    write("stand_in/torch_xla/distributed/xla_dist.py", "import json, sys\nprint(json.dumps(sys.argv[1:]))\n");
    const Said said = launch({"train_tpu.py", "--name", "two words"})->wait(60);
    EXPECT_EQ(said.code, 0) << said.err;
    EXPECT_THAT(said.out, AllOf(HasSubstr("--tpu=a-tpu"), HasSubstr("\"--name\", \"two words\"")));
    EXPECT_EQ(state().status, run::Status::finished);
}

}  // namespace
}  // namespace trainyard
