// SPDX-License-Identifier: GPL-3.0-or-later
#include "checkpoint/snapshot.h"

#include <array>

#include <ATen/ops/equal.h>
#include <ATen/ops/full.h>

#include <gtest/gtest.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

namespace trainyard::checkpoint {
namespace {

long page_faults() {
    rusage usage{};
    ::getrusage(RUSAGE_SELF, &usage);
    return usage.ru_minflt;
}

TEST(Snapshot, AForkBetweenTwoCopiesMakesTheNextNoSlower) {
    constexpr std::int64_t kElements = 8 << 20;
    FilesToSave files{{"model.safetensors", WeightsFile{{{"w", at::full({kElements}, 1.5f)}}}}};
    const auto& source = std::get<WeightsFile>(files[0].content).tensors[0].second;
    Snapshot snapshot;
    snapshot.prepare(Snapshot::bytes_for(files));
    snapshot.take(files);

    std::array<int, 2> pipe{};
    ASSERT_EQ(::pipe(pipe.data()), 0);
    pid_t child = ::fork();
    if (child == 0) {  // lives until the parent closes its end
        ::close(pipe[1]);
        char byte = 0;
        ::_exit(::read(pipe[0], &byte, 1) == 0 ? 0 : 1);
    }
    source.fill_(2.5f);  // pays for its own pages
    long before = page_faults();
    FilesToSave copied = snapshot.take(files);
    [[maybe_unused]] long faults = page_faults() - before;
    ::close(pipe[0]);
    ::close(pipe[1]);
    int status = -1;
    ::waitpid(child, &status, 0);
    EXPECT_EQ(status, 0);
    EXPECT_TRUE(at::equal(std::get<WeightsFile>(copied[0].content).tensors[0].second, source));
#if !defined(__SANITIZE_THREAD__) && !defined(__SANITIZE_ADDRESS__)  // those fault in memory of their own
    EXPECT_LT(faults, kElements * 4 / 4096 / 4) << "the copy's memory is shared with the child";
#endif
}

}  // namespace
}  // namespace trainyard::checkpoint
