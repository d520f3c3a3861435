// SPDX-License-Identifier: GPL-3.0-or-later
// Programs in C++ on Trainyard's library: every variable of Accelerate that a launch gives them is one that the library
// reads, and settings that have no effect on them are named. Scripts get what Accelerate gives them.

#include <algorithm>
#include <fstream>

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <nlohmann/json.hpp>
#include <sys/stat.h>

#include "base/cpu_affinity.h"
#include "base/elf_file.h"
#include "base/environment_names.h"
#include "cli/program.h"
#include "launch/plan/library_program.h"
#include "launch/plan/probe.h"
#include "support/says.h"
#include "support/temporary_folder.h"

namespace trainyard {
namespace {

namespace fs = std::filesystem;
using Json = nlohmann::json;
using test::Said;
using test::says;
using testing::AllOf;
using testing::Contains;
using testing::HasSubstr;
using testing::Not;

class LibraryPrograms : public testing::Test {
  protected:
    LibraryPrograms() {
        ::setenv("HF_HOME", (folder_.path() / "home").c_str(), 1);
        ::setenv("TRAINYARD_RUNS", (folder_.path() / "runs").c_str(), 1);
        for (const char* name : {"TRAINYARD_CONFIG", "OMP_NUM_THREADS", "SLURM_JOB_ID", "CUDA_VISIBLE_DEVICES"})
            ::unsetenv(name);
        const fs::path script = folder_.path() / "script";
        std::ofstream(script) << "#!/bin/sh\nenv\n";
        ::chmod(script.c_str(), 0755);
        script_ = script;
    }
    static Said two(std::vector<std::string> flags, const std::string& program) {
        flags.insert(flags.begin(), {"launch", "--cpu", "--num_processes", "2", "--main_process_port", "0"});
        flags.insert(flags.end(), {"--no_python", program});
        return test::trainyard(flags);
    }
    std::string settings_file(const std::string& text) {
        const fs::path file = folder_.path() / "settings.yaml";
        std::ofstream(file) << text;
        return file;
    }

    test::TemporaryFolder folder_;
    std::string script_;
};

TEST_F(LibraryPrograms, AreRecognisedByTheirNote) {
    EXPECT_TRUE(plan::is_library_program(TRAINYARD_LIBRARY_PROGRAM, ""));
    const fs::path program(TRAINYARD_LIBRARY_PROGRAM);
    EXPECT_TRUE(plan::is_library_program(program.filename(), ("/nowhere:" + program.parent_path().string()).c_str()));
    EXPECT_FALSE(plan::is_library_program(program.filename(), "/nowhere"));
    EXPECT_FALSE(plan::is_library_program("/bin/sh", ""));
    EXPECT_FALSE(plan::is_library_program(script_, ""));
    EXPECT_FALSE(plan::is_library_program(folder_.path() / "missing", ""));
    std::string whole;
    {
        std::ifstream in("/bin/sh", std::ios::binary);
        whole.assign(std::istreambuf_iterator<char>(in), {});
    }
    for (const std::size_t bytes :
         {std::size_t{0}, std::size_t{16}, std::size_t{64}, std::size_t{200}, whole.size() / 2}) {
        std::ofstream(folder_.path() / "cut", std::ios::binary) << whole.substr(0, bytes);
        EXPECT_FALSE(has_note(folder_.path() / "cut", kLibraryNote)) << bytes;
        EXPECT_FALSE(exports_symbol(folder_.path() / "cut", "main")) << bytes;
    }
}

TEST_F(LibraryPrograms, RanksKeepToCoresOfTheirOwn) {
    const std::vector<std::vector<int>> shares = cores_of_ranks(2, [] {
        CpuTopology topology = CpuTopology::read("/", allowed_threads());
        topology.near_gpus.clear();  // the launch is for the processor
        return topology;
    }());
    const Said bound = two({"--enable_cpu_affinity"}, TRAINYARD_LIBRARY_PROGRAM);
    const Said free = two({}, TRAINYARD_LIBRARY_PROGRAM);
    ASSERT_EQ(bound.code, 0) << bound.err;
    const std::string all = cpu_list(allowed_threads());
    for (std::size_t rank = 0; rank < 2; ++rank) {
        std::vector<int> own = shares[rank];
        std::ranges::sort(own);
        const std::string name = "rank " + std::to_string(rank) + " runs on ";
        EXPECT_THAT(bound.out, HasSubstr(name + (own.empty() ? all : cpu_list(own)) + "\n"));
        EXPECT_THAT(free.out, HasSubstr(name + all + "\n"));
    }
}

TEST_F(LibraryPrograms, SettingsOfTorchCompileAreForPythonAlone) {
    const std::vector<std::string> flags{"--dynamo_backend", "inductor",          "--dynamo_mode",
                                         "max-autotune",     "--mixed_precision", "bf16"};
    const Said own = two(flags, TRAINYARD_LIBRARY_PROGRAM), script = two(flags, script_);
    ASSERT_EQ(own.code, 0) << own.err;
    ASSERT_EQ(script.code, 0) << script.err;
    EXPECT_THAT(own.out, AllOf(Not(HasSubstr("DYNAMO")), HasSubstr("rank 1 has ACCELERATE_MIXED_PRECISION=bf16\n")));
    for (const char* note :
         {"dynamo_config.dynamo_backend INDUCTOR has no effect: the engine's kernels are compiled already",
          "dynamo_config.dynamo_mode max-autotune has no effect: "}) {
        EXPECT_THAT(own.err, HasSubstr(note));
        EXPECT_THAT(script.err, Not(HasSubstr(note)));
    }
    EXPECT_THAT(script.out, AllOf(HasSubstr("ACCELERATE_DYNAMO_BACKEND=INDUCTOR\n"),
                                  HasSubstr("ACCELERATE_DYNAMO_MODE=max-autotune\n")));
    std::vector<std::string> dry = flags;
    dry.insert(dry.end(), {"--dry-run", "--json"});
    const Json planned = Json::parse(two(dry, TRAINYARD_LIBRARY_PROGRAM).out);
    const Json row = planned["settings"]["dynamo_config.dynamo_backend"];
    EXPECT_EQ(row["effect"], "ignored");
    EXPECT_THAT(row["reason"].get<std::string>(),
                says("the engine's kernels are compiled already: there is no Python to compile"));
    EXPECT_FALSE(planned["settings"]["mixed_precision"].contains("effect"));
    EXPECT_FALSE(Json::parse(two(dry, script_).out)["settings"]["dynamo_config.dynamo_backend"].contains("effect"));
}

/// The line of the weights; the rest is the state.
std::string weights_of(const Said& said) {
    EXPECT_EQ(said.code, 0) << said.err;
    const std::size_t begin = said.out.find("weights ");
    EXPECT_NE(begin, std::string::npos) << said.out << said.err;
    return begin == std::string::npos ? "" : said.out.substr(begin, said.out.find('\n', begin) - begin);
}

TEST_F(LibraryPrograms, WhoeverStartsThemTheyTrainTheSame) {
    // The script of a starter that knows nothing of Trainyard: two processes with its variables.
    const auto started_by = [&](const std::string& variables) {
        const int port = plan::probe_machine().free_port;
        const std::string script = "for r in 0 1; do env MASTER_PORT=" + std::to_string(port) + " " + variables + " " +
                                   TRAINYARD_LIBRARY_TRAINING +
                                   " & pids+=\" $!\"; done; for p in $pids; do wait $p || exit; done";
        return test::Program({"/bin/bash", "-c", script}).wait();
    };
    const Said launched = two({}, TRAINYARD_LIBRARY_TRAINING);
    const std::string weights = weights_of(launched);
    EXPECT_THAT(launched.out, HasSubstr("Distributed environment: MULTI_CPU  Backend: gloo\nNum processes: 2\n"));
    for (const char* variables :
         {"RANK=$r LOCAL_RANK=$r WORLD_SIZE=2 LOCAL_WORLD_SIZE=2 GROUP_RANK=0 GROUP_WORLD_SIZE=1 MASTER_ADDR=127.0.0.1 "
          "TORCHELASTIC_RUN_ID=none TORCHELASTIC_RESTART_COUNT=0 TORCHELASTIC_MAX_RESTARTS=0 "
          "TORCHELASTIC_USE_AGENT_STORE=False",
          "OMPI_COMM_WORLD_RANK=$r OMPI_COMM_WORLD_SIZE=2 OMPI_COMM_WORLD_LOCAL_RANK=$r OMPI_COMM_WORLD_LOCAL_SIZE=2",
          "PMI_RANK=$r PMI_SIZE=2 MPI_LOCALRANKID=$r MPI_LOCALNRANKS=2",
          "MV2_COMM_WORLD_RANK=$r MV2_COMM_WORLD_SIZE=2 MV2_COMM_WORLD_LOCAL_RANK=$r MV2_COMM_WORLD_LOCAL_SIZE=2"}) {
        const Said said = started_by(variables);
        EXPECT_EQ(weights_of(said), weights) << variables;
        EXPECT_EQ(said.out, launched.out) << "the state, too: " << variables;
    }
    const Said plain = test::Program({TRAINYARD_LIBRARY_TRAINING}).wait();
    EXPECT_THAT(plain.out, HasSubstr("Distributed environment: NO\nNum processes: 1\n"));
    EXPECT_NE(weights_of(plain), weights) << "one process has other samples";
    EXPECT_EQ(weights_of(test::trainyard(
                  {"launch", "--cpu", "--num_processes", "1", "--no_python", TRAINYARD_LIBRARY_TRAINING})),
              weights_of(plain));
}

TEST_F(LibraryPrograms, ADryRunPrintsTheStateThatTheFirstRankWillPrint) {
    const auto state = [&](std::vector<std::string> flags) {
        std::vector<std::string> text = flags;
        flags.insert(flags.begin(), {"launch", "--dry-run", "--json"});
        flags.insert(flags.end(), {"--no_python", TRAINYARD_LIBRARY_TRAINING});
        const Said said = test::trainyard(flags);
        EXPECT_EQ(said.code, 0) << said.err;
        std::string found = said.code == 0 ? Json::parse(said.out)["state"].get<std::string>() : "";
        flags.erase(flags.begin() + 2);
        EXPECT_THAT(test::trainyard(flags).out, HasSubstr("\nState of the first rank (Accelerator().state)\n" + found));
        return found;
    };
    for (const char* precision : {"no", "bf16"}) {
        const std::vector<std::string> flags{"--mixed_precision", precision};
        const std::string planned = state({"--cpu", "--num_processes", "2", "--mixed_precision", precision});
        EXPECT_THAT(planned, HasSubstr(std::string("Mixed precision type: ") + precision + "\n"));
        EXPECT_THAT(two(flags, TRAINYARD_LIBRARY_TRAINING).out, testing::StartsWith(planned));
    }
    // Scenario 2 of the DeepSpeed guide: the file says all.
    const auto lines = [](const std::string& precision, const std::string& config) {
        return "Distributed environment: DEEPSPEED  Backend: gloo\nNum processes: 4\nProcess index: 0\nLocal process "
               "index: 0\nDevice: cpu\nMixed precision type: " +
               precision + "\nds_config: " + config + "\n";
    };
    const std::string json = folder_.path() / "ds_config.json";
    std::ofstream(json)
        << R"({"bf16": {"enabled": true}, "zero_optimization": {"stage": 3, "stage3_gather_16bit_weights_on_model_save":
        false, "offload_optimizer": {"device": "none"}, "offload_param": {"device": "none"}}, "gradient_clipping": 1.0,
        "train_batch_size": "auto", "train_micro_batch_size_per_gpu": "auto", "gradient_accumulation_steps": 10,
        "steps_per_print": 2000000})";
    const std::string settings = settings_file(
        "compute_environment: LOCAL_MACHINE\ndeepspeed_config:\n  deepspeed_config_file: " + json +
        "\n  zero3_init_flag: true\ndistributed_type: DEEPSPEED\ndowncast_bf16: 'no'\ndynamo_backend: 'NO'\n"
        "fsdp_config: {}\nmachine_rank: 0\nmain_training_function: main\nmegatron_lm_config: {}\nnum_machines: 1\n"
        "num_processes: 4\nrdzv_backend: static\nsame_network: true\nuse_cpu: false\n");
    EXPECT_EQ(state({"--config_file", settings}),
              lines("bf16",
                    "{'bf16': {'enabled': True}, 'zero_optimization': {'stage': 3, "
                    "'stage3_gather_16bit_weights_on_model_save': False, 'offload_optimizer': {'device': 'none'}, "
                    "'offload_param': {'device': 'none'}}, 'gradient_clipping': 1.0, 'train_batch_size': 'auto', "
                    "'train_micro_batch_size_per_gpu': 'auto', 'gradient_accumulation_steps': 10, 'steps_per_print': "
                    "inf, 'fp16': {'enabled': False}}"));
    // Scenario 3: `auto` takes what the command line says.
    std::ofstream(json) << R"({"bf16": {"enabled": "auto"}, "zero_optimization": {"stage": "auto",
        "stage3_gather_16bit_weights_on_model_save": "auto", "offload_optimizer": {"device": "auto"}, "offload_param":
        {"device": "auto"}}, "gradient_clipping": "auto", "train_batch_size": "auto", "train_micro_batch_size_per_gpu":
        "auto", "gradient_accumulation_steps": "auto", "steps_per_print": 2000000})";
    EXPECT_EQ(state({"--config_file", settings, "--mixed_precision=fp16", "--zero_stage=3",
                     "--gradient_accumulation_steps=5", "--gradient_clipping=1.0", "--offload_param_device=cpu",
                     "--offload_optimizer_device=cpu", "--zero3_save_16bit_model=true"}),
              lines("fp16",
                    "{'bf16': {'enabled': False}, 'zero_optimization': {'stage': 3, "
                    "'stage3_gather_16bit_weights_on_model_save': True, 'offload_optimizer': {'device': 'cpu'}, "
                    "'offload_param': {'device': 'cpu'}}, 'gradient_clipping': 1.0, 'train_batch_size': 'auto', "
                    "'train_micro_batch_size_per_gpu': 'auto', 'gradient_accumulation_steps': 5, 'steps_per_print': "
                    "inf, 'fp16': {'enabled': True, 'auto_cast': True}}"));
}

TEST_F(LibraryPrograms, EveryVariableThatTheyGetIsReadByTheLibrary) {
    settings::Machine machine;
    machine.device = "cuda";
    machine.device_count = 4;
    machine.physical_cores = 4;
    machine.free_port = 43210;
    machine.fp8 = true;
    std::set<std::string> left_out;
    const std::vector<std::vector<std::string>> launches{
        {"--multi_gpu", "--mixed_precision", "fp8", "--fp8_backend", "te", "--debug", "--enable_cpu_affinity",
         "--dynamo_backend", "inductor", "--gradient_accumulation_steps", "2"},
        {"--use_fsdp", "--fsdp_sharding_strategy", "NO_SHARD", "--fsdp_backward_prefetch", "BACKWARD_PRE"},
        {"--use_deepspeed", "--zero_stage", "1", "--offload_optimizer_nvme_path", "/fast"},
        {"--use_megatron_lm"},
        {"--use_fsdp", "--fsdp_version", "2", "--use_parallelism_config", "--parallelism_config_dp_replicate_size",
         "4"},
        {"--cpu"}};
    for (std::vector<std::string> flags : launches) {
        const std::string what = testing::PrintToString(flags);
        flags.insert(flags.end(), {"--num_processes", "4", "--no_python"});
        const auto environment_of = [&](const std::string& program) {
            std::vector<std::string> words = flags;
            words.push_back(program);
            const plan::Flags parsed = plan::parse_flags(words);
            return plan::make_plan(parsed, plan::resolve(parsed, std::nullopt, machine, {}), machine, {}, "python3")
                .environment;
        };
        const plan::EnvironmentMap own = environment_of(TRAINYARD_LIBRARY_PROGRAM), all = environment_of("program");
        for (const auto& [name, value] : all) {
            const bool read = std::ranges::find(kAccelerateVariables, name) != kAccelerateVariables.end();
            EXPECT_EQ(own.contains(name), read || !is_accelerate_variable(name)) << name << " of " << what;
            if (!own.contains(name))
                left_out.insert(name);
        }
        EXPECT_LE(own.size(), all.size());
    }
    for (const char* name :
         {"ACCELERATE_DYNAMO_BACKEND", "ACCELERATE_FP8_OPT_LEVEL", "FSDP_BACKWARD_PREFETCH", "FSDP_USE_ORIG_PARAMS"})
        EXPECT_THAT(left_out, Contains(name)) << "the launches above cover it no more";
}

}  // namespace
}  // namespace trainyard
