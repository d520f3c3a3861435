// SPDX-License-Identifier: GPL-3.0-or-later
#include "accelerator/metrics_gather.h"

#include <algorithm>
#include <optional>
#include <string>

#include "base/error.h"
#include "distributed/parallel/collectives.h"
#include "distributed/tensors/operations.h"

namespace trainyard::accelerator {

namespace {

bool all_tensors(const Tree& tree) {
    if (tree.is_list() || tree.is_tuple())
        return std::all_of(tree.items().begin(), tree.items().end(), all_tensors);
    if (tree.is_dict())
        return std::all_of(tree.entries().begin(), tree.entries().end(),
                           [](const Tree::Entry& entry) { return all_tensors(entry.value); });
    return tree.is_tensor();
}

/// Samples in an entry that is a batch: rows of a tensor, items of a list, of the first value of a dictionary.
std::optional<std::int64_t> samples_in(const Tree& entry) {
    if (entry.is_tensor() && entry.as_tensor().dim() > 0)
        return entry.as_tensor().size(0);
    if (entry.is_list() || entry.is_tuple())
        return static_cast<std::int64_t>(entry.items().size());
    if (entry.is_dict() && !entry.entries().empty())
        return samples_in(entry.entries().front().value);
    return std::nullopt;
}

Tree first_samples(const Tree& entry, std::int64_t count) {
    if (entry.is_tensor())
        return Tree(entry.as_tensor().narrow(0, 0, std::min(count, entry.as_tensor().size(0))));
    if (entry.is_dict()) {
        Tree part = Tree::dict();
        for (const Tree::Entry& each : entry.entries())
            part.set(each.key, first_samples(each.value, count));
        return part;
    }
    if (!entry.is_list() && !entry.is_tuple())
        return entry;
    const Tree::List& items = entry.items();
    Tree::List part(items.begin(),
                    items.begin() + std::min<std::int64_t>(count, static_cast<std::int64_t>(items.size())));
    return entry.is_list() ? Tree::list(std::move(part)) : Tree::tuple(std::move(part));
}

}  // namespace

Tree trim_samples(const Tree& list, std::int64_t remainder, std::int64_t batch_size, int ranks) {
    const Tree::List& entries = list.items();
    const auto count = static_cast<std::int64_t>(entries.size());
    std::optional<std::int64_t> samples = 0;
    for (const Tree& entry : entries) {
        const std::optional<std::int64_t> more = samples_in(entry);
        samples = samples && more ? std::optional(*samples + *more) : std::nullopt;
    }
    // The last batch is as large as all others where it was completed. Else (dispatched, or left uneven) it has the remainder, or that completed to a
    // multiple of the ranks, which small numbers are by chance, too: the first two questions come first.
    const std::int64_t completed = (remainder + ranks - 1) / ranks * ranks;
    const auto is_short = [&](std::int64_t number) { return number == remainder || number == completed; };
    const bool whole = batch_size > 0;
    bool per_entry = false;
    if (whole && count == batch_size)
        per_entry = true;
    else if (whole && samples && *samples == batch_size)
        per_entry = false;
    else if (is_short(count) || (!samples && count >= remainder))
        per_entry = true;
    else if (!samples || !is_short(*samples))
        throw UserError(
            "gather_for_metrics got {} for a last batch of {} samples: give one entry per sample, or entries that are "
            "batches",
            samples ? Message("{} entries of {} samples together", count, *samples) : Message("{} entries", count),
            remainder);
    if (per_entry)
        return first_samples(list, remainder);
    Tree kept = Tree::list();
    std::int64_t left = remainder;
    for (const Tree& entry : entries) {
        const std::int64_t here = *samples_in(entry);
        if (left <= 0)
            break;
        kept.append(here <= left ? entry : first_samples(entry, left));
        left -= here;
    }
    return kept;
}

Tree gather_for_metrics(parallel::Communicator& communicator, const Tree& data, const data::Loader* loader,
                        bool use_gather_object) {
    const bool tensors = !use_gather_object && all_tensors(data);
    Tree gathered = tensors ? parallel::gather(communicator, data, "gather_for_metrics")
                            : parallel::gather_object(communicator, data, "gather_for_metrics");
    if (loader == nullptr || !loader->at_end() || loader->remainder() <= 0)
        return gathered;
    if (tensors)
        return slice_tensors(gathered, 0, loader->remainder());
    return trim_samples(gathered, loader->remainder(), loader->total_batch_size(), communicator.size());
}

}  // namespace trainyard::accelerator
