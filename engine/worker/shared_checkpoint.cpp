#include "worker/shared_checkpoint.h"

#include <algorithm>
#include <fstream>
#include <system_error>

#include <ATen/ops/empty.h>
#include <ATen/ops/full.h>

#include "base/error.h"
#include "base/file.h"
#include "checkpoint/checkpoint.h"
#include "parallel/collectives.h"

namespace trainyard::worker {

namespace {

constexpr std::int64_t kPart = 16 << 20;  // bytes that travel at once

/// What rank 0 resumes from, as it tells the others.
struct Source {
    std::string folder;
    std::string problem;
    std::vector<std::pair<std::string, std::int64_t>> files;  ///< names and sizes
};

Source find_source(const std::string& resume_from) {
    Source source;
    if (resume_from.empty())
        return source;
    try {
        fs::path folder = resume_from;
        // A checkpoint of Accelerate's has no position of ours and is taken as it is (train/trainer.h).
        if (fs::exists(folder / "position.json") || !fs::exists(folder / "optimizer.bin"))
            folder = checkpoint::find(folder);
        source.folder = folder.string();
        for (const fs::directory_entry& entry : fs::directory_iterator(folder))
            if (entry.is_regular_file())
                source.files.emplace_back(entry.path().filename().string(),
                                          static_cast<std::int64_t>(entry.file_size()));
    } catch (const UserError& error) {
        source.problem = error.what();
    } catch (const fs::filesystem_error& error) {
        source.problem = std::string("cannot resume: ") + error.what();
    }
    std::ranges::sort(source.files);
    return source;
}

Tree to_tree(const Source& source) {
    Tree::List names, sizes;
    for (const auto& [name, size] : source.files) {
        names.emplace_back(name);
        sizes.emplace_back(size);
    }
    return Tree::dict({{"folder", source.folder},
                       {"problem", source.problem},
                       {"names", Tree::list(std::move(names))},
                       {"sizes", Tree::list(std::move(sizes))}});
}

Source from_tree(const Tree& tree) {
    Source source{tree.at("folder").as_text(), tree.at("problem").as_text(), {}};
    const Tree::List &names = tree.at("names").items(), &sizes = tree.at("sizes").items();
    for (std::size_t i = 0; i < names.size(); ++i)
        source.files.emplace_back(names[i].as_text(), sizes[i].as_integer());
    return source;
}

/// The same files, and the same manifest where there is one: it holds the hashes of the others.
bool is_here(const Source& source, const std::string& manifest) {
    std::error_code error;
    for (const auto& [name, size] : source.files)
        if (static_cast<std::int64_t>(fs::file_size(fs::path(source.folder) / name, error)) != size || error)
            return false;
    fs::path own = fs::path(source.folder) / "manifest.json";
    return manifest.empty() || (fs::exists(own, error) && read_file(own) == manifest);
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
        everyone.broadcast(travelling, 0, "checkpoint to other machines");
        if (out != nullptr)
            out->write(reinterpret_cast<const char*>(travelling.cpu().const_data_ptr<std::uint8_t>()), count);
    }
    if (out != nullptr)
        out->flush();
}

}  // namespace

SharedCheckpoint::SharedCheckpoint(parallel::Communicator& everyone, const std::string& resume_from,
                                   const fs::path& copies, int local_rank) {
    bool first = everyone.rank() == 0;
    if (everyone.size() == 1) {
        folder_ = resume_from;
        return;
    }
    Source source = from_tree(parallel::broadcast_object(everyone, first ? to_tree(find_source(resume_from)) : Tree(),
                                                         0, "checkpoint to resume from"));
    if (!source.problem.empty())
        throw UserError(source.problem);
    folder_ = source.folder;
    if (folder_.empty())
        return;
    std::error_code error;
    fs::path own_manifest = fs::path(folder_) / "manifest.json";
    std::string manifest = parallel::broadcast_object(
                               everyone, Tree(first && fs::exists(own_manifest, error) ? read_file(own_manifest) : ""),
                               0, "manifest of the checkpoint")
                               .as_text();
    bool lacks = !is_here(source, manifest);
    if (!on_any(everyone, lacks, "a machine lacks the checkpoint"))
        return;
    fs::path target = copies / ("resumed_" + fs::path(folder_).filename().string());
    bool writes = lacks && local_rank == 0;
    bool failed = false;
    if (writes) {
        fs::remove_all(target, error);
        make_private_folder(target);
        copy_ = target;
    }
    for (const auto& [name, size] : source.files) {
        std::ofstream out;
        if (writes)
            out.open(target / name, std::ios::binary);
        send_file(everyone, fs::path(folder_) / name, size, writes ? &out : nullptr);
        failed = failed || (writes && !out.good());
    }
    if (on_any(everyone, failed, "checkpoint is on all machines"))
        throw UserError(failed ? target.string() +
                                     ": the checkpoint to resume from cannot be written: make room on the disk"
                               : "another machine could not write the checkpoint to resume from: its log says why");
    if (lacks)
        folder_ = target.string();
}

SharedCheckpoint::~SharedCheckpoint() {
    std::error_code ignored;
    if (!copy_.empty())
        fs::remove_all(copy_, ignored);
}

}  // namespace trainyard::worker
