#pragma once
// What supervisor and ranks say to each other over one socket pair per rank ($TRAINYARD_CONTROL_FD): JSON objects, one a line.
// The end of the stream is a message too: a rank whose supervisor is gone ends itself; a supervisor reads what is left, then reaps.
//
// rank -> supervisor
//   {"kind":"heartbeat","step":12,"phase":"reduce","collective":"all_reduce #31","waits_for":"all_reduce #31",
//    "own_step_s":0.02,"resident_bytes":1}                                                               at least once a second
//   {"kind":"progress","step":12,"of":600,"epoch":0.1,"tokens":9216,"samples":144,
//    "loss":4.2,"tokens_per_s":23000.0,"step_s":0.031,"validation_loss":4.1}                              rank 0, at most 10 a second
//   {"kind":"event","event":{...}}                             appended to events.jsonl (journal.h), by the supervisor alone
//   {"kind":"stopping","reason":"..."}                         rank 0: the run's health demands its end, nobody has asked for it
//   {"kind":"outcome","id":"...","outcome":"done","text":"..."}  answer to a request
//   {"kind":"failure","message":"...","step":12,"phase":"reduce","secondary":true}   before exit 1; secondary: a peer was lost
// supervisor -> rank 0
//   {"kind":"request","request":{...}}                         request.h; stop and checkpoint are taken at the next step
//
// Exit codes of a rank: 0 trained to the end, 75 stopped on request after a checkpoint, 1 failed, 2 bad input.
//
// Environment of a rank: torchrun's variables (RANK, LOCAL_RANK, WORLD_SIZE, LOCAL_WORLD_SIZE, GROUP_RANK, MASTER_ADDR,
// MASTER_PORT, OMP_NUM_THREADS), Accelerate's (ACCELERATE_USE_CPU, ACCELERATE_MIXED_PRECISION), and the names below.

namespace trainyard::launch {

inline constexpr const char* kEnvRunDirectory = "TRAINYARD_RUN_DIR";
inline constexpr const char* kEnvControlFd = "TRAINYARD_CONTROL_FD";
inline constexpr const char* kEnvGeneration = "TRAINYARD_GENERATION";
/// Listening socket bound to the loopback address (rank 0 only); MASTER_PORT is its port. TCPStore would bind every interface.
inline constexpr const char* kEnvStoreFd = "TRAINYARD_STORE_FD";
/// Address of the interface that this rank's connections bind to; not set: the loopback address.
inline constexpr const char* kEnvAddress = "TRAINYARD_ADDRESS";
/// The library that brings a device which is neither the processor nor CUDA's (parallel/load_device.h).
inline constexpr const char* kEnvDeviceLibrary = "TRAINYARD_DEVICE_LIBRARY";

}  // namespace trainyard::launch
