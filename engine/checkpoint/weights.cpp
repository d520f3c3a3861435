// SPDX-License-Identifier: GPL-3.0-or-later
#include "checkpoint/weights.h"

#include <algorithm>
#include <cstring>
#include <exception>
#include <map>
#include <memory>
#include <optional>
#include <set>

#include <ATen/core/grad_mode.h>
#include <ATen/ops/empty.h>
#include <ATen/ops/from_blob.h>
#include <ATen/ops/zeros.h>

#include "base/error.h"
#include "base/files/mapped_file.h"
#include "checkpoint/accelerate_folder.h"
#include "checkpoint/checkpoint.h"
#include "distributed/parallel/collectives.h"
#include "distributed/tensors/dtype.h"
#include "formats/weights/expert_tensors.h"
#include "formats/weights/pickle.h"
#include "models/spec/stored_tensors.h"

namespace trainyard::checkpoint {

namespace fs = std::filesystem;

namespace {

NamedTensors tensors_of(const std::shared_ptr<const weights::WeightSource>& source, const std::string& where,
                        bool trusted) {
    NamedTensors tensors;
    for (std::size_t i = 0; i < source->tensors().size(); ++i)
        tensors.emplace_back(source->tensors()[i].name, read_tensor(source, i, where, trusted));
    return tensors;
}

/// The number of the stored tensor that each of `tensors` is in; files of a model without a head have shorter names
/// (families::stored_names). Throws UserError naming all that do not fit.
std::vector<std::optional<std::size_t>> places_of(const std::vector<weights::SourceTensor>& stored,
                                                  const std::string& where, const std::vector<LogicalTensor>& tensors,
                                                  const std::set<std::string>& may_lack,
                                                  std::vector<std::string>& lacks) {
    std::vector<std::string> names;
    for (const weights::SourceTensor& one : stored)
        names.push_back(one.name);
    std::set<std::string> of_model;
    for (const LogicalTensor& tensor : tensors)
        of_model.insert(tensor.name);
    const families::StoredTensors places(std::move(names), std::move(of_model));
    std::vector<Message> problems;
    std::vector<std::string> missing;
    std::size_t found = 0;
    auto complain = [&](Message text) { problems.push_back(std::move(text)); };
    const std::string* last = nullptr;
    for (const LogicalTensor& tensor : tensors) {
        if (last != nullptr && *last == tensor.name)  // another box of it
            continue;
        last = &tensor.name;
        const std::optional<std::size_t> place = places.find(tensor.name);
        found += place ? 1 : 0;
        if (!place && may_lack.contains(tensor.name))
            lacks.push_back(tensor.name);
        else if (!place) {
            complain(Message("tensor {} is missing", tensor.name));
            missing.push_back(tensor.name);
        } else if (const std::vector<std::int64_t>& shape = stored[*place].shape; shape != tensor.shape)
            complain(Message("tensor {} has shape {} instead of {}", tensor.name, c10::str(at::IntArrayRef(shape)),
                             c10::str(at::IntArrayRef(tensor.shape))));
    }
    if (const Message advice = places.instead_of(missing, where, found > 0); !advice.empty())
        complain(advice);
    if (!problems.empty())
        throw UserError("{} does not fit this model: {}", where, Message::joined(problems));
    std::vector<std::optional<std::size_t>> found_places;
    for (const LogicalTensor& tensor : tensors)
        found_places.push_back(places.find(tensor.name));
    return found_places;
}

/// Fills `tensors`, in their order, with one tensor of the source in memory at a time.
void fill(const std::shared_ptr<const weights::WeightSource>& source, const std::string& where,
          const std::vector<LogicalTensor>& tensors, const std::set<std::string>& may_lack,
          std::vector<std::string>& lacks) {
    const std::vector<std::optional<std::size_t>> places =
        places_of(source->tensors(), where, tensors, may_lack, lacks);
    std::optional<std::size_t> read;
    at::Tensor stored;
    const auto release = [&] {
        if (read)
            files::release_pages(source->mapped(*read, true));
        read.reset();
        stored = at::Tensor();
    };
    for (std::size_t i = 0; i < tensors.size(); ++i) {
        const std::optional<std::size_t> place = places[i];
        if (!place)
            continue;
        if (read != place) {  // else another box of it
            release();
            stored = read_tensor(source, *place, where);
            read = place;
        }
        copy_overlap(LogicalTensor::of_whole(tensors[i].name, stored), tensors[i]);
    }
    release();
}

/// Names, types and shapes of a source, and its notes, as the first rank sends them; or why it cannot be read.
Tree contents_of(const weights::WeightSource& source) {
    Tree tensors = Tree::list(), notes = Tree::list();
    for (const weights::SourceTensor& tensor : source.tensors()) {
        Tree shape = Tree::list();
        for (const std::int64_t size : tensor.shape)
            shape.items().emplace_back(size);
        tensors.items().push_back(Tree::dict({{"name", tensor.name}, {"dtype", tensor.dtype}, {"shape", shape}}));
    }
    for (const Message& note : source.notes())
        notes.items().emplace_back(note.text());
    return Tree::dict({{"tensors", tensors}, {"notes", notes}});
}

weights::SourceTensor stored_tensor(const Tree& sent) {
    weights::SourceTensor tensor;
    tensor.name = sent.at("name").as_text();
    tensor.dtype = sent.at("dtype").as_text();
    for (const Tree& size : sent.at("shape").items())
        tensor.shape.push_back(size.as_integer());
    return tensor;
}

}  // namespace

at::Tensor read_tensor(const std::shared_ptr<const weights::WeightSource>& source, std::size_t number,
                       const std::string& where, bool trusted) {
    const weights::SourceTensor& info = source->tensors()[number];
    const auto options = at::TensorOptions().dtype(stored_type(info.dtype, where + ": '" + info.name + "'"));
    const std::span<const std::byte> bytes = source->mapped(number, trusted);
    // A header that leaves its tensors at odd addresses is legal.
    if (!bytes.empty() && reinterpret_cast<std::uintptr_t>(bytes.data()) % options.dtype().itemsize() == 0)
        return at::from_blob(
            const_cast<std::byte*>(bytes.data()), info.shape, [source](void*) {}, options);
    at::Tensor tensor = at::empty(info.shape, options);
    auto* to = static_cast<std::byte*>(tensor.data_ptr());
    source->stream(number, [&](std::span<const std::byte> piece) { to = std::ranges::copy(piece, to).out; });
    return tensor;
}

at::ScalarType stored_type(const std::string& safetensors_dtype, const std::string& where) {
    auto type = dtype_of_name(weights::torch_dtype(safetensors_dtype));
    if (!type)
        throw UserError("{} has elements of type {}, which torch does not know", where, safetensors_dtype);
    return *type;
}

std::optional<NamedTensors> read_model(const fs::path& folder, std::size_t index, bool trusted) {
    auto source = weights::open_saved_model(folder, index);
    if (!source)
        return std::nullopt;
    return tensors_of(std::move(source), folder.string(), trusted);
}

NamedTensors read_weights(const fs::path& path) {
    return tensors_of(weights::open_model(path), path.string(), false);
}

std::vector<std::string> load_weights(const fs::path& path, const std::vector<LogicalTensor>& weights,
                                      const std::set<std::string>& may_lack, std::vector<Message>* notes) {
    std::vector<std::string> lacks;
    std::shared_ptr<const weights::WeightSource> source = weights::open_model(path);
    if (notes != nullptr)
        notes->insert(notes->end(), source->notes().begin(), source->notes().end());
    fill(source, path.string(), weights, may_lack, lacks);
    return lacks;
}

std::vector<std::string> load_sent_weights(const fs::path& path, const std::vector<LogicalTensor>& weights,
                                           const std::set<std::string>& may_lack, std::vector<Message>& notes,
                                           parallel::Communicator& ranks) {
    const at::NoGradGuard no_grad;
    const bool reads = ranks.rank() == 0;
    std::shared_ptr<const weights::WeightSource> source;
    std::exception_ptr failure;
    Tree contents;
    if (reads)
        try {
            source = weights::open_model(path);
            contents = contents_of(*source);
        } catch (const UserError& error) {
            failure = std::current_exception();
            contents = Tree::dict({{"problem", error.message().text()}});
        }
    contents = parallel::broadcast_object(ranks, contents, 0, "names of weights");
    if (failure)
        std::rethrow_exception(failure);
    if (const Tree* problem = contents.find("problem"))
        throw UserError(Message::verbatim(problem->as_text()));
    if (reads)
        notes.insert(notes.end(), source->notes().begin(), source->notes().end());
    else
        for (const Tree& note : contents.at("notes").items())
            notes.push_back(Message::verbatim(note.as_text()));
    std::vector<weights::SourceTensor> stored;
    for (const Tree& tensor : contents.at("tensors").items())
        stored.push_back(stored_tensor(tensor));
    std::vector<std::string> lacks;
    const std::vector<std::optional<std::size_t>> places = places_of(stored, path.string(), weights, may_lack, lacks);
    std::vector<std::vector<const LogicalTensor*>> wanted(stored.size());
    at::Tensor needs = at::zeros({static_cast<std::int64_t>(stored.size())});
    for (std::size_t i = 0; i < weights.size(); ++i)
        if (places[i]) {
            wanted[*places[i]].push_back(&weights[i]);
            needs[static_cast<std::int64_t>(*places[i])] = 1;
        }
    // Stages of a pipeline hold different tensors.
    needs = needs.to(ranks.device());
    ranks.all_reduce(needs, "weights that ranks need", parallel::ReduceOp::max).wait();
    needs = needs.to(at::kCPU);
    for (std::size_t number = 0; number < stored.size(); ++number) {
        if (needs[static_cast<std::int64_t>(number)].item<float>() == 0)
            continue;
        const weights::SourceTensor& info = stored[number];
        const auto options =
            at::TensorOptions().dtype(stored_type(info.dtype, path.string() + ": '" + info.name + "'"));
        const at::Tensor sent =
            (reads ? read_tensor(source, number, path.string()) : at::empty(info.shape, options)).to(ranks.device());
        ranks.broadcast(sent, 0, "weights " + info.name);
        for (const LogicalTensor* tensor : wanted[number])
            copy_overlap(LogicalTensor::of_whole(tensor->name, sent.to(at::kCPU)), *tensor);
        if (reads)
            files::release_pages(source->mapped(number, true));
    }
    return lacks;
}

}  // namespace trainyard::checkpoint
