// SPDX-License-Identifier: GPL-3.0-or-later
#include "worker/shared_checkpoint.h"

#include <algorithm>
#include <fstream>
#include <set>
#include <span>
#include <system_error>

#include <ATen/ops/empty.h>
#include <ATen/ops/full.h>

#include <fmt/format.h>

#include "base/error.h"
#include "base/file.h"
#include "base/files/hash.h"
#include "base/message_json.h"
#include "checkpoint/checkpoint.h"
#include "distributed/parallel/collectives.h"

namespace trainyard::worker {

namespace {

constexpr std::int64_t kPart = 16 << 20;    // bytes that travel at once
constexpr std::int64_t kSample = 64 << 10;  // bytes that are compared, three times

/// The checkpoint or weights that rank 0 starts from, as sent to the others.
struct Source {
    bool weights = false;  ///< else a checkpoint to resume from
    std::string folder;
    std::string only;  ///< the one file that is meant; empty: the folder
    Message problem;
    std::string mark;  ///< of the files' content, where a name and a size say too little

    struct File {
        std::string name;  ///< from the folder on
        std::int64_t size = 0;
    };
    std::vector<File> files;

    std::string path_in(const fs::path& place) const { return (only.empty() ? place : place / only).string(); }
};

/// Beginning, middle and end: a safetensors file's names and shapes, and enough of its numbers.
std::string sample_of(const fs::path& file, std::int64_t size) {
    std::ifstream in(file, std::ios::binary);
    std::string sample;
    for (std::int64_t at : {std::int64_t{0}, (size - kSample) / 2, size - kSample}) {
        std::string bytes(static_cast<std::size_t>(std::min(kSample, size)), '\0');
        in.seekg(std::max<std::int64_t>(at, 0));
        in.read(bytes.data(), static_cast<std::streamsize>(bytes.size()));
        sample += bytes;
    }
    return sample;
}

/// The manifest of a checkpoint holds the hashes of its files; of others a few pages are compared.
std::string mark_of(const Source& source, const fs::path& folder) {
    std::error_code error;
    if (fs::path manifest = folder / "manifest.json"; source.only.empty() && fs::exists(manifest, error))
        return read_file(manifest);
    std::string samples;
    for (const Source::File& file : source.files)
        samples += sample_of(folder / file.name, file.size);
    files::Xxh128 hash;
    hash.add(std::as_bytes(std::span(samples)));
    return hash.digest();
}

bool is_of_weights(const fs::path& file) {
    static const std::set<std::string> kinds{".safetensors", ".bin", ".pt", ".pth", ".ckpt", ".json", ".distcp"};
    return kinds.contains(file.extension().string()) || file.filename() == ".metadata";
}

void add_files(Source& source, const fs::path& folder, const std::string& before, bool weights) {
    for (const fs::directory_entry& entry : fs::directory_iterator(folder)) {
        std::string name = before + entry.path().filename().string();
        if (entry.is_regular_file() && (!weights || is_of_weights(entry.path())))
            source.files.push_back({name, static_cast<std::int64_t>(entry.file_size())});
        else if (entry.is_directory() && before.empty() && name.starts_with("pytorch_model_"))  // in pieces
            add_files(source, entry.path(), name + "/", weights);
    }
}

Source find_source(const std::string& resume_from, const std::string& weights, std::vector<Message>& notes) {
    Source source;
    source.weights = resume_from.empty();
    fs::path folder = source.weights ? weights : resume_from;
    if (folder.empty())
        return source;
    try {
        if (!source.weights)
            folder = checkpoint::find(folder, &notes);
        if (fs::is_regular_file(folder)) {
            source.only = folder.filename().string();
            source.files.push_back({source.only, static_cast<std::int64_t>(fs::file_size(folder))});
            folder = fs::absolute(folder).parent_path();
        } else {
            add_files(source, folder, "", source.weights);
        }
        source.folder = folder.string();
        std::ranges::sort(source.files, {}, &Source::File::name);
        source.mark = mark_of(source, folder);
    } catch (const UserError& error) {
        source.problem = message_of(error);
    } catch (const fs::filesystem_error& error) {
        source.problem = Message("{}: {}",
                                 source.weights ? Message("cannot start from {}", folder.string())
                                                : Message("cannot resume from {}", folder.string()),
                                 error.code().message());
    }
    return source;
}

Tree to_tree(const Source& source) {
    Tree::List names, sizes;
    for (const Source::File& file : source.files) {
        names.emplace_back(file.name);
        sizes.emplace_back(file.size);
    }
    return Tree::dict({{"weights", source.weights},
                       {"folder", source.folder},
                       {"only", source.only},
                       {"problem", message_to_json(source.problem)},
                       {"mark", source.mark},
                       {"names", Tree::list(std::move(names))},
                       {"sizes", Tree::list(std::move(sizes))}});
}

Source from_tree(const Tree& tree) {
    Source source{tree.at("weights").as_bool(), tree.at("folder").as_text(),
                  tree.at("only").as_text(),    message_from_json(tree.at("problem").as_text()),
                  tree.at("mark").as_text(),    {}};
    const Tree::List &names = tree.at("names").items(), &sizes = tree.at("sizes").items();
    for (std::size_t i = 0; i < names.size(); ++i)
        source.files.push_back({names[i].as_text(), sizes[i].as_integer()});
    return source;
}

bool is_here(const Source& source) {
    std::error_code error;
    for (const Source::File& file : source.files)
        if (static_cast<std::int64_t>(fs::file_size(fs::path(source.folder) / file.name, error)) != file.size || error)
            return false;
    try {
        return mark_of(source, source.folder) == source.mark;
    } catch (const UserError&) {  // may not be read
        return false;
    }
}

bool on_any(parallel::Communicator& everyone, bool here, const std::string& name) {
    at::Tensor flag = at::full({1}, here ? 1.0F : 0.0F, at::TensorOptions(at::kFloat).device(everyone.device()));
    everyone.all_reduce(flag, name, parallel::ReduceOp::max).wait();
    return flag.cpu().item<float>() > 0;
}

/// Rank 0's file to all ranks, in parts; those with an `out` write it.
void send_file(parallel::Communicator& everyone, const fs::path& from, std::int64_t size, std::ofstream* out) {
    std::ifstream in;
    if (everyone.rank() == 0)
        in.open(from, std::ios::binary);
    for (std::int64_t at = 0; at < size; at += kPart) {
        std::int64_t count = std::min(kPart, size - at);
        at::Tensor part = at::empty({count}, at::TensorOptions(at::kByte));
        if (everyone.rank() == 0)
            in.read(reinterpret_cast<char*>(part.mutable_data_ptr<std::uint8_t>()), count);
        at::Tensor travelling = part.to(everyone.device());
        everyone.broadcast(travelling, 0, "what is started from, to other machines");
        if (out != nullptr)
            out->write(reinterpret_cast<const char*>(travelling.cpu().const_data_ptr<std::uint8_t>()), count);
    }
    if (out != nullptr)
        out->flush();
}

}  // namespace

SharedCheckpoint::SharedCheckpoint(parallel::Communicator& everyone, const std::string& resume_from,
                                   const std::string& weights, const fs::path& copies, int local_rank) {
    bool first = everyone.rank() == 0;
    Source source = from_tree(parallel::broadcast_object(
        everyone, to_tree(first ? find_source(resume_from, weights, notes_) : Source()), 0, "what is started from"));
    if (!source.problem.empty())
        throw UserError(source.problem);
    if (source.folder.empty())
        return;
    std::string& path = source.weights ? weights_ : resume_from_;
    path = source.path_in(source.folder);
    bool lacks = !first && !is_here(source);
    if (!on_any(everyone, lacks, "a machine lacks what is started from"))
        return;
    copied_ = true;
    std::error_code error;
    fs::path target = copies / ("started_from_" + fs::path(source.folder).filename().string());
    bool writes = lacks && local_rank == 0;
    bool failed = false;
    if (writes) {
        fs::remove_all(target, error);
        make_private_folder(target);
        copy_ = target;
    }
    for (const auto& [name, size] : source.files) {
        std::ofstream out;
        if (writes) {
            fs::create_directories((target / name).parent_path(), error);
            out.open(target / name, std::ios::binary);
        }
        send_file(everyone, fs::path(source.folder) / name, size, writes ? &out : nullptr);
        failed = failed || (writes && !out.good());
    }
    if (on_any(everyone, failed, "what is started from is on all machines"))
        throw UserError(
            failed ? Message("{}: what is started from cannot be written here: make room on the disk", target.string())
                   : Message("another machine could not write what is started from: its log says why"));
    if (lacks)
        path = source.path_in(target);
}

void SharedCheckpoint::loaded(parallel::Communicator& everyone) {
    if (!copied_)
        return;
    everyone.barrier("all have loaded what is started from");
    std::error_code ignored;
    if (!copy_.empty())
        fs::remove_all(copy_, ignored);
    copy_.clear();
}

SharedCheckpoint::~SharedCheckpoint() {
    std::error_code ignored;
    if (!copy_.empty())
        fs::remove_all(copy_, ignored);
}

}  // namespace trainyard::worker
