// SPDX-License-Identifier: GPL-3.0-or-later
#include "data/packing.h"

#include <algorithm>
#include <map>
#include <numeric>

#include <ATen/ops/empty.h>

#include <fmt/format.h>

#include "base/error.h"
#include "data/source_table.h"

namespace trainyard::data {

namespace {

constexpr std::int64_t kIgnored = -100;
constexpr std::int64_t kRowsAtOnce = 512;

template <class T>
void append_as_tokens(const at::Tensor& tensor, std::vector<std::int64_t>& tokens) {
    at::Tensor dense = tensor.contiguous();
    const T* begin = dense.const_data_ptr<T>();
    tokens.insert(tokens.end(), begin, begin + dense.numel());
}

at::Tensor to_tensor(const std::vector<std::int64_t>& values) {
    at::Tensor tensor = at::empty({std::ssize(values)}, at::kLong);
    std::copy(values.begin(), values.end(), tensor.mutable_data_ptr<std::int64_t>());
    return tensor;
}

void check_options(const PackingOptions& options) {
    if (options.sequence_length <= 0 || options.window <= 0)
        throw UserError("samples of {} tokens and windows of {} documents cannot be made: give numbers above 0",
                        options.sequence_length, options.window);
}

/// Appends the tokens of a table's row, followed by the separator.
void append_row_tokens(const formats::Column& column, std::int64_t row, const PackingOptions& options,
                       std::vector<std::int64_t>& out) {
    if (column.field.type == formats::ElementType::text && !column.field.list && column.field.shape.empty()) {
        if (!column.is_missing(row))
            for (char letter : column.text(row))
                out.push_back(static_cast<unsigned char>(letter));
    } else {
        formats::Table one({column.field});
        one.columns[0].append_row(column, row);
        one.rows = 1;
        std::vector<std::int64_t> tokens = tokens_of(sample_of(one, 0, {}, Message("a document")), options.column);
        out.insert(out.end(), tokens.begin(), tokens.end());
    }
    if (options.separator)
        out.push_back(*options.separator);
}

}  // namespace

std::vector<std::int64_t> tokens_of(const Tree& sample, const std::string& column) {
    const Tree& value = sample.is_dict() ? sample.at(column) : sample;
    std::vector<std::int64_t> tokens;
    if (value.is_text()) {
        for (char letter : value.as_text())
            tokens.push_back(static_cast<unsigned char>(letter));
        return tokens;
    }
    if (value.is_tensor() && value.as_tensor().dim() <= 1) {
        const at::Tensor& tensor = value.as_tensor();
        switch (tensor.scalar_type()) {
            case at::kByte:
                append_as_tokens<std::uint8_t>(tensor, tokens);
                return tokens;
            case at::kChar:
                append_as_tokens<std::int8_t>(tensor, tokens);
                return tokens;
            case at::kShort:
                append_as_tokens<std::int16_t>(tensor, tokens);
                return tokens;
            case at::kUInt16:
                append_as_tokens<std::uint16_t>(tensor, tokens);
                return tokens;
            case at::kInt:
                append_as_tokens<std::int32_t>(tensor, tokens);
                return tokens;
            case at::kUInt32:
                append_as_tokens<std::uint32_t>(tensor, tokens);
                return tokens;
            case at::kLong:
                append_as_tokens<std::int64_t>(tensor, tokens);
                return tokens;
            default:
                break;
        }
    }
    throw UserError(
        "'{}' of a document is {}, and tokens are made of a text or of a list of whole "
        "numbers: name another column",
        column, value.kind());
}

std::vector<std::vector<std::size_t>> best_fit(const std::vector<std::int64_t>& lengths, std::int64_t room) {
    std::vector<std::size_t> order(lengths.size());
    std::iota(order.begin(), order.end(), std::size_t{0});
    std::stable_sort(order.begin(), order.end(), [&](std::size_t a, std::size_t b) { return lengths[a] > lengths[b]; });
    std::vector<std::vector<std::size_t>> samples;
    std::multimap<std::int64_t, std::size_t>
        open;  // remaining room -> sample; samples with equal room in order of insertion
    for (std::size_t piece : order) {
        std::int64_t left = room;
        std::size_t sample = samples.size();
        if (auto fitting = open.lower_bound(lengths[piece]); fitting != open.end()) {
            left = fitting->first;
            sample = fitting->second;
            open.erase(fitting);
        } else {
            samples.emplace_back();
        }
        samples[sample].push_back(piece);
        if (left > lengths[piece])
            open.emplace(left - lengths[piece], sample);
    }
    for (auto& pieces : samples)
        std::sort(pieces.begin(), pieces.end());
    std::sort(samples.begin(), samples.end());
    return samples;
}

PackedStream::PackedStream(std::shared_ptr<IterableDataset> documents, PackingOptions options)
    : documents_(std::move(documents)), options_(std::move(options)) {
    check_options(options_);
}

void PackedStream::begin() {
    documents_->begin();
    from_ = documents_->position();
    document_.clear();
    samples_.clear();
    used_ = given_ = 0;
}

/// Advances to the next document; false at the end.
bool PackedStream::read_document() {
    Tree from = documents_->position();
    std::optional<Tree> sample = documents_->next();
    if (!sample)
        return false;
    from_ = std::move(from);
    document_ = tokens_of(*sample, options_.column);
    if (options_.separator)
        document_.push_back(*options_.separator);
    used_ = 0;
    return true;
}

std::optional<Tree> PackedStream::next_cut() {
    // If the block turns out to be incomplete, the position stays at its start.
    std::vector<std::int64_t> block;
    auto wanted = static_cast<std::size_t>(options_.sequence_length);
    block.reserve(wanted);
    while (block.size() < wanted) {
        if (used_ == document_.size() && !read_document())
            return std::nullopt;
        std::size_t count = std::min(wanted - block.size(), document_.size() - used_);
        auto begin = document_.begin() + static_cast<std::ptrdiff_t>(used_);
        block.insert(block.end(), begin, begin + static_cast<std::ptrdiff_t>(count));
        used_ += count;
    }
    at::Tensor tokens = to_tensor(block);
    return Tree::dict({{"input_ids", tokens}, {"labels", tokens}});
}

/// Reads and packs the next window; false if there are no documents left.
bool PackedStream::read_window() {
    Tree from = documents_->position();
    std::vector<std::vector<std::int64_t>> pieces;
    std::vector<std::int64_t> lengths;
    std::int64_t documents = 0;
    auto room = static_cast<std::size_t>(options_.sequence_length);
    for (; documents < options_.window; ++documents) {
        std::optional<Tree> sample = documents_->next();
        if (!sample)
            break;
        std::vector<std::int64_t> tokens = tokens_of(*sample, options_.column);
        if (options_.separator)
            tokens.push_back(*options_.separator);
        for (std::size_t at = 0; at < tokens.size(); at += room) {
            auto begin = tokens.begin() + static_cast<std::ptrdiff_t>(at);
            pieces.emplace_back(begin, begin + static_cast<std::ptrdiff_t>(std::min(room, tokens.size() - at)));
            lengths.push_back(std::ssize(pieces.back()));
        }
    }
    if (documents == 0)
        return false;
    from_ = std::move(from);
    samples_.clear();
    for (const auto& numbers : best_fit(lengths, options_.sequence_length)) {
        auto& sample = samples_.emplace_back();
        for (std::size_t piece : numbers)
            sample.push_back(std::move(pieces[piece]));
    }
    given_ = 0;
    return true;
}

std::optional<Tree> PackedStream::next() {
    if (options_.method == PackingOptions::Method::concatenate)
        return next_cut();
    while (given_ == samples_.size())  // a window of empty documents has no samples
        if (!read_window())
            return std::nullopt;
    auto length = static_cast<std::size_t>(options_.sequence_length);
    std::vector<std::int64_t> tokens(length, options_.pad_token), labels(length, kIgnored), positions(length, 0),
        segments(length, 0);
    std::size_t at = 0;
    std::int64_t segment = 0;
    for (const auto& piece : samples_[given_]) {
        ++segment;
        for (std::size_t i = 0; i < piece.size(); ++i, ++at) {
            tokens[at] = piece[i];
            // The first token of a document has no predecessor in the document, so it is not predicted.
            labels[at] = i == 0 && segment > 1 ? kIgnored : piece[i];
            positions[at] = static_cast<std::int64_t>(i);
            segments[at] = segment;
        }
    }
    ++given_;
    return Tree::dict({{"input_ids", to_tensor(tokens)},
                       {"labels", to_tensor(labels)},
                       {"position_ids", to_tensor(positions)},
                       {"segment_ids", to_tensor(segments)}});
}

Tree PackedStream::position() const {
    if (from_.is_none())
        return {};
    std::size_t inside = options_.method == PackingOptions::Method::concatenate ? used_ : given_;
    bool started = !document_.empty() || !samples_.empty();
    return Tree::dict({{"documents", from_}, {"inside", static_cast<std::int64_t>(inside)}, {"started", started}});
}

void PackedStream::seek(const Tree& position) {
    documents_->seek(position.at("documents"));
    from_ = position.at("documents");
    document_.clear();
    samples_.clear();
    used_ = given_ = 0;
    if (!position.at("started").as_bool())
        return;
    auto inside = static_cast<std::size_t>(position.at("inside").as_integer());
    bool cut = options_.method == PackingOptions::Method::concatenate;
    bool there = cut ? read_document() : read_window();
    if (!there || inside > (cut ? document_.size() : samples_.size()))
        throw UserError(
            "the documents are others than when the checkpoint was saved: bring back the old files, or begin the epoch "
            "again");
    (cut ? used_ : given_) = inside;
}

std::shared_ptr<IterableDataset> PackedStream::take_parts(std::int64_t count, std::int64_t index) const {
    return std::make_shared<PackedStream>(documents_->take_parts(count, index), options_);
}

BlockDataset::BlockDataset(std::vector<std::filesystem::path> files, formats::ReadOptions read, PackingOptions options)
    : options_(std::move(options)), set_(std::move(files), [&] {
          read.columns = {options_.column};
          return read;
      }()) {
    check_options(options_);
    std::vector<std::int64_t> tokens;
    std::int64_t end = 0;
    for (formats::Table piece = set_.next(kRowsAtOnce); piece.rows > 0; piece = set_.next(kRowsAtOnce))
        for (std::int64_t row = 0; row < piece.rows; ++row) {
            tokens.clear();
            append_row_tokens(piece.at(options_.column), row, options_, tokens);
            ends_.push_back(end += std::ssize(tokens));
        }
    size_ = end / options_.sequence_length;
    if (size_ == 0)
        throw UserError("the data have {} tokens, less than one sample of {}: add data or shorten the samples", end,
                        options_.sequence_length);
}

Tree BlockDataset::get(std::int64_t index) const {
    if (index < 0 || index >= size_)
        throw std::out_of_range("block of a data set");
    std::int64_t begin = index * options_.sequence_length, end = begin + options_.sequence_length;
    auto first = std::upper_bound(ends_.begin(), ends_.end(), begin) - ends_.begin();
    auto last = std::lower_bound(ends_.begin(), ends_.end(), end) - ends_.begin();
    std::vector<std::int64_t> rows(static_cast<std::size_t>(last - first + 1));
    std::iota(rows.begin(), rows.end(), first);
    formats::Table table;
    {
        std::lock_guard lock(mutex_);
        table = set_.take(rows);
    }
    std::vector<std::int64_t> tokens;
    for (std::int64_t row = 0; row < table.rows; ++row)
        append_row_tokens(table.at(options_.column), row, options_, tokens);
    std::int64_t offset = begin - (first == 0 ? 0 : ends_[static_cast<std::size_t>(first - 1)]);
    if (std::ssize(tokens) < offset + options_.sequence_length)
        throw UserError(
            "a file of the data set was changed while it was being read: start again with files that stay as they are");
    auto from = tokens.begin() + offset;
    at::Tensor block = to_tensor({from, from + options_.sequence_length});
    return Tree::dict({{"input_ids", block}, {"labels", block}});
}

}  // namespace trainyard::data
