// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
// Lines of logs in memory: bytes in blocks, 12 bytes of index a line. Blocks are made by the thread that reads (which does all the
// parsing) and handed over whole; they never change afterwards.

#include <cstddef>
#include <cstdint>
#include <map>
#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "widgets/plot/log_ansi.h"

namespace trainyard::widgets {

enum class LogLevel : std::uint8_t { None, Debug, Info, Warning, Error };

struct LogLine {
    std::uint32_t offset = 0;
    std::uint32_t length = 0;
    std::int16_t rank = -1;  ///< -1: no rank (the supervisor)
    LogLevel level = LogLevel::None;
    std::uint8_t head = 0;  ///< bytes of `HH:MM:SS.mmm LEVEL ` before the words; 0: the line has none
};

/// Lines that a later one of the same rank overwrote: progress that is drawn over itself.
struct LogFold {
    std::int16_t rank = -1;
    std::uint16_t lines = 0;  ///< the last so many of the rank in earlier blocks
};

/// What a rank has written of a line that has not ended: a progress bar, a question.
struct LiveLine {
    int rank = -1;
    TerminalLine line;
};

struct LogBlock {
    std::string text;
    std::vector<LogLine> lines;
    std::vector<StyledText> styled;  ///< places in `text`, ascending
    std::vector<LogFold> folds;      ///< before the first line of the block
    std::vector<LiveLine> live;      ///< of all ranks, by rank: takes the place of what earlier blocks said

    /// `line` without its newline. Finds time and level, and takes back the lines of the rank that it overwrites.
    void add(int rank, std::string_view line);

  private:
    void foldBack(int rank, int lines);
};

/// Milliseconds since midnight of a line that begins `HH:MM:SS.mmm`; -1 for others.
int line_time(std::string_view line);
/// The step that a line speaks of (`step 18420`, `step=18420`, `'global_step': 7`, `18420/40000 [`); -1: of none.
std::int64_t line_step(std::string_view words);

class LogStore {
  public:
    /// Indices of the lines that vanished by it, ascending; they stay in the store.
    std::vector<std::uint32_t> append(std::shared_ptr<const LogBlock> block);
    void clear() { *this = {}; }
    std::size_t size() const { return size_; }
    const LogLine& line(std::size_t index) const;
    std::string_view text(std::size_t index) const;
    /// Places within text(index) that are not plain, as places in the block's text: subtract line(index).offset.
    std::span<const StyledText> styled(std::size_t index) const;
    std::size_t count(LogLevel level) const { return counts_[static_cast<std::size_t>(level)]; }
    const std::vector<LiveLine>& live() const;

  private:
    struct Place {
        const LogBlock* block;
        std::size_t index;
    };
    Place place(std::size_t index) const;

    std::vector<std::shared_ptr<const LogBlock>> blocks_;
    std::vector<std::size_t> firsts_;  ///< index of each block's first line
    std::shared_ptr<const LogBlock> newest_;
    std::map<int, std::vector<std::uint32_t>> last_;  ///< of each rank its last lines that have not vanished
    std::size_t size_ = 0;
    std::size_t counts_[5] = {};
};

}  // namespace trainyard::widgets
