// SPDX-License-Identifier: GPL-3.0-or-later
#include "checkpoint/direct_load.h"

#include <algorithm>
#include <map>
#include <mutex>
#include <span>
#include <utility>

#include <ATen/core/grad_mode.h>
#include <ATen/ops/from_blob.h>

#include <nlohmann/json.hpp>

#include "base/error.h"
#include "base/files/mapped_file.h"
#include "base/files/page_memory.h"
#include "base/json.h"
#include "base/json_writer.h"
#include "checkpoint/files/optimizer_file.h"
#include "checkpoint/parallel_copy.h"
#include "checkpoint/weights.h"
#include "distributed/tensors/dtype.h"
#include "formats/weights/safetensors.h"

namespace trainyard::checkpoint {

namespace {

/// Key of the metadata: {"entry": {"name", "shape", "offset"}}; the box's size is the entry's shape.
constexpr const char* kBoxesOfFile = "trainyard.boxes";

/// A box within another one, in coordinates of that.
Box within(const Box& inner, const Box& outer) {
    Box result = inner;
    for (std::size_t d = 0; d < inner.offset.size(); ++d)
        result.offset[d] -= outer.offset[d];
    return result;
}

std::int64_t elements_of(const Box& box) {
    std::int64_t count = 1;
    for (std::int64_t size : box.size)
        count *= size;
    return count;
}

}  // namespace

NamedTensors entries_of_boxes(const std::vector<LogicalTensor>& boxes, std::map<std::string, std::string>& metadata) {
    NamedTensors entries;
    nlohmann::ordered_json places = nlohmann::ordered_json::object();
    std::map<std::string, int> numbers;
    for (const LogicalTensor& box : boxes) {
        if (box.local.numel() == 0)
            continue;
        std::string entry = box.name + "#" + std::to_string(numbers[box.name]++);
        places[entry] = {{"name", box.name}, {"shape", box.shape}, {"offset", box.box.offset}};
        entries.emplace_back(std::move(entry), box.local);
    }
    metadata[kBoxesOfFile] = json_text(places);
    return entries;
}

namespace {

/// What a file holds, and where: `tensor.local` is undefined.
struct StoredEntry {
    LogicalTensor tensor;
    at::ScalarType type;
    std::uint64_t begin, end;  ///< bytes of the file
};

std::map<std::string, LogicalTensor> boxes_of(const weights::SafetensorsFile& header, const std::string& where) {
    std::map<std::string, LogicalTensor> boxes;
    auto place = header.metadata().find(kBoxesOfFile);
    if (place == header.metadata().end())
        return boxes;
    auto refuse = [&](const Message& why) {
        throw UserError("{} says wrongly which parts of tensors it holds ({})", where, why);
    };
    try {
        const auto places = parse_json(place->second);
        for (const weights::TensorInfo& info : header.tensors()) {
            const auto& one = places.at(info.name);
            LogicalTensor box{one.at("name"), one.at("shape"), {one.at("offset"), info.shape}, {}};
            if (box.shape.size() != info.shape.size() || box.box.offset.size() != info.shape.size())
                refuse(Message("{} has other dimensions than its tensor", info.name));
            for (std::size_t d = 0; d < info.shape.size(); ++d)
                if (box.box.offset[d] < 0 || box.box.offset[d] > box.shape[d] - info.shape[d])
                    refuse(Message("{} reaches out of its tensor", info.name));
            boxes.emplace(info.name, std::move(box));
        }
    } catch (const nlohmann::json::exception& error) {
        refuse(Message::verbatim(error.what()));
    }
    return boxes;
}

std::vector<StoredEntry> entries_of(const std::filesystem::path& file) {
    std::vector<StoredEntry> entries;
    if (file.extension() == ".bin") {
        const files::MappedFile mapped(file);
        for (OptimizerTensor& tensor : tensors_of_optimizer(mapped.bytes(), file.string())) {
            const std::optional<at::ScalarType> type = dtype_of_name(tensor.dtype);
            if (!type)
                throw UserError("{} holds a tensor of the unknown type {}", file.string(), tensor.dtype);
            entries.push_back(
                {{std::move(tensor.name), tensor.shape, whole(tensor.shape), {}}, *type, tensor.begin, tensor.end});
        }
        return entries;
    }
    const weights::SafetensorsFile header(file);
    const std::map<std::string, LogicalTensor> boxes = boxes_of(header, file.string());
    for (const weights::TensorInfo& info : header.tensors()) {
        auto part = boxes.find(info.name);
        entries.push_back(
            {part != boxes.end() ? part->second : LogicalTensor{info.name, info.shape, whole(info.shape), {}},
             stored_type(info.dtype, file.string() + ": '" + info.name + "'"), header.data_offset() + info.begin,
             header.data_offset() + info.end});
    }
    return entries;
}

}  // namespace

std::optional<std::vector<std::int64_t>> DirectLoad::other_shape(const LogicalTensor& tensor) const {
    auto stored = shapes_.find(tensor.name);
    return stored == shapes_.end() || stored->second == tensor.shape ? std::nullopt : std::optional(stored->second);
}

DirectLoad::DirectLoad(std::filesystem::path file, const std::vector<LogicalTensor>& tensors)
    : file_(std::move(file)), found_(tensors.size(), 0) {
    std::multimap<std::string_view, std::size_t> wanted;
    for (std::size_t i = 0; i < tensors.size(); ++i)
        wanted.emplace(tensors[i].name, i);
    for (const StoredEntry& entry : entries_of(file_)) {
        const LogicalTensor& stored = entry.tensor;
        auto [first, last] = wanted.equal_range(stored.name);
        if (first == last)
            continue;
        shapes_[stored.name] = stored.shape;
        std::vector<Range> straight;
        std::vector<const LogicalTensor*> aside;
        for (auto one = first; one != last; ++one) {
            const LogicalTensor& tensor = tensors[one->second];
            const std::optional<Box> common =
                tensor.shape == stored.shape ? intersection(stored.box, tensor.box) : std::nullopt;
            if (!common)
                continue;
            found_[one->second] += elements_of(*common);
            const at::Tensor to = tensor.local.detach();
            const auto from = run_of(within(*common, stored.box), stored.box.size);
            const auto at = run_of(within(*common, tensor.box), tensor.box.size);
            if (!from || !at || to.scalar_type() != entry.type || !to.device().is_cpu() || !to.is_contiguous()) {
                aside.push_back(&tensor);
                continue;
            }
            const std::uint64_t element = to.element_size(),
                                start = entry.begin + static_cast<std::uint64_t>(*from) * element;
            straight.push_back({start, start + static_cast<std::uint64_t>(elements_of(*common)) * element,
                                static_cast<std::byte*>(to.data_ptr()) + static_cast<std::uint64_t>(*at) * element});
        }
        // All of an entry goes aside where a part of it must: ranges do not overlap.
        if (aside.empty()) {
            ranges_.insert(ranges_.end(), straight.begin(), straight.end());
            continue;
        }
        ranges_.push_back({entry.begin, entry.end, nullptr, detours_.size()});
        Detour& detour = detours_.emplace_back(Detour{stored, entry.type, {}});
        for (auto one = first; one != last; ++one)
            detour.wanted.push_back(tensors[one->second]);
    }
    std::ranges::sort(ranges_, {}, &Range::begin);
}

Message DirectLoad::run(const FileRecord& record) {
    struct Reading {
        files::PageMemory buffer;
        std::uint64_t left = 0;  ///< bytes
    };
    std::mutex mutex;  // pieces come on several threads, of which malloc would keep a buffer each
    std::map<std::size_t, Reading> readings;
    const auto buffer_of = [&](const Range& range) {
        const std::lock_guard lock(mutex);
        Reading& reading = readings[range.detour];
        if (reading.buffer.data() == nullptr) {
            reading.buffer = files::PageMemory(range.end - range.begin);
            reading.left = range.end - range.begin;
        }
        return reading.buffer.data();
    };
    const auto note_read = [&](const Range& range, std::uint64_t bytes) {
        const Detour& detour = detours_[range.detour];
        files::PageMemory buffer;
        {
            const std::lock_guard lock(mutex);
            const auto reading = readings.find(range.detour);
            reading->second.left -= bytes;
            if (reading->second.left > 0)
                return;
            buffer = std::move(reading->second.buffer);
            readings.erase(reading);
        }
        const at::NoGradGuard no_grad;
        LogicalTensor stored = detour.stored;
        stored.local = at::from_blob(buffer.data(), stored.box.size, at::TensorOptions().dtype(detour.type));
        for (const LogicalTensor& wanted : detour.wanted)
            copy_overlap(stored, wanted);
    };
    auto scatter = [&](std::uint64_t begin, std::span<const std::byte> piece) {
        std::uint64_t end = begin + piece.size();
        auto range = std::partition_point(ranges_.begin(), ranges_.end(),
                                          [&](const Range& before) { return before.end <= begin; });
        for (; range != ranges_.end() && range->begin < end; ++range) {
            std::uint64_t from = std::max(begin, range->begin), to = std::min(end, range->end);
            std::byte* const memory = range->detour == kStraight ? range->to : buffer_of(*range);
            copy_past_cache(memory + (from - range->begin), piece.data() + (from - begin), to - from);
            if (range->detour != kStraight)
                note_read(*range, to - from);
        }
    };
    return check_content(file_, record, files::Cache::pass, scatter);
}

}  // namespace trainyard::checkpoint
