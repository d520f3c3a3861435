// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
// Common parts of the tests on SLURM and MPI: a small recipe, and functions that list the runs.

#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <functional>
#include <string>
#include <vector>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "base/clock.h"
#include "base/file.h"
#include "cli/program.h"
#include "run/state.h"
#include "support/temporary_folder.h"

namespace trainyard::test {

namespace fs = std::filesystem;

class ClusterTest : public testing::Test {
  protected:
    ClusterTest() {
        ::setenv("HF_HOME", (folder_.path() / "home").c_str(), 1);
        ::setenv("TRAINYARD_RUNS", (folder_.path() / "runs").c_str(), 1);
        for (const char* name : {"TRAINYARD_CONFIG", "OMP_NUM_THREADS", "SLURM_JOB_ID"})
            ::unsetenv(name);
    }
    /// Writes a recipe whose steps are divided between two ranks.
    fs::path recipe(int steps, const std::string& more = "") {
        std::string text;
        for (int i = 0; i < 4000; ++i)
            text += "line " + std::to_string(i) + " of a small text\n";
        write_file_atomically(folder_.path() / "text.txt", text, false);
        fs::path file = folder_.path() / "recipe.yaml";
        write_file_atomically(file,
                              "name: small\n"
                              "model: {n_layer: 1, n_head: 2, n_embd: 32, n_positions: 32, vocab_size: 256}\n"
                              "data: {path: text.txt, sequence_length: 32, validation_fraction: 0}\n"
                              "training: {steps: " +
                                  std::to_string(steps) + ", batch_size: 2, evaluate_batches: 0}\n" + more,
                              false);
        return file;
    }
    std::string script(const std::string& text) {
        fs::path file = folder_.path() / "program";
        write_file_atomically(file, "#!/bin/sh\n" + text + "\n", false, 0755);
        return file;
    }
    std::vector<run::RunPaths> runs() const {
        std::vector<run::RunPaths> found;
        std::error_code error;
        for (const auto& entry : fs::directory_iterator(folder_.path() / "runs", error))
            found.emplace_back(entry.path());
        return found;
    }
    static bool eventually(const std::function<bool()>& holds, double seconds = 120) {
        double deadline = monotonic_seconds() + seconds;
        while (!holds() && monotonic_seconds() < deadline)
            ::usleep(50'000);
        return holds();
    }
    TemporaryFolder folder_;
};

}  // namespace trainyard::test
