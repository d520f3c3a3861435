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
    std::multimap<std::string_view, const LogicalTensor*> wanted;  // several boxes of one name
    std::string problems;
    auto complain = [&](const std::string& text) { problems += (problems.empty() ? "" : "; ") + text; };
    for (const LogicalTensor& tensor : tensors) {
        if (wanted.contains(tensor.name)) {  // another box of it
            wanted.emplace(tensor.name, &tensor);
            continue;
        }
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
        if (info.begin == info.end)
            continue;
        auto [first, last] = wanted.equal_range(info.name);
        if (first == last)
            continue;
        const at::ScalarType type = stored_type(info.dtype, file_.string() + ": '" + info.name + "'");
        const std::uint64_t file_begin = header.data_offset() + info.begin;
        const bool straight = std::all_of(first, last, [&](const auto& one) {
            const at::Tensor& to = one.second->local;
            return run_of(one.second->box, one.second->shape) && to.scalar_type() == type && to.device().is_cpu() &&
                   to.is_contiguous();
        });
        if (straight) {
            for (auto one = first; one != last; ++one) {
                const at::Tensor to = one->second->local.detach();
                const auto run = static_cast<std::uint64_t>(*run_of(one->second->box, one->second->shape));
                const std::uint64_t begin = file_begin + run * static_cast<std::uint64_t>(to.element_size());
                if (to.numel() > 0)
                    ranges_.push_back({begin, begin + to.nbytes(), static_cast<std::byte*>(to.data_ptr())});
            }
            continue;
        }
        const at::Tensor aside = at::empty(info.shape, at::TensorOptions().dtype(type));
        ranges_.push_back(
            {file_begin, file_begin + (info.end - info.begin), static_cast<std::byte*>(aside.data_ptr())});
        for (auto one = first; one != last; ++one)
            detours_.push_back({LogicalTensor::of_whole(info.name, aside), *one->second});
    }
    std::ranges::sort(ranges_, {}, &Range::begin);
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
