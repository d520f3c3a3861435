// SPDX-License-Identifier: GPL-3.0-or-later
#include "models/nn/kernels/attention_cpu.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <memory>

#include <ATen/Parallel.h>

#include "models/nn/kernels/tile_products.h"
#include "models/nn/kernels/vector_loops.h"

namespace trainyard::models {

namespace {

constexpr std::int64_t kRowTile = 64;

/// Working memory in fp32.
class FloatRoom {
  public:
    explicit FloatRoom(std::int64_t count)
        : data_(std::make_unique_for_overwrite<float[]>(static_cast<std::size_t>(count))) {}
    float* get() const { return data_.get(); }

  private:
    std::unique_ptr<float[]> data_;
};

/// Rows [count, width] of x as a left operand: in place if they are fp32, else widened into `room`.
LeftOperand rows_of(const MatrixData& x, std::int64_t count, std::int64_t width, float* room) {
    if (x.format == NumberFormat::fp32)
        return {static_cast<const float*>(x.data), x.stride, false};
    for (std::int64_t row = 0; row < count; ++row)
        vector_loops().half(x.format).widen(static_cast<const std::uint16_t*>(x.data) + row * x.stride,
                                            room + row * width, width);
    return {room, width, false};
}

/// fp32 rows [count, width] to rows of x.
void store_rows_of(const float* from, std::int64_t count, std::int64_t width, const ProductTarget& x) {
    for (std::int64_t row = 0; row < count; ++row) {
        if (x.format == NumberFormat::fp32)
            std::copy_n(from + row * width, width, static_cast<float*>(x.data) + row * x.stride);
        else
            vector_loops().half(x.format).narrow(from + row * width,
                                                 static_cast<std::uint16_t*>(x.data) + row * x.stride, width);
    }
}

/// Rows of head `index` (of batch * heads), each shared by `group` of them.
MatrixData head_of_rows(const AttentionShape& shape, const AttentionRows& rows, NumberFormat format, std::int64_t index,
                        std::int64_t group = 1) {
    return part_of({rows.data, rows.stride, format, false}, 0,
                   index / shape.heads * rows.batch_stride + index % shape.heads / group * shape.head_width);
}

MatrixData transposed(MatrixData x) {
    x.transposed = true;
    return x;
}

ProductTarget rows_to_write(const MatrixData& x, std::int64_t first) {
    return {const_cast<void*>(part_of(x, first, 0).data), x.stride, x.format};
}

/// Rows of a head that are processed together, and the keys that any of them sees, from a whole panel on.
struct RowTile {
    std::int64_t first, rows, first_key, keys;
    const float* mask;  ///< [keys], or nullptr

    RowTile(const AttentionShape& shape, const SeenKeys& seen, std::int64_t index, std::int64_t at)
        : first(at), rows(std::min(kRowTile, shape.seq - at)) {
        const std::int64_t panel = tile_products().columns;
        first_key = std::min(seen.first(first), shape.key_count()) / panel * panel;
        keys = std::max<std::int64_t>(0, seen.end(first + rows - 1, shape.key_count()) - first_key);
        const std::int64_t row_of_mask = seen.mask_by_head ? index : index / shape.heads;
        mask = seen.mask == nullptr ? nullptr : seen.mask + row_of_mask * shape.key_count() + first_key;
    }
    /// The panels [depth][columns] of the keys, of those of all keys.
    RightOperand columns_of(const RightOperand& all) const {
        return {all.data + first_key / tile_products().columns * all.stride, all.stride};
    }
    /// The keys' rows in panels [keys][columns], of those of all keys.
    RightOperand rows_of(const RightOperand& all) const {
        return {all.data + first_key * tile_products().columns, all.stride};
    }
    ProductTarget to_scores(float* scores, float scale) const {
        ProductTarget to{scores, keys};
        to.scale = scale;
        to.bias = mask;
        return to;
    }
    /// Calls `visit(row, its scores, keys that it sees, keys from the first of these on)`; scores before that one are
    /// set to zero.
    template <class Visit>
    void for_rows(const AttentionShape& shape, const SeenKeys& seen, float* scores, Visit visit) const {
        for (std::int64_t row = 0; row < rows; ++row) {
            const std::int64_t begin = std::min(keys, seen.first(first + row) - first_key);
            const std::int64_t end = seen.end(first + row, shape.key_count()) - first_key;
            float* line = scores + row * keys;
            std::fill_n(line, begin, 0.0f);
            visit(row, line + begin, std::max<std::int64_t>(0, end - begin), keys - begin);
        }
    }
};

}  // namespace

AttentionInputs packed_inputs(const AttentionShape& shape, NumberFormat format, const void* qkv) {
    const auto part = [&](std::int64_t number) {
        const std::int64_t stride = 3 * shape.width();
        return AttentionRows{part_of({qkv, stride, format, false}, 0, number * shape.width()).data, shape.seq * stride,
                             stride};
    };
    return {part(0), part(1), part(2), format};
}

AttentionRows plain_rows(const AttentionShape& shape, const void* rows) {
    return {rows, shape.seq * shape.width(), shape.width()};
}

void tiled_attention_forward(const AttentionShape& shape, const SeenKeys& seen, const AttentionInputs& inputs,
                             const AttentionRows& out, NumberFormat out_format, float* log_sum_exp) {
    const VectorLoops& loops = vector_loops();
    const TileProducts& products = tile_products();
    std::int64_t seq = shape.seq, key_count = shape.key_count(), depth = shape.head_width;
    float scale = shape.score_scale();
    at::parallel_for(0, shape.batch * shape.heads, 1, [&](std::int64_t begin, std::int64_t end) {
        FloatRoom scores(std::min(kRowTile, seq) * key_count), q_rows(kRowTile * depth);
        FloatRoom k_room(products.panels_of(key_count) * products.columns * depth),
            v_room(products.panels_of(depth) * products.columns * key_count);
        for (std::int64_t index = begin; index < end; ++index) {
            MatrixData q = head_of_rows(shape, inputs.q, inputs.format, index),
                       k = head_of_rows(shape, inputs.k, inputs.format, index, shape.group()),
                       v = head_of_rows(shape, inputs.v, inputs.format, index, shape.group()),
                       result = head_of_rows(shape, out, out_format, index);
            RightOperand keys_turned = pack_whole(transposed(k), depth, key_count, k_room.get());
            RightOperand values = pack_whole(v, key_count, depth, v_room.get());
            for (std::int64_t first = 0; first < seq; first += kRowTile) {
                RowTile tile(shape, seen, index, first);
                if (tile.keys == 0) {
                    std::fill_n(q_rows.get(), tile.rows * depth, 0.0f);
                    store_rows_of(q_rows.get(), tile.rows, depth, rows_to_write(result, first));
                    std::fill_n(log_sum_exp + index * seq + first, tile.rows, -std::numeric_limits<float>::infinity());
                    continue;
                }
                products.multiply(tile.rows, tile.keys, depth,
                                  rows_of(part_of(q, first, 0), tile.rows, depth, q_rows.get()),
                                  tile.columns_of(keys_turned), tile.to_scores(scores.get(), scale));
                tile.for_rows(shape, seen, scores.get(),
                              [&](std::int64_t row, float* line, std::int64_t valid, std::int64_t count) {
                                  float& sum = log_sum_exp[index * seq + first + row];
                                  sum = -std::numeric_limits<float>::infinity();
                                  if (valid > 0)
                                      sum = loops.softmax_row(line, valid, count);
                                  else
                                      std::fill_n(line, count, 0.0f);
                              });
                products.multiply(tile.rows, depth, tile.keys, {scores.get(), tile.keys, false}, tile.rows_of(values),
                                  rows_to_write(result, first));
            }
        }
    });
}

void tiled_attention_backward(const AttentionShape& shape, const SeenKeys& seen, const AttentionInputs& inputs,
                              const AttentionRows& out, const float* log_sum_exp, const AttentionRows& dout,
                              const AttentionInputs& results) {
    const VectorLoops& loops = vector_loops();
    const TileProducts& products = tile_products();
    std::int64_t seq = shape.seq, key_count = shape.key_count(), depth = shape.head_width;
    float scale = shape.score_scale();
    at::parallel_for(0, shape.batch * shape.heads, 1, [&](std::int64_t begin, std::int64_t end) {
        std::int64_t by_keys = products.panels_of(key_count) * products.columns,
                     by_depth = products.panels_of(depth) * products.columns;
        std::int64_t square = std::min(kRowTile, seq) * (key_count + products.rows);
        FloatRoom p(square), dp(square), turned(square), q_rows(kRowTile * depth), d_rows(kRowTile * depth),
            o_rows(kRowTile * depth), dk(key_count * depth), dv(key_count * depth);
        FloatRoom k_turned_room(by_keys * depth), v_turned_room(by_keys * depth), k_room(by_depth * key_count),
            q_room(by_depth * kRowTile), d_room(by_depth * kRowTile);
        for (std::int64_t index = begin; index < end; ++index) {
            const auto gradient_of = [&](const AttentionRows& rows) {
                return head_of_rows(shape, rows, results.format, index);
            };
            MatrixData q = head_of_rows(shape, inputs.q, inputs.format, index),
                       k = head_of_rows(shape, inputs.k, inputs.format, index, shape.group()),
                       v = head_of_rows(shape, inputs.v, inputs.format, index, shape.group()),
                       o = head_of_rows(shape, out, inputs.format, index),
                       d = head_of_rows(shape, dout, inputs.format, index);
            RightOperand keys_turned = pack_whole(transposed(k), depth, key_count, k_turned_room.get());
            RightOperand values_turned = pack_whole(transposed(v), depth, key_count, v_turned_room.get());
            RightOperand keys_packed = pack_whole(k, key_count, depth, k_room.get());
            // Starts with the last tile. Where it uses every key it writes all of dk and dv; the other tiles add to
            // them.
            std::int64_t last = (seq - 1) / kRowTile * kRowTile;
            const bool last_writes = seen.window == 0 && seen.end(seq - 1, key_count) == key_count;
            if (!last_writes) {
                std::fill_n(dk.get(), key_count * depth, 0.0f);
                std::fill_n(dv.get(), key_count * depth, 0.0f);
            }
            for (std::int64_t first = last; first >= 0; first -= kRowTile) {
                RowTile tile(shape, seen, index, first);
                std::int64_t rows = tile.rows, keys = tile.keys;
                if (keys == 0) {
                    std::fill_n(q_rows.get(), rows * depth, 0.0f);
                    store_rows_of(q_rows.get(), rows, depth, rows_to_write(gradient_of(results.q), first));
                    continue;
                }
                LeftOperand queries = rows_of(part_of(q, first, 0), rows, depth, q_rows.get());
                LeftOperand gradients = rows_of(part_of(d, first, 0), rows, depth, d_rows.get());
                LeftOperand outputs = rows_of(part_of(o, first, 0), rows, depth, o_rows.get());
                products.multiply(rows, keys, depth, queries, tile.columns_of(keys_turned),
                                  tile.to_scores(p.get(), scale));
                products.multiply(rows, keys, depth, gradients, tile.columns_of(values_turned), {dp.get(), keys});
                tile.for_rows(
                    shape, seen, p.get(), [&](std::int64_t row, float* line, std::int64_t valid, std::int64_t count) {
                        loops.probability_row(line, log_sum_exp[index * seq + first + row], valid, count);
                        float delta = loops.dot(gradients.data + row * gradients.stride,
                                                outputs.data + row * outputs.stride, depth);
                        loops.score_gradient_row(p.get() + row * keys, dp.get() + row * keys, delta, scale, keys);
                    });
                auto add_over_rows = [&](const float* left, const MatrixData& right, float* room, float* sums) {
                    products.pack_left({left, keys, NumberFormat::fp32, true}, keys, rows, turned.get());
                    ProductTarget to{sums + tile.first_key * depth, depth};
                    to.sums = first == last && last_writes ? nullptr : static_cast<float*>(to.data);
                    to.sums_stride = depth;
                    products.multiply(keys, depth, rows, {turned.get(), rows * products.rows, true},
                                      pack_whole(right, rows, depth, room), to);
                };
                add_over_rows(p.get(), part_of(d, first, 0), d_room.get(), dv.get());
                add_over_rows(dp.get(), part_of(q, first, 0), q_room.get(), dk.get());
                products.multiply(rows, depth, keys, {dp.get(), keys, false}, tile.rows_of(keys_packed),
                                  rows_to_write(gradient_of(results.q), first));
            }
            store_rows_of(dk.get(), key_count, depth, rows_to_write(gradient_of(results.k), 0));
            store_rows_of(dv.get(), key_count, depth, rows_to_write(gradient_of(results.v), 0));
        }
    });
}

}  // namespace trainyard::models
