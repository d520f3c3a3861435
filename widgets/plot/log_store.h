#pragma once
// Lines of logs in memory: bytes in blocks, 12 bytes of index a line. Blocks are made by the thread that reads (which does all the
// parsing) and handed over whole; they never change afterwards.

#include <cstdint>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include <QRegularExpression>
#include <QString>

namespace trainyard::widgets {

enum class LogLevel : std::uint8_t { None, Debug, Info, Warning, Error };

struct LogLine {
    std::uint32_t offset = 0;
    std::uint32_t length = 0;
    std::int16_t rank = -1;  ///< -1: no rank (the supervisor)
    LogLevel level = LogLevel::None;
    std::uint8_t head = 0;  ///< bytes of `HH:MM:SS.mmm LEVEL ` before the words; 0: the line has none
};

/// Escape sequences (colours, cursor) taken out; only the part after the last carriage return stays, as a terminal would show it.
std::string plain_text(std::string_view line);

struct LogBlock {
    std::string text;
    std::vector<LogLine> lines;
    /// `line` without its newline. Finds time and level.
    void add(int rank, std::string_view line);
};

/// Milliseconds since midnight of a line that begins `HH:MM:SS.mmm`; -1 for others.
int line_time(std::string_view line);

class LogStore {
  public:
    void append(std::shared_ptr<const LogBlock> block);
    void clear();
    std::size_t size() const { return size_; }
    const LogLine& line(std::size_t index) const;
    std::string_view text(std::size_t index) const;
    std::size_t count(LogLevel level) const { return counts_[static_cast<std::size_t>(level)]; }

  private:
    struct Place {
        const LogBlock* block;
        std::size_t index;
    };
    Place place(std::size_t index) const;

    std::vector<std::shared_ptr<const LogBlock>> blocks_;
    std::vector<std::size_t> firsts_;  ///< index of each block's first line
    std::size_t size_ = 0;
    std::size_t counts_[5] = {};
};

/// Which lines are wanted. Words are compared without case; `/.../` is a regular expression.
class LogFilter {
  public:
    int rank = -2;                    ///< -2: any
    LogLevel least = LogLevel::None;  ///< this level only when `only`, else this and graver ones
    bool only = false;
    void setWords(const QString& words);  ///< problem() when it is a wrong expression
    const QString& words() const { return words_; }
    QString problem() const;
    bool passesAll() const { return rank == -2 && least == LogLevel::None && words_.isEmpty(); }
    bool matches(const LogLine& line, std::string_view text) const;

  private:
    QString words_;
    std::string needle_;  ///< lower case
    QRegularExpression expression_;
    bool regular_ = false;
};

}  // namespace trainyard::widgets
