// SPDX-License-Identifier: GPL-3.0-or-later
#include "models/nn/kernels/shared_attention.h"

#include <optional>
#include <stdexcept>
#include <utility>
#include <vector>

#include <ATen/ops/cat.h>
#include <ATen/ops/empty.h>
#include <ATen/ops/empty_like.h>
#include <ATen/ops/stack.h>
#include <ATen/ops/zeros.h>
#include <torch/csrc/autograd/custom_function.h>
#include <torch/custom_class.h>

#include "distributed/parallel/activation_checkpoint.h"
#include "models/nn/kernels/attention_part.h"

namespace trainyard::models {

namespace {

using parallel::Communicator;
using parallel::Pending;
using parallel::PositionRun;
using parallel::PositionRuns;
using parallel::SequenceExchange;
using parallel::SequenceShare;
using torch::autograd::AutogradContext;
using torch::autograd::variable_list;

constexpr const char* kKeys = "keys and values";
constexpr const char* kKeyGradients = "gradients of keys and values";

/// What this rank's queries see of the keys of another one: rows of both.
struct SeenPart {
    PositionRun queries, keys;
    KeyPart part;
};

bool reaches(const PositionRuns& queries, const PositionRuns& keys, std::int64_t window) {
    for (const PositionRun& q : queries)
        for (const PositionRun& k : keys)
            if (k.first < q.first + q.count && k.first + k.count > q.first - window + 1)
                return true;
    return false;
}

/// Nothing: no query sees a key of `source`.
std::optional<SeenPart> seen_part(const SequenceShare& share, const PlainAttention& what, int source) {
    using Seen = KeyPart::Seen;
    const int rank = share.ranks->rank();
    const PositionRuns theirs = parallel::positions_of_rank(share.exchange, source, share.ranks->size(), share.length);
    const std::int64_t rows = share.length / share.ranks->size(), half = rows / 2;
    PositionRun queries{0, rows}, keys{0, rows};
    Seen seen = Seen::all;
    const bool windowed = what.causal && what.window > 0 && what.window < share.length;
    if (windowed && !reaches(share.positions, theirs, what.window))
        return std::nullopt;
    if (windowed || what.documents.defined()) {
        seen = Seen::by_position;
    } else if (what.causal && source == rank) {
        seen = Seen::causal;
    } else if (what.causal &&
               source < rank) {  // of its two chunks, the early one comes before all queries, the late one after them
        keys.count = half;
    } else if (what.causal) {
        queries = {half, rows - half};
    }
    return SeenPart{queries,
                    keys,
                    {seen, parallel::part_of_positions(share.positions, queries.first, queries.count),
                     parallel::part_of_positions(theirs, keys.first, keys.count), share.length}};
}

/// A buffer on its way to the next rank, and the next one from the rank before.
class RingMessage {
  public:
    RingMessage(Communicator& ranks, at::Tensor given, const char* name) : given_(std::move(given)) {
        got_ = at::empty_like(given_);
        const int size = ranks.size(), rank = ranks.rank();
        sent_ = ranks.send(given_, (rank + 1) % size, name);
        received_ = ranks.receive(got_, (rank + size - 1) % size, name);
    }
    at::Tensor wait() {
        received_.wait();
        sent_.wait();
        return got_;
    }

  private:
    at::Tensor given_, got_;
    Pending sent_, received_;
};

/// Calls `visit(source, keys and values)` for every rank's, the own ones first, while the next ones travel.
template <class Visit>
void for_all_keys(const SequenceShare& share, const at::Tensor& own, Visit visit) {
    Communicator& ranks = *share.ranks;
    const int size = ranks.size(), rank = ranks.rank();
    if (share.exchange == SequenceExchange::ring) {
        at::Tensor here = own;
        for (int step = 0; step < size; ++step) {
            std::optional<RingMessage> next;
            if (step + 1 < size)
                next.emplace(ranks, here, kKeys);
            visit((rank + size - step) % size, here);
            if (next)
                here = next->wait();
        }
        return;
    }
    std::vector<std::int64_t> sizes = own.sizes().vec();
    sizes.insert(sizes.begin(), size);
    const at::Tensor all = at::empty(sizes, own.options());
    Pending gathered = ranks.all_gather_async(all, own, kKeys);
    visit(rank, own);
    gathered.wait();
    for (int step = 1; step < size; ++step)
        visit((rank + size - step) % size, all.select(0, (rank + size - step) % size));
}

/// The same where `visit` returns gradients of the keys and values that it got: returns the sum of all ranks' for the
/// own ones.
template <class Visit>
at::Tensor sum_of_key_gradients(const SequenceShare& share, const at::Tensor& own, Visit visit) {
    Communicator& ranks = *share.ranks;
    if (share.exchange == SequenceExchange::ring) {
        // The sums follow their keys round the ring, one step later, and come home with the last step.
        std::optional<RingMessage> sums;
        for_all_keys(share, own, [&](int source, const at::Tensor& keys) {
            at::Tensor mine = visit(source, keys);
            if (sums)
                mine.add_(sums->wait());
            sums.emplace(ranks, std::move(mine), kKeyGradients);
        });
        return sums->wait();
    }
    std::vector<at::Tensor> parts(static_cast<std::size_t>(ranks.size()));
    for_all_keys(share, own, [&](int source, const at::Tensor& keys) {
        parts[static_cast<std::size_t>(source)] = visit(source, keys);
    });
    const at::Tensor all = at::stack(parts);
    at::Tensor sum = at::empty_like(parts.front());
    ranks.reduce_scatter(sum, all, kKeyGradients).wait();
    return sum;
}

/// State for backward that is not a tensor.
struct SharedAttentionOptions : torch::CustomClassHolder {
    PlainAttention what;
    std::int64_t heads = 0, key_heads = 0;
};

struct SharedAttention : torch::autograd::Function<SharedAttention> {
    using Options = c10::intrusive_ptr<SharedAttentionOptions>;

    /// Queries of packed rows [batch, rows, heads, width].
    static at::Tensor queries_of(const at::Tensor& packed, std::int64_t heads) {
        return packed.view({packed.size(0), packed.size(1), 3, heads, -1}).select(2, 0);
    }
    /// [2, batch, rows, key heads, width]
    static at::Tensor keys_of(const at::Tensor& packed, const SharedAttentionOptions& options) {
        const at::Tensor parts = packed.view({packed.size(0), packed.size(1), 3, options.heads, -1});
        const std::int64_t group = options.heads / options.key_heads;
        return at::stack({parts.select(2, 1).slice(2, 0, options.heads, group),
                          parts.select(2, 2).slice(2, 0, options.heads, group)});
    }

    static at::Tensor forward(AutogradContext* context, const at::Tensor& qkv, const Options& options) {
        const at::Tensor packed = qkv.contiguous(), queries = queries_of(packed, options->heads);
        const SequenceShare& share = *options->what.sequence;
        const variable_list results = parallel::kept_outputs([&] {
            AttentionResult sum;
            for_all_keys(share, keys_of(packed, *options), [&](int source, const at::Tensor& keys) {
                const std::optional<SeenPart> seen = seen_part(share, options->what, source);
                if (!seen)
                    return;
                const auto [first, count] = seen->queries;
                AttentionResult result = attend_to_part(
                    queries.narrow(1, first, count), keys[0].narrow(1, seen->keys.first, seen->keys.count),
                    keys[1].narrow(1, seen->keys.first, seen->keys.count), seen->part, options->what);
                if (sum.out.defined())
                    merge_part({sum.out.narrow(1, first, count), sum.log_sum_exp.narrow(2, first, count)}, result);
                else
                    sum = std::move(result);
            });
            return variable_list{sum.out.to(qkv.scalar_type()), sum.log_sum_exp};
        });
        const at::Tensor& out = results[0];
        context->save_for_backward({packed, out, results[1]});
        context->saved_data["options"] = c10::IValue::make_capsule(options);
        return out.view({packed.size(0), packed.size(1), -1});
    }

    static variable_list backward(AutogradContext* context, variable_list gradients) {
        const variable_list saved = context->get_saved_variables();
        const at::Tensor &packed = saved[0], &out = saved[1], &log_sum_exp = saved[2];
        const auto capsule = context->saved_data["options"].toCapsule();
        const auto& options = static_cast<const SharedAttentionOptions&>(*capsule);
        const SequenceShare& share = *options.what.sequence;
        const at::Tensor queries = queries_of(packed, options.heads), dout = gradients[0].reshape(out.sizes());
        const auto numbers = log_sum_exp.options();
        const at::Tensor dq = at::zeros(queries.sizes(), numbers);
        const at::Tensor own = keys_of(packed, options);
        const at::Tensor dkv = sum_of_key_gradients(share, own, [&](int source, const at::Tensor& keys) -> at::Tensor {
            at::Tensor sums = at::zeros(keys.sizes(), numbers);
            const std::optional<SeenPart> seen = seen_part(share, options.what, source);
            if (!seen)
                return sums;
            const auto [first, count] = seen->queries;
            const auto rows = [&, begin = first, size = count](const at::Tensor& x) {
                return x.narrow(1, begin, size);
            };
            const auto of_keys = [&](const at::Tensor& x) { return x.narrow(1, seen->keys.first, seen->keys.count); };
            const AttentionGradients made =
                gradients_of_part(rows(queries), of_keys(keys[0]), of_keys(keys[1]), rows(out),
                                  log_sum_exp.narrow(2, first, count), rows(dout), seen->part, options.what);
            rows(dq).add_(made.query);
            of_keys(sums[0]).copy_(made.key);
            of_keys(sums[1]).copy_(made.value);
            return sums;
        });
        // Of the repeated heads of keys and values the first has the gradient of all.
        const std::int64_t group = options.heads / options.key_heads;
        const at::Tensor dqkv =
            group == 1 ? at::empty(packed.sizes(), packed.options()) : at::zeros(packed.sizes(), packed.options());
        const at::Tensor parts = dqkv.view({packed.size(0), packed.size(1), 3, options.heads, -1});
        parts.select(2, 0).copy_(dq);
        for (std::int64_t i = 0; i < 2; ++i)
            parts.select(2, i + 1).slice(2, 0, options.heads, group).copy_(dkv[i]);
        return {dqkv, at::Tensor()};
    }
};

/// Queries, keys and values of this rank's positions become those of all positions for a part of the heads, and back.
at::Tensor attention_of_heads(const at::Tensor& qkv, std::int64_t heads, const PlainAttention& what,
                              AttentionKernel whole) {
    const SequenceShare& share = *what.sequence;
    const int size = share.ranks->size();
    const std::int64_t key_heads = what.key_heads > 0 ? what.key_heads : heads, group = heads / key_heads;
    const std::int64_t batch = qkv.size(0), rows = qkv.size(1);
    const at::Tensor parts = qkv.view({batch, rows, 3, heads, -1});
    std::vector<at::Tensor> slices;
    for (int rank = 0; rank < size; ++rank) {
        const parallel::HeadShare share_of_rank = parallel::heads_of_rank(heads, key_heads, rank, size);
        std::vector<at::Tensor> sent{parts.select(2, 0).narrow(2, share_of_rank.first, share_of_rank.count)};
        for (std::int64_t i : {1, 2})
            sent.push_back(parts.select(2, i)
                               .slice(2, 0, heads, group)
                               .narrow(2, share_of_rank.first_key, share_of_rank.key_count));
        slices.push_back(at::cat(sent, 2));
    }
    const parallel::HeadShare mine = parallel::heads_of_rank(heads, key_heads, share.ranks->rank(), size);
    const at::Tensor all = parallel::exchange_slices(at::stack(slices), share, "heads of a sequence")
                               .transpose(0, 1)
                               .reshape({batch, size * rows, mine.count + 2 * mine.key_count, -1});
    const auto keys = [&](std::int64_t first) {
        return all.narrow(2, first, mine.key_count).repeat_interleave(mine.count / mine.key_count, 2);
    };
    const at::Tensor packed =
        at::cat({all.narrow(2, 0, mine.count), keys(mine.count), keys(mine.count + mine.key_count)}, 2).flatten(2);
    PlainAttention of_heads = what;
    of_heads.sequence = share.keys.get();
    of_heads.key_heads = 0;  // repeated
    of_heads.key.first_element += mine.first * share.length * share.length;
    if (what.key_bias.defined())
        of_heads.key_bias = what.key_bias.narrow(1, mine.first, mine.count);
    const at::Tensor attended = share.keys != nullptr ? shared_attention(packed, mine.count, of_heads, whole)
                                                      : whole(packed, mine.count, of_heads);
    const at::Tensor out = attended.view({batch, size, rows, -1}).transpose(0, 1);
    return parallel::exchange_slices(out, share, "positions of all heads").permute({1, 2, 0, 3}).flatten(2);
}

}  // namespace

at::Tensor shared_attention(const at::Tensor& qkv, std::int64_t heads, const PlainAttention& what,
                            AttentionKernel whole) {
    if (what.sequence->exchange == SequenceExchange::heads)
        return attention_of_heads(qkv, heads, what, whole);
    if (what.mask.defined() || what.bias.defined() || what.past != nullptr)
        throw std::invalid_argument("attention over shared sequences has no masks, biases and caches");
    auto options = c10::make_intrusive<SharedAttentionOptions>();
    options->what = what;
    options->heads = heads;
    options->key_heads = what.key_heads > 0 ? what.key_heads : heads;
    return SharedAttention::apply(qkv, options);
}

}  // namespace trainyard::models
