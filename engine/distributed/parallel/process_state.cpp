// SPDX-License-Identifier: GPL-3.0-or-later
#include "distributed/parallel/process_state.h"

#include <cstdio>
#include <cstdlib>
#include <exception>
#include <numeric>

#include <ATen/Context.h>
#include <ATen/Parallel.h>
#include <ATen/ops/cat.h>
#include <ATen/ops/full.h>

#include "base/cores.h"
#include "base/cpu_affinity.h"
#include "base/environment_names.h"
#include "base/error.h"
#include "base/number.h"
#include "distributed/parallel/load_device.h"

namespace trainyard::parallel {

FirstScope::FirstScope(Communicator& communicator, bool first, std::string name)
    : communicator_(communicator), name_(std::move(name)), first_(first), exceptions_(std::uncaught_exceptions()) {
    if (first_ || communicator_.size() == 1)
        return;
    at::Tensor failed = at::full({1}, 0, at::TensorOptions(at::kByte).device(communicator_.device()));
    communicator_.broadcast(failed, 0, name_);
    if (failed.cpu().item<std::uint8_t>() != 0)
        throw PeerLost(Message("{}: the first process failed before the others could continue", name_));
}

FirstScope::~FirstScope() {
    if (!first_ || communicator_.size() == 1)
        return;
    bool failed = std::uncaught_exceptions() > exceptions_;
    try {
        communicator_.broadcast(
            at::full({1}, failed ? 1 : 0, at::TensorOptions(at::kByte).device(communicator_.device())), 0, name_);
    } catch (const std::exception&) {
        // A destructor has nobody to tell; the next collective meets the same lost peer.
    }
}

namespace {

std::shared_ptr<Communicator> all_of(World& world) {
    std::vector<int> ranks(static_cast<std::size_t>(world.size()));
    std::iota(ranks.begin(), ranks.end(), 0);
    return world.group(ranks, "process state");
}

/// "npu" means the device of the local rank, "npu:1" that one.
at::Device device_of(const LaunchEnvironment& environment) {
    std::string kind = environment.use_cpu ? "cpu" : environment.device;
    if (kind.empty())
        kind = at::globalContext().hasCUDA() ? "cuda" : "cpu";
    int index = environment.place.local_rank;
    if (const std::size_t colon = kind.find(':'); colon != std::string::npos) {
        const auto number = parse_number<int>(std::string_view(kind).substr(colon + 1));
        if (!number)
            throw UserError(
                "ACCELERATE_TORCH_DEVICE is '{}': it must be a kind of device, or one "
                "with a number such as cuda:1",
                kind);
        index = *number;
        kind.resize(colon);
    }
    return load_device(kind, index);
}

/// Before LibTorch starts its threads: they inherit the cores of the thread that starts them.
void bind_to_cores(const LaunchEnvironment& environment) {
    const bool on_gpu = !environment.use_cpu && (environment.device.empty() ? at::globalContext().hasCUDA()
                                                                            : environment.device.starts_with("cuda"));
    const std::vector<int> threads = set_numa_affinity({.local_rank = environment.place.local_rank,
                                                        .local_ranks = environment.place.local_world_size,
                                                        .on_gpu = on_gpu});
    if (environment.rendezvous.verify)
        std::fprintf(stderr, "%s: rank %d runs on %s\n", kEnvCpuAffinity, environment.place.rank,
                     threads.empty() ? "the cores that it was started with" : cpu_list(threads).c_str());
}

std::int64_t length_of(const Tree& whole) {
    if (whole.is_tensor() && whole.as_tensor().defined() && whole.as_tensor().dim() > 0)
        return whole.as_tensor().size(0);
    if (whole.is_list() || whole.is_tuple())
        return static_cast<std::int64_t>(whole.items().size());
    if (whole.is_dict() && !whole.entries().empty())
        return length_of(whole.entries().front().value);
    if (whole.is_dict())
        return 0;
    return -1;  // it has no length
}

/// All values of a dictionary, and of those in it, are as long as the first.
void check_lengths(const Tree& whole, std::int64_t length, const std::string& path) {
    if (!whole.is_dict()) {
        if (std::int64_t other = length_of(whole); other >= 0 && other != length)
            throw UserError(
                "split_between_processes: '{}' has {} items, the first value has {}: all "
                "values must be of one length",
                path, other, length);
        return;
    }
    for (const Tree::Entry& entry : whole.entries())
        check_lengths(entry.value, length,
                      path.empty() ? trainyard::to_string(entry.key) : path + "." + trainyard::to_string(entry.key));
}

/// [begin, end) of `whole`, `missing` copies of its last item appended.
Tree share(const Tree& whole, Range range, std::int64_t missing) {
    if (whole.is_dict()) {
        Tree::Dict entries;
        for (const Tree::Entry& entry : whole.entries())
            entries.push_back({entry.key, share(entry.value, range, missing)});
        return Tree::dict(std::move(entries));
    }
    std::int64_t length = length_of(whole);
    if (length < 0)
        return whole;
    if (length == 0)
        missing = 0;
    if (whole.is_tensor()) {
        const at::Tensor& rows = whole.as_tensor();
        at::Tensor part = rows.narrow(0, range.begin, range.size());
        if (missing == 0)
            return part;
        std::vector<std::int64_t> shape = rows.sizes().vec();
        shape[0] = missing;
        return at::cat({part, rows.narrow(0, length - 1, 1).expand(shape)});
    }
    Tree::List part(whole.items().begin() + range.begin, whole.items().begin() + range.end);
    part.insert(part.end(), static_cast<std::size_t>(missing), length == 0 ? Tree() : whole.items().back());
    return whole.is_list() ? Tree::list(std::move(part)) : Tree::tuple(std::move(part));
}

}  // namespace

ProcessState::ProcessState() : ProcessState(World::connect({}, "cpu"), {}) {}

ProcessState::ProcessState(std::shared_ptr<World> world, const ProcessPlace& place, at::Device device)
    : world_(std::move(world)), place_(place), device_(device), everyone_(all_of(*world_)) {
    if (place_.rank != world_->rank() || place_.world_size != world_->size())
        throw std::invalid_argument("the place of a process is not that of its world");
}

ProcessState ProcessState::from_environment() {
    return connect(read_launch_environment());
}

ProcessState ProcessState::connect(const LaunchEnvironment& environment) {
    const ProcessPlace& place = environment.place;
    if (environment.cpu_affinity)
        bind_to_cores(environment);
    const at::Device device = device_of(environment);
    if (device.is_cpu() && place.local_world_size > 1 && std::getenv(kEnvThreads) == nullptr)
        at::set_num_threads(std::max(1, physical_cores() / place.local_world_size));
    return {World::connect(environment.rendezvous, device.str()), place, device};
}

bool ProcessState::debug() const {
    return everyone_->verifies_every_call();
}

Communicator& ProcessState::local() {
    if (!local_ && place_.local_world_size == place_.world_size)
        local_ = everyone_;
    if (!local_) {
        // Launchers number the ranks of a machine one after the other.
        std::vector<int> ranks(static_cast<std::size_t>(place_.local_world_size));
        std::iota(ranks.begin(), ranks.end(), place_.rank - place_.local_rank);
        local_ = ranks.size() == 1 ? World::connect({}, world_->device())->group(ranks, "local")
                                   : world_->group(ranks, "local");
    }
    return *local_;
}

void ProcessState::wait_for_everyone(const std::string& name) {
    everyone_->barrier(name);
}

void ProcessState::print(const std::string& line) const {
    if (!is_local_main_process())
        return;
    std::string text = line + "\n";
    std::fwrite(text.data(), 1, text.size(), stdout);
    std::fflush(stdout);
}

Tree ProcessState::split_between_processes(const Tree& whole, bool pad) const {
    std::int64_t length = length_of(whole);
    if (place_.world_size == 1 || length < 0)
        return whole;
    check_lengths(whole, length, {});
    Range mine = share_of(length);
    std::int64_t longest = split_between(length, 0, place_.world_size).size();
    return share(whole, mine, pad ? longest - mine.size() : 0);
}

}  // namespace trainyard::parallel
