#include "parallel/communicator.h"

#include <atomic>
#include <mutex>

#include "parallel/backend.h"
#include "parallel/collective_record.h"

namespace trainyard::parallel {

namespace {

struct Record {
    std::mutex mutex;
    const char* operation = nullptr;
    std::uint64_t number = 0;
    std::string name;
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

Pending::Pending() = default;
Pending::Pending(std::unique_ptr<Work> work) : work_(std::move(work)) {}
Pending::Pending(Pending&&) noexcept = default;
Pending& Pending::operator=(Pending&&) noexcept = default;
Pending::~Pending() = default;

void Pending::wait() {
    if (work_)
        work_->wait();
    work_.reset();
}

namespace {

/// One rank alone: every collective is the identity.
class Alone final : public Communicator {
  public:
    int rank() const override { return 0; }
    int size() const override { return 1; }
    Pending all_reduce(const at::Tensor&, const std::string&) override { return {}; }
    void broadcast(const at::Tensor&, int, const std::string&) override {}
    void all_gather(const at::Tensor& out, const at::Tensor& in, const std::string&) override {
        out.select(0, 0).copy_(in);
    }
    void barrier(const std::string&) override {}
    CollectiveStats stats() const override { return {}; }
};

class LonelyWorld final : public World {
  public:
    int rank() const override { return 0; }
    int size() const override { return 1; }
    std::shared_ptr<Communicator> group(std::span<const int>, const std::string&) override { return alone_; }

  private:
    std::shared_ptr<Communicator> alone_ = std::make_shared<Alone>();
};

}  // namespace

std::unique_ptr<World> World::connect(const Rendezvous& rendezvous, const std::string& device) {
    if (rendezvous.world_size == 1)
        return std::make_unique<LonelyWorld>();
    return connect_c10d(rendezvous, device);
}

}  // namespace trainyard::parallel
