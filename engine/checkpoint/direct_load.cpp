#include "checkpoint/direct_load.h"

#include <algorithm>
#include <map>
#include <utility>

#include <ATen/ops/empty.h>

#include "base/error.h"
#include "checkpoint/parallel_copy.h"
#include "checkpoint/weights.h"
#include "io/safetensors.h"

namespace trainyard::checkpoint {

DirectLoad::DirectLoad(std::filesystem::path file, const std::vector<LogicalTensor>& tensors) : file_(std::move(file)) {
    io::SafetensorsFile header(file_);
    std::map<std::string_view, const LogicalTensor*> wanted;
    std::string problems;
    auto complain = [&](const std::string& text) { problems += (problems.empty() ? "" : "; ") + text; };
    for (const LogicalTensor& tensor : tensors) {
        const io::TensorInfo* info = header.find(tensor.name);
        if (info == nullptr)
            complain("tensor " + tensor.name + " is missing");
        else if (info->shape != tensor.shape)
            complain("tensor " + tensor.name + " has shape " + c10::str(at::IntArrayRef(info->shape)) + " instead of " +
                     c10::str(at::IntArrayRef(tensor.shape)));
        wanted.emplace(tensor.name, &tensor);
    }
    if (!problems.empty())
        throw UserError(file_.string() + " does not fit this model: " + problems);
    for (const io::TensorInfo& info : header.tensors()) {
        auto found = wanted.find(info.name);
        if (found == wanted.end() || info.begin == info.end)
            continue;
        const LogicalTensor& tensor = *found->second;
        at::ScalarType type = stored_type(info.dtype, file_.string() + ": '" + info.name + "'");
        at::Tensor to = tensor.local.detach();
        bool straight =
            tensor.box == whole(tensor.shape) && to.scalar_type() == type && to.device().is_cpu() && to.is_contiguous();
        if (!straight) {
            to = at::empty(info.shape, at::TensorOptions().dtype(type));
            detours_.push_back({LogicalTensor::of_whole(info.name, to), tensor});
        }
        ranges_.push_back({header.data_offset() + info.begin, header.data_offset() + info.end,
                           static_cast<std::byte*>(to.data_ptr())});
    }
}

std::string DirectLoad::run(const FileRecord& record) {
    auto scatter = [&](std::uint64_t begin, std::span<const std::byte> piece) {
        std::uint64_t end = begin + piece.size();
        auto range = std::partition_point(ranges_.begin(), ranges_.end(),
                                          [&](const Range& before) { return before.end <= begin; });
        for (; range != ranges_.end() && range->begin < end; ++range) {
            std::uint64_t from = std::max(begin, range->begin), to = std::min(end, range->end);
            copy_past_cache(range->to + (from - range->begin), piece.data() + (from - begin), to - from);
        }
    };
    std::string problem = check_content(file_, record, io::Cache::pass, scatter);
    if (problem.empty())
        for (const Detour& detour : detours_)
            copy_overlap(detour.stored, detour.wanted);
    return problem;
}

}  // namespace trainyard::checkpoint
