// SPDX-License-Identifier: GPL-3.0-or-later
// The number formats of recipes on devices that this machine need not have.

#include "config/recipe/device_checks.h"

#include <map>

#include <gmock/gmock.h>

#include "support/says.h"

namespace trainyard::config {
namespace {

using test::says;
using testing::_;
using testing::ElementsAre;
using testing::IsEmpty;

DeviceFacts processor(std::optional<InstructionSet> set, bool fp16 = false) {
    DeviceFacts facts;
    facts.instructions = set;
    facts.multiplies_fp16 = fp16;
    return facts;
}

DeviceFacts gpu(const char* name) {
    return accelerator_of_name("cuda", name);
}

Ability ability(DeviceFormat format, const DeviceFacts& device) {
    return availability(format, device).ability;
}

TEST(DeviceFormats, GpusAreKnownByTheNamesThatDriversReport) {
    for (const auto& [name, capability] : std::map<const char*, int>{{"NVIDIA H100 80GB HBM3", 90},
                                                                     {"NVIDIA GH200 480GB", 90},
                                                                     {"NVIDIA B200", 100},
                                                                     {"NVIDIA GeForce RTX 5090", 120},
                                                                     {"NVIDIA RTX 6000 Ada Generation", 89},
                                                                     {"NVIDIA L40S", 89},
                                                                     {"NVIDIA GeForce RTX 4090", 89},
                                                                     {"NVIDIA A100-SXM4-80GB", 80},
                                                                     {"NVIDIA A10", 86},
                                                                     {"NVIDIA RTX A3000 Laptop GPU", 86},
                                                                     {"NVIDIA GeForce RTX 3090", 86},
                                                                     {"Tesla T4", 75},
                                                                     {"Quadro RTX 6000", 75},
                                                                     {"Tesla V100-SXM2-16GB", 70},
                                                                     {"Tesla P100-PCIE-16GB", 60},
                                                                     {"Tesla P40", 61},
                                                                     {"NVIDIA TITAN V", 70},
                                                                     {"Tesla K80", 37},
                                                                     {"AMD Instinct MI300X", 0},
                                                                     {"", 0}})
        EXPECT_EQ(gpu(name).compute_capability, capability) << name;
    EXPECT_EQ(read_compute_capability("8.9"), 89);
    EXPECT_EQ(read_compute_capability("12.1"), 121);
    for (const char* other : {"", "9", "9.", ".9", "9.10", "[N/A]", "-1.0"})
        EXPECT_EQ(read_compute_capability(other), 0) << other;
}

TEST(DeviceFormats, ProcessorsAreKnownByTheirFlags) {
    const char* zen4 = "sse2 fma f16c avx2 avx512f avx512dq avx512bw avx512vl avx512_bf16";
    EXPECT_EQ(processor_of_flags(zen4).instructions, InstructionSet::avx512bf16);
    EXPECT_FALSE(processor_of_flags(zen4).multiplies_fp16);
    EXPECT_TRUE(processor_of_flags(std::string(zen4) + " avx512_fp16").multiplies_fp16);
    EXPECT_EQ(processor_of_flags("sse2 avx2 fma f16c").instructions, InstructionSet::avx2);
    EXPECT_EQ(processor_of_flags("sse2 avx2").instructions, InstructionSet::generic) << "products need fma, too";
    EXPECT_FALSE(processor_of_flags("").instructions) << "nothing is known of it";
}

TEST(DeviceFormats, TheTableSaysWhatEachDeviceCanDo) {
    using enum DeviceFormat;
    const DeviceFacts avx2 = processor(InstructionSet::avx2), bf16_set = processor(InstructionSet::avx512bf16);
    EXPECT_EQ(ability(bf16, avx2), Ability::emulated);
    EXPECT_EQ(ability(bf16, bf16_set), Ability::native);
    EXPECT_EQ(ability(fp16, bf16_set), Ability::emulated);
    EXPECT_EQ(ability(fp16, processor(InstructionSet::avx512bf16, true)), Ability::native);
    EXPECT_EQ(ability(bf16, processor(std::nullopt)), Ability::unknown);
    EXPECT_EQ(ability(tf32, bf16_set), Ability::missing);
    for (const DeviceFormat format : {float8_weights, int8, nf4, fp4}) {
        EXPECT_EQ(ability(format, avx2), Ability::native) << choice_name(format);
        EXPECT_EQ(ability(format, gpu("NVIDIA H100")), Ability::missing) << choice_name(format);
    }
    for (const DeviceFormat format : {fp8_e4m3, fp8_e5m2, mxfp8})
        for (const DeviceFacts& device : {avx2, gpu("NVIDIA H100"), gpu("Tesla T4")})
            EXPECT_EQ(ability(format, device), Ability::emulated) << choice_name(format);
    for (const DeviceFormat format : {fp32, optimizer_8bit})
        for (const DeviceFacts& device : {avx2, gpu("Tesla K80")})
            EXPECT_EQ(ability(format, device), Ability::native) << choice_name(format);
    for (const DeviceFormat format : {tf32, bf16}) {
        EXPECT_EQ(ability(format, gpu("NVIDIA A100-SXM4-80GB")), Ability::native) << choice_name(format);
        EXPECT_EQ(ability(format, gpu("Tesla T4")), Ability::missing) << choice_name(format);
        EXPECT_EQ(ability(format, gpu("AMD Instinct MI300X")), Ability::unknown) << choice_name(format);
    }
    EXPECT_EQ(ability(fp16, gpu("Tesla T4")), Ability::native);
    EXPECT_EQ(ability(fp16, gpu("Tesla P40")), Ability::emulated);
    EXPECT_THAT(describe(availability(bf16, gpu("Tesla T4"))),
                says("not on this device: {}", "bf16 needs compute capability 8.0, and Tesla T4 has 7.5"));
}

TEST(DeviceFormats, ARecipeIsRefusedOrNotedForItsKeys) {
    Recipe recipe;
    const DeviceFacts turing = gpu("Tesla T4"), avx2 = processor(InstructionSet::avx2);
    EXPECT_THAT(missing_formats(recipe, turing), IsEmpty());
    EXPECT_THAT(notes_on_formats(recipe, avx2), IsEmpty());
    recipe.training.mixed_precision = Precision::bf16;
    recipe.model.quantization.method = Quantization::nf4;
    std::vector<std::string> keys;
    for (const Problem& problem : missing_formats(recipe, turing)) {
        EXPECT_THAT(problem.message,
                    says("{} does not work on {} ({}): set it to no, or start with --cpu", _, "Tesla T4", _));
        keys.push_back(problem.key);
    }
    EXPECT_THAT(keys, ElementsAre("training.mixed_precision", "quantization.method"));
    EXPECT_THAT(missing_formats(recipe, avx2), IsEmpty());
    EXPECT_THAT(
        notes_on_formats(recipe, avx2),
        ElementsAre(says("{}: {} is emulated on {}: {}", "training.mixed_precision", "bf16", "the processor", _)));
    recipe.training.mixed_precision = Precision::fp8;
    recipe.training.tf32 = true;
    EXPECT_THAT(notes_on_formats(recipe, avx2),
                ElementsAre(says("{}: {} is emulated on {}: {}", "training.mixed_precision", "fp8", "the processor", _),
                            says("{}: has no effect on {}: {}", "training.tf32", "the processor", _)));
}

}  // namespace
}  // namespace trainyard::config
