// SPDX-License-Identifier: GPL-3.0-or-later
#include "estimate/search.h"

#include <algorithm>
#include <array>
#include <cmath>

#include <fmt/format.h>

#include "base/error.h"
#include "base/text.h"

namespace trainyard::estimate {

namespace {

constexpr std::int64_t kLongestSequence = 1 << 22;
constexpr std::int64_t kMostStages = 64;

std::vector<std::int64_t> divisors(std::int64_t number) {
    std::vector<std::int64_t> all;
    for (std::int64_t i = 1; i * i <= number; ++i)
        if (number % i == 0) {
            all.push_back(i);
            if (i != number / i)
                all.push_back(number / i);
        }
    std::ranges::sort(all);
    return all;
}

/// The setup with further settings changed, grouped by what changes: nothing, what is computed again, where optimizer
/// state and weights are stored, the format of products. The first group with a layout that fits is the one to take.
std::vector<std::vector<TrainingSetup>> relaxed(const TrainingSetup& setup, bool cpu) {
    const auto each = [](const std::vector<TrainingSetup>& from, auto field, const auto& values) {
        std::vector<TrainingSetup> made = from;
        for (const TrainingSetup& one : from)
            for (const auto value : values)
                if (one.*field != value) {
                    made.push_back(one);
                    made.back().*field = value;
                }
        return made;
    };
    std::vector<Recomputation> more;
    for (const Recomputation value : {Recomputation::selective, Recomputation::full})
        if (value > setup.checkpointing)
            more.push_back(value);
    const std::vector<TrainingSetup> as_given{setup};
    const std::vector<TrainingSetup> recomputed = each(as_given, &TrainingSetup::checkpointing, more);
    std::vector<TrainingSetup> offloaded = recomputed;
    if (setup.offload_optimizer == Offload::none)
        offloaded = each(offloaded, &TrainingSetup::offload_optimizer, std::array{cpu ? Offload::disk : Offload::cpu});
    if (setup.offload_param == Offload::none && !cpu)
        offloaded = each(offloaded, &TrainingSetup::offload_param, std::array{Offload::cpu});
    std::vector<TrainingSetup> halved;
    if (setup.precision == ProductFormat::no)
        halved = each(offloaded, &TrainingSetup::precision, std::array{ProductFormat::bf16});
    return {as_given, recomputed, offloaded, halved};
}

/// The numbers that divide `number`, except itself, the largest first.
std::vector<std::int64_t> proper_divisors(std::int64_t number) {
    std::vector<std::int64_t> all = divisors(number);
    all.pop_back();
    std::ranges::reverse(all);
    return all;
}

/// The fields in which `found` differs: "dp_shard 8, zero_stage 3".
std::string changes_text(const TrainingSetup& setup, const TrainingSetup& found) {
    std::string text;
    for (const SetupField& field : setup_fields())
        if (const std::string value = field_text(found, field); value != field_text(setup, field))
            text += fmt::format("{}{} {}", text.empty() ? "" : ", ", field.name, value);
    return text;
}

}  // namespace

Answer Search::answer(const TrainingSetup& setup) const {
    Answer answer;
    answer.setup = setup;
    answer.memory = estimate_memory(model_, setup, hardware_.device).total();
    answer.time = step_time(model_, setup, hardware_);
    if (hardware_.device.price_per_hour > 0)
        answer.price_per_token = price(answer.time, hardware_, setup.layout.ranks(), 1) / answer.time.tokens;
    return answer;
}

bool Search::fits(const TrainingSetup& setup) const {
    if (!check_setup(model_, setup).empty())
        return false;
    return !shortage(estimate_memory(model_, setup, hardware_.device)).any();
}

double Search::of_host(const MemoryEstimate& memory, Place place) const {
    double most = 0;
    for (const RankMemory& stage : memory.stages)
        most = std::max(most, stage.total(place));
    return most * static_cast<double>(hardware_.devices_per_host);
}

Shortage Search::shortage(const MemoryEstimate& memory) const {
    Shortage missing;
    // For a processor, offloading to the host does not free memory.
    const double offloaded = hardware_.device.cpu ? memory.fullest().total(Place::host) : 0;
    missing.device = std::max(0.0, memory.total() + offloaded - limit());
    if (hardware_.host_memory > 0)
        missing.host = std::max(0.0, of_host(memory, Place::host) - hardware_.host_memory);
    return missing;
}

std::optional<Answer> Search::largest(const std::function<TrainingSetup(std::int64_t)>& with, std::int64_t most) const {
    // Memory grows with the number, so it is found by halving.
    std::int64_t fitting = 0, failing = most + 1;
    while (failing - fitting > 1) {
        const std::int64_t middle = fitting + (failing - fitting) / 2;
        (fits(with(middle)) ? fitting : failing) = middle;
    }
    if (fitting == 0)
        return std::nullopt;
    return answer(with(fitting));
}

std::optional<Answer> Search::largest_batch(const TrainingSetup& setup, std::int64_t most) const {
    return largest(
        [&](std::int64_t batch) {
            TrainingSetup tried = setup;
            tried.batch = batch;
            return tried;
        },
        most);
}

std::optional<Answer> Search::longest_sequence(const TrainingSetup& setup, std::int64_t multiple) const {
    const std::int64_t step = std::max<std::int64_t>(1, multiple) * setup.layout.cp * setup.layout.sp;
    const std::int64_t longest = model_.positions > 0 ? static_cast<std::int64_t>(model_.positions) : kLongestSequence;
    return largest(
        [&](std::int64_t steps) {
            TrainingSetup tried = setup;
            tried.sequence = steps * step;
            return tried;
        },
        std::max<std::int64_t>(1, longest / step));
}

std::vector<Answer> Search::best_layouts(const TrainingSetup& setup, std::int64_t ranks, std::size_t most) const {
    std::vector<Answer> found;
    const std::int64_t samples = setup.batch * setup.accumulation * setup.layout.data_ranks();
    const auto try_layouts = [&](const TrainingSetup& given) {
        for (std::int64_t tp : divisors(ranks)) {
            if (tp > hardware_.devices_per_host)  // slower links than inside a host would carry four messages per layer
                break;
            for (std::int64_t pp : divisors(ranks / tp)) {
                if (pp > std::min(model_.layers(), kMostStages))
                    break;
                for (std::int64_t cp : divisors(ranks / tp / pp)) {
                    if (cp > 8 || (cp > 1 && given.sequence < 8192))
                        break;
                    const std::int64_t data = ranks / tp / pp / cp;
                    if (samples % data != 0)
                        continue;
                    for (std::int64_t zero = 0; zero <= 3; ++zero) {
                        if (zero > 0 && data * cp == 1)
                            break;
                        TrainingSetup tried = given;
                        tried.layout = {.dp_replicate = zero == 0 ? data : 1,
                                        .dp_shard = zero == 0 ? 1 : data,
                                        .tp = tp,
                                        .cp = cp,
                                        .pp = pp};
                        tried.zero_stage = zero;
                        const auto set_batch = [&, data](std::int64_t batch) {
                            tried.batch = batch;
                            tried.accumulation = samples / data / batch;
                        };
                        set_batch(1);
                        if (!fits(tried))
                            continue;
                        // The largest micro-batch that fits, up to the given one, with the same samples of a step.
                        for (std::int64_t batch = std::min(given.batch, samples / data); batch > 0; --batch) {
                            if (samples / data % batch != 0)
                                continue;
                            set_batch(batch);
                            if (fits(tried))
                                break;
                        }
                        found.push_back(answer(tried));
                    }
                }
            }
        }
    };
    for (const std::vector<TrainingSetup>& group : relaxed(setup, hardware_.device.cpu)) {
        std::ranges::for_each(group, try_layouts);
        if (!found.empty())
            break;
    }
    const bool priced = hardware_.device.price_per_hour > 0;
    std::ranges::stable_sort(found, [&](const Answer& a, const Answer& b) {
        return priced ? a.price_per_token < b.price_per_token : a.time.tokens_per_second() > b.time.tokens_per_second();
    });
    if (found.size() > most)
        found.resize(most);
    return found;
}

std::optional<Answer> Search::fewest_devices(const TrainingSetup& setup) const {
    const std::int64_t all = std::max<std::int64_t>(hardware_.ranks(), setup.layout.ranks());
    // Whole hosts, or a part of one: 1, 2, 4 ... devices, then one host after the other.
    std::vector<std::int64_t> counts;
    for (std::int64_t n = 1; n < hardware_.devices_per_host; n *= 2)
        counts.push_back(n);
    for (std::int64_t hosts = 1; hosts * hardware_.devices_per_host <= all; hosts = hosts < 8 ? hosts + 1 : hosts * 2)
        counts.push_back(hosts * hardware_.devices_per_host);
    for (std::int64_t count : counts)
        if (std::vector<Answer> best = best_layouts(setup, count, 1); !best.empty())
            return best.front();
    return std::nullopt;
}

std::vector<Search::Saving> Search::savings(const TrainingSetup& setup) const {
    const Answer now = answer(setup);
    std::vector<Saving> all;
    const auto consider = [&](std::string field, std::string value, const TrainingSetup& changed) {
        if (changed == setup || !check_setup(model_, changed).empty())
            return;
        const Answer then = answer(changed);
        if (then.memory >= now.memory)
            return;
        // Per token: a smaller micro-batch makes shorter steps of less.
        const double slower = now.time.tokens_per_second() / then.time.tokens_per_second() - 1;
        all.push_back({std::move(field), std::move(value), now.memory - then.memory, slower, fits(changed), changed});
    };
    const auto with = [&](const std::string& field, const std::string& value) {
        TrainingSetup changed = setup;
        set_field(changed, field, value);
        consider(field, value, changed);
    };
    with("chunked_loss", "true");
    with("attention", "flash");
    with("precision", "bf16");
    with("optimizer", "adamw_8bit");
    with("checkpointing", "selective");
    with("checkpointing", "full");
    with("offload_optimizer", hardware_.device.cpu ? "disk" : "cpu");
    const Layout& layout = setup.layout;
    if (const std::int64_t data = layout.data_ranks() * layout.cp * layout.sp; data > 1)
        for (std::int64_t stage = setup.zero_stage + 1; stage <= 3; ++stage) {
            TrainingSetup changed = setup;
            changed.zero_stage = stage;
            if (setup.zero_stage == 0) {
                changed.layout.dp_shard = layout.data_ranks();
                changed.layout.dp_replicate = 1;
            }
            consider("zero_stage", std::to_string(stage), changed);
        }
    // The largest micro-batch of the same step that fits; if none does, the next smaller one.
    const std::vector<std::int64_t> smaller = proper_divisors(setup.batch);
    std::optional<TrainingSetup> less;
    for (const std::int64_t batch : smaller) {
        TrainingSetup changed = setup;
        changed.batch = batch;
        changed.accumulation = setup.accumulation * (setup.batch / batch);
        const bool enough = fits(changed);
        if (!less || enough)
            less = changed;
        if (enough)
            break;
    }
    if (less)
        consider("batch", std::to_string(less->batch), *less);
    for (auto [field, size] : {std::pair{"tp", &Layout::tp}, std::pair{"pp", &Layout::pp}}) {
        TrainingSetup changed = setup;
        std::int64_t& from = changed.layout.dp_shard > 1 ? changed.layout.dp_shard : changed.layout.dp_replicate;
        if (from % 2 != 0 ||
            (changed.layout.*size) * 2 > (field == std::string("tp") ? hardware_.devices_per_host : kMostStages))
            continue;
        from /= 2;
        changed.layout.*size *= 2;
        changed.accumulation *= 2;
        consider(field, std::to_string(changed.layout.*size), changed);
    }
    std::ranges::stable_sort(all, {}, [](const Saving& saving) { return saving.slower / saving.saved; });
    return all;
}

Message Search::why_not(const TrainingSetup& setup) const {
    const std::vector<Problem> problems = check_setup(model_, setup);
    if (!problems.empty())
        return problems.front().message;
    if (fits(setup))
        return "";
    const MemoryEstimate estimate = estimate_memory(model_, setup, hardware_.device);
    const RankMemory& rank = estimate.fullest();
    const auto size = [](double bytes) { return text::memory_size(static_cast<std::uint64_t>(std::max(0.0, bytes))); };
    Message sentence;
    const Shortage missing = shortage(estimate);
    if (missing.host > 0)
        sentence = Message("a host needs {} for what is offloaded and has {}: {} short",
                           size(of_host(estimate, Place::host)), size(hardware_.host_memory), size(missing.host));
    if (missing.device > 0) {
        std::size_t most = 0;
        for (std::size_t i = 1; i < kParts; ++i)
            if (rank.bytes_of(static_cast<Part>(i)) > rank.bytes_of(static_cast<Part>(most)))
                most = i;
        const Message part = Message::table_text(part_words(static_cast<Part>(most)));
        const std::string total = size(rank.total()), of_part = size(rank.bytes_of(static_cast<Part>(most)));
        sentence = sentence.empty()
                       ? Message("a rank needs {} of {}, most of it for {} ({})", total, size(limit()), part, of_part)
                       : Message("a rank needs {} of {}, most of it for {} ({}), and {}", total, size(limit()), part,
                                 of_part, sentence);
    }
    for (const Saving& saving : savings(setup))
        if (saving.enough)
            return Message("{}; {} {} is enough", sentence, saving.field, saving.value);
    if (const auto shorter = longest_sequence(setup); shorter && shorter->setup.sequence < setup.sequence)
        return Message("{}; {} {} is enough", sentence, "sequence", shorter->setup.sequence);
    if (const std::optional<Answer> fewest = fewest_devices(setup))
        return Message("{}; no single change is enough, but it fits on {} devices with {}", sentence,
                       fewest->setup.layout.ranks(), changes_text(setup, fewest->setup));
    return Message("{}; no single change is enough, and no layout of these devices", sentence);
}

}  // namespace trainyard::estimate
