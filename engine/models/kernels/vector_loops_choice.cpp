#include "models/kernels/vector_loops.h"

namespace trainyard::models {

extern const VectorLoops vector_loops_generic;
#ifdef TRAINYARD_X86_LOOPS
extern const VectorLoops vector_loops_avx2;
extern const VectorLoops vector_loops_avx512;
extern const VectorLoops vector_loops_avx512bf16;
#endif

const VectorLoops& vector_loops() {
#ifdef TRAINYARD_X86_LOOPS
    static const VectorLoops& chosen = [&]() -> const VectorLoops& {
        if (__builtin_cpu_supports("avx512f") && __builtin_cpu_supports("avx512vl") &&
            __builtin_cpu_supports("avx512dq") && __builtin_cpu_supports("avx512bw"))
            return __builtin_cpu_supports("avx512bf16") ? vector_loops_avx512bf16 : vector_loops_avx512;
        if (__builtin_cpu_supports("avx2") && __builtin_cpu_supports("fma"))
            return vector_loops_avx2;
        return vector_loops_generic;
    }();
    return chosen;
#else
    return vector_loops_generic;
#endif
}

}  // namespace trainyard::models
