// SPDX-License-Identifier: GPL-3.0-or-later
#include "base/instruction_set.h"

#include <algorithm>
#include <atomic>
#include <cstdlib>
#include <stdexcept>
#include <string>

#include "base/error.h"

namespace trainyard {

namespace {

constexpr const char* kIsaVariable = "TRAINYARD_CPU_ISA";

InstructionSet wanted_instruction_set() {
    const char* word = std::getenv(kIsaVariable);
    if (word == nullptr || *word == '\0')
        return best_instruction_set();
    return find_instruction_set(word, best_instruction_set());
}

std::atomic<InstructionSet>& instruction_set_in_use() {
    static std::atomic<InstructionSet> used{wanted_instruction_set()};
    return used;
}

}  // namespace

const char* to_string(InstructionSet set) {
    switch (set) {
        case InstructionSet::generic:
            return "generic";
        case InstructionSet::avx2:
            return "avx2";
        case InstructionSet::avx512:
            return "avx512";
        case InstructionSet::avx512bf16:
            return "avx512bf16";
    }
    return "";
}

InstructionSet find_instruction_set(std::string_view name, InstructionSet best) {
    const auto* found = std::find_if(kInstructionSets.begin(), kInstructionSets.end(),
                                     [&](InstructionSet set) { return to_string(set) == name; });
    if (found == kInstructionSets.end())
        throw UserError("{}={} is not known: use generic, avx2, avx512 or avx512bf16, or leave it out", kIsaVariable,
                        name);
    if (*found > best)
        throw UserError("{}={} asks for more than this processor has: the most is {}", kIsaVariable, name,
                        to_string(best));
    return *found;
}

InstructionSet best_instruction_set() {
#if defined(__x86_64__)
    static const InstructionSet best = [] {
        using enum InstructionSet;
        if (!__builtin_cpu_supports("avx2") || !__builtin_cpu_supports("fma") || !__builtin_cpu_supports("f16c"))
            return generic;
        if (!__builtin_cpu_supports("avx512f") || !__builtin_cpu_supports("avx512vl") ||
            !__builtin_cpu_supports("avx512dq") || !__builtin_cpu_supports("avx512bw"))
            return avx2;
        return __builtin_cpu_supports("avx512bf16") ? avx512bf16 : avx512;
    }();
    return best;
#else
    return InstructionSet::generic;
#endif
}

InstructionSet instruction_set() {
    return instruction_set_in_use().load(std::memory_order_relaxed);
}

UseInstructionSet::UseInstructionSet(InstructionSet set) : before_(instruction_set()) {
    if (set > best_instruction_set())
        throw std::invalid_argument(std::string("this processor has no ") + to_string(set));
    instruction_set_in_use() = set;
}

UseInstructionSet::~UseInstructionSet() {
    instruction_set_in_use() = before_;
}

}  // namespace trainyard
