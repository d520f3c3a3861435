// SPDX-License-Identifier: GPL-3.0-or-later
#include "observe/track/spool.h"

#include <algorithm>
#include <cerrno>
#include <utility>

#include <fcntl.h>
#include <sys/file.h>
#include <unistd.h>

#include "base/error.h"
#include "base/file.h"
#include "base/json.h"
#include "base/json_writer.h"
#include "base/system_call.h"
#include "config/values/value_formats.h"

namespace trainyard::track {

namespace {

constexpr std::size_t kChunk = 1u << 20;           ///< bytes of a reading
constexpr std::size_t kLongestEntry = 256u << 20;  ///< bytes

std::string exact_json(const Value& value) {
    JsonWriter out;
    write_json_tree(out, value, JsonTree::exact);
    return out.take();
}

/// Null if the text is not JSON.
Value read_exact_json(std::string_view text, const std::string& file) {
    std::vector<Problem> problems;
    return parse_json_tree(text, file, problems,
                           {.most_nodes = 8'000'000, .most_bytes = kLongestEntry, .twice = &problems});
}

}  // namespace

std::vector<std::string> Spool::names(const fs::path& folder, const std::string& prefix) {
    std::vector<std::pair<fs::file_time_type, std::string>> found;
    std::error_code missing;
    for (const fs::directory_entry& entry : fs::directory_iterator(folder, missing)) {
        const std::string name = entry.path().filename().string();
        constexpr std::string_view kEnding = ".state.json";
        if (name.starts_with(prefix) && name.ends_with(kEnding)) {
            std::error_code gone;
            found.emplace_back(entry.last_write_time(gone), name.substr(0, name.size() - kEnding.size()));
        }
    }
    std::ranges::sort(found);
    std::vector<std::string> names;
    for (auto& [time, name] : found)
        names.push_back(std::move(name));
    return names;
}

std::optional<Spool> Spool::open(const fs::path& folder, const std::string& name) {
    make_private_folder(folder);
    const fs::path file = folder / (name + ".jsonl");
    const fs::path locked = folder / (name + ".lock");
    FileDescriptor lock(::open(locked.c_str(), O_RDWR | O_CREAT | O_CLOEXEC | O_NOFOLLOW, 0600));
    if (!lock)
        throw_file_error("cannot write", locked, errno);
    if (::flock(lock.get(), LOCK_EX | LOCK_NB) != 0)
        return std::nullopt;
    return Spool(file, std::move(lock));
}

Spool::Spool(fs::path file, FileDescriptor lock)
    : file_(std::move(file)),
      state_(fs::path(file_).replace_extension(".state.json")),
      attachments_(fs::path(file_).replace_extension(".files")),
      lock_(std::move(lock)) {
    if (fs::exists(state_)) {
        const Value state = read_exact_json(read_file(state_), state_.string());
        if (const Value* bytes = state.find("delivered"); bytes != nullptr && bytes->integer() != nullptr)
            delivered_ = static_cast<std::uint64_t>(std::max<std::int64_t>(0, *bytes->integer()));
        if (const Value* known = state.find("memory"); known != nullptr && known->is_map())
            memory = *known->map();
    }
    lines_.emplace(file_);
    reader_ = FileDescriptor(::open(file_.c_str(), O_RDONLY | O_CLOEXEC | O_NOFOLLOW));
    if (!reader_)
        throw_file_error("cannot read", file_, errno);
    added_ = fs::file_size(file_);
    written_ = added_;
    delivered_ = std::min(delivered_.load(), written_.load());
    save_state();
}

Spool::Spool(Spool&& other) noexcept
    : memory(std::move(other.memory)),
      file_(std::move(other.file_)),
      state_(std::move(other.state_)),
      attachments_(std::move(other.attachments_)),
      lock_(std::move(other.lock_)),
      reader_(std::move(other.reader_)),
      lines_(std::move(other.lines_)),
      added_(other.added_),
      written_(other.written_.load()),
      delivered_(other.delivered_.load()) {}

Spool::~Spool() = default;

void Spool::add(const Values& entry) {
    const std::string line = exact_json(entry);
    lines_->add(line);
    added_ += line.size() + 1;
}

void Spool::flush() {
    lines_->flush();
    written_ = added_;
}

Spool::Entries Spool::next(std::size_t most) const {
    Entries entries;
    std::string bytes;
    const std::uint64_t begin = delivered_, end = written_;
    for (std::size_t wanted = kChunk; begin < end; wanted *= 2) {
        bytes.resize(std::min<std::uint64_t>(wanted, end - begin));
        std::size_t got = 0;
        while (got < bytes.size()) {
            const ssize_t n = retry_interrupted([&] {
                return ::pread(reader_.get(), bytes.data() + got, bytes.size() - got, static_cast<off_t>(begin + got));
            });
            if (n < 0)
                throw_file_error("cannot read", file_, errno);
            if (n == 0)
                throw UserError("{} became shorter: another program has changed it", file_.string());
            got += static_cast<std::size_t>(n);
        }
        if (bytes.find('\n') != std::string::npos)
            break;
        if (bytes.size() == end - begin)
            return entries;
    }
    for (std::size_t at = 0; entries.values.size() < most;) {
        const std::size_t line_end = bytes.find('\n', at);
        if (line_end == std::string::npos)
            break;
        entries.values.push_back(read_exact_json(std::string_view(bytes).substr(at, line_end - at), file_.string()));
        at = line_end + 1;
        entries.ends.push_back(begin + at);
    }
    return entries;
}

std::size_t Spool::count_left() const {
    std::size_t count = 0;
    std::string bytes(kChunk, '\0');
    for (std::uint64_t at = delivered_; at < written_;) {
        const ssize_t n = retry_interrupted(
            [&] { return ::pread(reader_.get(), bytes.data(), bytes.size(), static_cast<off_t>(at)); });
        if (n <= 0)
            break;
        count += static_cast<std::size_t>(std::count(bytes.begin(), bytes.begin() + n, '\n'));
        at += static_cast<std::uint64_t>(n);
    }
    return count;
}

void Spool::save_state() const {
    write_file_atomically(
        state_,
        exact_json(Values{{"delivered", static_cast<std::int64_t>(delivered_.load())}, {"memory", memory}}) + "\n",
        false);
}

void Spool::set_delivered(std::uint64_t end) {
    delivered_ = end;
    save_state();
}

fs::path Spool::refuse(const Value& entry) const {
    const fs::path file = fs::path(file_).replace_extension(".refused.jsonl");
    append_line(file, exact_json(entry));
    return file;
}

void Spool::discard_entries() {
    lines_.reset();
    added_ = 0;
    written_ = 0;
    delivered_ = 0;
    save_state();
    fs::remove(file_);
    std::error_code ignored;
    fs::remove_all(attachments_, ignored);
}

}  // namespace trainyard::track
