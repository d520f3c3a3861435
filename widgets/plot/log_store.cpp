#include "widgets/plot/log_store.h"

#include <algorithm>
#include <cctype>

#include <QCoreApplication>

namespace trainyard::widgets {

namespace {

constexpr std::size_t kTimeLength = 12;  // HH:MM:SS.mmm

bool digit(char c) {
    return c >= '0' && c <= '9';
}

LogLevel level_of_word(std::string_view word) {
    if (word == "INFO")
        return LogLevel::Info;
    if (word == "WARN" || word == "WARNING")
        return LogLevel::Warning;
    if (word == "ERROR" || word == "FATAL" || word == "CRITICAL")
        return LogLevel::Error;
    if (word == "DEBUG")
        return LogLevel::Debug;
    return LogLevel::None;
}

char lower(char c) {
    return static_cast<char>(std::tolower(static_cast<unsigned char>(c)));
}

bool contains_lower(std::string_view text, std::string_view needle) {
    return std::search(text.begin(), text.end(), needle.begin(), needle.end(),
                       [](char a, char b) { return lower(a) == b; }) != text.end();
}

/// Lines of other programs carry their level somewhere: Python warnings, tracebacks, C library messages.
LogLevel guessed_level(std::string_view line) {
    for (std::string_view word : {"ERROR", "Error:", "Traceback (most recent call last)", "FATAL", "terminate called"})
        if (line.find(word) != std::string_view::npos)
            return LogLevel::Error;
    for (std::string_view word : {"WARN", "Warning:", "warning:"})
        if (line.find(word) != std::string_view::npos)
            return LogLevel::Warning;
    return LogLevel::None;
}

}  // namespace

int line_time(std::string_view line) {
    if (line.size() < kTimeLength)
        return -1;
    static constexpr std::string_view kShape = "dd:dd:dd.ddd";
    for (std::size_t i = 0; i < kTimeLength; ++i)
        if (kShape[i] == 'd' ? !digit(line[i]) : line[i] != kShape[i])
            return -1;
    const auto two = [&](std::size_t at) { return (line[at] - '0') * 10 + (line[at + 1] - '0'); };
    return ((two(0) * 60 + two(3)) * 60 + two(6)) * 1000 + (line[9] - '0') * 100 + two(10);
}

std::string plain_text(std::string_view line) {
    while (!line.empty() && (line.back() == '\r' || line.back() == '\n'))
        line.remove_suffix(1);
    if (const std::size_t at = line.rfind('\r'); at != std::string_view::npos)
        line.remove_prefix(at + 1);
    std::string plain;
    plain.reserve(line.size());
    for (std::size_t i = 0; i < line.size(); ++i) {
        if (line[i] != '\x1b') {
            plain += line[i] == '\t' ? ' ' : line[i];
            continue;
        }
        // ECMA-48: CSI ... final byte 0x40-0x7e; OSC ... BEL or ESC \; any other escape is two bytes.
        if (i + 1 < line.size() && line[i + 1] == '[') {
            i += 2;
            while (i < line.size() && !(line[i] >= 0x40 && line[i] <= 0x7e))
                ++i;
        } else if (i + 1 < line.size() && line[i + 1] == ']') {
            while (i < line.size() && line[i] != '\x07' && !(line[i] == '\\' && line[i - 1] == '\x1b'))
                ++i;
        } else {
            ++i;
        }
    }
    return plain;
}

void LogBlock::add(int rank, std::string_view raw) {
    const std::string plain = plain_text(raw);
    LogLine line;
    line.offset = static_cast<std::uint32_t>(text.size());
    line.length = static_cast<std::uint32_t>(plain.size());
    line.rank = static_cast<std::int16_t>(rank);
    if (line_time(plain) >= 0 && plain.size() > kTimeLength + 1) {
        const std::size_t end = std::min(plain.find(' ', kTimeLength + 1), plain.size());
        line.level = level_of_word(std::string_view(plain).substr(kTimeLength + 1, end - kTimeLength - 1));
        if (line.level != LogLevel::None) {
            const std::size_t words = std::min(plain.find_first_not_of(' ', end), plain.size());
            line.head = static_cast<std::uint8_t>(std::min<std::size_t>(words, 255));
        }
    } else {
        line.level = guessed_level(plain);
    }
    text += plain;
    lines.push_back(line);
}

void LogStore::append(std::shared_ptr<const LogBlock> block) {
    if (block->lines.empty())
        return;
    firsts_.push_back(size_);
    size_ += block->lines.size();
    for (const LogLine& line : block->lines)
        ++counts_[static_cast<std::size_t>(line.level)];
    blocks_.push_back(std::move(block));
}

void LogStore::clear() {
    *this = {};
}

LogStore::Place LogStore::place(std::size_t index) const {
    const auto after = std::upper_bound(firsts_.begin(), firsts_.end(), index);
    const auto block = static_cast<std::size_t>(after - firsts_.begin()) - 1;
    return {blocks_[block].get(), index - firsts_[block]};
}

const LogLine& LogStore::line(std::size_t index) const {
    const Place at = place(index);
    return at.block->lines[at.index];
}

std::string_view LogStore::text(std::size_t index) const {
    const Place at = place(index);
    const LogLine& line = at.block->lines[at.index];
    return std::string_view(at.block->text).substr(line.offset, line.length);
}

void LogFilter::setWords(const QString& words) {
    words_ = words;
    regular_ = words.size() > 1 && words.startsWith(QLatin1Char('/'));
    needle_.clear();
    if (regular_) {
        QString inner = words.mid(1);
        if (inner.endsWith(QLatin1Char('/')))
            inner.chop(1);
        expression_ = QRegularExpression(inner, QRegularExpression::CaseInsensitiveOption);
        return;
    }
    for (char c : words.toStdString())
        needle_ += lower(c);
}

QString LogFilter::problem() const {
    if (!regular_ || expression_.isValid())
        return {};
    return QCoreApplication::translate("trainyard::widgets", "%1 is not a regular expression: %2")
        .arg(words_, expression_.errorString());
}

bool LogFilter::matches(const LogLine& line, std::string_view text) const {
    if (rank != -2 && line.rank != rank)
        return false;
    if (only ? line.level != least : line.level < least)
        return false;
    if (regular_)
        return !expression_.isValid() ||
               expression_.match(QString::fromUtf8(text.data(), static_cast<qsizetype>(text.size()))).hasMatch();
    return needle_.empty() || contains_lower(text, needle_);
}

}  // namespace trainyard::widgets
