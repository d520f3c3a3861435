// SPDX-License-Identifier: GPL-3.0-or-later
// Folders of Accelerate's save_state and of the trainer with files changed at random (support/byte_fuzz.h), with and without a manifest
// that agrees with them: whatever comes, it is loaded or refused with a sentence, within the limits of memory.

#include <cstdio>
#include <string>
#include <vector>

#include "base/error.h"
#include "base/file.h"
#include "checkpoint/accelerate_folder.h"
#include "checkpoint/content.h"
#include "checkpoint/hostile.h"
#include "checkpoint/random_state.h"
#include "support/byte_fuzz.h"
#include "support/fix_checksums.h"
#include "support/golden.h"
#include "support/temporary_folder.h"

namespace {

using namespace trainyard;
using namespace trainyard::checkpoint;

struct Folder {
    fs::path path;
    bool of_trainer = false;
    std::vector<std::pair<fs::path, std::string>> files = {};  ///< as they were
};

void remember_files(Folder& folder) {
    for (const auto& entry : fs::recursive_directory_iterator(folder.path))
        if (entry.is_regular_file() && entry.file_size() < test::kLargestFuzzInput)
            folder.files.emplace_back(entry.path(), read_file(entry.path()));
}

std::size_t count(const fs::path& folder, const std::string& beginning) {
    std::size_t found = 0;
    for (const auto& entry : fs::directory_iterator(folder))
        found += entry.path().filename().string().starts_with(beginning) ? 1 : 0;
    return found;
}

void touch_tree(const Tree& tree) {
    tree.for_each_tensor([](const std::string&, const at::Tensor& tensor) { touch(tensor); });
}

void read_as_accelerate(const fs::path& path) {
    Expected expected;
    expected.models = fs::exists(path / "model_1.safetensors") ? 2 : 1;
    expected.optimizers = count(path, "optimizer") > 0 && fs::exists(path / "optimizer.bin") ? expected.models : 0;
    expected.schedulers = fs::exists(path / "scheduler.bin") ? 1 : 0;
    expected.loaders = 1;
    expected.custom = count(path, "custom_checkpoint_");
    expected.scaler = true;
    LoadedState loaded = load_state(path, expected);
    for (const NamedTensors& model : loaded.state.models)
        for (const auto& [name, tensor] : model)
            touch(tensor);
    for (const auto* trees :
         {&loaded.state.optimizers, &loaded.state.schedulers, &loaded.state.loaders, &loaded.state.custom})
        for (const Tree& tree : *trees)
            touch_tree(tree);
    touch_tree(loaded.state.scaler);
    if (!loaded.state.random.is_none())
        restore_random_state(loaded.state.random);
}

void mend(const fs::path& path, std::string& text) {
    if (path.extension() == ".safetensors")
        test::fix_safetensors_length(text);
    else
        test::fix_zip_checksums(text);
}

}  // namespace

int main() {
    test::TemporaryFolder work;
    std::vector<Folder> folders;
    for (const auto& entry : fs::directory_iterator(test::golden("checkpoints")))
        if (fs::is_directory(entry.path() / "ckpt")) {
            folders.push_back({work.path() / entry.path().filename()});
            fs::copy(entry.path() / "ckpt", folders.back().path, fs::copy_options::recursive);
        }
    Content content = make_content(1, 2);
    content.trainer = Tree::dict({{"updates", std::int64_t{7}}, {"average", at::full({3}, 0.5)}});
    folders.push_back({save(work.path() / "trainer", content).folder, true});
    std::vector<std::string> seeds;
    for (Folder& folder : folders) {
        remember_files(folder);
        for (const auto& [path, text] : folder.files)
            seeds.push_back(text);
    }
    return test::fuzz_rounds(seeds.size(), rlim_t{2} << 30, [&](std::mt19937_64& random) {
        Folder& folder = folders[random() % folders.size()];
        const auto& [path, text] = folder.files[random() % folder.files.size()];
        std::string input = test::changed(text, seeds, random);
        if (random() % 4 != 0)
            mend(path, input);
        test::keep_input(input, path.extension());
        write_file_atomically(path, input, false);
        bool manifest = folder.of_trainer ? path.filename() != "manifest.json" : random() % 2 == 0;
        try {
            if (manifest)
                write_true_manifest(folder.path);
            if (folder.of_trainer) {
                load(folder.path, content);
                touch_tree(load_trainer(folder.path));
            } else {
                read_as_accelerate(folder.path);
            }
        } catch (const UserError&) {
        }
        write_file_atomically(path, text, false);
        if (!folder.of_trainer)
            fs::remove(folder.path / "manifest.json");
    });
}
