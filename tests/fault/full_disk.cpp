// SPDX-License-Identifier: GPL-3.0-or-later
// Preloaded into real programs: a disk without space below $FULL_DISK_AT, as long as the file $FULL_DISK_WHILE exists (or always when
// that is not set). A real full file system needs root and a mount; this works for everybody and can be emptied again.

#include <cerrno>
#include <cstdlib>
#include <cstring>
#include <string>

#include <dlfcn.h>
#include <sys/statvfs.h>
#include <unistd.h>

namespace {

bool is_below(const char* path) {
    const char* root = std::getenv("FULL_DISK_AT");
    return root != nullptr && std::strncmp(path, root, std::strlen(root)) == 0;
}

bool is_full() {
    const char* file = std::getenv("FULL_DISK_WHILE");
    return file == nullptr || ::access(file, F_OK) == 0;
}

bool has_no_room(int fd) {
    if (std::getenv("FULL_DISK_AT") == nullptr)
        return false;
    char path[4096];
    ssize_t n = ::readlink(("/proc/self/fd/" + std::to_string(fd)).c_str(), path, sizeof path - 1);
    if (n <= 0)
        return false;
    path[n] = '\0';
    return is_below(path) && is_full();
}

template <typename Function>
Function real(const char* name) {
    return reinterpret_cast<Function>(::dlsym(RTLD_NEXT, name));
}

}  // namespace

extern "C" {

ssize_t write(int fd, const void* bytes, size_t count) {
    static auto original = real<ssize_t (*)(int, const void*, size_t)>("write");
    if (has_no_room(fd)) {
        errno = ENOSPC;
        return -1;
    }
    return original(fd, bytes, count);
}

int statvfs(const char* path, struct statvfs* disk) {
    static auto original = real<int (*)(const char*, struct statvfs*)>("statvfs");
    int result = original(path, disk);
    if (result == 0 && is_below(path) && is_full())
        disk->f_bavail = disk->f_bfree = 0;
    return result;
}
}
