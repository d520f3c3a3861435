// SPDX-License-Identifier: GPL-3.0-or-later
// Tests of parsing the answers of hosts: complete, unusual and broken ones.

#include "remote/host_facts.h"

#include <cmath>

#include <gtest/gtest.h>

#include "base/error.h"
#include "base/process.h"
#include "support/says.h"

namespace trainyard::remote {

namespace {

/// Output in the format of nvidia-smi 580 and ip(8), with invented values.
constexpr const char* kGpuHost = R"(Welcome to gpu-b!
@clock
1700000010.250000000
@uname
gpu-b
5.15.0-91-generic
x86_64
Linux
@system
"Ubuntu 22.04.4 LTS"
@libc
glibc 2.35
@cpu
processor	: 0
model name	: Example CPU 9000 @ 2.00GHz
physical id	: 0
core id		: 0
processor	: 1
model name	: Example CPU 9000 @ 2.00GHz
physical id	: 0
core id		: 0
processor	: 2
physical id	: 1
core id		: 0
@cpu_formats
sse2
fma
avx2
f16c
@cores
3
@memory
MemTotal:       1000000 kB
MemAvailable:    900000 kB
@load
2.50 1.00 0.50 3/900 1234
@uptime
86400.50 1.0
@account
me
/home/me
@runs
/data/my runs
/dev/my disk    1000000  400000    600000      40% /data
@cache
/home/me/.cache/trainyard
tank/home    1000000  400000    500000      40% /home
@bundles
aaaa
bbbb
@engine
trainyard 0.9.1
@nvidia
0, NVIDIA H100 80GB HBM3, GPU-1111, 00000000:18:00.0, 81559, 1024, 41, 120.50, 97, 580.95.05, 9.0
1, NVIDIA H100 80GB HBM3, GPU-2222, 00000000:2A:00.0, 81559, 0, [N/A], [N/A], 0, 580.95.05, 9.0
status 0
@nvidia_cuda
CUDA Version: 13.0
@nvidia_processes
GPU-1111, 4242, 1000, /usr/bin/python3
@nvidia_owners
 4242 alice    1-02:03:04
@nvidia_topology
	GPU0	GPU1	NIC0	CPU Affinity	NUMA Affinity	GPU NUMA ID
GPU0	 X 	NV18	PIX	0-51	0		N/A
GPU1	NV18	 X 	SYS	0-51	0		N/A
NIC0	PIX	SYS	 X

Legend:
  X    = Self
@drm
0000:18:00.0 0x10de - - 0x2330
@infiniband
/sys/class/infiniband/mlx5_0/ports/1|4: ACTIVE|400 Gb/sec (4X NDR)|InfiniBand
@addresses
2: eth0    inet 10.0.0.7/24 brd 10.0.0.255 scope global eth0\       valid_lft forever
3: ib0@if5    inet6 fd00::7/64 scope global \       valid_lft forever
1: lo    inet 127.0.0.1/8 scope host lo\       valid_lft forever
@speeds
eth0 25000
ib0 -1
@nccl
/usr/lib/x86_64-linux-gnu/libnccl.so.2.27.5
@python
3.11.2
2.11.0+cu130
@clock_after
1700000010.500000000
@end
)";

TEST(HostFacts, ReadsAHostWithGpus) {
    HostFacts facts = parse_host_script(kGpuHost, "gpu-b", 1700000000.0, 1700000000.4);
    EXPECT_EQ(facts.host_name, "gpu-b");
    EXPECT_EQ(facts.system, "Ubuntu 22.04.4 LTS");
    EXPECT_EQ(facts.machine, "x86_64");
    EXPECT_EQ(facts.c_library, "glibc 2.35");
    EXPECT_EQ(facts.cpu, "Example CPU 9000 @ 2.00GHz");
    EXPECT_EQ(facts.cores, 3);
    EXPECT_EQ(facts.physical_cores, 2);
    EXPECT_EQ(device_facts(facts, "cpu").instructions, InstructionSet::avx2);
    EXPECT_EQ(device_facts(facts, "cuda").compute_capability, 90);
    EXPECT_EQ(facts.memory_bytes, 1000000u * 1024);
    EXPECT_EQ(facts.runs_folder, "/data/my runs");
    EXPECT_EQ(facts.disk_free_bytes, 600000u * 1024);
    EXPECT_EQ(facts.disk_total_bytes, 1000000u * 1024);
    EXPECT_EQ(facts.cache_free_bytes, 500000u * 1024);
    EXPECT_EQ(facts.bundles, (std::vector<std::string>{"aaaa", "bbbb"}));
    EXPECT_EQ(facts.engine, "0.9.1");
    EXPECT_EQ(facts.driver, "580.95.05");
    EXPECT_EQ(facts.cuda, "13.0");
    EXPECT_EQ(facts.gpu_problem, "");
    ASSERT_EQ(facts.gpus.size(), 2u);
    EXPECT_EQ(facts.gpus[0].memory_bytes, 81559ull << 20);
    EXPECT_DOUBLE_EQ(*facts.gpus[0].power_w, 120.5);
    EXPECT_FALSE(facts.gpus[1].power_w);
    ASSERT_EQ(facts.gpus[0].processes.size(), 1u);
    EXPECT_EQ(facts.gpus[0].processes[0].user, "alice");
    EXPECT_DOUBLE_EQ(*facts.gpus[0].processes[0].age_s, 93784);
    EXPECT_EQ(facts.gpu_links, (std::vector<std::vector<std::string>>{{"X", "NV18"}, {"NV18", "X"}}));
    EXPECT_EQ(gpu_line(facts), "2 × NVIDIA H100 80GB HBM3");
    ASSERT_EQ(facts.infiniband.size(), 1u);
    EXPECT_EQ(facts.infiniband[0].device, "mlx5_0");
    EXPECT_EQ(facts.infiniband[0].state, "ACTIVE");
    ASSERT_EQ(facts.interfaces.size(), 3u);
    EXPECT_EQ(facts.interfaces[0].address, "10.0.0.7");
    EXPECT_EQ(facts.interfaces[0].bits_per_s, 25'000'000'000u);
    EXPECT_EQ(facts.interfaces[1].name, "ib0");
    EXPECT_FALSE(facts.interfaces[1].bits_per_s);
    EXPECT_TRUE(facts.interfaces[2].is_loopback());
    EXPECT_EQ(facts.nccl, "2.27.5");
    EXPECT_EQ(facts.python, "3.11.2");
    EXPECT_EQ(facts.python_torch, "2.11.0+cu130");
}

TEST(HostFacts, ClockLiesBetweenTheTwoReadings) {
    HostFacts facts = parse_host_script(kGpuHost, "gpu-b", 1700000000.0, 1700000000.4);
    // Read first at most 10.25 s after it was sent, last 10.1 s before it came: between 10.1 and 10.25 s ahead.
    ASSERT_TRUE(facts.clock_offset_s);
    EXPECT_NEAR(*facts.clock_offset_s, 10.175, 1e-6);
    EXPECT_NEAR(facts.clock_error_s, 0.075, 1e-6);
}

TEST(HostFacts, GoThroughJsonUnchanged) {
    HostFacts facts = parse_host_script(kGpuHost, "gpu-b", 1700000000.0, 1700000000.4);
    std::string json = to_json(facts);
    EXPECT_EQ(to_json(parse_host_facts(json, "probe")), json);
    EXPECT_THROW(parse_host_facts("{\"cores\": \"two\"}", "probe"), UserError);
    EXPECT_THROW(parse_host_facts("[]", "probe"), UserError);
}

std::string with_nvidia(const std::string& lines) {
    return "@clock\n1\n@nvidia\n" + lines + "\n@end\n";
}

TEST(HostFacts, DriverThatIsBrokenIsSaid) {
    HostFacts facts = parse_host_script(
        with_nvidia("Failed to initialize NVML: Driver/library version mismatch\nstatus 18"), "gpu-b");
    EXPECT_EQ(facts.gpu_problem, "Failed to initialize NVML: Driver/library version mismatch");
    EXPECT_TRUE(facts.gpus.empty());
    EXPECT_THAT(parse_host_script(with_nvidia("status 124"), "gpu-b").gpu_problem,
                test::says_only("nvidia-smi did not answer within 4 s: the driver hangs"));
    EXPECT_EQ(parse_host_script(with_nvidia("No devices were found\nstatus 6"), "gpu-b").gpu_problem,
              "No devices were found");
}

TEST(HostFacts, AmdAndIntelCardsOfSysfs) {
    HostFacts facts = parse_host_script(
        "@drm\n0000:03:00.0 0x1002 68702699520 1048576 0x740f\n0000:00:02.0 0x8086 - - 0x46a6\n0000:4d:00.0 0x8086 - - "
        "0x0bd5\n@end\n",
        "amd-a");
    ASSERT_EQ(facts.gpus.size(), 2u);  // an integrated GPU is not an accelerator
    EXPECT_EQ(facts.gpus[0].vendor, "amd");
    EXPECT_EQ(facts.gpus[0].memory_bytes, 68702699520u);
    EXPECT_EQ(facts.gpus[1].vendor, "intel");
    EXPECT_EQ(gpu_line(facts), "1 × AMD GPU 0x740f · 1 × Intel GPU 0x0bd5");
}

TEST(HostFacts, AnswerThatWasCutShortIsRefused) {
    std::string whole = kGpuHost;
    for (std::size_t length = 0; length < whole.size() - 5; length += 7)
        EXPECT_THROW(parse_host_script(whole.substr(0, length), "gpu-b"), UserError) << length;
}

TEST(HostFacts, NonsenseIsNoFact) {
    std::string text =
        "@cores\nmany\n@memory\nMemTotal: lots kB\n@runs\n/x\ndf: broken\n@nvidia\n1,2,3\nstatus x\n"
        "@addresses\nnothing here\n@infiniband\n||\n@nvidia_topology\nGPU0\n@clock\nnever\n@end\n";
    HostFacts facts = parse_host_script(text, "x", 1, 2);
    EXPECT_EQ(facts.cores, 0);
    EXPECT_EQ(facts.memory_bytes, 0u);
    EXPECT_EQ(facts.disk_free_bytes, 0u);
    EXPECT_FALSE(facts.clock_offset_s);
    EXPECT_TRUE(facts.interfaces.empty());
}

TEST(HostFacts, ThisMachineAnswers) {
    HostFacts facts = local_facts("/", "sh-that-is-not-there");
    EXPECT_EQ(facts.host_name.substr(0, facts.host_name.find('.')), host_name());
    EXPECT_GE(facts.cores, 1);
    EXPECT_GT(facts.memory_bytes, 1u << 20);
    EXPECT_GT(facts.disk_free_bytes, 0u);
    EXPECT_TRUE(facts.c_library.starts_with("glibc "));
    EXPECT_EQ(facts.python, "");
}

}  // namespace

}  // namespace trainyard::remote
