// SPDX-License-Identifier: GPL-3.0-or-later
// Collectives of whole objects: bytes of distributed/tensors/wire.h with their lengths.

#include <algorithm>
#include <cstring>

#include <ATen/ops/empty.h>
#include <ATen/ops/zeros.h>

#include <fmt/format.h>

#include "base/counted.h"
#include "base/device_kinds.h"
#include "base/error.h"
#include "distributed/parallel/agreement.h"
#include "distributed/parallel/collectives.h"
#include "distributed/tensors/wire.h"

namespace trainyard::parallel {

namespace {

constexpr char kMendOperation[] = "Let every rank call the same operation.";

at::Tensor message_of(const Communicator& communicator, const std::vector<std::uint8_t>& bytes, std::int64_t size) {
    at::Tensor message = at::zeros({size}, at::TensorOptions(at::kByte));
    std::memcpy(message.mutable_data_ptr<std::uint8_t>(), bytes.data(), bytes.size());
    return message.to(communicator.device());
}

/// Bytes that a message of `size` takes: some devices only know messages of few sizes.
std::int64_t message_size(const Communicator& communicator, std::int64_t size) {
    const DeviceKind* kind = find_device_kind(c10::DeviceTypeName(communicator.device().type(), /*lower_case=*/true));
    return kind == nullptr || !kind->pads_objects
               ? size
               : static_cast<std::int64_t>(padded_object_bytes(static_cast<std::uint64_t>(size)));
}

std::span<const std::uint8_t> part(const at::Tensor& host, std::int64_t begin, std::int64_t size) {
    return {host.const_data_ptr<std::uint8_t>() + begin, static_cast<std::size_t>(size)};
}

}  // namespace

std::vector<Tree> all_gather_objects(Communicator& communicator, const Tree& object, const std::string& name) {
    if (communicator.size() == 1)
        return {object};
    std::vector<std::uint8_t> bytes = to_bytes(object);
    std::vector<std::int64_t> sizes = agree(communicator, {{"operation", "gathering of objects"}}, name, kMendOperation,
                                            static_cast<std::int64_t>(bytes.size()));
    const std::int64_t longest = message_size(communicator, *std::max_element(sizes.begin(), sizes.end()));
    at::Tensor all =
        at::empty({communicator.size(), longest}, at::TensorOptions(at::kByte).device(communicator.device()));
    communicator.all_gather(all, message_of(communicator, bytes, longest), name);
    all = all.cpu();
    std::vector<Tree> objects;
    for (std::size_t r = 0; r < sizes.size(); ++r)
        objects.push_back(from_bytes(part(all, static_cast<std::int64_t>(r) * longest, sizes[r])));
    return objects;
}

Tree gather_object(Communicator& communicator, const Tree& list, const std::string& name) {
    Tree::List joined;
    std::vector<Tree> objects = all_gather_objects(communicator, list, name);
    for (std::size_t rank = 0; rank < objects.size(); ++rank) {
        if (!objects[rank].is_list() && !objects[rank].is_tuple())
            throw UserError(
                "gather_object takes a list, rank {} gave {}: put the object into a list "
                "of one",
                rank, objects[rank].kind());
        for (Tree& item : objects[rank].items())
            joined.push_back(std::move(item));
    }
    return communicator.size() == 1 ? list : Tree::list(std::move(joined));
}

Tree broadcast_object(Communicator& communicator, const Tree& object, int root, const std::string& name) {
    if (communicator.size() == 1)
        return object;
    bool mine = communicator.rank() == root;
    std::vector<std::uint8_t> bytes = mine ? to_bytes(object) : std::vector<std::uint8_t>();
    std::vector<std::int64_t> sizes = agree(communicator, {{"operation", fmt::format("object of rank {}", root)}}, name,
                                            kMendOperation, static_cast<std::int64_t>(bytes.size()));
    if (root < 0 || root >= communicator.size())
        throw UserError("broadcast_object from rank {}: there are {}, counted from 0", root,
                        text::ranks(communicator.size()));
    std::int64_t size = sizes[static_cast<std::size_t>(root)];
    at::Tensor message = message_of(communicator, bytes, message_size(communicator, size));
    communicator.broadcast(message, root, name);
    return mine ? object : from_bytes(part(message.cpu(), 0, size));
}

}  // namespace trainyard::parallel
