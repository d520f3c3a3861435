// SPDX-License-Identifier: GPL-3.0-or-later
// Randomly mutated files of every format (support/byte_fuzz.h), each put into a folder under its own name: the browser
// opens it, reads figures and verifies, or says
// a sentence.

#include <cstdlib>
#include <map>
#include <string>

#include <unistd.h>

#include "base/error.h"
#include "base/file.h"
#include "formats/weights/gguf_file.h"
#include "formats/weights/source_changes.h"
#include "observe/inspect/compare.h"
#include "observe/inspect/statistics.h"
#include "observe/inspect/tensor_tree.h"
#include "observe/inspect/verify.h"
#include "support/byte_fuzz.h"
#include "support/fix_checksums.h"
#include "support/golden.h"

namespace {

using namespace trainyard;

void look(const fs::path& path) {
    try {
        const inspect::Contents contents = inspect::read_contents(path);
        const inspect::Reader reader(contents);
        Progress progress;
        inspect::statistics_pass(
            reader, {}, [](std::size_t, const inspect::Statistics&) {}, progress, 1);
        const inspect::TensorTree tree(contents);
        for (const auto& root : tree.roots())
            tree.children(root);
        inspect::verify(path, false, progress);
        inspect::compare(reader, reader, progress);
    } catch (const UserError&) {
    }
    try {
        weights::open_first_model(path);
    } catch (const UserError&) {
    }
}

const fs::path& place() {
    static const fs::path folder = [] {
        std::string name = (fs::temp_directory_path() / "fuzz_checkpoints_XXXXXX").string();
        if (::mkdtemp(name.data()) == nullptr)
            std::abort();
        return fs::path(name);
    }();
    return folder;
}

void look_as(const std::string& name, const std::string& input) {
    const fs::path folder = place() / "in";
    fs::remove_all(folder);
    fs::create_directories((folder / name).parent_path());
    write_file_atomically(folder / name, input, false);
    look(folder);
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
    const std::string input(reinterpret_cast<const char*>(data), size);
    const std::span<const std::byte> bytes = std::as_bytes(std::span(input));
    if (weights::begins_like_gguf(bytes))
        return look_as("model.gguf", input), 0;
    if (input.starts_with("PK")) {
        look_as("model_optim_states.pt", input);
        look_as("mp_rank_00_model_states.pt", input);
        look_as("mp_rank_00/model_optim_rng.pt", input);
        look_as("pytorch_model.bin", input);
    } else if (input.starts_with("{\"") && input.find("weight_map") == std::string::npos) {
        look_as("trainer_state.json", input);
    } else
        look_as(input.size() > 8 && input[8] == '{' ? "model.safetensors"
                : input.starts_with("{")            ? "model.safetensors.index.json"
                                                    : ".metadata",
                input);
    try {
        const fs::path table = place() / "table";
        write_file_atomically(table, input, false);
        weights::read_rename_table(table);
    } catch (const UserError&) {
    }
    return 0;
}

#if !defined(TRAINYARD_LIBFUZZER)

int main() {
    auto seeds = test::fuzz_seeds(test::golden("checkpoint_formats"), [](const fs::path& path) {
        return path.extension() != ".json" && path.filename() != "figures.safetensors";
    });
    for (std::string& seed : test::fuzz_seeds(test::golden("checkpoints"), [](const fs::path& path) {
             return path.extension() == ".safetensors" || path.filename() == ".metadata" ||
                    path.filename().string().ends_with(".index.json");
         }))
        seeds.push_back(std::move(seed));
    for (std::string& seed : test::fuzz_seeds(test::golden("weights_as_found"), [](const fs::path& path) {
             return path.stem() == "in" || path.filename() == ".metadata";
         }))
        seeds.push_back(std::move(seed));
    for (std::string& seed : test::fuzz_seeds(test::golden("megatron_folders"), [](const fs::path& path) {
             return path.extension() == ".pt" && path.parent_path().filename() == "mp_rank_00";
         }))
        seeds.push_back(std::move(seed));
    const int code = test::fuzz(seeds, test::fix_zip_checksums);
    fs::remove_all(place());
    return code;
}

#endif
