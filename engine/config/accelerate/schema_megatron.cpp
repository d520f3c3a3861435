// SPDX-License-Identifier: GPL-3.0-or-later
// megatron_lm_config. Source: MegatronLMPlugin and the Megatron-LM flags of launch.

#include "config/accelerate/schema_rows.h"

namespace trainyard::settings {

namespace {

bool is_megatron(const Settings& settings) {
    return settings.text("distributed_type") == "MEGATRON_LM";
}

}  // namespace

void add_megatron_keys(std::vector<Key>& keys) {
    SectionRows row(keys, Section::megatron, "Megatron-LM", "Megatron-LM", is_megatron,
                    "distributed_type is MEGATRON_LM");
    row("megatron_lm_tp_degree", Type::integer, "Tensor parallel", "Processes that share each layer")
        .range(1)
        .flag("--megatron_lm_tp_degree", 1)
        .when_set("MEGATRON_LM_TP_DEGREE")
        .since("0.14");
    row("megatron_lm_pp_degree", Type::integer, "Pipeline parallel", "Stages that the layers are spread over")
        .range(1)
        .flag("--megatron_lm_pp_degree", 1)
        .when_set("MEGATRON_LM_PP_DEGREE")
        .since("0.14");
    row("megatron_lm_num_micro_batches", Type::integer, "Micro batches",
        "Parts of a batch on their way in the pipeline")
        .range(1)
        .effective(1)
        .flag("--megatron_lm_num_micro_batches")
        .when_set("MEGATRON_LM_NUM_MICRO_BATCHES")
        .since("0.14")
        .applies(
            [](const Settings& settings) {
                return is_megatron(settings) && settings.integer("megatron_lm_config.megatron_lm_pp_degree", 1) > 1;
            },
            "megatron_lm_pp_degree is above 1");
    row("megatron_lm_sequence_parallelism", Type::boolean, "Sequence parallel",
        "Spread norms and dropout over the tensor-parallel processes")
        .effective(false)
        .flag("--megatron_lm_sequence_parallelism")
        .when_set("MEGATRON_LM_SEQUENCE_PARALLELISM")
        .since("0.14")
        .applies(
            [](const Settings& settings) {
                return is_megatron(settings) && settings.integer("megatron_lm_config.megatron_lm_tp_degree", 1) > 1;
            },
            "megatron_lm_tp_degree is above 1");
    row("megatron_lm_recompute_activations", Type::boolean, "Recompute activations",
        "Compute the attention's activations again in the backward pass: less memory")
        .effective(false)
        .flag("--megatron_lm_recompute_activations")
        .when_set("MEGATRON_LM_RECOMPUTE_ACTIVATIONS")
        .since("0.14");
    row("megatron_lm_use_distributed_optimizer", Type::boolean, "Distributed optimizer",
        "Spread the optimizer state over the data-parallel processes")
        .effective(false)
        .flag("--megatron_lm_use_distributed_optimizer")
        .when_set("MEGATRON_LM_USE_DISTRIBUTED_OPTIMIZER")
        .since("0.14");
    row("megatron_lm_gradient_clipping", Type::number, "Gradient clipping", "Largest norm of the gradient; 0 is off")
        .range(0)
        .flag("--megatron_lm_gradient_clipping", 1.0)
        .when_set("MEGATRON_LM_GRADIENT_CLIPPING")
        .since("0.14");
    row("megatron_lm_use_custom_fsdp", Type::boolean, "Megatron's FSDP", "Shard parameters with Megatron's own FSDP")
        .flag("--megatron_lm_use_custom_fsdp", false)
        .always("MEGATRON_LM_USE_CUSTOM_FSDP")
        .since("1.13");
    row("megatron_lm_no_load_optim", Type::boolean, "Without optimizer when loading",
        "Leave the optimizer state out when a checkpoint is loaded")
        .flag("--megatron_lm_no_load_optim", false)
        .always("MEGATRON_LM_NO_LOAD_OPTIM")
        .since("1.13");
    row("megatron_lm_no_save_optim", Type::boolean, "Without optimizer when saving",
        "Leave the optimizer state out when a checkpoint is saved")
        .flag("--megatron_lm_no_save_optim", false)
        .always("MEGATRON_LM_NO_SAVE_OPTIM")
        .since("1.13");
    row("megatron_lm_eod_mask_loss", Type::boolean, "No loss at document ends",
        "Leave the token that ends a document out of the loss")
        .flag("--megatron_lm_eod_mask_loss", false)
        .always("MEGATRON_LM_EOD_MASK_LOSS")
        .since("1.13");
    row("megatron_lm_optimizer_cpu_offload", Type::boolean, "Optimizer on the CPU",
        "Keep the optimizer state in the main memory and step there")
        .flag("--megatron_lm_optimizer_cpu_offload", false)
        .always("MEGATRON_LM_OPTIMIZER_CPU_OFFLOAD")
        .since("1.13");
    row("megatron_lm_overlap_cpu_optimizer_d2h_h2d", Type::boolean, "Overlap transfers",
        "Move gradients and parameters while the optimizer on the CPU steps")
        .flag("--megatron_lm_overlap_cpu_optimizer_d2h_h2d", false)
        .always("MEGATRON_LM_OVERLAP_CPU_OPTIMIZER_D2H_H2D")
        .since("1.13");
    row("megatron_lm_use_precision_aware_optimizer", Type::boolean, "Precision-aware optimizer",
        "Keep optimizer state and main parameters in formats of fewer bits")
        .flag("--megatron_lm_use_precision_aware_optimizer", false)
        .always("MEGATRON_LM_USE_PRECISION_AWARE_OPTIMIZER")
        .since("1.13");
    row("megatron_lm_decoder_last_pipeline_num_layers", Type::integer, "Layers of the last stage",
        "Layers in the last pipeline stage; without it all stages have as many")
        .range(1)
        .flag("--megatron_lm_decoder_last_pipeline_num_layers")
        .when_set("MEGATRON_LM_DECODER_LAST_PIPELINE_NUM_LAYERS")
        .since("1.13");
    row("megatron_lm_recompute_granularity", Type::choice, "Recompute what",
        "`full` computes whole layers again, `selective` only the attention")
        .choices({"full", "selective"})
        .effective("full")
        .flag("--megatron_lm_recompute_granularity")
        .when_set("MEGATRON_LM_RECOMPUTE_GRANULARITY")
        .since("1.13");
    row("megatron_lm_recompute_method", Type::choice, "Recompute how",
        "`uniform` groups all layers, `block` takes the first layers of each stage")
        .choices({"uniform", "block"})
        .effective("uniform")
        .flag("--megatron_lm_recompute_method")
        .when_set("MEGATRON_LM_RECOMPUTE_METHOD")
        .since("1.13");
    row("megatron_lm_recompute_num_layers", Type::integer, "Recompute layers",
        "Layers of a group (`uniform`) or of a stage (`block`)")
        .range(1)
        .effective(1)
        .flag("--megatron_lm_recompute_num_layers")
        .when_set("MEGATRON_LM_RECOMPUTE_NUM_LAYERS")
        .since("1.13");
    row("megatron_lm_attention_backend", Type::boolean, "Choose attention kernels",
        "Let Megatron choose the attention kernel (flash, fused, unfused)")
        .effective(true)
        .flag("--megatron_lm_attention_backend")
        .when_set("MEGATRON_LM_ATTENTION_BACKEND")
        .since("1.13");
    row("megatron_lm_expert_model_parallel_size", Type::integer, "Expert parallel",
        "Processes that the experts are spread over")
        .range(1)
        .effective(1)
        .flag("--megatron_lm_expert_model_parallel_size")
        .when_set("MEGATRON_LM_EXPERT_MODEL_PARALLEL_SIZE")
        .since("1.13");
    row("megatron_lm_expert_tensor_parallel_size", Type::integer, "Tensor parallel of experts",
        "Processes that share each expert")
        .range(1)
        .effective(1)
        .flag("--megatron_lm_expert_tensor_parallel_size")
        .when_set("MEGATRON_LM_EXPERT_TENSOR_PARALLEL_SIZE")
        .since("1.13");
    row("megatron_lm_context_parallel_size", Type::integer, "Context parallel", "Processes that share each sequence")
        .range(1)
        .effective(1)
        .flag("--megatron_lm_context_parallel_size")
        .when_set("MEGATRON_LM_CONTEXT_PARALLEL_SIZE")
        .since("1.13");
    row("megatron_lm_attention_dropout", Type::number, "Dropout in attention", "Share of attention weights left out")
        .range(0, 1)
        .effective(0.0)
        .flag("--megatron_lm_attention_dropout")
        .when_set("MEGATRON_LM_ATTENTION_DROPOUT")
        .since("1.13");
    row("megatron_lm_hidden_dropout", Type::number, "Dropout of hidden states", "Share of hidden values left out")
        .range(0, 1)
        .effective(0.0)
        .flag("--megatron_lm_hidden_dropout")
        .when_set("MEGATRON_LM_HIDDEN_DROPOUT")
        .since("1.13");
    row("megatron_lm_attention_softmax_in_fp32", Type::boolean, "Softmax in fp32",
        "Compute the attention's softmax in single precision")
        .effective(true)
        .flag("--megatron_lm_attention_softmax_in_fp32")
        .when_set("MEGATRON_LM_ATTENTION_SOFTMAX_IN_FP32")
        .since("1.13");
    row("megatron_lm_calculate_per_token_loss", Type::boolean, "Loss per token",
        "Average the loss over all tokens of a step instead of over micro batches")
        .effective(true)
        .flag("--megatron_lm_calculate_per_token_loss")
        .when_set("MEGATRON_LM_CALCULATE_PER_TOKEN_LOSS")
        .since("1.13");
    row("megatron_lm_use_rotary_position_embeddings", Type::boolean, "Rotary positions",
        "Use rotary position embeddings")
        .effective(true)
        .flag("--megatron_lm_use_rotary_position_embeddings")
        .when_set("MEGATRON_LM_USE_ROTARY_POSITION_EMBEDDINGS")
        .since("1.13");
}

}  // namespace trainyard::settings
