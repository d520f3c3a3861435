// SPDX-License-Identifier: GPL-3.0-or-later
#include "checkpoint/snapshot.h"

#include <cerrno>
#include <cstdint>
#include <cstring>
#include <functional>
#include <map>
#include <tuple>

#include <ATen/Context.h>
#include <ATen/ops/empty.h>
#include <ATen/ops/from_blob.h>

#include <sys/mman.h>

#include "base/error.h"
#include "base/text.h"
#include "checkpoint/parallel_copy.h"

namespace trainyard::checkpoint {

namespace {

constexpr std::size_t kAlignment = 64;

/// Identifies the elements of a tensor in memory: storage, offset, sizes, strides, dtype.
using Place = std::tuple<const void*, std::int64_t, std::vector<std::int64_t>, std::vector<std::int64_t>, int>;

Place place_of(const at::Tensor& tensor) {
    return {tensor.storage().data(), tensor.storage_offset(), tensor.sizes().vec(), tensor.strides().vec(),
            static_cast<int>(tensor.scalar_type())};
}

std::size_t room_for(const at::Tensor& tensor) {
    return (static_cast<std::size_t>(tensor.numel()) * tensor.element_size() + kAlignment - 1) / kAlignment *
           kAlignment;
}

/// Calls `change` for every tensor, which may replace it.
void for_each(FilesToSave& files, const std::function<at::Tensor(const std::string&, const at::Tensor&)>& change) {
    for (FileToSave& file : files) {
        if (auto* weights = std::get_if<WeightsFile>(&file.content))
            for (auto& [name, tensor] : weights->tensors)
                tensor = change(file.name + ": '" + name + "'", tensor);
        else if (auto* tree = std::get_if<Tree>(&file.content))
            *tree = tree->map_tensors([&](const at::Tensor& tensor) { return change(file.name, tensor); });
    }
}

/// Returns true if the tensor can be written directly from its memory.
bool is_ready(const at::Tensor& tensor) {
    return tensor.device().is_cpu() && tensor.is_contiguous() && !tensor.is_neg() && !tensor.is_conj();
}

/// Memory that forked children do not get: a fork write-protects all that it shares, and the next save would pay a fault a page for it.
at::Tensor private_memory(std::size_t bytes) {
    void* memory = ::mmap(nullptr, bytes, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    if (memory == MAP_FAILED)
        throw UserError(
            "cannot save in the background: there are no {} of memory for the copy ({}): "
            "save without checkpoint.async, or with less in memory",
            text::file_size(bytes), system_message(errno));
    ::madvise(memory, bytes, MADV_DONTFORK);
    return at::from_blob(
        memory, {static_cast<std::int64_t>(bytes)}, [bytes](void* begin) { ::munmap(begin, bytes); },
        at::TensorOptions().dtype(at::kByte));
}

/// Offsets of the copies in the buffer, and their total size.
struct Plan {
    std::map<Place, std::size_t> offsets;
    std::size_t bytes = 0;
};

Plan plan_copies(FilesToSave files, bool in_place) {
    Plan plan;
    for_each(files, [&](const std::string& where, const at::Tensor& tensor) {
        if (!tensor.defined() || tensor.layout() != at::kStrided || tensor.is_meta())
            throw UserError("cannot save {}: it is not a dense tensor with data", where);
        if ((!in_place || !is_ready(tensor)) && plan.offsets.emplace(place_of(tensor), plan.bytes).second)
            plan.bytes += room_for(tensor);
        return tensor;
    });
    return plan;
}

}  // namespace

std::size_t Snapshot::bytes_for(const FilesToSave& files) {
    return plan_copies(files, false).bytes;
}

void Snapshot::prepare(std::size_t bytes) {
    constexpr std::size_t kPage = 4096;
    if (bytes <= capacity())
        return;
    reserve(bytes);
    auto* base = static_cast<volatile std::byte*>(buffer_.data_ptr());
    for (std::size_t at = 0; at < bytes; at += kPage)
        base[at] = std::byte{0};
}

void Snapshot::reserve(std::size_t bytes) {
    if (bytes <= capacity())
        return;
    buffer_.reset();
    // Huge pages were tried: making them (compaction) took two to five times as long as the faults they save.
    if (at::globalContext().hasCUDA())
        buffer_ =
            at::empty({static_cast<std::int64_t>(bytes)}, at::TensorOptions().dtype(at::kByte).pinned_memory(true));
    else
        buffer_ = private_memory(bytes);
}

FilesToSave Snapshot::take(const FilesToSave& files, bool in_place) {
    Plan plan = plan_copies(files, in_place);
    FilesToSave copied = files;
    reserve(plan.bytes);
    auto* base = static_cast<std::byte*>(plan.bytes > 0 ? buffer_.data_ptr() : nullptr);
    std::map<Place, at::Tensor> made;
    std::vector<TensorCopy> copies;
    for_each(copied, [&](const std::string&, const at::Tensor& tensor) {
        if (in_place && is_ready(tensor))
            return tensor.detach();
        at::Tensor& twin = made[place_of(tensor)];
        if (!twin.defined()) {
            auto options = at::TensorOptions().dtype(tensor.scalar_type());
            if (tensor.numel() == 0) {
                twin = at::empty(tensor.sizes(), options);
            } else {
                twin = at::from_blob(base + plan.offsets.at(place_of(tensor)), tensor.sizes(), options);
                copies.push_back({twin, tensor.detach()});
            }
        }
        return twin;
    });
    copy_tensors(copies);
    return copied;
}

}  // namespace trainyard::checkpoint
