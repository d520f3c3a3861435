#include "parallel/agreement.h"

#include <algorithm>
#include <cstring>
#include <map>
#include <set>
#include <span>

#include <ATen/ops/empty.h>

#include "tensors/dtype.h"

namespace trainyard::parallel {

namespace {

constexpr std::size_t kLongestValue = 160;  ///< characters of a value in a table

/// Length-prefixed texts, one after the other.
std::vector<std::uint8_t> pack(const Description& description) {
    std::vector<std::uint8_t> bytes;
    auto add = [&](const std::string& text) {
        std::uint64_t length = text.size();
        const auto* first = reinterpret_cast<const std::uint8_t*>(&length);
        bytes.insert(bytes.end(), first, first + sizeof length);
        bytes.insert(bytes.end(), text.begin(), text.end());
    };
    for (const auto& [name, value] : description) {
        add(name);
        add(value);
    }
    return bytes;
}

Description unpack(std::span<const std::uint8_t> bytes) {
    Description description;
    auto take = [&] {
        std::uint64_t length = 0;
        if (bytes.size() < sizeof length)
            throw PeerLost("a rank sent a damaged description of its operation");
        std::memcpy(&length, bytes.data(), sizeof length);
        bytes = bytes.subspan(sizeof length);
        if (bytes.size() < length)
            throw PeerLost("a rank sent a damaged description of its operation");
        std::string text(bytes.begin(), bytes.begin() + static_cast<std::ptrdiff_t>(length));
        bytes = bytes.subspan(length);
        return text;
    };
    while (!bytes.empty()) {
        std::string name = take();
        description.emplace_back(std::move(name), take());
    }
    return description;
}

/// FNV-1a. Ranks of one run are one build, but maybe not one standard library.
std::uint64_t hash_of(std::span<const std::uint8_t> bytes) {
    std::uint64_t hash = 0xcbf29ce484222325U;
    for (std::uint8_t byte : bytes)
        hash = (hash ^ byte) * 0x100000001b3U;
    return hash;
}

at::Tensor on(at::Device device, at::Tensor tensor) {
    return device.is_cpu() ? tensor : tensor.to(device);
}

/// "rank 2", "ranks 0-3, 5"
std::string ranks_text(const std::vector<std::size_t>& ranks) {
    std::string text = ranks.size() == 1 ? "rank " : "ranks ";
    for (std::size_t i = 0; i < ranks.size();) {
        std::size_t last = i;
        while (last + 1 < ranks.size() && ranks[last + 1] == ranks[last] + 1)
            ++last;
        text += (i == 0 ? "" : ", ") + std::to_string(ranks[i]) + (last == i ? "" : "-" + std::to_string(ranks[last]));
        i = last + 1;
    }
    return text;
}

std::string shortened(const std::string& value) {
    return value.size() <= kLongestValue ? value : value.substr(0, kLongestValue - 3) + "...";
}

/// One line of the table: equal values joined, in the order of their first rank.
std::string line(const std::string& name, const std::vector<std::string>& values, std::size_t width) {
    std::vector<std::pair<std::string, std::vector<std::size_t>>> groups;
    for (std::size_t rank = 0; rank < values.size(); ++rank) {
        auto group = std::find_if(groups.begin(), groups.end(), [&](const auto& g) { return g.first == values[rank]; });
        if (group == groups.end())
            group = groups.insert(groups.end(), {values[rank], {}});
        group->second.push_back(rank);
    }
    std::string text = "  " + name + std::string(width - std::min(width, name.size()), ' ');
    for (const auto& [value, ranks] : groups)
        text += "   " + ranks_text(ranks) + ": " + shortened(value);
    return text;
}

/// The names of a rank in their order, to be compared with those of another one.
std::string name_at(const Description& rank, std::size_t place) {
    return place < rank.size() ? rank[place].first : "nothing";
}

}  // namespace

std::string describe(const at::Tensor& tensor) {
    if (!tensor.defined())
        return "undefined";
    return std::string(dtype_name(tensor.scalar_type())) + " " + c10::str(tensor.sizes()) + " on " +
           c10::DeviceTypeName(tensor.device().type(), true);
}

std::string differences(const std::vector<Description>& ranks, std::size_t lines) {
    std::vector<std::string> names;
    std::map<std::string, std::vector<std::string>> values;
    for (std::size_t rank = 0; rank < ranks.size(); ++rank)
        for (const auto& [name, value] : ranks[rank]) {
            auto [entry, added] = values.try_emplace(name, ranks.size(), "none");
            if (added)
                names.push_back(name);
            entry->second[rank] = value;
        }
    std::vector<std::pair<std::string, std::vector<std::string>>> rows;
    for (const std::string& name : names) {
        const std::vector<std::string>& row = values.at(name);
        if (std::any_of(row.begin(), row.end(), [&](const std::string& value) { return value != row[0]; }))
            rows.emplace_back(name, row);
    }
    if (rows.empty()) {  // the same names and values in another order
        for (std::size_t place = 0; place < names.size(); ++place) {
            std::vector<std::string> row;
            for (const Description& rank : ranks)
                row.push_back(name_at(rank, place));
            if (std::any_of(row.begin(), row.end(), [&](const std::string& name) { return name != row[0]; }))
                rows.emplace_back("number " + std::to_string(place), std::move(row));
        }
    }
    std::size_t width = 0;
    for (std::size_t i = 0; i < std::min(lines, rows.size()); ++i)
        width = std::max(width, rows[i].first.size());
    std::string table;
    for (std::size_t i = 0; i < std::min(lines, rows.size()); ++i)
        table += (i == 0 ? "" : "\n") + line(rows[i].first, rows[i].second, width);
    if (rows.size() > lines)
        table += "\n  and " + std::to_string(rows.size() - lines) + " more";
    return table;
}

void agree(Communicator& communicator, const Description& mine, const std::string& subject, const std::string& mend) {
    if (communicator.size() == 1)
        return;
    std::vector<std::uint8_t> bytes = pack(mine);
    auto ranks = static_cast<std::size_t>(communicator.size());
    at::TensorOptions host(at::kCPU);
    at::Tensor sign = at::empty({2}, host.dtype(at::kLong));
    auto* words = sign.mutable_data_ptr<std::int64_t>();
    words[0] = static_cast<std::int64_t>(hash_of(bytes));
    words[1] = static_cast<std::int64_t>(bytes.size());
    at::Tensor signs = at::empty({communicator.size(), 2}, host.dtype(at::kLong).device(communicator.device()));
    communicator.exchange_check(signs, on(communicator.device(), sign), subject);
    signs = signs.cpu();
    std::span all(signs.const_data_ptr<std::int64_t>(), 2 * ranks);
    bool same = true;
    std::int64_t longest = 0;
    for (std::size_t r = 0; r < ranks; ++r) {
        same = same && all[2 * r] == words[0] && all[2 * r + 1] == words[1];
        longest = std::max(longest, all[2 * r + 1]);
    }
    // What one rank sees differ, every rank sees differ: equality with all others is the same question everywhere but on ranks that
    // agree with each other and not with a third, and they see the third.
    if (same)
        return;
    at::Tensor text = at::empty({longest}, host.dtype(at::kByte));
    std::memcpy(text.mutable_data_ptr<std::uint8_t>(), bytes.data(), bytes.size());
    at::Tensor texts = at::empty({communicator.size(), longest}, host.dtype(at::kByte).device(communicator.device()));
    communicator.exchange_check(texts, on(communicator.device(), text), subject);
    texts = texts.cpu();
    std::vector<Description> descriptions;
    for (std::size_t r = 0; r < ranks; ++r)
        descriptions.push_back(unpack({texts.const_data_ptr<std::uint8_t>() + static_cast<std::int64_t>(r) * longest,
                                       static_cast<std::size_t>(all[2 * r + 1])}));
    throw DistributedOperationError(subject + " is not the same on all ranks:\n" + differences(descriptions) + "\n" +
                                    mend);
}

}  // namespace trainyard::parallel
