// SPDX-License-Identifier: GPL-3.0-or-later
#include "checkpoint/accelerate_folder.h"

#include <algorithm>
#include <charconv>
#include <functional>

#include "base/counted.h"
#include "base/error.h"
#include "checkpoint/dcp_state.h"
#include "checkpoint/files/manifest.h"
#include "checkpoint/random_state.h"
#include "checkpoint/torch_archive.h"
#include "checkpoint/weights.h"
#include "formats/weights/dcp_folder.h"

namespace trainyard::checkpoint {

namespace fs = std::filesystem;

namespace {

Tree as_tree(const NamedTensors& tensors) {
    Tree::Dict entries;
    for (const auto& [name, tensor] : tensors)
        entries.push_back({name, tensor});
    return Tree::dict(std::move(entries));
}

std::string random_name(int rank) {
    return "random_states_" + std::to_string(rank) + ".pkl";
}
std::string loader_name(std::size_t index, int rank) {
    return numbered("dl_state_dict", index, (rank == 0 ? "" : "_rank" + std::to_string(rank)) + ".bin");
}
std::string custom_name(std::size_t index) {
    return "custom_checkpoint_" + std::to_string(index) + ".pkl";
}

void add_all(FilesToSave& files, const std::vector<Tree>& states, const std::string& name) {
    for (std::size_t i = 0; i < states.size(); ++i)
        if (!states[i].is_none())
            files.push_back({numbered(name, i, ".bin"), states[i]});
}

int count_random_states(const fs::path& folder) {
    int count = 0;
    while (fs::exists(folder / random_name(count)))
        ++count;
    return count;
}

/// Reads the parts of a folder one by one and keeps what goes wrong.
class FolderReader {
  public:
    FolderReader(fs::path folder, const Expected& expected) : folder_(std::move(folder)), expected_(expected) {}

    LoadedState read() {
        if (!fs::is_directory(folder_))
            throw UserError("cannot resume from {}: there is no such folder", folder_.string());
        check_manifest();
        loaded_.saved_world_size = count_random_states(folder_);
        // The folder of one machine of several, each with a disk of its own, has the states of its own ranks alone.
        if (has_manifest(folder_) && fs::exists(folder_ / random_name(expected_.rank)))
            loaded_.saved_world_size = std::max(loaded_.saved_world_size, read_manifest(folder_).world_size);
        TrainingState& state = loaded_.state;
        read_models();
        read_optimizers();
        state.schedulers = read_all("scheduler", expected_.schedulers, true);
        state.samplers = read_all("sampler", expected_.samplers, false);
        read_loaders();
        if (expected_.scaler && !read_into("scaler.pt", state.scaler))
            loaded_.notes.push_back(Message(
                "{} has no state of the gradient scaler, which starts with its initial scale", folder_.string()));
        read_random();
        read_custom();
        if (!problems_.empty())
            throw UserError("cannot resume from {}: {}", folder_.string(), Message::joined(problems_));
        return std::move(loaded_);
    }

  private:
    void check_manifest() {
        loaded_.state.iteration = checkpoint_number(folder_);
        if (!has_manifest(folder_))
            return;
        Manifest manifest = read_manifest(folder_);
        problems_ = verify(folder_, manifest);
        trusted_ = problems_.empty();
        loaded_.state.iteration = manifest.number;
    }

    /// True when the file is there. What is wrong with it is a problem.
    bool read_into(const std::string& name, Tree& tree) {
        if (!fs::exists(folder_ / name))
            return false;
        attempt([&] { tree = read_torch_file(folder_ / name, trusted_); });
        return true;
    }

    void attempt(const std::function<void()>& work) {
        try {
            work();
        } catch (const UserError& error) {
            const std::string& what = error.message().text();
            // A file that the manifest has found damaged needs no second sentence.
            if (std::none_of(problems_.begin(), problems_.end(), [&](const Message& known) {
                    return what.starts_with(known.text().substr(0, known.text().find(' ')));
                }))
                problems_.push_back(error.message());
        }
    }

    void read_models() {
        for (std::size_t i = 0; i < expected_.models; ++i) {
            loaded_.state.models.emplace_back();
            attempt([&] {
                auto tensors = read_model(folder_, i, trusted_);
                if (!tensors)
                    throw UserError("{} is missing (and {}, too)", numbered("model", i, ".safetensors"),
                                    numbered("pytorch_model", i, ".bin"));
                loaded_.state.models.back() = std::move(*tensors);
            });
        }
        if (fs::exists(folder_ / numbered("model", expected_.models, ".safetensors")) && expected_.models > 0)
            loaded_.notes.push_back(
                Message("{} holds more models than the {} of this program: the others "
                        "are not loaded",
                        folder_.string(), expected_.models));
    }

    void read_optimizers() {
        for (std::size_t i = 0; i < expected_.optimizers; ++i) {
            const std::string name = numbered("optimizer", i, ".bin"), folder = "optimizer_" + std::to_string(i);
            Tree& state = loaded_.state.optimizers.emplace_back();
            if (read_into(name, state))
                continue;
            if (!weights::DcpFolder::is_one(folder_ / folder)) {
                problems_.push_back(Message("{} is missing", name));
                continue;
            }
            attempt([&] {
                const Tree stored = read_dcp_state(folder_ / folder);
                const Tree* own = stored.find("optimizer");
                if (own == nullptr)
                    throw UserError("{} holds no optimizer", (folder_ / folder).string());
                state = *own;
            });
        }
        const auto exists = [&](const std::string& name) { return fs::exists(folder_ / name); };
        if (const std::size_t next = expected_.optimizers;
            next > 0 && (exists(numbered("optimizer", next, ".bin")) || exists("optimizer_" + std::to_string(next))))
            note_more("optimizer", next);
    }

    void note_more(const std::string& name, std::size_t count) {
        loaded_.notes.push_back(
            count == 1 ? Message("{} holds more than the {} {} of this program: the others are not loaded",
                                 folder_.string(), count, name)
                       : Message("{} holds more than the {} {}s of this program: the others are not loaded",
                                 folder_.string(), count, name));
    }

    std::vector<Tree> read_all(const std::string& name, std::size_t count, bool needed) {
        std::vector<Tree> states(count);
        for (std::size_t i = 0; i < count; ++i)
            if (!read_into(numbered(name, i, ".bin"), states[i]) && needed)
                problems_.push_back(Message("{} is missing", numbered(name, i, ".bin")));
        if (count > 0 && fs::exists(folder_ / numbered(name, count, ".bin")))
            note_more(name, count);
        return states;
    }

    void read_loaders() {
        // If the number of ranks differs, every rank continues from rank 0's position.
        bool same_ranks = loaded_.saved_world_size == 0 || loaded_.saved_world_size == expected_.world_size;
        for (std::size_t i = 0; i < expected_.loaders; ++i) {
            Tree& state = loaded_.state.loaders.emplace_back();
            bool read = same_ranks && expected_.rank > 0 && read_into(loader_name(i, expected_.rank), state);
            if (read)
                continue;
            if (!read_into(loader_name(i, 0), state))
                continue;  // not stateful when it was saved
            if (!same_ranks)
                loaded_.notes.push_back(
                    Message("data loader {} was saved on {} and continues on {} from the position of rank 0", i,
                            text::ranks(loaded_.saved_world_size), text::ranks(expected_.world_size)));
        }
    }

    void read_random() {
        Tree& random = loaded_.state.random;
        if (read_into(random_name(expected_.rank), random))
            return;
        Tree first;
        if (!read_into(random_name(0), first)) {
            loaded_.notes.push_back(
                Message("{} has no random states: the generators keep their current states", folder_.string()));
            return;
        }
        std::uint64_t seed = derived_seed(first, expected_.rank);
        if (const Tree* step = first.find("step"))
            random.set("step", *step);
        random.set("derived_seed", static_cast<std::int64_t>(seed));
        loaded_.notes.push_back(
            Message("rank {} has no random state in {}, which is of {}: its generators begin with a seed derived from "
                    "that of rank 0 and its own number",
                    expected_.rank, folder_.string(), text::ranks(loaded_.saved_world_size)));
    }

    void read_custom() {
        std::size_t count = 0;
        std::error_code error;
        for (const fs::directory_entry& entry : fs::directory_iterator(folder_, error)) {
            std::string name = entry.path().filename().string();
            count += name.starts_with("custom_checkpoint_") && name.ends_with(".pkl") ? 1 : 0;
        }
        if (count != expected_.custom) {
            problems_.push_back(Message("it holds {} custom objects, but {} are registered", count, expected_.custom));
            return;
        }
        for (std::size_t i = 0; i < count; ++i)
            if (!read_into(custom_name(i), loaded_.state.custom.emplace_back()))
                problems_.push_back(Message("{} is missing", custom_name(i)));
    }

    fs::path folder_;
    Expected expected_;
    bool trusted_ = false;
    LoadedState loaded_;
    std::vector<Message> problems_;
};

}  // namespace

FilesToSave files_of(const TrainingState& state, const WriteAs& how) {
    FilesToSave files;
    if (how.shared_files) {
        for (std::size_t i = 0; i < state.models.size(); ++i) {
            if (how.fsdp_names)
                files.push_back({numbered("pytorch_model_fsdp", i, ".bin"), as_tree(state.models[i])});
            else if (how.safe_serialization)
                files.push_back({numbered("model", i, ".safetensors"), WeightsFile{state.models[i]}});
            else
                files.push_back({numbered("pytorch_model", i, ".bin"), as_tree(state.models[i])});
        }
        add_all(files, state.optimizers, "optimizer");
        add_all(files, state.schedulers, "scheduler");
        add_all(files, state.samplers, "sampler");
        if (!state.scaler.is_none())
            files.push_back({"scaler.pt", state.scaler});
        for (std::size_t i = 0; i < state.custom.size(); ++i)
            files.push_back({custom_name(i), state.custom[i]});
    }
    for (std::size_t i = 0; i < state.loaders.size(); ++i)
        if (!state.loaders[i].is_none())
            files.push_back({loader_name(i, how.shared_files ? 0 : how.rank), state.loaders[i]});
    if (!state.random.is_none())
        files.push_back({random_name(how.rank), state.random});
    return files;
}

LoadedState load_state(const fs::path& folder, const Expected& expected) {
    return FolderReader(folder, expected).read();
}

bool is_save_state_folder(const fs::path& folder) {
    std::error_code error;
    return (fs::exists(folder / "optimizer.bin", error) || weights::DcpFolder::is_one(folder / "optimizer_0")) &&
           !fs::exists(folder / "position.json", error);
}

std::vector<fs::path> numbered_checkpoints(const fs::path& checkpoints) {
    std::vector<std::pair<std::int64_t, fs::path>> folders;
    std::error_code error;
    for (const fs::directory_entry& entry : fs::directory_iterator(checkpoints, error))
        if (std::int64_t number = checkpoint_number(entry.path()); number >= 0 && entry.is_directory(error))
            folders.emplace_back(number, entry.path());
    std::sort(folders.rbegin(), folders.rend());
    std::vector<fs::path> newest_first;
    for (auto& [number, folder] : folders)
        newest_first.push_back(std::move(folder));
    return newest_first;
}

namespace {
/// What keeps a checkpoint from being gone on from; empty: nothing.
std::vector<Message> problems_of_checkpoint(const fs::path& folder) {
    try {
        if (has_manifest(folder)) {
            const Manifest manifest = read_manifest(folder);
            if (!manifest.not_good.empty())
                return {manifest.not_good};
            return verify(folder, manifest);
        }
        // Accelerate writes no manifest, so its folders cannot be verified. All other folders have one when they
        // appear, so without it something was removed.
        if (fs::exists(folder / "position.json"))
            return {Message("{} is missing, so its files cannot be verified", (folder / "manifest.json").string())};
        if (!read_model(folder, 0))
            return {Message("{} was not written to its end", folder.string())};
    } catch (const UserError& damage) {
        return {damage.message()};
    }
    return {};
}
}  // namespace

fs::path newest_checkpoint(const fs::path& checkpoints, std::vector<Message>* skipped) {
    std::vector<Message> sentences{Message("there is no whole checkpoint in it")};
    for (const fs::path& folder : numbered_checkpoints(checkpoints)) {
        const std::vector<Message> problems = problems_of_checkpoint(folder);
        if (problems.empty())
            return folder;
        const std::string name = folder.filename().string();
        sentences.push_back(problems.size() > 1 ? Message("{} is passed over: {} (and {} more)", name, problems.front(),
                                                          problems.size() - 1)
                                                : Message("{} is passed over: {}", name, problems.front()));
        if (skipped != nullptr)
            skipped->push_back(sentences.back());
    }
    throw UserError("cannot resume from {}: {}", checkpoints.string(), Message::joined(sentences));
}

}  // namespace trainyard::checkpoint
