// SPDX-License-Identifier: GPL-3.0-or-later
// The build's choice for the GPUs of a LibTorch, with folders that look like installations.

#include <cstdlib>
#include <fstream>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "base/run_program.h"
#include "support/temporary_folder.h"

namespace trainyard {
namespace {

namespace fs = std::filesystem;
using testing::AllOf;
using testing::HasSubstr;

class Configure : public testing::Test {
  protected:
    void make(const fs::path& file) const {
        fs::create_directories((folder_.path() / file).parent_path());
        std::ofstream(folder_.path() / file) << "\n";
    }
    std::string found() const {
        ::setenv("ROCM_PATH", (folder_.path() / "rocm").c_str(), 1);
        ::setenv("CUDA_HOME", (folder_.path() / "cuda").c_str(), 1);
        const ProgramResult result =
            run_program({TRAINYARD_CMAKE, "-DTORCH_DIR=" + (folder_.path() / "torch").string(), "-P",
                         TRAINYARD_SOURCE_DIR "/tests/device/print_gpu_collectives.cmake"},
                        "", 60);
        EXPECT_TRUE(result.ok()) << result.error;
        return result.output + result.error;
    }
    test::TemporaryFolder folder_;
};

TEST_F(Configure, ALibTorchOfRocmNeedsHeadersOfHipAndRccl) {
    make("torch/lib/libtorch_hip.so");
    EXPECT_THAT(found(), AllOf(HasSubstr("name=;"), HasSubstr("is for ROCm"), HasSubstr("set ROCM_PATH")));
    make("rocm/include/hip/hip_runtime_api.h");
    EXPECT_THAT(found(), HasSubstr("set ROCM_PATH")) << "RCCL is missing";
    make("rocm/include/rccl/rccl.h");
    EXPECT_THAT(found(), AllOf(HasSubstr("name=RCCL"), HasSubstr("libtorch_hip.so"), HasSubstr("USE_ROCM"),
                               testing::Not(HasSubstr("set ROCM_PATH"))));
}

TEST_F(Configure, ALibTorchOfCudaIsForProcessorsToo) {
    EXPECT_THAT(found(), HasSubstr("name=;")) << "a LibTorch for processors alone";
    make("torch/lib/libtorch_cuda.so");
    make("cuda/include/cuda_runtime_api.h");
    make("cuda/include/nccl.h");
    EXPECT_THAT(found(), AllOf(HasSubstr("name=NCCL"), HasSubstr("libc10_cuda.so"), HasSubstr("problem=\n")));
}

}  // namespace
}  // namespace trainyard
