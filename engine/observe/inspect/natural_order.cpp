// SPDX-License-Identifier: GPL-3.0-or-later
#include "observe/inspect/natural_order.h"

#include <algorithm>
#include <numeric>

namespace trainyard::inspect {

namespace {

bool is_decimal(char c) {
    return c >= '0' && c <= '9';
}

/// Compares as natural_less() does after the section: a run of digits is its length, then itself without leading zeros;
/// the name at the end distinguishes names that differ only in leading zeros.
void append_key(const Tensor& tensor, std::string& keys) {
    const std::string& name = tensor.name;
    keys += static_cast<char>(tensor.section);
    for (std::size_t i = 0; i < name.size();) {
        std::size_t end = i;
        while (end < name.size() && !is_decimal(name[end]))
            ++end;
        keys.append(name, i, end - i);
        std::size_t begin = i = end;
        while (i < name.size() && is_decimal(name[i]))
            ++i;
        if (begin == i)
            break;
        while (begin + 1 < i && name[begin] == '0')
            ++begin;
        // '0' keeps digits where they are among other letters.
        keys += '0';
        keys += static_cast<char>(std::min<std::size_t>(i - begin, 255));
        keys.append(name, begin, i - begin);
    }
    keys += '\0';
    keys += name;
}

}  // namespace

SortedTensors::SortedTensors(std::span<const Tensor> tensors) : order_(tensors.size()) {
    std::size_t bytes = 0;
    for (const Tensor& tensor : tensors)
        bytes += 2 * tensor.name.size() + 16;
    keys_.reserve(bytes);
    begins_.reserve(tensors.size() + 1);
    for (const Tensor& tensor : tensors) {
        begins_.push_back(keys_.size());
        append_key(tensor, keys_);
    }
    begins_.push_back(keys_.size());
    std::iota(order_.begin(), order_.end(), 0u);
    std::ranges::sort(order_, {}, [this](std::uint32_t tensor) { return key(tensor); });
}

std::vector<PlaceInParts> joined_order(std::span<const SortedTensors* const> parts) {
    std::size_t count = 0;
    std::vector<std::uint32_t> by_first;
    for (std::uint32_t i = 0; i < parts.size(); ++i)
        if (!parts[i]->order().empty()) {
            by_first.push_back(i);
            count += parts[i]->order().size();
        }
    // Shards mostly follow each other: then nothing is left to merge.
    std::ranges::sort(by_first, {}, [&](std::uint32_t part) { return parts[part]->key(parts[part]->order().front()); });
    std::vector<PlaceInParts> places;
    places.reserve(count);
    std::vector<std::size_t> runs{0};
    for (std::uint32_t part : by_first) {
        for (std::uint32_t tensor : parts[part]->order())
            places.push_back({parts[part]->key(tensor), part, tensor});
        runs.push_back(places.size());
    }
    const auto at = [&](std::size_t place) { return places.begin() + static_cast<std::ptrdiff_t>(place); };
    while (runs.size() > 2) {
        std::vector<std::size_t> merged{0};
        for (std::size_t i = 0; i + 1 < runs.size(); i += 2) {
            const std::size_t end = runs[std::min(i + 2, runs.size() - 1)];
            if (end > runs[i + 1] && places[runs[i + 1]].key < places[runs[i + 1] - 1].key)
                std::inplace_merge(at(runs[i]), at(runs[i + 1]), at(end),
                                   [](const auto& a, const auto& b) { return a.key < b.key; });
            merged.push_back(end);
        }
        runs = std::move(merged);
    }
    return places;
}

bool natural_less(std::string_view a, std::string_view b) {
    std::size_t i = 0, j = 0;
    while (i < a.size() && j < b.size()) {
        if (is_decimal(a[i]) && is_decimal(b[j])) {
            std::size_t x = i, y = j;
            while (x < a.size() && a[x] == '0')
                ++x;
            while (y < b.size() && b[y] == '0')
                ++y;
            std::size_t p = x, q = y;
            while (p < a.size() && is_decimal(a[p]))
                ++p;
            while (q < b.size() && is_decimal(b[q]))
                ++q;
            if (p - x != q - y)
                return p - x < q - y;
            if (const int order = a.substr(x, p - x).compare(b.substr(y, q - y)); order != 0)
                return order < 0;
            i = p;
            j = q;
            continue;
        }
        if (a[i] != b[j])
            return static_cast<unsigned char>(a[i]) < static_cast<unsigned char>(b[j]);
        ++i;
        ++j;
    }
    if (i == a.size() && j == b.size())
        return a < b;  // equal but for leading zeros
    return i == a.size();
}

}  // namespace trainyard::inspect
