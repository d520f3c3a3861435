#include "checkpoint/checkpoint.h"

#include <algorithm>
#include <cerrno>
#include <charconv>

#include <ATen/core/grad_mode.h>
#include <ATen/ops/from_blob.h>

#include <fcntl.h>
#include <nlohmann/json.hpp>
#include <unistd.h>

#include "base/error.h"
#include "base/failpoint.h"
#include "base/file.h"
#include "io/event_file.h"
#include "io/safetensors.h"

namespace trainyard::checkpoint {

namespace {

using nlohmann::json;

constexpr const char* kPrefix = "checkpoint_";

std::string dtype_name(at::ScalarType type) {
    switch (type) {
        case at::kFloat:
            return "F32";
        case at::kDouble:
            return "F64";
        case at::kBFloat16:
            return "BF16";
        case at::kHalf:
            return "F16";
        case at::kLong:
            return "I64";
        default:
            throw UserError(std::string("tensors of type ") + c10::toString(type) + " cannot be saved yet");
    }
}

at::ScalarType scalar_type(const std::string& dtype, const std::string& what) {
    if (dtype == "F32")
        return at::kFloat;
    if (dtype == "F64")
        return at::kDouble;
    if (dtype == "BF16")
        return at::kBFloat16;
    if (dtype == "F16")
        return at::kHalf;
    if (dtype == "I64")
        return at::kLong;
    throw UserError(what + " has dtype " + dtype + ", which cannot be loaded as a weight");
}

/// Boxes that are whole tensors, as today's replicated layout holds them.
std::vector<io::TensorToWrite> to_write(const std::vector<LogicalTensor>& tensors, std::vector<at::Tensor>& keep) {
    std::vector<io::TensorToWrite> result;
    for (const LogicalTensor& tensor : tensors) {
        keep.push_back(tensor.local.detach().cpu().contiguous());
        const at::Tensor& bytes = keep.back();
        result.push_back({tensor.name,
                          dtype_name(bytes.scalar_type()),
                          tensor.shape,
                          {static_cast<const std::byte*>(bytes.const_data_ptr()), bytes.nbytes()}});
    }
    return result;
}

void write_tensors(const fs::path& path, const std::vector<LogicalTensor>& tensors) {
    std::vector<at::Tensor> keep;
    io::write_safetensors(path, to_write(tensors, keep), {{"format", "pt"}});
}

json position_json(const Position& position) {
    return {{"step", position.step},
            {"samples", position.samples},
            {"tokens", position.tokens},
            {"seed", position.seed},
            {"training_blocks", position.training_blocks},
            {"best_validation_loss", position.best_validation_loss}};
}

Position parse_position(const json& object) {
    Position position;
    position.step = object.at("step").get<std::int64_t>();
    position.samples = object.at("samples").get<std::int64_t>();
    position.tokens = object.at("tokens").get<std::int64_t>();
    position.seed = object.at("seed").get<std::uint64_t>();
    position.training_blocks = object.at("training_blocks").get<std::int64_t>();
    position.best_validation_loss = object.value("best_validation_loss", 0.0);
    return position;
}

std::optional<std::int64_t> step_of(const fs::path& folder) {
    std::string name = folder.filename().string();
    if (!name.starts_with(kPrefix))
        return std::nullopt;
    std::int64_t step = 0;
    const char* begin = name.data() + std::string_view(kPrefix).size();
    auto [end, error] = std::from_chars(begin, name.data() + name.size(), step);
    if (error != std::errc() || end != name.data() + name.size())
        return std::nullopt;
    return step;
}

json read_manifest(const fs::path& folder) {
    fs::path path = folder / "manifest.json";
    try {
        return json::parse(read_file(path));
    } catch (const json::exception& error) {
        throw UserError(path.string() + " is damaged (" + error.what() + "): resume from an earlier checkpoint");
    }
}

struct Checksum {
    std::uint64_t bytes = 0;
    std::uint32_t crc32c = 0;
};

/// Read piece by piece: a checkpoint may be larger than the memory that is left.
Checksum checksum(const fs::path& path) {
    FileDescriptor file(::open(path.c_str(), O_RDONLY | O_CLOEXEC));
    if (!file)
        throw_file_error("cannot read", path, errno);
    std::vector<char> piece(1 << 20);
    Checksum result;
    for (;;) {
        ssize_t n = ::read(file.get(), piece.data(), piece.size());
        if (n < 0 && errno == EINTR)
            continue;
        if (n < 0)
            throw_file_error("cannot read", path, errno);
        if (n == 0)
            return result;
        result.crc32c = io::crc32c({piece.data(), static_cast<std::size_t>(n)}, result.crc32c);
        result.bytes += static_cast<std::uint64_t>(n);
    }
}

void verify(const fs::path& folder, const json& manifest) {
    for (const auto& [name, entry] : manifest.at("files").items()) {
        fs::path path = folder / name;
        Checksum found = checksum(path);
        auto bytes = entry.at("bytes").get<std::uint64_t>();
        if (found.bytes != bytes)
            throw UserError(path.string() + " has " + std::to_string(found.bytes) + " bytes instead of " +
                            std::to_string(bytes) + ": resume from an earlier checkpoint");
        if (found.crc32c != entry.at("crc32c").get<std::uint32_t>())
            throw UserError(path.string() + " is damaged (its checksum differs): resume from an earlier checkpoint");
    }
}

/// Fills `tensors` from a file; `prefix` is put before the names looked for when the plain name is absent.
void fill(const fs::path& path, const std::vector<LogicalTensor>& tensors) {
    io::SafetensorsFile file(path);
    std::string problems;
    auto complain = [&](const std::string& text) { problems += (problems.empty() ? "" : "; ") + text; };
    for (const LogicalTensor& tensor : tensors) {
        const io::TensorInfo* info = file.find(tensor.name);
        // Files of the bare GPT2Model have no "transformer." in front.
        constexpr std::string_view kModelPrefix = "transformer.";
        if (info == nullptr && tensor.name.starts_with(kModelPrefix))
            info = file.find(tensor.name.substr(kModelPrefix.size()));
        if (info == nullptr) {
            complain("tensor " + tensor.name + " is missing");
            continue;
        }
        if (info->shape != tensor.shape) {
            complain("tensor " + tensor.name + " has shape " + c10::str(at::IntArrayRef(info->shape)) + " instead of " +
                     c10::str(at::IntArrayRef(tensor.shape)));
            continue;
        }
        auto bytes = file.bytes(*info);
        at::Tensor stored =
            at::from_blob(const_cast<std::byte*>(bytes.data()), info->shape,
                          at::TensorOptions().dtype(scalar_type(info->dtype, path.string() + ": " + info->name)));
        copy_overlap(LogicalTensor::of_whole(info->name, stored), tensor);
    }
    if (!problems.empty())
        throw UserError(path.string() + " does not fit this model: " + problems);
}

}  // namespace

Saved save(const fs::path& checkpoints, const Content& content) {
    make_private_folder(checkpoints);
    fs::path target = checkpoints / (kPrefix + std::to_string(content.position.step));
    fs::path aside = checkpoints / ("." + target.filename().string() + "." + std::to_string(::getpid()) + ".tmp");
    std::error_code ignored;
    fs::remove_all(aside, ignored);
    try {
        make_private_folder(aside);
        write_tensors(aside / "model.safetensors", content.weights);
        failpoint("checkpoint.write");
        write_tensors(aside / "optimizer.safetensors", content.optimizer);
        write_file_atomically(aside / "config.json", content.config_json);
        write_file_atomically(aside / "position.json", position_json(content.position).dump(2) + "\n");
        failpoint("checkpoint.write");

        json manifest{{"format", "trainyard-1"}, {"mesh", content.mesh}, {"position", position_json(content.position)}};
        Saved saved{target, 0};
        for (const char* name : {"model.safetensors", "optimizer.safetensors", "config.json", "position.json"}) {
            Checksum written = checksum(aside / name);
            manifest["files"][name] = {{"bytes", written.bytes}, {"crc32c", written.crc32c}};
            saved.bytes += written.bytes;
        }
        write_file_atomically(aside / "manifest.json", manifest.dump(2) + "\n");
        sync_path(aside);
        failpoint("checkpoint.rename");
        if (fs::exists(target)) {  // the same step again, after a resume: the new one takes its place
            fs::path old = checkpoints / ("." + target.filename().string() + ".old");
            fs::remove_all(old);
            fs::rename(target, old);
        }
        fs::rename(aside, target);
        sync_path(checkpoints);
        return saved;
    } catch (const fs::filesystem_error& error) {
        fs::remove_all(aside, ignored);
        throw_file_error("cannot save", target, error.code().value());
    } catch (...) {
        fs::remove_all(aside, ignored);
        throw;
    }
}

std::vector<fs::path> list(const fs::path& checkpoints) {
    std::vector<std::pair<std::int64_t, fs::path>> found;
    std::error_code error;
    for (const auto& entry : fs::directory_iterator(checkpoints, error))
        if (auto step = step_of(entry.path()); step && fs::exists(entry.path() / "manifest.json"))
            found.emplace_back(*step, entry.path());
    std::sort(found.begin(), found.end());
    std::vector<fs::path> result;
    for (auto& [step, path] : found)
        result.push_back(std::move(path));
    return result;
}

void prune(const fs::path& checkpoints, std::int64_t keep) {
    std::error_code ignored;
    for (const auto& entry : fs::directory_iterator(checkpoints, ignored)) {
        std::string name = entry.path().filename().string();
        if (name.starts_with(std::string(".") + kPrefix) && (name.ends_with(".tmp") || name.ends_with(".old")))
            fs::remove_all(entry.path(), ignored);
    }
    if (keep <= 0)
        return;
    std::vector<fs::path> all = list(checkpoints);
    for (std::size_t i = 0; i + static_cast<std::size_t>(keep) < all.size(); ++i) {
        // Without its manifest a folder is no checkpoint any more, however far the removal gets.
        fs::remove(all[i] / "manifest.json", ignored);
        fs::remove_all(all[i], ignored);
    }
}

fs::path find(const fs::path& path) {
    if (!fs::exists(path))
        throw UserError("cannot resume from " + path.string() + ": there is no such folder");
    if (fs::exists(path / "manifest.json"))
        return path;
    for (const fs::path& folder : {path, path / "checkpoints"}) {
        auto all = list(folder);
        if (!all.empty())
            return all.back();
    }
    throw UserError("cannot resume from " + path.string() + ": there is no whole checkpoint in it");
}

Position load(const fs::path& folder, const Content& content) {
    json manifest = read_manifest(folder);
    try {
        verify(folder, manifest);
        fill(folder / "model.safetensors", content.weights);
        fill(folder / "optimizer.safetensors", content.optimizer);
        return parse_position(manifest.at("position"));
    } catch (const json::exception& error) {
        throw UserError((folder / "manifest.json").string() + " is damaged (" + error.what() +
                        "): resume from an earlier checkpoint");
    }
}

void load_weights(const fs::path& path, const std::vector<LogicalTensor>& weights) {
    fill(fs::is_directory(path) ? path / "model.safetensors" : path, weights);
}

}  // namespace trainyard::checkpoint
