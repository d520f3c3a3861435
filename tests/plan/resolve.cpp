// SPDX-License-Identifier: GPL-3.0-or-later
// One value per setting and where it came from; machines of different sizes; SLURM; contradictions.

#include "launch/plan/resolve.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "base/error.h"
#include "base/process.h"
#include "launch/plan/plan.h"
#include "launch/plan/probe.h"
#include "support/says.h"

namespace trainyard::plan {
namespace {

using test::says;
using testing::_;
using testing::AllOf;
using testing::Contains;
using testing::Each;
using testing::ElementsAre;
using testing::EndsWith;
using testing::HasSubstr;
using testing::Not;
using testing::SizeIs;
using testing::StartsWith;

settings::Machine gpus(int count) {
    settings::Machine machine;
    machine.device = count > 0 ? "cuda" : "cpu";
    machine.device_count = count;
    machine.physical_cores = 8;
    machine.free_port = 43210;
    return machine;
}

std::optional<settings::Loaded> file(const std::string& text) {
    settings::Loaded loaded = settings::read_settings(text, "settings.yaml", settings::Format::yaml);
    EXPECT_TRUE(loaded.problems.empty());
    return loaded;
}

struct Made {
    Resolved resolved;
    Plan plan;
};

Made make(const std::vector<std::string>& words, const settings::Machine& machine,
          const std::optional<settings::Loaded>& loaded = std::nullopt, const EnvironmentMap& environment = {}) {
    Flags flags = parse_flags(words);
    Made made{resolve(flags, loaded, machine, environment), {}};
    made.plan = make_plan(flags, made.resolved, machine, environment, "python3");
    return made;
}

std::string refusal(const std::vector<std::string>& words, const settings::Machine& machine,
                    const std::optional<settings::Loaded>& loaded = std::nullopt,
                    const EnvironmentMap& environment = {}) {
    try {
        make(words, machine, loaded, environment);
    } catch (const InvalidInput& error) {
        return error.what();
    }
    return "";
}

constexpr const char* kTwo =
    "distributed_type: MULTI_GPU\nnum_processes: 8\nnum_machines: 2\nmain_process_ip: 10.0.0.1\n"
    "main_process_port: 29600\nsame_network: true\n";

TEST(Resolve, FlagThenEnvironmentThenFileThenDefault) {
    auto loaded = file("distributed_type: MULTI_GPU\nnum_processes: 4\nmixed_precision: fp16\n");
    Resolved resolved = make({"--num_processes", "2", "x.py"}, gpus(4), loaded, {{"OMP_NUM_THREADS", "3"}}).resolved;
    EXPECT_EQ(resolved.settings.integer("num_processes", 0), 2);
    EXPECT_EQ(resolved.origins.at("num_processes"), Origin::flag);
    EXPECT_EQ(resolved.origins.at("num_cpu_threads_per_process"), Origin::environment);
    EXPECT_EQ(resolved.origins.at("mixed_precision"), Origin::file);
    EXPECT_EQ(resolved.origins.at("num_machines"), Origin::fallback);
    EXPECT_EQ(resolved.paradigm, Paradigm::multi_device);
}

TEST(Resolve, AFlagTurnsASwitchOfTheFileOff) {
    Plan on = make({"x.py"}, gpus(4), file(kTwo)).plan;
    EXPECT_EQ(on.rendezvous->master_addr, "10.0.0.1");
    Plan off = make({"--same_network=false", "x.py"}, gpus(4), file(kTwo)).plan;
    EXPECT_EQ(off.rendezvous->rdzv_endpoint, "10.0.0.1:29600");
    EXPECT_EQ(off.ranks[0].environment.at("MASTER_ADDR"), "10.0.0.1");
    EXPECT_EQ(off.ranks[0].environment.at("MASTER_PORT"), "29600");
}

TEST(Resolve, RanksAreNumberedOverTheMachines) {
    Plan second = make({"--machine_rank", "1", "--num_processes", "7", "x.py"}, gpus(4), file(kTwo)).plan;
    EXPECT_THAT(second.ranks_per_machine, ElementsAre(4, 3));
    ASSERT_THAT(second.ranks, SizeIs(3));
    EXPECT_EQ(second.ranks[0].rank, 4);
    EXPECT_EQ(second.ranks[2].environment.at("RANK"), "6");
    EXPECT_EQ(second.ranks[2].environment.at("LOCAL_RANK"), "2");
    EXPECT_EQ(second.ranks[2].environment.at("LOCAL_WORLD_SIZE"), "3");
    EXPECT_EQ(second.ranks[2].environment.at("GROUP_RANK"), "1");
    EXPECT_EQ(second.ranks[2].environment.at("WORLD_SIZE"), "7");
}

TEST(Resolve, HostsOfDifferentSizes) {
    Plan plan = make({"--hosts", "big:4,small:2", "--machine_rank", "1", "x.py"}, gpus(2)).plan;
    EXPECT_EQ(plan.world_size, 6);
    EXPECT_THAT(plan.ranks_per_machine, ElementsAre(4, 2));
    ASSERT_THAT(plan.ranks, SizeIs(2));
    EXPECT_EQ(plan.ranks[0].rank, 4);
    EXPECT_EQ(plan.ranks[0].environment.at("MASTER_ADDR"), "big");
    std::string here = host_name();
    EXPECT_THAT(make({"--hosts", "other:3," + here + ":1", "x.py"}, gpus(1)).plan.ranks, SizeIs(1));
    EXPECT_THAT(make({"--hosts", "a,b:2", "--machine_rank", "0", "--num_processes", "7", "x.py"}, gpus(4))
                    .plan.ranks_per_machine,
                ElementsAre(5, 2));
    EXPECT_THAT(refusal({"--hosts", "a:4,b:2", "--machine_rank", "0", "--num_processes", "7", "x.py"}, gpus(4)),
                says("{} processes, but --hosts names {}: leave --num_processes out", _, StartsWith("6")));
    EXPECT_THAT(refusal({"--hosts", "a:4,b:2", "x.py"}, gpus(4)), HasSubstr("machine_rank"));
}

EnvironmentMap slurm(const std::string& node) {
    return {{"SLURM_JOB_ID", "123456"},
            {"SLURM_JOB_NODELIST", "gpu[01-02,07]"},
            {"SLURM_NODEID", node},
            {"SLURM_TASKS_PER_NODE", "2(x2),1"}};
}

TEST(Resolve, MachinesThatComeByArrivalNeedNoNumber) {
    std::vector<std::string> words{"--multi_gpu", "--num_machines",      "2",     "--num_processes",
                                   "8",           "--rdzv_backend",      "c10d",  "--main_process_ip",
                                   "10.0.0.1",    "--main_process_port", "29500", "x.py"};
    Plan without = make(words, gpus(4)).plan;
    ASSERT_THAT(without.ranks, SizeIs(4));
    ASSERT_TRUE(without.rendezvous);
    EXPECT_EQ(without.rendezvous->rdzv_backend, "c10d");
    std::vector<std::string> numbered = words;
    numbered.insert(numbered.begin(), {"--machine_rank", "0"});
    Plan with = make(numbered, gpus(4)).plan;
    EXPECT_EQ(without.command, with.command);
    for (std::size_t rank = 0; rank < 4; ++rank)
        EXPECT_EQ(without.ranks[rank].environment, with.ranks[rank].environment);
    *std::ranges::find(words, "c10d") = "static";
    EXPECT_THAT(
        refusal(words, gpus(4)),
        says("which of the {} machines this is must be known: give --machine_rank, 0 to {}", _, StartsWith("1")));
}

TEST(Resolve, SlurmIsTheDefault) {
    Made made = make({"x.py"}, gpus(2), std::nullopt, slurm("1"));
    EXPECT_EQ(made.plan.world_size, 5);
    EXPECT_THAT(made.plan.ranks_per_machine, ElementsAre(2, 2, 1));
    EXPECT_EQ(made.plan.ranks.at(0).rank, 2);
    EXPECT_EQ(made.plan.ranks[0].environment.at("MASTER_ADDR"), "gpu01");
    EXPECT_EQ(made.plan.ranks[0].environment.at("MASTER_PORT"), "23456");
    EXPECT_EQ(made.resolved.origins.at("num_machines"), Origin::detected);
    EXPECT_THAT(
        made.plan.warnings,
        Contains(says("SLURM allocation of {} machines found (SLURM_JOB_ID={}): this is machine {} of them, the main "
                      "one is {}; start the same command on each of them with srun, or give --num_machines 1",
                      3, _, _, _)));
    Made chosen = make({"--num_machines", "1", "x.py"}, gpus(2), std::nullopt, slurm("1"));
    EXPECT_EQ(chosen.plan.world_size, 2);
    EXPECT_THAT(chosen.plan.ranks_per_machine, ElementsAre(2));
    EnvironmentMap launchers = slurm("2");
    launchers["SLURM_TASKS_PER_NODE"] = "1(x3)";
    EXPECT_EQ(make({"x.py"}, gpus(4), std::nullopt, launchers).plan.world_size, 12);
    EnvironmentMap broken = slurm("1");
    broken["SLURM_JOB_NODELIST"] = "gpu[01-";
    EXPECT_THAT(make({"x.py"}, gpus(1), std::nullopt, broken).plan.warnings,
                Contains(test::says("SLURM's variables are not used: {}", testing::_)));
}

TEST(Resolve, AStepOfSlurmIsNarrowerThanItsJob) {
    EnvironmentMap step = slurm("0");
    step.merge(EnvironmentMap{{"SLURM_STEP_ID", "0"}, {"SLURM_STEP_NODELIST", "gpu07"}, {"SLURM_LOCALID", "0"}});
    Made one = make({"x.py"}, gpus(1), std::nullopt, step);
    EXPECT_EQ(one.plan.world_size, 1) << "srun -N1: the two other machines start nothing";
    EXPECT_THAT(one.resolved.launcher_notes,
                ElementsAre(AllOf(says("this step of SLURM job {} has {} of its {} machines (SLURM_STEP_NODELIST={}): "
                                       "the others take no part; start the command with srun --nodes={} to use all",
                                       _, EndsWith("1"), 3, _, _),
                                  says("this step of SLURM job {} has {} of its {} machines (SLURM_STEP_NODELIST={}): "
                                       "the others take no part; start the command with srun --nodes={} to use all",
                                       _, _, _, StartsWith("gpu07"), _))));
    step["SLURM_STEP_NODELIST"] = "gpu[02,07]";
    step["SLURM_NODEID"] = "1";
    Made two = make({"x.py"}, gpus(2), std::nullopt, step);
    EXPECT_THAT(two.plan.ranks_per_machine, ElementsAre(2, 1));
    EXPECT_EQ(two.plan.ranks.at(0).rank, 2);
    EXPECT_EQ(two.plan.ranks[0].environment.at("MASTER_ADDR"), "gpu02");
    step["SLURM_NODEID"] = "2";
    EXPECT_THAT(
        make({"x.py"}, gpus(1), std::nullopt, step).resolved.launcher_notes,
        Contains(says("SLURM_NODEID={} is not one of the {} machines of {}", 2, 2, StartsWith("SLURM_STEP_NODELIST"))));
    step["SLURM_STEP_NODELIST"] = "other";
    EXPECT_THAT(make({"x.py"}, gpus(1), std::nullopt, step).resolved.launcher_notes,
                Contains(says("SLURM_STEP_NODELIST={} and SLURM_JOB_NODELIST={} contradict: they are of different jobs",
                              _, _)));
    // srun starts the launcher several times on a machine: the first one starts the ranks.
    step = slurm("0");
    step.merge(EnvironmentMap{{"SLURM_STEP_ID", "0"}, {"SLURM_STEP_NODELIST", "gpu01"}, {"SLURM_LOCALID", "1"}});
    EXPECT_THAT(refusal({"x.py"}, gpus(1), std::nullopt, step),
                AllOf(HasSubstr("SLURM_LOCALID=1"),
                      says("srun starts this command more than once on this machine (SLURM_LOCALID={}), and the first "
                           "one starts all ranks of the machine: give srun --ntasks-per-node=1, or --num_machines if "
                           "each is a launch of its own",
                           _)));
    EXPECT_EQ(refusal({"--num_machines", "1", "x.py"}, gpus(1), std::nullopt, step), "");
}

TEST(Resolve, VariablesOfSlurmCountOnMachinesOfTheJobOnly) {
    settings::Machine machine = gpus(2);
    machine.host_name = "login1.cluster.net";
    Made login = make({"x.py"}, machine, std::nullopt, slurm("0"));
    EXPECT_EQ(login.resolved.settings.integer("num_machines", 0), 1);
    EXPECT_THAT(
        login.resolved.launcher_notes,
        ElementsAre(AllOf(
            HasSubstr("login1.cluster.net"), HasSubstr("SLURM_JOB_NODELIST=gpu[01-02,07]"),
            says("SLURM's variables are not used: this machine, {}, is not one of the machines of job {} "
                 "(SLURM_JOB_NODELIST={}); start the command there with srun, or unset SLURM_JOB_ID if the job is over",
                 _, _, _))));
    machine.host_name = "gpu02.cluster.net";
    EXPECT_EQ(make({"x.py"}, machine, std::nullopt, slurm("1")).resolved.settings.integer("num_machines", 0), 3);
    machine.host_name = "ip-10-0-0-7";  // NodeName and host name may differ: SLURM says the name of the node
    EnvironmentMap named = slurm("2");
    named["SLURMD_NODENAME"] = "gpu07";
    EXPECT_EQ(make({"x.py"}, machine, std::nullopt, named).resolved.settings.integer("num_machines", 0), 3);
}

TEST(Resolve, VariablesOfMpiAreNamedInNotesAndRefusals) {
    const EnvironmentMap left{{"MV2_COMM_WORLD_SIZE", "4"}, {"MV2_COMM_WORLD_RANK", "1"}};
    EXPECT_THAT(refusal({"x.py"}, gpus(1), std::nullopt, left),
                AllOf(HasSubstr("MV2_COMM_WORLD_SIZE=4 and MV2_COMM_WORLD_RANK=1"), HasSubstr("--num_machines 1")));
    EXPECT_THAT(refusal({"--num_processes", "2", "--main_process_ip", "a", "x.py"}, gpus(1), std::nullopt, left),
                AllOf(HasSubstr("num_processes is 2"), HasSubstr("MV2_COMM_WORLD_SIZE=4")));
    EXPECT_THAT(make({"--main_process_ip", "a", "x.py"}, gpus(1), std::nullopt, left).plan.warnings,
                Contains(AllOf(says("{} in the environment say that an MPI launcher started this command {} times: "
                                    "this is machine {} of {}; if none did, give --num_machines 1, or unset {}",
                                    _, _, 1, StartsWith("4"), _),
                               HasSubstr("unset MV2_COMM_WORLD_SIZE"))));
    EXPECT_THAT(make({"--num_machines", "1", "x.py"}, gpus(1), std::nullopt, left).resolved.launcher_notes,
                testing::IsEmpty());
}

TEST(Resolve, ContradictionsComeTogether) {
    std::string text =
        refusal({"--cpu", "--multi_gpu", "--module", "--no_python", "--num_processes", "1", "x"}, gpus(2));
    EXPECT_THAT(text, AllOf(says("{} exclude each other: give one of them", EndsWith("--cpu and --multi_gpu")),
                            says("--module and --no_python exclude each other: a module needs Python"),
                            says("--multi_gpu needs 2 processes at least: give more, or leave --multi_gpu out")));
    EXPECT_THAT(refusal({"--num_cpu_threads_per_process", "-2", "--num_processes", "0", "x.py"}, gpus(1)),
                AllOf(HasSubstr("num_cpu_threads_per_process"), HasSubstr("num_processes")));
    EXPECT_THAT(refusal({"x.py"}, gpus(4), file("distributed_type: MULTI_GPU\n")), HasSubstr("give --num_processes"));
}

TEST(Resolve, TheCpuIsExplained) {
    Made made = make({"--cpu", "x.py"}, gpus(4), file("distributed_type: FSDP\nnum_processes: 2\n"));
    EXPECT_EQ(made.plan.starter, Starter::ranks);
    EXPECT_THAT(made.plan.warnings, Contains(says("{}: {} is not used; the processes share the CPU", _,
                                                  EndsWith("distributed_type FSDP"))));
    EXPECT_EQ(made.plan.environment.at("ACCELERATE_USE_CPU"), "True");
    EXPECT_EQ(made.plan.environment.at("OMP_NUM_THREADS"), "4");
}

TEST(Resolve, ATextualPlanNamesOriginsAndHidesSecrets) {
    auto loaded = file(
        "compute_environment: AMAZON_SAGEMAKER\ndistributed_type: DATA_PARALLEL\nec2_instance_type: ml.p3.16xlarge\n"
        "iam_role_name: r\n");
    Made made =
        make({"--aws_access_key_id", "id", "--aws_secret_access_key", "hush", "x.py", "--lr", "0.1"}, gpus(0), loaded);
    for (const std::string& text : {plan_text(made.plan, made.resolved), plan_json(made.plan, made.resolved)}) {
        EXPECT_THAT(text, AllOf(HasSubstr("ml.p3.16xlarge"), HasSubstr("settings.yaml"), HasSubstr("DATA_PARALLEL")));
        EXPECT_EQ(text.find("hush"), std::string::npos);
    }
}

/// Only the rule on double configuration leaves out a precision that DeepSpeed's file takes.
TEST(Resolve, OtherRulesJudgeThePrecisionNextToDeepspeedsFile) {
    settings::Machine machine = gpus(2);
    machine.fp8 = true;
    machine.deepspeed = "0.18.0";
    std::vector<std::string> words{"--use_deepspeed",
                                   "--num_processes",
                                   "2",
                                   "--mixed_precision",
                                   "fp8",
                                   "--deepspeed_config_file",
                                   R"({"zero_optimization": {"stage": 2}, "bf16": {"enabled": true}})",
                                   "x.py"};
    const auto no_backend = HasSubstr("backend of fp8_config is missing");
    EXPECT_THAT(make(words, machine).resolved.warnings, Contains(no_backend));
    words.insert(words.begin(), {"--fp8_backend", "TE"});
    EXPECT_THAT(make(words, machine).resolved.warnings, Each(AllOf(Not(no_backend), Not(HasSubstr("has no effect")))));
}

TEST(Slurm, HostLists) {
    EXPECT_THAT(expand_host_list("node[01-03,7],login"), ElementsAre("node01", "node02", "node03", "node7", "login"));
    EXPECT_THAT(expand_host_list("a[1-2]-b[0,1].net"), ElementsAre("a1-b0.net", "a1-b1.net", "a2-b0.net", "a2-b1.net"));
    EXPECT_THAT(expand_host_list("one"), ElementsAre("one"));
    EXPECT_THAT(expand_host_list("n[098-101]"), ElementsAre("n098", "n099", "n100", "n101"));
    for (const char* bad : {"", "a[", "a[1-", "a[3-1]", "a[x]", "a,,b", "a;rm", "-x", "a[1-99999999]",
                            "a[1-2][1-9999][1-999]", "a[1,]", "$(id)"})
        EXPECT_THROW(expand_host_list(bad), UserError) << bad;
}

TEST(Slurm, NothingOutsideOfAnAllocation) {
    EXPECT_FALSE(find_slurm({}));
    EXPECT_FALSE(find_slurm({{"SLURM_JOB_ID", "3"}}));
    EnvironmentMap wrong = slurm("3");
    EXPECT_THROW(find_slurm(wrong), UserError);
    wrong["SLURM_NODEID"] = "two";
    EXPECT_THROW(find_slurm(wrong), UserError);
}

}  // namespace
}  // namespace trainyard::plan
