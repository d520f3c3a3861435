// SPDX-License-Identifier: GPL-3.0-or-later
#include "desktop/sources/trainer_state_tail.h"

#include <chrono>
#include <functional>

#include <fmt/format.h>

#include "base/clock.h"
#include "base/error.h"
#include "base/number.h"
#include "base/regular_file.h"
#include "desktop/sources/log_lines.h"
#include "desktop/sources/point_collector.h"
#include "formats/events/tag_table.h"
#include "formats/tables/metrics_record.h"

namespace trainyard::desktop {

namespace {

namespace fs = std::filesystem;

constexpr std::uint64_t kLargest = 256ull << 20;
constexpr std::string_view kCheckpoint = "checkpoint-";

/// Position after the JSON object that begins at `begin`; npos: it does not end.
std::size_t end_of_object(std::string_view text, std::size_t begin) {
    int depth = 0;
    bool quoted = false;
    for (std::size_t at = begin; at < text.size(); ++at) {
        const char c = text[at];
        if (quoted && c == '\\')
            ++at;
        else if (c == '"')
            quoted = !quoted;
        else if (!quoted && c == '{')
            ++depth;
        else if (!quoted && c == '}' && --depth == 0)
            return at + 1;
    }
    return std::string_view::npos;
}

/// The entries of a history that ends early, as a file of their own, and where the damage begins.
struct WholeEntries {
    std::string json;
    std::size_t end = 0;
    bool any = false;
};

WholeEntries whole_entries(std::string_view text) {
    constexpr std::string_view kBlank = " \t\r\n";
    WholeEntries found;
    found.json = R"({"log_history": [)";
    const std::size_t key = text.find("\"log_history\"");
    std::size_t at = key == std::string_view::npos ? key : text.find('[', key);
    simdjson::dom::parser parser;
    while (at != std::string_view::npos) {
        const std::size_t begin = text.find_first_not_of(kBlank, at + 1);
        if (begin == std::string_view::npos || text[begin] != '{')
            break;
        const std::size_t end = end_of_object(text, begin);
        if (end == std::string_view::npos)
            break;
        const std::string entry = formats::with_quoted_words(text.substr(begin, end - begin));
        if (parser.parse(simdjson::padded_string(entry)).error() != simdjson::SUCCESS)
            break;
        found.json.append(found.any ? "," : "").append(entry);
        found.any = true;
        found.end = end;
        at = text.find_first_not_of(kBlank, end);
        if (at != std::string_view::npos && text[at] != ',')
            break;
    }
    found.json += "]}";
    return found;
}

class TrainerStateTail final : public MetricsTail {
  public:
    explicit TrainerStateTail(fs::path file) : file_(std::move(file)), points_(widgets::EarlierStep::RepeatOvertakes) {}

    bool poll(CurveBatch& batch, std::uint64_t) override {
        bool waited = torn_since_ > 0 && monotonic_seconds() - torn_since_ >= LineTail::kLastLineWaits;
        const Newest newest = find();
        problem_ = {};
        if (newest.path.empty()) {
            if (!read_.path.empty())
                problem_ = Message("{} was deleted: the data read so far stays visible", read_.path.string());
            return true;
        }
        if (newest == read_ && !waited) {
            problem_ = damage_;
            return true;
        }
        std::string text;
        try {
            text = read_regular_file(newest.path, kLargest);
        } catch (const UserError& error) {
            problem_ = message_of(error);
            return true;
        }
        const std::string name = newest.path.string();
        const Taken taken = take(text, batch);
        if (taken != Taken::damaged) {
            read_ = newest;
            torn_since_ = 0;
            damage_ = taken == Taken::history
                          ? Message()
                          : Message("{} has no log_history, where the trainer of transformers writes its curves", name);
            problem_ = damage_;
            return true;
        }
        // It may be in the middle of being written.
        waited = waited || fs::file_time_type::clock::now() - newest.written >
                               std::chrono::duration<double>(LineTail::kLastLineWaits);
        const WholeEntries whole = whole_entries(text);
        if (whole.any && (waited || marks_.empty()))
            take(whole.json, batch);
        if (waited) {
            read_ = newest;
            torn_since_ = 0;
            damage_ = text.empty() ? Message("{} is empty", name)
                      : whole.any  ? Message(
                                         "{} is cut off or damaged at byte {}: everything before it is "
                                          "shown",
                                         name, whole.end)
                                  : Message("{} cannot be read: it is not whole, or no JSON", name);
        } else if (torn_since_ == 0) {
            torn_since_ = monotonic_seconds();
        }
        problem_ = damage_;
        return true;
    }

    std::vector<Message> problems() const override {
        return problem_.empty() ? std::vector<Message>() : std::vector{problem_};
    }
    bool hasOpenEnd() const override { return torn_since_ > 0; }

  private:
    struct Newest {
        fs::path path;
        fs::file_time_type written;
        std::uintmax_t size = 0;
        bool operator==(const Newest&) const = default;
    };

    /// The one written last; of two of the same time the one of the later checkpoint.
    Newest find() const {
        Newest newest;
        std::int64_t newest_step = -1;
        const auto consider = [&](const fs::path& path, std::int64_t step) {
            std::error_code error;
            Newest one{path, fs::last_write_time(path, error), 0};
            if (!error)
                one.size = fs::file_size(path, error);
            if (error || !fs::is_regular_file(path, error))
                return;
            if (newest.path.empty() || one.written > newest.written ||
                (one.written == newest.written && step > newest_step)) {
                newest = one;
                newest_step = step;
            }
        };
        std::error_code error;
        for (fs::directory_iterator entry(file_.parent_path(), error), end; !error && entry != end;
             entry.increment(error))
            if (const std::int64_t step = checkpoint_step(entry->path().filename().string()); step >= 0)
                consider(entry->path() / kTrainerState, step);
        consider(file_, INT64_MAX);
        return newest;
    }

    enum class Taken { history, no_history, damaged };

    Taken take(const std::string& text, CurveBatch& batch) {
        simdjson::dom::object state;
        const auto parse = [&](const std::string& json) {
            return parser_.parse(simdjson::padded_string(json)).get(state) == simdjson::SUCCESS;
        };
        if (!parse(text) && !parse(formats::with_quoted_words(text)))
            return Taken::damaged;
        simdjson::dom::array history;
        if (state["log_history"].get(history) != simdjson::SUCCESS)
            return Taken::no_history;
        std::vector<std::size_t> marks;
        std::size_t same = 0;
        for (const auto entry : history) {
            marks.push_back(std::hash<std::string>()(simdjson::minify(entry)));
            if (same + 1 == marks.size() && same < marks_.size() && marks_[same] == marks[same])
                ++same;
        }
        if (same < marks_.size()) {
            batch.changes.push_back({CurveChange::Kind::Reset, {}, 0, {}});
            same = 0;
        }
        marks_ = std::move(marks);
        std::size_t at = 0;
        for (const auto entry : history) {
            simdjson::dom::object object;
            if (at++ < same || entry.get(object) != simdjson::SUCCESS)
                continue;
            formats::JsonRecord record;
            reader_.take(object, record);
            if (!record.step)
                continue;
            for (const auto& [tag, value] : record.numbers)
                points_.add(tags_.number(tag), {*record.step, std::nan(""), value});
        }
        points_.flush(batch, [this](int tag) { return tags_.name(tag); });
        return Taken::history;
    }

    fs::path file_;
    Newest read_;
    std::vector<std::size_t> marks_;  ///< hashes of the entries that were taken
    double torn_since_ = 0;           ///< monotonic seconds
    Message problem_, damage_;
    simdjson::dom::parser parser_;
    formats::JsonReader reader_;
    events::TagTable tags_;
    PointCollector points_;
};

}  // namespace

std::int64_t checkpoint_step(const std::string& name) {
    if (!name.starts_with(kCheckpoint))
        return -1;
    return parse_number<std::int64_t>(std::string_view(name).substr(kCheckpoint.size())).value_or(-1);
}

std::unique_ptr<MetricsTail> make_trainer_state_tail(std::filesystem::path file) {
    return std::make_unique<TrainerStateTail>(std::move(file));
}

}  // namespace trainyard::desktop
