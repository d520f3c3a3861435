// SPDX-License-Identifier: GPL-3.0-or-later
#include "launch/plan/probe.h"

#include <algorithm>
#include <chrono>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <functional>
#include <sstream>
#include <thread>

#include <arpa/inet.h>
#include <fcntl.h>
#include <fmt/format.h>
#include <unistd.h>

#include "base/cores.h"
#include "base/device_kinds.h"
#include "base/error.h"
#include "base/file_descriptor.h"
#include "base/filesystem.h"
#include "base/find_program.h"
#include "base/listen_socket.h"
#include "base/number.h"
#include "base/process.h"
#include "base/run_program.h"
#include "base/version.h"

namespace trainyard::plan {

namespace fs = std::filesystem;

namespace {

constexpr const char* kHipMask = "HIP_VISIBLE_DEVICES";
constexpr double kAskSeconds = 10;  ///< for a program that only has to say its version, on a loaded machine, too

std::string read_text(const fs::path& file) {
    std::ifstream in(file);
    return {std::istreambuf_iterator<char>(in), std::istreambuf_iterator<char>()};
}

std::string variable(const char* name) {
    const char* value = std::getenv(name);
    return value == nullptr ? "" : value;
}

std::vector<fs::path> entries(const fs::path& folder, const std::function<bool(const std::string&)>& fits) {
    std::vector<fs::path> found;
    std::error_code error;
    for (fs::directory_iterator at(folder, error), end; !error && at != end; at.increment(error))
        if (fits(at->path().filename().string()))
            found.push_back(at->path());
    std::ranges::sort(found);
    return found;
}

/// Files in /dev called like `prefix` and a number.
int count_devices(const fs::path& folder, const std::string& prefix) {
    return static_cast<int>(entries(folder, [&](const std::string& name) {
                                return name.size() > prefix.size() && name.starts_with(prefix) &&
                                       name.find_first_not_of("0123456789", prefix.size()) == std::string::npos;
                            }).size());
}

/// How many of `count` devices a variable such as CUDA_VISIBLE_DEVICES leaves. As in CUDA, ids end at the first bad
/// one, and of the instances of divided GPUs (MIG) a process sees one.
int visible(int count, std::string_view name) {
    const char* list = std::getenv(std::string(name).c_str());
    if (list == nullptr)
        return count;
    std::string text(list);
    if (text.starts_with("MIG-"))
        return std::min(count, 1);
    int seen = 0;
    std::size_t start = 0;
    while (start < text.size()) {
        std::size_t end = std::min(text.find(',', start), text.size());
        std::string id = text.substr(start, end - start);
        const auto number = parse_number<int>(id);
        // Other ids are those of one card (GPU-8f3c...) or of a part of it (0.1); SLURM writes NoDevFiles for no card.
        const bool is_id = id.starts_with("GPU-") || (!id.empty() && id.front() >= '0' && id.front() <= '9');
        if (number ? *number < 0 || *number >= count : !is_id)
            break;
        ++seen;
        start = end + 1;
    }
    return std::min(seen, count);
}

/// `550.54.15` of /proc/driver/nvidia/version, after "Kernel Module", or "Open Kernel Module for x86_64"; empty: the
/// module is not loaded.
std::string nvidia_driver(const fs::path& root) {
    const std::string text = read_text(root / "proc/driver/nvidia/version");
    std::istringstream words(text.substr(std::min(text.size(), text.find("Kernel Module"))));
    for (std::string word; words >> word;)
        if (word.find_first_not_of("0123456789.") == std::string::npos && word.find('.') != std::string::npos)
            return word;
    return {};
}

/// GPUs that are divided into instances (MIG). CUDA enumerates them only where no other GPU is, and then one instance.
int count_divided_gpus(const fs::path& root) {
    int divided = 0;
    for (const fs::path& gpu : entries(root / "proc/driver/nvidia/capabilities",
                                       [](const std::string& name) { return name.starts_with("gpu"); }))
        if (!entries(gpu / "mig", [](const std::string& name) { return name.starts_with("gi"); }).empty())
            ++divided;
    return divided;
}

bool find_nvidia(settings::Machine& machine, const fs::path& root) {
    std::vector<std::string> names;
    for (const fs::path& gpu : entries(root / "proc/driver/nvidia/gpus", [](const std::string&) { return true; })) {
        std::string text = read_text(gpu / "information");
        std::size_t model = text.find("Model:");
        if (model == std::string::npos)
            continue;
        std::size_t first = text.find_first_not_of(" \t", model + 6), end = text.find('\n', model);
        names.push_back(text.substr(first, end - first));
    }
    int nodes = count_devices(root / "dev", "nvidia");  // in a container only those that were handed in
    int count = names.empty() ? nodes : std::min(nodes, static_cast<int>(names.size()));
    if (count == 0)
        return false;
    if (const int divided = count_divided_gpus(root); divided > 0)
        count = std::max(1, count - divided);
    machine.device = "cuda";
    machine.driver = nvidia_driver(root);
    machine.device_count = visible(count, device_mask("cuda"));
    machine.device_names = names;
    bool affected = machine.device_count > 1 && std::ranges::any_of(names, [](const std::string& n) {
                        return n.find("RTX 40") != std::string::npos;
                    });
    machine.p2p_ok = !affected || machine.driver.empty() || !is_older_version(machine.driver, "550.40.07");
    return true;
}

/// The number after `key` in a file of lines such as `simd_count 304`; 0: there is no such line.
std::uint64_t number_of(const std::string& text, const std::string& key) {
    std::istringstream lines(text);
    std::string name;
    for (std::uint64_t number = 0; lines >> name >> number;)
        if (name == key)
            return number;
    return 0;
}

/// GPUs that AMD's driver computes on: nodes of its topology with SIMD units whose render node is in /dev. LibTorch for
/// ROCm calls them cuda.
bool find_amd(settings::Machine& machine, const fs::path& root) {
    std::error_code error;
    if (!fs::exists(root / "dev/kfd", error))
        return false;
    for (const fs::path& node :
         entries(root / "sys/class/kfd/kfd/topology/nodes", [](const std::string&) { return true; })) {
        const std::string properties = read_text(node / "properties");
        const std::string render = fmt::format("renderD{}", number_of(properties, "drm_render_minor"));
        if (number_of(properties, "simd_count") == 0 || !fs::exists(root / "dev/dri" / render, error))
            continue;
        std::string name = read_text(root / "sys/class/drm" / render / "device/product_name");
        name.erase(std::min(name.size(), name.find('\n')));
        const std::uint64_t target = number_of(properties, "gfx_target_version");
        machine.device_names.push_back(
            name.empty() ? fmt::format("AMD gfx{}{:x}{:x}", target / 10000, target / 100 % 100, target % 100) : name);
    }
    if (machine.device_names.empty())
        return false;
    machine.device = "cuda";
    // ROCm's run-time library hides devices first; HIP numbers what is left, and its own variable replaces CUDA's.
    const int left = visible(static_cast<int>(machine.device_names.size()), "ROCR_VISIBLE_DEVICES");
    machine.device_count = visible(left, variable(kHipMask).empty() ? device_mask("cuda") : kHipMask);
    return true;
}

/// Discrete Intel GPUs: PCI vendor 0x8086 beside a render node, on a bus other than the processor's own (00).
int count_intel_gpus(const fs::path& root) {
    int count = 0;
    for (const fs::path& node :
         entries(root / "sys/class/drm", [](const std::string& n) { return n.starts_with("renderD"); })) {
        std::error_code error;
        fs::path device = fs::canonical(node / "device", error);
        if (!error && read_text(device / "vendor").starts_with("0x8086") &&
            !device.filename().string().starts_with("0000:00:"))
            ++count;
    }
    return count;
}

void find_devices(settings::Machine& machine, const fs::path& root) {
    if (find_nvidia(machine, root) || find_amd(machine, root))
        return;
    for (const DeviceKind& kind : device_kinds()) {
        int count = kind.name == "xpu"    ? count_intel_gpus(root)
                    : kind.folder.empty() ? 0
                                          : count_devices(root / kind.folder.substr(1), std::string(kind.prefix));
        if (count == 0)
            continue;
        machine.device = kind.name;
        machine.device_count = visible(count, kind.mask);
        return;
    }
}

/// The probe runs programs and reads folders next to them that the user did not name.
fs::path program_of_path(const std::string& name) {
    return find_program(name, variable("PATH").c_str(), SearchFolders::absolute);
}

void find_mpi(settings::Machine& machine) {
    for (const char* name : {"mpirun", "mpiexec"}) {
        fs::path program = program_of_path(name);
        if (program.empty())
            continue;
        machine.mpi_program = name;
        std::error_code error;
        std::string real = fs::canonical(program, error).filename().string();
        if (real == "orterun" || real == "prterun" || real.find("openmpi") != std::string::npos) {
            machine.mpi = "openmpi";  // Debian's link tells without a process
            return;
        }
        const ProgramResult version = run_program({program.string(), "--version"}, "", kAskSeconds);
        const std::string text = version.output + version.error;
        if (text.find("Open MPI") != std::string::npos)
            machine.mpi = "openmpi";
        else if (text.find("Intel") != std::string::npos)
            machine.mpi = "intel";
        else if (text.find("MVAPICH") != std::string::npos)
            machine.mpi = "mvapich";
        else
            machine.mpi = "mpich";
        return;
    }
}

/// Folders where `python3` of PATH looks for packages, found without running it.
std::vector<fs::path> package_folders() {
    std::vector<fs::path> folders;
    std::string paths = variable("PYTHONPATH");
    for (std::size_t start = 0; start < paths.size();) {
        std::size_t end = std::min(paths.find(':', start), paths.size());
        folders.emplace_back(paths.substr(start, end - start));
        start = end + 1;
    }
    std::vector<fs::path> roots;
    if (std::string active = variable("VIRTUAL_ENV"); !active.empty())
        roots.emplace_back(active);
    if (fs::path python = program_of_path("python3"); !python.empty()) {
        roots.push_back(python.parent_path().parent_path());
        std::error_code error;
        bool is_virtual = fs::exists(roots.back() / "pyvenv.cfg", error);
        if (fs::path real = fs::canonical(python, error); !error && !is_virtual)
            roots.push_back(real.parent_path().parent_path());
        if (std::string home = variable("HOME"); !home.empty() && !is_virtual)
            roots.push_back(fs::path(home) / ".local");
    }
    for (const fs::path& root : roots)
        for (const fs::path& lib :
             entries(root / "lib", [](const std::string& name) { return name.starts_with("python3"); }))
            for (const char* kind : {"site-packages", "dist-packages"})
                folders.push_back(lib / kind);
    return folders;
}

/// The version in the name of `deepspeed-0.18.0.dist-info`; nothing when the package is not there.
std::optional<std::string> package_version(const std::vector<fs::path>& folders, const std::string& package) {
    std::error_code error;
    for (const fs::path& folder : folders) {
        auto info = entries(folder, [&](const std::string& name) {
            return name.starts_with(package + "-") && (name.ends_with(".dist-info") || name.ends_with(".egg-info"));
        });
        if (!info.empty()) {
            std::string name = info.front().filename().string().substr(package.size() + 1);
            name.erase(name.rfind('.'));  // .dist-info
            return name.substr(0, name.find('-'));
        }
        if (fs::exists(folder / package / "__init__.py", error))
            return "0";
    }
    return std::nullopt;
}

/// True when a program listens there already.
bool is_taken(int port) {
    // Another launch that looks at the same moment holds the port for an instant.
    constexpr int kLooks = 6;
    constexpr auto kBetween = std::chrono::milliseconds(25);
    for (int look = 1;; ++look) {
        try {
            const FileDescriptor socket = listen_on("127.0.0.1", port);
            if (reserve_port(port))
                return false;
        } catch (const UserError&) {  // in use now
        }
        if (look == kLooks)
            return true;
        std::this_thread::sleep_for(kBetween);
    }
}

}  // namespace

settings::Machine probe_machine(const std::vector<int>& ports, bool ask_mpi, const fs::path& root) {
    settings::Machine machine;
    find_devices(machine, root);
    machine.processor = processor_facts();
    // By the names of the devices: asking a driver would load it.
    machine.bf16 = availability(DeviceFormat::bf16, machine.device_facts(machine.device)).ability != Ability::missing;
    machine.physical_cores = physical_cores();
    machine.host_name = host_name();
    if (ask_mpi)
        find_mpi(machine);
    std::vector<fs::path> folders = package_folders();
    machine.deepspeed = package_version(folders, "deepspeed");
    for (const char* package : {"transformer_engine", "msamp", "torchao"})
        machine.fp8 = machine.fp8 || package_version(folders, package).has_value();
    std::error_code error;
    machine.tpu = (fs::exists(root / "dev/accel0", error) || fs::exists(root / "dev/vfio/0", error)) &&
                  package_version(folders, "torch_xla").has_value();
    for (int port : ports)
        if (port > 0 && port < 65536 && is_taken(port))
            machine.ports_in_use.push_back(port);
    machine.free_port = free_port("127.0.0.1");
    return machine;
}

DeviceFacts probe_device(std::string_view kind, const fs::path& root) {
    settings::Machine machine;
    if (kind != "cpu")
        find_devices(machine, root);
    machine.processor = processor_facts();
    return machine.device_facts(kind);
}

}  // namespace trainyard::plan
