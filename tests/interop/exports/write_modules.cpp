// SPDX-License-Identifier: GPL-3.0-or-later
// write_modules FOLDER: Sequentials as NAME.onnx, and what LibTorch computes as NAME.safetensors (input, output). For
// prove.py.

#include <cstdio>
#include <exception>
#include <filesystem>
#include <span>

#include <trainyard/onnx_export.h>

#include "accelerator/onnx_models.h"
#include "formats/weights/safetensors.h"

using namespace trainyard;

namespace {

weights::TensorToWrite stored(const char* name, const at::Tensor& tensor) {
    return {name, tensor.scalar_type() == at::kLong ? "I64" : "F32", tensor.sizes().vec(),
            std::span(static_cast<const std::byte*>(tensor.const_data_ptr()), tensor.nbytes())};
}

}  // namespace

int main(int argc, char** argv) {
    if (argc != 2) {
        std::fprintf(stderr, "usage: write_modules FOLDER\n");
        return 2;
    }
    try {
        for (const auto& [name, one] : test::onnx_models()) {
            const std::filesystem::path base = std::filesystem::path(argv[1]) / name;
            export_onnx(one.model, one.input, base.string() + ".onnx");
            const at::Tensor output = one.model.ptr()->forward(one.input).detach().contiguous();
            weights::write_safetensors(base.string() + ".safetensors",
                                       {stored("input", one.input.contiguous()), stored("output", output)});
        }
    } catch (const std::exception& error) {
        std::fprintf(stderr, "%s\n", error.what());
        return 1;
    }
    return 0;
}
