// SPDX-License-Identifier: GPL-3.0-or-later
#include "base/device_formats.h"

#include <algorithm>
#include <utility>

#include "base/number.h"

namespace trainyard {

namespace {

constexpr int kAmpere = 80, kVolta = 70;

struct Generation {
    std::string_view word;  ///< beginning of a word of the name
    int compute_capability;
};

/// The first row that fits counts.
constexpr Generation kGenerations[] = {
    {"GB10", 121},     {"RTX PRO", 120}, {"RTX 50", 120},   {"Thor", 110},    {"GB300", 103},   {"B300", 103},
    {"GB200", 100},    {"B200", 100},    {"B100", 100},     {"GH200", 90},    {"H100", 90},     {"H200", 90},
    {"H800", 90},      {"H20", 90},      {"RTX 40", 89},    {"L40", 89},      {"L4", 89},       {"L20", 89},
    {"Orin", 87},      {"A100", 80},     {"A800", 80},      {"RTX A", 86},    {"RTX 30", 86},   {"A30", 80},
    {"A10", 86},       {"A16", 86},      {"A2", 86},        {"A40", 86},      {"RTX 20", 75},   {"Quadro RTX", 75},
    {"TITAN RTX", 75}, {"GTX 16", 75},   {"T4", 75},        {"T1000", 75},    {"T1200", 75},    {"T600", 75},
    {"TITAN V", 70},   {"V100", 70},     {"GV100", 70},     {"P100", 60},     {"GP100", 60},    {"GTX 10", 61},
    {"P4", 61},        {"P6", 61},       {"Quadro P", 61},  {"TITAN Xp", 61}, {"TITAN X", 52},  {"GTX 9", 52},
    {"Tesla M", 52},   {"Quadro M", 52}, {"Tesla K80", 37}, {"Tesla K", 35},  {"Quadro K", 30}, {"GTX 7", 35},
};

bool has_word(std::string_view name, std::string_view word) {
    for (std::size_t at = name.find(word); at != std::string_view::npos; at = name.find(word, at + 1))
        if (at == 0 || name[at - 1] == ' ' || name[at - 1] == '-')
            return true;
    return false;
}

int compute_capability_of_name(std::string_view name) {
    // "RTX 6000 Ada Generation" has no number of its generation.
    if (has_word(name, "Ada"))
        return 89;
    const auto* found =
        std::ranges::find_if(kGenerations, [&](const Generation& one) { return has_word(name, one.word); });
    return found == std::end(kGenerations) ? 0 : found->compute_capability;
}

Availability native() {
    return {};
}

Availability missing(Message reason) {
    return {Ability::missing, std::move(reason)};
}

/// A 16-bit format of a processor.
Availability of_processor(const DeviceFacts& device, bool multiplies, const char* format, const char* extension) {
    if (!device.instructions)
        return {Ability::unknown, {}};
    if (multiplies)
        return native();
    return {Ability::emulated,
            Message("the processor has no products of {} ({}), so operands are widened to fp32, which saves memory and "
                    "no time",
                    format, extension)};
}

/// A format of products that NVIDIA GPUs have since a compute capability.
Availability since(const DeviceFacts& device, int least, const char* format) {
    if (device.compute_capability == 0)
        return {Ability::unknown, {}};
    if (device.compute_capability >= least)
        return native();
    return missing(Message("{} needs compute capability {}.{}, and {} has {}.{}", format, least / 10, least % 10,
                           device.words(), device.compute_capability / 10, device.compute_capability % 10));
}

}  // namespace

Message DeviceFacts::words() const {
    return !name.empty() ? Message::verbatim(name) : kind == "cpu" ? Message("the processor") : Message::verbatim(kind);
}

Availability availability(DeviceFormat format, const DeviceFacts& device) {
    const bool processor = device.kind == "cpu";
    const bool bf16_set = device.instructions >= InstructionSet::avx512bf16;  // nothing is less than anything
    switch (format) {
        case DeviceFormat::fp32:
        case DeviceFormat::optimizer_8bit:
            return native();
        case DeviceFormat::tf32:
            return device.kind == "cuda" ? since(device, kAmpere, "TensorFloat-32")
                                         : missing("TensorFloat-32 is for NVIDIA GPUs");
        case DeviceFormat::bf16:
            return processor ? of_processor(device, bf16_set, "bf16", "AVX-512 BF16") : since(device, kAmpere, "bf16");
        case DeviceFormat::fp16: {
            if (processor)
                return of_processor(device, bf16_set && device.multiplies_fp16, "fp16", "AVX-512 FP16");
            if (device.compute_capability == 0 || device.compute_capability >= kVolta)
                return since(device, kVolta, "fp16");
            return {Ability::emulated, "the GPU has no matrix units for fp16, which saves memory and no time"};
        }
        case DeviceFormat::fp8_e4m3:
        case DeviceFormat::fp8_e5m2:
        case DeviceFormat::mxfp8:
            return {Ability::emulated,
                    "this version rounds operands to 8 bits and multiplies them in fp32, which saves no time"};
        case DeviceFormat::float8_weights:
        case DeviceFormat::int8:
        case DeviceFormat::nf4:
        case DeviceFormat::fp4:
            return processor ? native() : missing("weights stay in 4 and 8 bits on processors alone in this version");
    }
    return native();
}

Message describe(const Availability& availability) {
    switch (availability.ability) {
        case Ability::native:
            return Message("native");
        case Ability::emulated:
            return Message("emulated: {}", availability.reason);
        case Ability::unknown:
            return Message("not known");
        case Ability::missing:
            return Message("not on this device: {}", availability.reason);
    }
    return {};
}

DeviceFacts processor_facts() {
    DeviceFacts facts;
    facts.instructions = instruction_set();
#if defined(__x86_64__)
    facts.multiplies_fp16 = __builtin_cpu_supports("avx512fp16");
#endif
    return facts;
}

DeviceFacts processor_of_flags(std::string_view flags) {
    DeviceFacts facts;
    const auto has = [&](std::initializer_list<std::string_view> words) {
        return std::ranges::all_of(words, [&](std::string_view word) {
            for (std::size_t at = flags.find(word); at != std::string_view::npos; at = flags.find(word, at + 1))
                if ((at == 0 || flags[at - 1] == ' ') &&
                    (at + word.size() == flags.size() || flags[at + word.size()] == ' '))
                    return true;
            return false;
        });
    };
    if (flags.empty())
        return facts;
    const bool avx2 = has({"avx2", "fma", "f16c"});
    const bool avx512 = avx2 && has({"avx512f", "avx512vl", "avx512dq", "avx512bw"});
    facts.instructions = avx512 && has({"avx512_bf16"}) ? InstructionSet::avx512bf16
                         : avx512                       ? InstructionSet::avx512
                         : avx2                         ? InstructionSet::avx2
                                                        : InstructionSet::generic;
    facts.multiplies_fp16 = has({"avx512_fp16"});
    return facts;
}

DeviceFacts accelerator_of_name(std::string_view kind, std::string name) {
    DeviceFacts facts;
    facts.kind = kind;
    facts.compute_capability = compute_capability_of_name(name);
    facts.name = std::move(name);
    return facts;
}

DeviceFacts least_able_accelerator(std::string_view kind, std::vector<DeviceFacts> devices) {
    DeviceFacts least;
    least.kind = kind;
    for (DeviceFacts& one : devices)
        if (least.name.empty() || one.compute_capability < least.compute_capability)
            least = std::move(one);
    return least;
}

DeviceFacts least_able_accelerator(std::string_view kind, const std::vector<std::string>& names) {
    std::vector<DeviceFacts> devices;
    for (const std::string& name : names)
        devices.push_back(accelerator_of_name(kind, name));
    return least_able_accelerator(kind, std::move(devices));
}

int read_compute_capability(std::string_view text) {
    const std::size_t dot = text.find('.');
    if (dot == std::string_view::npos)
        return 0;
    const auto major = parse_number<int>(text.substr(0, dot), 1, 99);
    const auto minor = parse_number<int>(text.substr(dot + 1), 0, 9);
    return major && minor ? *major * 10 + *minor : 0;
}

}  // namespace trainyard
