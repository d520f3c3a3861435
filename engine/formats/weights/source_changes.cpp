// SPDX-License-Identifier: GPL-3.0-or-later
#include "formats/weights/source_changes.h"

#include <algorithm>
#include <cmath>
#include <map>
#include <numeric>
#include <set>
#include <sstream>

#include <fmt/format.h>
#include <fmt/ranges.h>
#include <nlohmann/json.hpp>

#include "base/error.h"
#include "base/json.h"
#include "base/text.h"
#include "base/text_file.h"
#include "formats/weights/elements.h"
#include "formats/weights/safetensors.h"

namespace trainyard::weights {

namespace {

using Piece = std::span<const std::byte>;
using PieceSink = std::function<void(Piece)>;

constexpr std::size_t kAtOnce = 4u << 20;  ///< bytes converted at a time
constexpr std::size_t kMostShown = 5;

/// A source whose tensors are some of another one's.
class Selected : public WeightSource {
  public:
    explicit Selected(std::unique_ptr<WeightSource> source) : source_(std::move(source)) { notes_ = source_->notes(); }
    void stream(std::size_t tensor, const PieceSink& sink) const override { source_->stream(from_[tensor], sink); }
    Piece mapped(std::size_t tensor, bool trusted) const override { return source_->mapped(from_[tensor], trusted); }
    std::string kind() const override { return source_->kind(); }

    void take(std::size_t number, std::string name) {
        SourceTensor tensor = source_->tensors()[number];
        tensor.name = std::move(name);
        tensors_.push_back(std::move(tensor));
        from_.push_back(number);
    }
    const WeightSource& source() const { return *source_; }

  private:
    std::unique_ptr<WeightSource> source_;
    std::vector<std::size_t> from_;
};

/// Pieces of a stream, cut so that each has whole elements.
class WholeElements {
  public:
    WholeElements(std::size_t element, PieceSink sink) : element_(element), sink_(std::move(sink)) {}
    void add(Piece piece) {
        if (!rest_.empty()) {
            const std::size_t missing = std::min(element_ - rest_.size(), piece.size());
            rest_.insert(rest_.end(), piece.begin(), piece.begin() + static_cast<std::ptrdiff_t>(missing));
            piece = piece.subspan(missing);
            if (rest_.size() < element_)
                return;
            sink_(rest_);
            rest_.clear();
        }
        const std::size_t whole = piece.size() / element_ * element_;
        for (std::size_t at = 0; at < whole; at += kAtOnce)
            sink_(piece.subspan(at, std::min(kAtOnce, whole - at)));
        rest_.assign(piece.begin() + static_cast<std::ptrdiff_t>(whole), piece.end());
    }

  private:
    std::size_t element_;
    PieceSink sink_;
    std::vector<std::byte> rest_;
};

class Converted final : public WeightSource {
  public:
    Converted(std::unique_ptr<WeightSource> source, const std::string& dtype) : source_(std::move(source)) {
        notes_ = source_->notes();
        for (const SourceTensor& tensor : source_->tensors())
            add(source_->kind(), tensor.name, is_floating(tensor.dtype) ? dtype : tensor.dtype, tensor.shape);
    }
    void stream(std::size_t tensor, const PieceSink& sink) const override {
        const std::string &from = source_->tensors()[tensor].dtype, &to = tensors_[tensor].dtype;
        if (from == to)
            return source_->stream(tensor, sink);
        std::vector<std::byte> out;
        WholeElements whole(dtype_size(from), [&](Piece piece) {
            convert_elements(from, piece, to, out);
            check_range(tensor, piece, out);
            sink(out);
        });
        source_->stream(tensor, [&](Piece piece) { whole.add(piece); });
    }
    std::string kind() const override { return source_->kind(); }

  private:
    /// A finite number that became infinite is another model.
    void check_range(std::size_t tensor, Piece before, Piece after) const {
        const std::string &from = source_->tensors()[tensor].dtype, &to = tensors_[tensor].dtype;
        std::vector<float> numbers(after.size() / dtype_size(to));
        decode_elements(to, after, numbers);
        if (std::ranges::none_of(numbers, [](float number) { return std::isinf(number); }))
            return;
        bool overflows = false;
        with_decoder(from, [&](auto&& element) {
            const std::size_t size = dtype_size(from);
            for (std::size_t i = 0; i < numbers.size() && !overflows; ++i)
                overflows =
                    std::isinf(numbers[i]) && std::isfinite(static_cast<double>(element(before.data() + i * size)));
        });
        if (overflows)
            throw UserError("{} has numbers that {} cannot hold: choose {}", tensors_[tensor].name,
                            to == "F16"    ? "fp16"
                            : to == "BF16" ? "bf16"
                                           : "fp32",
                            to == "F16" ? Message::verbatim("bf16 or fp32") : Message("a wider type"));
    }

    std::unique_ptr<WeightSource> source_;
};

/// A pattern "a*" or "*a": the fixed part, and on which side of it the wildcard is.
struct NamePattern {
    explicit NamePattern(const std::string& text) {
        if (text.ends_with('*')) {
            rest = Rest::behind;
            fixed = text.substr(0, text.size() - 1);
        } else if (text.starts_with('*')) {
            rest = Rest::before;
            fixed = text.substr(1);
        } else {
            fixed = text;
        }
    }
    enum class Rest { none, behind, before } rest = Rest::none;
    std::string fixed;
};

std::optional<std::string> apply(const Rename& row, const std::string& name) {
    const NamePattern from(row.from), to(row.to);
    std::string rest;
    if (from.rest == NamePattern::Rest::none) {
        if (name != from.fixed)
            return std::nullopt;
        return row.to;
    }
    if (from.rest == NamePattern::Rest::behind) {
        if (!name.starts_with(from.fixed))
            return std::nullopt;
        rest = name.substr(from.fixed.size());
    } else {
        if (!name.ends_with(from.fixed))
            return std::nullopt;
        rest = name.substr(0, name.size() - from.fixed.size());
    }
    if (row.to.empty())
        return "";
    return from.rest == NamePattern::Rest::behind ? to.fixed + rest : rest + to.fixed;
}

/// Both sides of a row must have their `*` in the same place. ("*" alone is a star behind nothing; before nothing,
/// too.)
void check_row(const Rename& row, const std::string& where) {
    const auto is_bare = [](const std::string& text) { return text == "*"; };
    const NamePattern from(row.from), to(row.to);
    if (row.from.empty() || std::ranges::count(row.from, '*') > 1 || std::ranges::count(row.to, '*') > 1 ||
        (!row.to.empty() && !is_bare(row.from) && !is_bare(row.to) && from.rest != to.rest) ||
        (!row.to.empty() && (from.rest == NamePattern::Rest::none) != (to.rest == NamePattern::Rest::none)))
        throw UserError(
            "{}: '{} -> {}' is not a valid pair of names: use '*' once, at the beginning or the end, on both sides",
            where, row.from, row.to);
}

class Averaged final : public WeightSource {
  public:
    Averaged(std::vector<std::unique_ptr<WeightSource>> sources, std::vector<double> shares)
        : sources_(std::move(sources)), shares_(std::move(shares)) {
        for (const auto& source : sources_) {
            auto& numbers = numbers_.emplace_back();
            for (std::size_t i = 0; i < source->tensors().size(); ++i)
                numbers.emplace(source->tensors()[i].name, i);
        }
        check();
        for (const auto& source : sources_)
            notes_.insert(notes_.end(), source->notes().begin(), source->notes().end());
        tensors_ = sources_.front()->tensors();
    }

    void stream(std::size_t tensor, const PieceSink& sink) const override {
        const SourceTensor& info = tensors_[tensor];
        if (!is_floating(info.dtype) || dtype_size(info.dtype) == 1)
            return sources_.back()->stream(numbers_.back().at(info.name), sink);
        const std::size_t element = dtype_size(info.dtype), count = info.bytes / element;
        std::vector<double> sum(count, 0.0);
        for (std::size_t i = 0; i < sources_.size(); ++i) {
            std::size_t at = 0;
            WholeElements whole(element, [&](Piece piece) {
                with_decoder(info.dtype, [&](auto&& value) {
                    for (std::size_t k = 0; k < piece.size() / element; ++k)
                        sum[at + k] += shares_[i] * static_cast<double>(value(piece.data() + k * element));
                });
                at += piece.size() / element;
            });
            sources_[i]->stream(numbers_[i].at(info.name), [&](Piece piece) { whole.add(piece); });
        }
        std::vector<std::byte> out;
        for (std::size_t at = 0; at < count; at += kAtOnce / sizeof(double)) {
            const std::size_t size = std::min(kAtOnce / sizeof(double), count - at);
            convert_elements("F64", std::as_bytes(std::span(sum.data() + at, size)), info.dtype, out);
            sink(out);
        }
    }
    std::string kind() const override { return Message("average of {}", sources_.size()); }

  private:
    void check() const {
        std::vector<Message> problems;
        const WeightSource& first = *sources_.front();
        for (std::size_t i = 1; i < sources_.size(); ++i) {
            for (const SourceTensor& tensor : first.tensors()) {
                auto found = numbers_[i].find(tensor.name);
                if (found == numbers_[i].end())
                    problems.push_back(Message("checkpoint {} lacks '{}'", i + 1, tensor.name));
                else if (const SourceTensor& other = sources_[i]->tensors()[found->second];
                         other.shape != tensor.shape || other.dtype != tensor.dtype)
                    problems.push_back(Message("'{}' is {} [{}] in checkpoint {} and {} [{}] in the first", tensor.name,
                                               other.dtype, fmt::join(other.shape, ", "), i + 1, tensor.dtype,
                                               fmt::join(tensor.shape, ", ")));
            }
            for (const SourceTensor& tensor : sources_[i]->tensors())
                if (!numbers_.front().contains(tensor.name))
                    problems.push_back(Message("only checkpoint {} has '{}'", i + 1, tensor.name));
        }
        if (problems.empty())
            return;
        const std::size_t more = problems.size() - std::min(problems.size(), kMostShown);
        problems.resize(problems.size() - more);
        if (more > 0)
            problems.push_back(Message("and {} more", more));
        throw UserError("these checkpoints cannot be averaged: {}", Message::joined(problems));
    }

    std::vector<std::unique_ptr<WeightSource>> sources_;
    std::vector<double> shares_;
    std::vector<std::map<std::string, std::size_t>> numbers_;
};

}  // namespace

std::string dtype_from_user(const std::string& text) {
    static const std::map<std::string, std::string> names{
        {"fp32", "F32"}, {"float32", "F32"}, {"f32", "F32"},   {"bf16", "BF16"}, {"bfloat16", "BF16"},
        {"fp16", "F16"}, {"float16", "F16"}, {"f16", "F16"},   {"half", "F16"},  {"fp64", "F64"},
        {"f64", "F64"},  {"float64", "F64"}, {"double", "F64"}};
    std::string small = text;
    std::ranges::transform(small, small.begin(),
                           [](char c) { return static_cast<char>(c >= 'A' && c <= 'Z' ? c - 'A' + 'a' : c); });
    const auto found = names.find(small);
    if (found == names.end())
        throw UserError("'{}' is not a type for weights: use fp32, bf16, fp16 or fp64", text);
    return found->second;
}

std::unique_ptr<WeightSource> as_dtype(std::unique_ptr<WeightSource> source, const std::string& dtype) {
    return std::make_unique<Converted>(std::move(source), dtype_from_user(dtype));
}

std::unique_ptr<WeightSource> renamed(std::unique_ptr<WeightSource> source, const std::vector<Rename>& table) {
    auto selected = std::make_unique<Selected>(std::move(source));
    std::vector<bool> used(table.size(), false);
    std::map<std::string, std::string> taken;
    const auto& tensors = selected->source().tensors();
    for (std::size_t i = 0; i < tensors.size(); ++i) {
        std::string name = tensors[i].name;
        bool leave_out = false;
        for (std::size_t row = 0; row < table.size(); ++row)
            if (auto changed = apply(table[row], tensors[i].name)) {
                used[row] = true;
                leave_out = table[row].to.empty();
                name = *changed;
                break;
            }
        if (leave_out)
            continue;
        if (name.empty())
            throw UserError("the table leaves '{}' without a name", tensors[i].name);
        if (auto [at, fresh] = taken.emplace(name, tensors[i].name); !fresh)
            throw UserError("'{}' and '{}' would both be called '{}'", at->second, tensors[i].name, name);
        selected->take(i, std::move(name));
    }
    std::vector<std::string> unused;
    for (std::size_t row = 0; row < table.size(); ++row)
        if (!used[row])
            unused.push_back("'" + table[row].from + "'");
    if (!unused.empty())
        throw UserError("no tensor has a name that fits {}: look at the names with `trainyard checkpoints show`",
                        fmt::join(unused, ", "));
    return selected;
}

std::vector<Rename> read_rename_table(const std::filesystem::path& file) {
    const std::string text = text::read_text_file(file);
    std::vector<Rename> rows;
    if (nlohmann::ordered_json json = read_ordered_json(text); json.is_object()) {
        for (const auto& [from, to] : json.items()) {
            if (!to.is_string())
                throw UserError("{}: the new name of '{}' is not a string", file.string(), from);
            rows.push_back({from, to.get<std::string>()});
            check_row(rows.back(), file.string());
        }
    } else {
        std::istringstream lines(text);
        std::string line;
        for (int number = 1; std::getline(lines, line); ++number) {
            line = std::string(text::trimmed(line.substr(0, line.find('#'))));
            if (line.empty())
                continue;
            std::size_t at = line.find("->"), width = 2;
            if (at == std::string::npos) {
                at = line.find('\t');
                width = 1;
            }
            if (at == std::string::npos)
                throw UserError("{}:{}: write 'old name -> new name'", file.string(), number);
            rows.push_back(
                {std::string(text::trimmed(line.substr(0, at))), std::string(text::trimmed(line.substr(at + width)))});
            check_row(rows.back(), fmt::format("{}:{}", file.string(), number));
        }
    }
    if (rows.empty())
        throw UserError("{} has no rows: write 'old name -> new name' on each line", file.string());
    return rows;
}

std::unique_ptr<WeightSource> average(std::vector<std::unique_ptr<WeightSource>> sources,
                                      const std::vector<double>& shares) {
    const double sum = std::accumulate(shares.begin(), shares.end(), 0.0);
    if (sources.size() != shares.size() || sources.size() < 2)
        throw UserError("an average needs two checkpoints or more, and a share for each");
    if (!std::isfinite(sum) || sum <= 0 || std::ranges::any_of(shares, [](double share) { return !(share >= 0); }))
        throw UserError("the shares of an average are numbers of 0 or more, and not all 0");
    std::vector<double> scaled;
    for (double share : shares)
        scaled.push_back(share / sum);
    return std::make_unique<Averaged>(std::move(sources), std::move(scaled));
}

std::vector<double> ema_shares(std::size_t count, double decay) {
    if (!(decay > 0 && decay < 1))
        throw UserError("a decay of {} does not give an average: use a number between 0 and 1, such as 0.9", decay);
    std::vector<double> shares(count);
    double left = 1;
    for (std::size_t i = count; i-- > 1;) {
        shares[i] = (1 - decay) * left;
        left *= decay;
    }
    if (count > 0)
        shares[0] = left;
    return shares;
}

}  // namespace trainyard::weights
