// SPDX-License-Identifier: GPL-3.0-or-later
// Tests of the metrics of a machine, from fake counters, from those of this machine, and from a fake NVML library, and
// of their files.

#include <fstream>
#include <map>
#include <set>
#include <thread>

#include <gtest/gtest.h>

#include "base/clock.h"
#include "formats/events/event_folder.h"
#include "launch/supervisor/machine_meter.h"
#include "launch/supervisor/machine_recorder.h"
#include "support/temporary_folder.h"

namespace trainyard::launch {
namespace {

namespace fs = std::filesystem;
constexpr const char* kNoGpus = "libno-such-nvml.so.1";

std::map<std::string, double> by_tag(const MachineReading& reading) {
    return {reading.begin(), reading.end()};
}

class Machine : public ::testing::Test {
  protected:
    void write(const std::string& name, const std::string& text) {
        const fs::path file = folder.path() / name;
        fs::create_directories(file.parent_path());
        std::ofstream(file) << text;
    }
    void counters(int busy, int idle, int sectors_read, int sectors_written, int received, int sent) {
        write("proc/stat",
              "cpu  " + std::to_string(busy) + " 0 0 " + std::to_string(idle) + " 0 0 0 0 5 0\ncpu0 1 2 3 4\n");
        const std::string disk =
            " 10 0 " + std::to_string(sectors_read) + " 7 11 0 " + std::to_string(sectors_written) + " 8 0 9 15\n";
        write("proc/diskstats", "   8       0 sda" + disk + "   8       1 sda1" + disk + " 253       0 dm-0" + disk);
        const std::string bytes =
            std::to_string(received) + " 1 0 0 0 0 0 0 " + std::to_string(sent) + " 1 0 0 0 0 0 0\n";
        write("proc/net/dev", "Inter-|   Receive   |  Transmit\n face |bytes\n    lo: " + bytes + "  eth0: " + bytes +
                                  "docker0: " + bytes);
        write("proc/meminfo", "MemTotal:       16000 kB\nMemFree:         1000 kB\nMemAvailable:    4000 kB\n");
    }
    MachineMeter meter(const char* nvml = kNoGpus) {
        return MachineMeter(folder.path(), folder.path() / "proc", folder.path() / "sys", nvml);
    }
    test::TemporaryFolder folder;
};

TEST_F(Machine, RatesAreDifferencesOfCountersAndWhatLiesOnTopOfADeviceCountsOnce) {
    for (const char* device : {"sys/block/sda/device", "sys/class/net/eth0/device"})
        fs::create_directories(folder.path() / device);
    counters(100, 900, 1000, 2000, 5000, 6000);
    MachineMeter meter = this->meter();
    std::map<std::string, double> first = by_tag(meter.read(10));
    EXPECT_FALSE(first.contains("machine/cpu_percent")) << "a rate needs two readings";
    EXPECT_EQ(first.at("machine/memory_bytes"), 12000 * 1024.0);
    EXPECT_EQ(first.at("machine/memory_total_bytes"), 16000 * 1024.0);
    EXPECT_GT(first.at("machine/disk_free_bytes"), 0);
    counters(175, 925, 1400, 2800, 9000, 6000);
    std::map<std::string, double> second = by_tag(meter.read(12));
    EXPECT_DOUBLE_EQ(second.at("machine/cpu_percent"), 75);
    EXPECT_DOUBLE_EQ(second.at("machine/disk_read_bytes_per_s"), 400 * 512 / 2.0);
    EXPECT_DOUBLE_EQ(second.at("machine/disk_write_bytes_per_s"), 800 * 512 / 2.0);
    EXPECT_DOUBLE_EQ(second.at("machine/net_in_bytes_per_s"), 2000);
    EXPECT_DOUBLE_EQ(second.at("machine/net_out_bytes_per_s"), 0);
    counters(10, 20, 0, 0, 0, 0);  // counters that were reset
    std::map<std::string, double> third = by_tag(meter.read(14));
    EXPECT_FALSE(third.contains("machine/cpu_percent"));
    EXPECT_EQ(third.at("machine/net_in_bytes_per_s"), 0);
}

TEST_F(Machine, InAContainerEveryInterfaceButTheLoopbackCounts) {
    counters(0, 1, 0, 0, 100, 100);
    MachineMeter meter = this->meter();
    meter.read(0);
    counters(1, 1, 0, 0, 200, 100);
    std::map<std::string, double> reading = by_tag(meter.read(1));
    EXPECT_DOUBLE_EQ(reading.at("machine/net_in_bytes_per_s"), 200) << "eth0 and docker0";
    EXPECT_FALSE(reading.contains("machine/disk_read_bytes_per_s")) << "the container has no disk device";
}

TEST_F(Machine, AMachineThatTellsNothingHasNoFiguresButItsRoom) {
    MachineMeter meter = this->meter();
    meter.read(0);
    const std::map<std::string, double> reading = by_tag(meter.read(1));
    ASSERT_EQ(reading.size(), 1u);
    EXPECT_EQ(reading.begin()->first, "machine/disk_free_bytes");
    EXPECT_GT(reading.begin()->second, 0);
}

TEST_F(Machine, GpusAreWhatNvmlTells) {
    MachineMeter meter = this->meter(FAKE_NVML);
    std::map<std::string, double> reading = by_tag(meter.read(0));
    EXPECT_EQ(reading.at("gpu0/utilization_percent"), 97);
    EXPECT_EQ(reading.at("gpu1/utilization_percent"), 12);
    EXPECT_EQ(reading.at("gpu0/memory_bytes"), static_cast<double>(61ull << 30));
    EXPECT_EQ(reading.at("gpu0/memory_total_bytes"), static_cast<double>(80ull << 30));
    EXPECT_EQ(reading.at("gpu0/temperature_c"), 71);
    EXPECT_DOUBLE_EQ(reading.at("gpu0/power_w"), 656.5);
    EXPECT_FALSE(reading.contains("gpu1/power_w"));
    EXPECT_EQ(Nvml(FAKE_NVML).read().at(0).name, "NVIDIA H100 80GB HBM3");
    EXPECT_FALSE(Nvml(kNoGpus).available());
}

TEST(ThisMachine, ItsFiguresAreThoseOfItsKernel) {
    MachineMeter meter("/");
    meter.read(monotonic_seconds());
    const double until = monotonic_seconds() + 0.3;
    while (monotonic_seconds() < until) {
    }
    std::map<std::string, double> reading = by_tag(meter.read(monotonic_seconds()));
    ASSERT_TRUE(reading.contains("machine/cpu_percent"));
    EXPECT_GT(reading["machine/cpu_percent"], 0) << "this very thread was busy";
    EXPECT_LE(reading["machine/cpu_percent"], 100);
    std::ifstream meminfo("/proc/meminfo");
    std::string name;
    double total = 0;
    meminfo >> name >> total;
    EXPECT_EQ(reading["machine/memory_total_bytes"], total * 1024);
    EXPECT_LT(reading["machine/memory_bytes"], total * 1024);
}

struct Heard : events::EventListener {
    std::map<std::string, std::vector<events::Scalar>> scalars;
    const events::EventFolder* folder = nullptr;
    void scalar(int tag, std::int64_t step, double wall_time, double value) override {
        scalars[folder->tag_name(tag)].push_back({step, wall_time, folder->tag_name(tag), value});
    }
    void restart(const std::string&, std::int64_t) override {}
    void reset() override { scalars.clear(); }
};

TEST_F(Machine, ARecorderKeepsTheLastTwoFilesAndItsPointsAreAtTheStep) {
    const fs::path metrics = folder.path() / "metrics";
    fs::create_directory(metrics);
    std::set<std::string> seen;
    const fs::path own = metrics / "host-gpu.a";
    events::EventFolder files(
        metrics,
        [](const std::string& name) {
            return name.starts_with("host-gpu.a/events.out.tfevents.") ? std::optional<std::string>("") : std::nullopt;
        },
        events::EventFolder::Depth::folders);
    Heard heard;
    heard.folder = &files;
    {
        MachineRecorder recorder(metrics, "gpu.a", {0.002, 600});
        recorder.set_step(42);
        const double deadline = monotonic_seconds() + 60;
        while (seen.size() < 4 && monotonic_seconds() < deadline) {
            files.poll(heard);
            for (const auto& entry : fs::exists(own) ? fs::directory_iterator(own) : fs::directory_iterator())
                seen.insert(entry.path().filename().string());
            std::this_thread::sleep_for(std::chrono::milliseconds(1));
        }
    }
    EXPECT_GE(seen.size(), 3u);
    EXPECT_LE(std::distance(fs::directory_iterator(own), fs::directory_iterator()), 2);
    ASSERT_FALSE(heard.scalars["machine/memory_bytes"].empty());
    EXPECT_EQ(heard.scalars["machine/memory_bytes"].back().step, 42);
}

TEST_F(Machine, ARecorderWithoutAFolderIsSilent) {
    MachineRecorder recorder(folder.path() / "none", "gpu-a", {0.01, 600});
    std::this_thread::sleep_for(std::chrono::milliseconds(50));
    EXPECT_FALSE(fs::exists(folder.path() / "none"));
}

}  // namespace
}  // namespace trainyard::launch
