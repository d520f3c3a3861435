// SPDX-License-Identifier: GPL-3.0-or-later
#include "checkpoint/dcp_state.h"

#include <algorithm>
#include <cstddef>
#include <map>
#include <optional>
#include <span>
#include <utility>

#include <ATen/ops/empty.h>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "base/error.h"
#include "base/number.h"
#include "checkpoint/logical_tensor.h"
#include "checkpoint/torch_archive.h"
#include "distributed/parallel/collectives.h"
#include "distributed/tensors/dtype.h"
#include "formats/weights/dcp_folder.h"
#include "formats/weights/dcp_writer.h"
#include "formats/weights/pickle.h"

namespace trainyard::checkpoint {

namespace {

using Sizes = std::vector<std::int64_t>;

Tree numbers(const Sizes& sizes) {
    Tree::List list;
    for (const std::int64_t size : sizes)
        list.emplace_back(size);
    return Tree::list(std::move(list));
}
Sizes sizes_of(const Tree& list) {
    Sizes sizes;
    for (const Tree& one : list.items())
        sizes.push_back(one.as_integer());
    return sizes;
}
Tree texts(const std::vector<std::string>& keys) {
    Tree::List list;
    for (const std::string& key : keys)
        list.emplace_back(key);
    return Tree::list(std::move(list));
}
std::vector<std::string> texts_of(const Tree& list) {
    std::vector<std::string> keys;
    for (const Tree& one : list.items())
        keys.push_back(one.as_text());
    return keys;
}

/// The metadata of all ranks' files, in the order of the ranks.
std::string metadata_of(const Tree& all) {
    std::vector<weights::DcpTensor> tensors;
    std::vector<weights::DcpValue> values;
    std::map<std::string, std::size_t> known;
    for (const Tree& entry : all.items()) {
        const std::vector<std::string> path = texts_of(entry.at("path"));
        const std::string name = fmt::format("{}", fmt::join(path, ".")), file = entry.at("file").as_text();
        const auto position = static_cast<std::uint64_t>(entry.at("position").as_integer()),
                   length = static_cast<std::uint64_t>(entry.at("length").as_integer());
        const Tree* offset = entry.find("offset");
        if (offset == nullptr) {
            values.push_back({name, path, file, position, length});
            continue;
        }
        const auto [place, is_new] = known.emplace(name, tensors.size());
        if (is_new)
            tensors.push_back({name, path, entry.at("dtype").as_text(), sizes_of(entry.at("shape")), {}});
        tensors[place->second].chunks.push_back(
            {sizes_of(*offset), sizes_of(entry.at("size")), file, position, length});
    }
    return weights::dcp_metadata(tensors, values);
}

/// Dictionaries whose keys are 0, 1, 2 ... are lists.
Tree with_lists(const Tree& tree) {
    if (!tree.is_dict())
        return tree;
    std::map<std::int64_t, Tree> places;
    Tree::Dict entries;
    bool is_list = !tree.entries().empty();
    for (const Tree::Entry& entry : tree.entries()) {
        Tree value = with_lists(entry.value);
        const auto number = parse_number<std::int64_t>(to_string(entry.key), 0);
        is_list = is_list && number.has_value();
        if (number)
            places[*number] = value;
        entries.push_back({entry.key, std::move(value)});
    }
    if (!is_list || places.rbegin()->first != std::ssize(entries) - 1)
        return Tree::dict(std::move(entries));
    Tree::List list;
    for (auto& [number, value] : places)
        list.push_back(std::move(value));
    return Tree::list(std::move(list));
}

void set_at(Tree& root, const std::vector<std::string>& path, Tree value) {
    Tree* place = &root;
    for (std::size_t i = 0; i + 1 < path.size(); ++i) {
        if (place->find(path[i]) == nullptr)
            place->set(path[i], Tree::dict({}));
        place = place->find(path[i]);
    }
    place->set(path.back(), std::move(value));
}

}  // namespace

void DcpShare::add(std::vector<std::string> path, const Sizes& shape, std::int64_t begin, const at::Tensor& values) {
    const at::Tensor flat = values.detach().reshape({-1});
    if (std::ranges::find(shape, 0) != shape.end())  // no rank has an element
        return add(std::move(path), flat.reshape(shape));
    if (flat.numel() == 0)
        return;
    for (LogicalTensor& part : LogicalTensor::of_range("", shape, begin, flat))
        pieces_.push_back({path, shape, std::move(part.box.offset), std::move(part.local)});
}

void DcpShare::add(std::vector<std::string> path, const at::Tensor& whole) {
    pieces_.push_back(
        {std::move(path), whole.sizes().vec(), Sizes(static_cast<std::size_t>(whole.dim()), 0), whole.detach()});
}

void DcpShare::add(std::vector<std::string> path, Tree value) {
    objects_.push_back({std::move(path), std::move(value)});
}

void DcpShare::add_files(FilesToSave& files, const std::string& folder, parallel::Communicator& ranks) const {
    const std::string name = fmt::format("__{}_0.distcp", ranks.rank());
    std::string content;
    Tree::List places;
    const auto append = [&](const std::vector<std::string>& path, const Tree& value) {
        const std::string bytes = torch_bytes(value, name);
        Tree place = Tree::dict({{"path", texts(path)},
                                 {"file", name},
                                 {"position", static_cast<std::int64_t>(content.size())},
                                 {"length", static_cast<std::int64_t>(bytes.size())}});
        content += bytes;
        return place;
    };
    for (const Piece& piece : pieces_) {
        if (piece.values.numel() == 0 && ranks.rank() > 0)  // all ranks have it
            continue;
        Tree place = append(piece.path, Tree(piece.values.cpu().contiguous()));
        place.set("dtype", dtype_name(piece.values.scalar_type()));
        place.set("shape", numbers(piece.shape));
        place.set("offset", numbers(piece.offset));
        place.set("size", numbers(piece.values.sizes().vec()));
        places.push_back(std::move(place));
    }
    for (const Object& object : objects_)
        places.push_back(append(object.path, object.value));
    const Tree all = parallel::gather_object(ranks, Tree::list(std::move(places)));
    if (!content.empty())
        files.push_back({folder + "/" + name, std::move(content)});
    if (ranks.rank() == 0)
        files.push_back({folder + "/.metadata", metadata_of(all)});
}

Tree read_dcp_state(const std::filesystem::path& folder) {
    const weights::DcpFolder stored(folder);
    Tree root = Tree::dict({});
    const auto path_of = [](const auto& entry) { return entry.path.empty() ? std::vector{entry.name} : entry.path; };
    for (const weights::DcpTensor& tensor : stored.tensors()) {
        const auto type = dtype_of_name(tensor.dtype);
        if (!type)
            throw UserError("{}: '{}' has elements of type {}, which torch does not know", folder.string(), tensor.name,
                            tensor.dtype);
        at::Tensor whole = at::empty(tensor.shape, at::TensorOptions().dtype(*type));
        auto* to = static_cast<std::byte*>(whole.data_ptr());
        stored.stream(tensor, [&](std::span<const std::byte> piece) { to = std::ranges::copy(piece, to).out; });
        set_at(root, path_of(tensor), Tree(std::move(whole)));
    }
    for (const weights::DcpValue& value : stored.values()) {
        const std::span<const std::byte> archive = stored.archive_of(value);
        if (archive.empty())
            throw UserError("{}: the file of '{}' is missing or cut", folder.string(), value.name);
        set_at(root, path_of(value), read_torch_bytes(archive, fmt::format("{} ('{}')", folder.string(), value.name)));
    }
    return with_lists(root);
}

namespace {

/// Its groups name their parameters. False for a state of another form, which its optimizer judges.
bool names_parameters(const Tree& state) {
    const Tree* groups = state.is_dict() ? state.find("param_groups") : nullptr;
    if (groups == nullptr || !groups->is_list())
        return false;
    return std::ranges::any_of(groups->items(), [](const Tree& group) {
        const Tree* params = group.is_dict() ? group.find("params") : nullptr;
        return params != nullptr && params->is_list() && !params->items().empty() &&
               std::ranges::all_of(params->items(), &Tree::is_text);
    });
}

}  // namespace

Tree with_numbers(const Tree& saved, const Tree& own, const std::vector<std::string>& names) {
    if (!names_parameters(saved))
        return saved;
    const Tree::List& saved_groups = saved.at("param_groups").items();
    std::map<std::string, std::size_t> group_of;
    for (std::size_t g = 0; g < saved_groups.size(); ++g)
        for (const Tree& name : saved_groups[g].at("params").items())
            group_of[name.as_text()] = g;
    std::vector<Message> problems;
    Tree::Dict states;
    Tree::List groups;
    for (const Tree& group : own.at("param_groups").items()) {
        std::optional<std::size_t> from;
        for (const Tree& number : group.at("params").items()) {
            const auto place = static_cast<std::size_t>(number.as_integer());
            const std::string name = place < names.size() ? names[place] : std::string();
            const auto found = group_of.find(name);
            if (found == group_of.end())
                continue;  // frozen, or new: without state
            if (from.value_or(found->second) != found->second)
                problems.push_back(Message("'{}' is in parameter group {} of the file, others of its group are in {}",
                                           name, found->second, *from));
            from = found->second;
            if (const Tree* state = saved.at("state").find(name))
                states.push_back({number.as_integer(), *state});
        }
        if (!from) {
            problems.push_back(
                Message("no parameter of group {} of the optimizer is in the file's groups", groups.size()));
            continue;
        }
        Tree settings = saved_groups[*from];
        settings.set("params", group.at("params"));
        groups.push_back(std::move(settings));
    }
    if (!problems.empty())
        throw UserError("the optimizer's state does not fit: {}", Message::joined(problems));
    return Tree::dict({{"state", Tree::dict(std::move(states))}, {"param_groups", Tree::list(std::move(groups))}});
}

Tree with_names(const Tree& state, const std::vector<std::string>& names) {
    const auto name_of = [&](std::int64_t number) {
        const auto place = static_cast<std::size_t>(number);
        return place < names.size() ? names[place] : std::string();
    };
    Tree::Dict states;
    for (const Tree::Entry& entry : state.at("state").entries())
        if (std::string name = name_of(std::get<std::int64_t>(entry.key)); !name.empty())
            states.push_back({std::move(name), entry.value});
    Tree::List groups;
    for (const Tree& group : state.at("param_groups").items()) {
        Tree::List params;
        for (const Tree& number : group.at("params").items())
            if (std::string name = name_of(number.as_integer()); !name.empty())
                params.emplace_back(std::move(name));
        Tree named = group;
        named.set("params", Tree::list(std::move(params)));
        groups.push_back(std::move(named));
    }
    return Tree::dict({{"state", Tree::dict(std::move(states))}, {"param_groups", Tree::list(std::move(groups))}});
}

}  // namespace trainyard::checkpoint
