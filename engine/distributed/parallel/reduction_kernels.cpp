// SPDX-License-Identifier: GPL-3.0-or-later
#include "distributed/parallel/reduction_kernels.h"

#include <algorithm>
#include <array>
#include <stdexcept>
#include <type_traits>

namespace trainyard::parallel {

namespace {

constexpr std::size_t kBlock = 2048;  ///< elements whose intermediate results stay in the first cache

template <typename T, typename Sum, typename Join>
void reduce_typed(std::span<std::uint8_t* const> parts, std::size_t elements, Join join, Sum scale) {
    alignas(64) std::array<Sum, kBlock> sums;
    for (std::size_t begin = 0; begin < elements; begin += kBlock) {
        std::size_t count = std::min(kBlock, elements - begin);
        const T* first = reinterpret_cast<const T*>(parts[0]) + begin;
#pragma omp simd
        for (std::size_t i = 0; i < count; ++i)
            sums[i] = static_cast<Sum>(first[i]);
        for (std::size_t rank = 1; rank < parts.size(); ++rank) {
            const T* part = reinterpret_cast<const T*>(parts[rank]) + begin;
#pragma omp simd
            for (std::size_t i = 0; i < count; ++i)
                sums[i] = join(sums[i], static_cast<Sum>(part[i]));
        }
        T* target = reinterpret_cast<T*>(parts[0]) + begin;
        if (scale != Sum(1)) {
#pragma omp simd
            for (std::size_t i = 0; i < count; ++i)
                sums[i] = static_cast<Sum>(sums[i] / scale);
        }
#pragma omp simd
        for (std::size_t i = 0; i < count; ++i)
            target[i] = static_cast<T>(sums[i]);
    }
}

template <typename T>
void reduce_by(ReduceOp op, std::span<std::uint8_t* const> parts, std::size_t elements) {
    constexpr bool kHalf = std::is_same_v<T, at::Half> || std::is_same_v<T, at::BFloat16>;
    using Sum = std::conditional_t<kHalf, float, T>;
    switch (op) {
        case ReduceOp::sum:
            return reduce_typed<T, Sum>(
                parts, elements, [](Sum a, Sum b) { return static_cast<Sum>(a + b); }, Sum(1));
        case ReduceOp::average:
            return reduce_typed<T, Sum>(
                parts, elements, [](Sum a, Sum b) { return static_cast<Sum>(a + b); }, static_cast<Sum>(parts.size()));
        case ReduceOp::max:
            return reduce_typed<T, Sum>(
                parts, elements, [](Sum a, Sum b) { return a < b ? b : a; }, Sum(1));
        case ReduceOp::min:
            return reduce_typed<T, Sum>(
                parts, elements, [](Sum a, Sum b) { return b < a ? b : a; }, Sum(1));
        case ReduceOp::product:
            return reduce_typed<T, Sum>(
                parts, elements, [](Sum a, Sum b) { return static_cast<Sum>(a * b); }, Sum(1));
    }
}

}  // namespace

bool has_reduction(at::ScalarType type) {
    static constexpr std::array kTypes{at::kFloat, at::kDouble, at::kHalf, at::kBFloat16,
                                       at::kLong,  at::kInt,    at::kChar, at::kByte};
    return std::find(kTypes.begin(), kTypes.end(), type) != kTypes.end();
}

void reduce_parts(at::ScalarType type, ReduceOp op, std::span<std::uint8_t* const> parts, std::size_t elements) {
    switch (type) {
        case at::kFloat:
            return reduce_by<float>(op, parts, elements);
        case at::kDouble:
            return reduce_by<double>(op, parts, elements);
        case at::kHalf:
            return reduce_by<at::Half>(op, parts, elements);
        case at::kBFloat16:
            return reduce_by<at::BFloat16>(op, parts, elements);
        case at::kLong:
            return reduce_by<std::int64_t>(op, parts, elements);
        case at::kInt:
            return reduce_by<std::int32_t>(op, parts, elements);
        case at::kChar:
            return reduce_by<std::int8_t>(op, parts, elements);
        case at::kByte:
            return reduce_by<std::uint8_t>(op, parts, elements);
        default:
            throw std::invalid_argument("no reduction of this dtype");
    }
}

}  // namespace trainyard::parallel
