#pragma once
// The instruction set of our own CPU kernels: the best one that this processor has, or a lesser one that TRAINYARD_CPU_ISA names (to measure
// and test what other processors do). LibTorch's kernels have switches of their own: ATEN_CPU_CAPABILITY=avx2, ONEDNN_MAX_CPU_ISA=AVX2,
// MKL_ENABLE_INSTRUCTIONS=AVX2.

#include <array>

namespace trainyard::models {

/// From the least to the best; each has what those before it have.
enum class InstructionSet {
    generic,     ///< what every processor of the architecture has
    avx2,        ///< with FMA and F16C
    avx512,      ///< F, VL, DQ, BW
    avx512bf16,  ///< products of bfloat16 pairs
};

inline constexpr std::array kInstructionSets{InstructionSet::generic, InstructionSet::avx2, InstructionSet::avx512,
                                             InstructionSet::avx512bf16};

/// As TRAINYARD_CPU_ISA spells it.
const char* to_string(InstructionSet set);

/// The best one of this processor and this build.
InstructionSet best_instruction_set();

/// The one in use. Throws UserError when TRAINYARD_CPU_ISA names none, or one that this processor lacks; ranks ask once at their start.
InstructionSet instruction_set();

/// Uses another one while it lives, for tests and benchmarks that compare them. At most the best one; not while kernels run.
class UseInstructionSet {
  public:
    explicit UseInstructionSet(InstructionSet set);
    UseInstructionSet(const UseInstructionSet&) = delete;
    UseInstructionSet& operator=(const UseInstructionSet&) = delete;
    ~UseInstructionSet();

  private:
    InstructionSet before_;
};

}  // namespace trainyard::models
