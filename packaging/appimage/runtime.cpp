// SPDX-License-Identifier: GPL-3.0-or-later
// The launcher of an AppImage (type 2: https://github.com/AppImage/AppImageSpec/blob/master/draft.md): a static program
// followed by a squashfs image. It mounts the image with FUSE, or unpacks it once if FUSE is not available, and
// executes the AppRun of the image.
//
//   --appimage-extract       unpacks the image into squashfs-root
//   --appimage-mount         mounts it until the end of standard input, and prints where
//   --appimage-offset        prints the image's offset in bytes
//   APPIMAGE_EXTRACT_AND_RUN=1   unpacks even if FUSE is available
//
// A run continues after the window was closed and still needs its files. The mount is therefore only released when no
// process uses it any more, and never detached lazily.
// The runtime of https://github.com/AppImage/type2-runtime is not used: it stops serving the image as soon as the
// started program has closed a pipe that it inherits, even if a detached run still uses the image (issue 92 there), and
// no package index has its program.

#define FUSE_USE_VERSION 32
#define _FILE_OFFSET_BITS 64

#include <cerrno>
#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <string>
#include <thread>
#include <vector>

#include <elf.h>
#include <fcntl.h>
#include <sys/mount.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

extern "C" {
#include <squashfuse/ll.h>
#include <squashfuse/squashfuse.h>
}

namespace {

[[noreturn]] void die(const std::string& sentence) {
    std::fprintf(stderr, "AppImage: %s\n", sentence.c_str());
    std::_Exit(127);
}

std::string reason() {
    return std::strerror(errno);
}

std::string own_path() {
    std::vector<char> path(PATH_MAX);
    const ssize_t length = ::readlink("/proc/self/exe", path.data(), path.size());
    if (length <= 0)
        die("/proc/self/exe cannot be read: " + reason());
    return {path.data(), static_cast<std::size_t>(length)};
}

/// The end of the ELF file: section headers are the last part that a linker writes.
std::size_t image_offset(const std::string& path) {
    const int file = ::open(path.c_str(), O_RDONLY | O_CLOEXEC);
    Elf64_Ehdr header{};
    if (file < 0 || ::read(file, &header, sizeof header) != static_cast<ssize_t>(sizeof header))
        die(path + " cannot be read: " + reason());
    ::close(file);
    return header.e_shoff + static_cast<std::size_t>(header.e_shentsize) * header.e_shnum;
}

std::string variable(const char* name, const std::string& otherwise) {
    const char* value = std::getenv(name);
    return value != nullptr && *value != '\0' ? value : otherwise;
}

/// Unpacks the files of the image into `target`, which exists. Files belong to the caller; modes are kept.
void unpack(const std::string& path, std::size_t offset, const std::string& target) {
    sqfs image{};
    if (sqfs_open_image(&image, path.c_str(), offset) != SQFS_OK)
        die(path + " holds no squashfs image at byte " + std::to_string(offset));
    sqfs_traverse walk{};
    if (sqfs_traverse_open(&walk, &image, sqfs_inode_root(&image)) != SQFS_OK)
        die("the image in " + path + " is damaged");
    std::vector<char> buffer(1 << 20);
    sqfs_err error = SQFS_OK;
    while (sqfs_traverse_next(&walk, &error)) {
        if (walk.dir_end)
            continue;
        sqfs_inode inode{};
        if (sqfs_inode_get(&image, &inode, walk.entry.inode) != SQFS_OK)
            die("the image in " + path + " is damaged at " + walk.path);
        const std::string place = target + '/' + walk.path;
        const mode_t mode = inode.base.mode;
        if (S_ISDIR(mode)) {
            if (::mkdir(place.c_str(), 0755) != 0)
                die("cannot make " + place + ": " + reason());
        } else if (S_ISLNK(mode)) {
            std::size_t size = buffer.size();
            if (sqfs_readlink(&image, &inode, buffer.data(), &size) != SQFS_OK ||
                ::symlink(buffer.data(), place.c_str()) != 0)
                die("cannot make the link " + place + ": " + reason());
        } else if (S_ISREG(mode)) {
            const int out = ::open(place.c_str(), O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, mode & 0777);
            if (out < 0)
                die("cannot make " + place + ": " + reason());
            for (sqfs_off_t at = 0; at < static_cast<sqfs_off_t>(inode.xtra.reg.file_size);) {
                auto size = static_cast<sqfs_off_t>(buffer.size());
                if (sqfs_read_range(&image, &inode, at, &size, buffer.data()) != SQFS_OK || size <= 0)
                    die("the image in " + path + " is damaged at " + walk.path);
                for (sqfs_off_t done = 0; done < size;) {
                    const ssize_t n = ::write(out, buffer.data() + done, static_cast<std::size_t>(size - done));
                    if (n < 0 && errno != EINTR)
                        die("cannot write " + place + ": " + reason());
                    done += n > 0 ? n : 0;
                }
                at += size;
            }
            if (::close(out) != 0)
                die("cannot write " + place + ": " + reason());
        }
    }
    if (error != SQFS_OK)
        die("the image in " + path + " is damaged");
    sqfs_traverse_close(&walk);
    sqfs_fd_close(image.fd);
    sqfs_destroy(&image);
}

void make_folders(const std::string& path) {
    for (std::size_t slash = path.find('/', 1);; slash = path.find('/', slash + 1)) {
        const std::string part = path.substr(0, slash);
        if (::mkdir(part.c_str(), 0700) != 0 && errno != EEXIST)
            die("cannot make " + part + ": " + reason());
        if (slash == std::string::npos)
            return;
    }
}

/// Returns the folder of the unpacked image in the cache, shared by later starts. It is created by rename, always
/// complete.
std::string unpacked(const std::string& path, std::size_t offset) {
    struct stat info {};
    if (::stat(path.c_str(), &info) != 0)
        die(path + " cannot be read: " + reason());
    const std::string folder = variable("XDG_CACHE_HOME", variable("HOME", "/tmp") + "/.cache") + "/trainyard/appimage";
    const std::string target = folder + '/' + std::to_string(info.st_size) + '-' + std::to_string(info.st_mtim.tv_sec);
    if (::access((target + "/AppRun").c_str(), X_OK) == 0)
        return target;
    make_folders(folder);
    std::string part = target + ".XXXXXX";
    if (::mkdtemp(part.data()) == nullptr)
        die("cannot make a folder in " + folder + ": " + reason());
    std::fprintf(stderr, "AppImage: unpacking into %s (once)\n", target.c_str());
    unpack(path, offset, part);
    if (::rename(part.c_str(), target.c_str()) != 0 && ::access((target + "/AppRun").c_str(), X_OK) != 0)
        die("cannot rename " + part + " to " + target + ": " + reason());
    return target;
}

/// Tries to unmount. Returns false while a process has a file of the image open or mapped.
bool unmounted(const std::string& place) {
    if (::geteuid() == 0)
        return ::umount2(place.c_str(), 0) == 0 || errno == EINVAL;
    const pid_t child = ::fork();
    if (child == 0) {
        const int nothing = ::open("/dev/null", O_RDWR);
        ::dup2(nothing, STDERR_FILENO);
        ::execlp("fusermount3", "fusermount3", "-u", "-q", place.c_str(), nullptr);
        ::execlp("fusermount", "fusermount", "-u", "-q", place.c_str(), nullptr);
        ::_exit(127);
    }
    int status = 0;
    while (::waitpid(child, &status, 0) < 0 && errno == EINTR) {
    }
    return WIFEXITED(status) && WEXITSTATUS(status) == 0;
}

/// Serves the image until `alive` ends and no process uses it. Writes one byte to `ready` when it is mounted, none on
/// failure.
[[noreturn]] void serve(const std::string& path, std::size_t offset, const std::string& place, int ready, int alive) {
    ::setsid();  // an interrupt at the terminal is for the program that uses the files
    if (::getenv("APPIMAGE_DEBUG") == nullptr) {
        const int nothing = ::open("/dev/null", O_RDWR);
        for (int standard : {STDIN_FILENO, STDOUT_FILENO, STDERR_FILENO})
            ::dup2(nothing, standard);
    }
    fuse_lowlevel_ops operations{};
    operations.getattr = sqfs_ll_op_getattr;
    operations.opendir = sqfs_ll_op_opendir;
    operations.releasedir = sqfs_ll_op_releasedir;
    operations.readdir = sqfs_ll_op_readdir;
    operations.lookup = sqfs_ll_op_lookup;
    operations.open = sqfs_ll_op_open;
    operations.create = sqfs_ll_op_create;
    operations.release = sqfs_ll_op_release;
    operations.read = sqfs_ll_op_read;
    operations.readlink = sqfs_ll_op_readlink;
    operations.forget = sqfs_ll_op_forget;
    operations.statfs = stfs_ll_op_statfs;

    sqfs_ll* image = sqfs_ll_open(path.c_str(), offset);
    char name[] = "trainyard", read_only[] = "-oro,nosuid,nodev,subtype=squashfuse";
    char* words[] = {name, read_only, nullptr};
    fuse_args arguments = FUSE_ARGS_INIT(2, words);
    sqfs_ll_chan channel{};
    if (image == nullptr ||
        sqfs_ll_mount(&channel, place.c_str(), &arguments, &operations, sizeof operations, image) != SQFS_OK)
        ::_exit(1);
    if (::write(ready, "", 1) != 1)
        ::_exit(1);
    ::close(ready);
    std::thread watcher([&] {
        char byte = 0;
        while (::read(alive, &byte, 1) > 0 || errno == EINTR) {
        }
        while (!unmounted(place))
            std::this_thread::sleep_for(std::chrono::seconds(1));
        ::rmdir(place.c_str());
        ::_exit(0);
    });
    fuse_session_loop(channel.session);
    watcher.join();
    ::_exit(0);
}

/// Mounts the image and returns the path; empty if FUSE is not available. The mount lives as long as this process, or
/// the program that it executes.
std::string mounted(const std::string& path, std::size_t offset) {
    if (!variable("APPIMAGE_EXTRACT_AND_RUN", "").empty())
        return {};
    std::string place = variable("TMPDIR", "/tmp") + "/.mount_trainyard_XXXXXX";
    if (::access("/dev/fuse", R_OK | W_OK) != 0 || ::mkdtemp(place.data()) == nullptr)
        return {};
    int ready[2], alive[2];
    if (::pipe2(ready, O_CLOEXEC) != 0 || ::pipe(alive) != 0)
        die("cannot make a pipe: " + reason());
    const pid_t child = ::fork();
    if (child < 0)
        die("cannot start a process: " + reason());
    if (child == 0) {
        ::close(ready[0]);
        ::close(alive[1]);
        if (::fork() != 0)  // a grandchild, so that the program has no unknown child process
            ::_exit(0);
        serve(path, offset, place, ready[1], alive[0]);
    }
    ::close(ready[1]);
    ::close(alive[0]);  // the program inherits the other end, which shows that it is alive
    int status = 0;
    ::waitpid(child, &status, 0);
    char byte = 0;
    const bool there = ::read(ready[0], &byte, 1) == 1;
    ::close(ready[0]);
    if (!there) {
        ::rmdir(place.c_str());
        ::close(alive[1]);
        return {};
    }
    return place;
}

}  // namespace

int main(int argc, char** argv) {
    const std::string path = own_path();
    const std::size_t offset = image_offset(path);
    const std::string first = argc > 1 ? argv[1] : "";
    if (first == "--appimage-offset")
        return std::printf("%zu\n", offset) < 0;
    if (first == "--appimage-extract") {
        if (::mkdir("squashfs-root", 0755) != 0)
            die("cannot make the folder squashfs-root here: " + reason());
        unpack(path, offset, "squashfs-root");
        return 0;
    }
    std::string place = mounted(path, offset);
    if (first == "--appimage-mount") {
        if (place.empty())
            die("FUSE is not to be had here (/dev/fuse, fusermount3): use --appimage-extract");
        std::printf("%s\n", place.c_str());
        std::fflush(stdout);
        while (std::getchar() != EOF) {
        }
        return 0;
    }
    if (place.empty())
        place = unpacked(path, offset);
    ::setenv("APPIMAGE", path.c_str(), 1);
    ::setenv("APPDIR", place.c_str(), 1);
    ::setenv("ARGV0", argv[0], 1);
    std::vector<char> here(PATH_MAX);
    if (::getcwd(here.data(), here.size()) != nullptr)
        ::setenv("OWD", here.data(), 1);
    const std::string program = place + "/AppRun";
    argv[0] = const_cast<char*>(program.c_str());
    ::execv(program.c_str(), argv);
    die("cannot start " + program + ": " + reason());
}
