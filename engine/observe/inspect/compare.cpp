// SPDX-License-Identifier: GPL-3.0-or-later
#include "observe/inspect/compare.h"

#include <algorithm>
#include <atomic>
#include <cmath>
#include <cstring>
#include <map>
#include <mutex>
#include <thread>

#include "base/cores.h"
#include "base/error.h"
#include "base/files/hash.h"
#include "formats/weights/elements.h"
#include "observe/inspect/float_figures.h"

namespace trainyard::inspect {

namespace {

constexpr std::size_t kComparedElements = 64u << 10;

bool comparable(const Tensor& a, const Tensor& b) {
    return element_count(a) == element_count(b) && weights::is_numeric(a.dtype) && weights::is_numeric(b.dtype);
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
        : before_(before), after_(after), progress_(progress) {}

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
            names.emplace(key_of(from[i]), i);
        std::vector<bool> used(from.size(), false);
        for (const Reader* reader : {&before_, &after_})
            for (const Message& problem : reader->contents().problems)
                if (std::ranges::find(result_.problems, problem) == result_.problems.end())
                    result_.problems.push_back(problem);
        // A tensor may be in a part of the checkpoint that cannot be read.
        const bool all_of_before = before_.contents().problems.empty(),
                   all_of_after = after_.contents().problems.empty();
        for (std::uint32_t i = 0; i < to.size(); ++i) {
            TensorChange row;
            row.after = i;
            row.kind = TensorChange::Kind::added;
            if (auto found = names.find(key_of(to[i])); found != names.end() && !used[found->second]) {
                row.before = found->second;
                used[found->second] = true;
                row.kind =
                    from[row.before].shape == to[i].shape ? TensorChange::Kind::same : TensorChange::Kind::reshaped;
            }
            if (row.kind != TensorChange::Kind::added || all_of_before)
                result_.rows.push_back(row);
        }
        for (std::uint32_t i = 0; all_of_after && i < from.size(); ++i)
            if (!used[i]) {
                TensorChange row;
                row.kind = TensorChange::Kind::removed;
                row.before = i;
                result_.rows.push_back(row);
            }
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
        if (!comparable(x, y)) {
            // Packed or complex: the bytes tell whether it is the same.
            if (x.shape == y.shape &&
                (x.dtype != y.dtype || hash_of(before_, x, progress_) != hash_of(after_, y, progress_)))
                row.kind = TensorChange::Kind::changed;
            return;
        }
        const Difference difference = difference_of(before_, x, after_, y, progress_);
        row.compared = true;
        row.squares = difference.squares;
        row.base = difference.base;
        row.relative = difference.squares == 0 ? 0
                       : difference.base == 0  ? std::numeric_limits<double>::infinity()
                                               : std::sqrt(difference.squares / difference.base);
        row.largest = difference.largest;
        row.changed_elements = difference.changed;
        if (row.kind == TensorChange::Kind::same && (difference.changed > 0 || x.dtype != y.dtype))
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
    Comparison result_;
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

Comparison compare(const Reader& before, const Reader& after, Progress& progress) {
    return Compare(before, after, progress).run();
}

}  // namespace trainyard::inspect
