#include "desktop/sources/log_lines.h"

#include <cstring>

#include <fmt/format.h>

#include "base/clock.h"

namespace trainyard::desktop {

namespace {
constexpr std::size_t kPiece = 256 * 1024;
}

bool FileTail::poll(CurveBatch& batch, std::uint64_t limit_bytes) {
    using Poll = files::GrowingFile::Poll;
    const Poll poll = file_.poll();
    missing_ = poll == Poll::Missing;
    if (poll == Poll::Missing || poll == Poll::Same)
        return true;
    problem_.clear();
    if (poll == Poll::Failed) {
        problem_ = file_.error();
        return true;
    }
    if (poll == Poll::Again)
        beginAgain(batch);
    was_there_ = true;
    const bool all = readOn(batch, limit_bytes);
    file_.close();
    if (!all)
        file_.force_poll();
    flush(batch);
    return all;
}

void FileTail::beginAgain(CurveBatch& batch) {
    points_.drop();
    batch.changes.clear();
    batch.changes.push_back({CurveChange::Kind::Reset, {}, 0, {}});
}

void FileTail::flush(CurveBatch& batch) {
    points_.flush(batch, [this](int tag) { return tags_.name(tag); });
}

std::vector<std::string> FileTail::problems() const {
    std::vector<std::string> found;
    if (!problem_.empty())
        found.push_back(problem_);
    if (missing_ && was_there_)
        found.push_back(fmt::format("{} is gone: what was read of it stays", file_.path().string()));
    return found;
}

void LineTail::beginAgain(CurveBatch& batch) {
    if (line_ > 0)
        FileTail::beginAgain(batch);
    line_ = 0;
    skipping_ = took_open_end_ = false;
    open_since_ = 0;
    unreadable_ = first_unreadable_ = 0;
    forget();
}

void LineTail::takeLine(std::string_view line, CurveBatch& batch) {
    ++line_;
    if (line.ends_with('\r'))
        line.remove_suffix(1);
    if (line_ == 1 && line.starts_with("\xef\xbb\xbf"))
        line.remove_prefix(3);
    if (line.find_first_not_of(" \t") == std::string_view::npos || take(line, batch))
        return;
    if (unreadable_++ == 0)
        first_unreadable_ = line_;
}

/// Takes the whole lines at the start of `bytes`; returns their length.
std::size_t LineTail::takeLines(std::string_view bytes, bool last_too, CurveBatch& batch) {
    std::size_t taken = 0;
    while (taken < bytes.size()) {
        const auto* end = static_cast<const char*>(std::memchr(bytes.data() + taken, '\n', bytes.size() - taken));
        if (end == nullptr)
            break;
        const auto place = static_cast<std::size_t>(end - bytes.data());
        if (!skipping_)
            takeLine(bytes.substr(taken, place - taken), batch);
        skipping_ = false;
        taken = place + 1;
    }
    if (last_too && taken < bytes.size()) {
        takeLine(bytes.substr(taken), batch);
        taken = bytes.size();
    }
    return taken;
}

bool LineTail::poll(CurveBatch& batch, std::uint64_t limit_bytes) {
    waited_ = open_since_ > 0 && monotonic_seconds() - open_since_ >= kLastLineWaits;
    if (waited_)
        file_.force_poll();
    return FileTail::poll(batch, limit_bytes);
}

bool LineTail::readOn(CurveBatch& batch, std::uint64_t limit_bytes) {
    std::string buffer;
    std::size_t held = 0;
    const std::uint64_t begin = file_.position();
    bool all = true;
    for (;;) {
        buffer.resize(held + kPiece + kPadding);
        const ssize_t got = file_.read(buffer.data() + held, kPiece, file_.position() + held);
        if (got < 0) {
            problem_ = file_.error();
            break;
        }
        if (took_open_end_ && got > 0) {
            // What was taken for the whole last line goes on: read it again from the start of the file.
            took_open_end_ = false;
            if (buffer[0] != '\n') {
                file_.restart();
                beginAgain(batch);
                all = false;
                break;
            }
            file_.consume(buffer.data(), 1);
            continue;
        }
        held += static_cast<std::size_t>(got);
        const bool at_end = file_.position() + held >= file_.size() || got == 0;
        const bool last_too = at_end && waited_ && !skipping_;
        const std::size_t taken = takeLines({buffer.data(), held}, last_too, batch);
        took_open_end_ = last_too && taken > 0 && buffer[taken - 1] != '\n';
        file_.consume(buffer.data(), taken);
        held -= taken;
        std::memmove(buffer.data(), buffer.data() + taken, held);
        if (held > kLongestLine || (skipping_ && held > 0)) {
            if (!skipping_ && unreadable_++ == 0)
                first_unreadable_ = line_ + 1;
            line_ += skipping_ ? 0 : 1;
            skipping_ = true;
            file_.consume(buffer.data(), held);
            held = 0;
        }
        if (at_end)
            break;
        if (file_.position() - begin >= limit_bytes) {
            all = false;
            break;
        }
    }
    open_since_ = held > 0 ? monotonic_seconds() : 0;
    return all;
}

std::vector<std::string> LineTail::problems() const {
    std::vector<std::string> found = FileTail::problems();
    if (unreadable_ > 0)
        found.push_back(fmt::format("{} of {} cannot be read and {} left out: {}line {}",
                                    unreadable_ == 1 ? "a line" : fmt::format("{} lines", unreadable_),
                                    file_.path().string(), unreadable_ == 1 ? "is" : "are",
                                    unreadable_ == 1 ? "" : "the first is ", first_unreadable_));
    return found;
}

}  // namespace trainyard::desktop
