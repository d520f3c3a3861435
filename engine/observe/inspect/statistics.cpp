// SPDX-License-Identifier: GPL-3.0-or-later
#include "observe/inspect/statistics.h"

#include <algorithm>
#include <atomic>
#include <cmath>
#include <memory>
#include <mutex>
#include <set>
#include <thread>

#include <fcntl.h>

#include "base/cores.h"
#include "base/error.h"
#include "formats/weights/elements.h"
#include "formats/weights/safetensors_header.h"
#include "observe/inspect/float_figures.h"
#include "observe/inspect/quantized_values.h"

namespace trainyard::inspect {

namespace {

constexpr std::size_t kPassPiece = 512u << 10;  ///< bytes of a read: it stays in the second cache until it is looked at
constexpr std::size_t kTaken = 16;  ///< pieces that a thread takes at once, so that reads of a file follow each other

/// Every element beyond float's precision is looked at as double.
template <class F>
Statistics plain_figures(std::span<const std::byte> bytes, std::size_t size, F&& element) {
    Statistics figures;
    figures.elements = bytes.size() / size;
    for (std::size_t at = 0; at < bytes.size(); at += size) {
        const auto value = static_cast<double>(element(bytes.data() + at));
        if (std::isnan(value)) {
            ++figures.nan;
        } else if (std::isinf(value)) {
            ++figures.infinite;
        } else {
            figures.zeros += value == 0 ? 1 : 0;
            figures.min = std::min(figures.min, value);
            figures.max = std::max(figures.max, value);
            figures.sum += value;
            figures.squares += value * value;
        }
    }
    return figures;
}

/// A tensor of which pieces come in from several threads.
struct Pending {
    std::mutex mutex;
    Statistics figures;
    std::vector<float> sample;
    std::uint64_t left = 0;  ///< bytes
    std::uint64_t every = 1;
};

struct PassPiece {
    ByteRange range;
    std::size_t tensor = 0;
    std::uint64_t first = 0;  ///< its first element, counted through the ranges
};

/// Packed elements as F32, others as they are.
std::pair<std::string_view, std::span<const std::byte>> plain_elements(const Tensor& tensor,
                                                                       std::span<const std::byte> bytes,
                                                                       std::vector<float>& unpacked) {
    if (stored_unit(tensor).elements == 1)
        return {tensor.dtype, bytes};
    decode_units(tensor, bytes, unpacked);
    return {"F32", std::as_bytes(std::span(unpacked))};
}

void take_sample(std::string_view dtype, std::span<const std::byte> bytes, std::uint64_t first, std::uint64_t every,
                 std::vector<float>& sample) {
    const std::size_t element = weights::dtype_size(dtype);
    const std::uint64_t count = bytes.size() / element;
    const std::uint64_t begin = (every - first % every) % every;
    if (begin >= count)
        return;
    const std::size_t before = sample.size(), more = (count - begin + every - 1) / every;
    sample.resize(before + more);
    weights::with_decoder(dtype, [&](auto&& value) {
        const std::byte* from = bytes.data() + begin * element;
        for (std::size_t i = 0; i < more; ++i)
            sample[before + i] = static_cast<float>(value(from + i * every * element));
    });
}

std::uint64_t sample_step(std::uint64_t elements) {
    return std::max<std::uint64_t>(1, (elements + kHistogramSample - 1) / kHistogramSample);
}

class Pass {
  public:
    Pass(const Reader& reader, const OnStatistics& on_tensor, Progress& progress)
        : reader_(reader), on_tensor_(on_tensor), progress_(progress) {}

    PassResult run(const std::vector<std::size_t>& wanted, int threads) {
        plan(wanted);
        std::uint64_t total = 0;
        for (const PassPiece& piece : pieces_)
            total += piece.range.bytes;
        for (std::size_t tensor : alone_)
            total += reader_.contents().tensors[tensor].bytes;
        progress_.begin(total);
        result_.bytes = total;
        const int count = threads > 0 ? threads : physical_cores();
        {
            std::vector<std::jthread> pool;
            for (int i = 1; i < count; ++i)
                pool.emplace_back([this] { work(); });
            work();
        }
        if (failure_)
            std::rethrow_exception(failure_);
        return std::move(result_);
    }

  private:
    void plan(std::vector<std::size_t> wanted) {
        const auto& tensors = reader_.contents().tensors;
        if (wanted.empty())
            for (std::size_t i = 0; i < tensors.size(); ++i)
                wanted.push_back(i);
        pending_.resize(tensors.size());
        for (std::size_t number : wanted) {
            const Tensor& tensor = tensors[number];
            if (!is_readable(tensor))
                continue;
            if (!tensor.strides.empty() || tensor.bytes == 0 || reader_.quantized().is_quantized(number)) {
                alone_.push_back(number);
                continue;
            }
            try {
                plan_tensor(number, tensor);
            } catch (const Cancelled&) {
                throw;
            } catch (const UserError& error) {
                result_.problems.push_back(error.message());
            }
        }
        std::ranges::sort(pieces_, [](const PassPiece& a, const PassPiece& b) {
            return a.range.file != b.range.file ? a.range.file < b.range.file : a.range.offset < b.range.offset;
        });
    }

    void plan_tensor(std::size_t number, const Tensor& tensor) {
        const StoredUnit unit = stored_unit(tensor);
        const std::size_t most = kPassPiece / unit.bytes * unit.bytes;
        std::uint64_t first = 0, bytes = 0;
        for (const ByteRange& range : reader_.ranges(tensor)) {
            for (std::uint64_t at = 0; at < range.bytes; at += most) {
                const std::uint64_t size = std::min<std::uint64_t>(most, range.bytes - at);
                pieces_.push_back({{range.file, range.offset + at, size}, number, first});
                first += size / unit.bytes * unit.elements;
                bytes += size;
            }
        }
        auto& pending = pending_[number] = std::make_unique<Pending>();
        pending->left = bytes;
        pending->every = sample_step(first);
    }

    void work() {
        std::vector<std::byte> buffer(kPassPiece);
        try {
            for (std::size_t begin = next_.fetch_add(kTaken); begin < pieces_.size() && !stop_;
                 begin = next_.fetch_add(kTaken))
                for (std::size_t i = begin; i < std::min(begin + kTaken, pieces_.size()); ++i)
                    take(pieces_[i], buffer);
            for (std::size_t i = next_alone_++; i < alone_.size() && !stop_; i = next_alone_++)
                tell(alone_[i], whole(alone_[i]));
        } catch (...) {
            std::lock_guard lock(mutex_);
            stop_ = true;
            if (!failure_)
                failure_ = std::current_exception();
        }
    }

    Statistics whole(std::size_t number) {
        Progress none;
        const Tensor& tensor = reader_.contents().tensors[number];
        Statistics figures = tensor.bytes == 0 ? Statistics{} : statistics_of(reader_, tensor, none);
        progress_.add(tensor.bytes);
        return figures;
    }

    void take(const PassPiece& piece, std::vector<std::byte>& buffer) {
        const Tensor& tensor = reader_.contents().tensors[piece.tensor];
        const std::span<std::byte> bytes = std::span(buffer).first(piece.range.bytes);
        try {
            reader_.read(piece.range, bytes);
        } catch (const Cancelled&) {
            throw;
        } catch (const UserError& error) {
            // The tensor stays without figures; one sentence for a file is enough.
            std::lock_guard lock(mutex_);
            if (failed_files_.insert(piece.range.file).second)
                result_.problems.push_back(error.message());
            return;
        }
        std::vector<float> unpacked;
        const auto [dtype, elements] = plain_elements(tensor, bytes, unpacked);
        const Statistics figures = statistics_of(dtype, elements);
        Pending& pending = *pending_[piece.tensor];
        bool complete = false;
        {
            std::lock_guard lock(pending.mutex);
            pending.figures.add(figures);
            take_sample(dtype, elements, piece.first, pending.every, pending.sample);
            pending.left -= piece.range.bytes;
            complete = pending.left == 0;
        }
        if (complete) {
            fill_bins(pending.sample, pending.figures);
            tell(piece.tensor, pending.figures);
            pending_[piece.tensor].reset();
        }
        progress_.add(piece.range.bytes);
    }

    void tell(std::size_t tensor, const Statistics& figures) {
        std::lock_guard lock(mutex_);
        on_tensor_(tensor, figures);
    }

    const Reader& reader_;
    const OnStatistics& on_tensor_;
    Progress& progress_;
    std::vector<PassPiece> pieces_;
    std::vector<std::size_t> alone_;  ///< views and empty tensors
    std::vector<std::unique_ptr<Pending>> pending_;
    std::atomic<std::size_t> next_ = 0, next_alone_ = 0;
    std::atomic<bool> stop_ = false;
    std::mutex mutex_;
    std::set<std::uint32_t> failed_files_;
    std::exception_ptr failure_;
    PassResult result_;
};

}  // namespace

double Statistics::deviation() const {
    if (finite() == 0)
        return 0;
    const double m = mean();
    return std::sqrt(std::max(0.0, squares / static_cast<double>(finite()) - m * m));
}

double Statistics::norm() const {
    return std::sqrt(squares);
}

void Statistics::add(const Statistics& other) {
    elements += other.elements;
    zeros += other.zeros;
    nan += other.nan;
    infinite += other.infinite;
    min = std::min(min, other.min);
    max = std::max(max, other.max);
    sum += other.sum;
    squares += other.squares;
}

Statistics statistics_of(std::string_view dtype, std::span<const std::byte> elements) {
    if (dtype == "F32" || dtype == "BF16" || dtype == "F16")
        return float_figures(dtype, elements);
    Statistics figures;
    weights::with_decoder(dtype, [&](auto&& value) {
        const std::size_t size = dtype == "F64" || dtype == "I64" || dtype == "U64" ? 8
                                 : dtype == "I32" || dtype == "U32"                 ? 4
                                 : dtype == "I16" || dtype == "U16"                 ? 2
                                                                                    : 1;
        figures = plain_figures(elements, size, value);
    });
    return figures;
}

void fill_bins(std::span<const float> sample, Statistics& statistics) {
    const double width = statistics.max - statistics.min,
                 scale = width > 0 ? static_cast<double>(kHistogramBins) / width : 0;
    figure_loops().bins(sample.data(), sample.size(), statistics.min, std::isfinite(scale) ? scale : 0,
                        statistics.bins.data());
}

Statistics statistics_of(const Reader& reader, const Tensor& tensor, Progress& progress) {
    if (!is_readable(tensor))
        throw UserError("'{}' is packed ({}): its elements are not single numbers", tensor.name, tensor.dtype);
    Statistics figures;
    std::vector<float> sample, unpacked;
    const QuantizedValues& quantized = reader.quantized();
    const std::size_t number = reader.number_of(tensor);
    const std::uint64_t every =
        sample_step(quantized.is_quantized(number) ? quantized.elements(number) : element_count(tensor));
    const StoredUnit unit = stored_unit(tensor);
    std::uint64_t at = 0;
    if (quantized.is_quantized(number)) {
        quantized.stream(number, [&](std::span<const float> piece) {
            figures.add(statistics_of("F32", std::as_bytes(piece)));
            take_sample("F32", std::as_bytes(piece), at, every, sample);
            at += piece.size();
            progress.add(0);
        });
        progress.add(tensor.bytes);
        fill_bins(sample, figures);
        return figures;
    }
    reader.stream(tensor, kPassPiece / unit.bytes * unit.bytes, [&](std::span<const std::byte> piece) {
        const auto [dtype, elements] = plain_elements(tensor, piece, unpacked);
        figures.add(statistics_of(dtype, elements));
        take_sample(dtype, elements, at, every, sample);
        at += piece.size() / unit.bytes * unit.elements;
        progress.add(piece.size());
        return true;
    });
    fill_bins(sample, figures);
    return figures;
}

PassResult statistics_pass(const Reader& reader, const std::vector<std::size_t>& wanted, const OnStatistics& on_tensor,
                           Progress& progress, int threads) {
    return Pass(reader, on_tensor, progress).run(wanted, threads);
}

}  // namespace trainyard::inspect
