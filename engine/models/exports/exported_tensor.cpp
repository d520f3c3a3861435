// SPDX-License-Identifier: GPL-3.0-or-later
#include "models/exports/exported_tensor.h"

#include <algorithm>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "base/error.h"
#include "base/files/crc32c.h"
#include "base/files/mapped_file.h"
#include "formats/weights/elements.h"
#include "formats/weights/safetensors_header.h"
#include "models/spec/family.h"

namespace trainyard::exports {

namespace {

constexpr std::int64_t kAtOnce = 1 << 20;  ///< elements of a piece, at least a row

/// A stored tensor as rows of one width.
class StoredRows {
  public:
    StoredRows(const weights::WeightSource& source, std::size_t tensor)
        : dtype_(source.tensors()[tensor].dtype), bytes_(source.mapped(tensor, false)) {
        if (!bytes_.empty())
            return;
        copy_.reserve(source.tensors()[tensor].bytes);
        source.stream(tensor,
                      [&](std::span<const std::byte> piece) { copy_.insert(copy_.end(), piece.begin(), piece.end()); });
        bytes_ = copy_;
    }

    StoredRows(const StoredRows&) = delete;
    StoredRows& operator=(const StoredRows&) = delete;
    /// Mapped pages count as memory of this process until they are released.
    ~StoredRows() {
        if (copy_.empty())
            files::release_pages(bytes_);
    }

    std::int64_t elements() const { return std::ssize(bytes_) / element_bytes(); }
    void decode(std::int64_t first, std::span<float> out) const {
        weights::decode_elements(dtype_,
                                 bytes_.subspan(static_cast<std::size_t>(first * element_bytes()),
                                                out.size() * static_cast<std::size_t>(element_bytes())),
                                 out);
    }

  private:
    std::int64_t element_bytes() const { return static_cast<std::int64_t>(weights::dtype_size(dtype_)); }

    std::string dtype_;
    std::vector<std::byte> copy_;
    std::span<const std::byte> bytes_;
};

std::span<float> row_of(std::vector<float>& rows, std::int64_t row, std::int64_t width) {
    return std::span(rows).subspan(static_cast<std::size_t>(row * width), static_cast<std::size_t>(width));
}

}  // namespace

void read_floats(const weights::WeightSource& source, const ExportedTensor& tensor, const TakeFloats& take) {
    if (tensor.stored.empty())
        return take(tensor.values);
    std::vector<float> piece;
    for (const std::size_t place : tensor.stored) {
        const StoredRows stored(source, place);
        const std::int64_t elements = stored.elements();
        // Elements of a tensor with one dimension are in an order of their own, too.
        const std::int64_t width = tensor.order.empty() ? tensor.shape.back() : elements / std::ssize(tensor.order);
        if (width == 0)
            continue;
        const std::int64_t rows = elements / width, at_once = std::max<std::int64_t>(1, kAtOnce / width);
        for (std::int64_t first = 0; first < rows; first += at_once) {
            const std::int64_t count = std::min(at_once, rows - first);
            piece.resize(static_cast<std::size_t>(count * width));
            if (tensor.transposed) {
                std::vector<float> column(static_cast<std::size_t>(count));
                for (std::int64_t in = 0; in < width; ++in) {
                    stored.decode(in * rows + first, column);
                    for (std::int64_t row = 0; row < count; ++row)
                        piece[static_cast<std::size_t>(row * width + in)] = column[static_cast<std::size_t>(row)];
                }
            } else if (tensor.order.empty()) {
                stored.decode(first * width, piece);
            } else {
                for (std::int64_t row = 0; row < count; ++row)
                    stored.decode(tensor.order[static_cast<std::size_t>(first + row)] * width,
                                  row_of(piece, row, width));
            }
            if (tensor.added != 0 || tensor.factor != 1)
                for (float& value : piece)
                    value = value * tensor.factor + tensor.added;
            take(piece);
        }
    }
}

ModelTensors::ModelTensors(std::shared_ptr<const weights::WeightSource> source, const families::ModelConfig& config,
                           std::filesystem::path folder)
    : source_(std::move(source)), folder_(std::move(folder)) {
    const families::Family& family = families::family_of(config);
    std::set<std::string> of_model;
    for (const auto& tensors : {family.tensors(config), family.buffers(config)})
        for (const families::TensorShape& tensor : tensors) {
            shapes_.emplace(tensor.name, tensor.shape);
            of_model.insert(tensor.name);
        }
    std::vector<std::string> names;
    for (const weights::SourceTensor& tensor : source_->tensors())
        names.push_back(tensor.name);
    stored_.emplace(std::move(names), std::move(of_model));
}

const std::vector<std::int64_t>* ModelTensors::shape_of(const std::string& name) const {
    const auto found = shapes_.find(name);
    return found == shapes_.end() ? nullptr : &found->second;
}

ExportedTensor ModelTensors::find(const std::string& name) {
    const std::vector<std::int64_t>& shape = shapes_.at(name);
    const std::optional<std::size_t> place = stored_->find(name);
    if (!place) {
        missing_.push_back(name);
        return {name, shape, {}};
    }
    const weights::SourceTensor& tensor = source_->tensors()[*place];
    if (tensor.shape != shape)
        throw UserError("{} has the shape [{}] in {}, and its config.json gives it [{}]", name,
                        fmt::join(tensor.shape, ", "), folder_.string(), fmt::join(shape, ", "));
    if (!weights::is_floating(tensor.dtype))
        throw UserError("{} has numbers of type {}, and not floating ones", name, tensor.dtype);
    return {name, shape, {*place}};
}

void ModelTensors::check() const {
    if (!missing_.empty())
        throw UserError("{} has no tensor {}", folder_.string(), fmt::join(missing_, ", "));
}

std::uint32_t take_parts(std::span<const std::byte> bytes, std::uint32_t seed, Progress& progress,
                         const std::function<void(std::span<const std::byte>)>& take) {
    constexpr std::size_t kReported = 4u << 20;  // bytes between two checks for cancellation
    for (std::size_t at = 0; at < bytes.size(); at += kReported) {
        const auto part = bytes.subspan(at, std::min(kReported, bytes.size() - at));
        seed = files::crc32c({reinterpret_cast<const char*>(part.data()), part.size()}, seed);
        take(part);
        progress.add(part.size());
    }
    return seed;
}

void throw_damaged(const std::string& tensor, const std::filesystem::path& file) {
    throw UserError(
        "what was written of '{}' is not what was read: the disk of {} is not to be trusted, "
        "nothing was changed",
        tensor, file.string());
}

}  // namespace trainyard::exports
