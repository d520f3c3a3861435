// The table of device types, and the choice of the collectives' backend, compared with Accelerate 1.15 (state.py).

#include <gtest/gtest.h>

#include "settings/device_kinds.h"

namespace trainyard {
namespace {

using settings::BackendChoice;
using settings::choose_backend;

TEST(DeviceKinds, EachHasItsBackEndMaskAndTypeOfSettings) {
    struct Row {
        const char *name, *type, *backend, *mask;
    };
    for (const Row& row :
         {Row{"cuda", "MULTI_GPU", "nccl", "CUDA_VISIBLE_DEVICES"}, Row{"xpu", "MULTI_XPU", "xccl", "ZE_AFFINITY_MASK"},
          Row{"npu", "MULTI_NPU", "hccl", "ASCEND_RT_VISIBLE_DEVICES"},
          Row{"mlu", "MULTI_MLU", "cncl", "MLU_VISIBLE_DEVICES"},
          Row{"sdaa", "MULTI_SDAA", "tccl", "SDAA_VISIBLE_DEVICES"},
          Row{"musa", "MULTI_MUSA", "mccl", "MUSA_VISIBLE_DEVICES"},
          Row{"hpu", "MULTI_HPU", "hccl", "HABANA_VISIBLE_MODULES"},
          Row{"neuron", "MULTI_NEURON", "neuron", "NEURON_RT_VISIBLE_CORES"}}) {
        const settings::DeviceKind* kind = settings::find_device_kind(row.name);
        ASSERT_NE(kind, nullptr) << row.name;
        EXPECT_EQ(settings::device_kind_of_type(row.type), kind);
        EXPECT_EQ(kind->collectives, row.backend);
        EXPECT_EQ(settings::device_mask(row.name), row.mask);
        EXPECT_EQ(choose_backend({.device = row.name, .local_rank_is_set = true, .world_size = 2}), row.backend);
        EXPECT_EQ(choose_backend({.device = row.name}), "") << "a process that nobody launched has no group";
        EXPECT_EQ(choose_backend({.device = row.name, .use_cpu = true, .local_rank_is_set = true}), "gloo");
    }
    EXPECT_EQ(settings::find_device_kind("abacus"), nullptr);
    EXPECT_EQ(settings::device_kind_of_type(""), nullptr);
    EXPECT_EQ(settings::device_mask("mps"), "CUDA_VISIBLE_DEVICES");
}

TEST(DeviceKinds, TheProcessorTakesMpiWhereItIsAndIsNotDeclined) {
    BackendChoice choice{.device = "cpu", .world_size = 2};
    EXPECT_EQ(choose_backend(choice), "gloo");
    choice.has_mpi = true;
    EXPECT_EQ(choose_backend(choice), "mpi");
    choice.asked = "gloo";
    EXPECT_EQ(choose_backend(choice), "gloo");
    EXPECT_EQ(choose_backend({.device = "cpu"}), "");
}

TEST(DeviceKinds, OffloadingNeedsCollectivesOnBothMemories) {
    BackendChoice choice{.device = "cuda", .local_rank_is_set = true, .offloads_or_gathers = true};
    EXPECT_EQ(choose_backend(choice), "cuda:nccl,cpu:gloo");
    choice.device = "xpu";
    EXPECT_EQ(choose_backend(choice), "xpu:xccl,cpu:gloo");
    choice.device = "npu";
    EXPECT_EQ(choose_backend(choice), "hccl");
}

TEST(DeviceKinds, SageMakerAndXlaHaveTheirOwn) {
    EXPECT_EQ(choose_backend({.device = "cuda", .local_rank_is_set = true, .sagemaker_data_parallel = true}), "smddp");
    EXPECT_EQ(choose_backend({.device = "xla"}), "xla");
}

TEST(DeviceKinds, ObjectsArePaddedToPowersOfTwoOfAMebibyteAtLeast) {
    EXPECT_EQ(settings::padded_object_bytes(0), 1u << 20);
    EXPECT_EQ(settings::padded_object_bytes((1u << 20) + 1), 2u << 20);
    EXPECT_EQ(settings::padded_object_bytes(2u << 20), 2u << 20);
    EXPECT_TRUE(settings::find_device_kind("neuron")->pads_objects);
}

}  // namespace
}  // namespace trainyard
