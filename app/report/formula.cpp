// SPDX-License-Identifier: GPL-3.0-or-later
#include "report/formula.h"

#include <algorithm>
#include <array>
#include <charconv>
#include <cmath>
#include <utility>

#include <fmt/format.h>
#include <fmt/ranges.h>

namespace trainyard::report {

using widgets::Series;
using widgets::SeriesPoint;

namespace {

struct Function {
    const char* name;
    std::size_t least, most;  ///< arguments
};
enum FunctionIndex {
    kAbs,
    kCeil,
    kCumMax,
    kCumMin,
    kCumSum,
    kDiff,
    kExp,
    kFloor,
    kLog,
    kLog10,
    kLog2,
    kMax,
    kMin,
    kPow,
    kRound,
    kSmooth,
    kSqrt
};
constexpr std::size_t kManyArguments = 16;
constexpr std::array kFunctions{Function{"abs", 1, 1},
                                Function{"ceil", 1, 1},
                                Function{"cummax", 1, 1},
                                Function{"cummin", 1, 1},
                                Function{"cumsum", 1, 1},
                                Function{"diff", 1, 1},
                                Function{"exp", 1, 1},
                                Function{"floor", 1, 1},
                                Function{"log", 1, 1},
                                Function{"log10", 1, 1},
                                Function{"log2", 1, 1},
                                Function{"max", 2, kManyArguments},
                                Function{"min", 2, kManyArguments},
                                Function{"pow", 2, 2},
                                Function{"round", 1, 1},
                                Function{"smooth", 2, 2},
                                Function{"sqrt", 1, 1}};

bool is_letter(char c) {
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '_' || static_cast<unsigned char>(c) >= 0x80;
}

bool is_digit(char c) {
    return c >= '0' && c <= '9';
}

bool is_of_name(char c) {
    return is_letter(c) || is_digit(c) || c == '.' || c == '#' || c == '@';
}

/// Bytes of the name at the beginning of the text.
std::size_t name_length(std::string_view text) {
    if (text.empty() || !is_letter(text.front()))
        return 0;
    std::size_t at = 1;
    while (at < text.size() &&
           (is_of_name(text[at]) || (text[at] == '/' && at + 1 < text.size() && is_of_name(text[at + 1]))))
        ++at;
    return at;
}

/// Characters of UTF-8, not counting the bytes after the first of each.
std::size_t characters(std::string_view text) {
    return static_cast<std::size_t>(
        std::ranges::count_if(text, [](char c) { return (static_cast<unsigned char>(c) & 0xc0) != 0x80; }));
}

}  // namespace

class FormulaParser {
  public:
    explicit FormulaParser(Formula& formula) : formula_(formula), text_(formula.text_) {}

    void parse() {
        if (text_.size() > Formula::kLongest)
            throw UserError("a formula has at most {} bytes, and this one has {}", Formula::kLongest, text_.size());
        formula_.root_ = sum();
        skip();
        if (at_ < text_.size())
            unexpected();
    }

  private:
    using Kind = Formula::Node::Kind;

    /// Bounds recursion.
    class Level {
      public:
        explicit Level(FormulaParser& parser) : parser_(parser) {
            if (++parser_.depth_ > Formula::kDeepest)
                throw UserError("position {}: a formula is nested at most {} times", parser_.position(),
                                Formula::kDeepest);
        }
        ~Level() { --parser_.depth_; }
        Level(const Level&) = delete;
        Level& operator=(const Level&) = delete;

      private:
        FormulaParser& parser_;
    };

    std::size_t position() const { return position(at_); }
    std::size_t position(std::size_t at) const { return characters(text_.substr(0, at)) + 1; }
    void skip() {
        while (at_ < text_.size() && (text_[at_] == ' ' || text_[at_] == '\t'))
            ++at_;
    }
    bool take(char c) {
        skip();
        if (at_ >= text_.size() || text_[at_] != c)
            return false;
        ++at_;
        return true;
    }
    [[noreturn]] void unexpected() {
        std::size_t end = at_ + 1;
        while (end < text_.size() && (static_cast<unsigned char>(text_[end]) & 0xc0) == 0x80)
            ++end;
        const std::string_view what = text_.substr(at_, end - at_);
        if (at_ > 0 && is_letter(text_[at_]))
            throw UserError(
                "position {}: “{}” is not expected here: the name of a metric with blanks is written in "
                "quotation marks",
                position(), what);
        throw UserError("position {}: “{}” is not expected here", position(), what);
    }
    int add(Formula::Node node) {
        formula_.nodes_.push_back(std::move(node));
        return static_cast<int>(formula_.nodes_.size()) - 1;
    }

    int sum() {
        int left = product();
        while (true) {
            if (take('+'))
                left = add({.kind = Kind::Add, .children = {left, product()}});
            else if (take('-'))
                left = add({.kind = Kind::Subtract, .children = {left, product()}});
            else
                return left;
        }
    }
    int product() {
        int left = sign();
        while (true) {
            if (take('*'))
                left = add({.kind = Kind::Multiply, .children = {left, sign()}});
            else if (take('/'))
                left = add({.kind = Kind::Divide, .children = {left, sign()}});
            else
                return left;
        }
    }
    int sign() {
        const Level level(*this);
        if (take('-'))
            return add({.kind = Kind::Negate, .children = {sign()}});
        if (take('+'))
            return sign();
        const int base = value();
        return take('^') ? add({.kind = Kind::Power, .children = {base, sign()}}) : base;
    }
    int value() {
        skip();
        if (at_ == text_.size())
            throw UserError("position {}: the formula ends where a number, a metric or “(” is expected", position());
        const char c = text_[at_];
        if (is_digit(c) || c == '.')
            return number();
        if (c == '"' || c == '`')
            return quoted(c);
        const std::size_t open = at_;
        if (take('(')) {
            const int inner = sum();
            close(open);
            return inner;
        }
        const std::size_t length = name_length(text_.substr(at_));
        if (length == 0)
            unexpected();
        const std::size_t from = at_;
        at_ += length;
        const std::string_view name = text_.substr(from, length);
        const std::size_t bracket = (skip(), at_);
        if (take('('))
            return call(name, from, bracket);
        at_ = from + length;
        return add({.kind = Kind::Name, .index = name_index(name, from)});
    }
    int number() {
        double value = 0;
        const auto [end, error] = std::from_chars(text_.data() + at_, text_.data() + text_.size(), value);
        const auto length = static_cast<std::size_t>(end - (text_.data() + at_));
        if (error != std::errc() || length == 0)
            throw UserError("position {}: this is not a number", position());
        at_ += length;
        return add({.number = value});
    }
    int quoted(char mark) {
        const std::size_t end = text_.find(mark, at_ + 1);
        if (end == std::string_view::npos)
            throw UserError("position {}: the quotation mark is not closed", position());
        const std::size_t from = at_;
        at_ = end + 1;
        if (end == from + 1)
            throw UserError("position {}: the name of a metric is empty", position(from));
        return add({.kind = Kind::Name, .index = name_index(text_.substr(from + 1, end - from - 1), from)});
    }
    int call(std::string_view name, std::size_t from, std::size_t bracket) {
        const auto found = std::ranges::find(kFunctions, name, &Function::name);
        if (found == kFunctions.end()) {
            std::vector<std::string_view> names;
            for (const Function& function : kFunctions)
                names.emplace_back(function.name);
            throw UserError("position {}: {} is not a function: they are {}", position(from), name,
                            fmt::to_string(fmt::join(names, ", ")));
        }
        Formula::Node node{.kind = Kind::Call, .index = static_cast<int>(found - kFunctions.begin())};
        do
            node.children.push_back(sum());
        while (take(','));
        close(bracket);
        if (const std::size_t count = node.children.size(); count < found->least || count > found->most)
            throw UserError("position {}: {}() has {} arguments, and {} are given", position(from), name,
                            found->most > 2 ? "2 or more" : std::to_string(found->least), count);
        return add(std::move(node));
    }
    void close(std::size_t open) {
        if (take(')'))
            return;
        skip();
        if (at_ == text_.size())
            throw UserError("position {}: “(” is not closed", position(open));
        unexpected();
    }
    int name_index(std::string_view name, std::size_t from) {
        auto& names = formula_.names_;
        auto found = std::ranges::find(names, name, &Formula::Name::name);
        if (found == names.end()) {
            names.push_back({std::string(name), position(from)});
            found = names.end() - 1;
        }
        return static_cast<int>(found - names.begin());
    }

    Formula& formula_;
    std::string_view text_;
    std::size_t at_ = 0;
    int depth_ = 0;
};

Formula::Formula(std::string text) : text_(std::move(text)) {
    FormulaParser(*this).parse();
}

std::string Formula::quoted(std::string_view metric) {
    const bool plain = name_length(metric) == metric.size() && !metric.empty();
    const char mark = metric.find('"') == std::string_view::npos ? '"' : '`';
    return plain ? std::string(metric) : fmt::format("{0}{1}{0}", mark, metric);
}

double Formula::value(const double* values, State& state) const {
    if (state.last.size() != nodes_.size()) {
        state.last.assign(nodes_.size(), widgets::kNoNumber);
        state.weight.assign(nodes_.size(), 0);
        state.count.assign(nodes_.size(), 0);
    }
    return value(root_, values, state);
}

double Formula::value(int number, const double* values, State& state) const {
    const auto place = static_cast<std::size_t>(number);
    const Node& node = nodes_[place];
    const auto child = [&](std::size_t i) { return value(node.children[i], values, state); };
    switch (node.kind) {
        case Node::Kind::Number:
            return node.number;
        case Node::Kind::Name:
            return values[node.index];
        case Node::Kind::Negate:
            return -child(0);
        case Node::Kind::Add:
            return child(0) + child(1);
        case Node::Kind::Subtract:
            return child(0) - child(1);
        case Node::Kind::Multiply:
            return child(0) * child(1);
        case Node::Kind::Divide:
            return child(0) / child(1);
        case Node::Kind::Power:
            return std::pow(child(0), child(1));
        case Node::Kind::Call:
            break;
    }
    const double x = child(0);
    double& last = state.last[place];
    const bool is_first = std::isnan(last);
    switch (node.index) {
        case kAbs:
            return std::abs(x);
        case kCeil:
            return std::ceil(x);
        case kCumMax:
        case kCumMin:
            if (std::isfinite(x) && (is_first || (node.index == kCumMax ? x > last : x < last)))
                last = x;
            return last;
        case kCumSum:
            if (std::isfinite(x))
                last = is_first ? x : last + x;
            return last;
        case kDiff:
            return x - std::exchange(last, x);
        case kExp:
            return std::exp(x);
        case kFloor:
            return std::floor(x);
        case kLog:
            return std::log(x);
        case kLog10:
            return std::log10(x);
        case kLog2:
            return std::log2(x);
        case kMax:
        case kMin: {
            double best = x;
            for (std::size_t i = 1; i < node.children.size(); ++i) {
                const double other = child(i);
                if (std::isnan(other) || (node.index == kMax ? other > best : other < best))
                    best = other;
            }
            return best;
        }
        case kPow:
            return std::pow(x, child(1));
        case kRound:
            return std::round(x);
        case kSmooth: {
            const double weight = std::clamp(child(1), 0.0, 0.9999);
            if (!std::isfinite(x))
                return x;
            last = is_first ? (1 - weight) * x : last * weight + (1 - weight) * x;
            state.count[place] += 1;
            return last / (1 - std::pow(weight, state.count[place]));
        }
        default:
            return std::sqrt(x);
    }
}

FormulaSeries::FormulaSeries(std::shared_ptr<const Formula> formula, std::vector<Input> inputs)
    : formula_(std::move(formula)), inputs_(std::move(inputs)) {
    for (std::size_t i = 0; i < inputs_.size(); ++i)
        if (inputs_[i].series != nullptr)
            columns_.push_back({.series = inputs_[i].series, .name = static_cast<int>(i)});
}

void FormulaSeries::follow() {
    const bool is_cut = std::ranges::any_of(columns_, [](const Column& column) {
        return column.series->cuts() != column.cuts || column.series->size() < column.at;
    });
    if (is_cut) {
        out_.clear();
        state_.clear();
        for (Column& column : columns_) {
            column.at = 0;
            column.cuts = column.series->cuts();
        }
    }
    std::vector<double> values(inputs_.size());
    std::vector<SeriesPoint> points;
    while (std::ranges::all_of(columns_, [](const Column& column) { return column.at < column.series->size(); })) {
        std::int64_t step = columns_.front().series->step(columns_.front().at);
        for (const Column& column : columns_)
            step = std::max(step, column.series->step(column.at));
        bool is_shared = true;
        for (Column& column : columns_)
            if (column.series->step(column.at) < step) {
                // Both columns ascend: nothing before the later step can be shared.
                column.at = column.series->lowerBound(static_cast<double>(step), {});
                is_shared = false;
            }
        if (!is_shared)
            continue;
        double wall_time = 0;
        for (Column& column : columns_) {
            while (column.at + 1 < column.series->size() && column.series->step(column.at + 1) == step)
                ++column.at;
            const SeriesPoint point = column.series->point(column.at++);
            values[static_cast<std::size_t>(column.name)] = point.value;
            if (&column == &columns_.front())
                wall_time = point.wall_time;
        }
        for (std::size_t i = 0; i < inputs_.size(); ++i)
            if (inputs_[i].series == nullptr)
                values[i] = inputs_[i].position(step, wall_time);
        points.push_back({step, wall_time, formula_->value(values.data(), state_)});
    }
    out_.append(points);
}

bool FormulaSeries::isDisjoint() const {
    return out_.empty() && !columns_.empty() &&
           std::ranges::none_of(columns_, [](const Column& column) { return column.series->empty(); });
}

}  // namespace trainyard::report
