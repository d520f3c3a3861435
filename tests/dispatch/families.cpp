// SPDX-License-Identifier: GPL-3.0-or-later
// Every golden model computes the same wherever its weights lie: resident, on disk, in the processor's memory beside a device, divided among two devices whose
// memory the host cannot touch. A model that is built and not loaded has no bytes of weights.

#include <algorithm>

#include <ATen/ops/allclose.h>
#include <ATen/ops/equal.h>

#include "base/error.h"
#include "dispatch/loaded_case.h"
#include "distributed/parallel/load_device.h"
#include "inference/dispatch/layerwise_casting.h"
#include "support/temporary_folder.h"

namespace trainyard::dispatch {
namespace {

namespace fs = std::filesystem;

std::vector<fs::path> golden_models() {
    std::vector<fs::path> found;
    for (const auto& entry : fs::directory_iterator(test::golden("models")))
        if (entry.is_directory())
            found.push_back(entry.path());
    std::sort(found.begin(), found.end());
    return found;
}

class DispatchedFamilies : public ::testing::TestWithParam<fs::path> {
  protected:
    struct Run {
        test::Outputs first, again;
        PrefetchFigures figures;
        bool offloads = false;
    };

    /// Two passes: what is read ahead of the first unit is used by the second.
    static Run run(const LoadOptions& options) {
        const std::unique_ptr<models::Model> model = test::empty_model(GetParam());
        DispatchedCheckpoint loaded = load_checkpoint_and_dispatch(*model, GetParam(), options);
        Run made;
        made.first = test::forward(*model, GetParam());
        made.again = test::forward(*model, GetParam());
        made.figures = loaded.dispatched->figures();
        made.offloads = loaded.dispatched->has_offloaded_params();
        return made;
    }
    static void expect_same(const test::Outputs& a, const test::Outputs& b) {
        EXPECT_TRUE(at::equal(a.logits, b.logits)) << a.logits.sub(b.logits).abs().max().item<float>();
        EXPECT_EQ(a.loss, b.loss);
    }
    static void expect_close(const test::Outputs& a, const test::Outputs& b, double tolerance = 1e-4) {
        EXPECT_TRUE(at::allclose(a.logits, b.logits, tolerance, tolerance))
            << a.logits.sub(b.logits).abs().max().item<float>();
        EXPECT_NEAR(a.loss, b.loss, tolerance * std::max(1.0, std::abs(b.loss)));
    }
};

TEST_P(DispatchedFamilies, IsBuiltWithoutBytes) {
    const std::unique_ptr<models::Model> model = test::empty_model(GetParam());
    for (const ModelTensor& tensor : tensors_of(*model))
        if (tensor.parameter != nullptr) {
            EXPECT_FALSE(tensor.parameter->value().defined()) << tensor.name;
        }
    init_empty_weights(*model);
    EXPECT_TRUE(is_empty(*model));
    for (const ModelTensor& tensor : tensors_of(*model))
        if (tensor.parameter != nullptr) {
            EXPECT_TRUE(tensor.parameter->value().is_meta()) << tensor.name;
            EXPECT_EQ(tensor.parameter->value().sizes(), at::IntArrayRef(tensor.parameter->shape())) << tensor.name;
        }
}

TEST_P(DispatchedFamilies, FromDiskAsResident) {
    const Run resident = run({});
    EXPECT_FALSE(resident.offloads);
    LoadOptions disk;
    disk.device_map = DeviceMap{{"", "disk"}};
    disk.offload_buffers = true;
    const Run offloaded = run(disk);
    EXPECT_TRUE(offloaded.offloads);
    EXPECT_GT(offloaded.figures.loads, 0u);
    expect_same(offloaded.first, resident.first);
    expect_same(offloaded.again, resident.first);
}

TEST_P(DispatchedFamilies, InHalfPrecisionFromDiskAsResident) {
    LoadOptions resident;
    resident.dtype = at::kBFloat16;
    LoadOptions disk = resident;
    disk.device_map = DeviceMap{{"", "disk"}};
    expect_same(run(disk).again, run(resident).first);
}

TEST_P(DispatchedFamilies, OnDevicesWithHostAndDisk) {
    const c10::Device device = parallel::load_device("guarded", 0, TRAINYARD_GUARDED_DEVICE);
    const Run resident = run({});
    LoadOptions on_device;
    on_device.accelerator = "guarded";
    on_device.device_map = DeviceMap{{"", "0"}};
    expect_close(run(on_device).first, resident.first);
    for (const char* place : {"cpu", "disk"}) {
        SCOPED_TRACE(place);
        LoadOptions offloaded = on_device;
        offloaded.device_map = DeviceMap{{"", place}};
        offloaded.main_device = device;
        const Run made = run(offloaded);
        EXPECT_TRUE(made.offloads);
        expect_close(made.first, resident.first);
        expect_close(made.again, resident.first);
    }
    // Units, then tensors, in turn on two devices, on the host and on disk.
    for (const bool by_unit : {true, false}) {
        SCOPED_TRACE(by_unit ? "units" : "tensors");
        const std::unique_ptr<models::Model> model = test::empty_model(GetParam());
        LoadOptions divided = on_device;
        divided.device_map.emplace();
        const char* places[] = {"0", "cpu", "1", "disk"};
        std::size_t next = 0;
        const parallel::Unit* before = model->units().front();
        for (const ModelTensor& tensor : tensors_of(*model)) {
            if (!by_unit || tensor.unit != before)
                ++next;
            before = tensor.unit;
            (*divided.device_map)[tensor.name] = places[next % 4];
        }
        const Run made = run(divided);
        expect_close(made.first, resident.first);
        expect_close(made.again, resident.first);
    }
}

TEST_P(DispatchedFamilies, LayerwiseCasting) {
    // Stored in a type that holds the rounded values, they give what the compute type gives.
    LoadOptions half;
    half.dtype = at::kBFloat16;
    const Run resident = run(half);
    const std::unique_ptr<models::Model> model = test::empty_model(GetParam());
    load_checkpoint_in_model(*model, GetParam(), {});
    std::map<std::string, at::Tensor> before;
    for (const ModelTensor& tensor : tensors_of(*model))
        if (is_cast_layerwise(tensor))
            before[tensor.name] = tensor.parameter->value();
    load_checkpoint_in_model(*model, GetParam(), half);
    {
        const auto hooks = attach_layerwise_casting_hooks(*model, {at::kBFloat16, at::kBFloat16, {}});
        EXPECT_FALSE(before.empty());
        for (const ModelTensor& tensor : tensors_of(*model))
            if (is_cast_layerwise(tensor)) {
                EXPECT_TRUE(tensor.parameter->value().is_meta()) << tensor.name;
            }
        expect_same(test::forward(*model, GetParam()), resident.first);
    }
    // In 8 bits, what the rounded weights give.
    LoadOptions in_8_bits = half;
    in_8_bits.storage_dtype = at::kFloat8_e4m3fn;
    const Run cast = run(in_8_bits);
    for (const ModelTensor& tensor : tensors_of(*model))
        if (before.contains(tensor.name)) {
            const at::Tensor rounded = before[tensor.name].to(at::kFloat8_e4m3fn).to(at::kBFloat16);
            tensor.place(rounded.dim() < 2 ? rounded.to(at::kFloat) : rounded, rounded);
        }
    expect_same(cast.first, test::forward(*model, GetParam()));
    EXPECT_FALSE(at::equal(cast.first.logits, resident.first.logits));
}

INSTANTIATE_TEST_SUITE_P(Golden, DispatchedFamilies, ::testing::ValuesIn(golden_models()),
                         [](const auto& one) { return test::case_name(one.param.filename().string(), one.index); });

}  // namespace
}  // namespace trainyard::dispatch
