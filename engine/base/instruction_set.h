// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
// The instruction set of our CPU kernels: the best one of this processor, or a lower one that TRAINYARD_CPU_ISA selects
// (to measure and test what other processors do). LibTorch's kernels have separate settings: ATEN_CPU_CAPABILITY=avx2,
// ONEDNN_MAX_CPU_ISA=AVX2, MKL_ENABLE_INSTRUCTIONS=AVX2.

#include <array>
#include <string_view>

namespace trainyard {

/// In ascending order; each includes the previous ones.
enum class InstructionSet {
    generic,     ///< available on every processor of the architecture
    avx2,        ///< with FMA and F16C
    avx512,      ///< F, VL, DQ, BW
    avx512bf16,  ///< with products of bfloat16 pairs
};

inline constexpr std::array kInstructionSets{InstructionSet::generic, InstructionSet::avx2, InstructionSet::avx512,
                                             InstructionSet::avx512bf16};

/// As spelt in TRAINYARD_CPU_ISA.
const char* to_string(InstructionSet set);

/// The one of this name, on a processor whose best one is `best`. Throws UserError if it is unknown or better.
InstructionSet find_instruction_set(std::string_view name, InstructionSet best);

/// The best one that this processor and this build support.
InstructionSet best_instruction_set();

/// The current one. Throws UserError if TRAINYARD_CPU_ISA is unknown or not supported by this processor; ranks call
/// this at their start.
InstructionSet instruction_set();

/// Selects another one during its lifetime, for tests and benchmarks that compare them. At most the best one; must not
/// be used while kernels run.
class UseInstructionSet {
  public:
    explicit UseInstructionSet(InstructionSet set);
    UseInstructionSet(const UseInstructionSet&) = delete;
    UseInstructionSet& operator=(const UseInstructionSet&) = delete;
    ~UseInstructionSet();

  private:
    InstructionSet before_;
};

}  // namespace trainyard
