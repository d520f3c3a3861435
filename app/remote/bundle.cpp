// SPDX-License-Identifier: GPL-3.0-or-later
#include "remote/bundle.h"

#include <algorithm>
#include <array>
#include <cstdlib>
#include <fstream>
#include <map>
#include <memory>
#include <set>

#include <fcntl.h>
#include <openssl/evp.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/error.h"
#include "base/fields.h"
#include "base/file.h"
#include "base/file_descriptor.h"
#include "base/random_hex.h"
#include "base/system_call.h"

namespace trainyard::remote {

namespace fs = std::filesystem;

fs::path cache_folder() {
    if (const char* folder = std::getenv("XDG_CACHE_HOME"); folder != nullptr && *folder != '\0')
        return fs::path(folder) / "trainyard";
    const char* home = std::getenv("HOME");
    return fs::path(home == nullptr ? "/" : home) / ".cache" / "trainyard";
}

namespace {

class Sha256 {
  public:
    Sha256() : context_(EVP_MD_CTX_new(), EVP_MD_CTX_free) {
        if (!context_ || EVP_DigestInit_ex(context_.get(), EVP_sha256(), nullptr) != 1)
            throw UserError("libcrypto cannot compute SHA-256 here");
    }
    void add(std::string_view bytes) { EVP_DigestUpdate(context_.get(), bytes.data(), bytes.size()); }
    std::string hex() {
        std::array<unsigned char, 32> digest{};
        EVP_DigestFinal_ex(context_.get(), digest.data(), nullptr);
        std::string text;
        for (unsigned char byte : digest) {
            text += "0123456789abcdef"[byte >> 4];
            text += "0123456789abcdef"[byte & 15];
        }
        return text;
    }

  private:
    std::unique_ptr<EVP_MD_CTX, void (*)(EVP_MD_CTX*)> context_;
};

std::string hash_file(const fs::path& file) {
    FileDescriptor descriptor(::open(file.c_str(), O_RDONLY | O_CLOEXEC));
    if (!descriptor)
        throw_file_error("cannot read", file, errno);
    Sha256 sum;
    std::string buffer(1 << 20, '\0');
    for (;;) {
        const ssize_t n = retry_interrupted([&] { return ::read(descriptor.get(), buffer.data(), buffer.size()); });
        if (n == 0)
            return sum.hex();
        if (n < 0)
            throw_file_error("cannot read", file, errno);
        sum.add({buffer.data(), static_cast<std::size_t>(n)});
    }
}

struct KnownHash {
    std::string mark;
    std::string sha256;

    void fields(auto& field) const { field("mark", mark)("sha256", sha256); }
};

/// Caches hashes by file, size, time and inode, so that half a gigabyte is not read at every launch.
class HashCache {
  public:
    HashCache() : file_(cache_folder() / "hashes.json") {
        try {
            std::error_code error;
            if (fs::exists(file_, error))
                known_ =
                    fields::from_json<Known>(fields::parse_object(read_file(file_), file_.string()), file_.string());
        } catch (const UserError&) {
            known_.clear();
        }
    }
    ~HashCache() {
        if (!changed_)
            return;
        try {
            make_private_folder(file_.parent_path());
            write_file_atomically(file_, fields::to_text(known_), false);
        } catch (const UserError&) {
            // Ignored: if the cache is not saved, the next launch only takes longer.
        }
    }
    HashCache(const HashCache&) = delete;
    HashCache& operator=(const HashCache&) = delete;

    void fill(BundleFile& file) {
        struct stat info {};
        if (::stat(file.source.c_str(), &info) != 0)
            throw_file_error("cannot read", file.source, errno);
        file.size = static_cast<std::uint64_t>(info.st_size);
        std::string mark = std::to_string(info.st_size) + '/' + std::to_string(info.st_mtim.tv_sec) + '.' +
                           std::to_string(info.st_mtim.tv_nsec) + '/' + std::to_string(info.st_ino);
        KnownHash& entry = known_[file.source.string()];
        if (entry.mark == mark && entry.sha256.size() == 64) {
            file.sha256 = entry.sha256;
            return;
        }
        file.sha256 = hash_file(file.source);
        entry = {mark, file.sha256};
        changed_ = true;
    }

  private:
    fs::path file_;
    using Known = std::map<std::string, KnownHash>;  // by file
    Known known_;
    bool changed_ = false;
};

/// Whether a library is part of glibc: those match the kernel and loader of the host and are never copied.
bool is_of_glibc(const std::string& library) {
    static const std::set<std::string> names{"libc",         "libm",       "libdl",        "libpthread",     "librt",
                                             "libutil",      "libresolv",  "libmvec",      "libanl",         "libnsl",
                                             "libnss_files", "libnss_dns", "libthread_db", "libBrokenLocale"};
    return library.starts_with("ld-linux") || library.starts_with("linux-vdso") ||
           names.contains(library.substr(0, library.find(".so")));
}

/// The folders that the dynamic loader searches besides run paths (ld.so(8)): those of ld.so.conf with its includes,
/// then the default folders.
std::vector<std::string> system_folders() {
    std::vector<std::string> folders;
    if (const char* path = std::getenv("LD_LIBRARY_PATH"))
        for (const fs::path& folder : [&] {
                 std::vector<fs::path> parts;
                 std::string text = path;
                 for (std::size_t start = 0; start <= text.size();) {
                     std::size_t end = std::min(text.find(':', start), text.size());
                     parts.emplace_back(text.substr(start, end - start));
                     start = end + 1;
                 }
                 return parts;
             }())
            if (folder.is_absolute())
                folders.push_back(folder.string());
    std::vector<fs::path> files{"/etc/ld.so.conf"};
    std::error_code error;
    for (fs::directory_iterator entry("/etc/ld.so.conf.d", error), end; !error && entry != end; entry.increment(error))
        files.push_back(entry->path());
    std::sort(files.begin() + 1, files.end());
    for (const fs::path& file : files) {
        std::ifstream in(file);
        for (std::string line; std::getline(in, line);)
            if (line.starts_with('/'))
                folders.push_back(line.substr(0, line.find_last_not_of(" \t\r") + 1));
    }
    for (const char* usual : {"/lib/x86_64-linux-gnu", "/usr/lib/x86_64-linux-gnu", "/lib/aarch64-linux-gnu",
                              "/usr/lib/aarch64-linux-gnu", "/lib64", "/usr/lib64", "/lib", "/usr/lib"})
        folders.emplace_back(usual);
    return folders;
}

/// Collects all libraries that a program and its plug-ins need.
class Closure {
  public:
    Closure() : system_(system_folders()) {}

    /// Returns the name of a library that was not found, or an empty string. `folders`: run paths of the files that
    /// need it, nearest first.
    std::string add(const fs::path& file, std::vector<std::string> folders, std::map<std::string, fs::path>& found) {
        ElfNeeds needs = read_elf_needs(file);
        if (machine.empty())
            machine = needs.machine;
        if (version_less(c_library, needs.c_library))
            c_library = needs.c_library;
        folders.insert(folders.begin(), needs.run_path.begin(), needs.run_path.end());
        for (const std::string& library : needs.libraries) {
            if (is_of_glibc(library) || found.contains(library))
                continue;
            fs::path place = find(library, folders, needs.machine);
            if (place.empty())
                return library;
            found[library] = place;
            if (std::string missing = add(place, folders, found); !missing.empty())
                return missing;
        }
        return {};
    }
    std::string machine;
    std::string c_library;

  private:
    fs::path find(const std::string& library, const std::vector<std::string>& folders, const std::string& for_machine) {
        for (const std::vector<std::string>* list : {&folders, static_cast<const std::vector<std::string>*>(&system_)})
            for (const std::string& folder : *list) {
                fs::path place = fs::path(folder) / library;
                std::error_code error;
                if (!fs::is_regular_file(place, error))
                    continue;
                try {
                    if (read_elf_needs(place).machine == for_machine)
                        return fs::canonical(place);
                } catch (const UserError&) {
                    // Skip linker scripts and files of another word size, as the dynamic loader does.
                }
            }
        return {};
    }
    std::vector<std::string> system_;
};

void finish(Bundle& bundle) {
    HashCache cache;
    for (BundleFile& file : bundle.files)
        cache.fill(file);
    std::ranges::sort(bundle.files, {}, &BundleFile::path);
    Sha256 sum;
    for (const BundleFile& file : bundle.files)
        sum.add(file.sha256 + ' ' + file.path + '\n');
    bundle.hash = sum.hex();
}

}  // namespace

std::string client_name() {
    fs::path file = cache_folder() / "client";
    std::error_code error;
    if (fs::exists(file, error)) {
        std::string name = read_file(file, 100);
        if (name.size() == 16 && name.find_first_not_of("0123456789abcdef") == std::string::npos)
            return name;
    }
    std::string name = random_hex(16);
    make_private_folder(file.parent_path());
    write_file_atomically(file, name, false);
    return name;
}

std::uint64_t Bundle::size() const {
    std::uint64_t total = 0;
    for (const BundleFile& file : files)
        total += file.size;
    return total;
}

Bundle bundle_of(std::vector<BundleFile> files) {
    Bundle bundle;
    bundle.files = std::move(files);
    finish(bundle);
    return bundle;
}

Bundle this_bundle(const fs::path& bin, bool with_cuda) {
    std::error_code error;
    fs::path folder = bin.empty() ? fs::read_symlink("/proc/self/exe", error).parent_path() : bin;
    Bundle bundle;
    Closure closure;
    std::map<std::string, fs::path> libraries;
    for (const char* program : {"trainyard", "trainyard-worker"}) {
        fs::path file = folder / program;
        if (!fs::exists(file, error))
            throw UserError("{} is not there: hosts need it beside this program", file.string());
        if (std::string missing = closure.add(file, {}, libraries); !missing.empty())
            throw UserError("{} needs {}, which is not on this machine", file.string(), missing);
        bundle.files.push_back({file, std::string("bin/") + program, 0, ""});
    }
    for (const char* plug_in : {"libtrainyard_arrow.so", "libtrainyard_nccl.so"}) {
        fs::path file = folder / plug_in;
        if (!fs::exists(file, error) || (!with_cuda && file.filename() == "libtrainyard_nccl.so"))
            continue;
        std::map<std::string, fs::path> with = libraries;
        if (std::string missing = closure.add(file, {}, with); !missing.empty()) {
            bundle.left_out.push_back(
                Message("{} needs {}, which is not on this machine: it is not copied to hosts", plug_in, missing));
            continue;
        }
        libraries = std::move(with);
        bundle.files.push_back({file, std::string("bin/") + plug_in, 0, ""});
    }
    for (const auto& [name, place] : libraries)
        bundle.files.push_back({place, "lib/" + name, 0, ""});
    bundle.machine = closure.machine;
    bundle.c_library = closure.c_library;
    finish(bundle);
    return bundle;
}

}  // namespace trainyard::remote
