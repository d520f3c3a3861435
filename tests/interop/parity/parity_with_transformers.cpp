// SPDX-License-Identifier: GPL-3.0-or-later
// The worker, started from the weights of transformers' GPT-2 and fed the same batches, must give the loss curve that
// Accelerate gave: tests/golden/parity/<case>, written by generate/parity.py. tests/interop/parity/prove makes fresh
// cases of any size and runs this program on them.

#include <cmath>
#include <cstdlib>
#include <fstream>

#include <fcntl.h>
#include <gtest/gtest.h>
#include <nlohmann/json.hpp>
#include <sys/wait.h>
#include <unistd.h>

#include "base/file.h"
#include "formats/events/scalar_folder.h"
#include "run/spec.h"
#include "support/golden.h"
#include "support/temporary_folder.h"

namespace trainyard {
namespace {

using nlohmann::json;

/// One rank without a supervisor; returns its exit code and what it said.
int run_worker(const fs::path& run_directory, std::string& said) {
    fs::path log = run_directory / "log";
    pid_t child = ::fork();
    if (child == 0) {
        int out = ::open(log.c_str(), O_WRONLY | O_CREAT | O_TRUNC, 0600);
        ::dup2(out, STDOUT_FILENO);
        ::dup2(out, STDERR_FILENO);
        ::setenv("TRAINYARD_RUN_DIR", run_directory.c_str(), 1);
        ::setenv("OMP_NUM_THREADS", "1", 1);
        for (const char* name : {"RANK", "LOCAL_RANK", "WORLD_SIZE", "TRAINYARD_CONTROL_FD", "TRAINYARD_STORE_FD"})
            ::unsetenv(name);
        ::execl(TRAINYARD_BIN_DIR "/trainyard-worker", "trainyard-worker", nullptr);
        ::_exit(127);
    }
    int status = 0;
    ::waitpid(child, &status, 0);
    said = read_file(log);
    return WIFEXITED(status) ? WEXITSTATUS(status) : -1;
}

void compare(const std::vector<events::CurvePoint>& ours, const json& theirs, const char* key, double tolerance) {
    ASSERT_EQ(ours.size(), theirs.size()) << key;
    double worst = 0;
    for (std::size_t i = 0; i < ours.size(); ++i) {
        EXPECT_EQ(ours[i].step, theirs[i]["step"].get<std::int64_t>());
        double wanted = theirs[i][key].get<double>();
        worst = std::max(worst, std::fabs(ours[i].value - wanted));
        EXPECT_NEAR(ours[i].value, wanted, tolerance * std::max(1.0, std::fabs(wanted))) << key << " of step " << i + 1;
    }
    std::printf("  %s: %zu steps, largest difference %.2g\n", key, ours.size(), worst);
}

TEST(ParityWithTransformers, SameWeightsAndBatchesGiveTheSameCurve) {
    int cases = 0;
    for (const auto& entry : fs::directory_iterator(test::golden("parity"))) {
        if (!fs::exists(entry.path() / "expected.json"))
            continue;
        SCOPED_TRACE(entry.path().filename().string());
        std::printf("%s\n", entry.path().filename().c_str());
        ++cases;
        json expected = json::parse(std::ifstream(entry.path() / "expected.json"));
        test::TemporaryFolder folder;
        run::RunPaths run(folder.path());
        fs::create_directory(run.metrics());
        fs::create_directory(run.checkpoints());
        run::RunSpec spec;
        spec.recipe = config::load_recipe(entry.path() / "recipe.yaml");
        run::write_spec(run, spec);
        std::string said;
        ASSERT_EQ(run_worker(run.root(), said), 0) << said;
        events::ScalarFolder curves(run.metrics());
        ASSERT_TRUE(curves.poll());
        ASSERT_TRUE(curves.curves().contains("train/loss"));
        compare(curves.curves().at("train/loss"), expected["curve"], "loss", 1e-4);
        compare(curves.curves().at("train/grad_norm"), expected["curve"], "grad_norm", 1e-3);
        compare(curves.curves().at("train/lr"), expected["curve"], "lr", 1e-7);
    }
    EXPECT_GT(cases, 0);
}

}  // namespace
}  // namespace trainyard
