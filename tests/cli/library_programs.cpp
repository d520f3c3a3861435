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
    for (const char* name : {"ACCELERATE_DYNAMO_BACKEND", "ACCELERATE_FP8_OPT_LEVEL", "FSDP_BACKWARD_PREFETCH",
                             "ACCELERATE_CONFIG_DS_FIELDS", "FSDP_USE_ORIG_PARAMS"})
        EXPECT_THAT(left_out, Contains(name)) << "the launches above cover it no more";
}

}  // namespace
}  // namespace trainyard
