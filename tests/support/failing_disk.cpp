// SPDX-License-Identifier: GPL-3.0-or-later
#include "support/failing_disk.h"

#include <atomic>
#include <cerrno>
#include <chrono>
#include <cstdio>
#include <deque>
#include <random>
#include <string>
#include <string_view>
#include <utility>

#include <dlfcn.h>
#include <sqlite3.h>
#include <sys/syscall.h>
#include <unistd.h>

namespace trainyard::test {

namespace {

std::atomic<const std::string*> failing_folder{nullptr};
std::atomic<int> failed_writes{0};
std::atomic<std::chrono::steady_clock::duration> begun{};  ///< of the clock

bool is_below(int file, std::string_view folder) {
    char link[32], path[4096];
    std::snprintf(link, sizeof link, "/proc/self/fd/%d", file);
    const ssize_t length = ::readlink(link, path, sizeof path);
    return length > 0 && std::string_view(path, static_cast<std::size_t>(length)).starts_with(folder);
}

bool fails_now(int file) {
    const std::string* folder = failing_folder.load();
    if (folder == nullptr || !is_below(file, *folder))
        return false;
    const std::chrono::steady_clock::duration passed =
        std::chrono::steady_clock::now().time_since_epoch() - begun.load();
    const auto slot = passed / std::chrono::milliseconds(5);  // the first one fails
    std::minstd_rand random(static_cast<unsigned>(slot));
    random.discard(3);
    if (slot > 0 && random() % 2 == 0)
        return false;
    ++failed_writes;
    errno = EIO;
    return true;
}

ssize_t write_or_fail(int file, const void* bytes, std::size_t count) {
    return fails_now(file) ? -1 : ::syscall(SYS_write, file, bytes, count);
}

ssize_t pwrite_or_fail(int file, const void* bytes, std::size_t count, off_t begin) {
    return fails_now(file) ? -1 : ::syscall(SYS_pwrite64, file, bytes, count, begin);
}

/// SQLite calls the system through a table.
void redirect_sqlite(bool fails) {
    void* library = ::dlopen("libsqlite3.so.0", RTLD_NOW | RTLD_LOCAL);
    const auto find = library == nullptr
                          ? nullptr
                          : reinterpret_cast<decltype(&::sqlite3_vfs_find)>(::dlsym(library, "sqlite3_vfs_find"));
    const auto initialise =
        library == nullptr ? nullptr
                           : reinterpret_cast<decltype(&::sqlite3_initialize)>(::dlsym(library, "sqlite3_initialize"));
    if (find == nullptr || initialise == nullptr || initialise() != SQLITE_OK)
        return;
    sqlite3_vfs* system = find(nullptr);
    for (const auto& [name, call] : {std::pair{"write", reinterpret_cast<sqlite3_syscall_ptr>(&write_or_fail)},
                                     {"pwrite", reinterpret_cast<sqlite3_syscall_ptr>(&pwrite_or_fail)},
                                     {"pwrite64", reinterpret_cast<sqlite3_syscall_ptr>(&pwrite_or_fail)}})
        if (system->xGetSystemCall(system, name) != nullptr)
            system->xSetSystemCall(system, name, fails ? call : nullptr);
}

}  // namespace

FailingDisk::FailingDisk(const std::filesystem::path& folder) {
    static std::deque<std::string> folders;  // other threads may still read an earlier one
    folders.push_back(std::filesystem::canonical(folder).string() + "/");
    failed_writes = 0;
    begun = std::chrono::steady_clock::now().time_since_epoch();
    redirect_sqlite(true);
    failing_folder = &folders.back();
}

FailingDisk::~FailingDisk() {
    failing_folder = nullptr;
    redirect_sqlite(false);
}

int FailingDisk::failed() const {
    return failed_writes;
}

}  // namespace trainyard::test

// Instead of those of the C library, for everything that is linked into this program.
extern "C" ssize_t write(int file, const void* bytes, std::size_t count) {
    return trainyard::test::write_or_fail(file, bytes, count);
}
extern "C" ssize_t pwrite(int file, const void* bytes, std::size_t count, off_t begin) {
    return trainyard::test::pwrite_or_fail(file, bytes, count, begin);
}
