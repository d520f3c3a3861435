// SPDX-License-Identifier: GPL-3.0-or-later
#include "checkpoint/send_files.h"

#include <iterator>
#include <utility>

#include <ATen/ops/empty.h>
#include <ATen/ops/from_blob.h>
#include <ATen/ops/full.h>

#include "distributed/tensors/wire.h"

namespace trainyard::checkpoint {

namespace {

constexpr const char* kFilesOfRanks = "files of a checkpoint";

Tree tree_of_file(const FileToSave& file) {
    if (const auto* tree = std::get_if<Tree>(&file.content))
        return Tree::dict({{"name", file.name}, {"tree", *tree}});
    if (const auto* text = std::get_if<std::string>(&file.content))
        return Tree::dict({{"name", file.name}, {"text", *text}});
    const auto& weights = std::get<WeightsFile>(file.content);
    Tree tensors = Tree::dict(), metadata = Tree::dict();
    for (const auto& [name, tensor] : weights.tensors)
        tensors.set(name, tensor);
    for (const auto& [key, text] : weights.metadata)
        metadata.set(key, text);
    return Tree::dict({{"name", file.name}, {"tensors", std::move(tensors)}, {"metadata", std::move(metadata)}});
}

FileToSave file_of_tree(const Tree& tree) {
    const std::string name = tree.at("name").as_text();
    if (const Tree* content = tree.find("tree"))
        return {name, *content};
    if (const Tree* text = tree.find("text"))
        return {name, text->as_text()};
    WeightsFile weights;
    for (const Tree::Entry& entry : tree.at("tensors").entries())
        weights.tensors.emplace_back(to_string(entry.key), entry.value.as_tensor());
    for (const Tree::Entry& entry : tree.at("metadata").entries())
        weights.metadata[to_string(entry.key)] = entry.value.as_text();
    return {name, std::move(weights)};
}

at::Tensor on_cpu(const at::Tensor& tensor) {
    return tensor.detach().cpu().contiguous();
}

}  // namespace

FilesToSave files_on_first(FilesToSave own, parallel::Communicator& ranks) {
    const auto numbers = at::TensorOptions(at::kLong), bytes_type = at::TensorOptions(at::kByte);
    auto send_number = [&](std::int64_t number) {
        ranks.send(at::full({1}, number, numbers).to(ranks.device()), 0, kFilesOfRanks).wait();
    };
    auto receive_number = [&](int rank) {
        const at::Tensor number = at::empty({1}, numbers.device(ranks.device()));
        ranks.receive(number, rank, kFilesOfRanks).wait();
        return number.cpu().item<std::int64_t>();
    };
    if (ranks.rank() > 0) {
        send_number(std::ssize(own));
        for (FileToSave& file : own) {
            std::vector<std::uint8_t> bytes = to_bytes(tree_of_file(std::exchange(file, {})).map_tensors(on_cpu));
            const std::int64_t count = std::ssize(bytes);
            send_number(count);
            ranks.send(at::from_blob(bytes.data(), {count}, bytes_type).to(ranks.device()), 0, kFilesOfRanks).wait();
        }
        return {};
    }
    for (int rank = 1; rank < ranks.size(); ++rank)
        for (std::int64_t left = receive_number(rank); left > 0; --left) {
            at::Tensor bytes = at::empty({receive_number(rank)}, bytes_type.device(ranks.device()));
            ranks.receive(bytes, rank, kFilesOfRanks).wait();
            bytes = bytes.cpu();
            own.push_back(file_of_tree(
                from_bytes({bytes.const_data_ptr<std::uint8_t>(), static_cast<std::size_t>(bytes.numel())})));
        }
    return own;
}

}  // namespace trainyard::checkpoint
