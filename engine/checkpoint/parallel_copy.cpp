// SPDX-License-Identifier: GPL-3.0-or-later
#include "checkpoint/parallel_copy.h"

#include <algorithm>
#include <atomic>
#include <cstdint>
#include <cstring>
#include <thread>

#include <ATen/core/grad_mode.h>

#if defined(__SSE2__)
#include <emmintrin.h>
#endif

namespace trainyard::checkpoint {

namespace {

constexpr std::size_t kPiece = 4u << 20;

}  // namespace

void copy_past_cache(void* target, const void* source, std::size_t bytes) {
    auto* to = static_cast<char*>(target);
    const auto* from = static_cast<const char*>(source);
#if defined(__SSE2__)
    constexpr std::size_t kLine = 64;
    if (bytes >= 16 * kLine) {
        std::size_t head = (kLine - reinterpret_cast<std::uintptr_t>(to) % kLine) % kLine;
        std::memcpy(to, from, head);
        to += head, from += head, bytes -= head;
        for (; bytes >= kLine; bytes -= kLine, to += kLine, from += kLine) {
            const auto* wide_from = reinterpret_cast<const __m128i*>(from);
            auto* wide_to = reinterpret_cast<__m128i*>(to);
            _mm_prefetch(from + 16 * kLine, _MM_HINT_NTA);
            __m128i a = _mm_loadu_si128(wide_from), b = _mm_loadu_si128(wide_from + 1),
                    c = _mm_loadu_si128(wide_from + 2), d = _mm_loadu_si128(wide_from + 3);
            _mm_stream_si128(wide_to, a);
            _mm_stream_si128(wide_to + 1, b);
            _mm_stream_si128(wide_to + 2, c);
            _mm_stream_si128(wide_to + 3, d);
        }
        _mm_sfence();
    }
#endif
    std::memcpy(to, from, bytes);
}

void copy_memory(std::vector<MemoryCopy> copies) {
    std::vector<MemoryCopy> pieces;
    std::size_t total = 0;
    for (const MemoryCopy& copy : copies)
        for (std::size_t at = 0; at < copy.bytes; at += kPiece) {
            std::size_t bytes = std::min(kPiece, copy.bytes - at);
            pieces.push_back({static_cast<char*>(copy.to) + at, static_cast<const char*>(copy.from) + at, bytes});
            total += bytes;
        }
    std::atomic<std::size_t> next{0};
    auto work = [&] {
        for (std::size_t i = next++; i < pieces.size(); i = next++)
            copy_past_cache(pieces[i].to, pieces[i].from, pieces[i].bytes);
    };
    constexpr std::size_t kMostThreads = 8;  // more than that no memory feeds
    std::size_t wanted =
        std::min<std::size_t>({total / (2 * kPiece), std::thread::hardware_concurrency(), kMostThreads});
    std::vector<std::thread> threads;
    for (std::size_t i = 1; i < wanted; ++i)
        threads.emplace_back(work);
    work();
    for (std::thread& thread : threads)
        thread.join();
}

void copy_tensors(const std::vector<TensorCopy>& copies) {
    at::NoGradGuard no_grad;
    std::vector<MemoryCopy> plain;
    for (const TensorCopy& copy : copies) {
        at::Tensor to = copy.to.detach();
        bool same = to.scalar_type() == copy.from.scalar_type() && to.device().is_cpu() &&
                    copy.from.device().is_cpu() && to.is_contiguous() && copy.from.is_contiguous();
        if (same)
            plain.push_back({to.data_ptr(), copy.from.const_data_ptr(), to.nbytes()});
        else
            to.copy_(copy.from);
    }
    copy_memory(std::move(plain));
}

}  // namespace trainyard::checkpoint
