// SPDX-License-Identifier: GPL-3.0-or-later
#include "distributed/parallel/agreement.h"

#include <algorithm>
#include <cstring>
#include <map>
#include <span>

#include <ATen/ops/empty.h>
#include <ATen/ops/zeros.h>

#include <fmt/format.h>

#include "base/error.h"
#include "base/message_json.h"
#include "distributed/parallel/collectives.h"
#include "distributed/tensors/dtype.h"

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
std::string table_line(const std::string& name, const std::vector<std::string>& values, std::size_t width) {
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
    return fmt::format("{} {} on {}", dtype_name(tensor.scalar_type()), c10::str(tensor.sizes()),
                       c10::DeviceTypeName(tensor.device().type(), true));
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
                rows.emplace_back(fmt::format("number {}", place), std::move(row));
        }
    }
    std::size_t width = 0;
    for (std::size_t i = 0; i < std::min(lines, rows.size()); ++i)
        width = std::max(width, rows[i].first.size());
    std::string table;
    for (std::size_t i = 0; i < std::min(lines, rows.size()); ++i)
        table += (i == 0 ? "" : "\n") + table_line(rows[i].first, rows[i].second, width);
    if (rows.size() > lines)
        table += fmt::format("\n  and {} more", rows.size() - lines);
    return table;
}

std::vector<std::int64_t> agree(Communicator& communicator, const Description& mine, const std::string& subject,
                                const Message& mend, std::int64_t size) {
    if (communicator.size() == 1)
        return {size};
    struct Sign {
        std::uint64_t hash;
        std::int64_t length;
        std::int64_t size;
    };
    constexpr std::int64_t kSign = sizeof(Sign);
    at::TensorOptions bytes_here(at::kByte), bytes_there = bytes_here.device(communicator.device());
    std::vector<std::uint8_t> text = pack(mine);
    Sign sign{hash_of(text), static_cast<std::int64_t>(text.size()), size};
    at::Tensor own = at::empty({kSign}, bytes_here);
    std::memcpy(own.mutable_data_ptr<std::uint8_t>(), &sign, sizeof sign);
    at::Tensor gathered = at::empty({communicator.size(), kSign}, bytes_there);
    communicator.exchange_check(gathered, on(communicator.device(), own), subject);
    gathered = gathered.cpu();
    std::vector<Sign> signs(static_cast<std::size_t>(communicator.size()));
    std::memcpy(signs.data(), gathered.const_data_ptr<std::uint8_t>(), signs.size() * sizeof(Sign));

    // All ranks hold the same signs, so all of them answer this alike.
    bool same = std::all_of(signs.begin(), signs.end(), [&](const Sign& other) {
        return other.hash == signs[0].hash && other.length == signs[0].length;
    });
    std::vector<std::int64_t> sizes;
    std::int64_t longest = 0;
    for (const Sign& other : signs) {
        sizes.push_back(other.size);
        longest = std::max(longest, other.length);
    }
    if (same)
        return sizes;

    own = at::zeros({longest}, bytes_here);
    std::memcpy(own.mutable_data_ptr<std::uint8_t>(), text.data(), text.size());
    gathered = at::empty({communicator.size(), longest}, bytes_there);
    communicator.exchange_check(gathered, on(communicator.device(), own), subject);
    gathered = gathered.cpu();
    std::vector<Description> descriptions;
    for (std::size_t r = 0; r < signs.size(); ++r) {
        const std::uint8_t* begin = gathered.const_data_ptr<std::uint8_t>() + static_cast<std::int64_t>(r) * longest;
        descriptions.push_back(unpack({begin, static_cast<std::size_t>(signs[r].length)}));
    }
    throw DistributedOperationError(
        Message("{} is not the same on all ranks:\n{}\n{}", subject, differences(descriptions), mend));
}

Message first_message(Communicator& communicator, const Message& own, const std::string& name) {
    if (communicator.size() == 1)
        return own;
    for (const Tree& message : all_gather_objects(communicator, Tree(message_to_json(own)), name))
        if (!message.as_text().empty())
            return message_from_json(message.as_text());
    return {};
}

}  // namespace trainyard::parallel
