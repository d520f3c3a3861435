// SPDX-License-Identifier: GPL-3.0-or-later
#include "data/dispatch_loader.h"

#include <algorithm>
#include <cstring>
#include <utility>

#include <ATen/ops/empty.h>
#include <ATen/ops/zeros.h>

#include "base/error.h"
#include "base/message_json.h"
#include "data/rows.h"
#include "distributed/tensors/wire.h"

namespace trainyard::data {

namespace {

enum Status : std::int64_t { kBatch, kEnd, kFailed };

const char* kName = "dispatch of a batch";

at::Tensor as_tensor(std::span<const std::uint8_t> bytes) {
    at::Tensor tensor = at::empty({static_cast<std::int64_t>(bytes.size())}, at::kByte);
    if (!bytes.empty())
        std::memcpy(tensor.mutable_data_ptr(), bytes.data(), bytes.size());
    return tensor;
}

std::span<const std::uint8_t> bytes_of(const at::Tensor& tensor) {
    return {tensor.const_data_ptr<std::uint8_t>(), static_cast<std::size_t>(tensor.numel())};
}

}  // namespace

DispatchLoader::DispatchLoader(LoaderSetup setup, Options options, Shard shard)
    : PassLoader(std::move(setup)), options_(std::move(options)) {
    shards_ = {shard.index};
    if (parallel::Communicator* communicator = setup_.communicator; communicator != nullptr) {
        at::Tensor mine = at::empty({1}, at::kLong).fill_(shard.index).to(communicator->device());
        at::Tensor all = at::empty({communicator->size()}, mine.options());
        communicator->all_gather(all, mine, "shards of a dispatching loader");
        all = all.to(at::kCPU);
        const auto* index = all.const_data_ptr<std::int64_t>();
        shards_.assign(index, index + communicator->size());
    }
    for (std::size_t rank = 0; rank < shards_.size(); ++rank)
        if (shards_[rank] < 0 || shards_[rank] >= options_.count)
            throw UserError("rank {} asks for shard {} of {}", rank, shards_[rank], options_.count);
}

bool DispatchLoader::reads() const {
    return setup_.communicator == nullptr || setup_.communicator->rank() == 0;
}

std::optional<std::int64_t> DispatchLoader::length_of_epoch() const {
    std::optional<std::int64_t> batches = setup_.source->length();
    if (!batches || options_.split_batches)
        return batches;
    return options_.drop_last ? *batches / options_.count : (*batches + options_.count - 1) / options_.count;
}

std::int64_t DispatchLoader::start(const PassStart& start) {
    if (reads()) {
        PassStart undivided = start;
        if (!options_.split_batches)
            undivided.skip *= options_.count;
        start_reading(undivided);
    }
    return -1;
}

std::optional<DispatchLoader::Step> DispatchLoader::read_step() {
    Step step;
    std::vector<Tree> batches;
    std::int64_t rows = 0;
    std::int64_t wanted = options_.split_batches ? 1 : options_.count;
    while (static_cast<std::int64_t>(batches.size()) < wanted) {
        std::optional<HostBatch> read = reader_->next();
        if (!read)
            break;
        std::optional<std::int64_t> more = row_count(read->batch);
        if (!more)
            throw UserError("a batch without tensors cannot be dispatched: use dispatch_batches: false");
        rows += *more;
        batches.push_back(std::move(read->batch));
        step.after = {{}, read->samples_after, -1, std::move(read->position)};
    }
    if (batches.empty() || (options_.drop_last && static_cast<std::int64_t>(batches.size()) < wanted))
        return std::nullopt;
    step.after.remainder = rows;
    step.parts = divide(std::move(batches), rows);
    return step;
}

std::vector<Tree> DispatchLoader::divide(std::vector<Tree> batches, std::int64_t rows) {
    std::int64_t count = options_.count;
    auto given = static_cast<std::int64_t>(batches.size());
    bool one_each = given == count && std::all_of(batches.begin(), batches.end(), [&](const Tree& batch) {
                        return row_count(batch) == row_count(batches[0]);
                    });
    std::optional<Tree> global;
    if (options_.slice || !(one_each || options_.whole_batches)) {
        std::int64_t missing = (count - rows % count) % count;
        std::vector<Tree> pieces = batches;
        // Completed with the first rows of the epoch, repeatedly if there are few.
        while (missing > 0) {
            Tree first = setup_.source->first_samples(missing);
            missing -= row_count(first).value_or(missing);
            pieces.push_back(std::move(first));
        }
        global = join_rows(pieces);
        if (!global && options_.slice)
            throw UserError(
                "a slice function needs batches that can be joined along dimension 0: those of one step "
                "differ in shape");
        rows = (rows + count - 1) / count * count;
    }
    std::vector<Tree> parts;
    for (std::int64_t shard = 0; shard < count; ++shard) {
        std::int64_t begin = shard * (rows / count), end = begin + rows / count;
        if (!global)
            // Batches of unequal shapes cannot be concatenated: ranks get complete batches, and in the last step some
            // batches are repeated.
            parts.push_back(batches[static_cast<std::size_t>(shard % given)]);
        else
            parts.push_back(options_.slice ? options_.slice(*global, begin, end, {shard, count})
                                           : rows_of(*global, begin, end));
    }
    return parts;
}

std::optional<HostBatch> DispatchLoader::fetch() {
    std::optional<Step> step;
    std::exception_ptr failure;
    if (reads()) {
        try {
            step = read_step();
        } catch (...) {
            failure = std::current_exception();
        }
    }
    if (setup_.communicator != nullptr && setup_.communicator->size() > 1)
        return exchange(std::move(step), failure);
    if (failure)
        std::rethrow_exception(failure);
    if (!step)
        return std::nullopt;
    step->after.batch = std::move(step->parts[static_cast<std::size_t>(shards_[0])]);
    return std::move(step->after);
}

std::optional<HostBatch> DispatchLoader::exchange(std::optional<Step> step, std::exception_ptr failure) {
    parallel::Communicator& all = *setup_.communicator;
    at::Tensor header = at::zeros({4}, at::kLong);
    auto* number = header.mutable_data_ptr<std::int64_t>();
    std::vector<std::vector<std::uint8_t>> bytes;  // by shard
    std::string reason;
    if (reads()) {
        number[0] = failure ? kFailed : step ? kBatch : kEnd;
        if (failure) {
            try {
                std::rethrow_exception(failure);
            } catch (const std::exception& error) {
                reason = message_to_json(message_of(error));
            } catch (...) {
                reason = message_to_json("unknown error");
            }
            number[1] = static_cast<std::int64_t>(reason.size());
        } else if (step) {
            for (const Tree& part : step->parts) {
                bytes.push_back(to_bytes(part));
                number[1] = std::max(number[1], static_cast<std::int64_t>(bytes.back().size() + 8));
            }
            number[2] = step->after.samples_after;
            number[3] = step->after.remainder;
        }
    }
    header = header.to(all.device());
    all.broadcast(header, 0, kName);
    header = header.to(at::kCPU);
    number = header.mutable_data_ptr<std::int64_t>();

    if (number[0] == kEnd)
        return std::nullopt;
    if (number[0] == kFailed) {
        at::Tensor text = reads() ? as_tensor({reinterpret_cast<const std::uint8_t*>(reason.data()), reason.size()})
                                  : at::empty({number[1]}, at::kByte);
        if (number[1] > 0) {
            text = text.to(all.device());
            all.broadcast(text, 0, kName);
            text = text.to(at::kCPU);
        }
        if (failure)
            std::rethrow_exception(failure);
        std::span<const std::uint8_t> letters = bytes_of(text);
        throw UserError("rank 0 could not read the next batch: {}",
                        message_from_json({reinterpret_cast<const char*>(letters.data()), letters.size()}));
    }
    at::Tensor parts;
    if (reads()) {
        parts = at::zeros({all.size(), number[1]}, at::kByte);
        auto* out = parts.mutable_data_ptr<std::uint8_t>();
        for (std::size_t rank = 0; rank < shards_.size(); ++rank, out += number[1]) {
            const std::vector<std::uint8_t>& part = bytes[static_cast<std::size_t>(shards_[rank])];
            std::uint64_t size = part.size();
            std::memcpy(out, &size, sizeof size);
            std::memcpy(out + sizeof size, part.data(), part.size());
        }
        parts = parts.to(all.device());
    }
    at::Tensor mine = at::empty({number[1]}, at::TensorOptions(at::kByte).device(all.device()));
    all.scatter(mine, parts, 0, kName).wait();
    HostBatch result;
    if (reads()) {
        result = std::move(step->after);
        result.batch = std::move(step->parts[static_cast<std::size_t>(shards_[0])]);
        return result;
    }
    mine = mine.to(at::kCPU);
    std::uint64_t size = 0;
    std::memcpy(&size, mine.const_data_ptr(), sizeof size);
    if (size > static_cast<std::uint64_t>(mine.numel()) - sizeof size)
        throw UserError("rank 0 sent a batch that is cut off");
    result.batch = from_bytes(bytes_of(mine).subspan(sizeof size, size));
    result.samples_after = number[2];
    result.remainder = number[3];
    return result;
}

}  // namespace trainyard::data
