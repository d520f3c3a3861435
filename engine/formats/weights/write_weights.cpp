// SPDX-License-Identifier: GPL-3.0-or-later
#include "formats/weights/write_weights.h"

#include <algorithm>
#include <map>
#include <set>

#include <fcntl.h>
#include <fmt/format.h>
#include <fmt/ranges.h>
#include <nlohmann/json.hpp>
#include <sys/file.h>
#include <unistd.h>

#include "base/error.h"
#include "base/failpoint.h"
#include "base/file.h"
#include "base/file_descriptor.h"
#include "base/file_mode.h"
#include "base/files/crc32c.h"
#include "base/files/mapped_file.h"
#include "base/json_writer.h"
#include "formats/weights/dcp_folder.h"
#include "formats/weights/dcp_writer.h"
#include "formats/weights/pickle.h"
#include "formats/weights/safetensors.h"
#include "formats/weights/torch_file.h"

namespace trainyard::weights {

namespace {

constexpr const char* kAside = ".merge-";
constexpr std::size_t kReported = 4u << 20;  ///< bytes between two checks for cancellation

std::uint32_t checksum(std::span<const std::byte> bytes, std::uint32_t seed = 0) {
    return files::crc32c({reinterpret_cast<const char*>(bytes.data()), bytes.size()}, seed);
}

/// Tensors of one output file, by their index in the source.
using Shard = std::vector<std::size_t>;

std::vector<Shard> cut_into_shards(const std::vector<SourceTensor>& tensors, std::uint64_t limit) {
    std::vector<Shard> shards(1);
    std::uint64_t bytes = 0;
    for (std::size_t i = 0; i < tensors.size(); ++i) {
        if (limit > 0 && !shards.back().empty() && bytes + tensors[i].bytes > limit) {
            shards.emplace_back();
            bytes = 0;
        }
        shards.back().push_back(i);
        bytes += tensors[i].bytes;
    }
    return shards;
}

class Write {
  public:
    Write(const WeightSource& source, const WriteOptions& options, Progress& progress)
        : source_(source), options_(options), progress_(progress) {
        if (source.tensors().empty())
            throw UserError("the checkpoint ({}) holds no tensors", source.kind());
        if (options.ranks < 1 || options.ranks > 65'536)
            throw UserError("{} ranks: use 1 to 65,536", options.ranks);
        for (const SourceTensor& tensor : source.tensors())
            bytes_ += tensor.bytes;
        if (options.other)
            bytes_ = options.other->bytes;
    }

    WrittenWeights run() {
        std::error_code error;
        // A new folder appears whole: it is written beside its place.
        const bool existed = fs::exists(options_.output, error);
        const fs::path target = options_.output.has_filename() ? options_.output : options_.output.parent_path();
        const fs::path parent = target.parent_path().empty() ? "." : target.parent_path();
        const fs::path home = existed ? target : parent;
        fs::create_directories(home, error);
        if (error)
            throw UserError("cannot make {}: {}", home.string(), error.message());
        sweep_unfinished_writes(home);
        staging_ = home / (kAside + std::to_string(::getpid()));
        try {
            fs::create_directories(staging_);
            FileDescriptor held(::open(staging_.c_str(), O_RDONLY | O_DIRECTORY | O_CLOEXEC));
            if (held)
                ::flock(held.get(), LOCK_EX | LOCK_NB);
            // Everything is read once and read back once.
            progress_.begin(2 * bytes_);
            if (options_.other)
                names_ = options_.other->write(staging_, progress_);
            else if (options_.layout == WriteOptions::Layout::distributed)
                write_distributed();
            else
                write_safetensors_files();
            if (existed) {
                if (!options_.other)
                    check_leftovers();
                publish();
            } else {
                publish_folder(target);
            }
        } catch (...) {
            fs::remove_all(staging_, error);
            throw;
        }
        fs::remove_all(staging_, error);
        WrittenWeights result{{}, options_.other ? options_.other->tensors : source_.tensors().size(), bytes_};
        for (const std::string& name : names_)
            result.files.push_back(options_.output / name);
        return result;
    }

  private:
    void write_distributed() {
        for (const SourceTensor& tensor : source_.tensors())
            if (torch_dtype(tensor.dtype).empty())
                throw UserError("torch has no type for the elements of '{}' ({})", tensor.name, tensor.dtype);
        names_ = write_dcp_folder(source_, staging_, options_.ranks,
                                  [this](std::size_t tensor, std::span<const std::byte> bytes) {
                                      checksums_[tensor] = checksum(bytes);
                                      progress_.add(bytes.size());
                                  });
        copy_beside();
        const DcpFolder written(staging_);
        std::map<std::string, const DcpTensor*> by_name;
        for (const DcpTensor& tensor : written.tensors())
            by_name.emplace(tensor.name, &tensor);
        for (std::size_t i = 0; i < source_.tensors().size(); ++i) {
            const SourceTensor& tensor = source_.tensors()[i];
            const auto found = by_name.find("model." + tensor.name);
            std::uint32_t crc = 0;
            if (found != by_name.end())
                written.stream(*found->second, [&](std::span<const std::byte> piece) {
                    crc = checksum(piece, crc);
                    progress_.add(piece.size());
                });
            judge(tensor, found != by_name.end() && found->second->shape == tensor.shape && crc == checksums_.at(i));
        }
    }

    void write_safetensors_files() {
        std::vector<Shard> shards = cut_into_shards(source_.tensors(), options_.max_shard_bytes);
        nlohmann::ordered_json index;
        std::map<std::string, std::string> file_of;
        for (std::size_t i = 0; i < shards.size(); ++i) {
            std::string name = shards.size() == 1
                                   ? options_.stem + ".safetensors"
                                   : fmt::format("{}-{:05}-of-{:05}.safetensors", options_.stem, i + 1, shards.size());
            write_shard(shards[i], staging_ / name);
            names_.push_back(name);
            for (std::size_t tensor : shards[i])
                file_of[source_.tensors()[tensor].name] = name;
        }
        copy_beside();
        if (shards.size() == 1)
            return;
        index["metadata"] = {{"total_size", bytes_}};
        index["weight_map"] = file_of;
        names_.push_back(options_.stem + ".safetensors.index.json");
        write_file_atomically(staging_ / names_.back(), json_text(index, {.indent = 2}) + "\n", true, kUserFileMode);
    }

    void write_shard(const Shard& shard, const fs::path& file) {
        std::vector<TensorToWrite> tensors;
        for (std::size_t number : shard) {
            const SourceTensor& tensor = source_.tensors()[number];
            auto stream = [this, number](const ByteSink& sink) {
                std::uint32_t crc = 0;
                source_.stream(number, [&](std::span<const std::byte> piece) {
                    for (std::size_t at = 0; at < piece.size(); at += kReported) {
                        const auto part = piece.subspan(at, std::min(kReported, piece.size() - at));
                        crc = checksum(part, crc);
                        sink(part);
                        progress_.add(part.size());
                    }
                });
                checksums_[number] = crc;
            };
            tensors.push_back({tensor.name, tensor.dtype, tensor.shape, {}, stream});
        }
        write_safetensors(file, tensors, options_.metadata);
        verify(shard, file);
    }

    void verify(const Shard& shard, const fs::path& path) {
        SafetensorsFile file(path);
        bool good = file.tensors().size() == shard.size() && !failpoint_hit("merge.verify", "damage");
        for (std::size_t number : shard) {
            const SourceTensor& tensor = source_.tensors()[number];
            const TensorInfo* written = file.find(tensor.name);
            good = good && written != nullptr && written->shape == tensor.shape && written->dtype == tensor.dtype;
            std::uint32_t crc = 0;
            const std::span<const std::byte> bytes = good ? file.bytes(*written) : std::span<const std::byte>();
            for (std::size_t at = 0; at < bytes.size(); at += kReported) {
                const auto part = bytes.subspan(at, std::min(kReported, bytes.size() - at));
                crc = checksum(part, crc);
                progress_.add(part.size());
                files::release_pages(part);
            }
            good = good && crc == checksums_.at(number);
            judge(tensor, good);
        }
    }

    void judge(const SourceTensor& tensor, bool good) const {
        if (!good)
            throw UserError(
                "what was written of '{}' is not what was read: the disk of {} is not to be trusted, "
                "nothing was changed",
                tensor.name, options_.output.string());
    }

    void copy_beside() {
        for (const ModelFile& file : options_.beside) {
            fs::create_directories((staging_ / file.name).parent_path());
            const auto content = options_.contents.find(file.name);
            write_file_atomically(staging_ / file.name,
                                  content == options_.contents.end() ? read_file(file.path) : content->second, true,
                                  kUserFileMode);
            names_.push_back(file.name);
        }
    }

    /// Readers look for a distributed checkpoint first and for one file before shards: weights of before would be
    /// taken for these.
    void check_leftovers() const {
        const std::set<std::string> own(names_.begin(), names_.end());
        for (const char* name : {".metadata", "model.safetensors"}) {
            std::error_code error;
            if (!own.contains(".metadata") && !own.contains(name) && fs::exists(options_.output / name, error))
                throw UserError(
                    "{} holds other weights ({}), which readers would take for these: name another "
                    "folder, or remove them",
                    options_.output.string(), name);
        }
    }

    /// Renames the shards first and the index that names them last.
    void publish() {
        for (const std::string& name : names_) {
            failpoint("merge.publish");
            std::error_code error;
            fs::create_directories((options_.output / name).parent_path(), error);
            fs::rename(staging_ / name, options_.output / name, error);
            if (error)
                throw UserError("cannot write {}: {}", (options_.output / name).string(), error.message());
        }
        sync_path(options_.output);
    }

    /// The whole folder at once.
    void publish_folder(const fs::path& target) {
        std::error_code error;
        sync_path(staging_);
        failpoint("merge.publish");
        fs::rename(staging_, target, error);
        if (error)
            throw UserError("cannot write {}: {}", target.string(), error.message());
        sync_path(target.parent_path().empty() ? "." : target.parent_path());
    }

    const WeightSource& source_;
    const WriteOptions& options_;
    Progress& progress_;
    std::uint64_t bytes_ = 0;
    fs::path staging_;
    std::vector<std::string> names_;
    std::map<std::size_t, std::uint32_t> checksums_;
};

}  // namespace

void sweep_unfinished_writes(const fs::path& folder) {
    std::error_code error;
    for (const fs::directory_entry& entry : fs::directory_iterator(folder, error)) {
        if (!entry.path().filename().string().starts_with(kAside) || entry.is_symlink(error) ||
            !entry.is_directory(error))
            continue;
        FileDescriptor lock(::open(entry.path().c_str(), O_RDONLY | O_DIRECTORY | O_CLOEXEC));
        if (lock && ::flock(lock.get(), LOCK_EX | LOCK_NB) == 0)
            fs::remove_all(entry.path(), error);
    }
}

WrittenWeights write_weights(const WeightSource& source, const WriteOptions& options, Progress& progress) {
    return Write(source, options, progress).run();
}

}  // namespace trainyard::weights
