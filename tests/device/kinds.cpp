// SPDX-License-Identifier: GPL-3.0-or-later
// The table of device types, and the choice of the back end of collectives.

#include <cstdlib>

#include <gtest/gtest.h>

#include "base/device_kinds.h"
#include "base/elf_file.h"
#include "base/environment_names.h"

namespace trainyard {
namespace {

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
        const DeviceKind* kind = find_device_kind(row.name);
        ASSERT_NE(kind, nullptr) << row.name;
        EXPECT_EQ(device_kind_of_type(row.type), kind);
        EXPECT_EQ(kind->collectives, row.backend);
        EXPECT_EQ(device_mask(row.name), row.mask);
        EXPECT_EQ(choose_backend(row.name, true), row.backend);
    }
    EXPECT_EQ(find_device_kind("abacus"), nullptr);
    EXPECT_EQ(device_kind_of_type(""), nullptr);
    EXPECT_EQ(device_mask("mps"), "CUDA_VISIBLE_DEVICES");
}

TEST(DeviceKinds, CollectivesGoThroughTheHostWhereTheLibraryHasNone) {
    for (const DeviceKind& kind : device_kinds())
        EXPECT_EQ(choose_backend(kind.name, false), "gloo") << kind.name;
    EXPECT_EQ(choose_backend("cpu", true), "gloo");
    EXPECT_EQ(choose_backend("mps", true), "gloo") << "LibTorch has no collectives for it";
    EXPECT_EQ(choose_backend("guarded", false), "gloo");
    EXPECT_EQ(choose_backend("guarded", true), "guarded") << "a kind that the table does not have";
}

TEST(DeviceKinds, TheLibraryOfADeviceIsFoundByItsKind) {
    ::unsetenv(kEnvDeviceLibrary);
    EXPECT_EQ(device_library_file("cpu", "/opt/bin"), "");
    EXPECT_EQ(device_library_file("cuda", "/opt/bin"), "/opt/bin/libtrainyard_nccl.so");
    EXPECT_EQ(device_library_file("npu", "/opt/bin"), "");
    ::setenv(kEnvDeviceLibrary, "/opt/npu.so", 1);
    EXPECT_EQ(device_library_file("npu", "/opt/bin"), "/opt/npu.so");
    EXPECT_EQ(device_library_file("cuda", "/opt/bin"), "/opt/bin/libtrainyard_nccl.so");
    ::unsetenv(kEnvDeviceLibrary);
    EXPECT_TRUE(exports_symbol(TRAINYARD_GUARDED_COLLECTIVES, kDeviceLibrarySymbol));
    EXPECT_FALSE(exports_symbol(TRAINYARD_GUARDED_DEVICE, kDeviceLibrarySymbol));
    EXPECT_FALSE(exports_symbol("/no/such/library.so", kDeviceLibrarySymbol));
}

TEST(DeviceKinds, ObjectsArePaddedToPowersOfTwoOfAMebibyteAtLeast) {
    EXPECT_EQ(padded_object_bytes(0), 1u << 20);
    EXPECT_EQ(padded_object_bytes((1u << 20) + 1), 2u << 20);
    EXPECT_EQ(padded_object_bytes(2u << 20), 2u << 20);
    EXPECT_TRUE(find_device_kind("neuron")->pads_objects);
}

}  // namespace
}  // namespace trainyard
