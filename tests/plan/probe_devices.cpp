// SPDX-License-Identifier: GPL-3.0-or-later
// Devices and drivers that a machine is found to have, from trees of /dev, /proc and /sys as machines have them, and
// what a launch on such a machine sets for its driver.

#include <cstdlib>
#include <fstream>
#include <map>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "base/device_kinds.h"
#include "launch/plan/paradigm.h"
#include "launch/plan/plan.h"
#include "launch/plan/probe.h"
#include "launch/plan/state_text.h"
#include "support/temporary_folder.h"

namespace trainyard::plan {
namespace {

namespace fs = std::filesystem;
using testing::ElementsAre;

constexpr const char* kProprietary =
    "NVRM version: NVIDIA UNIX x86_64 Kernel Module  {}  Sat Mar 23 01:51:28 UTC 2024\n"
    "GCC version:  gcc version 11.4.0 (Ubuntu 11.4.0-1ubuntu1~22.04)\n";
constexpr const char* kOpen =
    "NVRM version: NVIDIA UNIX Open Kernel Module for x86_64  {}  Release Build  (dvs-builder@U16-A24-23-2)  Thu Mar 7 "
    "06:30:54 UTC 2024\nGCC version:  gcc version 12.3.0 (Ubuntu 12.3.0-1ubuntu1~22.04)\n";

class ProbeDevices : public testing::Test {
  protected:
    ProbeDevices() {
        for (const char* name : {"CUDA_VISIBLE_DEVICES", "HIP_VISIBLE_DEVICES", "ZE_AFFINITY_MASK", "NCCL_P2P_DISABLE",
                                 "NCCL_IB_DISABLE", "ASCEND_RT_VISIBLE_DEVICES"})
            ::unsetenv(name);
    }
    fs::path root() const { return folder_.path(); }
    void write(const std::string& name, const std::string& text = "") const {
        fs::create_directories((root() / name).parent_path());
        std::ofstream(root() / name) << text;
    }
    void driver(std::string form, const std::string& version) const {
        form.replace(form.find("{}"), 2, version);
        write("proc/driver/nvidia/version", form);
    }
    /// GPUs as NVIDIA's kernel module lists them, each with its device file.
    void nvidia(const std::vector<std::string>& names) const {
        for (std::size_t i = 0; i < names.size(); ++i) {
            write("proc/driver/nvidia/gpus/0000:" + std::to_string(10 + i) + ":00.0/information",
                  "Model: \t\t " + names[i] +
                      "\nIRQ:   \t\t 154\nGPU UUID: \t GPU-8f3c\nVideo BIOS: \t 95.02.3c.00.8d\n");
            write("dev/nvidia" + std::to_string(i));
        }
        for (const char* other : {"dev/nvidiactl", "dev/nvidia-uvm", "dev/nvidia-uvm-tools", "dev/nvidia-modeset"})
            write(other);
    }
    settings::Machine probe() const { return probe_machine({}, false, root()); }
    /// A launch of two ranks on this machine.
    Plan launch() const {
        const Flags flags = parse_flags({"--multi_gpu", "--num_processes", "2", "train.py"});
        const settings::Machine machine = probe();
        return make_plan(flags, resolve(flags, std::nullopt, machine, {}), machine, {}, "python3");
    }
    bool disables_peers() const {
        const Plan plan = launch();
        const bool disabled =
            plan.environment.contains("NCCL_P2P_DISABLE") && plan.environment.contains("NCCL_IB_DISABLE");
        EXPECT_EQ(plan.environment.contains("NCCL_P2P_DISABLE"), disabled);
        EXPECT_EQ(std::ranges::any_of(plan.warnings,
                                      [](const std::string& text) {
                                          return text.find("a driver from 550.40.07 on can") != std::string::npos;
                                      }),
                  disabled);
        return disabled;
    }

    test::TemporaryFolder folder_;
};

TEST_F(ProbeDevices, OfAMachineWithoutAcceleratorsIsTheProcessor) {
    write("proc/version", "Linux version 6.8.0");
    const settings::Machine machine = probe();
    EXPECT_EQ(machine.device, "cpu");
    EXPECT_EQ(machine.device_count, 0);
    EXPECT_EQ(machine.driver, "");
    EXPECT_TRUE(machine.p2p_ok);
    EXPECT_FALSE(machine.tpu);
}

TEST_F(ProbeDevices, AnNvidiaCardWithoutItsDriverIsNotADevice) {
    write("sys/class/drm/card0/device/vendor", "0x10de\n");
    EXPECT_EQ(probe().device, "cpu");
    // Left over from a driver that was removed: device files without the module.
    driver(kProprietary, "535.161.07");
    EXPECT_EQ(probe().device, "cpu") << "no GPU has a device file";
}

TEST_F(ProbeDevices, DriversBefore550_40_07CannotConnectRtx40Cards) {
    nvidia({"NVIDIA GeForce RTX 4090", "NVIDIA GeForce RTX 4090"});
    struct Row {
        const char *form, *version;
        bool disabled;
    };
    for (const Row& row : {Row{kProprietary, "535.161.07", true},
                           {kProprietary, "550.40.06", true},
                           {kProprietary, "550.40.07", false},
                           {kProprietary, "550.54.15", false},
                           {kProprietary, "570.86", false},
                           {kProprietary, "60.1", true},
                           {kOpen, "545.29.06", true},
                           {kOpen, "550.54.15", false},
                           {kOpen, "580.65.06", false}}) {
        driver(row.form, row.version);
        const settings::Machine machine = probe();
        EXPECT_EQ(machine.driver, row.version);
        EXPECT_EQ(machine.device_count, 2);
        EXPECT_EQ(!machine.p2p_ok, row.disabled) << row.version;
        EXPECT_EQ(disables_peers(), row.disabled) << row.version;
    }
    fs::remove(root() / "proc/driver/nvidia/version");
    EXPECT_EQ(probe().driver, "");
    EXPECT_FALSE(disables_peers()) << "as Accelerate: of an unknown driver nothing is assumed";
}

TEST_F(ProbeDevices, OtherCardsAndSingleCardsKeepTheirConnections) {
    driver(kProprietary, "535.161.07");
    nvidia({"NVIDIA A100-SXM4-80GB", "NVIDIA A100-SXM4-80GB"});
    settings::Machine machine = probe();
    EXPECT_THAT(machine.device_names, ElementsAre("NVIDIA A100-SXM4-80GB", "NVIDIA A100-SXM4-80GB"));
    EXPECT_TRUE(machine.p2p_ok);
    EXPECT_TRUE(machine.bf16);
    EXPECT_FALSE(disables_peers());
    nvidia({"NVIDIA GeForce RTX 4070", "NVIDIA GeForce RTX 3090"});
    EXPECT_TRUE(disables_peers()) << "one of them is enough";
    ::setenv("CUDA_VISIBLE_DEVICES", "0", 1);
    EXPECT_TRUE(probe().p2p_ok) << "a single card has no peer";
    ::unsetenv("CUDA_VISIBLE_DEVICES");
    nvidia({"Tesla V100-SXM2-16GB", "Tesla V100-SXM2-16GB"});
    EXPECT_FALSE(probe().bf16);
    nvidia({"NVIDIA L4", "Tesla T4"});
    EXPECT_EQ(probe().device_facts("cuda").name, "Tesla T4") << "the least able one counts for all";
    EXPECT_EQ(probe_device("cuda", root()).compute_capability, 75);
    EXPECT_EQ(probe_device("cpu", root()).instructions, instruction_set());
}

TEST_F(ProbeDevices, AContainerHasTheCardsWhoseFilesItWasGiven) {
    driver(kProprietary, "550.54.15");
    nvidia({"NVIDIA L4", "NVIDIA L4", "NVIDIA L4", "NVIDIA L4"});
    EXPECT_EQ(probe().device_count, 4);
    fs::remove(root() / "dev/nvidia1");
    fs::remove(root() / "dev/nvidia2");
    EXPECT_EQ(probe().device_count, 2);
    for (const auto& [list, count] : std::map<const char*, int>{
             {"0", 1}, {"1,0", 2}, {"", 0}, {"-1", 0}, {"0,7,1", 1}, {"GPU-8f3c,GPU-9a2b", 2}, {"NoDevFiles", 0}}) {
        ::setenv("CUDA_VISIBLE_DEVICES", list, 1);
        EXPECT_EQ(probe().device_count, count) << list;
    }
}

TEST_F(ProbeDevices, OfDividedGpusAProcessSeesOneInstance) {
    driver(kProprietary, "550.54.15");
    nvidia({"NVIDIA A100-PCIE-40GB", "NVIDIA A100-PCIE-40GB"});
    for (const char* gpu : {"gpu0", "gpu1"})
        write(std::string("proc/driver/nvidia/capabilities/") + gpu + "/mig/config", "DeviceFileMinor: 1\n");
    EXPECT_EQ(probe().device_count, 2) << "cards that can be divided and are whole";
    for (const char* instance : {"gi1", "gi2"})
        write(std::string("proc/driver/nvidia/capabilities/gpu0/mig/") + instance + "/access", "DeviceFileMinor: 3\n");
    EXPECT_EQ(probe().device_count, 1) << "the one that is whole";
    write("proc/driver/nvidia/capabilities/gpu1/mig/gi1/access", "DeviceFileMinor: 12\n");
    EXPECT_EQ(probe().device_count, 1) << "the first instance";
    ::setenv("CUDA_VISIBLE_DEVICES", "MIG-5c89852c,MIG-1f2e3d4c", 1);
    EXPECT_EQ(probe().device_count, 1) << "CUDA enumerates one instance for a process";
}

TEST_F(ProbeDevices, AmdGpusAreThoseOfTheKernelDriversTopology) {
    const auto node = [&](int number, const std::string& simd, const std::string& minor) {
        write("sys/class/kfd/kfd/topology/nodes/" + std::to_string(number) + "/properties",
              "cpu_cores_count " + std::string(simd == "0" ? "64" : "0") + "\nsimd_count " + simd +
                  "\nmem_banks_count 1\nhive_id 17446744073709551615\ngfx_target_version 90402\nvendor_id 4098\n"
                  "drm_render_minor " +
                  minor + "\nunique_id 13852348743269482213\n");
    };
    node(0, "0", "0");
    node(1, "1216", "128");
    node(2, "1216", "129");
    EXPECT_EQ(probe().device, "cpu") << "without /dev/kfd nothing can be computed on them";
    write("dev/kfd");
    write("dev/dri/renderD128");
    write("sys/class/drm/renderD128/device/product_name", "AMD Instinct MI300X OAM\n");
    EXPECT_THAT(probe().device_names, ElementsAre("AMD Instinct MI300X OAM")) << "the other one has no device file";
    write("dev/dri/renderD129");
    const settings::Machine machine = probe();
    EXPECT_EQ(machine.device, "cuda") << "LibTorch's name of it";
    EXPECT_THAT(machine.device_names, ElementsAre("AMD Instinct MI300X OAM", "AMD gfx942"));
    EXPECT_EQ(machine.device_count, 2);
    EXPECT_EQ(machine.driver, "");
    EXPECT_TRUE(machine.p2p_ok);
    ::setenv("HIP_VISIBLE_DEVICES", "1", 1);
    EXPECT_EQ(probe().device_count, 1);
    ::setenv("CUDA_VISIBLE_DEVICES", "0,1", 1);
    EXPECT_EQ(probe().device_count, 1) << "HIP's variable replaces CUDA's";
    ::setenv("HIP_VISIBLE_DEVICES", "", 1);
    EXPECT_EQ(probe().device_count, 2);
    ::setenv("ROCR_VISIBLE_DEVICES", "1", 1);
    ::setenv("HIP_VISIBLE_DEVICES", "0", 1);
    EXPECT_EQ(probe().device_count, 1) << "numbers of HIP are those of what ROCR_VISIBLE_DEVICES leaves";
    for (const char* name : {"ROCR_VISIBLE_DEVICES", "HIP_VISIBLE_DEVICES", "CUDA_VISIBLE_DEVICES"})
        ::unsetenv(name);
}

TEST_F(ProbeDevices, IntelGpusAreCardsOfTheirOwn) {
    const auto card = [&](const char* render, const std::string& address, const char* vendor) {
        const fs::path device = root() / "sys/devices/pci0000:00" / address;
        fs::create_directories(device);
        std::ofstream(device / "vendor") << vendor << "\n";
        fs::create_directories(root() / "sys/class/drm" / render);
        fs::create_directory_symlink(device, root() / "sys/class/drm" / render / "device");
    };
    card("renderD128", "0000:00:02.0", "0x8086");
    EXPECT_EQ(probe().device, "cpu") << "the graphics of the processor";
    card("renderD129", "0000:03:00.0", "0x8086");
    card("renderD130", "0000:4d:00.0", "0x8086");
    card("renderD131", "0000:5a:00.0", "0x1002");
    settings::Machine machine = probe();
    EXPECT_EQ(machine.device, "xpu");
    EXPECT_EQ(machine.device_count, 2);
    ::setenv("ZE_AFFINITY_MASK", "1", 1);
    EXPECT_EQ(probe().device_count, 1);
}

TEST_F(ProbeDevices, OtherMakersAreFoundByTheirDeviceFiles) {
    for (const char* name : {"dev/davinci0", "dev/davinci1", "dev/davinci_manager", "dev/davinci10x"})
        write(name);
    settings::Machine machine = probe();
    EXPECT_EQ(machine.device, "npu");
    EXPECT_EQ(machine.device_count, 2);
    nvidia({"NVIDIA H100 80GB HBM3"});
    EXPECT_EQ(probe().device, "cuda") << "NVIDIA's come first";
}

/// Each row of the table: the device files, the variable that chooses among them, and the type of settings.
TEST_F(ProbeDevices, EachRowOfTheTableIsWhatIsFound) {
    for (const DeviceKind& kind : device_kinds()) {
        if (kind.folder.empty())
            continue;
        const std::string file = std::string(kind.folder.substr(1)) + "/" + std::string(kind.prefix);
        for (const char* number : {"0", "1", "2", "10"})
            write(file + number);
        EXPECT_EQ(probe().device, kind.name);
        EXPECT_EQ(probe().device_count, 4) << kind.name;
        EXPECT_EQ(distributed_type(Paradigm::multi_device, true, std::string(kind.name), "NO"), kind.distributed_type);
        ::setenv(std::string(kind.mask).c_str(), "0,2", 1);
        EXPECT_EQ(probe().device_count, 2) << kind.name;
        ::unsetenv(std::string(kind.mask).c_str());
        const std::string state =
            state_text({.ranks = 2, .device = std::string(kind.name) + ":0"}, [](const char*) { return std::nullopt; });
        EXPECT_TRUE(state.starts_with("Distributed environment: " + std::string(kind.distributed_type) +
                                      "  Backend: " + std::string(kind.collectives) + "\n"))
            << state;
        fs::remove_all(root() / "dev");
    }
}

}  // namespace
}  // namespace trainyard::plan
