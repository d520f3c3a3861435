// SPDX-License-Identifier: GPL-3.0-or-later
// Names that users of Accelerate and torchrun type: programs, flags and templates; and the check of mpirun's hosts.

#include <fstream>

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <nlohmann/json.hpp>
#include <sys/stat.h>

#include "cli/program.h"
#include "support/says.h"
#include "support/temporary_folder.h"

namespace trainyard {
namespace {

namespace fs = std::filesystem;
using Json = nlohmann::json;
using test::Said;
using test::says;
using testing::_;
using testing::HasSubstr;
using testing::Not;

class Launching : public testing::Test {
  protected:
    Launching() {
        ::setenv("HF_HOME", (folder_.path() / "hf").c_str(), 1);
        ::setenv("TRAINYARD_RUNS", (folder_.path() / "runs").c_str(), 1);
        ::unsetenv("TRAINYARD_CONFIG");
    }
    std::string file(const std::string& name, const std::string& text = "") {
        const std::string path = folder_.path() / name;
        if (!text.empty())
            std::ofstream(path) << text;
        return path;
    }
    static Said plan(std::vector<std::string> words) {
        words.insert(words.begin(), {"launch", "--dry-run", "--json"});
        words.emplace_back("train.py");
        return test::trainyard(words);
    }

    test::TemporaryFolder folder_;
};

TEST_F(Launching, LinksAreCommands) {
    for (const std::string command : {"launch", "config", "env", "test", "estimate-memory", "merge-weights"}) {
        const Said link = test::Program({TRAINYARD_BIN_DIR "/trainyard-" + command, "--help"}).wait();
        EXPECT_EQ(link.code, 0) << command << link.err;
        EXPECT_EQ(link.out, test::trainyard({command, "--help"}).out) << command;
    }
    fs::create_symlink(TRAINYARD_BIN_DIR "/trainyard", folder_.path() / "trainyard-other");
    EXPECT_EQ(test::Program({folder_.path() / "trainyard-other"}).wait().code, 2);
}

/// A plan lists every rank, so a number that cannot be meant must not fill the memory.
TEST_F(Launching, CountsThatCannotBeMeantAreRefused) {
    const std::string settings =
        file("many.yaml", "distributed_type: MULTI_CPU\nuse_cpu: true\nnum_processes: 1000000000\n");
    for (const std::vector<std::string>& words :
         {std::vector<std::string>{"--cpu", "--num_processes", "1000000000"}, {"--config_file", settings}})
        EXPECT_THAT(plan(words).out + plan(words).err,
                    says("{} processes are too many for one machine: give at most {}", 1000000000, 4096));
    const std::vector<std::string> machines{"--cpu",      "--num_processes",     "1000000000", "--num_machines",
                                            "1000000000", "--machine_rank",      "0",          "--main_process_ip",
                                            "127.0.0.1",  "--main_process_port", "29411"};
    EXPECT_THAT(plan(machines).out + plan(machines).err,
                says("{} machines are too many: give at most {}", 1000000000, 65536));
}

TEST_F(Launching, TorchrunsFlagsGiveTheSamePlan) {
    const auto same = [](const std::vector<std::string>& torchrun, const std::vector<std::string>& accelerate) {
        const Said one = plan(torchrun), other = plan(accelerate);
        EXPECT_EQ(one.code, 0) << one.err;
        Json found = Json::parse(one.out), expected = Json::parse(other.out);
        for (Json* each : {&found, &expected}) {
            EXPECT_FALSE(each->at("ranks").empty());
            each->erase("settings");
            each->erase("origins");
        }
        EXPECT_EQ(found, expected);
    };
    // With a port: the usual one may be taken by a test beside this one, and then each plan has a free one of its own.
    same({"--cpu", "--nproc_per_node", "2", "--master_port", "29411"},
         {"--cpu", "--num_processes", "2", "--main_process_port", "29411"});
    same({"--cpu", "--nproc-per-node=2", "--nnodes=2", "--node_rank=1", "--master_addr", "10.0.0.5", "--master-port",
          "29411"},
         {"--cpu", "--num_processes", "4", "--num_machines", "2", "--machine_rank", "1", "--main_process_ip",
          "10.0.0.5", "--main_process_port", "29411"});
    same({"--cpu", "--nproc_per_node=2", "--master_port=29411", "--use_env"},
         {"--cpu", "--num_processes", "2", "--main_process_port", "29411"});  // torch.distributed.launch
    same({"--cpu", "--nproc_per_node=1", "--nnodes=2", "--node_rank=0", "--rdzv-endpoint", "10.0.0.5:29411"},
         {"--cpu", "--num_processes", "2", "--num_machines", "2", "--machine_rank", "0", "--main_process_ip",
          "10.0.0.5", "--main_process_port", "29411"});
    const Said both = plan({"--cpu", "--nproc_per_node=2", "--num_processes=3"});
    EXPECT_EQ(both.code, 2);
    EXPECT_THAT(both.err, says("{} contradicts {} {}: give one of the two", "2", "--num_processes", "3"));
    const std::string two = file("two.yaml",
                                 "compute_environment: LOCAL_MACHINE\ndistributed_type: MULTI_CPU\nuse_cpu: true\n"
                                 "num_machines: 2\nmachine_rank: 0\nmain_process_ip: 10.0.0.5\n"
                                 "main_process_port: 29411\nnum_processes: 2\n");
    EXPECT_THAT(plan({"--config_file", two, "--nproc_per_node=2"}).err,
                says("counts the processes of one machine, and {} has num_machines {}: give --nnodes, too", two, 2));
    EXPECT_EQ(plan({"--config_file", two, "--nproc_per_node=2", "--nnodes=2"}).code, 0);
}

/// Issues 717, 2265 and 2818 of huggingface/accelerate: a flag leaves the file's other keys as they are, and the
/// processes of a file are those of all machines.
TEST_F(Launching, AFlagChangesItsOwnKeyAlone) {
    const std::string one = file("one.yaml",
                                 "compute_environment: LOCAL_MACHINE\ndistributed_type: MULTI_CPU\nuse_cpu: true\n"
                                 "num_machines: 1\nmachine_rank: 0\nnum_processes: 1\nmixed_precision: bf16\n");
    const Json alone = Json::parse(plan({"--config_file", one, "--main_process_port", "5432"}).out);
    EXPECT_EQ(alone["world_size"], 1);
    EXPECT_EQ(alone["environment"]["ACCELERATE_MIXED_PRECISION"], "bf16");
    const std::string four = file("four.yaml",
                                  "compute_environment: LOCAL_MACHINE\ndistributed_type: MULTI_CPU\nuse_cpu: true\n"
                                  "num_machines: 4\nmachine_rank: 0\nmain_process_ip: 10.6.1.10\n"
                                  "main_process_port: 43960\nnum_processes: 8\n");
    for (int machine = 0; machine < 4; ++machine) {
        const Json part = Json::parse(plan({"--config_file", four, "--machine_rank", std::to_string(machine)}).out);
        EXPECT_EQ(part["world_size"], 8);
        ASSERT_EQ(part["ranks"].size(), 2U);
        EXPECT_EQ(part["ranks"][0]["rank"], 2 * machine);
        EXPECT_EQ(part["ranks"][1]["environment"]["LOCAL_RANK"], "1");
        EXPECT_EQ(part["ranks"][1]["environment"]["MASTER_PORT"], "43960");
    }
}

TEST_F(Launching, FlagsOfOlderReleasesAreNoted) {
    for (const char* flag : {"--ipex", "--use_xpu"}) {
        const Said said = test::trainyard({"launch", "--cpu", flag, "--dry-run", "train.py"});
        EXPECT_EQ(said.code, 0) << said.err;
        EXPECT_THAT(said.out + said.err,
                    says("--{} is of Accelerate up to 1.12 and has no effect: PyTorch itself does what "
                         "the Intel extension did",
                         std::string(flag).substr(2)));
    }
}

/// The current name in the documents of a key that Accelerate 1.15 calls fsdp_backward_prefetch.
TEST_F(Launching, ThePrefetchPolicyOfOlderReleasesActs) {
    const std::vector<std::string> sharded{"--num_processes", "2", "--use_fsdp", "--fsdp_version", "1"};
    const auto with = [&](const std::string& flag) {
        std::vector<std::string> words = sharded;
        words.insert(words.end(), {flag, "BACKWARD_POST"});
        const Said said = plan(words);
        EXPECT_EQ(said.code, 0) << said.err;
        return Json::parse(said.out);
    };
    const Json older = with("--fsdp_backward_prefetch_policy"), newer = with("--fsdp_backward_prefetch");
    EXPECT_EQ(older["environment"], newer["environment"]);
    EXPECT_EQ(older["environment"]["FSDP_BACKWARD_PREFETCH"], "BACKWARD_POST");
    const std::string settings =
        file("older.yaml",
             "compute_environment: LOCAL_MACHINE\ndistributed_type: FSDP\nuse_cpu: true\nnum_machines: 1\n"
             "num_processes: 2\nfsdp_config:\n  fsdp_version: 1\n"
             "  fsdp_backward_prefetch_policy: BACKWARD_POST\n");
    EXPECT_EQ(Json::parse(plan({"--config_file", settings}).out)["environment"]["FSDP_BACKWARD_PREFETCH"],
              "BACKWARD_POST");
}

/// Variables of oneCCL and Intel MPI reach the script; mpirun_ccl is CCL_WORKER_COUNT.
TEST_F(Launching, VariablesOfOneCclReachTheScript) {
    const std::string hosts = file("hosts", "localhost slots=2\n");
    const std::string fake = file("mpirun", R"(#!/bin/bash
[ "$1" = --version ] && { echo "Intel(R) MPI Library for Linux* OS, Version 2021.10"; exit 0; }
env | grep -E '^(CCL|I_MPI)_' | sort
)");
    ::chmod(fake.c_str(), 0755);
    const auto launch = [&](const std::string& workers) {
        const std::string settings =
            file("mpi.yaml",
                 "compute_environment: LOCAL_MACHINE\ndistributed_type: MULTI_CPU\nuse_cpu: true\nnum_machines: 1\n"
                 "num_processes: 2\nmpirun_config:\n  mpirun_ccl: '" +
                     workers + "'\n  mpirun_hostfile: " + hosts + "\n");
        return test::Program(
                   {TRAINYARD_BIN_DIR "/trainyard", "launch", "--config_file", settings, "--no_python", "true"},
                   [&] {
                       ::setenv("PATH", (folder_.path().string() + ":" + std::getenv("PATH")).c_str(), 1);
                       ::setenv("CCL_LOG_LEVEL", "info", 1);
                       ::setenv("I_MPI_DEBUG", "5", 1);
                   })
            .wait();
    };
    const Said said = launch("4");
    EXPECT_EQ(said.code, 0) << said.err;
    EXPECT_THAT(said.out, HasSubstr("CCL_LOG_LEVEL=info\nCCL_WORKER_COUNT=4\nI_MPI_DEBUG=5\n"));
    EXPECT_THAT(launch("many").err, HasSubstr("mpirun_config.mpirun_ccl: the text \"many\" is not a whole number"));
}

TEST_F(Launching, EveryTemplateIsAValidFile) {
    const Said list = test::trainyard({"config", "default", "--list", "--json"});
    ASSERT_EQ(list.code, 0) << list.err;
    std::vector<std::string> ids;
    for (const Json& each : Json::parse(list.out))
        ids.push_back(each["id"]);
    EXPECT_THAT(ids, testing::IsSupersetOf({"one-gpu", "many-gpus", "many-hosts", "mpi", "fsdp", "fp8", "zero-1",
                                            "zero-2", "zero-3", "sagemaker", "cpu-smoke-test"}));
    for (const std::string& id : ids) {
        const std::string path = file(id + ".yaml");
        const Said written = test::trainyard({"config", "default", "--preset", id, "--config_file", path});
        ASSERT_EQ(written.code, 0) << id << written.err;
        const Said checked = test::trainyard({"config", "validate", path, "--json"});
        EXPECT_EQ(checked.code, 0) << id << checked.out;
        EXPECT_TRUE(Json::parse(checked.out).value("findings", Json::array()).empty()) << id << checked.out;
    }
    // Lines of each, besides those of all, and what this machine adds (processes, its address).
    const Json expected = Json::parse(R"({
        "one-gpu": {"distributed_type": "NO", "num_machines": 1, "gpu_ids": "all", "mixed_precision": "bf16"},
        "many-gpus": {"distributed_type": "MULTI_GPU", "num_machines": 1, "mixed_precision": "bf16"},
        "many-hosts": {"distributed_type": "MULTI_GPU", "num_machines": 2, "main_process_port": 29500,
            "same_network": true, "mixed_precision": "bf16"},
        "largest-model": {"distributed_type": "FSDP", "num_machines": 1, "mixed_precision": "bf16", "fsdp_config": {
            "fsdp_version": 2, "fsdp_reshard_after_forward": true, "fsdp_offload_params": true,
            "fsdp_activation_checkpointing": true, "fsdp_state_dict_type": "SHARDED_STATE_DICT"}},
        "zero-3-offload": {"distributed_type": "DEEPSPEED", "num_machines": 1, "mixed_precision": "bf16",
            "deepspeed_config": {"zero_stage": 3, "offload_optimizer_device": "cpu", "offload_param_device": "cpu",
            "zero3_init_flag": true, "zero3_save_16bit_model": true}},
        "cpu-smoke-test": {"distributed_type": "MULTI_CPU", "num_machines": 1, "use_cpu": true,
            "mixed_precision": "no"},
        "mpi": {"distributed_type": "MULTI_CPU", "num_machines": 2, "use_cpu": true, "main_process_port": 29500,
            "same_network": true, "mpirun_config": {"mpirun_hostfile": "hostfile"}, "mixed_precision": "no"},
        "fsdp": {"distributed_type": "FSDP", "num_machines": 1, "mixed_precision": "bf16", "fsdp_config": {
            "fsdp_version": 2, "fsdp_reshard_after_forward": true, "fsdp_auto_wrap_policy": "TRANSFORMER_BASED_WRAP",
            "fsdp_state_dict_type": "SHARDED_STATE_DICT"}},
        "fp8": {"distributed_type": "MULTI_GPU", "num_machines": 1, "mixed_precision": "fp8", "fp8_config": {
            "backend": "TE", "fp8_format": "HYBRID", "amax_history_len": 1024, "amax_compute_algo": "most_recent"}},
        "zero-1": {"distributed_type": "DEEPSPEED", "num_machines": 1, "mixed_precision": "bf16", "deepspeed_config": {
            "zero_stage": 1, "gradient_accumulation_steps": 1, "gradient_clipping": 1.0,
            "offload_optimizer_device": "none", "offload_param_device": "none", "zero3_init_flag": false}},
        "zero-2": {"distributed_type": "DEEPSPEED", "num_machines": 1, "mixed_precision": "bf16", "deepspeed_config": {
            "zero_stage": 2, "gradient_accumulation_steps": 1, "gradient_clipping": 1.0,
            "offload_optimizer_device": "none", "offload_param_device": "none", "zero3_init_flag": false}},
        "zero-3": {"distributed_type": "DEEPSPEED", "num_machines": 1, "mixed_precision": "bf16", "deepspeed_config": {
            "zero_stage": 3, "gradient_accumulation_steps": 1, "gradient_clipping": 1.0,
            "offload_optimizer_device": "none", "offload_param_device": "none", "zero3_init_flag": true,
            "zero3_save_16bit_model": true}},
        "sagemaker": {"compute_environment": "AMAZON_SAGEMAKER", "distributed_type": "NO", "num_machines": 1,
            "ec2_instance_type": "ml.p3.2xlarge", "iam_role_name": "accelerate_sagemaker_execution_role",
            "profile": "default", "region": "us-east-1", "mixed_precision": "no", "gpu_ids": "all",
            "base_job_name": "accelerate-sagemaker-1", "pytorch_version": "1.10.2", "transformers_version": "4.17.0",
            "py_version": "py38"}})");
    const Json of_all = Json::parse(R"({"compute_environment": "LOCAL_MACHINE", "debug": false, "downcast_bf16": false,
        "enable_cpu_affinity": false, "machine_rank": 0, "main_training_function": "main", "rdzv_backend": "static",
        "same_network": false, "tpu_use_cluster": false, "tpu_use_sudo": false, "use_cpu": false})");
    for (const std::string& id : ids) {
        const Said shown =
            test::trainyard({"config", "default", "--preset", id, "--config_file", file(id + ".json"), "--json"});
        Json wrote = Json::parse(shown.out)["settings"];
        for (const char* of_machine : {"num_processes", "main_process_ip"})
            wrote.erase(of_machine);
        for (const auto& [key, value] : of_all.items())
            if (wrote.contains(key) && wrote[key] == value)
                wrote.erase(key);
        EXPECT_EQ(wrote, expected.value(id, Json())) << id;
    }
    EXPECT_THAT(test::trainyard({"config", "default", "--preset", "fspd", "--config_file", file("x.yaml")}).err,
                says("--preset {} is not known{}", "fspd", HasSubstr("fsdp")));
    EXPECT_THAT(
        test::trainyard({"config", "default", "--preset", "fsdp", "--config_file", file("fsdp.yaml")}).err,
        says("{} is there already and is not overwritten: name another file with --config_file", file("fsdp.yaml")));
}

/// With DeepSpeed's own file: the settings name it, and a recipe is trained as it says.
TEST_F(Launching, TemplatesOfDeepSpeedHaveTheirJson) {
    std::ofstream(file("text.txt")) << std::string(20'000, 'x');
    const std::string recipe = file("recipe.yaml", "data: {path: text.txt}\ntraining: {batch_size: 2}\n");
    for (const int stage : {1, 2, 3}) {
        const std::string id = "zero-" + std::to_string(stage);
        const std::string settings = file(id + ".yaml"), json = file(id + ".deepspeed.json");
        const Said written = test::trainyard(
            {"config", "default", "--preset", id, "--config_file", settings, "--deepspeed_config_file", json});
        ASSERT_EQ(written.code, 0) << written.err;
        std::ifstream in(json);
        Json expected = Json::parse(R"({"train_batch_size": "auto", "train_micro_batch_size_per_gpu": "auto",
            "gradient_accumulation_steps": 1, "gradient_clipping": 1.0, "zero_optimization": {
            "offload_optimizer": {"device": "none", "nvme_path": null}, "offload_param": {"device": "none", "nvme_path": null}},
            "bf16": {"enabled": true}, "fp16": {"enabled": false}})");
        expected["zero_optimization"]["stage"] = stage;
        expected["zero_optimization"]["stage3_gather_16bit_weights_on_model_save"] = stage == 3;
        EXPECT_EQ(Json::parse(in), expected) << id;
        const Said checked = test::trainyard({"config", "validate", settings, "--json"});
        EXPECT_TRUE(Json::parse(checked.out).value("findings", Json::array()).empty()) << id << checked.out;
        const Said planned = test::trainyard({"launch", "--config_file", settings, "--dry-run", recipe});
        EXPECT_EQ(planned.code, 0) << planned.err;
        EXPECT_THAT(planned.out, HasSubstr("zero_stage: " + std::to_string(stage)));
        EXPECT_THAT(planned.out, HasSubstr("mixed_precision: bf16"));
    }
    EXPECT_THAT(test::trainyard({"config", "default", "--preset", "fsdp", "--config_file", file("a.yaml"),
                                 "--deepspeed_config_file", file("a.json")})
                    .err,
                says("--deepspeed_config_file is for templates of DeepSpeed, and {} is not one: leave it out", "fsdp"));
    EXPECT_THAT(test::trainyard({"config", "default", "--deepspeed_config_file", file("a.json")}).err,
                says("--deepspeed_config_file needs --preset: give a template of DeepSpeed, such as zero-2"));
    EXPECT_FALSE(fs::exists(file("a.yaml")));
    EXPECT_FALSE(fs::exists(file("a.json")));
}

/// `mpirun -n 2 trainyard launch` with the file that `config` writes for both processes: each starts one rank of it.
TEST_F(Launching, UnderMpirunAFileNamesAllProcesses) {
    const std::string fake = file("mpirun", R"(#!/bin/bash
for rank in 0 1; do
    OMPI_COMM_WORLD_RANK=$rank OMPI_COMM_WORLD_SIZE=2 OMPI_COMM_WORLD_LOCAL_RANK=$rank OMPI_COMM_WORLD_LOCAL_SIZE=2 \
        PMIX_NAMESPACE=$$ "$@" &
done
wait
)");
    ::chmod(fake.c_str(), 0755);
    const std::string settings = file("all.yaml",
                                      "compute_environment: LOCAL_MACHINE\ndistributed_type: MULTI_CPU\nuse_cpu: true\n"
                                      "num_machines: 1\nmachine_rank: 0\nnum_processes: 2\n");
    const Said said = test::Program({fake, TRAINYARD_BIN_DIR "/trainyard", "launch", "--config_file", settings,
                                     "--no_python", "sh", "-c", "echo rank $RANK of $WORLD_SIZE, local $LOCAL_RANK"})
                          .wait();
    EXPECT_EQ(said.code, 0) << said.err;
    EXPECT_THAT(said.out, HasSubstr("rank 1 of 2"));
    const std::size_t first = said.out.find("rank 0 of 2");
    EXPECT_NE(first, std::string::npos) << said.out << said.err;
    EXPECT_EQ(said.out.find("rank 0 of 2", first + 1), std::string::npos) << "one run of two ranks, not two";
    EXPECT_EQ(std::distance(fs::directory_iterator(folder_.path() / "runs"), fs::directory_iterator()), 1);
    // A file of fewer processes than mpirun starts contradicts it.
    const std::string one = file("one.yaml",
                                 "compute_environment: LOCAL_MACHINE\ndistributed_type: 'NO'\nuse_cpu: true\n"
                                 "num_machines: 1\nmachine_rank: 0\nnum_processes: 1\n");
    EXPECT_THAT(
        test::Program({fake, TRAINYARD_BIN_DIR "/trainyard", "launch", "--config_file", one, "--no_python", "true"})
            .wait()
            .err,
        HasSubstr("num_processes is 1, but OMPI_COMM_WORLD_SIZE=2"));
}

TEST_F(Launching, MpirunsHostsAreChecked) {
    fs::create_directories(folder_.path() / "bin");
    const std::string fake = file("bin/mpirun", R"(#!/bin/bash
[ "$1" = --version ] && { sleep 1; echo "mpirun (Open MPI) 4.1.4"; exit 0; }  # as from a slow network disk
case "$*" in
*silent*) exec sleep 60 ;;
*asks*) echo "me@asks's password: " >&2; exec sleep 60 ;;
*) exit 0 ;;
esac
)");
    ::chmod(fake.c_str(), 0755);
    const std::string hosts = file("hosts", "# two of three\nfine slots=2\nsilent:2\nasks\n");
    const std::string path = (folder_.path() / "bin").string() + ":" + std::getenv("PATH");
    const auto check = [&](const std::string& hostfile) {
        return test::Program(
                   {TRAINYARD_BIN_DIR "/trainyard", "launch", "--cpu", "--check", "--num_processes", "3",
                    "--num_machines", "3", "--machine_rank", "0", "--main_process_ip", "10.0.0.5",
                    "--main_process_port", "29500", "--mpirun_hostfile", hostfile, "--json", "--no_python", "true"},
                   [&] { ::setenv("PATH", path.c_str(), 1); })
            .wait();
    };
    const Said said = check(hosts);
    EXPECT_EQ(said.code, 2) << said.err;
    const Json found = Json::parse(said.out);
    EXPECT_FALSE(found["ready"]);
    ASSERT_EQ(found["checks"].size(), 3u);
    EXPECT_EQ(found["checks"][0]["state"], "passed") << said.out;
    EXPECT_EQ(found["checks"][1]["host"], "silent");
    EXPECT_THAT(found["checks"][1]["text"].get<std::string>(), says("no answer within {} s", _));
    EXPECT_THAT(found["checks"][2]["text"].get<std::string>(), says("asks for a password: {}", HasSubstr("password:")));
    EXPECT_LT(found["checks"][1]["seconds"].get<double>(), 50) << "the program sleeps for 60 s";
    EXPECT_EQ(check(file("fine", "fine\n")).code, 0);
    EXPECT_THAT(check(file("none", "# none\n")).err, says("{} names no hosts: write one on each line", file("none")));
}

}  // namespace
}  // namespace trainyard
