// SPDX-License-Identifier: GPL-3.0-or-later
#include "formats/weights/offload_folder.h"

#include <cerrno>
#include <map>
#include <optional>

#include <fcntl.h>
#include <fmt/format.h>
#include <nlohmann/json.hpp>
#include <unistd.h>

#include "base/error.h"
#include "base/file.h"
#include "base/file_descriptor.h"
#include "base/files/mapped_file.h"
#include "base/json.h"
#include "base/json_writer.h"
#include "base/system_call.h"
#include "base/text_file.h"
#include "formats/weights/elements.h"
#include "formats/weights/pickle.h"

namespace trainyard::weights {

namespace {

namespace fs = std::filesystem;
using Json = nlohmann::ordered_json;

constexpr const char* kOffloadIndex = "index.json";
constexpr std::uint64_t kMostIndexBytes = 256u << 20;
/// Bytes that are read at once.
constexpr std::size_t kReadStep = 4u << 20;

/// Returns the index as JSON; a discarded value if the file is missing or not an index.
Json read_index(const fs::path& folder) {
    std::error_code error;
    if (!fs::is_regular_file(folder / kOffloadIndex, error))
        return Json(Json::value_t::discarded);
    return read_ordered_json(text::read_text_file(folder / kOffloadIndex, kMostIndexBytes));
}

/// A tensor's name is part of a file's name.
bool is_file_name(const std::string& name) {
    return !name.empty() && name != "." && name != ".." && name.find('/') == std::string::npos &&
           name.find('\0') == std::string::npos;
}

void stream_piece(const FilePiece& piece, const std::function<void(std::span<const std::byte>)>& sink) {
    const FileDescriptor file(::open(piece.file.c_str(), O_RDONLY | O_CLOEXEC | O_NONBLOCK));
    if (!file)
        throw_file_error("cannot read", piece.file, errno);
    std::vector<std::byte> room(std::min<std::uint64_t>(piece.bytes, kReadStep));
    for (std::uint64_t done = 0; done < piece.bytes;) {
        const std::span<std::byte> part(room.data(), std::min<std::uint64_t>(room.size(), piece.bytes - done));
        const ssize_t got = read_all_at(file.get(), part, piece.offset + done);
        if (got < 0)
            throw_file_error("cannot read", piece.file, errno);
        if (static_cast<std::size_t>(got) < part.size())
            throw UserError("{} became shorter while it was read", piece.file.string());
        sink(part);
        done += part.size();
    }
}

class OffloadSource final : public WeightSource {
  public:
    explicit OffloadSource(const fs::path& folder) {
        const Json index = read_index(folder);
        for (const auto& [name, entry] : index.items())
            try {
                if (entry.contains("safetensors_file"))
                    add_reference(folder, name, entry);
                else
                    add_file(folder, name, entry);
            } catch (const nlohmann::json::exception& error) {
                throw UserError("{}: the entry '{}' is not one of an offloaded weight: it needs dtype and shape",
                                (folder / kOffloadIndex).string(), name);
            }
    }

    std::optional<FilePiece> piece(std::size_t tensor) const override {
        return places_[tensor].from.empty() ? std::optional(places_[tensor].piece) : std::nullopt;
    }
    void stream(std::size_t tensor, const std::function<void(std::span<const std::byte>)>& sink) const override {
        const Place& place = places_[tensor];
        std::vector<std::byte> converted;
        stream_piece(place.piece, [&](std::span<const std::byte> bytes) {
            if (place.from.empty())
                return sink(bytes);
            convert_elements(place.from, bytes, tensors_[tensor].dtype, converted);
            sink(converted);
        });
    }
    std::string kind() const override { return "offload folder"; }

  private:
    struct Place {
        FilePiece piece;
        std::string from = {};  ///< dtype of the file where the entry asks for another
    };

    void add_file(const fs::path& folder, const std::string& name, const Json& entry) {
        if (!is_file_name(name))
            throw UserError("{}: '{}' is not the name of a tensor", (folder / kOffloadIndex).string(), name);
        const fs::path file = folder / (name + ".dat");
        add(folder.string(), name, safetensors_dtype(entry.at("dtype").get<std::string>()),
            entry.at("shape").get<std::vector<std::int64_t>>());
        std::error_code error;
        const std::uint64_t size = fs::file_size(file, error);
        if (error)
            throw UserError("{} is missing, though {} names '{}'", file.string(), kOffloadIndex, name);
        if (size != tensors_.back().bytes)
            throw UserError("{} has {} bytes, and its entry in {} needs {}", file.string(), size, kOffloadIndex,
                            tensors_.back().bytes);
        places_.push_back({{file, 0, size}});
    }

    void add_reference(const fs::path& folder, const std::string& name, const Json& entry) {
        const fs::path path = folder / entry.at("safetensors_file").get<std::string>();
        const SafetensorsFile& file = files_.try_emplace(path.string(), path).first->second;
        const std::string inner = entry.value("weight_name", name);
        const TensorInfo* tensor = file.find(inner);
        if (tensor == nullptr)
            throw UserError("{} has no tensor '{}', though {} says so", path.string(), inner,
                            (folder / kOffloadIndex).string());
        std::string dtype = tensor->dtype;
        if (entry.contains("dtype"))
            dtype = safetensors_dtype(entry.at("dtype").get<std::string>());
        const bool same = dtype == tensor->dtype;
        if (!same && !(is_floating(dtype) && is_floating(tensor->dtype)))
            throw UserError("{}: '{}' is stored as {} and asked for as {}", (folder / kOffloadIndex).string(), name,
                            tensor->dtype, dtype);
        add(folder.string(), name, dtype, tensor->shape);
        places_.push_back({{path, file.data_offset() + tensor->begin, tensor->end - tensor->begin},
                           same ? std::string() : tensor->dtype});
    }

    std::map<std::string, SafetensorsFile> files_;
    std::vector<Place> places_;
};

}  // namespace

bool is_offload_folder(const fs::path& folder) {
    const Json index = read_index(folder);
    if (!index.is_object() || index.empty())
        return false;
    const Json& first = index.begin().value();
    return first.is_object() && (first.contains("safetensors_file") || first.contains("dtype"));
}

std::unique_ptr<WeightSource> open_offload_folder(const fs::path& folder) {
    return std::make_unique<OffloadSource>(folder);
}

OffloadWriter::OffloadWriter(fs::path folder) : folder_(std::move(folder)) {
    std::error_code error;
    if (fs::exists(folder_, error) && !fs::is_directory(folder_, error))
        throw UserError("{} is a file: name a folder for offloaded weights", folder_.string());
    make_private_folder(folder_);
}

FilePiece OffloadWriter::write(const std::string& name, const std::string& safetensors_dtype,
                               const std::vector<std::int64_t>& shape,
                               const std::function<void(const ByteSink&)>& stream) {
    if (!is_file_name(name))
        throw UserError("'{}' cannot be a file's name, which offloading to {} needs", name, folder_.string());
    std::uint64_t bytes = dtype_size(safetensors_dtype);
    for (const std::int64_t size : shape)
        bytes *= static_cast<std::uint64_t>(size);
    const fs::path file = folder_ / (name + ".dat");
    files::FileWriter writer(file, bytes);
    stream([&](std::span<const std::byte> piece) { writer.write(piece); });
    const files::WrittenFile done = writer.finish(false);
    written_.push_back({name, torch_dtype(safetensors_dtype), shape});
    return {file, 0, done.bytes};
}

void OffloadWriter::finish() {
    if (written_.empty())
        return;
    Json index = read_index(folder_);
    if (!index.is_object())
        index = Json::object();
    for (const Entry& entry : written_)
        index[entry.name] = Json{{"dtype", entry.dtype}, {"shape", entry.shape}};
    write_file_atomically(folder_ / kOffloadIndex, json_text(index, {.indent = 2}), true, 0644);
    written_.clear();
}

}  // namespace trainyard::weights
