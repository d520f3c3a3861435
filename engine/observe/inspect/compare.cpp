// SPDX-License-Identifier: GPL-3.0-or-later
#include "observe/inspect/compare.h"

#include <algorithm>
#include <atomic>
#include <cmath>
#include <cstring>
#include <map>
#include <mutex>
#include <numeric>
#include <set>
#include <thread>

#include "base/cores.h"
#include "base/error.h"
#include "base/files/hash.h"
#include "base/text_file.h"
#include "formats/weights/elements.h"
#include "formats/weights/quantization/quantized_source.h"
#include "formats/weights/safetensors_header.h"
#include "formats/weights/torch_file.h"
#include "models/exports/gguf_model.h"
#include "models/spec/config_file.h"
#include "observe/inspect/float_figures.h"
#include "observe/inspect/quantized_values.h"
#include "observe/inspect/reader_source.h"

namespace trainyard::inspect {

namespace {

constexpr std::size_t kComparedElements = 64u << 10;

/// One of the two checkpoints, with the values of quantized weights.
class Side {
  public:
    /// If the parts of quantized weights do not fit, adds a problem; the weights are then compared as stored.
    Side(const Reader& reader, std::vector<Message>& problems) : reader_(reader), quantized_(reader.quantized()) {
        if (!quantized_.problem().empty())
            problems.push_back(quantized_.problem());
    }

    const std::vector<Tensor>& tensors() const { return reader_.contents().tensors; }
    const Reader& reader() const { return reader_; }
    bool is_part(std::uint32_t i) const { return quantized_.is_part(i); }
    bool is_quantized(std::uint32_t i) const { return quantized_.is_quantized(i); }
    const std::vector<std::int64_t>& shape(std::uint32_t i) const { return quantized_.shape(i); }
    std::uint64_t elements(std::uint32_t i) const { return quantized_.elements(i); }
    /// Calls `sink` with all values, in pieces. Throws UserError.
    void stream(std::uint32_t i, const std::function<void(std::span<const float>)>& sink) const {
        if (is_quantized(i))
            return quantized_.stream(i, sink);
        const StoredUnit unit = stored_unit(tensors()[i]);
        std::vector<float> values;
        reader_.stream(tensors()[i], std::max<std::size_t>(kComparedElements / unit.elements, 1) * unit.bytes,
                       [&](std::span<const std::byte> piece) {
                           decode_units(tensors()[i], piece, values);
                           sink(values);
                           return true;
                       });
    }
    /// Whether values() is as fast as stream().
    bool reads_anywhere(std::uint32_t i) const {
        return !is_quantized(i) && !tensors()[i].scattered && tensors()[i].strides.empty();
    }

  private:
    const Reader& reader_;
    const QuantizedValues& quantized_;
};

/// Whether the weights are of a GGUF file, under llama.cpp's names.
bool is_gguf(const Contents& contents) {
    return std::ranges::any_of(contents.tensors, [&](const Tensor& tensor) {
        return !tensor.ranges.empty() && contents.files[tensor.ranges.front().file].name.ends_with(".gguf");
    });
}

/// The values of a GGUF tensor against those of the model's own files, which have other names and orders of rows.
Difference difference_of_counterpart(const exports::GgufCounterpart& counterpart, const Side& gguf,
                                     std::uint32_t tensor, bool gguf_is_before) {
    std::vector<float> whole;
    whole.reserve(gguf.elements(tensor));
    gguf.stream(tensor, [&](std::span<const float> piece) { whole.insert(whole.end(), piece.begin(), piece.end()); });
    Difference sum;
    std::size_t first = 0;
    counterpart.read([&](std::span<const float> piece) {
        if (first + piece.size() > whole.size())
            throw UserError("'{}' has fewer elements than its shape says", counterpart.name);
        const std::span<const float> other = std::span<const float>(whole).subspan(first, piece.size());
        sum.add(gguf_is_before ? float_difference(other, piece) : float_difference(piece, other));
        first += piece.size();
    });
    return sum;
}

/// Elements by their values: of packed types, of quantized weights, of both.
Difference difference_of_values(const Side& before, std::uint32_t a, const Side& after, std::uint32_t b,
                                Progress& progress) {
    // One side is streamed, the other one is read in pieces of the same size, or as a whole where that is not possible.
    const bool swapped = !after.reads_anywhere(b) && before.reads_anywhere(a);
    const Side &streamed = swapped ? after : before, &other = swapped ? before : after;
    const std::uint32_t of_streamed = swapped ? b : a, of_other = swapped ? a : b;
    const Tensor& info = other.tensors()[of_other];
    const std::uint64_t all = other.elements(of_other), bytes = before.tensors()[a].bytes + after.tensors()[b].bytes;
    std::vector<float> whole;
    if (!other.reads_anywhere(of_other)) {
        whole.reserve(all);
        other.stream(of_other,
                     [&](std::span<const float> piece) { whole.insert(whole.end(), piece.begin(), piece.end()); });
    }
    Difference sum;
    std::uint64_t first = 0;
    streamed.stream(of_streamed, [&](std::span<const float> x) {
        std::vector<float> y;
        if (whole.empty())
            y = other.reader().values(info, first, x.size());
        else if (first + x.size() <= whole.size())
            y.assign(whole.begin() + static_cast<std::ptrdiff_t>(first),
                     whole.begin() + static_cast<std::ptrdiff_t>(first + x.size()));
        if (y.size() != x.size())
            throw UserError("'{}' has fewer elements than its shape says", info.name);
        sum.add(swapped ? float_difference(y, x) : float_difference(x, y));
        progress.add(static_cast<std::uint64_t>(static_cast<double>(bytes) * static_cast<double>(x.size()) /
                                                static_cast<double>(all)));
        first += x.size();
    });
    return sum;
}

/// Two streams in step: the second one is collected and taken in pieces of the first.
Difference difference_of(const Reader& before, const Tensor& a, const Reader& after, const Tensor& b,
                         Progress& progress) {
    Difference sum;
    std::vector<float> x, y;
    const std::size_t of_a = element_bytes(a), of_b = element_bytes(b);
    const bool integers = !weights::is_floating(a.dtype);
    std::uint64_t first = 0;
    // Of views and boxes the whole is put together for each read: once is enough.
    std::vector<std::byte> whole;
    if (b.scattered || !b.strides.empty())
        whole = after.elements(b, 0, element_count(b));
    const std::vector<ByteRange> ranges = whole.empty() && b.bytes > 0 ? after.ranges(b) : std::vector<ByteRange>();
    std::size_t range = 0;
    std::uint64_t inside = 0;  // bytes of the current range that were read
    std::vector<std::byte> piece_b;
    before.stream(a, kComparedElements * of_a, [&](std::span<const std::byte> piece) {
        const std::size_t count = piece.size() / of_a;
        piece_b.resize(count * of_b);
        if (!whole.empty()) {
            std::memcpy(piece_b.data(), whole.data() + first * of_b, piece_b.size());
        } else {
            for (std::size_t done = 0; done < piece_b.size();) {
                if (range >= ranges.size())
                    throw UserError("'{}' has fewer elements than its shape says", b.name);
                const std::size_t taken = std::min<std::uint64_t>(piece_b.size() - done, ranges[range].bytes - inside);
                after.read({ranges[range].file, ranges[range].offset + inside, taken},
                           std::span(piece_b).subspan(done, taken));
                done += taken;
                inside += taken;
                if (inside == ranges[range].bytes) {
                    ++range;
                    inside = 0;
                }
            }
        }
        x.resize(count);
        y.resize(count);
        weights::decode_elements(a.dtype, piece, x);
        weights::decode_elements(b.dtype, piece_b, y);
        Difference part = float_difference(x, y);
        // Whole numbers and F64 may differ by less than float can tell.
        if (a.dtype == b.dtype && (integers || a.dtype == "F64") && part.changed == 0 &&
            std::memcmp(piece.data(), piece_b.data(), piece_b.size()) != 0)
            for (std::size_t i = 0; i < count; ++i)
                part.changed += std::memcmp(piece.data() + i * of_a, piece_b.data() + i * of_a, of_a) != 0 ? 1 : 0;
        sum.add(part);
        first += count;
        progress.add(piece.size() + piece_b.size());
        return true;
    });
    return sum;
}

std::string hash_of(const Reader& reader, const Tensor& tensor, Progress& progress) {
    files::Xxh128 hash;
    reader.stream(tensor, 1u << 20, [&](std::span<const std::byte> piece) {
        hash.add(piece);
        progress.add(piece.size());
        return true;
    });
    return hash.digest();
}

class Compare {
  public:
    Compare(const Reader& before, const Reader& after, Progress& progress)
        : before_(before),
          after_(after),
          progress_(progress),
          of_before_(before, result_.problems),
          of_after_(after, result_.problems) {}

    Comparison run() {
        pair_names();
        std::uint64_t total = 0;
        for (const TensorChange& row : result_.rows)
            if (row.before != TensorChange::kNone && row.after != TensorChange::kNone)
                total += a(row).bytes + b(row).bytes;
        const auto [left_before, left_after] = candidates();
        for (std::uint32_t i : left_before)
            total += before_.contents().tensors[i].bytes;
        for (std::uint32_t i : left_after)
            total += after_.contents().tensors[i].bytes;
        progress_.begin(total);
        compare_rows();
        pair_contents(left_before, left_after);
        return std::move(result_);
    }

  private:
    const Tensor& a(const TensorChange& row) const { return before_.contents().tensors[row.before]; }
    const Tensor& b(const TensorChange& row) const { return after_.contents().tensors[row.after]; }

    void pair_names() {
        std::map<std::pair<Section, std::string_view>, std::uint32_t> names;
        const auto &from = before_.contents().tensors, &to = after_.contents().tensors;
        // By the names that a model has: what is wrapped around it says nothing of what changed.
        const auto key_of = [](const Tensor& tensor) {
            return std::pair(tensor.section,
                             std::string_view(tensor.model_name.empty() ? tensor.name : tensor.model_name));
        };
        for (std::uint32_t i = 0; i < from.size(); ++i)
            if (!of_before_.is_part(i))
                names.emplace(key_of(from[i]), i);
        std::vector<std::uint32_t> partner(to.size(), TensorChange::kNone);
        std::vector<bool> used(from.size(), false);
        const auto pair = [&](std::uint32_t before, std::uint32_t after) {
            partner[after] = before;
            used[before] = true;
        };
        for (std::uint32_t i = 0; i < to.size(); ++i)
            if (const auto found = names.find(key_of(to[i]));
                !of_after_.is_part(i) && found != names.end() && !used[found->second])
                pair(found->second, i);
        pair_gguf_names(partner, used, pair);
        pair_longer_names(partner, used, pair);
        for (const Reader* reader : {&before_, &after_})
            for (const Message& problem : reader->contents().problems)
                if (std::ranges::find(result_.problems, problem) == result_.problems.end())
                    result_.problems.push_back(problem);
        // A tensor may be in a part of the checkpoint that cannot be read.
        const bool all_of_before = before_.contents().problems.empty(),
                   all_of_after = after_.contents().problems.empty();
        for (std::uint32_t i = 0; i < to.size(); ++i) {
            if (of_after_.is_part(i) || merged_after_.contains(i))
                continue;
            TensorChange row;
            row.after = i;
            row.before = partner[i];
            row.kind = row.before == TensorChange::kNone ? TensorChange::Kind::added
                       : of_before_.shape(row.before) == of_after_.shape(i) || counterpart_of(row) != nullptr
                           ? TensorChange::Kind::same
                           : TensorChange::Kind::reshaped;
            if (row.kind != TensorChange::Kind::added || all_of_before)
                result_.rows.push_back(row);
        }
        for (std::uint32_t i = 0; all_of_after && i < from.size(); ++i)
            if (!used[i] && !of_before_.is_part(i)) {
                TensorChange row;
                row.kind = TensorChange::Kind::removed;
                row.before = i;
                result_.rows.push_back(row);
            }
    }

    /// Pairs a GGUF file with a model whose config.json says what llama.cpp calls its tensors.
    void pair_gguf_names(const std::vector<std::uint32_t>& partner, std::vector<bool>& used,
                         const std::function<void(std::uint32_t before, std::uint32_t after)>& pair) {
        gguf_is_before_ = is_gguf(before_.contents());
        if (gguf_is_before_ == is_gguf(after_.contents()))
            return;
        const Reader &gguf = gguf_is_before_ ? before_ : after_, &model = gguf_is_before_ ? after_ : before_;
        const fs::path config = model.contents().root / "config.json";
        std::error_code error;
        if (!fs::is_regular_file(config, error))
            return;
        try {
            const std::shared_ptr<const weights::WeightSource> source =
                quantization::dequantized(std::make_unique<WeightsOfReader>(model));
            counterparts_ = exports::gguf_counterparts(
                source, families::read_config(text::read_text_file(config), config.string()).config,
                config.parent_path());
        } catch (const UserError& reason) {
            result_.problems.push_back(
                Message("names of the GGUF file are not those of the model: {}", reason.message()));
            return;
        }
        std::map<std::string_view, std::uint32_t> of_gguf, of_model;
        for (const auto& [reader, names] : {std::pair(&gguf, &of_gguf), std::pair(&model, &of_model)})
            for (std::uint32_t i = 0; i < reader->contents().tensors.size(); ++i)
                if (reader->contents().tensors[i].section == Section::weights)
                    names->emplace(reader->contents().tensors[i].name, i);
        for (const exports::GgufCounterpart& one : counterparts_) {
            const auto named = of_gguf.find(one.name);
            const std::uint32_t first = one.stored.empty() || !of_model.contains(one.stored.front())
                                            ? TensorChange::kNone
                                            : of_model[one.stored.front()];
            if (named == of_gguf.end() || first == TensorChange::kNone ||
                (gguf_is_before_ ? partner[first] != TensorChange::kNone : used[first]))
                continue;
            gguf_is_before_ ? pair(named->second, first) : pair(first, named->second);
            by_gguf_.emplace(named->second, &one);
            for (const std::string& merged : one.stored)
                if (const std::uint32_t tensor = of_model[merged]; tensor != first) {
                    if (gguf_is_before_)
                        merged_after_.insert(tensor);
                    else
                        used[tensor] = true;
                }
        }
    }

    const exports::GgufCounterpart* counterpart_of(const TensorChange& row) const {
        const auto found = by_gguf_.find(gguf_is_before_ ? row.before : row.after);
        return found == by_gguf_.end() ? nullptr : found->second;
    }

    /// The name of a weight without what PEFT puts around and into it.
    static std::string without_adapter(const Tensor& tensor) {
        constexpr std::string_view kModel = "base_model.model.", kLayer = ".base_layer.";
        std::string name = tensor.model_name.empty() ? tensor.name : tensor.model_name;
        if (name.starts_with(kModel))
            name.erase(0, kModel.size());
        if (const std::size_t at = name.find(kLayer); at != std::string::npos)
            name.erase(at, kLayer.size() - 1);
        return name;
    }

    /// Pairs weights that are left: a model with adapters with its base, and a model with a head ("bert.encoder.x")
    /// with its body ("encoder.x"). The part before the names is the one that pairs most of them with the same shape,
    /// if that is at least half of those that are left.
    void pair_longer_names(const std::vector<std::uint32_t>& partner, const std::vector<bool>& used,
                           const std::function<void(std::uint32_t before, std::uint32_t after)>& pair) {
        using Names = std::map<std::string, std::uint32_t>;
        const auto left_of = [](const Side& side, const auto& is_left) {
            Names names;
            for (std::uint32_t i = 0; i < side.tensors().size(); ++i)
                if (side.tensors()[i].section == Section::weights && !side.is_part(i) && is_left(i))
                    names.emplace(without_adapter(side.tensors()[i]), i);
            return names;
        };
        Names left_before = left_of(of_before_, [&](std::uint32_t i) { return !used[i]; });
        Names left_after = left_of(of_after_, [&](std::uint32_t i) { return partner[i] == TensorChange::kNone; });
        std::erase_if(left_before, [&](const auto& one) {
            const auto found = left_after.find(one.first);
            if (found == left_after.end())
                return false;
            pair(one.second, found->second);
            left_after.erase(found);
            return true;
        });
        const std::size_t least = (std::min(left_before.size(), left_after.size()) + 1) / 2;
        std::vector<std::pair<std::uint32_t, std::uint32_t>> most;
        for (const bool longer_after : {true, false}) {
            const Names &longer = longer_after ? left_after : left_before,
                        &shorter = longer_after ? left_before : left_after;
            std::map<std::string_view, std::vector<std::pair<std::uint32_t, std::uint32_t>>> pairs;
            for (const auto& [name, tensor] : longer)
                if (const std::size_t dot = name.find('.'); dot != std::string::npos)
                    if (const auto found = shorter.find(name.substr(dot + 1)); found != shorter.end()) {
                        const std::uint32_t before = longer_after ? found->second : tensor,
                                            after = longer_after ? tensor : found->second;
                        if (of_before_.shape(before) == of_after_.shape(after))
                            pairs[std::string_view(name).substr(0, dot)].emplace_back(before, after);
                    }
            for (auto& [part, all] : pairs)
                if (all.size() > most.size())
                    most = std::move(all);
        }
        if (most.size() >= least)
            for (const auto& [before, after] : most)
                pair(before, after);
    }

    void compare_rows() {
        std::atomic<std::size_t> next = 0;
        std::exception_ptr failure;
        const auto work = [&] {
            for (std::size_t i = next++; i < result_.rows.size(); i = next++) {
                TensorChange& row = result_.rows[i];
                if (row.before == TensorChange::kNone || row.after == TensorChange::kNone)
                    continue;
                try {
                    compare_row(row);
                } catch (const Cancelled&) {
                    std::lock_guard lock(mutex_);
                    next = result_.rows.size();
                    failure = std::current_exception();
                } catch (const UserError& error) {
                    std::lock_guard lock(mutex_);
                    result_.problems.push_back(error.message());
                }
            }
        };
        {
            std::vector<std::jthread> pool;
            for (int i = 1; i < physical_cores(); ++i)
                pool.emplace_back(work);
            work();
        }
        if (failure)
            std::rethrow_exception(failure);
    }

    void compare_row(TensorChange& row) {
        const Tensor &x = a(row), &y = b(row);
        if (const exports::GgufCounterpart* counterpart = counterpart_of(row)) {
            const std::uint32_t tensor = gguf_is_before_ ? row.before : row.after;
            if ((gguf_is_before_ ? of_before_ : of_after_).shape(tensor) != counterpart->shape) {
                row.kind = TensorChange::Kind::reshaped;
                return;
            }
            take(row, difference_of_counterpart(*counterpart, gguf_is_before_ ? of_before_ : of_after_, tensor,
                                                gguf_is_before_));
            progress_.add(x.bytes + y.bytes);
            return;
        }
        const bool quantized = of_before_.is_quantized(row.before) || of_after_.is_quantized(row.after);
        if (of_before_.elements(row.before) != of_after_.elements(row.after) || !is_readable(x) || !is_readable(y)) {
            // Complex, or of an unknown type: the bytes tell whether it is the same.
            if (x.shape == y.shape &&
                (x.dtype != y.dtype || hash_of(before_, x, progress_) != hash_of(after_, y, progress_)))
                row.kind = TensorChange::Kind::changed;
            return;
        }
        const bool stored_as_numbers = weights::is_numeric(x.dtype) && weights::is_numeric(y.dtype) && !quantized;
        const Difference difference =
            stored_as_numbers ? difference_of(before_, x, after_, y, progress_)
                              : difference_of_values(of_before_, row.before, of_after_, row.after, progress_);
        take(row, difference);
    }

    static void take(TensorChange& row, const Difference& difference) {
        row.compared = true;
        row.squares = difference.squares;
        row.base = difference.base;
        row.relative = difference.squares == 0 ? 0
                       : difference.base == 0  ? std::numeric_limits<double>::infinity()
                                               : std::sqrt(difference.squares / difference.base);
        row.largest = difference.largest;
        row.changed_elements = difference.changed;
        if (row.kind == TensorChange::Kind::same && difference.changed > 0)
            row.kind = TensorChange::Kind::changed;
    }

    /// Tensors of one side only that have a counterpart of the same size and type on the other.
    std::pair<std::vector<std::uint32_t>, std::vector<std::uint32_t>> candidates() const {
        std::map<std::pair<std::string, std::uint64_t>,
                 std::pair<std::vector<std::uint32_t>, std::vector<std::uint32_t>>>
            groups;
        for (const TensorChange& row : result_.rows) {
            if (row.kind == TensorChange::Kind::removed)
                groups[{a(row).dtype, a(row).bytes}].first.push_back(row.before);
            if (row.kind == TensorChange::Kind::added)
                groups[{b(row).dtype, b(row).bytes}].second.push_back(row.after);
        }
        std::pair<std::vector<std::uint32_t>, std::vector<std::uint32_t>> left;
        for (auto& [key, group] : groups)
            if (!group.first.empty() && !group.second.empty() && key.second > 0) {
                left.first.insert(left.first.end(), group.first.begin(), group.first.end());
                left.second.insert(left.second.end(), group.second.begin(), group.second.end());
            }
        return left;
    }

    void pair_contents(const std::vector<std::uint32_t>& left_before, const std::vector<std::uint32_t>& left_after) {
        std::multimap<std::string, std::uint32_t> contents;
        const auto key = [this](const Reader& reader, const Tensor& tensor) {
            return tensor.dtype + " " + hash_of(reader, tensor, progress_);
        };
        const auto attempt = [this](auto&& f) {
            try {
                f();
            } catch (const Cancelled&) {
                throw;
            } catch (const UserError& error) {
                result_.problems.push_back(error.message());
            }
        };
        for (std::uint32_t i : left_before)
            attempt([&] { contents.emplace(key(before_, before_.contents().tensors[i]), i); });
        std::map<std::uint32_t, std::uint32_t> pairs;
        for (std::uint32_t i : left_after)
            attempt([&] {
                if (auto found = contents.find(key(after_, after_.contents().tensors[i])); found != contents.end()) {
                    pairs.emplace(i, found->second);
                    contents.erase(found);
                }
            });
        std::vector<std::uint32_t> gone;
        for (TensorChange& row : result_.rows)
            if (auto found = pairs.find(row.after); row.kind == TensorChange::Kind::added && found != pairs.end()) {
                row.kind = TensorChange::Kind::renamed;
                row.before = found->second;
                gone.push_back(found->second);
            }
        std::erase_if(result_.rows, [&](const TensorChange& row) {
            return row.kind == TensorChange::Kind::removed && std::ranges::find(gone, row.before) != gone.end();
        });
    }

    const Reader &before_, &after_;
    Progress& progress_;
    std::mutex mutex_;
    bool gguf_is_before_ = false;
    std::vector<exports::GgufCounterpart> counterparts_;  ///< of a GGUF file against the model's own files
    std::map<std::uint32_t, const exports::GgufCounterpart*> by_gguf_;
    std::set<std::uint32_t> merged_after_;  ///< further tensors of those with several
    Comparison result_;
    const Side of_before_, of_after_;  ///< after result_, which takes their problems
};

}  // namespace

std::string_view name_of(TensorChange::Kind kind) {
    switch (kind) {
        case TensorChange::Kind::same:
            return "same";
        case TensorChange::Kind::changed:
            return "changed";
        case TensorChange::Kind::renamed:
            return "renamed";
        case TensorChange::Kind::reshaped:
            return "reshaped";
        case TensorChange::Kind::added:
            return "added";
        case TensorChange::Kind::removed:
            return "removed";
    }
    return "";
}

double Comparison::relative() const {
    double squares = 0, base = 0;
    for (const TensorChange& row : rows) {
        squares += row.squares;
        base += row.base;
    }
    return squares == 0 ? 0 : base == 0 ? std::numeric_limits<double>::infinity() : std::sqrt(squares / base);
}

std::size_t Comparison::count(TensorChange::Kind kind) const {
    return static_cast<std::size_t>(std::ranges::count(rows, kind, &TensorChange::kind));
}

std::vector<std::size_t> Comparison::by_change() const {
    std::vector<std::size_t> order(rows.size());
    std::iota(order.begin(), order.end(), std::size_t{0});
    const auto rank = [&](std::size_t i) {
        const TensorChange& row = rows[i];
        const bool is_of_one_side = row.before == TensorChange::kNone || row.after == TensorChange::kNone;
        const bool is_reshaped = row.kind == TensorChange::Kind::reshaped && !row.compared;
        return std::pair(is_of_one_side, is_reshaped ? std::numeric_limits<double>::infinity() : row.relative);
    };
    std::ranges::stable_sort(order, [&](std::size_t a, std::size_t b) { return rank(a) > rank(b); });
    return order;
}

Comparison compare(const Reader& before, const Reader& after, Progress& progress) {
    return Compare(before, after, progress).run();
}

}  // namespace trainyard::inspect
