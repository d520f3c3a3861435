// SPDX-License-Identifier: GPL-3.0-or-later
#include "models/nn/kernels/matrix_unit.h"

#ifdef TRAINYARD_X86_KERNELS
#include <cstdlib>
#include <string_view>

#include <cpuid.h>
#include <sys/syscall.h>
#include <unistd.h>
#endif

namespace trainyard::models {

namespace {

bool ask() {
#ifdef TRAINYARD_X86_KERNELS
    constexpr unsigned kAmxBfloat16 = 1u << 22, kAmxTile = 1u << 24;  // leaf 7, EDX
    constexpr long kRequestPermission = 0x1023, kTileData = 18;       // ARCH_REQ_XCOMP_PERM, XFEATURE_XTILEDATA
    const char* limit = std::getenv("ONEDNN_MAX_CPU_ISA");
    if (limit != nullptr && *limit != '\0' && std::string_view(limit).find("AMX") == std::string_view::npos &&
        std::string_view(limit) != "DEFAULT")
        return false;
    unsigned eax = 0, ebx = 0, ecx = 0, edx = 0;
    return __get_cpuid_count(7, 0, &eax, &ebx, &ecx, &edx) != 0 && (edx & kAmxBfloat16) != 0 && (edx & kAmxTile) != 0 &&
           ::syscall(SYS_arch_prctl, kRequestPermission, kTileData) == 0;
#else
    return false;
#endif
}

}  // namespace

bool may_use_matrix_unit() {
    static const bool may = ask();
    return may;
}

}  // namespace trainyard::models
