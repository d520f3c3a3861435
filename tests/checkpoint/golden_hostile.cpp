// SPDX-License-Identifier: GPL-3.0-or-later
// Tests every reader of checkpoints with broken and hostile files (tests/golden/checkpoints/hostile, created by
// generate/hostile.py), each as any part of a folder that it could be. The expected result is part of the entry, so new
// entries are tested, too. A matching manifest does not protect, because an attacker can write both.

#include <fstream>
#include <functional>
#include <optional>
#include <span>

#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

#include "base/error.h"
#include "base/file.h"
#include "checkpoint/accelerate_folder.h"
#include "checkpoint/checkpoint.h"
#include "checkpoint/files/optimizer_file.h"
#include "checkpoint/hostile.h"
#include "checkpoint/torch_archive.h"
#include "checkpoint/weights.h"
#include "support/golden.h"
#include "support/process_limit.h"
#include "support/temporary_folder.h"

namespace trainyard::checkpoint {
namespace {

using nlohmann::json;

constexpr std::size_t kMemory = 160u << 20;  ///< limit for reading any file; the files are small, but claim large sizes

std::size_t kilobytes(const char* entry) {
    std::ifstream status("/proc/self/status");
    for (std::string line; std::getline(status, line);)
        if (line.starts_with(entry))
            return std::stoull(line.substr(std::string_view(entry).size()));
    return 0;
}

class GoldenHostileCheckpoints : public testing::Test {
  protected:
    void SetUp() override {
        // Pickles that do get to run something leave their mark in the working folder.
        fs::current_path(folder_.path());
#if !defined(__SANITIZE_ADDRESS__)
        // Limits the memory, because readers must not allocate or compute sizes that a file only claims.
        std::size_t most = kilobytes("VmSize:") * 1024 + kMemory;
        ASSERT_GT(most, kMemory);
        memory_.emplace(RLIMIT_AS, most);
#endif
    }
    void TearDown() override {
        for (const fs::path& place : {folder_.path(), hostile_})
            EXPECT_FALSE(fs::exists(place / "PICKLE_WAS_RUN"));
        fs::current_path("/");
    }

    /// Creates a complete checkpoint folder, in which the test replaces files.
    fs::path fresh_folder() {
        fs::path folder = folder_.path() / ("checkpoint_" + std::to_string(++folders_));
        fs::create_directory(folder);
        write_torch_file(folder / "optimizer.bin", Tree::dict({{"state", Tree::dict()}}));
        return folder;
    }

    struct Reader {
        std::string name;
        std::function<void()> read;
        std::string told;  ///< text that the message of a refusal must contain
    };

    /// `load_state` of a folder in which the entry stands for `part`.
    void add_load_state(std::vector<Reader>& readers, const fs::path& entry, const std::string& part, bool manifest) {
        auto read = [this, entry, part, manifest] {
            fs::path folder = fresh_folder();
            fs::copy(entry, folder / part, fs::copy_options::recursive);
            Expected expected;
            if (part.starts_with("model") || part.starts_with("pytorch_model"))
                expected.models = 1;
            expected.optimizers = 1;
            expected.schedulers = part == "scheduler.bin" ? 1 : 0;
            expected.custom = part.starts_with("custom") ? 1 : 0;
            if (manifest)
                write_true_manifest(folder);
            LoadedState loaded = load_state(folder, expected);
            for (const NamedTensors& model : loaded.state.models)
                for (const auto& [name, tensor] : model)
                    touch(tensor);
            for (const auto* trees : {&loaded.state.optimizers, &loaded.state.schedulers, &loaded.state.custom})
                for (const Tree& tree : *trees)
                    tree.for_each_tensor([](const std::string&, const at::Tensor& tensor) { touch(tensor); });
            loaded.state.random.for_each_tensor([](const std::string&, const at::Tensor& tensor) { touch(tensor); });
        };
        readers.push_back({"load_state of " + part + (manifest ? " with a manifest" : ""), std::move(read),
                           fs::path(part).filename()});
    }

    /// A safetensors file with an empty header.
    static void write_no_tensors(const fs::path& file) {
        std::ofstream(file, std::ios::binary) << std::string("\x02\0\0\0\0\0\0\0{}", 10);
    }

    static void touch_all(const NamedTensors& tensors) {
        for (const auto& [name, tensor] : tensors)
            touch(tensor);
    }

    /// Adds a reader that loads a checkpoint of the trainer in which the entry, unchanged, replaces one of the files.
    void add_load(std::vector<Reader>& readers, const fs::path& entry, const std::string& part) {
        auto read = [this, entry, part] {
            fs::path folder = fresh_folder();
            fs::remove(folder / "optimizer.bin");
            for (const char* file : {"model.safetensors", "optimizer.safetensors"})
                write_no_tensors(folder / file);
            fs::copy(entry, folder / part, fs::copy_options::overwrite_existing);
            write_true_manifest(folder);
            load(folder, {});
            load_trainer(folder);
        };
        readers.push_back({"load of " + part, std::move(read), part});
    }

    /// Returns every reader that may be given such an entry.
    std::vector<Reader> readers_of(const fs::path& entry) {
        std::vector<Reader> readers;
        std::string name = entry.filename().string();
        auto weights = [entry] { touch_all(read_weights(entry)); };
        readers.push_back({"read_weights", weights, name});
        if (fs::is_directory(entry)) {
            bool in_shards = fs::exists(entry / "model.safetensors.index.json");
            if (in_shards)
                readers.push_back({"read_model", [entry] { touch_all(*read_model(entry, 0)); }, name});
            else
                for (bool manifest : {false, true})
                    add_load_state(readers, entry, "pytorch_model_fsdp_0", manifest);
        } else if (entry.extension() == ".safetensors") {
            for (bool manifest : {false, true})
                add_load_state(readers, entry, "model.safetensors", manifest);
            for (const char* part : {"model.safetensors", "optimizer.safetensors"})
                add_load(readers, entry, part);
        } else {
            readers.push_back({"read_torch_file",
                               [entry] {
                                   read_torch_file(entry).for_each_tensor(
                                       [](const std::string&, const at::Tensor& tensor) { touch(tensor); });
                               },
                               name});
            for (const char* part :
                 {"pytorch_model.bin", "scheduler.bin", "random_states_0.pkl", "custom_checkpoint_0.pkl"})
                add_load_state(readers, entry, part, false);
            add_load(readers, entry, "trainer.bin");
            // Only files of the trainer are accepted; all others must be refused without any other effect.
            readers.push_back({"tensors_of_optimizer",
                               [entry] {
                                   const std::string bytes = read_file(entry);
                                   try {
                                       tensors_of_optimizer(std::as_bytes(std::span(bytes)), entry.string());
                                   } catch (const UserError&) {
                                       read_torch_file(entry);
                                   }
                               },
                               name});
        }
        return readers;
    }

    /// Returns the message of a refusal, or an empty string if the file was accepted. Any exception other than
    /// UserError ends the test.
    static std::string said_by(const Reader& reader) {
        try {
            reader.read();
        } catch (const UserError& error) {
            return error.what();
        }
        return "";
    }

    // Limits of this suite only, because other suites of the program need memory for threads.
    std::optional<test::ProcessLimit> memory_;
    test::ProcessLimit seconds_{RLIMIT_CPU, test::ProcessLimit::processor_seconds(60)};
    test::TemporaryFolder folder_;
    fs::path hostile_ = test::golden("checkpoints/hostile");
    int folders_ = 0;
};

TEST_F(GoldenHostileCheckpoints, EveryReaderTakesOrRefusesEach) {
    int taken = 0, refused = 0, survived = 0;
    for (const json& entry : json::parse(std::ifstream(hostile_ / "expected.json"))) {
        std::string name = entry.contains("file") ? entry["file"] : entry["folder"];
        auto expect = entry["expect"].get<std::string>();
        for (const Reader& reader : readers_of(hostile_ / name)) {
            SCOPED_TRACE(name + " by " + reader.name + ": " + entry.value("why", ""));
            std::string said;
            ASSERT_NO_THROW(said = said_by(reader)) << "something else than a UserError";
            if (expect == "accepted") {
                ++taken;
                EXPECT_EQ(said, "");
            } else if (expect == "rejected") {
                ++refused;
                EXPECT_NE(said.find(reader.told), std::string::npos) << "the message must contain the name: " << said;
            } else if (expect == "accepted_swapped_or_rejected") {
                ++refused;
                EXPECT_NE(said.find("highest byte first"), std::string::npos) << said;
            } else {
                ASSERT_EQ(expect, "no_crash");
                ++survived;
            }
            EXPECT_FALSE(fs::exists(folder_.path() / "PICKLE_WAS_RUN"));
        }
    }
    EXPECT_GT(taken + refused + survived, 0) << "nothing was judged";
}

}  // namespace
}  // namespace trainyard::checkpoint
