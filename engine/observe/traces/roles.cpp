// SPDX-License-Identifier: GPL-3.0-or-later
#include "observe/traces/roles.h"

#include <algorithm>
#include <array>
#include <string>

#include "base/letter_case.h"

namespace trainyard::traces {

namespace {

struct RoleRow {
    std::string_view category;
    Role role;
};
constexpr std::array kRoles{
    RoleRow{"cpu_op", Role::operation},
    RoleRow{"operator", Role::operation},  // earlier versions of the engine
    RoleRow{"backward", Role::operation},
    RoleRow{"user_annotation", Role::annotation},
    RoleRow{"cuda_runtime", Role::runtime},
    RoleRow{"cuda_driver", Role::runtime},
    RoleRow{"xpu_runtime", Role::runtime},
    RoleRow{"mtia_runtime", Role::runtime},
    RoleRow{"privateuse1_runtime", Role::runtime},
    RoleRow{"python_function", Role::python},
    RoleRow{"kernel", Role::kernel},
    RoleRow{"gpu_memcpy", Role::copy},
    RoleRow{"gpu_memset", Role::copy},
    RoleRow{"phase", Role::phase},
    RoleRow{"unit", Role::unit},
    RoleRow{"collective", Role::collective},
};

struct FamilyRow {
    std::string_view part;  ///< of the name, in lower case
    Family family;
};
/// The first row that fits counts: special names before general ones.
constexpr std::array kFamilyRows{
    FamilyRow{"nccl", Family::communication},
    FamilyRow{"gloo:", Family::communication},
    FamilyRow{"c10d::", Family::communication},
    FamilyRow{"all_reduce", Family::communication},
    FamilyRow{"all_gather", Family::communication},
    FamilyRow{"reduce_scatter", Family::communication},
    FamilyRow{"memcpy", Family::copy},
    FamilyRow{"memset", Family::copy},
    FamilyRow{"copy_", Family::copy},
    FamilyRow{"flash", Family::attention},
    FamilyRow{"fmha", Family::attention},
    FamilyRow{"attention", Family::attention},
    FamilyRow{"softmax_warp", Family::attention},
    FamilyRow{"cross_entropy", Family::loss},
    FamilyRow{"nll_loss", Family::loss},
    FamilyRow{"log_softmax", Family::loss},
    FamilyRow{"logsumexp", Family::loss},
    FamilyRow{"loss", Family::loss},
    FamilyRow{"softmax", Family::attention},
    FamilyRow{"multi_tensor_apply", Family::optimizer},
    FamilyRow{"fused_adam", Family::optimizer},
    FamilyRow{"optimizer.", Family::optimizer},
    FamilyRow{"optimizer", Family::optimizer},
    FamilyRow{"adamw", Family::optimizer},
    FamilyRow{"foreach", Family::optimizer},
    FamilyRow{"layer_norm", Family::norm},
    FamilyRow{"layernorm", Family::norm},
    FamilyRow{"rms_norm", Family::norm},
    FamilyRow{"rmsnorm", Family::norm},
    FamilyRow{"batch_norm", Family::norm},
    FamilyRow{"group_norm", Family::norm},
    FamilyRow{"native_norm", Family::norm},
    FamilyRow{"gemm", Family::matmul},
    FamilyRow{"gemv", Family::matmul},
    FamilyRow{"addmm", Family::matmul},
    FamilyRow{"bmm", Family::matmul},
    FamilyRow{"matmul", Family::matmul},
    FamilyRow{"aten::mm", Family::matmul},
    FamilyRow{"mmbackward", Family::matmul},
    FamilyRow{"linear", Family::matmul},
    FamilyRow{"conv", Family::matmul},
    FamilyRow{"cutlass", Family::matmul},
    FamilyRow{"einsum", Family::matmul},
    FamilyRow{"dataloader", Family::data},
    FamilyRow{"elementwise", Family::elementwise},
    FamilyRow{"gelu", Family::elementwise},
    FamilyRow{"relu", Family::elementwise},
    FamilyRow{"silu", Family::elementwise},
    FamilyRow{"aten::add", Family::elementwise},
    FamilyRow{"aten::mul", Family::elementwise},
    FamilyRow{"aten::sub", Family::elementwise},
    FamilyRow{"aten::div", Family::elementwise},
    FamilyRow{"aten::fill_", Family::elementwise},
    FamilyRow{"aten::zero_", Family::elementwise},
};

std::string lower_case(std::string_view text) {
    constexpr std::size_t kLooked = 512;  // template arguments of kernels can fill pages
    return text::lower(text.substr(0, kLooked));
}

}  // namespace

Role role_of(std::string_view category) {
    const auto* row =
        std::find_if(kRoles.begin(), kRoles.end(), [&](const RoleRow& one) { return one.category == category; });
    return row == kRoles.end() ? Role::other : row->role;
}

std::vector<Role> roles_of(const Trace& trace) {
    std::vector<Role> roles;
    for (std::size_t i = 0; i < trace.categories.size(); ++i)
        roles.push_back(role_of(trace.categories[i]));
    return roles;
}

bool is_communication(std::string_view name, Role role) {
    if (role == Role::collective)
        return true;
    const std::string lower = lower_case(name.substr(0, 16));
    if (role == Role::kernel)
        return lower.starts_with("nccl");
    if (role != Role::operation && role != Role::annotation)
        return false;
    return lower.starts_with("gloo:") || lower.starts_with("nccl:") || lower.starts_with("mpi:") ||
           lower.starts_with("c10d::") || lower.starts_with("record_param_comm");
}

bool is_data_wait(std::string_view name, Role role) {
    if (role == Role::phase)
        return name == "data";
    return (role == Role::annotation || role == Role::operation) &&
           (name.starts_with("enumerate(DataLoader)") || name.find("_next_data") != std::string_view::npos);
}

const char* to_string(Family family) {
    constexpr std::array<const char*, kFamilies> kNames{
        "matmul", "attention", "norm", "loss", "optimizer", "communication", "copy", "data", "elementwise", "other"};
    return kNames[static_cast<std::size_t>(family)];
}

Family family_of(std::string_view name, Role role) {
    if (role == Role::collective)
        return Family::communication;
    if (role == Role::copy)
        return Family::copy;
    if (role == Role::phase)
        return name == "data"          ? Family::data
               : name == "communicate" ? Family::communication
               : name == "optimizer"   ? Family::optimizer
                                       : Family::other;
    const std::string lower = lower_case(name);
    for (const FamilyRow& row : kFamilyRows)
        if (lower.find(row.part) != std::string::npos)
            return row.family;
    return Family::other;
}

Family FamilyTable::family(const Slice& slice) {
    std::uint8_t& known = families_[slice.name];
    if (known == kUnknown)
        known = static_cast<std::uint8_t>(family_of(trace_->name(slice), roles_[slice.category]));
    return static_cast<Family>(known);
}

}  // namespace trainyard::traces
