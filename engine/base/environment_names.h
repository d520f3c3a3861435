// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
// Names of the environment variables that programs and libraries of this repository share: what a launcher sets and a
// rank reads has its name here once. A variable that a single file uses has its name there; the variables of
// Accelerate that only Python scripts read are in the tables of keys (config/accelerate/schema_*.cpp).

#include <array>
#include <string_view>

namespace trainyard {

// --- torchrun -----------------------------------------------------------------------------------------------------

inline constexpr const char* kEnvRank = "RANK";
inline constexpr const char* kEnvLocalRank = "LOCAL_RANK";
inline constexpr const char* kEnvWorldSize = "WORLD_SIZE";
inline constexpr const char* kEnvLocalWorldSize = "LOCAL_WORLD_SIZE";
inline constexpr const char* kEnvGroupRank = "GROUP_RANK";
inline constexpr const char* kEnvGroupWorldSize = "GROUP_WORLD_SIZE";
inline constexpr const char* kEnvRoleName = "ROLE_NAME";
inline constexpr const char* kEnvRoleRank = "ROLE_RANK";
inline constexpr const char* kEnvRoleWorldSize = "ROLE_WORLD_SIZE";
inline constexpr const char* kEnvMasterAddress = "MASTER_ADDR";
inline constexpr const char* kEnvMasterPort = "MASTER_PORT";
inline constexpr const char* kEnvRestartCount = "TORCHELASTIC_RESTART_COUNT";
inline constexpr const char* kEnvMaxRestarts = "TORCHELASTIC_MAX_RESTARTS";
inline constexpr const char* kEnvElasticRunId = "TORCHELASTIC_RUN_ID";
inline constexpr const char* kEnvUseAgentStore = "TORCHELASTIC_USE_AGENT_STORE";
inline constexpr const char* kEnvThreads = "OMP_NUM_THREADS";

// --- MPI launchers ------------------------------------------------------------------------------------------------

inline constexpr const char* kEnvPmiRank = "PMI_RANK";
inline constexpr const char* kEnvPmiSize = "PMI_SIZE";
inline constexpr const char* kEnvMpiLocalRanks = "MPI_LOCALNRANKS";
inline constexpr const char* kEnvOpenMpiRank = "OMPI_COMM_WORLD_RANK";
inline constexpr const char* kEnvOpenMpiSize = "OMPI_COMM_WORLD_SIZE";
inline constexpr const char* kEnvOpenMpiLocalSize = "OMPI_COMM_WORLD_LOCAL_SIZE";
inline constexpr const char* kEnvMvapichRank = "MV2_COMM_WORLD_RANK";
inline constexpr const char* kEnvMvapichSize = "MV2_COMM_WORLD_SIZE";
inline constexpr const char* kEnvMvapichLocalSize = "MV2_COMM_WORLD_LOCAL_SIZE";

// --- SLURM --------------------------------------------------------------------------------------------------------

inline constexpr const char* kEnvSlurmJob = "SLURM_JOB_ID";
inline constexpr const char* kEnvSlurmJobHosts = "SLURM_JOB_NODELIST";
inline constexpr const char* kEnvSlurmStepHosts = "SLURM_STEP_NODELIST";

// --- devices ------------------------------------------------------------------------------------------------------

inline constexpr const char* kEnvVisibleGpus = "CUDA_VISIBLE_DEVICES";

// --- Accelerate, where programs on Trainyard's library read them ----------------------------------------------------

inline constexpr const char* kEnvUseCpu = "ACCELERATE_USE_CPU";
inline constexpr const char* kEnvTorchDevice = "ACCELERATE_TORCH_DEVICE";
inline constexpr const char* kEnvDebugMode = "ACCELERATE_DEBUG_MODE";
inline constexpr const char* kEnvCpuAffinity = "ACCELERATE_CPU_AFFINITY";
inline constexpr const char* kEnvLogLevel = "ACCELERATE_LOG_LEVEL";
inline constexpr const char* kEnvMixedPrecision = "ACCELERATE_MIXED_PRECISION";
inline constexpr const char* kEnvAccumulationSteps = "ACCELERATE_GRADIENT_ACCUMULATION_STEPS";
inline constexpr const char* kEnvGradientClipping = "ACCELERATE_GRADIENT_CLIPPING";
inline constexpr const char* kEnvUseDeepspeed = "ACCELERATE_USE_DEEPSPEED";
inline constexpr const char* kEnvDeepspeedFile = "ACCELERATE_DEEPSPEED_CONFIG_FILE";
inline constexpr const char* kEnvDeepspeedFields = "ACCELERATE_CONFIG_DS_FIELDS";
inline constexpr const char* kEnvZeroStage = "ACCELERATE_DEEPSPEED_ZERO_STAGE";
inline constexpr const char* kEnvOffloadOptimizer = "ACCELERATE_DEEPSPEED_OFFLOAD_OPTIMIZER_DEVICE";
inline constexpr const char* kEnvOffloadOptimizerFolder = "ACCELERATE_DEEPSPEED_OFFLOAD_OPTIMIZER_NVME_PATH";
inline constexpr const char* kEnvOffloadParameters = "ACCELERATE_DEEPSPEED_OFFLOAD_PARAM_DEVICE";
inline constexpr const char* kEnvOffloadParametersFolder = "ACCELERATE_DEEPSPEED_OFFLOAD_PARAM_NVME_PATH";
inline constexpr const char* kEnvSave16bit = "ACCELERATE_DEEPSPEED_ZERO3_SAVE_16BIT_MODEL";
inline constexpr const char* kEnvMoeLayers = "ACCELERATE_DEEPSPEED_MOE_LAYER_CLS_NAMES";
inline constexpr const char* kEnvUseFsdp = "ACCELERATE_USE_FSDP";
inline constexpr const char* kEnvFsdpVersion = "FSDP_VERSION";
inline constexpr const char* kEnvFsdpStrategy = "FSDP_SHARDING_STRATEGY";
inline constexpr const char* kEnvFsdpOffload = "FSDP_OFFLOAD_PARAMS";
inline constexpr const char* kEnvFsdpCheckpointing = "FSDP_ACTIVATION_CHECKPOINTING";
inline constexpr const char* kEnvFsdpCheckpointingOffload = "FSDP_ACTIVATION_CHECKPOINTING_OFFLOAD";
inline constexpr const char* kEnvFsdpWrapPolicy = "FSDP_AUTO_WRAP_POLICY";
inline constexpr const char* kEnvFsdpWrapClasses = "FSDP_TRANSFORMER_CLS_TO_WRAP";
inline constexpr const char* kEnvFsdpWrapSize = "FSDP_MIN_NUM_PARAMS";
inline constexpr const char* kEnvFsdpReshard = "FSDP_RESHARD_AFTER_FORWARD";
inline constexpr const char* kEnvFsdpStateDict = "FSDP_STATE_DICT_TYPE";
inline constexpr const char* kEnvFsdpIgnored = "FSDP_IGNORED_MODULES";
inline constexpr const char* kEnvFsdpLoadsOnce = "FSDP_CPU_RAM_EFFICIENT_LOADING";
inline constexpr const char* kEnvFsdpSync = "FSDP_SYNC_MODULE_STATES";
inline constexpr const char* kEnvUseMegatron = "ACCELERATE_USE_MEGATRON_LM";
inline constexpr const char* kEnvUseMesh = "ACCELERATE_USE_PARALLELISM_CONFIG";
inline constexpr const char* kEnvFp8Backend = "ACCELERATE_FP8_BACKEND";
inline constexpr const char* kEnvFp8Format = "ACCELERATE_FP8_FORMAT";
inline constexpr const char* kEnvFp8Margin = "ACCELERATE_FP8_MARGIN";
inline constexpr const char* kEnvFp8Interval = "ACCELERATE_FP8_INTERVAL";
inline constexpr const char* kEnvFp8History = "ACCELERATE_FP8_AMAX_HISTORY_LEN";
inline constexpr const char* kEnvFp8Algorithm = "ACCELERATE_FP8_AMAX_COMPUTE_ALGO";
inline constexpr const char* kEnvFp8FullFprop = "ACCELERATE_FP8_OVERRIDE_FPROP";
inline constexpr const char* kEnvFp8FullDgrad = "ACCELERATE_FP8_OVERRIDE_DGRAD";
inline constexpr const char* kEnvFp8FullWgrad = "ACCELERATE_FP8_OVERRIDE_WGRAD";
inline constexpr const char* kEnvFp8Blocks = "ACCELERATE_FP8_USE_MXFP8_BLOCK_SCALING";
inline constexpr const char* kEnvFp8Gather = "ACCELERATE_FP8_ENABLE_FSDP_FLOAT8_ALL_GATHER";
inline constexpr const char* kEnvMeshReplicas = "PARALLELISM_CONFIG_DP_REPLICATE_SIZE";
inline constexpr const char* kEnvMeshTensor = "PARALLELISM_CONFIG_TP_SIZE";
inline constexpr const char* kEnvMeshContext = "PARALLELISM_CONFIG_CP_SIZE";
inline constexpr const char* kEnvMeshSequence = "PARALLELISM_CONFIG_SP_SIZE";
inline constexpr const char* kEnvMeshShard = "PARALLELISM_CONFIG_DP_SHARD_SIZE";

/// Every variable of Accelerate that Trainyard's library acts on or refuses. Launchers give no others to programs that
/// are linked with it (launch/plan/library_program.h).
inline constexpr std::array kAccelerateVariables = {kEnvUseCpu,
                                                    kEnvTorchDevice,
                                                    kEnvDebugMode,
                                                    kEnvCpuAffinity,
                                                    kEnvLogLevel,
                                                    kEnvMixedPrecision,
                                                    kEnvAccumulationSteps,
                                                    kEnvUseDeepspeed,
                                                    kEnvDeepspeedFile,
                                                    kEnvDeepspeedFields,
                                                    kEnvZeroStage,
                                                    kEnvGradientClipping,
                                                    kEnvOffloadOptimizer,
                                                    kEnvOffloadOptimizerFolder,
                                                    kEnvOffloadParameters,
                                                    kEnvOffloadParametersFolder,
                                                    kEnvSave16bit,
                                                    kEnvMoeLayers,
                                                    kEnvUseFsdp,
                                                    kEnvFsdpVersion,
                                                    kEnvFsdpStrategy,
                                                    kEnvFsdpOffload,
                                                    kEnvFsdpCheckpointing,
                                                    kEnvFsdpCheckpointingOffload,
                                                    kEnvFsdpWrapPolicy,
                                                    kEnvFsdpWrapClasses,
                                                    kEnvFsdpWrapSize,
                                                    kEnvFsdpReshard,
                                                    kEnvFsdpStateDict,
                                                    kEnvFsdpIgnored,
                                                    kEnvFsdpLoadsOnce,
                                                    kEnvFsdpSync,
                                                    kEnvUseMegatron,
                                                    kEnvFp8Backend,
                                                    kEnvFp8Format,
                                                    kEnvFp8Margin,
                                                    kEnvFp8Interval,
                                                    kEnvFp8History,
                                                    kEnvFp8Algorithm,
                                                    kEnvFp8FullFprop,
                                                    kEnvFp8FullDgrad,
                                                    kEnvFp8FullWgrad,
                                                    kEnvFp8Blocks,
                                                    kEnvFp8Gather,
                                                    kEnvUseMesh,
                                                    kEnvMeshReplicas,
                                                    kEnvMeshTensor,
                                                    kEnvMeshContext,
                                                    kEnvMeshSequence,
                                                    kEnvMeshShard};

/// True for names that Accelerate defines, also where only its Python code reads them.
constexpr bool is_accelerate_variable(std::string_view name) {
    for (const std::string_view prefix : {"ACCELERATE_", "FSDP_", "PARALLELISM_CONFIG_", "MEGATRON_LM_"})
        if (name.starts_with(prefix))
            return true;
    return false;
}

// --- Trainyard ----------------------------------------------------------------------------------------------------

/// Folder of all runs.
inline constexpr const char* kEnvRuns = "TRAINYARD_RUNS";
/// Program that runs one rank of a recipe, instead of the one beside the launcher.
inline constexpr const char* kEnvWorker = "TRAINYARD_WORKER";
/// Python that runs scripts, instead of python3 of PATH.
inline constexpr const char* kEnvPython = "TRAINYARD_PYTHON";
/// Folder of the run that a rank belongs to.
inline constexpr const char* kEnvRunDirectory = "TRAINYARD_RUN_DIR";
/// Descriptor of the rank's end of its control channel (launch/supervisor/messages.h).
inline constexpr const char* kEnvControlFd = "TRAINYARD_CONTROL_FD";
/// Number of the start of the ranks within a run, from 1.
inline constexpr const char* kEnvGeneration = "TRAINYARD_GENERATION";
/// Most samples of a rank's micro-batch, found where memory ran out (training.auto_find_batch_size).
inline constexpr const char* kEnvBatchSize = "TRAINYARD_BATCH_SIZE";
/// Listening socket bound to the loopback address (rank 0 only); MASTER_PORT is its port. TCPStore would bind every
/// interface.
inline constexpr const char* kEnvStoreFd = "TRAINYARD_STORE_FD";
/// Address of the interface that this rank's connections bind to; not set: the loopback address.
inline constexpr const char* kEnvAddress = "TRAINYARD_ADDRESS";
/// Library of a device that is neither the processor nor CUDA's (distributed/parallel/load_device.h).
inline constexpr const char* kEnvDeviceLibrary = "TRAINYARD_DEVICE_LIBRARY";
/// "<number>:<start time>" of the process that started the rank and ends it: with the run's folder the mark of all that
/// the rank starts.
inline constexpr const char* kEnvSupervisor = "TRAINYARD_SUPERVISOR";
/// Secret of a run, from which its machines derive the key of their connections (launch/supervisor/secure_channel.h).
/// Only launchers and agents have it: it is removed from the environment of ranks.
inline constexpr const char* kEnvRunSecret = "TRAINYARD_RUN_SECRET";

}  // namespace trainyard
