#include "weights/merge.h"

#include <algorithm>
#include <charconv>
#include <cmath>
#include <map>
#include <utility>

#include <fmt/format.h>
#include <nlohmann/json.hpp>
#include <unistd.h>

#include "base/error.h"
#include "base/failpoint.h"
#include "base/file.h"
#include "files/crc32c.h"
#include "files/mapped_file.h"
#include "weights/safetensors.h"
#include "weights/weight_source.h"

namespace trainyard::weights {

namespace {

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

class Merge {
  public:
    explicit Merge(const MergeOptions& options) : options_(options) {
        if (std::error_code error; fs::is_regular_file(options.checkpoint, error))
            throw UserError(fmt::format("{} is a file: name the folder it lies in", options.checkpoint.string()));
        source_ = open_weights(options.checkpoint);
        if (source_->tensors().empty())
            throw UserError(fmt::format("{} holds no tensors", options.checkpoint.string()));
        check_places();
    }

    MergeResult run() {
        std::error_code error;
        bool existed = fs::exists(options_.output, error);
        fs::create_directories(options_.output, error);
        if (error)
            throw UserError(fmt::format("cannot make {}: {}", options_.output.string(), error.message()));
        staging_ = options_.output / fmt::format(".merge-{}", ::getpid());
        try {
            make_private_folder(staging_);
            write();
            publish();
        } catch (...) {
            fs::remove_all(staging_, error);
            if (!existed)
                fs::remove(options_.output, error);
            throw;
        }
        fs::remove_all(staging_, error);
        MergeResult result{source_->kind(), {}, source_->tensors().size(), 0, false};
        for (const std::string& name : names_)
            result.files.push_back(options_.output / name);
        for (const SourceTensor& tensor : source_->tensors())
            result.bytes += tensor.bytes;
        if (options_.remove_checkpoint) {
            fs::remove_all(options_.checkpoint, error);
            if (error)
                throw UserError(fmt::format("the weights are written to {}, but {} cannot be removed: {}",
                                            options_.output.string(), options_.checkpoint.string(), error.message()));
            result.removed = true;
        }
        return result;
    }

  private:
    void check_places() const {
        std::error_code error;
        if (fs::exists(options_.output, error) && !fs::is_directory(options_.output, error))
            throw UserError(fmt::format("{} is a file: name a folder for the result", options_.output.string()));
        fs::path from = fs::weakly_canonical(options_.checkpoint, error);
        fs::path to = fs::weakly_canonical(options_.output, error);
        auto [end, ignored] = std::mismatch(from.begin(), from.end(), to.begin(), to.end());
        if (end == from.end() && (options_.remove_checkpoint || from == to))
            throw UserError(fmt::format("{} lies in the checkpoint it is made from: name another folder",
                                        options_.output.string()));
    }

    void write() {
        std::vector<Shard> shards = cut_into_shards(source_->tensors(), options_.max_shard_bytes);
        nlohmann::ordered_json index;
        std::uint64_t total = 0;
        std::map<std::string, std::string> file_of;
        for (std::size_t i = 0; i < shards.size(); ++i) {
            std::string name = shards.size() == 1
                                   ? "model.safetensors"
                                   : fmt::format("model-{:05}-of-{:05}.safetensors", i + 1, shards.size());
            write_shard(shards[i], staging_ / name);
            names_.push_back(name);
            for (std::size_t tensor : shards[i]) {
                file_of[source_->tensors()[tensor].name] = name;
                total += source_->tensors()[tensor].bytes;
            }
        }
        if (shards.size() == 1)
            return;
        index["metadata"] = {{"total_size", total}};
        index["weight_map"] = file_of;
        names_.emplace_back("model.safetensors.index.json");
        write_file_atomically(staging_ / names_.back(), index.dump(2) + "\n", true, 0644);
    }

    void write_shard(const Shard& shard, const fs::path& file) {
        std::vector<weights::TensorToWrite> tensors;
        for (std::size_t number : shard) {
            const SourceTensor& tensor = source_->tensors()[number];
            auto stream = [this, number](const weights::ByteSink& sink) {
                std::uint32_t crc = 0;
                source_->stream(number, [&](std::span<const std::byte> piece) {
                    crc = checksum(piece, crc);
                    sink(piece);
                });
                checksums_[number] = crc;
            };
            tensors.push_back({tensor.name, tensor.dtype, tensor.shape, {}, stream});
        }
        weights::write_safetensors(file, tensors, {{"format", "pt"}});
        verify(shard, file);
    }

    void verify(const Shard& shard, const fs::path& path) const {
        weights::SafetensorsFile file(path);
        bool good = file.tensors().size() == shard.size() && !failpoint_hit("merge.verify", "damage");
        for (std::size_t number : shard) {
            const SourceTensor& tensor = source_->tensors()[number];
            const weights::TensorInfo* written = file.find(tensor.name);
            good = good && written != nullptr && written->shape == tensor.shape && written->dtype == tensor.dtype &&
                   checksum(file.bytes(*written)) == checksums_.at(number);
            if (!good)
                throw UserError(
                    fmt::format("what was written of '{}' is not what was read: the disk of {} is not to be "
                                "trusted, nothing was changed",
                                tensor.name, options_.output.string()));
            files::release_pages(file.bytes(*written));
        }
    }

    /// Renames the shards first and the index that names them last.
    void publish() {
        for (const std::string& name : names_) {
            failpoint("merge.publish");
            std::error_code error;
            fs::rename(staging_ / name, options_.output / name, error);
            if (error)
                throw UserError(fmt::format("cannot write {}: {}", (options_.output / name).string(), error.message()));
            fs::permissions(options_.output / name, fs::perms::group_read | fs::perms::others_read,
                            fs::perm_options::add, error);
        }
        sync_path(options_.output);
    }

    const MergeOptions& options_;
    std::unique_ptr<WeightSource> source_;
    fs::path staging_;
    std::vector<std::string> names_;
    std::map<std::size_t, std::uint32_t> checksums_;
};

}  // namespace

MergeResult merge_weights(const MergeOptions& options) {
    return Merge(options).run();
}

std::uint64_t parse_size(const std::string& text) {
    static const std::map<std::string, double> units{{"", 1},         {"B", 1},       {"KB", 1e3},     {"MB", 1e6},
                                                     {"GB", 1e9},     {"TB", 1e12},   {"KIB", 0x1p10}, {"MIB", 0x1p20},
                                                     {"GIB", 0x1p30}, {"TIB", 0x1p40}};
    double number = 0;
    auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), number);
    std::string unit;
    for (const char* c = end; c != text.data() + text.size(); ++c)
        if (*c != ' ')
            unit += static_cast<char>(*c >= 'a' && *c <= 'z' ? *c - 'a' + 'A' : *c);
    auto found = units.find(unit);
    double bytes = found == units.end() ? 0 : number * found->second;
    if (error != std::errc() || !std::isfinite(bytes) || bytes < 1 || bytes > 1e18)
        throw UserError(fmt::format("'{}' is not a size: give a number and a unit, such as 5GB or 500MiB", text));
    return static_cast<std::uint64_t>(bytes);
}

}  // namespace trainyard::weights
