// SPDX-License-Identifier: GPL-3.0-or-later
#include "distributed/parallel/shared_mapping.h"

#include <cstring>
#include <random>
#include <string>
#include <utility>

#include <ATen/ops/full.h>
#include <ATen/ops/zeros.h>

#include <fcntl.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "distributed/parallel/communicator.h"

namespace trainyard::parallel {

namespace {

constexpr std::size_t kIdentityPage = 4096;

}  // namespace

SharedMapping::SharedMapping(FileDescriptor file, std::size_t bytes) : file_(std::move(file)), bytes_(bytes) {
    struct stat status {};
    if (!file_ || ::fstat(file_.get(), &status) != 0 || !S_ISREG(status.st_mode) ||
        static_cast<std::size_t>(status.st_size) != bytes_)
        return;
    void* memory = ::mmap(nullptr, bytes_, PROT_READ | PROT_WRITE, MAP_SHARED, file_.get(), 0);
    memory_ = memory == MAP_FAILED ? nullptr : static_cast<std::uint8_t*>(memory);
}

SharedMapping SharedMapping::create(std::size_t bytes, const char* name) {
    bytes += kIdentityPage;
    FileDescriptor file(static_cast<int>(::syscall(SYS_memfd_create, name, 1U /* MFD_CLOEXEC */)));
    if (!file || ::ftruncate(file.get(), static_cast<off_t>(bytes)) != 0)
        return {};
    const int number = file.get();
    SharedMapping mapping(std::move(file), bytes);
    if (!mapping)
        return {};
    std::random_device random;
    const auto word = [&] { return static_cast<std::int64_t>((std::uint64_t{random()} << 32) | random()); };
    mapping.place_ = {::getpid(), number, word(), word()};
    std::memcpy(mapping.memory_, &mapping.place_[2], 2 * sizeof(std::int64_t));
    return mapping;
}

SharedMapping SharedMapping::open(const SharedPlace& place, std::size_t bytes) {
    if (place[1] < 0)
        return {};
    const std::string path = "/proc/" + std::to_string(place[0]) + "/fd/" + std::to_string(place[1]);
    SharedMapping mapping(FileDescriptor(::open(path.c_str(), O_RDWR | O_CLOEXEC)), bytes + kIdentityPage);
    if (!mapping || std::memcmp(mapping.memory_, &place[2], 2 * sizeof(std::int64_t)) != 0)
        return {};
    mapping.file_.close();
    return mapping;
}

SharedMapping::SharedMapping(SharedMapping&& other) noexcept {
    *this = std::move(other);
}

SharedMapping& SharedMapping::operator=(SharedMapping&& other) noexcept {
    std::swap(file_, other.file_);
    std::swap(memory_, other.memory_);
    std::swap(bytes_, other.bytes_);
    std::swap(place_, other.place_);
    return *this;
}

SharedMapping::~SharedMapping() {
    if (memory_ != nullptr)
        ::munmap(memory_, bytes_);
}

std::uint8_t* SharedMapping::data() const {
    return memory_ + kIdentityPage;
}

std::size_t SharedMapping::bytes() const {
    return bytes_ - kIdentityPage;
}

SharedMapping share_mapping(Communicator& ranks, std::size_t bytes, const char* name) {
    SharedMapping mapping = ranks.rank() == 0 ? SharedMapping::create(bytes, name) : SharedMapping();
    const at::Tensor place = at::zeros({static_cast<std::int64_t>(SharedPlace().size())}, at::kLong);
    std::memcpy(place.data_ptr(), mapping.place().data(), sizeof(SharedPlace));
    ranks.broadcast(place, 0, "place of shared memory");
    if (ranks.rank() > 0) {
        SharedPlace of_first{};
        std::memcpy(of_first.data(), place.const_data_ptr(), sizeof(SharedPlace));
        mapping = SharedMapping::open(of_first, bytes);
    }
    const at::Tensor reached = at::full({1}, mapping ? 1.0 : 0.0);
    ranks.all_reduce(reached, "shared memory reached", ReduceOp::min).wait();
    return reached.item<float>() > 0 ? std::move(mapping) : SharedMapping();
}

}  // namespace trainyard::parallel
