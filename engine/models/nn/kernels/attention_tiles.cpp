// SPDX-License-Identifier: GPL-3.0-or-later
// Attention's tiles for processors with AVX512_BF16, and for those with AMX, too: the build defines TRAINYARD_ISA; see
// attention_bfloat16.h.

#include "base/isa_names.h"
#include "models/nn/kernels/attention_bfloat16.h"
#include "models/nn/kernels/bfloat16_tiles.h"
#ifdef __AMX_BF16__
#include "models/nn/kernels/matrix_tiles.h"
#endif

namespace trainyard::models {

namespace {

// The unit of the products: the rows that it multiplies together, and the step of keys on the diagonal, of which what a
// query may not attend to is zero.
#ifdef __AMX_BF16__
using UnitInUse = UseTiles;
constexpr std::int64_t kRowsTogether = kSide, kDiagonalStep = kDepth;
constexpr auto* kMultiply = &multiply_tiles_of_pairs;
#else
struct UnitInUse {};
constexpr std::int64_t kRowsTogether = kRowGroup, kDiagonalStep = kRowGroup;
constexpr auto* kMultiply = &multiply;
#endif

constexpr float kLog2E = 1.4426950408889634f;
constexpr float kLn2 = 0.6931471805599453f;
constexpr float kLowest = -1e30f;

/// Allocates parts of the working memory; without memory it only computes the size.
class Room {
  public:
    explicit Room(std::byte* begin) : begin_(begin) {}
    template <class T>
    T* take(std::int64_t count) {
        auto at = used_;
        used_ += (static_cast<std::size_t>(count) * sizeof(T) + 63) / 64 * 64;
        return begin_ == nullptr ? nullptr : reinterpret_cast<T*>(begin_ + at);
    }
    std::size_t used() const { return used_; }

  private:
    std::byte* begin_;
    std::size_t used_ = 0;
};

/// Lanes of a register of queries that may attend to a key: `key` and `query` are relative to the same position.
__mmask16 seeing(std::int64_t key, std::int64_t query) {
    return static_cast<__mmask16>(~first_lanes(key - query));
}

struct ForwardRoom {
    std::int64_t keys;         ///< rounded up
    std::uint16_t* v_columns;  ///< [depth][keys]
    std::uint32_t *q_pairs,    ///< [depth / 2][tile]
        *p_pairs;              ///< [tile / 2][tile]
    float *scores,             ///< [key][query]
        *out,                  ///< [depth][query]
        *largest, *sums, *factors;
    std::size_t bytes;

    ForwardRoom(std::int64_t seq, std::int64_t depth, std::byte* memory) : keys(rounded_up(seq, kTile)) {
        Room room(memory);
        v_columns = room.take<std::uint16_t>(depth * keys);
        q_pairs = room.take<std::uint32_t>(depth / 2 * kTile);
        p_pairs = room.take<std::uint32_t>(kTile / 2 * kTile);
        scores = room.take<float>(kTile * kTile);
        out = room.take<float>(depth * kTile);
        largest = room.take<float>(kTile);
        sums = room.take<float>(kTile);
        factors = room.take<float>(kTile);
        bytes = room.used();
    }
};

/// Rows of scores [keys][queries]; on the diagonal only keys that queries may attend to, in whole registers.
void score_tile(std::int64_t keys, std::int64_t queries, std::int64_t depth, const std::uint16_t* key_rows,
                std::int64_t stride, const std::uint32_t* query_pairs, bool diagonal, float* scores) {
    for (std::int64_t key = 0; key < keys; key += kRowsTogether) {
        std::int64_t first = diagonal ? key / kLane * kLane : 0;
        kMultiply(least(kRowsTogether, keys - key), queries - first, depth / 2, key_rows + key * stride, stride,
                  query_pairs + first, kTile, scores + key * kTile + first, kTile, false);
    }
}

/// c += a b with [key pairs] b; on the diagonal a query uses only the keys up to itself.
void add_over_keys(std::int64_t rows, std::int64_t queries, std::int64_t keys, const std::uint16_t* columns,
                   std::int64_t stride, const std::uint32_t* pairs, bool diagonal, float* to, std::int64_t to_stride,
                   bool add) {
    std::int64_t step = diagonal ? 2 * kLane : kTile;
    for (std::int64_t query = 0; query < queries; query += step) {
        std::int64_t met = diagonal ? least(keys, query + step) : keys;
        kMultiply(rows, least(step, queries - query), (met + 1) / 2, columns, stride, pairs + query, kTile, to + query,
                  to_stride, add);
    }
}

/// Replaces scores by pairs of exponentials relative to the running maximum, and updates maximum and sums. Returns
/// whether earlier sums must be multiplied by `factors`.
bool exponentials(ForwardRoom& room, std::int64_t keys, std::int64_t queries, float scale, bool diagonal) {
    bool changed = false;
    __m512 factor_of_scores = _mm512_set1_ps(scale);
    for (std::int64_t query = 0; query < queries; query += kLane) {
        const float* scores = room.scores + query;
        std::int64_t met = diagonal ? least(keys, query + kLane) : keys;
        __m512 before = _mm512_loadu_ps(room.largest + query), top = _mm512_set1_ps(kLowest);
        for (std::int64_t key = 0; key < met; ++key)
            top = _mm512_mask_max_ps(top, diagonal ? seeing(key, query) : 0xffff, top,
                                     _mm512_loadu_ps(scores + key * kTile));
        top = _mm512_max_ps(before, _mm512_mul_ps(top, factor_of_scores));
        __m512 factor = exp2_of(_mm512_sub_ps(before, top));
        changed |= _mm512_cmp_ps_mask(before, top, _CMP_NEQ_OQ) != 0;
        __m512 sum = _mm512_mul_ps(_mm512_loadu_ps(room.sums + query), factor);
        for (std::int64_t key = 0; key < met; key += 2) {
            __m512 p[2] = {_mm512_setzero_ps(), _mm512_setzero_ps()};
            for (std::int64_t i = 0; i < least(2, met - key); ++i) {
                __m512 x = _mm512_fmsub_ps(_mm512_loadu_ps(scores + (key + i) * kTile), factor_of_scores, top);
                p[i] = exp2_of(x);
                if (diagonal)
                    p[i] = _mm512_maskz_mov_ps(seeing(key + i, query), p[i]);
            }
            sum = _mm512_add_ps(sum, _mm512_add_ps(p[0], p[1]));
            _mm512_storeu_si512(room.p_pairs + key / 2 * kTile + query, paired(rounded(p[0], p[1])));
        }
        for (std::int64_t key = rounded_up(met, 2); key < keys; key += 2)
            _mm512_storeu_si512(room.p_pairs + key / 2 * kTile + query, _mm512_setzero_si512());
        _mm512_storeu_ps(room.largest + query, top);
        _mm512_storeu_ps(room.sums + query, sum);
        _mm512_storeu_ps(room.factors + query, factor);
    }
    return changed;
}

void multiply_columns(float* values, std::int64_t rows, std::int64_t columns, const float* factors) {
    for (std::int64_t row = 0; row < rows; ++row)
        for (std::int64_t column = 0; column < columns; column += kLane) {
            float* at = values + row * kTile + column;
            _mm512_storeu_ps(at, _mm512_mul_ps(_mm512_loadu_ps(at), _mm512_loadu_ps(factors + column)));
        }
}

std::size_t forward_room(std::int64_t seq, std::int64_t depth) {
    return ForwardRoom(seq, depth, nullptr).bytes;
}

void forward_prepare(const AttentionHead& head, std::byte* memory) {
    ForwardRoom room(head.seq, head.depth, memory);
    for (std::int64_t key = 0; key < head.seq; key += kTile) {
        // Uses a tile of pairs in the memory of the queries' tile.
        pair_columns(head.v + key * head.stride, head.stride, least(kTile, head.seq - key), head.depth, kTile,
                     {room.q_pairs, kTile});
        split_pairs(room.q_pairs, kTile, head.depth / 2, kTile, room.v_columns + key, room.keys);
    }
}

void forward_tile(const AttentionHead& head, std::int64_t first, const HeadResult& result, std::byte* memory) {
    [[maybe_unused]] const UnitInUse unit;
    ForwardRoom room(head.seq, head.depth, memory);
    std::int64_t queries = least(kTile, head.seq - first), lanes = rounded_up(queries, kLane);
    float scale = head.scale * kLog2E;
    pair_columns(head.q + first * head.stride, head.stride, queries, head.depth, lanes, {room.q_pairs, kTile});
    for (std::int64_t i = 0; i < kTile; ++i) {
        room.largest[i] = kLowest;
        room.sums[i] = 0.0f;
    }
    for (std::int64_t key = 0; key <= first; key += kTile) {
        std::int64_t keys = least(kTile, head.seq - key);
        bool diagonal = key == first;
        score_tile(keys, lanes, head.depth, head.k + key * head.stride, head.stride, room.q_pairs, diagonal,
                   room.scores);
        bool changed = exponentials(room, keys, lanes, scale, diagonal);
        if (key > 0 && changed)
            multiply_columns(room.out, head.depth, lanes, room.factors);
        add_over_keys(head.depth, lanes, keys, room.v_columns + key, room.keys, room.p_pairs, diagonal, room.out, kTile,
                      key > 0);
    }
    for (std::int64_t i = 0; i < queries; ++i) {
        result.log_sum_exp[first + i] = (room.largest[i] + __builtin_log2f(room.sums[i])) * kLn2;
        room.factors[i] = 1.0f / room.sums[i];
    }
    store_transposed(room.out, kTile, room.factors, queries, head.depth, result.rows + first * result.stride,
                     result.stride);
}

struct BackwardRoom {
    std::int64_t rows;         ///< of a head, rounded up to whole tiles
    std::int64_t width;        ///< of a head, rounded up to whole registers
    std::uint32_t *q_columns,  ///< [depth / 2][tile] for every tile
        *d_columns,            ///< the same of the result's gradient
        *q_rows, *d_rows;      ///< [rows / 2][width]
    std::uint16_t* k_columns;  ///< [depth][rows]
    float *dq,                 ///< [depth][rows]
        *dk, *dv,              ///< [tile][width]
        *scores, *dp;          ///< [key][query]
    std::uint16_t *p, *ds;     ///< [key][query]
    std::uint32_t* ds_pairs;   ///< [tile / 2][query]
    float *log2_sum_exp, *delta;
    std::size_t bytes;

    BackwardRoom(std::int64_t seq, std::int64_t depth, std::byte* memory)
        : rows(rounded_up(seq, kTile)), width(rounded_up(depth, kLane)) {
        Room room(memory);
        q_columns = room.take<std::uint32_t>(rows * depth / 2);
        d_columns = room.take<std::uint32_t>(rows * depth / 2);
        q_rows = room.take<std::uint32_t>(rows / 2 * width);
        d_rows = room.take<std::uint32_t>(rows / 2 * width);
        k_columns = room.take<std::uint16_t>(rows * depth);
        dq = room.take<float>(rows * depth);
        dk = room.take<float>(kTile * width);
        dv = room.take<float>(kTile * width);
        scores = room.take<float>(kTile * kTile);
        dp = room.take<float>(kTile * kTile);
        p = room.take<std::uint16_t>(kTile * kTile);
        ds = room.take<std::uint16_t>(kTile * kTile);
        ds_pairs = room.take<std::uint32_t>(kTile / 2 * kTile);
        log2_sum_exp = room.take<float>(rows);
        delta = room.take<float>(rows);
        bytes = room.used();
    }
};

/// Dot product of two rows.
float dot(const std::uint16_t* a, const std::uint16_t* b, std::int64_t count) {
    __m512 sum = _mm512_setzero_ps();
    for (std::int64_t i = 0; i < count; i += 2 * kLane) {
        __mmask16 there = first_lanes((count - i) / 2);
        sum = _mm512_dpbf16_ps(sum, (__m512bh)_mm512_maskz_loadu_epi32(there, a + i),
                               (__m512bh)_mm512_maskz_loadu_epi32(there, b + i));
    }
    return _mm512_reduce_add_ps(sum);
}

void prepare_backward(const AttentionHead& head, const HeadGradient& gradient, BackwardRoom& room) {
    std::int64_t tile_size = head.depth / 2 * kTile;
    for (std::int64_t row = 0; row < head.seq; row += kTile) {
        std::int64_t count = least(kTile, head.seq - row);
        // Keys are converted through pairs, in the memory that the queries' pairs use later.
        pair_columns(head.k + row * head.stride, head.stride, count, head.depth, kTile, {room.q_columns, kTile});
        split_pairs(room.q_columns, kTile, head.depth / 2, kTile, room.k_columns + row, room.rows);
    }
    for (std::int64_t row = 0; row < head.seq; row += kTile) {
        std::int64_t count = least(kTile, head.seq - row), tile = row / kTile;
        const std::uint16_t *q = head.q + row * head.stride, *d = gradient.dout + row * gradient.stride;
        pair_columns(q, head.stride, count, head.depth, kTile, {room.q_columns + tile * tile_size, kTile});
        pair_columns(d, gradient.stride, count, head.depth, kTile, {room.d_columns + tile * tile_size, kTile});
        pair_rows(q, head.stride, count, head.depth, {room.q_rows + row / 2 * room.width, room.width});
        pair_rows(d, gradient.stride, count, head.depth, {room.d_rows + row / 2 * room.width, room.width});
        for (std::int64_t i = row; i < row + kTile; ++i) {
            bool there = i < head.seq;
            room.log2_sum_exp[i] = there ? gradient.log_sum_exp[i] * kLog2E : 0.0f;
            room.delta[i] =
                there ? dot(gradient.out + i * gradient.stride, gradient.dout + i * gradient.stride, head.depth) : 0.0f;
        }
    }
}

/// Replaces scores and gradients of the probabilities by probabilities and gradients of the scores.
void score_gradients(BackwardRoom& room, std::int64_t keys, std::int64_t first_query, std::int64_t queries, float scale,
                     bool diagonal) {
    __m512 factor = _mm512_set1_ps(scale), factor_of_scores = _mm512_set1_ps(scale * kLog2E);
    for (std::int64_t query = 0; query < queries; query += kLane) {
        __m512 log2_sum = _mm512_loadu_ps(room.log2_sum_exp + first_query + query);
        __m512 delta = _mm512_loadu_ps(room.delta + first_query + query);
        // On the diagonal, whole groups of rows, because add_over_queries reads them.
        std::int64_t met = diagonal ? least(keys, rounded_up(query + kLane, kDiagonalStep)) : keys;
        for (std::int64_t key = 0; key < met; key += 2) {
            __m512 p[2] = {_mm512_setzero_ps(), _mm512_setzero_ps()};
            __m512 ds[2] = {_mm512_setzero_ps(), _mm512_setzero_ps()};
            for (std::int64_t i = 0; i < least(2, met - key); ++i) {
                std::int64_t at = (key + i) * kTile + query;
                p[i] = exp2_of(_mm512_fmsub_ps(_mm512_loadu_ps(room.scores + at), factor_of_scores, log2_sum));
                if (diagonal)
                    p[i] = _mm512_maskz_mov_ps(seeing(key + i, query), p[i]);
                ds[i] = _mm512_mul_ps(_mm512_mul_ps(p[i], factor), _mm512_sub_ps(_mm512_loadu_ps(room.dp + at), delta));
                if (diagonal)
                    ds[i] = _mm512_maskz_mov_ps(seeing(key + i, query), ds[i]);
            }
            __m512i two_p = rounded(p[0], p[1]), two_ds = rounded(ds[0], ds[1]);
            auto store = [&](std::uint16_t* rows, __m512i two) {
                auto* at = rows + key * kTile + query;
                _mm256_storeu_si256(reinterpret_cast<__m256i*>(at), _mm512_castsi512_si256(two));
                _mm256_storeu_si256(reinterpret_cast<__m256i*>(at + kTile), _mm512_extracti64x4_epi64(two, 1));
            };
            store(room.p, two_p);
            store(room.ds, two_ds);
            _mm512_storeu_si512(room.ds_pairs + key / 2 * kTile + query, paired(two_ds));
        }
        for (std::int64_t key = rounded_up(met, 2); key < keys; key += 2)
            _mm512_storeu_si512(room.ds_pairs + key / 2 * kTile + query, _mm512_setzero_si512());
    }
}

/// c += a b over queries; on the diagonal a key is used only by the queries from itself on.
void add_over_queries(std::int64_t keys, std::int64_t queries, std::int64_t width, const std::uint16_t* a,
                      const std::uint32_t* pairs, bool diagonal, float* to) {
    for (std::int64_t key = 0; key < keys; key += kRowsTogether) {
        std::int64_t first = diagonal ? key / kDiagonalStep * kDiagonalStep : 0;  // even, because steps are
        kMultiply(least(kRowsTogether, keys - key), width, (queries - first + 1) / 2, a + key * kTile + first, kTile,
                  pairs + first / 2 * width, width, to + key * width, width, !diagonal);
    }
}

std::size_t backward_room(std::int64_t seq, std::int64_t depth) {
    return BackwardRoom(seq, depth, nullptr).bytes;
}

void backward(const AttentionHead& head, const HeadGradient& gradient, const HeadRowGradients& result,
              std::byte* memory) {
    [[maybe_unused]] const UnitInUse unit;
    BackwardRoom room(head.seq, head.depth, memory);
    prepare_backward(head, gradient, room);
    std::int64_t depth = head.depth, tile_size = depth / 2 * kTile;
    float scale = head.scale;
    for (std::int64_t key = 0; key < head.seq; key += kTile) {
        std::int64_t keys = least(kTile, head.seq - key);
        for (std::int64_t query = key; query < head.seq; query += kTile) {
            std::int64_t queries = least(kTile, head.seq - query), lanes = rounded_up(queries, kLane);
            bool diagonal = query == key;
            std::int64_t tile = query / kTile * tile_size;
            score_tile(keys, lanes, depth, head.k + key * head.stride, head.stride, room.q_columns + tile, diagonal,
                       room.scores);
            score_tile(keys, lanes, depth, head.v + key * head.stride, head.stride, room.d_columns + tile, diagonal,
                       room.dp);
            score_gradients(room, keys, query, lanes, scale, diagonal);
            // The first tile for a key is the diagonal one, where its sums start; for queries it is the first tile of
            // keys.
            add_over_queries(keys, queries, room.width, room.p, room.d_rows + query / 2 * room.width, diagonal,
                             room.dv);
            add_over_queries(keys, queries, room.width, room.ds, room.q_rows + query / 2 * room.width, diagonal,
                             room.dk);
            add_over_keys(depth, lanes, keys, room.k_columns + key, room.rows, room.ds_pairs, diagonal, room.dq + query,
                          room.rows, key > 0);
        }
        store_rows(room.dk, room.width, keys, depth, result.dk + key * result.stride, result.stride);
        store_rows(room.dv, room.width, keys, depth, result.dv + key * result.stride, result.stride);
    }
    store_transposed(room.dq, room.rows, nullptr, head.seq, depth, result.dq, result.stride);
}

}  // namespace

extern const Bfloat16Attention TRAINYARD_FOR_ISA(bfloat16_attention);
const Bfloat16Attention TRAINYARD_FOR_ISA(bfloat16_attention){
    kTile, &forward_room, &backward_room, &forward_prepare, &forward_tile, &backward};

}  // namespace trainyard::models
