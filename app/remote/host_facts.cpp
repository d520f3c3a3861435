// SPDX-License-Identifier: GPL-3.0-or-later
#include "remote/host_facts.h"

#include <algorithm>
#include <cmath>
#include <map>
#include <set>
#include <string_view>

#include <fmt/format.h>

#include "base/error.h"
#include "base/fields.h"
#include "base/number.h"
#include "base/run_program.h"
#include "base/text.h"
#include "base/untrusted.h"
#include "remote/host_script.h"
#include "run/paths.h"

namespace trainyard::remote {

namespace {

using Lines = std::vector<std::string>;
constexpr std::size_t kLargestScriptAnswer = 1u << 20;  // bytes
constexpr std::size_t kMostLines = 4096;                // of a section

constexpr std::string_view kBlanks = " \t\r\"";

using Sections = std::map<std::string, Lines>;

Lines split(std::string_view text, char separator) {
    Lines parts;
    for (std::size_t start = 0; start <= text.size();) {
        std::size_t end = std::min(text.find(separator, start), text.size());
        parts.push_back(std::string(text::trimmed(text.substr(start, end - start), kBlanks)));
        start = end + 1;
    }
    return parts;
}

Lines words(std::string_view text) {
    Lines found;
    for (std::string& word : split(text, ' '))
        for (std::string& part : split(word, '\t'))
            if (!part.empty())
                found.push_back(std::move(part));
    return found;
}

/// The number at the beginning of the text.
template <typename Number>
std::optional<Number> number(std::string_view text) {
    // "nan" and "inf" are numbers to from_chars().
    const std::optional<Number> value = take_number<Number>(text);
    return value && std::isfinite(static_cast<double>(*value)) ? value : std::nullopt;
}

Sections sections_of(const std::string& output) {
    Sections sections;
    Lines* current = nullptr;
    for (std::string& line : split(output, '\n'))
        if (line.starts_with('@'))
            current = &sections[line.substr(1)];
        else if (current != nullptr && !line.empty() && current->size() < kMostLines)
            current->push_back(std::move(line));
    return sections;
}

std::string line_of(Sections& sections, const char* name, std::size_t index = 0) {
    const Lines& lines = sections[name];
    return index < lines.size() ? lines[index] : "";
}

void read_cpu(Sections& sections, HostFacts& facts) {
    std::set<std::string> cores;
    std::string package;
    int threads = 0;
    for (const std::string& line : sections["cpu"]) {
        std::size_t colon = line.find(':');
        if (colon == std::string::npos)
            continue;
        std::string key = std::string(text::trimmed(line.substr(0, colon), kBlanks)),
                    value = std::string(text::trimmed(line.substr(colon + 1), kBlanks));
        if (key == "processor")
            ++threads;
        else if ((key == "model name" || key == "Model") && facts.cpu.empty())
            facts.cpu = value;
        else if (key == "physical id")
            package = value;
        else if (key == "core id")
            cores.insert(package + '/' + value);
    }
    facts.physical_cores = static_cast<int>(cores.size());
    for (const std::string& flag : sections["cpu_formats"])
        facts.cpu_formats += (facts.cpu_formats.empty() ? "" : " ") + flag;
    facts.cores = number<int>(line_of(sections, "cores")).value_or(threads);
}

/// The last line of `df -Pk`: device, total, used, free, percent, mount point.
void read_disk(const std::string& line, std::uint64_t* total, std::uint64_t& free) {
    Lines fields = words(line);
    if (fields.size() < 5)
        return;
    // The device's name may have blanks; the columns are counted from the one with the percent sign.
    for (std::size_t i = 4; i < fields.size(); ++i)
        if (fields[i].ends_with('%')) {
            free = number<std::uint64_t>(fields[i - 1]).value_or(0) * 1024;
            if (total != nullptr)
                *total = number<std::uint64_t>(fields[i - 3]).value_or(0) * 1024;
            return;
        }
}

/// `[[days-]hours:]minutes:seconds` of ps.
std::optional<double> elapsed(const std::string& text) {
    double seconds = 0, days = 0;
    std::string rest = text;
    if (std::size_t dash = text.find('-'); dash != std::string::npos) {
        days = number<double>(text.substr(0, dash)).value_or(0);
        rest = text.substr(dash + 1);
    }
    for (const std::string& part : split(rest, ':')) {
        auto value = number<int>(part);
        if (!value)
            return std::nullopt;
        seconds = seconds * 60 + *value;
    }
    return seconds + days * 86400;
}

void read_nvidia_processes(Sections& sections, HostFacts& facts) {
    std::map<int, std::pair<std::string, std::optional<double>>> owners;
    for (const std::string& line : sections["nvidia_owners"])
        if (Lines fields = words(line); fields.size() >= 3)
            owners[number<int>(fields[0]).value_or(0)] = {fields[1], elapsed(fields[2])};
    for (const std::string& line : sections["nvidia_processes"]) {
        Lines fields = split(line, ',');
        if (fields.size() < 4)
            continue;
        GpuProcess process;
        process.pid = number<int>(fields[1]).value_or(0);
        process.memory_bytes = number<std::uint64_t>(fields[2]).value_or(0) << 20;
        process.name = fields[3];
        if (auto owner = owners.find(process.pid); owner != owners.end())
            std::tie(process.user, process.age_s) = owner->second;
        // An identifier is that of one GPU, else some lines would become millions of processes.
        if (const auto gpu = std::ranges::find(facts.gpus, fields[0], &GpuFacts::uuid); gpu != facts.gpus.end())
            gpu->processes.push_back(std::move(process));
    }
}

/// The table of `nvidia-smi topo -m`: a head line `GPU0 GPU1 ...`, then a line for each GPU.
void read_topology(Sections& sections, HostFacts& facts) {
    std::size_t gpus = facts.gpus.size();
    if (gpus < 2)
        return;
    for (const std::string& line : sections["nvidia_topology"]) {
        Lines fields = words(line);
        std::string name = "GPU" + std::to_string(facts.gpu_links.size());
        bool is_row = fields.size() > gpus && fields[0] == name && !fields[1].starts_with("GPU");
        if (is_row && facts.gpu_links.size() < gpus)
            facts.gpu_links.emplace_back(fields.begin() + 1, fields.begin() + 1 + static_cast<std::ptrdiff_t>(gpus));
    }
    if (facts.gpu_links.size() != gpus)
        facts.gpu_links.clear();
}

void read_nvidia(Sections& sections, HostFacts& facts) {
    const Lines& lines = sections["nvidia"];
    bool failed = false;
    std::string said;
    for (const std::string& line : lines) {
        Lines fields = split(line, ',');
        if (line.starts_with("status ")) {
            failed = line != "status 0";
            if (line == "status 124" || line == "status 137")
                said = "nvidia-smi did not answer within 4 s: the driver hangs";
        } else if (fields.size() >= 11 && number<int>(fields[0])) {
            GpuFacts gpu;
            gpu.index = *number<int>(fields[0]);
            gpu.name = fields[1];
            gpu.uuid = fields[2];
            gpu.pci = fields[3];
            gpu.memory_bytes = number<std::uint64_t>(fields[4]).value_or(0) << 20;
            gpu.memory_used_bytes = number<std::uint64_t>(fields[5]).value_or(0) << 20;
            gpu.temperature_c = number<double>(fields[6]);
            gpu.power_w = number<double>(fields[7]);
            gpu.busy_percent = number<double>(fields[8]);
            facts.driver = fields[9];
            gpu.compute_capability = fields[10];
            facts.gpus.push_back(std::move(gpu));
        } else if (said.empty()) {
            said = line;
        }
    }
    if (failed || (facts.gpus.empty() && !lines.empty()))
        facts.gpu_problem = said.empty() ? Message("nvidia-smi failed without a word") : Message::verbatim(said);
    std::string cuda = line_of(sections, "nvidia_cuda");
    if (std::size_t colon = cuda.find(':'); colon != std::string::npos)
        facts.cuda = std::string(text::trimmed(cuda.substr(colon + 1), kBlanks));
    read_nvidia_processes(sections, facts);
    read_topology(sections, facts);
}

/// AMD's driver tells the memory in sysfs; of Intel's cards only the vendor and the device number are known there.
void read_drm(Sections& sections, HostFacts& facts) {
    std::map<std::string, int> count;
    for (const std::string& line : sections["drm"]) {
        Lines fields = words(line);
        if (fields.size() < 4)
            continue;
        bool amd = fields[1] == "0x1002", intel = fields[1] == "0x8086" && !fields[0].starts_with("0000:00:");
        if (!amd && !intel)
            continue;
        GpuFacts gpu;
        gpu.vendor = amd ? "amd" : "intel";
        gpu.index = count[gpu.vendor]++;
        gpu.pci = fields[0];
        gpu.memory_bytes = number<std::uint64_t>(fields[2]).value_or(0);
        gpu.memory_used_bytes = number<std::uint64_t>(fields[3]).value_or(0);
        for (std::size_t i = 4; i < fields.size(); ++i)
            gpu.name += (i == 4 ? "" : " ") + fields[i];
        if (gpu.name.empty() || gpu.name.starts_with("0x"))
            gpu.name = std::string(amd ? "AMD GPU" : "Intel GPU") + (gpu.name.empty() ? "" : " " + gpu.name);
        facts.gpus.push_back(std::move(gpu));
    }
}

void read_network(Sections& sections, HostFacts& facts) {
    std::map<std::string, std::uint64_t> speeds;
    for (const std::string& line : sections["speeds"])
        if (Lines fields = words(line); fields.size() == 2)
            if (auto megabits = number<std::int64_t>(fields[1]); megabits && *megabits > 0)
                speeds[fields[0]] = static_cast<std::uint64_t>(*megabits) * 1'000'000;
    for (const std::string& line : sections["addresses"]) {
        Lines fields = words(line);
        InterfaceFacts one;
        if (fields.size() == 2 && fields[0] == "plain") {
            one.address = fields[1];
        } else if (fields.size() >= 4 && (fields[2] == "inet" || fields[2] == "inet6")) {
            one.name = fields[1].substr(0, fields[1].find('@'));
            std::size_t slash = fields[3].find('/');
            one.address = fields[3].substr(0, slash);
            if (slash != std::string::npos)
                one.prefix = number<int>(fields[3].substr(slash + 1)).value_or(0);
        } else {
            continue;
        }
        if (auto speed = speeds.find(one.name); speed != speeds.end())
            one.bits_per_s = speed->second;
        facts.interfaces.push_back(std::move(one));
    }
    for (const std::string& line : sections["infiniband"]) {
        Lines fields = split(line, '|');
        Lines path = split(fields[0], '/');  // /sys/class/infiniband/mlx5_0/ports/1
        if (fields.size() < 4 || path.size() < 7)
            continue;
        InfinibandFacts port;
        port.device = path[4];
        port.port = number<int>(path[6]).value_or(1);
        std::size_t colon = fields[1].find(':');  // "4: ACTIVE"
        port.state =
            colon == std::string::npos ? fields[1] : std::string(text::trimmed(fields[1].substr(colon + 1), kBlanks));
        port.rate = fields[2];
        port.link = fields[3];
        facts.infiniband.push_back(std::move(port));
    }
}

void read_memory(Sections& sections, HostFacts& facts) {
    for (const std::string& line : sections["memory"]) {
        Lines fields = words(line);
        if (fields.size() >= 2)
            (fields[0] == "MemTotal:" ? facts.memory_bytes : facts.memory_available_bytes) =
                number<std::uint64_t>(fields[1]).value_or(0) * 1024;
    }
}

/// The host's first reading comes after we sent, its last one before we received: the offset lies between the two
/// differences.
void read_clock(Sections& sections, HostFacts& facts, double sent, double received) {
    auto first = number<double>(line_of(sections, "clock")), last = number<double>(line_of(sections, "clock_after"));
    if (!first || !last || received <= 0)
        return;
    // A `date` that does not know fractions cuts them off.
    bool whole_seconds = line_of(sections, "clock").find_first_not_of("0123456789.") != std::string::npos ||
                         line_of(sections, "clock").find('.') == std::string::npos;
    double most = *first + (whole_seconds ? 1 : 0) - sent, least = *last - received;
    facts.clock_offset_s = (most + least) / 2;
    facts.clock_error_s = std::max(0.0, (most - least) / 2);
}

}  // namespace

std::string to_json(const HostFacts& facts) {
    return fields::to_text(facts);
}

HostFacts parse_host_facts(const std::string& json, const std::string& origin) {
    return fields::from_text<HostFacts>(json, origin);
}

DeviceFacts device_facts(const HostFacts& facts, std::string_view kind) {
    if (kind == "cpu")
        return processor_of_flags(facts.cpu_formats);
    std::vector<DeviceFacts> devices;
    for (const GpuFacts& gpu : facts.gpus) {
        if (gpu.vendor != "nvidia")
            continue;  // the engine's GPU part is for CUDA
        DeviceFacts& one = devices.emplace_back(accelerator_of_name(kind, gpu.name));
        if (const int reported = read_compute_capability(gpu.compute_capability); reported > 0)
            one.compute_capability = reported;
    }
    return least_able_accelerator(kind, std::move(devices));
}

HostFacts parse_host_script(const std::string& output, const std::string& host, double sent, double received) {
    // A host may answer anything: the text is made printable before it is taken apart.
    Sections sections =
        sections_of(HostText::lines(std::string_view(output).substr(0, kLargestScriptAnswer), kLargestScriptAnswer));
    if (!sections.contains("end"))
        throw UserError("{} did not say what it has: the answer of its shell was cut short", host);
    HostFacts facts;
    facts.host_name = line_of(sections, "uname");
    facts.kernel = line_of(sections, "uname", 1);
    facts.machine = line_of(sections, "uname", 2);
    facts.system = line_of(sections, "system");
    if (facts.system.empty())
        facts.system = line_of(sections, "uname", 3);
    facts.c_library = line_of(sections, "libc");
    read_cpu(sections, facts);
    read_memory(sections, facts);
    if (Lines load = words(line_of(sections, "load")); !load.empty())
        facts.load_1m = number<double>(load[0]);
    if (Lines uptime = words(line_of(sections, "uptime")); !uptime.empty())
        facts.uptime_s = number<double>(uptime[0]);
    facts.user = line_of(sections, "account");
    facts.home = line_of(sections, "account", 1);
    facts.runs_folder = line_of(sections, "runs");
    read_disk(line_of(sections, "runs", 1), &facts.disk_total_bytes, facts.disk_free_bytes);
    read_disk(line_of(sections, "cache", 1), nullptr, facts.cache_free_bytes);
    facts.bundles = sections["bundles"];
    facts.engine = line_of(sections, "engine");
    if (facts.engine.starts_with("trainyard "))
        facts.engine = facts.engine.substr(10);
    read_nvidia(sections, facts);
    read_drm(sections, facts);
    read_network(sections, facts);
    for (const std::string& line : sections["nccl"])
        if (std::size_t at = line.find(".so."); at != std::string::npos)
            facts.nccl = line.substr(at + 4);
    facts.python = line_of(sections, "python");
    facts.python_torch = line_of(sections, "python", 1);
    read_clock(sections, facts, sent, received);
    return facts;
}

HostFacts local_facts(const std::string& runs_folder, const std::string& interpreter) {
    ProgramResult answer = run_program(
        {"/bin/sh", "-s", runs_folder.empty() ? run::runs_root().string() : runs_folder, interpreter}, kHostScript, 20);
    if (answer.status == -1)
        throw UserError("this machine cannot be asked: /bin/sh could not be started");
    if (answer.timed_out)
        throw UserError("this machine did not say what it has within 20 s: `df` or `nvidia-smi` hangs");
    return parse_host_script(answer.output, "this machine");
}

std::string gpu_line(const HostFacts& facts) {
    std::vector<std::pair<std::string, int>> kinds;
    for (const GpuFacts& gpu : facts.gpus) {
        auto same = std::ranges::find(kinds, gpu.name, &std::pair<std::string, int>::first);
        if (same == kinds.end())
            kinds.emplace_back(gpu.name, 1);
        else
            ++same->second;
    }
    std::string line;
    for (const auto& [name, count] : kinds)
        line += fmt::format("{}{} × {}", line.empty() ? "" : " · ", count, name);
    return line.empty() ? "no GPU" : line;
}

}  // namespace trainyard::remote
