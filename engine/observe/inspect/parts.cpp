// SPDX-License-Identifier: GPL-3.0-or-later
#include "observe/inspect/parts.h"

#include <algorithm>
#include <functional>
#include <map>
#include <set>

#include <fmt/format.h>
#include <fmt/ranges.h>
#include <nlohmann/json.hpp>

#include "base/counted.h"
#include "base/error.h"
#include "base/files/mapped_file.h"
#include "base/filesystem.h"
#include "base/json.h"
#include "base/json_writer.h"
#include "base/regular_file.h"
#include "base/utf8.h"
#include "formats/weights/dcp_folder.h"
#include "formats/weights/gguf_file.h"
#include "formats/weights/safetensors_header.h"
#include "formats/weights/torch_file.h"
#include "formats/weights/torch_leaves.h"
#include "formats/weights/zero_folder.h"

namespace trainyard::inspect {

namespace {

constexpr std::size_t kMostValues = 300;  ///< of a file
constexpr int kDeepestValue = 8;
constexpr std::size_t kLongestValue = 2000;
constexpr std::uint64_t kLargestJson = 64u << 20;
constexpr const char* kBoxes = "trainyard.boxes";

std::string short_text(std::string_view text) {
    return text::to_utf8(text.substr(0, kLongestValue));
}

void add_json(const std::string& key, const nlohmann::ordered_json& json, std::size_t& left,
              std::vector<Value>& values) {
    if (left == 0)
        return;
    if (json.is_object() && !json.empty()) {
        for (const auto& [name, item] : json.items())
            add_json(key.empty() ? name : key + "." + name, item, left, values);
        return;
    }
    --left;
    std::string text = json.is_string() ? json.get<std::string>() : json_text(json);
    if (json.is_array() && text.size() > 200)
        text = fmt::format("{} items", json.size());
    values.push_back({key, short_text(text)});
}

std::string value_text(const weights::Value& value, int depth) {
    using weights::Kind;
    switch (value.kind) {
        case Kind::none:
            return "none";
        case Kind::boolean:
            return value.boolean ? "true" : "false";
        case Kind::integer:
            return std::to_string(value.integer);
        case Kind::real:
            return fmt::format("{}", value.real);
        case Kind::text:
            return short_text(value.text());
        case Kind::bytes:
            return fmt::format("{} bytes", value.object->text.size());
        case Kind::dtype:
            return std::string(value.object->type);
        case Kind::list:
        case Kind::tuple:
        case Kind::size:
        case Kind::set: {
            const auto items = value.items();
            if (items.size() > 16 || depth > 1)
                return fmt::format("{} items", items.size());
            std::vector<std::string> shown;
            for (const weights::Value& item : items)
                shown.push_back(value_text(item, depth + 1));
            return fmt::format("[{}]", fmt::join(shown, ", "));
        }
        case Kind::dict:
            return fmt::format("{} entries", value.items().size() / 2);
        case Kind::record:
            return fmt::format("an object of {}", value.object->type);
        default:
            return "an object";
    }
}

/// Goes through an unpickled object: tensors become tensors, the rest values.
class TorchWalk {
  public:
    TorchWalk(const weights::TorchFile& file, std::span<const std::byte> bytes, Section section, std::string prefix,
              Part& part)
        : file_(file), bytes_(bytes), section_(section), prefix_(std::move(prefix)), part_(part) {}

    void run() {
        const weights::Value& root = file_.root();
        weights::leaves_of(file_);  // refuses tables that hold each other
        name_parameters(root);
        walk(root, "", 0);
    }

  private:
    /// An optimizer numbers its parameters; newer files have their names in the groups.
    void name_parameters(const weights::Value& root) {
        const weights::Value* groups = weights::find(root, "param_groups");
        if (groups == nullptr || weights::find(root, "state") == nullptr)
            return;
        for (const weights::Value& group : groups->items()) {
            const weights::Value *numbers = weights::find(group, "params"),
                                 *names = weights::find(group, "param_names");
            if (numbers == nullptr || names == nullptr || numbers->items().size() != names->items().size())
                continue;
            for (std::size_t i = 0; i < numbers->items().size(); ++i)
                if (numbers->items()[i].kind == weights::Kind::integer)
                    parameters_[numbers->items()[i].integer] = std::string(names->items()[i].text());
        }
    }

    static std::string key_text(const weights::Value& key) {
        if (key.kind == weights::Kind::text)
            return short_text(key.text());
        return key.kind == weights::Kind::integer ? std::to_string(key.integer) : "?";
    }

    std::string below(const std::string& path, const weights::Value& key) const {
        if (path == "state" && key.kind == weights::Kind::integer)
            if (auto named = parameters_.find(key.integer); named != parameters_.end())
                return named->second;
        return path.empty() ? key_text(key) : path + "." + key_text(key);
    }

    void walk(const weights::Value& value, const std::string& path, int depth) {
        using weights::Kind;
        if (value.kind == Kind::tensor)
            return add_tensor(path, *value.object->tensor);
        if (value.kind == Kind::dict && depth < kDeepestValue) {
            std::span<const weights::Value> items = value.items();
            for (std::size_t i = 0; i + 1 < items.size(); i += 2)
                walk(items[i + 1], below(path, items[i]), depth + 1);
            return;
        }
        if ((value.kind == Kind::list || value.kind == Kind::tuple) && depth < kDeepestValue &&
            holds_containers(value)) {
            for (std::size_t i = 0; i < value.items().size(); ++i)
                walk(value.items()[i], fmt::format("{}{}{}", path, path.empty() ? "" : ".", i), depth + 1);
            return;
        }
        if (values_ < kMostValues) {
            ++values_;
            part_.values.push_back({prefix_ + path, value_text(value, 0)});
        }
    }

    static bool holds_containers(const weights::Value& value) {
        for (const weights::Value& item : value.items())
            if (item.kind == weights::Kind::tensor || item.kind == weights::Kind::dict ||
                item.kind == weights::Kind::list || item.kind == weights::Kind::tuple)
                return true;
        return false;
    }

    void add_tensor(const std::string& path, const weights::TensorPart& part) {
        Tensor tensor;
        tensor.name = prefix_ + (path.empty() ? "tensor" : path);
        tensor.section = section_;
        tensor.dtype = weights::safetensors_dtype(part.dtype);
        if (tensor.dtype.empty())
            tensor.dtype = part.dtype;
        tensor.shape = part.shape;
        const auto count = static_cast<std::uint64_t>(*weights::element_count(part.shape));
        tensor.bytes = count * weights::element_size(part.dtype);
        if (count > 0) {
            std::span<const std::byte> elements = file_.contiguous_bytes(part, true);
            if (elements.empty()) {
                const std::size_t element = weights::element_size(part.dtype);
                elements = file_.storage_bytes(part, true).subspan(static_cast<std::size_t>(part.offset) * element);
                tensor.strides = part.strides;
            }
            tensor.ranges = {{0, static_cast<std::uint64_t>(elements.data() - bytes_.data()), elements.size()}};
        }
        part_.tensors.push_back(std::move(tensor));
    }

    const weights::TorchFile& file_;
    std::span<const std::byte> bytes_;
    Section section_;
    std::string prefix_;
    Part& part_;
    std::map<std::int64_t, std::string> parameters_;
    std::size_t values_ = 0;
};

Section section_of_part(weights::StatePart part) {
    switch (part) {
        case weights::StatePart::model:
            return Section::weights;
        case weights::StatePart::average:
            return Section::average;
        case weights::StatePart::optimizer:
            return Section::optimizer;
        case weights::StatePart::other:
            return Section::state;
    }
    return Section::state;
}

std::string pickled_value(const weights::DcpFolder& dcp, const weights::DcpValue& value) {
    if (const std::span<const std::byte> archive = dcp.archive_of(value); !archive.empty())
        try {
            return value_text(weights::TorchFile(archive, value.name).root(), 0);
        } catch (const UserError&) {
            // An object of a class that is not read.
        }
    return "a pickled value";
}

std::string joined(const std::string& folder, const std::string& name) {
    return folder.empty() ? name : folder + "/" + name;
}

}  // namespace

std::uint64_t size_of_file(const fs::path& path) {
    std::error_code error;
    const std::uintmax_t size = fs::is_regular_file(path, error) ? fs::file_size(path, error) : 0;
    return error ? 0 : size;
}

void add_json_values(const std::string& key, const std::string& json, std::vector<Value>& values) {
    std::size_t left = kMostValues;
    const auto parsed = read_ordered_json(json);
    if (parsed.is_structured())
        add_json(key, parsed, left, values);
    else
        values.push_back({key, short_text(json)});
}

void read_safetensors_part(const fs::path& root, const std::string& name, Section section, const std::string& prefix,
                           Part& part) {
    weights::SafetensorsHeader header = weights::read_safetensors_header(root / name);
    std::map<std::string, std::string> names;  // of boxes: the tensor a box is of, and where
    for (const auto& [key, value] : header.metadata) {
        if (key != kBoxes) {
            add_json_values(name + "." + key, value, part.values);
            continue;
        }
        const nlohmann::json boxes = read_json(value);
        if (!boxes.is_object())
            continue;
        for (const auto& [entry, box] : boxes.items())
            if (box.is_object() && box.contains("name") && box["name"].is_string())
                names[entry] =
                    box["name"].get<std::string>() + " @ " + (box.contains("offset") ? json_text(box["offset"]) : "");
    }
    part.tensors.reserve(part.tensors.size() + header.tensors.size());
    for (weights::TensorInfo& info : header.tensors) {
        Tensor& tensor = part.tensors.emplace_back();
        const auto box = names.empty() ? names.end() : names.find(info.name);
        tensor.name = box == names.end() ? std::move(info.name) : box->second;
        if (!prefix.empty())
            tensor.name.insert(0, prefix);
        tensor.section = section;
        tensor.dtype = std::move(info.dtype);
        tensor.shape = std::move(info.shape);
        tensor.bytes = info.end - info.begin;
        if (tensor.bytes > 0)
            tensor.ranges = {{0, header.data_offset + info.begin, tensor.bytes}};
    }
    part.format = "safetensors";
}

void read_torch_part(const fs::path& root, const std::string& name, Section section, const std::string& prefix,
                     Part& part) {
    const files::MappedFile file(root / name);
    const std::string where = (root / name).string();
    const weights::TorchFile torch(file.bytes(), where);
    const std::size_t first = part.tensors.size();
    TorchWalk(torch, file.bytes(), section, prefix, part).run();
    part.format = "torch.save";
    if (section != Section::weights || torch.root().kind != weights::Kind::dict)
        return;
    // Weights beside other state.
    const weights::TorchLeaves all = weights::leaves_of(torch);
    const weights::ModelLevel level = weights::find_model_level(all.leaves);
    std::size_t at = first, taken = 0;
    for (std::size_t leaf = 0; leaf < all.leaves.size(); ++leaf) {
        if (all.tensors[leaf] == nullptr)
            continue;
        if (at >= part.tensors.size())
            break;
        Tensor& tensor = part.tensors[at++];
        tensor.section = section_of_part(level.parts[leaf]);
        if (level.parts[leaf] == weights::StatePart::model)
            if (const std::string& model_name = level.names[taken++]; tensor.name != prefix + model_name)
                tensor.model_name = prefix + model_name;
    }
}

void read_gguf_part(const fs::path& root, const std::string& name, Part& part) {
    const files::MappedFile file(root / name);
    weights::GgufHeader header = weights::read_gguf_header(file.bytes(), file.bytes().size(), (root / name).string());
    for (auto& [key, value] : header.values)
        part.values.push_back({key, short_text(value)});
    for (weights::GgufTensor& info : header.tensors) {
        Tensor tensor;
        tensor.name = std::move(info.name);
        tensor.dtype = info.dtype.empty() ? info.type : info.dtype;
        tensor.shape = std::move(info.shape);
        tensor.bytes = info.bytes;
        if (info.bytes > 0)
            tensor.ranges = {{0, info.begin, info.bytes}};
        part.tensors.push_back(std::move(tensor));
    }
    part.format = Message("GGUF version {}", header.version);
}

void read_json_part(const fs::path& root, const std::string& name, Part& part) {
    const std::string text = read_regular_file(root / name, kLargestJson);
    if (const char* why = json_out_of_bounds(text); why != nullptr)
        throw UserError("{} is {}, which no file of a checkpoint is", (root / name).string(), Message::table_text(why));
    if (!is_json(text))
        throw UserError("{} is not JSON, or cut", (root / name).string());
    add_json_values(name == "position.json" ? "position" : fs::path(name).stem().string(), text, part.values);
}

void read_dcp_part(const fs::path& root, const std::string& folder, Section section, Part& part) {
    const weights::DcpFolder dcp(root / folder);
    std::map<std::string, std::uint32_t> numbers;
    part.files.push_back({joined(folder, ".metadata"), size_of_file(root / folder / ".metadata"), section, {}});
    const weights::ModelLevel level = weights::find_model_level(dcp.leaves());
    // FSDP wraps all in one dictionary, whose name says nothing; beside other state the whole keys are shown.
    const bool wrapped = level.path.size() == 1 && level.others.empty();
    std::vector<std::string> model_names(dcp.tensors().size());
    for (std::size_t i = 0; i < level.tensors.size(); ++i)
        model_names[level.tensors[i]] = level.names[i];
    for (std::size_t i = 0; i < dcp.tensors().size(); ++i) {
        const weights::DcpTensor& info = dcp.tensors()[i];
        Tensor tensor;
        tensor.name = wrapped && !model_names[i].empty() ? model_names[i] : info.name;
        if (tensor.name != model_names[i])
            tensor.model_name = model_names[i];
        tensor.section = section == Section::weights ? section_of_part(level.parts[i]) : section;
        tensor.dtype = weights::safetensors_dtype(info.dtype);
        if (tensor.dtype.empty())
            tensor.dtype = info.dtype;
        tensor.shape = info.shape;
        tensor.bytes =
            static_cast<std::uint64_t>(*weights::element_count(info.shape)) * weights::element_size(info.dtype);
        tensor.archived = true;
        for (const weights::DcpChunk& chunk : info.chunks) {
            auto [number, fresh] = numbers.emplace(chunk.file, static_cast<std::uint32_t>(part.files.size()));
            if (fresh)
                part.files.push_back(
                    {joined(folder, chunk.file), size_of_file(root / folder / chunk.file), section, {}});
            for (std::size_t d = 1; d < info.shape.size(); ++d)
                tensor.scattered = tensor.scattered || chunk.size[d] != info.shape[d];
            if (tensor.bytes > 0)
                tensor.ranges.push_back({number->second, chunk.position, chunk.length});
        }
        part.tensors.push_back(std::move(tensor));
    }
    for (const weights::DcpValue& value : dcp.values())
        if (part.values.size() < kMostValues)
            part.values.push_back({joined(folder, value.name), pickled_value(dcp, value)});
    part.format = Message("distributed checkpoint, {} files", part.files.size() - 1);
}

/// Reads each file of a ZeRO folder that is not a whole checkpoint.
static void read_zero_files(const fs::path& root, const std::string& folder, Part& part) {
    std::vector<std::string> names;
    std::error_code error;
    for (const fs::directory_entry& entry : fs::directory_iterator(root / folder, error))
        if (std::string name = entry.path().filename().string();
            name.ends_with("_optim_states.pt") || name.ends_with("_model_states.pt"))
            names.push_back(std::move(name));
    std::ranges::sort(names, natural_less);
    for (const std::string& name : names) {
        const bool optimizer = name.ends_with("_optim_states.pt");
        const auto number = static_cast<std::uint32_t>(part.files.size());
        const fs::path path = root / folder / name;
        part.files.push_back(
            {joined(folder, name), size_of_file(path), optimizer ? Section::optimizer : Section::weights, {}});
        try {
            const files::MappedFile file(path);
            const weights::TorchFile torch(file.bytes(), path.string());
            Part one;
            TorchWalk(torch, file.bytes(), optimizer ? Section::optimizer : Section::state,
                      optimizer ? name.substr(0, name.size() - std::string_view("_optim_states.pt").size()) + "." : "",
                      one)
                .run();
            for (Tensor& tensor : one.tensors) {
                for (ByteRange& range : tensor.ranges)
                    range.file = number;
                if (!optimizer && tensor.name.starts_with("module.")) {
                    tensor.section = Section::weights;
                    tensor.name.erase(0, std::string_view("module.").size());
                }
                part.tensors.push_back(std::move(tensor));
            }
            for (Value& value : one.values)
                if (part.values.size() < kMostValues)
                    part.values.push_back(std::move(value));
        } catch (const UserError& problem) {
            part.files.back().problem = problem.message();
            if (std::ranges::find(part.problems, problem.message()) == part.problems.end())
                part.problems.push_back(problem.message());
        }
    }
    part.format = "ZeRO, not whole";
}

void read_zero_part(const fs::path& root, const std::string& folder, Part& part) {
    std::optional<weights::ZeroFolder> whole;
    try {
        whole.emplace(root / folder);
    } catch (const UserError& problem) {
        part.problems.push_back(problem.message());
        read_zero_files(root, folder, part);
        return;
    }
    const weights::ZeroFolder& zero = *whole;
    for (const fs::path& path : zero.paths()) {
        const std::string name = path.filename().string();
        part.files.push_back({joined(folder, name),
                              size_of_file(path),
                              name.ends_with("_optim_states.pt") ? Section::optimizer : Section::weights,
                              {}});
    }
    for (const weights::ZeroTensor& info : zero.tensors()) {
        Tensor tensor;
        tensor.name = info.name;
        tensor.dtype = weights::safetensors_dtype(info.dtype);
        tensor.shape = info.shape;
        tensor.bytes =
            static_cast<std::uint64_t>(*weights::element_count(info.shape)) * weights::element_size(info.dtype);
        for (const weights::ZeroPiece& piece : info.pieces) {
            const auto bytes = zero.bytes(piece, true);
            tensor.ranges.push_back({static_cast<std::uint32_t>(piece.file),
                                     static_cast<std::uint64_t>(bytes.data() - zero.file(piece.file).bytes().data()),
                                     bytes.size()});
        }
        part.tensors.push_back(std::move(tensor));
    }
    // The ranks' own tensors: flat weights and moments, and the values beside them.
    std::size_t rank = 0;
    for (std::size_t i = 0; i < zero.paths().size(); ++i) {
        const bool optimizer = part.files[i].section == Section::optimizer;
        Part one;
        TorchWalk(zero.file(i), zero.file(i).bytes(), Section::optimizer, optimizer ? Message("rank {}.", rank) : "",
                  one)
            .run();
        rank += optimizer ? 1 : 0;
        for (Tensor& tensor : one.tensors)
            if (optimizer) {
                for (ByteRange& range : tensor.ranges)
                    range.file = static_cast<std::uint32_t>(i);
                part.tensors.push_back(std::move(tensor));
            }
        for (Value& value : one.values)
            if (part.values.size() < kMostValues)
                part.values.push_back(std::move(value));
    }
    part.format = Message("ZeRO stage {} of {}", zero.stage(), text::ranks(zero.ranks()));
}

}  // namespace trainyard::inspect
