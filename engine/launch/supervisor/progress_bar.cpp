// SPDX-License-Identifier: GPL-3.0-or-later
#include "launch/supervisor/progress_bar.h"

#include <algorithm>
#include <array>
#include <cctype>
#include <cmath>
#include <optional>
#include <vector>

#include "base/letter_case.h"
#include "base/number.h"
#include "base/text.h"

namespace trainyard::launch {

namespace {

constexpr std::size_t kLongestLine = 4096;
constexpr std::size_t kMostBars = 64;     // bounds memory if a program gives each bar a new name
constexpr std::size_t kMostFigures = 64;  // names; bounds the number of curves in the same way

bool is_digit(char c) {
    return c >= '0' && c <= '9';
}
bool is_word(char c) {
    return std::isalnum(static_cast<unsigned char>(c)) != 0 || c == '_';
}

/// Parses the number at `at` and moves `at` past it; `1.2e-05`, `nan`, `1,234` up to the comma.
std::optional<double> number_at(std::string_view text, std::size_t& at) {
    std::string_view rest = text.substr(at);
    const auto value = take_number<double>(rest);
    at = text.size() - rest.size();
    return value;
}

std::optional<std::int64_t> whole_at(std::string_view text, std::size_t& at) {
    std::string_view rest = text.substr(at);
    const auto value = take_number<std::int64_t>(rest);
    at = text.size() - rest.size();
    return value;
}

struct Count {
    std::int64_t step = 0, of = 0;
    std::size_t begin = 0, end = 0;
};

/// The first `12/100`, blanks allowed around the slash; not part of a path, a date or a longer number.
std::optional<Count> find_count(std::string_view text, std::size_t from = 0) {
    for (std::size_t slash = text.find('/', from); slash != std::string_view::npos; slash = text.find('/', slash + 1)) {
        std::size_t end = slash;
        while (end > from && text[end - 1] == ' ')
            --end;
        std::size_t begin = end;
        while (begin > from && is_digit(text[begin - 1]))
            --begin;
        std::size_t at = slash + 1;
        while (at < text.size() && text[at] == ' ')
            ++at;
        if (begin == end ||
            (begin > 0 && (is_word(text[begin - 1]) || text[begin - 1] == '/' || text[begin - 1] == '.')))
            continue;
        Count count;
        count.begin = begin;
        auto step = whole_at(text, begin);
        auto of = at < text.size() && is_digit(text[at]) ? whole_at(text, at) : std::nullopt;
        if (!step || !of || (at < text.size() && (is_word(text[at]) || text[at] == '/' || text[at] == '.')))
            continue;
        count.step = *step;
        count.of = *of;
        count.end = at;
        return count;
    }
    return std::nullopt;
}

constexpr std::string_view kScales = "kMGTPE";  ///< of tqdm, a thousand times the one before

/// A count of tqdm, which unit_scale shortens: `45`, `1.20k`, `3.4M`.
std::optional<std::int64_t> scaled_count(std::string_view text) {
    text = text::trimmed(text);
    const auto number = take_number<double>(text);
    if (!number || !(*number >= 0) || text.size() > 1)
        return std::nullopt;
    double scale = 1;
    if (!text.empty()) {
        const std::size_t place = kScales.find(text.front());
        if (place == std::string_view::npos)
            return std::nullopt;
        scale = std::pow(1000.0, static_cast<double>(place + 1));
    }
    constexpr double kMost = 1e15;
    return *number * scale <= kMost ? std::optional(std::llround(*number * scale)) : std::nullopt;
}

/// `45/100`, `1.20k/5.00k`: the whole text.
std::optional<Count> scaled_counts(std::string_view text) {
    const std::size_t slash = text.find('/');
    if (slash == std::string_view::npos)
        return std::nullopt;
    const auto step = scaled_count(text.substr(0, slash)), of = scaled_count(text.substr(slash + 1));
    return step && of ? std::optional(Count{*step, *of, 0, text.size()}) : std::nullopt;
}

/// `00:15`, `1:02:03`, `2 days, ...` is not read.
std::optional<double> clock_at(std::string_view text, std::size_t at) {
    double seconds = 0;
    int parts = 0;
    while (at < text.size() && is_digit(text[at])) {
        seconds = seconds * 60 + static_cast<double>(*whole_at(text, at));
        ++parts;
        if (at >= text.size() || text[at] != ':')
            break;
        ++at;
    }
    return parts >= 2 ? std::optional(seconds) : std::nullopt;
}

/// True for bars that do not count training steps, such as those of downloads or of an evaluation.
bool is_aside(const std::string& description, std::string_view unit) {
    constexpr std::array kWords = {"eval",  "valid",  "test", "predict", "download", "load",   "map",  "token",
                                   "gener", "filter", "sav",  "fetch",   "upload",   "sanity", "pack", "process"};
    if (std::ranges::any_of(kWords, [&](const char* word) { return description.find(word) != std::string::npos; }))
        return true;
    return unit == "examples" || unit == "files" || unit == "file" || unit == "docs" || unit.ends_with("B");
}

/// `Epoch 2/10`, `epoch: 3`
void find_epoch(std::string_view text, double& epoch, double& epochs) {
    std::string small = text::lower(text);
    std::size_t at = small.find("epoch");
    if (at == std::string::npos)
        return;
    at += 5;
    while (at < small.size() &&
           (small[at] == ' ' || small[at] == ':' || small[at] == '=' || small[at] == '#' || small[at] == '['))
        ++at;
    if (at >= small.size() || !is_digit(small[at]))
        return;
    if (auto both = find_count(std::string_view(small).substr(at)); both && both->begin == 0) {
        epoch = static_cast<double>(both->step);
        epochs = static_cast<double>(both->of);
    } else if (auto one = number_at(small, at)) {
        epoch = *one;
        epochs = 0;
    }
}

/// A description without its figures: the bar of epoch 2 is the bar of epoch 1.
std::string bar_name(std::string_view description) {
    std::string name = "bar ";  // one without a description has a name, too
    for (char c : text::lower(description))
        if (!is_digit(c) && c != ' ' && c != '/' && c != ':')
            name += c;
    return name;
}

/// What stands between the bar and its count, `it` of `3.4it/s`.
std::string_view unit_of(std::string_view rate) {
    std::size_t per = rate.find("/s");
    if (per == std::string_view::npos)
        return {};
    std::size_t begin = per;
    while (begin > 0 && std::isalpha(static_cast<unsigned char>(rate[begin - 1])) != 0)
        --begin;
    return rate.substr(begin, per - begin);
}

struct Pair {
    std::string key;
    double value = 0;
    bool is_marked = false;  ///< written with a colon or an equals sign
};

/// Every `key: 1.2`, `key=1.2`, `'key': '1.2'`, `key 1.2`, in the order of the line.
std::vector<Pair> pairs_of(std::string_view line) {
    std::vector<Pair> pairs;
    for (std::size_t at = 0; at < line.size();) {
        if (std::isalpha(static_cast<unsigned char>(line[at])) == 0 || (at > 0 && is_word(line[at - 1]))) {
            ++at;
            continue;
        }
        std::size_t begin = at;
        while (at < line.size() && (is_word(line[at]) || line[at] == '/' || line[at] == '-'))
            ++at;
        std::string_view key = line.substr(begin, at - begin);
        std::size_t value = at;
        while (value < line.size() && std::string_view(" \t'\":=#[(").find(line[value]) != std::string_view::npos)
            ++value;
        if (value == at || value >= line.size() || value - at > 8)
            continue;
        std::size_t word = value + (line[value] == '-' ? 1 : 0), behind = word;
        while (behind < line.size() && is_word(line[behind]))
            ++behind;
        const std::string name = text::lower(line.substr(word, behind - word));
        bool number = name == "nan" || name == "inf" || name == "infinity" || is_digit(line[value]) ||
                      ((line[value] == '-' || line[value] == '.') && value + 1 < line.size() &&
                       (is_digit(line[value + 1]) || line[value + 1] == '.'));
        if (!number)
            continue;
        std::size_t end = value;
        if (auto found = number_at(line, end)) {
            const std::string_view between = line.substr(begin + key.size(), value - begin - key.size());
            pairs.push_back({text::lower(key), *found, between.find_first_of(":=") != std::string_view::npos});
            at = end;
        }
    }
    return pairs;
}

bool is_one_of(const std::string& key, std::initializer_list<const char*> names) {
    return std::ranges::any_of(names, [&](const char* name) { return key == name; });
}

/// `step 20/100`, `Iter [20/100]`
std::optional<Count> step_count(std::string_view line) {
    if (line.find('/') == std::string_view::npos)
        return std::nullopt;
    const std::string small = text::lower(line);
    for (const char* word : {"step", "iter"}) {
        const std::size_t at = small.find(word);
        if (at == std::string::npos)
            continue;
        const auto found = find_count(small, at);
        if (found && found->begin - at < 16 && found->of > 0 && found->step <= found->of)
            return found;
    }
    return std::nullopt;
}

bool is_step(const Pair& pair) {
    return is_one_of(pair.key, {"step", "iter", "iteration", "global_step"}) && pair.value >= 0 && pair.value < 1e15 &&
           pair.value == std::floor(pair.value);
}

bool put(std::optional<double>& place, double value) {
    if (place == value || (place && std::isnan(*place) && std::isnan(value)))
        return false;
    place = value;
    return true;
}

}  // namespace

std::string without_escapes(std::string_view line) {
    std::string out;
    out.reserve(line.size());
    for (std::size_t i = 0; i < line.size(); ++i) {
        if (line[i] != '\x1b') {
            out += line[i];
            continue;
        }
        if (i + 1 < line.size() && line[i + 1] == '[') {  // CSI: up to a letter
            for (i += 2; i < line.size() && (line[i] < '@' || line[i] > '~'); ++i) {
            }
        } else if (i + 1 < line.size() && line[i + 1] == ']') {  // OSC: up to BEL or ESC backslash
            for (i += 2; i < line.size() && line[i] != '\a' && line[i] != '\\'; ++i) {
            }
        } else {
            ++i;
        }
    }
    return out;
}

bool ProgressBars::read(std::string_view bytes, bool standard_error) {
    Stream& stream = streams_[standard_error ? 1 : 0];
    bool changed = false;
    while (!bytes.empty()) {
        std::size_t end = bytes.find_first_of("\r\n\b");  // Keras 2 draws with backspaces
        std::string_view part = bytes.substr(0, end);
        std::size_t room = kLongestLine - std::min(kLongestLine, stream.pending.size());
        stream.overlong = stream.overlong || part.size() > room;
        stream.pending.append(part.substr(0, room));
        if (end == std::string_view::npos)
            break;
        if (!stream.pending.empty() && !stream.overlong)
            changed = take(stream.pending) || changed;
        stream.pending.clear();
        stream.overlong = false;
        bytes.remove_prefix(end + 1);
    }
    // tqdm ends a line only when it draws the next one, which may be minutes later; a whole bar is known by its bracket.
    if (!stream.pending.empty() && !stream.overlong && stream.pending.back() == ']')
        changed = take(stream.pending) || changed;
    return changed;
}

bool ProgressBars::take(std::string_view line) {
    std::string plain = line.find('\x1b') == std::string_view::npos ? std::string(line) : without_escapes(line);
    bool bar = take_bar(plain);
    const bool changed = take_numbers(plain) || bar;
    find_figures(plain);
    return changed;
}

bool ProgressBars::take_bar(std::string_view line) {
    // tqdm: `desc:  45%|###   | 45/100 [00:12<00:15,  3.62it/s, loss=1.2]`
    std::size_t percent = line.find("%|");
    std::size_t drawn = percent == std::string_view::npos ? percent : line.find("| ", percent + 2);
    if (drawn != std::string_view::npos) {
        std::size_t bracket = line.find('[', drawn);
        if (bracket == std::string_view::npos)
            return false;
        auto found = scaled_counts(line.substr(drawn + 2, bracket - drawn - 2));
        if (!found)
            return false;
        std::string_view head = text::trimmed(line.substr(0, percent));
        while (!head.empty() && is_digit(head.back()))
            head.remove_suffix(1);
        std::string description = text::lower(head);
        std::string_view rate = line.substr(bracket);
        if (is_aside(description, unit_of(rate)))
            return false;
        double epoch = -1, epochs = 0;
        find_epoch(description, epoch, epochs);
        bool changed = count(bar_name(description), found->step, found->of, epoch, epochs);
        std::size_t less = rate.find('<');
        auto left = less == std::string_view::npos ? std::nullopt : clock_at(rate, less + 1);
        if (main_bar_ == bar_name(description) && left && progress_.step == found->step)
            changed = put(progress_.eta_s, *left) || changed;
        return changed;
    }
    if (take_endless_bar(line))
        return true;
    // rich with its count (`Training ━━━╸━━ 45/100 0:00:15`), Keras (`45/100 ━━━━ 3s 20ms/step - loss: 1.2`, `45/100 [==>...]`)
    std::size_t mark =
        std::min({line.find("\u2501"), line.find("\u2578"), line.find("\u257a"), line.find("[="), line.find("[>")});
    if (mark == std::string_view::npos)
        return false;
    auto found = find_count(line);
    if (!found)
        return false;
    bool keras = found->begin == line.find_first_not_of(' ');
    std::string description =
        keras ? "keras" : text::lower(text::trimmed(line.substr(0, std::min(mark, found->begin))));
    if (is_aside(description, {}))
        return false;
    double epoch = keras ? line_epoch_ : -1, epochs = keras ? line_epochs_ : 0;
    if (!keras)
        find_epoch(description, epoch, epochs);
    return count(bar_name(description), found->step, found->of, epoch, epochs);
}

/// tqdm without a total: `desc: 45it [00:12,  3.62it/s, loss=1.2]`
bool ProgressBars::take_endless_bar(std::string_view line) {
    const std::size_t bracket = line.find('[');
    if (bracket == std::string_view::npos || bracket < 2 || line[bracket - 1] != ' ' ||
        !clock_at(line, bracket + 1).has_value())
        return false;
    std::string_view counted = text::trimmed(line.substr(0, bracket));
    std::size_t unit = counted.size();
    while (unit > 0 && std::isalpha(static_cast<unsigned char>(counted[unit - 1])) != 0)
        --unit;
    std::size_t begin = unit;
    while (begin > 0 && (is_digit(counted[begin - 1]) || counted[begin - 1] == '.'))
        --begin;
    if (begin == unit || unit == counted.size() || (begin > 0 && counted[begin - 1] != ' '))
        return false;
    // The unit follows the scale of the count: `1.20kit`.
    const std::string_view name = counted.substr(unit);
    const bool scaled = counted.substr(begin, unit - begin).find('.') != std::string_view::npos &&
                        kScales.find(name.front()) != std::string_view::npos;
    const std::string_view scale = name.substr(0, scaled ? 1 : 0);
    const auto step = scaled_count(std::string(counted.substr(begin, unit - begin)).append(scale));
    const std::string description = text::lower(text::trimmed(counted.substr(0, begin)));
    if (!step || is_aside(description, name))
        return false;
    double epoch = -1, epochs = 0;
    find_epoch(description, epoch, epochs);
    return count(bar_name(description), *step, 0, epoch, epochs);
}

bool ProgressBars::count(const std::string& name, std::int64_t step, std::int64_t of, double epoch, double epochs) {
    if (of < 0 || step < 0 || (of > 0 && step > of))
        return false;
    // Of nested bars the one with the most steps is the run's: a bar of epochs around a bar of batches moves too rarely.
    if (bars_.size() >= kMostBars && !bars_.contains(name))
        return false;
    Bar& bar = bars_[name];
    if (epoch >= 0 && bar.epoch >= 0 && epoch > bar.epoch)
        bar.before += std::max(bar.of, bar.step);  // bars of one epoch each
    bar.epoch = std::max(bar.epoch, epoch);
    bar.of = of;
    bar.step = step;
    auto size = [](const Bar& other) { return other.before + std::max(other.of, other.step); };
    if (main_bar_ != name && (main_bar_.empty() || !bars_.contains(main_bar_) || size(bar) > size(bars_[main_bar_]))) {
        main_bar_ = name;
        progress_.eta_s.reset();
    }
    if (main_bar_ != name)
        return false;
    std::int64_t now = bar.before + step;
    std::int64_t all = of == 0 ? 0 : epochs > 0 ? static_cast<std::int64_t>(epochs) * of : bar.before + of;
    bool changed = progress_.step != now || progress_.of != all;
    progress_.step = now;
    progress_.of = all;
    if (bar.epoch >= 0)
        progress_.epoch = std::max(progress_.epoch, bar.epoch);
    return changed;
}

bool ProgressBars::take_numbers(std::string_view line) {
    if (std::string_view text = text::trimmed(line); text::lower(text.substr(0, 5)) == "epoch" && text.size() < 24) {
        double epoch = -1, epochs = 0;
        find_epoch(text, epoch, epochs);
        if (epochs > 0) {
            line_epoch_ = epoch;
            line_epochs_ = epochs;
        }
    }
    bool changed = false;
    bool counted = !main_bar_.empty();  // a bar counts better than a word
    for (const Pair& pair : pairs_of(line)) {
        if (is_one_of(pair.key, {"loss", "train_loss", "train/loss", "training_loss", "train-loss"})) {
            changed = put(progress_.loss, pair.value) || changed;
        } else if (is_one_of(pair.key,
                             {"val_loss", "eval_loss", "valid_loss", "validation_loss", "eval/loss", "val/loss"})) {
            changed = put(progress_.validation_loss, pair.value) || changed;
        } else if (!std::isfinite(pair.value)) {
            continue;  // a loss that is not finite is news; other figures are not
        } else if (is_one_of(pair.key, {"epoch"})) {
            if (pair.value >= 0 && pair.value > progress_.epoch) {
                progress_.epoch = pair.value;
                changed = true;
            }
        } else if (is_one_of(pair.key,
                             {"tokens_per_second", "tokens_per_s", "tokens/s", "train_tokens_per_second", "tok/s"})) {
            changed = put(progress_.tokens_per_s, pair.value) || changed;
        } else if (!counted && is_step(pair) && static_cast<std::int64_t>(pair.value) > progress_.step) {
            progress_.step = static_cast<std::int64_t>(pair.value);
            changed = true;
        }
    }
    if (counted)
        return changed;
    if (const auto found = step_count(line); found && (found->of != progress_.of || found->step != progress_.step)) {
        progress_.step = std::max(progress_.step, found->step);
        progress_.of = found->of;
        return true;
    }
    return changed;
}

void ProgressBars::find_figures(std::string_view line) {
    const std::vector<Pair> pairs = pairs_of(line);
    if (pairs.empty())
        return;
    const bool has_loss = std::ranges::any_of(pairs, [](const Pair& pair) { return pair.key.ends_with("loss"); });
    const auto step = std::ranges::find_if(pairs, is_step);
    const std::optional<Count> count = step_count(line);
    const bool counted = !main_bar_.empty();
    const std::size_t drawn = std::min(line.find("%|"), line.find("\u2501"));
    if (!has_loss && step == pairs.end() && !count && drawn == std::string_view::npos &&
        std::ranges::find(pairs, std::string("epoch"), &Pair::key) == pairs.end())
        return;
    if (drawn != std::string_view::npos && is_aside(text::lower(line.substr(0, drawn)), {}))
        return;
    const bool is_named = !counted && (step != pairs.end() || count);
    if (is_named) {
        const std::int64_t now = count ? count->step : static_cast<std::int64_t>(step->value);
        if (now < line_step_)  // the next epoch
            steps_before_ += line_step_ + (now == 0 ? 1 : 0);
        line_step_ = now;
    }
    const std::int64_t at = counted ? progress_.step : steps_before_ + line_step_;
    for (const Pair& pair : pairs) {
        if (is_step(pair) || pair.key == "epoch" || (!pair.is_marked && !has_loss) ||
            (!printed_.contains(pair.key) && printed_.size() >= kMostFigures))
            continue;
        const std::int64_t times = ++printed_[pair.key];
        figures_.push_back({pair.key, at > 0 || is_named ? at : times, pair.value});
    }
}

}  // namespace trainyard::launch
