// SPDX-License-Identifier: GPL-3.0-or-later
// Installs a bundle on a host. Two fixed scripts for POSIX sh do what needs a shell there; their arguments are
// hexadecimal digits and names of files of the bundle.

#include <algorithm>
#include <map>
#include <set>
#include <sstream>

#include <fcntl.h>
#include <fmt/format.h>
#include <sys/file.h>
#include <unistd.h>

#include "base/error.h"
#include "base/file.h"
#include "base/file_descriptor.h"
#include "base/number.h"
#include "base/text.h"
#include "base/untrusted.h"
#include "remote/bundle.h"

namespace trainyard::remote {

namespace {

constexpr std::uint64_t kSpare = 64u << 20;  ///< bytes that remain free on the host's disk

constexpr const char* kLook = R"script(
LC_ALL=C; export LC_ALL
cache=${XDG_CACHE_HOME:-$HOME/.cache}/trainyard
hash=$1; shift
printf 'cache %s\n' "$cache"
printf 'machine %s\n' "$(uname -m)"
printf 'libc %s\n' "$(getconf GNU_LIBC_VERSION 2>/dev/null)"
whole=
[ -x "$cache/bundles/$hash/bin/trainyard" ] && whole=1
while [ $# -gt 1 ]; do
  [ -f "$cache/store/$1" ] && printf 'have %s\n' "$1"
  [ -f "$cache/bundles/$hash/$2" ] || whole=
  shift 2
done
if [ -n "$whole" ]; then touch "$cache/bundles/$hash"; echo bundle; fi
d=$cache; while [ ! -d "$d" ] && [ "$d" != / ]; do d=$(dirname -- "$d"); done
printf 'free %s\n' "$(df -Pk "$d" 2>/dev/null | awk 'END { for (i = NF; i > 3; --i) if ($i ~ /%$/) { print $(i-1); exit } }')"
echo end
)script";

constexpr const char* kPlace = R"script(
LC_ALL=C; export LC_ALL
umask 077
cache=${XDG_CACHE_HOME:-$HOME/.cache}/trainyard
hash=$1; client=$2; shift 2
cd "$cache" || exit 1
if command -v sha256sum >/dev/null 2>&1; then sum() { sha256sum < "$1" | cut -d ' ' -f 1; }
elif command -v shasum >/dev/null 2>&1; then sum() { shasum -a 256 < "$1" | cut -d ' ' -f 1; }
elif command -v openssl >/dev/null 2>&1; then sum() { openssl dgst -sha256 -r < "$1" | cut -d ' ' -f 1; }
else echo nosum; exit 0
fi
new=bundles/.new.$client.$$
trap 'rm -rf "$new"' EXIT
mkdir -p "$new" || exit 1
bad=
while [ $# -gt 1 ]; do
  sha=$1 path=$2; shift 2
  come=store/incoming/$sha.$client
  if [ -f "$come" ]; then
    if [ "$(sum "$come")" = "$sha" ]; then chmod 700 "$come" && mv -f "$come" "store/$sha"; else rm -f "$come"; fi
  fi
  if [ -f "store/$sha" ]; then
    mkdir -p "$new/$(dirname -- "$path")" && { ln "store/$sha" "$new/$path" 2>/dev/null || cp -p "store/$sha" "$new/$path"; } || exit 1
  else printf 'bad %s\n' "$sha"; bad=1
  fi
done
[ -z "$bad" ] || exit 0
if [ ! -d "bundles/$hash" ]; then mv "$new" "bundles/$hash" || exit 1; fi
# Files of it may have been deleted since; programs that run from it keep theirs.
if [ -d "$new" ]; then
  (cd "$new" && find . -type f) | while IFS= read -r path; do
    [ -f "bundles/$hash/$path" ] && continue
    mkdir -p "bundles/$hash/$(dirname -- "$path")" && mv -f "$new/$path" "bundles/$hash/$path"
  done
fi
rm -rf "bundles/$hash/.new.$client.$$"
touch "bundles/$hash"
# Old ones: neither in use nor among the last two beside this one.
used=$(ls -l /proc/[0-9]*/exe 2>/dev/null)
kept=0
for old in $(ls -t bundles); do
  [ "$old" = "$hash" ] && continue
  case $used in *"/bundles/$old/"*) continue;; esac
  kept=$((kept + 1))
  [ $kept -gt 2 ] && rm -rf "bundles/$old"
done
# A file that another copy has just brought has no second link yet: only old ones go.
find store -type f -links 1 -mtime +1 -exec rm -f {} + 2>/dev/null
printf 'placed %s\n' "$cache/bundles/$hash"
)script";

constexpr const char* kDiscard = R"script(
cache=${XDG_CACHE_HOME:-$HOME/.cache}/trainyard
rm -f "$cache"/store/incoming/*."$1" "$cache"/store/incoming/*."$1".part
rm -rf "$cache"/bundles/.new."$1".*
rmdir "$cache/store/incoming" "$cache/store" "$cache/bundles" "$cache" 2>/dev/null
exit 0
)script";

struct Look {
    std::string cache, machine, c_library;
    bool bundle = false;
    std::set<std::string> have;
    std::optional<std::uint64_t> free;
};

std::vector<std::pair<std::string, std::string>> lines_of(const std::string& output) {
    std::vector<std::pair<std::string, std::string>> lines;
    std::istringstream in(output);
    for (std::string line; std::getline(in, line);) {
        std::size_t space = std::min(line.find(' '), line.size());
        lines.emplace_back(line.substr(0, space), space < line.size() ? line.substr(space + 1) : "");
    }
    return lines;
}

/// Converts a number of kilobytes to bytes; std::nullopt if the text is not a number.
std::optional<std::uint64_t> kilobytes(std::string_view text) {
    const auto value = parse_number<std::uint64_t>(text, 0, UINT64_MAX / 1024);
    return value ? std::optional(*value * 1024) : std::nullopt;
}

[[noreturn]] void fail(Session& session, Cause cause, const Message& sentence) {
    throw ConnectionError(cause, session.host().alias, sentence);
}

ExecResult run_script(Session& session, const char* script, std::vector<std::string> arguments, double seconds) {
    arguments.insert(arguments.begin(), {"sh", "-s", "--"});
    return session.exec({std::move(arguments), {}, {}}, script, seconds);
}

Look look(Session& session, const Bundle& bundle) {
    std::vector<std::string> arguments{bundle.hash};
    for (const BundleFile& file : bundle.files)
        arguments.insert(arguments.end(), {file.sha256, file.path});
    ExecResult answer = run_script(session, kLook, std::move(arguments), 20);
    Look look;
    bool whole = false;
    for (auto& [key, value] : lines_of(answer.output)) {
        if (key == "cache")
            look.cache = value;
        else if (key == "machine")
            look.machine = value;
        else if (key == "libc")
            look.c_library = value.starts_with("glibc ") ? value.substr(6) : "";
        else if (key == "bundle")
            look.bundle = true;
        else if (key == "have")
            look.have.insert(value);
        else if (key == "free")
            look.free = kilobytes(value);
        else if (key == "end")
            whole = true;
    }
    if (!whole)
        fail(session, Cause::no_shell,
             Message("{} could not be queried: {} ({})", session.host().alias,
                     text::first_line(answer.error.empty() ? answer.output : answer.error), answer.exit.text()));
    look.cache = HostPath::require(look.cache, session.host().alias);
    look.machine = HostText(look.machine, 40);
    look.c_library = HostText(look.c_library, 40);
    return look;
}

void check_fits(Session& session, const Bundle& bundle, const Look& look) {
    const std::string& host = session.host().alias;
    if (!bundle.machine.empty() && look.machine != bundle.machine)
        fail(session, Cause::command_missing,
             Message("{} has an {} processor, this Trainyard is built for {}: build Trainyard there and name "
                     "it as the host's engine",
                     host, look.machine, bundle.machine));
    if (!bundle.c_library.empty() && look.c_library.empty())
        fail(session, Cause::command_missing,
             Message("{} has no glibc (a musl system?), this Trainyard needs glibc {} or newer: build "
                     "Trainyard there and name it as the host's engine",
                     host, bundle.c_library));
    if (!bundle.c_library.empty() && version_less(look.c_library, bundle.c_library))
        fail(session, Cause::command_missing,
             Message("{} has glibc {}, this Trainyard needs {} or newer: build Trainyard on a system as old "
                     "as that of {}, or build it there and name it as the host's engine",
                     host, look.c_library, bundle.c_library, host));
}

/// Allows one copy at a time from this account to a host's account: another launch waits, and then finds the files
/// there.
class CopyLock {
  public:
    CopyLock(const std::string& target, const std::function<bool(const CopyProgress&)>& on_progress,
             const CopyProgress& progress, const std::string& host) {
        std::string name;
        for (char letter : target)
            name += std::isalnum(static_cast<unsigned char>(letter)) != 0 ? letter : '_';
        std::filesystem::path folder = cache_folder() / "copying";
        make_private_folder(folder);
        file_ = FileDescriptor(::open((folder / name).c_str(), O_RDWR | O_CREAT | O_CLOEXEC, 0600));
        while (file_ && ::flock(file_.get(), LOCK_EX | LOCK_NB) != 0) {
            if (on_progress && !on_progress(progress))
                throw ConnectionError(Cause::cancelled, host, Message("{}: cancelled", host));
            ::usleep(100'000);
        }
    }

  private:
    FileDescriptor file_;
};

}  // namespace

void discard_copy(Session& session) {
    run_script(session, kDiscard, {client_name()}, 10);
}

InstalledBundle install(Session& session, const Bundle& bundle,
                        const std::function<bool(const CopyProgress&)>& on_progress) {
    const std::string& host = session.host().alias;
    Look there = look(session, bundle);
    check_fits(session, bundle, there);
    auto installed = [&] {
        std::string folder = there.cache + "/bundles/" + bundle.hash;
        return InstalledBundle{folder, folder + "/bin/trainyard", 0};
    };
    if (there.bundle)
        return installed();

    CopyProgress progress;
    progress.total = bundle.size();
    CopyLock lock(session.host().target(), on_progress, progress, host);
    there = look(session, bundle);
    if (there.bundle)
        return installed();
    std::uint64_t missing = 0;
    for (const BundleFile& file : bundle.files)
        missing += there.have.contains(file.sha256) ? 0 : file.size;
    if (there.free && *there.free < missing + kSpare)
        fail(session, Cause::no_space,
             Message("{} has {} free for {}, the engine needs {}: make room there, or set XDG_CACHE_HOME in "
                     "the host's environment",
                     host, text::file_size(*there.free), there.cache, text::file_size(missing + kSpare)));

    std::string client = client_name(), incoming = there.cache + "/store/incoming";
    Sftp sftp = session.sftp();
    sftp.make_folders(incoming);
    sftp.make_folders(there.cache + "/bundles");
    std::uint64_t copied = 0;
    for (int attempt = 1;; ++attempt) {
        progress.done = 0;
        for (const BundleFile& file : bundle.files) {
            progress.file = file.path;
            std::uint64_t before = progress.done;
            if (!there.have.contains(file.sha256)) {
                TransferOptions options;
                options.mode = 0700;
                options.durable = false;  // its hash is verified before it is used
                options.on_progress = [&](const TransferProgress& part) {
                    progress.done = before + part.done;
                    return !on_progress || on_progress(progress);
                };
                std::string target = incoming + '/' + file.sha256 + '.' + client;
                // An earlier copy may have been interrupted after this file.
                std::optional<RemoteFile> arrived = attempt == 1 ? sftp.find(target) : std::nullopt;
                if (!arrived || arrived->size != file.size) {
                    sftp.upload(file.source, target, options);
                    copied += file.size;
                }
            }
            progress.done = before + file.size;
        }
        progress.file.clear();
        if (on_progress && !on_progress(progress))
            fail(session, Cause::cancelled, Message("{}: cancelled", host));
        std::vector<std::string> arguments{bundle.hash, client};
        for (const BundleFile& file : bundle.files)
            arguments.insert(arguments.end(), {file.sha256, file.path});
        ExecResult answer = run_script(session, kPlace, std::move(arguments), 300);
        std::set<std::string> bad;
        for (auto& [key, value] : lines_of(answer.output)) {
            if (key == "placed") {
                InstalledBundle result = installed();
                result.copied = copied;
                return result;
            }
            if (key == "nosum")
                fail(session, Cause::command_missing,
                     Message("{} has no program for SHA-256 (sha256sum, shasum or openssl): install its "
                             "coreutils",
                             host));
            if (key == "bad")
                bad.insert(value);
        }
        if (bad.empty() || attempt == 2)
            fail(session, bad.empty() ? Cause::no_space : Cause::remote_file,
                 bad.empty() ? Message("the engine could not be put into {} on {}: {}", there.cache, host,
                                       text::first_line(answer.error))
                             : Message("{} files of the engine arrived damaged on {} twice: look at its disk",
                                       bad.size(), host));
        for (const BundleFile& file : bundle.files)
            if (!bad.contains(file.sha256))
                there.have.insert(file.sha256);
    }
}

}  // namespace trainyard::remote
