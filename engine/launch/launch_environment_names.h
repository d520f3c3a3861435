#pragma once
// Variables that launchers, supervisors and agents have or give and that ranks do not read; those that ranks read are in protocol.h.

namespace trainyard::launch {

/// "<number>:<start time>" of the process that started the rank and ends it: with the run's folder the mark of all that the rank starts.
inline constexpr const char* kEnvSupervisor = "TRAINYARD_SUPERVISOR";
/// What machines of a run prove to each other that they know. For launchers and agents alone: no rank, and nothing that a rank starts, has it
/// in its environment.
inline constexpr const char* kEnvRunSecret = "TRAINYARD_RUN_SECRET";

}  // namespace trainyard::launch
