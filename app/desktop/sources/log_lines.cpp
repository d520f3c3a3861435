// SPDX-License-Identifier: GPL-3.0-or-later
#include "desktop/sources/log_lines.h"

#include <algorithm>
#include <cstring>

#include <fmt/format.h>

#include "base/clock.h"
#include "base/error.h"
#include "base/regular_file.h"
#include "base/utf8.h"

namespace trainyard::desktop {

namespace {
constexpr std::size_t kPiece = 256 * 1024;
constexpr std::string_view kMark = "\xef\xbb\xbf";  // the byte order mark of UTF-8

enum class Wide { No, LittleEndian, BigEndian };

/// Detects UTF-16 by its byte order mark, or else by the zero bytes between ASCII letters.
Wide utf16_of(std::string_view bytes) {
    if (bytes.starts_with("\xff\xfe"))
        return Wide::LittleEndian;
    if (bytes.starts_with("\xfe\xff"))
        return Wide::BigEndian;
    if (bytes.size() < 4)
        return Wide::No;
    if (bytes[0] != 0 && bytes[1] == 0 && bytes[2] != 0 && bytes[3] == 0)
        return Wide::LittleEndian;
    return bytes[0] == 0 && bytes[1] != 0 && bytes[2] == 0 && bytes[3] != 0 ? Wide::BigEndian : Wide::No;
}

/// Whether lines end with carriage returns alone, as written by old spreadsheets.
bool ends_lines_with_returns(std::string_view bytes) {
    const std::size_t at = bytes.find('\r');
    return at != std::string_view::npos && at + 1 < bytes.size() && bytes.find('\n') == std::string_view::npos;
}
}  // namespace

LogHead read_log_head(const std::filesystem::path& file) {
    constexpr std::size_t kLooked = 64 * 1024;
    LogHead head;
    head.text = read_head(file, kLooked);
    head.whole = head.text.size() < kLooked;
    if (const Wide wide = utf16_of(head.text); wide != Wide::No) {
        // Only ASCII is searched for here: names of columns, digits, separators.
        std::string narrow;
        for (std::size_t i = wide == Wide::LittleEndian ? 0 : 1; i < head.text.size(); i += 2)
            narrow += head.text[i];
        if (head.text.starts_with("\xff\xfe") || head.text.starts_with("\xfe\xff"))
            narrow.erase(0, 1);
        head.text = std::move(narrow);
    }
    if (head.text.starts_with(kMark))
        head.text.erase(0, kMark.size());
    if (ends_lines_with_returns(head.text))
        std::ranges::replace(head.text, '\r', '\n');
    return head;
}

bool FileTail::poll(CurveBatch& batch, std::uint64_t limit_bytes) {
    using Poll = files::GrowingFile::Poll;
    const Poll poll = file_.poll();
    missing_ = poll == Poll::Missing;
    if (poll == Poll::Missing || poll == Poll::Same)
        return true;
    problem_ = {};
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

std::vector<Message> FileTail::problems() const {
    std::vector<Message> found;
    if (!problem_.empty())
        found.push_back(problem_);
    if (missing_ && was_there_)
        found.push_back(Message("{} was deleted: the data read so far stays visible", file_.path().string()));
    return found;
}

void LineTail::beginAgain(CurveBatch& batch) {
    if (line_ > 0)
        FileTail::beginAgain(batch);
    line_ = 0;
    skipping_ = took_open_end_ = false;
    open_since_ = 0;
    unreadable_ = first_unreadable_ = first_foreign_ = 0;
    line_end_ = '\n';
    forget();
}

void LineTail::takeLine(std::string_view line, CurveBatch& batch) {
    ++line_;
    if (line.ends_with('\r'))
        line.remove_suffix(1);
    if (line_ == 1 && line.starts_with(kMark))
        line.remove_prefix(kMark.size());
    if (first_foreign_ == 0 && !text::is_utf8(line))
        first_foreign_ = line_;
    if (line.find_first_not_of(" \t") == std::string_view::npos || take(line, batch))
        return;
    if (unreadable_++ == 0)
        first_unreadable_ = line_;
}

/// Takes the complete lines at the start of `bytes`. Returns their length.
std::size_t LineTail::takeLines(std::string_view bytes, bool last_too, CurveBatch& batch) {
    std::size_t taken = 0;
    while (taken < bytes.size()) {
        const auto* end = static_cast<const char*>(std::memchr(bytes.data() + taken, line_end_, bytes.size() - taken));
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

bool LineTail::judgeEncoding(std::string_view bytes) {
    if (utf16_of(bytes) != Wide::No) {
        problem_ = Message("{} is UTF-16: save it as UTF-8", file_.path().string());
        return false;
    }
    line_end_ = ends_lines_with_returns(bytes) ? '\r' : '\n';
    return true;
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
            // The text that was read as the complete last line has grown: read the file again from its start.
            took_open_end_ = false;
            if (buffer[0] != line_end_) {
                file_.restart();
                beginAgain(batch);
                all = false;
                break;
            }
            file_.consume(buffer.data(), 1);
            continue;
        }
        held += static_cast<std::size_t>(got);
        if (line_ == 0 && file_.position() == 0 && !judgeEncoding({buffer.data(), held}))
            return true;
        const bool at_end = file_.position() + held >= file_.size() || got == 0;
        const bool last_too = at_end && waited_ && !skipping_;
        const std::size_t taken = takeLines({buffer.data(), held}, last_too, batch);
        took_open_end_ = last_too && taken > 0 && buffer[taken - 1] != line_end_;
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

std::vector<Message> LineTail::problems() const {
    std::vector<Message> found = FileTail::problems();
    if (unreadable_ > 0)
        found.push_back(unreadable_ == 1
                            ? Message("a line of {} cannot be read and was skipped: line {}", file_.path().string(),
                                      first_unreadable_)
                            : Message("{} lines of {} cannot be read and were skipped: the first is line {}",
                                      unreadable_, file_.path().string(), first_unreadable_));
    if (first_foreign_ > 0)
        found.push_back(
            Message("line {} of {} is not UTF-8: save the file as UTF-8", first_foreign_, file_.path().string()));
    return found;
}

}  // namespace trainyard::desktop
