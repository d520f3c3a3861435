// SPDX-License-Identifier: GPL-3.0-or-later
#include "distributed/parallel/communicator.h"

#include <algorithm>
#include <array>
#include <mutex>
#include <numeric>

#include <ATen/ops/empty.h>
#include <ATen/ops/full.h>
#include <ATen/ops/zeros.h>

#include <fmt/format.h>

#include "base/clock.h"
#include "base/failpoint.h"
#include "distributed/parallel/agreement.h"
#include "distributed/parallel/backend.h"
#include "distributed/parallel/collective_record.h"
#include "distributed/tensors/dtype.h"

namespace trainyard::parallel {

namespace {

struct Record {
    std::mutex mutex;
    const char* operation = nullptr;
    std::uint64_t number = 0;
    std::string name;
    std::string waiting;
};

Record& newest() {
    static Record record;
    return record;
}

}  // namespace

void record_collective(const char* operation, std::uint64_t number, const std::string& name) {
    Record& record = newest();
    std::lock_guard lock(record.mutex);
    record.operation = operation;
    record.number = number;
    record.name = name;
}

std::string last_collective() {
    Record& record = newest();
    std::lock_guard lock(record.mutex);
    if (record.operation == nullptr)
        return {};
    return std::string(record.operation) + " #" + std::to_string(record.number) + " " + record.name;
}

std::string waiting_in() {
    Record& record = newest();
    std::lock_guard lock(record.mutex);
    return record.waiting;
}

namespace {

/// Only one thread of a rank waits at a time that counts here: the one that trains.
class Waiting {
  public:
    explicit Waiting(const std::string& text) { set(text); }
    ~Waiting() { set({}); }
    Waiting(const Waiting&) = delete;
    Waiting& operator=(const Waiting&) = delete;

  private:
    static void set(const std::string& text) {
        Record& record = newest();
        std::lock_guard lock(record.mutex);
        record.waiting = text;
    }
};

}  // namespace

const char* to_string(ReduceOp op) {
    static constexpr std::array kNames{"sum", "average", "max", "min", "product"};
    return kNames[static_cast<std::size_t>(op)];
}

const char* to_string(CollectiveKind kind) {
    static constexpr std::array<const char*, kCollectiveKinds> kNames{
        "all_reduce", "broadcast", "all_gather", "reduce_scatter", "scatter",
        "all_to_all", "send",      "receive",    "barrier",        "check"};
    return kNames[static_cast<std::size_t>(kind)];
}

std::string Collective::text() const {
    return std::string(to_string(kind)) + " #" + std::to_string(number) + " " + name;
}

Pending::Pending() = default;
Pending::Pending(std::unique_ptr<Work> work, double* waited_seconds, std::string text,
                 std::optional<profile::Mark> mark)
    : work_(std::move(work)), waited_seconds_(waited_seconds), text_(std::move(text)), mark_(std::move(mark)) {}
Pending::Pending(Pending&&) noexcept = default;
Pending& Pending::operator=(Pending&&) noexcept = default;
Pending::~Pending() = default;

void Pending::wait() {
    std::unique_ptr<Work> work = std::move(work_);
    std::optional<profile::Mark> mark = std::exchange(mark_, std::nullopt);
    if (!work && !mark)
        return;
    const double begin = monotonic_seconds();
    if (work) {
        Waiting here(text_);
        work->wait();
    }
    const double end = monotonic_seconds();
    if (work && waited_seconds_ != nullptr)
        *waited_seconds_ += end - begin;
    if (mark) {
        // Backends that do the work in start() stood still there.
        const double stood = (mark->end - mark->begin) + (end - begin);
        mark->end = end;
        mark->arguments += fmt::format(", \"waited_us\": {:.3f}", stood * 1e6);
        profile::add_mark(std::move(*mark));
    }
}

namespace {

[[noreturn]] void misused(const Collective& collective, const std::string& what) {
    throw std::invalid_argument(std::string(to_string(collective.kind)) + " " + collective.name + ": " + what);
}

void need(bool condition, const Collective& collective, const char* what) {
    if (!condition)
        misused(collective, what);
}

void need_tensor(const at::Tensor& tensor, const Collective& collective, at::Device device) {
    need(tensor.defined(), collective, "the tensor is undefined");
    need(tensor.is_contiguous(), collective, "the tensor is not contiguous");
    need(tensor.device().type() == device.type(), collective, "the tensor is not on the communicator's device");
}

std::int64_t rows_of(const std::vector<std::int64_t>& rows) {
    return std::accumulate(rows.begin(), rows.end(), std::int64_t{0});
}

void check_rows(const at::Tensor& tensor, const std::vector<std::int64_t>& rows, const Collective& collective,
                int size) {
    need(tensor.dim() > 0, collective, "the tensor has no dimension to divide");
    if (rows.empty())
        need(tensor.size(0) % size == 0, collective, "the rows do not divide among the ranks");
    else
        need(rows.size() == static_cast<std::size_t>(size) && rows_of(rows) == tensor.size(0) &&
                 std::all_of(rows.begin(), rows.end(), [](std::int64_t count) { return count >= 0; }),
             collective, "the rows to or from the ranks are not those of the tensor");
}

/// Mistakes of the caller that one rank can see; backends rely on them.
void check_arguments(const Collective& collective, int rank, int size, at::Device device) {
    using enum CollectiveKind;
    const at::Tensor &out = collective.out, &in = collective.in;
    if (collective.kind == barrier)
        return;
    if (collective.kind != send)
        need_tensor(out, collective, device);
    if (in.defined())
        need_tensor(in, collective, device);
    bool arithmetic = collective.kind == all_reduce || collective.kind == reduce_scatter;
    if (arithmetic) {
        if (out.scalar_type() == at::kBool)
            misused(collective, "bool has no arithmetic: convert it, or use distributed/parallel/collectives.h");
        need(collective.op != ReduceOp::average || out.is_floating_point() || out.is_complex(), collective,
             "whole numbers have no average");
    }
    if (collective.kind == broadcast || collective.kind == scatter)
        need(collective.peer >= 0 && collective.peer < size, collective, "the root is not a rank of this communicator");
    if (collective.kind == send || collective.kind == receive)
        need(collective.peer >= 0 && collective.peer < size && collective.peer != rank, collective,
             "the other rank is not in this communicator, or is this rank itself");
    if (out.defined() && in.defined())
        need(out.scalar_type() == in.scalar_type(), collective, "the two tensors differ in dtype");
    if (collective.kind == all_gather || collective.kind == check)
        need(out.numel() == in.numel() * size, collective, "the target is not [ranks, ...] of the source");
    if (collective.kind == reduce_scatter || (collective.kind == scatter && rank == collective.peer))
        need(in.defined() && in.numel() == out.numel() * size, collective,
             "the source is not [ranks, ...] of the target");
    if (collective.kind == all_to_all) {
        check_rows(out, collective.out_rows, collective, size);
        check_rows(in, collective.in_rows, collective, size);
        need(out.sizes().slice(1) == in.sizes().slice(1), collective, "rows of the two tensors differ in shape");
    }
}

/// Returns the properties of a collective that must be equal on all ranks.
Description describe_collective(const Collective& collective) {
    using enum CollectiveKind;
    Description lines{{"operation", std::string(to_string(collective.kind)) + " '" + collective.name + "'"}};
    if (collective.kind == all_reduce || collective.kind == reduce_scatter)
        lines.emplace_back("reduction", to_string(collective.op));
    if (collective.kind == broadcast || collective.kind == scatter)
        lines.emplace_back("root", std::to_string(collective.peer));
    if (collective.kind == all_to_all)  // how many rows go where is each rank's own affair
        lines.emplace_back("rows", std::string(dtype_name(collective.in.scalar_type())) + " " +
                                       c10::str(collective.in.sizes().slice(1)));
    else if (collective.kind != barrier)
        lines.emplace_back("tensor", describe(collective.kind == all_gather ? collective.in : collective.out));
    return lines;
}

}  // namespace

void Communicator::set_group(std::string name, std::vector<int> ranks) {
    group_ = std::move(name);
    ranks_ = std::move(ranks);
}

/// Names of arguments are those that torch gives to its collectives, where it has one.
std::optional<profile::Mark> Communicator::mark_of(const Collective& collective, std::uint64_t bytes) {
    using enum CollectiveKind;
    const auto global = [&](int rank) { return ranks_.empty() ? rank : ranks_[static_cast<std::size_t>(rank)]; };
    // A message is one call of two ranks: both number it alike.
    const bool sends = collective.kind == send, message = sends || collective.kind == receive;
    std::uint64_t number = collective.number;
    std::string group = group_.empty() ? "ranks" : group_, peers;
    for (int i = 0; i < size(); ++i)
        if (!message || i == rank() || i == collective.peer)
            peers += (peers.empty() ? "" : ", ") + std::to_string(global(i));
    if (message) {
        const std::pair way = sends ? std::pair(rank(), collective.peer) : std::pair(collective.peer, rank());
        number = ++messages_[way];
        group += fmt::format(" {} to {}", global(way.first), global(way.second));
    }
    if (!profile::marking())
        return std::nullopt;
    profile::Mark mark{profile::Row::collectives, "collective",
                       std::string(to_string(collective.kind)) + ' ' + collective.name, monotonic_seconds(), 0};
    mark.arguments = fmt::format(
        "\"Collective name\": \"{}\", \"name\": {}, \"Process Group Name\": {}, \"Process Group Ranks\": \"[{}]\", "
        "\"Group size\": {}, \"bytes\": {}, \"number\": {}",
        message ? "message" : to_string(collective.kind), profile::json_text(collective.name),
        profile::json_text(message ? group : fmt::format("{} [{}]", group, peers)), peers, size(), bytes, number);
    if (collective.peer >= 0)
        mark.arguments += fmt::format(", \"{}\": {}",
                                      sends     ? "Dst Rank"
                                      : message ? "Src Rank"
                                                : "root",
                                      global(collective.peer));
    return mark;
}

Pending Communicator::issue(Collective collective) {
    using enum CollectiveKind;
    check_arguments(collective, rank(), size(), device());
    std::optional<profile::Mark> mark;
    if (size() > 1) {
        bool verify = verify_ && collective.kind != send && collective.kind != receive && collective.kind != check;
        if (verify)
            agree(*this, describe_collective(collective),
                  std::string(to_string(collective.kind)) + " " + collective.name,
                  "let every rank call the same operation with the same shapes");
        const at::Tensor& payload = collective.in.defined() ? collective.in : collective.out;
        std::uint64_t bytes = payload.defined() ? payload.nbytes() : 0;
        CollectiveStats::Kind& kind = stats_.kinds[static_cast<std::size_t>(collective.kind)];
        ++kind.count;
        ++stats_.count;
        kind.bytes += bytes;
        stats_.bytes += bytes;
        collective.number = stats_.count;
        record_collective(to_string(collective.kind), collective.number, collective.name);
        const bool message = collective.kind == send || collective.kind == receive;
        if (message || profile::marking())
            mark = mark_of(collective, bytes);
    }
    std::string text = size() > 1 ? collective.text() : std::string();
    std::unique_ptr<Pending::Work> work = start(collective);
    if (mark)
        mark->end = monotonic_seconds();    // of the start; wait() makes it that of the whole
    if (mark && collective.kind == send) {  // its data is in a buffer now
        profile::add_mark(std::move(*mark));
        mark.reset();
    }
    return Pending(std::move(work), &stats_.waited_seconds, std::move(text), std::move(mark));
}

std::unique_ptr<Pending::Work> Communicator::start_on(Communicator& other, const Collective& collective) {
    return other.start(collective);
}

Pending Communicator::all_reduce(const at::Tensor& tensor, const std::string& name, ReduceOp op) {
    // For tests: simulates a program whose ranks take different branches.
    if (failpoints_on() && failpoint_hit(("collective." + std::to_string(rank())).c_str(), "other"))
        all_gather(at::empty({size(), 3}, tensor.options()), at::zeros({3}, tensor.options()), "out of turn");
    return issue({.kind = CollectiveKind::all_reduce, .name = name, .out = tensor, .op = op});
}

void Communicator::broadcast(const at::Tensor& tensor, int root, const std::string& name) {
    issue({.kind = CollectiveKind::broadcast, .name = name, .out = tensor, .peer = root}).wait();
}

void Communicator::all_gather(const at::Tensor& out, const at::Tensor& in, const std::string& name) {
    all_gather_async(out, in, name).wait();
}

Pending Communicator::all_gather_async(const at::Tensor& out, const at::Tensor& in, const std::string& name) {
    return issue({.kind = CollectiveKind::all_gather, .name = name, .out = out, .in = in});
}

std::vector<at::Tensor> Communicator::all_gather_unequal(const at::Tensor& in, const std::string& name) {
    if (in.dim() == 0)
        throw std::invalid_argument("all_gather " + name + ": the tensor has no first dimension");
    at::Tensor sizes = at::empty({size()}, in.options().dtype(at::kLong));
    exchange_check(sizes, at::full({1}, in.size(0), sizes.options()), name);
    at::Tensor host = sizes.cpu();
    std::span rows(host.const_data_ptr<std::int64_t>(), static_cast<std::size_t>(size()));
    std::vector<std::int64_t> shape = in.sizes().vec();
    shape[0] = *std::max_element(rows.begin(), rows.end());
    at::Tensor padded = in;
    if (in.size(0) != shape[0]) {
        padded = at::zeros(shape, in.options());
        padded.narrow(0, 0, in.size(0)).copy_(in);
    }
    shape.insert(shape.begin(), size());
    at::Tensor all = at::empty(shape, in.options());
    all_gather(all, padded.contiguous(), name);
    std::vector<at::Tensor> parts;
    for (std::size_t r = 0; r < rows.size(); ++r)
        parts.push_back(all.select(0, static_cast<std::int64_t>(r)).narrow(0, 0, rows[r]));
    return parts;
}

Pending Communicator::reduce_scatter(const at::Tensor& out, const at::Tensor& in, const std::string& name,
                                     ReduceOp op) {
    return issue({.kind = CollectiveKind::reduce_scatter, .name = name, .out = out, .in = in, .op = op});
}

Pending Communicator::scatter(const at::Tensor& out, const at::Tensor& in, int root, const std::string& name) {
    return issue({.kind = CollectiveKind::scatter,
                  .name = name,
                  .out = out,
                  .in = rank() == root ? in : at::Tensor(),
                  .peer = root});
}

Pending Communicator::all_to_all(const at::Tensor& out, const at::Tensor& in, const std::string& name,
                                 std::vector<std::int64_t> out_rows, std::vector<std::int64_t> in_rows) {
    return issue({.kind = CollectiveKind::all_to_all,
                  .name = name,
                  .out = out,
                  .in = in,
                  .out_rows = std::move(out_rows),
                  .in_rows = std::move(in_rows)});
}

Pending Communicator::send(const at::Tensor& tensor, int to, const std::string& name) {
    return issue({.kind = CollectiveKind::send, .name = name, .in = tensor, .peer = to});
}

Pending Communicator::receive(const at::Tensor& tensor, int from, const std::string& name) {
    return issue({.kind = CollectiveKind::receive, .name = name, .out = tensor, .peer = from});
}

void Communicator::barrier(const std::string& name) {
    issue({.kind = CollectiveKind::barrier, .name = name}).wait();
}

void Communicator::exchange_check(const at::Tensor& out, const at::Tensor& in, const std::string& name) {
    issue({.kind = CollectiveKind::check, .name = name, .out = out, .in = in}).wait();
}

namespace {

/// One rank alone: every collective is the identity, or a copy from source to target.
class SingleRankCommunicator final : public Communicator {
  public:
    int rank() const override { return 0; }
    int size() const override { return 1; }
    at::Device device() const override { return device_; }
    explicit SingleRankCommunicator(at::Device device) : device_(device) {}

  protected:
    std::unique_ptr<Pending::Work> start(const Collective& collective) override {
        if (collective.out.defined() && collective.in.defined())
            collective.out.view(collective.in.sizes()).copy_(collective.in);
        return nullptr;
    }

  private:
    at::Device device_;
};

class SingleRankWorld final : public World {
  public:
    explicit SingleRankWorld(const std::string& device)
        : device_(device), communicator_(std::make_shared<SingleRankCommunicator>(at::Device(device))) {}
    int rank() const override { return 0; }
    int size() const override { return 1; }
    std::string device() const override { return device_; }
    std::shared_ptr<Communicator> group(std::span<const int>, const std::string&) override { return communicator_; }

  private:
    std::string device_;
    std::shared_ptr<Communicator> communicator_;
};

}  // namespace

std::unique_ptr<World> World::connect(const Rendezvous& rendezvous, const std::string& device) {
    if (rendezvous.world_size == 1)
        return std::make_unique<SingleRankWorld>(device);
    return connect_c10d(rendezvous, device);
}

}  // namespace trainyard::parallel
