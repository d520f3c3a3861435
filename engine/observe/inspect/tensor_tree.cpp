// SPDX-License-Identifier: GPL-3.0-or-later
#include "observe/inspect/tensor_tree.h"

#include <algorithm>
#include <cstring>
#include <numeric>
#include <sstream>

#include "base/error.h"
#include "base/letter_case.h"
#include "formats/weights/merge.h"
#include "observe/inspect/reader.h"

namespace trainyard::inspect {

namespace {

constexpr std::size_t kFewTensors = 12;  ///< of a module that has no node of its own

bool all_digits(std::string_view text) {
    return !text.empty() && std::ranges::all_of(text, [](char c) { return c >= '0' && c <= '9'; });
}

}  // namespace

TensorTree::TensorTree(const Contents& contents)
    : TensorTree(contents, [&] {
          std::vector<std::uint32_t> all(contents.tensors.size());
          std::iota(all.begin(), all.end(), 0u);
          return all;
      }()) {}

TensorTree::TensorTree(const Contents& contents, std::vector<std::uint32_t> rows)
    : contents_(&contents), rows_(std::move(rows)) {
    bytes_.reserve(rows_.size() + 1);
    elements_.reserve(rows_.size() + 1);
    bytes_.push_back(0);
    elements_.push_back(0);
    for (std::uint32_t row : rows_) {
        bytes_.push_back(bytes_.back() + contents.tensors[row].bytes);
        elements_.push_back(elements_.back() + element_count(contents.tensors[row]));
    }
}

TensorTree::Node TensorTree::make(std::size_t begin, std::size_t end, std::size_t prefix, std::string label) const {
    return {
        std::move(label), begin, end, prefix, false, bytes_[end] - bytes_[begin], elements_[end] - elements_[begin]};
}

std::vector<TensorTree::Node> TensorTree::roots() const {
    std::vector<Node> nodes;
    for (std::size_t begin = 0; begin < rows_.size();) {
        const Section section = contents_->tensors[rows_[begin]].section;
        const auto behind =
            std::partition_point(rows_.begin() + static_cast<std::ptrdiff_t>(begin), rows_.end(),
                                 [&](std::uint32_t row) { return contents_->tensors[row].section <= section; });
        const auto end = static_cast<std::size_t>(behind - rows_.begin());
        nodes.push_back(make(begin, end, 0, std::string(name_of(section))));
        begin = end;
    }
    return nodes;
}

/// Behind the dot that ends the part of the name that begins at `from`; 0: it is the last part.
std::size_t TensorTree::component_end(std::size_t position, std::size_t from) const {
    const std::size_t dot = name(position).find('.', from);
    return dot == std::string::npos ? 0 : dot + 1;
}

std::vector<TensorTree::Node> TensorTree::children(const Node& node) const {
    std::vector<Node> found;
    if (node.leaf)
        return found;
    const auto add_leaf = [&](std::size_t position, std::size_t prefix) {
        found.push_back(make(position, position + 1, prefix, name(position).substr(prefix)));
        found.back().leaf = true;
    };
    for (std::size_t begin = node.begin; begin < node.end;) {
        const std::size_t behind = component_end(begin, node.prefix);
        std::size_t end = begin + 1;
        if (behind == 0) {
            add_leaf(begin, node.prefix);
            begin = end;
            continue;
        }
        const std::string_view part = std::string_view(name(begin)).substr(0, behind);
        while (end < node.end && std::string_view(name(end)).starts_with(part))
            ++end;
        // A list of layers keeps its nodes, and those above it, whatever is in them.
        bool list = false;
        for (std::size_t i = begin; i < end && end - begin <= kFewTensors && !list; ++i)
            for (std::size_t at = behind, next = 0; (next = component_end(i, at)) != 0 && !list; at = next)
                list = all_digits(std::string_view(name(i)).substr(at, next - at - 1));
        const std::string_view label = part.substr(node.prefix, part.size() - node.prefix - 1);
        if (end - begin > kFewTensors || list || all_digits(label)) {
            found.push_back(make(begin, end, behind, std::string(label)));
        } else {
            for (std::size_t i = begin; i < end; ++i)
                add_leaf(i, node.prefix);
        }
        begin = end;
    }
    // "model" with "layers" as its only child is "model.layers".
    if (found.size() == 1 && !found.front().leaf && !all_digits(found.front().label)) {
        std::vector<Node> inner = children(found.front());
        if (inner.size() == 1 && !inner.front().leaf)
            inner.front().label.insert(0, found.front().label + ".");
        else if (node.prefix == 0 && inner.size() > 1)
            return inner;  // the name of the whole model says nothing
        else
            return found;
        return inner;
    }
    return found;
}

std::string TensorTree::dtype_of(const Node& node) const {
    constexpr std::size_t kMostAsked = 20'000;
    const std::string& first = contents_->tensors[rows_[node.begin]].dtype;
    const std::size_t step = std::max<std::size_t>(1, node.tensors() / kMostAsked);
    for (std::size_t i = node.begin; i < node.end; i += step)
        if (contents_->tensors[rows_[i]].dtype != first)
            return "mixed";
    return shown_dtype(first);
}

TensorQuery parse_query(const std::string& text) {
    TensorQuery query;
    std::istringstream words(text);
    for (std::string word; words >> word;) {
        const std::string small = text::lower(word);
        if (small.starts_with("size>") || small.starts_with("size<")) {
            (small[4] == '>' ? query.larger : query.smaller) = weights::parse_size(word.substr(5));
        } else if (small == "nan") {
            query.nan = true;
        } else if (small == "changed") {
            query.changed = true;
        } else if (small == "fp32" || small == "bf16" || small == "fp16" || small == "fp64" ||
                   small.starts_with("type:")) {
            query.dtypes.push_back(small.starts_with("type:") ? small.substr(5) : small);
        } else {
            query.words.push_back(small);
        }
    }
    return query;
}

NameIndex::NameIndex(const Contents& contents) : contents_(&contents) {
    std::size_t bytes = 0;
    for (const Tensor& tensor : contents.tensors)
        bytes += tensor.name.size() + 1;
    if (bytes > UINT32_MAX)
        throw UserError("the names of these tensors take more than 4 GB");
    names_.reserve(bytes);
    begins_.reserve(contents.tensors.size() + 1);
    for (const Tensor& tensor : contents.tensors) {
        begins_.push_back(static_cast<std::uint32_t>(names_.size()));
        names_ += tensor.name;
        names_ += '\n';
    }
    begins_.push_back(static_cast<std::uint32_t>(names_.size()));
    names_ = text::lower(names_);
}

std::vector<std::uint32_t> NameIndex::find(const TensorQuery& query, const std::function<bool(std::uint32_t)>& has_nan,
                                           const std::function<bool(std::uint32_t)>& has_changed) const {
    std::vector<std::uint32_t> rows;
    const auto count = static_cast<std::uint32_t>(contents_->tensors.size());
    // The longest word leaves the fewest names.
    const auto longest = std::ranges::max_element(query.words, {}, &std::string::size);
    if (longest == query.words.end()) {
        rows.resize(count);
        std::iota(rows.begin(), rows.end(), 0u);
    } else {
        std::uint32_t row = 0;
        for (std::size_t at = 0; at < names_.size();) {
            const void* hit = ::memmem(names_.data() + at, names_.size() - at, longest->data(), longest->size());
            if (hit == nullptr)
                break;
            const auto place = static_cast<std::uint32_t>(static_cast<const char*>(hit) - names_.data());
            // Hits come in order, mostly close to each other.
            std::uint32_t step = 1;
            while (row + step < count && begins_[row + step] <= place)
                step *= 2;
            row = static_cast<std::uint32_t>(std::upper_bound(begins_.begin() + row + step / 2,
                                                              begins_.begin() + std::min(row + step, count), place) -
                                             begins_.begin()) -
                  1;
            rows.push_back(row);
            at = begins_[row + 1];
        }
    }
    std::erase_if(rows, [&](std::uint32_t row) {
        const Tensor& tensor = contents_->tensors[row];
        const std::string_view name(names_.data() + begins_[row], begins_[row + 1] - begins_[row] - 1);
        for (const std::string& word : query.words)
            if (&word != &*longest && name.find(word) == std::string_view::npos)
                return true;
        if ((query.larger && tensor.bytes <= *query.larger) || (query.smaller && tensor.bytes >= *query.smaller))
            return true;
        if (!query.dtypes.empty() &&
            std::ranges::find(query.dtypes, text::lower(shown_dtype(tensor.dtype))) == query.dtypes.end())
            return true;
        return (query.nan && !(has_nan && has_nan(row))) || (query.changed && !(has_changed && has_changed(row)));
    });
    return rows;
}

std::optional<LayerPlace> layer_of(std::string_view name) {
    for (std::size_t begin = 0; begin < name.size();) {
        const std::size_t end = std::min(name.find('.', begin), name.size());
        if (const std::string_view part = name.substr(begin, end - begin);
            all_digits(part) && part.size() < 10 && end < name.size())
            return LayerPlace{std::stoll(std::string(part)), std::string(name.substr(end + 1))};
        begin = end + 1;
    }
    return std::nullopt;
}

}  // namespace trainyard::inspect
