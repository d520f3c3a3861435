// SPDX-License-Identifier: GPL-3.0-or-later
#include "observe/traces/trace_reader.h"

#include <algorithm>
#include <array>

#include <fmt/format.h>

#include "base/clock.h"
#include "base/error.h"
#include "base/printable.h"
#include "base/text.h"
#include "observe/traces/assembly.h"
#include "observe/traces/parsing_thread.h"
#include "observe/traces/text_window.h"

namespace trainyard::traces {

namespace {

constexpr std::uint64_t kBetweenLooks = 4096;  ///< entries between two looks at the clock
constexpr double kProgressSeconds = 0.1;
constexpr std::size_t kSmallestEvent =
    100;  ///< bytes of text an event takes at least, for the first guess of their number

class TraceReading {
  public:
    TraceReading(const std::filesystem::path& path, const ReadOptions& options)
        : path_(path), options_(options), text_(std::make_shared<TraceText>(path)), window_(*text_) {
        assembly_.reading().file_bytes = text_->file_bytes();
        assembly_.reserve(std::min<std::uint64_t>(text_->expected_bytes() / kSmallestEvent + 16, 64u << 20));
    }

    std::shared_ptr<const Trace> read() {
        if (text_->file_bytes() == 0)
            refuse("the file is empty: 0 bytes");
        begin();
        if (!ended_)
            note_rest();
        std::uint64_t bytes = window_.offset();
        auto trace = std::make_shared<Trace>(assembly_.finish());
        trace->path = path_.string();
        trace->text = text_;
        trace->reading.text_bytes = bytes;
        trace->reading.complete = true;
        trace->reading.seconds = monotonic_seconds() - start_;
        return trace;
    }

  private:
    [[noreturn]] void refuse(const Message& why) const {
        throw UserError(
            "{}: {}; a trace is JSON with a list of traceEvents, as Chrome and Kineto "
            "write it",
            path_.string(), why);
    }

    /// "line 1, byte 48,211,002"
    Message place(std::uint64_t offset) const {
        std::uint64_t line = 1, column = 1;
        std::vector<char> piece(1 << 20);
        for (std::uint64_t at = 0; at < offset;) {
            const std::size_t got = text_->read(piece.data(), std::min<std::uint64_t>(piece.size(), offset - at), at);
            if (got == 0)
                break;
            for (std::size_t i = 0; i < got; ++i) {
                ++column;
                if (piece[i] == '\n') {
                    ++line;
                    column = 1;
                }
            }
            at += got;
        }
        return Message("line {}, column {}, byte {}", text::grouped(static_cast<std::int64_t>(line)),
                       text::grouped(static_cast<std::int64_t>(column)),
                       text::grouped(static_cast<std::int64_t>(offset)));
    }

    void end_early(std::uint64_t offset, const Message& why) {
        if (!take_all())
            return;
        ended_ = true;
        Reading& reading = assembly_.reading();
        reading.ended_early = true;
        reading.problems.push_back(Message::joined({Message("{}: {}; {} events before it are shown", place(offset), why,
                                                            text::grouped(static_cast<std::int64_t>(reading.entries))),
                                                    text_->problem()}));
    }

    /// Looks at the clock from time to time. False: reading was ended.
    bool look(bool now = false) {
        if (!now && ++looks_ % kBetweenLooks != 0)
            return true;
        const double time = monotonic_seconds();
        if (options_.preview && !previewed_ && time - start_ >= options_.preview_seconds) {
            previewed_ = true;
            auto trace = std::make_shared<Trace>(assembly_.preview());
            trace->path = path_.string();
            trace->text = text_;
            options_.preview(std::move(trace));
        }
        if (!options_.progress || time - last_progress_ < kProgressSeconds)
            return true;
        last_progress_ = time;
        const std::uint64_t at = taken_;
        if (options_.progress({text_->file_bytes(), text_->consumed(at), assembly_.reading().entries, time - start_}))
            return true;
        ended_ = true;
        assembly_.reading().ended_early = true;
        assembly_.reading().problems.push_back(
            Message("reading was ended at byte {}; {} events before it "
                    "are shown",
                    text::grouped(static_cast<std::int64_t>(at)),
                    text::grouped(static_cast<std::int64_t>(assembly_.reading().entries))));
        return false;
    }

    void begin() {
        std::array<unsigned char, 3> head{};
        const std::size_t got = text_->read(reinterpret_cast<char*>(head.data()), head.size(), 0);
        if (got >= 2 && ((head[0] == 0xff && head[1] == 0xfe) || (head[0] == 0xfe && head[1] == 0xff)))
            refuse("the text is UTF-16, not UTF-8");
        window_.peek();
        if (got == 3 && head[0] == 0xef && head[1] == 0xbb && head[2] == 0xbf)
            window_.skip(3);
        window_.skip_space();
        const char first = window_.peek();
        if (first == '[') {
            window_.skip(1);
            read_list(true);
        } else if (first == '{') {
            window_.skip(1);
            read_top_level();
        } else {
            const Message problem = first == '\0' ? text_->problem() : "";
            refuse(problem.empty() ? "the text does not begin as JSON" : problem);
        }
    }

    /// Skips white space and commas, and `closing` if it is next. Returns the next character, or `closing`.
    char next_element(char closing) {
        window_.skip_space();
        for (; window_.peek() == ','; window_.skip_space())
            window_.skip(1);
        const char next = window_.peek();
        if (next == closing)
            window_.skip(1);
        return next;
    }

    void read_top_level() {
        bool found = false;
        for (;;) {
            const char next = next_element('}');
            if (next == '}')
                break;
            std::string_view key_text;
            const std::uint64_t at = window_.offset();
            if (next != '"' || window_.value(key_text) != TextWindow::Extent::whole) {
                if (!found)
                    refuse(next == '\0' ? "the file ends before the list of events"
                                        : Message("it is damaged before the list of events, at {}", place(at)));
                return end_early(at, next == '\0' ? Message("the file ends here, the end of the trace is missing")
                                                  : Message("the text behind the list of events is damaged"));
            }
            const std::string key(key_text.substr(1, key_text.size() - 2));
            window_.skip(key_text.size());
            window_.skip_space();
            if (window_.peek() == ':')
                window_.skip(1);
            window_.skip_space();
            if (key == "traceEvents") {
                if (window_.peek() != '[')
                    refuse(window_.peek() == '\0' ? Message("the file ends before the list of events")
                                                  : Message("traceEvents is not a list"));
                found = true;
                window_.skip(1);
                read_list(false);
                if (ended_)
                    return;
                continue;
            }
            std::string_view value;
            const std::uint64_t begin = window_.offset();
            if (window_.value(value) != TextWindow::Extent::whole) {
                if (!found)
                    refuse("the file ends before the list of events");
                return end_early(begin, Message("the file ends inside '{}'", text::printable(key, 40)));
            }
            assembly_.add_top_level(key, value);
            const std::size_t size = value.size();
            if (size == 0) {
                if (!found)
                    refuse(Message("it is damaged before the list of events, at {}", place(begin)));
                return end_early(begin, "the text is damaged here");
            }
            window_.skip(size);
        }
        if (!found)
            refuse("it has no traceEvents");
    }

    /// From after the opening bracket to after the closing one. A bare list may lack that (Trace Event Format).
    void read_list(bool bare) {
        for (;;) {
            const char next = next_element(']');
            if (next == ']') {
                take_all();
                return;
            }
            const std::uint64_t at = window_.offset();
            if (next == '\0') {
                if (bare && text_->problem().empty()) {
                    take_all();
                    ended_ = true;
                    return;
                }
                return end_early(at, "the file ends here, the end of the list of events is missing");
            }
            std::string_view value;
            switch (window_.value(value)) {
                case TextWindow::Extent::cut:
                    return end_early(at, "the file ends inside an event");
                case TextWindow::Extent::too_long:
                    return end_early(at, Message("an event is longer than {}, or one of its quotes is missing",
                                                 text::memory_size(TextWindow::kLargest)));
                case TextWindow::Extent::whole:
                    break;
            }
            if (value.empty())
                return end_early(at, "the list of events is damaged");
            EventBatch& batch = batches_[filled_];
            batch.add(value, at);
            window_.skip(value.size());
            if (batch.is_full() && !hand_over())
                return;
        }
    }

    /// The batch that was filled is parsed, while the one before it is taken in. False: reading was ended.
    bool hand_over() {
        if (!parsing_)
            parsing_ = std::make_unique<ParsingThread>();
        parsing_->finish();
        parsing_->begin(batches_[filled_]);
        filled_ = 1 - filled_;
        return take_in(batches_[filled_]);
    }

    /// Everything that was found so far. False: reading was ended.
    bool take_all() {
        if (parsing_) {
            parsing_->finish();
            if (!take_in(batches_[1 - filled_]))
                return false;
        }
        batches_[filled_].parse(parser_);
        return take_in(batches_[filled_]);
    }

    bool take_in(EventBatch& batch) {
        for (std::size_t i = 0; i < batch.places.size(); ++i) {
            const EventBatch::Place& place = batch.places[i];
            assembly_.add(batch.outcomes[i], batch.events[i], place.offset);
            taken_ = place.offset + place.size;
            if (!look())
                return false;
        }
        batch.clear();
        return true;
    }

    void note_rest() {
        window_.skip_space();
        const std::uint64_t at = window_.offset();
        if (window_.peek() != '\0')
            assembly_.reading().problems.push_back(
                Message("{}: there is text after the end of the trace, which is not read", place(at)));
        if (const Message problem = text_->problem(); !problem.empty()) {
            assembly_.reading().ended_early = true;
            assembly_.reading().problems.push_back(problem);
        }
    }

    std::filesystem::path path_;
    const ReadOptions& options_;
    std::shared_ptr<TraceText> text_;
    TextWindow window_;
    EventParser parser_;
    Assembly assembly_;
    std::array<EventBatch, 2> batches_;
    std::size_t filled_ = 0;                  ///< of the batches, the one that is being filled
    std::uint64_t taken_ = 0;                 ///< in the text, up to where events have been taken in
    std::unique_ptr<ParsingThread> parsing_;  ///< from the first full batch on
    double start_ = monotonic_seconds(), last_progress_ = start_;
    std::uint64_t looks_ = 0;
    bool ended_ = false, previewed_ = false;
};

}  // namespace

std::shared_ptr<const Trace> read_trace(const std::filesystem::path& path, const ReadOptions& options) {
    return TraceReading(path, options).read();
}

}  // namespace trainyard::traces
