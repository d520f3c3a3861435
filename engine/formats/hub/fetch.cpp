// SPDX-License-Identifier: GPL-3.0-or-later
#include "formats/hub/fetch.h"

#include <algorithm>
#include <cerrno>
#include <fstream>
#include <memory>
#include <set>
#include <sstream>

#include <fcntl.h>
#include <fmt/format.h>
#include <nlohmann/json.hpp>
#include <openssl/evp.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <sys/statvfs.h>
#include <sys/sysmacros.h>
#include <unistd.h>

#include "base/clock.h"
#include "base/error.h"
#include "base/file.h"
#include "base/file_descriptor.h"
#include "base/file_mode.h"
#include "base/files/user_folders.h"
#include "base/hex.h"
#include "base/json.h"
#include "base/json_writer.h"
#include "base/printable.h"
#include "base/system_call.h"
#include "base/text.h"
#include "formats/hub/hub_client.h"
#include "formats/hub/hub_settings.h"

namespace trainyard::hub {

namespace {

constexpr std::uint64_t kLargestText = 256u << 20;
constexpr std::size_t kMostModelShards = 1000;
constexpr int kLockPatience = 6;  ///< download time-outs that another process may take without a byte

// Names of the files of a commit, which never change: this program's own record, since a snapshot has only those that
// were downloaded.
fs::path listing_file(const RepoName& repo, const std::string& commit) {
    const fs::path folder = files::cache_folder();
    return folder.empty() ? folder : folder / "hub" / (folder_name(repo) + "--" + commit + ".json");
}

std::vector<std::string> recorded_listing(const RepoName& repo, const std::string& commit) {
    std::vector<std::string> names;
    std::error_code error;
    const fs::path file = listing_file(repo, commit);
    if (file.empty() || !fs::is_regular_file(file, error))
        return names;
    const nlohmann::json json = read_json(read_file(file, kLargestText));
    if (json.is_array())
        for (const nlohmann::json& name : json)
            if (name.is_string())
                names.push_back(name.get<std::string>());
    return names;
}

void record_listing(const RepoName& repo, const Listing& listing) {
    const fs::path file = listing_file(repo, listing.commit);
    if (file.empty())
        return;
    try {
        make_private_folder(file.parent_path());
        write_file_atomically(file, json_text(nlohmann::json(listing.files)), false);
    } catch (const UserError&) {
        return;  // the next start asks the hub
    }
}

/// Hash of a content as the hub names it: SHA-256, or SHA-1 with git's head.
class ContentHash {
  public:
    explicit ContentHash(const RemoteFile& file) : expected_(file.etag) {
        const bool hexadecimal = expected_.find_first_not_of("0123456789abcdef") == expected_.npos;
        if (hexadecimal && (expected_.size() == 64 || expected_.size() == 40)) {
            context_.reset(::EVP_MD_CTX_new());
            ::EVP_DigestInit_ex(context_.get(), expected_.size() == 64 ? ::EVP_sha256() : ::EVP_sha1(), nullptr);
        }
        if (expected_.size() == 40)
            add(fmt::format("blob {}", file.bytes) + '\0');
    }
    void add(std::string_view bytes) {
        if (context_)
            ::EVP_DigestUpdate(context_.get(), bytes.data(), bytes.size());
    }
    /// The hash; the expected one where the hub names contents in another way.
    std::string digest() {
        if (!context_)
            return expected_;
        unsigned char bytes[EVP_MAX_MD_SIZE];
        unsigned size = 0;
        ::EVP_DigestFinal_ex(context_.get(), bytes, &size);
        return to_hex({reinterpret_cast<const char*>(bytes), size});
    }

  private:
    struct Free {
        void operator()(EVP_MD_CTX* context) const { ::EVP_MD_CTX_free(context); }
    };
    std::string expected_;
    std::unique_ptr<EVP_MD_CTX, Free> context_;
};

/// The process that holds a lock of flock(2), as the kernel lists it.
Message lock_holder(int file) {
    struct stat info {};
    if (::fstat(file, &info) != 0)
        return "another process";
    const std::string lock = fmt::format("{:02x}:{:02x}:{}", major(info.st_dev), minor(info.st_dev),
                                         static_cast<std::uint64_t>(info.st_ino));
    std::ifstream locks("/proc/locks");
    std::string number, kind, mode, access, place;
    long pid = 0;
    for (std::string line; std::getline(locks, line);)
        if (std::istringstream words(line);
            words >> number >> kind >> mode >> access >> pid >> place && kind == "FLOCK" && place == lock && pid > 0) {
            std::string name;
            std::getline(std::ifstream(fmt::format("/proc/{}/comm", pid)), name);
            return Message("process {} ({})", pid, text::printable(name));
        }
    return "another process";  // of another machine or container
}

class Download {
  public:
    Download(const RepoName& repo, const FetchOptions& options)
        : repo_(repo),
          options_(options),
          folder_(repo_folder(repo)),
          client_(repo, options.stop, [this](const Message& note) { report(note); }) {
        progress_.name = repo.text();
    }

    HubClient& client() { return client_; }
    std::uint64_t bytes() const { return progress_.bytes; }

    /// Downloads what is missing. `commit` is that of `listing`. `asks`: calls FetchOptions::confirm before.
    void bring(const std::string& commit, const std::vector<std::string>& names, bool asks = false) {
        struct Missing {
            std::string name;
            RemoteFile file;
        };
        std::vector<Missing> missing;
        std::uint64_t needed = 0;
        for (const std::string& name : names) {
            std::error_code error;
            if (fs::exists(snapshot(commit) / name, error))
                continue;
            missing.push_back({name, client_.describe(commit, name)});
            const RemoteFile& file = missing.back().file;
            if (!has_content(file)) {
                progress_.of += file.bytes;
                progress_.files += 1;
                needed += file.bytes - std::min(file.bytes, size_of(incomplete(file)));
            }
        }
        if (missing.empty())
            return;
        const std::optional<std::uint64_t> room = check_room(needed);
        if (asks && options_.confirm && !options_.confirm({repo_.text(), missing.size(), needed, room}))
            throw DeclinedError("the download of {} was cancelled", repo_.name);
        for (const Missing& each : missing)
            bring_one(commit, each.name, each.file);
    }

    void write_reference(const std::string& commit) {
        if (commit == repo_.revision)
            return;
        const fs::path file = folder_ / "refs" / repo_.revision;
        make_folder(file.parent_path());
        write_file_atomically(file, commit, false, kUserFileMode);
    }

  private:
    fs::path snapshot(const std::string& commit) const { return folder_ / "snapshots" / commit; }
    fs::path content(const RemoteFile& file) const { return folder_ / "blobs" / file.etag; }
    fs::path incomplete(const RemoteFile& file) const { return content(file).string() + ".incomplete"; }

    static std::uint64_t size_of(const fs::path& path) {
        std::error_code error;
        const std::uint64_t size = fs::file_size(path, error);
        return error ? 0 : size;
    }
    bool has_content(const RemoteFile& file) const {
        std::error_code error;
        return fs::is_regular_file(content(file), error) && size_of(content(file)) == file.bytes;
    }
    static void make_folder(const fs::path& folder) {
        std::error_code error;
        fs::create_directories(folder, error);
        if (error)
            throw UserError(
                "the cache of the hub cannot be written: {}: {}: choose another place with HF_HOME or "
                "HF_HUB_CACHE",
                folder.string(), system_message(error.value()));
    }

    void report(const Message& note = {}) {
        if (!options_.report)
            return;
        progress_.note = note;
        options_.report(progress_);
    }

    /// Returns the free bytes of the disk, if it says them.
    std::optional<std::uint64_t> check_room(std::uint64_t needed) const {
        make_folder(folder_ / "blobs");
        struct statvfs disk {};
        if (::statvfs(folder_.c_str(), &disk) != 0 || disk.f_blocks == 0)
            return std::nullopt;
        const std::uint64_t room = static_cast<std::uint64_t>(disk.f_bavail) * disk.f_frsize;
        if (room < needed)
            throw UserError(
                "{} needs {}, and the disk of {} has {} free: make room, or choose another place with HF_HOME "
                "or HF_HUB_CACHE",
                repo_.name, text::file_size(needed), folder_.string(), text::file_size(room));
        return room;
    }

    /// Bytes of a content that are here: huggingface_hub may put a word before ".incomplete".
    std::uint64_t arrived(const RemoteFile& file) const {
        std::uint64_t bytes = 0;
        std::error_code error;
        for (const fs::directory_entry& entry : fs::directory_iterator(folder_ / "blobs", error))
            if (entry.path().filename().string().starts_with(file.etag))
                bytes += size_of(entry.path());
        return bytes;
    }

    /// Held by the one process that downloads a content. Without locks on the file system every process downloads it.
    /// Waits as long as bytes arrive there.
    FileDescriptor lock_of(const RemoteFile& file, const std::string& name) {
        const fs::path path = cache_root() / ".locks" / folder_name(repo_) / (file.etag + ".lock");
        make_folder(path.parent_path());
        FileDescriptor lock(::open(path.c_str(), O_RDWR | O_CREAT | O_CLOEXEC, 0666));
        if (!lock)
            throw_file_error("cannot open", path, errno);
        const double patience = kLockPatience * static_cast<double>(download_timeout());
        bool said = false;
        std::uint64_t bytes = 0;
        for (double since = 0; ::flock(lock.get(), LOCK_EX | LOCK_NB) != 0; ::usleep(50'000)) {
            if (errno != EWOULDBLOCK && errno != EINTR)
                break;
            const double now = monotonic_seconds();
            if (!said)
                report(Message("{} downloads {}: waiting for it", lock_holder(lock.get()), name));
            if (const std::uint64_t here = arrived(file); !said || here != bytes) {
                bytes = here;
                since = now;
            }
            said = true;
            if (options_.stop.stop_requested())
                throw UserError("the download of {} was cancelled: the next one continues it", repo_.name);
            if (now - since > patience)
                throw UserError(
                    "{} downloads {} of {}, but nothing has arrived for {}: end that process and start again, which "
                    "continues the download ({})",
                    lock_holder(lock.get()), name, repo_.name, text::duration(patience), path.string());
        }
        return lock;
    }

    void bring_one(const std::string& commit, const std::string& name, const RemoteFile& file) {
        progress_.file = name;
        const std::uint64_t before = progress_.bytes;
        const bool was_there = has_content(file);
        const FileDescriptor lock = lock_of(file, name);
        if (!has_content(file)) {
            make_folder(content(file).parent_path());
            std::string hash = download(commit, name, file);
            if (hash != file.etag) {  // of what an earlier start left, perhaps
                report(Message("{} arrived with a wrong hash: downloading it once more", name));
                progress_.bytes = before;
                hash = download(commit, name, file);
            }
            if (hash != file.etag)
                throw UserError(
                    "{} of {} arrived with the hash {} instead of {}: a proxy or the disk changes it, or the hub "
                    "is at fault; nothing of it was stored",
                    name, repo_.name, hash, file.etag);
            if (::rename(incomplete(file).c_str(), content(file).c_str()) != 0)
                throw_file_error("cannot rename", incomplete(file), errno);
        } else if (!was_there) {
            progress_.bytes = before + file.bytes;  // another process has brought it
        }
        link(commit, name, file);
        report();
    }

    /// Returns the hash; the content is in incomplete(), which is removed if the hash is wrong.
    std::string download(const std::string& commit, const std::string& name, const RemoteFile& file) {
        const fs::path path = incomplete(file);
        const FileDescriptor out(::open(path.c_str(), O_RDWR | O_CREAT | O_CLOEXEC | O_NOFOLLOW, kUserFileMode));
        if (!out)
            throw_file_error("cannot open", path, errno);
        struct stat info {};
        if (::fstat(out.get(), &info) != 0)
            throw_file_error("cannot read", path, errno);
        std::uint64_t at = static_cast<std::uint64_t>(info.st_size);
        if (at > file.bytes)
            at = 0;
        if (at == 0 && ::ftruncate(out.get(), 0) != 0)
            throw_file_error("cannot write", path, errno);
        ContentHash hash(file);
        std::string piece(1u << 20, '\0');
        for (std::uint64_t read = 0; read < at;) {
            const ssize_t n = read_all_at(
                out.get(),
                std::as_writable_bytes(std::span(piece.data(), std::min<std::uint64_t>(piece.size(), at - read))),
                read);
            if (n <= 0)
                throw_file_error("cannot read", path, errno);
            hash.add({piece.data(), static_cast<std::size_t>(n)});
            read += static_cast<std::uint64_t>(n);
        }
        progress_.bytes += at;
        report();
        if (at < file.bytes)
            client_.read(commit, name, at, file.bytes, [&](std::string_view bytes) {
                if (!write_all_at(out.get(), bytes, at))
                    throw_file_error("cannot write", path, errno);
                hash.add(bytes);
                at += bytes.size();
                progress_.bytes += bytes.size();
                report();
            });
        const std::string digest = hash.digest();
        if (digest != file.etag)
            ::unlink(path.c_str());
        else if (retry_interrupted([&] { return ::fdatasync(out.get()); }) != 0)
            throw_file_error("cannot write", path, errno);
        return digest;
    }

    /// A relative link, or the content itself where the file system has no links.
    void link(const std::string& commit, const std::string& name, const RemoteFile& file) {
        const fs::path place = snapshot(commit) / name;
        make_folder(place.parent_path());
        const fs::path target = content(file).lexically_relative(place.parent_path());
        const fs::path temporary = fmt::format("{}.{}", place.string(), ::getpid());
        ::unlink(temporary.c_str());
        if (::symlink(target.c_str(), temporary.c_str()) == 0) {
            if (::rename(temporary.c_str(), place.c_str()) != 0)
                throw_file_error("cannot write", place, errno);
            return;
        }
        if (::rename(content(file).c_str(), place.c_str()) != 0)
            throw_file_error("cannot write", place, errno);
    }

    const RepoName& repo_;
    const FetchOptions& options_;
    fs::path folder_;
    FetchProgress progress_;
    HubClient client_;
};

class FilesHere : public RepoFiles {
  public:
    explicit FilesHere(fs::path snapshot) : snapshot_(std::move(snapshot)) {}
    bool is_here(const std::string& file) const override {
        std::error_code error;
        return fs::is_regular_file(snapshot_ / file, error);
    }
    std::optional<std::string> text(const std::string& file) override {
        return is_here(file) ? std::optional(read_file(snapshot_ / file, kLargestText)) : std::nullopt;
    }

  private:
    fs::path snapshot_;
};

/// Downloads the files whose text is asked for.
class FilesOfHub : public FilesHere {
  public:
    FilesOfHub(fs::path snapshot, Download& download, std::string commit)
        : FilesHere(std::move(snapshot)), download_(download), commit_(std::move(commit)) {}
    std::optional<std::string> text(const std::string& file) override {
        download_.bring(commit_, {file});
        return FilesHere::text(file);
    }

  private:
    Download& download_;
    std::string commit_;
};

bool are_there(const fs::path& snapshot, const std::vector<std::string>& names) {
    std::error_code error;
    return std::ranges::all_of(names, [&](const std::string& name) { return fs::exists(snapshot / name, error); });
}

/// What a commit has in the cache, chosen from `names`. Nothing if a file is missing.
std::optional<Fetched> choose_here(const RepoName& repo, const std::string& commit,
                                   const std::vector<std::string>& names, const ChooseFiles& choose) {
    const fs::path snapshot = snapshot_folder(repo, commit);
    if (names.empty())
        return std::nullopt;
    FilesHere files(snapshot);
    std::vector<std::string> chosen = choose(names, files);
    if (chosen.empty() || !are_there(snapshot, chosen))
        return std::nullopt;
    return Fetched{snapshot, std::move(chosen), commit, 0};
}

/// The same from all files that the commit has, where they are known.
std::optional<Fetched> choose_with_listing(const RepoName& repo, const std::string& commit, const ChooseFiles& choose) {
    try {
        return choose_here(repo, commit, recorded_listing(repo, commit), choose);
    } catch (const UnusableError&) {
        return std::nullopt;  // said by the hub, or of an older commit
    }
}

/// The same from the files that are there: of a cache that another program filled.
std::optional<Fetched> choose_without_listing(const RepoName& repo, const std::string& commit,
                                              const ChooseFiles& choose) {
    try {
        return choose_here(repo, commit, files_of_snapshot(snapshot_folder(repo, commit)), choose);
    } catch (const UnusableError&) {
        return std::nullopt;  // the weights are not among them
    }
}

bool is_weights_shard(const std::string& name) {
    return name.find('/') == name.npos && (name.ends_with(".safetensors") || name.ends_with(".bin"));
}

/// The index and its shards. Only the index as long as its text is not here.
std::vector<std::string> shards_of(const std::string& index, const std::set<std::string>& files, RepoFiles& repo) {
    std::set<std::string> names{index};
    const std::optional<std::string> content = repo.text(index);
    if (!content)
        return {index};
    const nlohmann::json json = read_json(*content);
    if (json.is_object() && json.contains("weight_map") && json["weight_map"].is_object())
        for (const auto& [tensor, shard] : json["weight_map"].items()) {
            const std::string name = shard.is_string() ? shard.get<std::string>() : std::string();
            if (!is_weights_shard(name) || !files.contains(name))
                throw UnusableError("it does not have {}, which {} names", name.empty() ? "?" : name, index);
            names.insert(name);
        }
    if (names.size() < 2 || names.size() > kMostModelShards)
        throw UnusableError("it has {} that names no files of weights, or more than {}", index, kMostModelShards);
    return {names.begin(), names.end()};
}

}  // namespace

ChooseFiles files_of_model(bool pickles) {
    return [pickles](const std::vector<std::string>& names, RepoFiles& repo) {
        const std::set<std::string> files(names.begin(), names.end());
        // Those that were downloaded on request once are used.
        const auto has_pickles = [&](const char* name) {
            return files.contains(name) && (pickles || repo.is_here(name));
        };
        std::vector<std::string> chosen;
        if (files.contains("model.safetensors"))
            chosen = {"model.safetensors"};
        else if (files.contains("model.safetensors.index.json"))
            chosen = shards_of("model.safetensors.index.json", files, repo);
        else if (files.contains("adapter_model.safetensors"))
            chosen = {"adapter_model.safetensors"};
        else if (has_pickles("pytorch_model.bin"))
            chosen = {"pytorch_model.bin"};
        else if (has_pickles("pytorch_model.bin.index.json"))
            chosen = shards_of("pytorch_model.bin.index.json", files, repo);
        else if (files.contains("pytorch_model.bin") || files.contains("pytorch_model.bin.index.json"))
            throw UnusableError(
                "it has weights in pickle files (pytorch_model.bin) only, which are downloaded on request alone, "
                "because "
                "other programs execute code that they contain: trainyard download --bin NAME");
        else
            throw UnusableError(
                "it does not have weights in safetensors (model.safetensors or an index of its shards)");
        static const std::set<std::string> beside{"config.json",
                                                  "generation_config.json",
                                                  "preprocessor_config.json",
                                                  "tokenizer.json",
                                                  "tokenizer_config.json",
                                                  "tokenizer.model",
                                                  "added_tokens.json",
                                                  "special_tokens_map.json",
                                                  "vocab.json",
                                                  "vocab.txt",
                                                  "merges.txt",
                                                  "spiece.model",
                                                  "chat_template.jinja",
                                                  "modules.json",
                                                  "config_sentence_transformers.json",
                                                  "sentence_bert_config.json",
                                                  "adapter_config.json"};
        for (const std::string& name : names) {
            const std::size_t slash = name.find('/');
            const bool of_module = slash != name.npos && slash > 1 && name[1] == '_' && std::isdigit(name[0]) != 0 &&
                                   name.substr(slash) == "/config.json";
            if (beside.contains(name) || of_module)
                chosen.push_back(name);
        }
        return chosen;
    };
}

Message not_in_cache(const RepoName& repo) {
    return Message("{} is not in the cache of the hub on this machine ({}): download it with `trainyard download {}{}`",
                   repo.text(), repo_folder(repo).string(), repo.kind == RepoKind::dataset ? "--dataset " : "",
                   repo.text());
}

std::optional<Fetched> find_fetched(const RepoName& repo, const ChooseFiles& choose) {
    const std::optional<std::string> commit = cached_commit(repo);
    if (!commit)
        return std::nullopt;
    if (recorded_listing(repo, *commit).empty())
        return choose_without_listing(repo, *commit, choose);
    return choose_with_listing(repo, *commit, choose);
}

/// Says what is missing: the repository, its revision (of a cache that was filled or copied by commit), or some files.
[[noreturn]] static void refuse_offline(const RepoName& repo, const ChooseFiles& choose) {
    const char* variable = offline_variable();
    const std::optional<std::string> commit = cached_commit(repo);
    std::error_code error;
    if (!commit) {
        for (const auto& entry : fs::directory_iterator(repo_folder(repo) / "snapshots", error))
            if (const std::string name = entry.path().filename().string(); is_commit(name))
                throw UserError(
                    "{}: the cache of the hub on this machine ({}) has no commit for the revision {}, and {} forbids "
                    "requests: "
                    "name a snapshot that it has, such as {}@{}",
                    repo.text(), repo_folder(repo).string(), repo.revision, variable, repo.name, name);
    } else {
        std::vector<std::string> names = recorded_listing(repo, *commit);
        if (names.empty())
            names = files_of_snapshot(snapshot_folder(repo, *commit));
        Message missing("some of its files are missing");
        try {
            FilesHere files(snapshot_folder(repo, *commit));
            for (const std::string& name : names.empty() ? names : choose(names, files))
                if (!fs::exists(snapshot_folder(repo, *commit) / name, error))
                    missing = Message("{} is missing", name);
        } catch (const UnusableError& unusable) {
            missing = unusable.message();
        }
        if (!names.empty())
            throw UserError(
                "{} is incomplete in the cache of the hub on this machine ({}): {}; download the rest where "
                "{} does not forbid requests",
                repo.text(), snapshot_folder(repo, *commit).string(), missing, variable);
    }
    throw UserError("{}, on a machine with the network: {} forbids requests", not_in_cache(repo), variable);
}

Fetched fetch(const RepoName& repo, const ChooseFiles& choose, const FetchOptions& options) {
    const std::optional<std::string> commit = cached_commit(repo);
    if (commit && !options.refresh)
        if (auto found = choose_with_listing(repo, *commit, choose))
            return *found;
    if (is_offline()) {
        if (auto found = find_fetched(repo, choose))
            return *found;
        refuse_offline(repo, choose);
    }
    Download download(repo, options);
    Listing listing;
    try {
        listing = download.client().list();
    } catch (const UnavailableError&) {
        std::optional<Fetched> found = find_fetched(repo, choose);
        if (!found || options.refresh)
            throw;
        return *found;
    }
    std::vector<std::string> chosen;
    const fs::path snapshot = snapshot_folder(repo, listing.commit);
    try {
        FilesOfHub files(snapshot, download, listing.commit);
        chosen = choose(listing.files, files);
    } catch (const UnusableError& error) {
        throw UnusableError("{} on {} cannot be used: {}", repo.text(), download.client().endpoint(), error.message());
    }
    download.bring(listing.commit, chosen, true);
    download.write_reference(listing.commit);
    record_listing(repo, listing);
    return {snapshot, std::move(chosen), listing.commit, download.bytes()};
}

fs::path model_folder(const std::string& path_or_name, const FetchOptions& options) {
    const std::optional<RepoName> repo = model_not_here(path_or_name);
    if (!repo)
        return path_or_name;
    const auto fail = [&](const UserError& error) -> fs::path {
        throw UserError("{} is not a file or folder here, and {}", path_or_name, error.message());
    };
    try {
        return fetch(*repo, files_of_model(options.pickles), options).folder;
    } catch (const UnknownRepoError& error) {
        return fail(error);
    } catch (const UnavailableError& error) {
        return fail(error);
    }
}

}  // namespace trainyard::hub
