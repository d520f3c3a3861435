// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
// What the slices of a trace are: by category (Kineto's names and the engine's own) what they do, by name which family they belong to.

#include <cstdint>
#include <string_view>
#include <vector>

#include "observe/traces/trace.h"

namespace trainyard::traces {

enum class Role : std::uint8_t {
    other,
    operation,   ///< an operator of the host
    annotation,  ///< a named range of the program
    runtime,     ///< a call of a device's runtime or driver
    python,
    kernel,
    copy,        ///< copies and fills on a device
    phase,       ///< of the engine: data, forward, backward, communicate, optimizer, other
    unit,        ///< of the engine: forward or backward of one block of the model
    collective,  ///< of the engine
};

/// Returns the role of every category of the trace, by its number.
std::vector<Role> roles_of(const Trace& trace);
Role role_of(std::string_view category);
constexpr bool on_thread(Role role) {
    return role == Role::operation || role == Role::annotation || role == Role::runtime || role == Role::python;
}
constexpr bool on_device(Role role) {
    return role == Role::kernel || role == Role::copy;
}

/// Communication by its name: NCCL's kernels, or the operations of c10d on the host.
bool is_communication(std::string_view name, Role role);
/// Waiting for data, by the names that loaders give themselves.
bool is_data_wait(std::string_view name, Role role);

enum class Family : std::uint8_t {
    matmul,
    attention,
    norm,
    loss,
    optimizer,
    communication,
    copy,
    data,
    elementwise,
    other
};
inline constexpr std::size_t kFamilies = 10;
const char* to_string(Family family);
/// From parts of names that PyTorch, cuBLAS, cuDNN, oneDNN and the engine use.
Family family_of(std::string_view name, Role role);

/// A table of families by name number, filled when first asked for.
class FamilyTable {
  public:
    explicit FamilyTable(const Trace& trace)
        : trace_(&trace), roles_(roles_of(trace)), families_(trace.names.size(), kUnknown) {}
    Family family(const Slice& slice);
    Role role(const Slice& slice) const { return roles_[slice.category]; }

  private:
    static constexpr std::uint8_t kUnknown = 255;
    const Trace* trace_;
    std::vector<Role> roles_;
    std::vector<std::uint8_t> families_;
};

}  // namespace trainyard::traces
