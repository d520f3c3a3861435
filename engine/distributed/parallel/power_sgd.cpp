// SPDX-License-Identifier: GPL-3.0-or-later
#include "distributed/parallel/power_sgd.h"

#include <algorithm>
#include <cmath>
#include <map>
#include <random>
#include <utility>

#include <ATen/CPUGeneratorImpl.h>
#include <ATen/ops/bmm.h>
#include <ATen/ops/cat.h>
#include <ATen/ops/empty.h>
#include <ATen/ops/randn.h>
#include <ATen/ops/stack.h>
#include <ATen/ops/zeros.h>

#include <fmt/format.h>

#include "base/error.h"
#include "distributed/parallel/orthogonalise.h"

namespace trainyard::parallel {

namespace {

/// State of a hook that lasts from step to step.
struct Memory {
    std::map<std::size_t, at::Tensor> errors;  ///< by bucket: [elements], of this rank
    std::map<std::size_t, at::Tensor> qs;      ///< by bucket: all Q one behind the other, equal on all ranks
};

/// Matrices of one shape, or one matrix, as a batch; with their places in P and Q.
struct Compressed {
    at::Tensor batch;                   ///< [matrices, rows, columns]
    std::vector<at::Tensor> originals;  ///< where a stacked batch is copied back to; empty when the batch is a view
    at::Tensor p, q;                    ///< [matrices, rows, rank], [matrices, columns, rank]
};

/// One bucket of one step.
struct Job {
    at::Tensor slice;   ///< the bucket's
    at::Tensor work;    ///< what is compressed: the slice, or a square with the slice at its begin
    at::Tensor before;  ///< copy of `work` with the fed-back error; undefined without feedback
    std::vector<at::Tensor> exact;
    at::Tensor exact_message, p_message, q_message;
    std::vector<Compressed> compressed;
    double divisor = 1;
    double error_share = 1;  ///< part of the result that this rank's error is measured against
    double epsilon = 0;
    std::size_t index = 0;
    std::string name;
};

class CompressedReduction final : public BucketReduction {
  public:
    CompressedReduction(Job job, Communicator& communicator, std::shared_ptr<Memory> memory, bool warm_start)
        : job_(std::move(job)), communicator_(communicator), memory_(std::move(memory)), warm_start_(warm_start) {
        if (job_.exact_message.defined())
            exact_pending_ = communicator_.all_reduce(job_.exact_message, job_.name);
        for (Compressed& part : job_.compressed)
            at::bmm_out(part.p, part.batch, part.q);
        if (job_.p_message.defined())
            pending_ = communicator_.all_reduce(job_.p_message, job_.name + " (P)");
    }

    bool advance() override {
        if (!q_sent_) {
            take_exact();
            if (job_.p_message.defined()) {
                send_q();
                return true;
            }
        } else {
            take_q();
        }
        if (job_.before.defined())
            memory_->errors[job_.index] = job_.before.sub(job_.work, job_.error_share);
        if (!job_.work.is_same(job_.slice))
            job_.slice.copy_(job_.work.narrow(0, 0, job_.slice.numel()));
        return false;
    }

  private:
    void take_exact() {
        exact_pending_.wait();
        if (!job_.exact_message.defined())
            return;
        job_.exact_message.div_(job_.divisor);
        std::int64_t position = 0;
        for (at::Tensor& tensor : job_.exact) {
            tensor.copy_(job_.exact_message.narrow(0, position, tensor.numel()).view(tensor.sizes()));
            position += tensor.numel();
        }
    }

    void send_q() {
        pending_.wait();
        // The sum of the P is as good as their mean: only directions are kept.
        for (Compressed& part : job_.compressed) {
            orthogonalise(part.p, job_.epsilon);
            at::bmm_out(part.q, part.batch.transpose(1, 2), part.p);
        }
        pending_ = communicator_.all_reduce(job_.q_message, job_.name + " (Q)");
        q_sent_ = true;
    }

    void take_q() {
        pending_.wait();
        job_.q_message.div_(job_.divisor);
        for (Compressed& part : job_.compressed) {
            at::bmm_out(part.batch, part.p, part.q.transpose(1, 2));
            for (std::size_t i = 0; i < part.originals.size(); ++i)
                part.originals[i].copy_(part.batch.select(0, static_cast<std::int64_t>(i)));
        }
        if (warm_start_)
            memory_->qs[job_.index] = job_.q_message;
    }

    Job job_;
    Communicator& communicator_;
    std::shared_ptr<Memory> memory_;
    bool warm_start_;
    bool q_sent_ = false;
    Pending exact_pending_, pending_;
};

/// numpy.random.RandomState(seed).randint(1_000_000_000): MT19937, the lower 30 bits, again while they are too large.
class SeedDraws {
  public:
    explicit SeedDraws(std::int64_t seed) : engine_(static_cast<std::uint32_t>(seed)) {}
    std::uint64_t draw() {
        ++count_;
        for (;;) {
            std::uint32_t bits = static_cast<std::uint32_t>(engine_()) & ((1U << 30) - 1);
            if (bits < 1000000000U)
                return bits;
        }
    }
    std::int64_t count() const { return count_; }

  private:
    std::mt19937 engine_;
    std::int64_t count_ = 0;
};

at::Tensor as_matrix(const at::Tensor& gradient) {
    std::int64_t rows = gradient.dim() == 0 ? 1 : gradient.size(0);
    return gradient.view({rows, gradient.numel() / rows});
}

class PowerSgd final : public PowerSgdHook {
  public:
    PowerSgd(PowerSgdOptions options, bool batched)
        : options_(options), batched_(batched), draws_(options.random_seed), memory_(std::make_shared<Memory>()) {}

    std::unique_ptr<BucketReduction> start(const Bucket& bucket, Communicator& communicator) override {
        std::int64_t step = step_;
        if (bucket.last)
            ++step_;
        const bool alone = bucket.ranks != nullptr && bucket.ranks->size() == 1;  // experts that no other rank has
        if (step < options_.start_powerSGD_iter || alone)
            return exact_->start(bucket, communicator);
        Job job;
        job.slice = bucket.slice;
        job.index = bucket.index;
        job.name = bucket.name;
        job.divisor = bucket.divisor;
        job.error_share = bucket.divisor / communicator.size();
        job.epsilon = batched_ ? 0 : options_.orthogonalization_epsilon;
        job.work = batched_ ? square(bucket.slice) : bucket.slice;
        if (options_.use_error_feedback)
            feed_back(job);
        sort_out(bucket, job);
        place(job);
        if (bucket.last)
            report(step);
        return std::make_unique<CompressedReduction>(std::move(job), communicator, memory_, options_.warm_start);
    }

    CompressionStats compression_stats() const override { return stats_; }
    void report_to(std::function<void(const std::string&)> report) override { report_ = std::move(report); }

    Tree state_dict() const override;
    void load_state_dict(const Tree& state) override;

  private:
    static at::Tensor square(const at::Tensor& slice) {
        auto side = static_cast<std::int64_t>(std::ceil(std::sqrt(static_cast<double>(slice.numel()))));
        at::Tensor square = at::zeros({side * side}, slice.options());
        square.narrow(0, 0, slice.numel()).copy_(slice);
        return square;
    }

    void feed_back(Job& job) {
        auto error = memory_->errors.find(job.index);
        if (error != memory_->errors.end()) {
            check_size(error->second, job.work.numel(), "error", job.index);
            job.work.add_(error->second);
        }
        job.before = job.work.clone();
    }

    static void check_size(const at::Tensor& kept, std::int64_t needed, const char* what, std::size_t bucket) {
        if (kept.numel() != needed)
            throw UserError(
                "PowerSGD's {} of bucket {} has {} elements and needs {}: the state belongs to another model, "
                "bucket_cap_mb or rank; start with a new state",
                what, bucket, kept.numel(), needed);
    }

    /// Divides the bucket into what is worth compressing and what is not.
    void sort_out(const Bucket& bucket, Job& job) {
        std::vector<std::vector<at::Tensor>> by_shape;
        if (batched_) {
            auto side = static_cast<std::int64_t>(std::llround(std::sqrt(static_cast<double>(job.work.numel()))));
            by_shape.push_back({job.work.view({side, side})});
            stats_.before += job.slice.numel();
            stats_.after += 2 * side * std::min(side, options_.matrix_approximation_rank);
        } else {
            for (const auto& [name, gradient] : bucket.gradients)
                if (gradient.numel() > 0)
                    sort_out(as_matrix(gradient), !bucket.exact.contains(name), job, by_shape);
        }
        if (!job.exact.empty()) {
            std::vector<at::Tensor> flat;
            for (const at::Tensor& tensor : job.exact)
                flat.push_back(tensor.reshape({-1}));
            job.exact_message = at::cat(flat);
        }
        for (const std::vector<at::Tensor>& same : by_shape) {
            if (options_.batch_tensors_with_same_shape && same.size() > 1) {
                job.compressed.push_back({at::stack(same), same, {}, {}});
                continue;
            }
            for (const at::Tensor& matrix : same)
                job.compressed.push_back({matrix.unsqueeze(0), {}, {}, {}});
        }
    }

    void sort_out(const at::Tensor& matrix, bool compresses, Job& job, std::vector<std::vector<at::Tensor>>& by_shape) {
        std::int64_t sent = (matrix.size(0) + matrix.size(1)) * rank_of(matrix.size(0), matrix.size(1));
        bool worth = compresses &&
                     static_cast<double>(sent) * options_.min_compression_rate < static_cast<double>(matrix.numel());
        stats_.before += matrix.numel();
        stats_.after += worth ? sent : matrix.numel();
        if (!worth) {
            job.exact.push_back(matrix);
            return;
        }
        auto same = std::find_if(by_shape.begin(), by_shape.end(),
                                 [&](const auto& others) { return others.front().sizes() == matrix.sizes(); });
        if (same == by_shape.end())
            by_shape.push_back({matrix});
        else
            same->push_back(matrix);
    }

    std::int64_t rank_of(std::int64_t rows, std::int64_t columns) const {
        return std::min({rows, columns, options_.matrix_approximation_rank});
    }

    /// Gives every batch its place in P and Q, one message each, and fills Q.
    void place(Job& job) {
        if (job.compressed.empty())
            return;
        std::int64_t p_size = 0, q_size = 0;
        for (const Compressed& part : job.compressed) {
            std::int64_t each = part.batch.size(0) * rank_of(part.batch.size(1), part.batch.size(2));
            p_size += each * part.batch.size(1);
            q_size += each * part.batch.size(2);
        }
        auto kept = memory_->qs.find(job.index);
        bool warm = options_.warm_start && kept != memory_->qs.end();
        if (warm)
            check_size(kept->second, q_size, "start", job.index);
        job.p_message = at::empty({p_size}, job.work.options());
        job.q_message = warm ? kept->second.clone() : at::empty({q_size}, job.work.options());

        at::Generator generator;
        if (!warm)
            generator = at::make_generator<at::CPUGeneratorImpl>(draws_.draw());
        std::int64_t p_position = 0, q_position = 0;
        for (Compressed& part : job.compressed) {
            std::int64_t matrices = part.batch.size(0), rows = part.batch.size(1), columns = part.batch.size(2);
            std::int64_t rank = rank_of(rows, columns);
            part.p = job.p_message.narrow(0, p_position, matrices * rows * rank).view({matrices, rows, rank});
            part.q = job.q_message.narrow(0, q_position, matrices * columns * rank).view({matrices, columns, rank});
            p_position += part.p.numel();
            q_position += part.q.numel();
            // Drawn on the CPU wherever the gradients are: the same numbers on all machines.
            if (!warm)
                part.q.copy_(at::randn(part.q.sizes(), generator, job.work.options().device(at::kCPU)));
            orthogonalise(part.q, job.epsilon);
        }
    }

    void report(std::int64_t step) {
        if (step < next_report_)
            return;
        next_report_ = step + std::max<std::int64_t>(1, options_.compression_stats_logging_frequency);
        if (report_)
            report_(fmt::format("PowerSGD at step {}: {} gradients sent as {} numbers, {:f} times fewer", step,
                                stats_.before, stats_.after, stats_.rate()));
    }

    PowerSgdOptions options_;
    bool batched_;
    SeedDraws draws_;
    std::shared_ptr<Memory> memory_;
    std::shared_ptr<CommHook> exact_ = all_reduce_hook();
    CompressionStats stats_;
    std::int64_t step_ = 0;
    std::int64_t next_report_ = 0;
    std::function<void(const std::string&)> report_;
};

Tree by_bucket(const std::map<std::size_t, at::Tensor>& tensors) {
    Tree result = Tree::dict();
    for (const auto& [bucket, tensor] : tensors)
        result.set(static_cast<std::int64_t>(bucket), tensor);
    return result;
}

std::map<std::size_t, at::Tensor> by_bucket(const Tree& state) {
    std::map<std::size_t, at::Tensor> result;
    for (const Tree::Entry& entry : state.entries()) {
        const auto* bucket = std::get_if<std::int64_t>(&entry.key);
        if (bucket == nullptr || *bucket < 0)
            throw UserError("PowerSGD's state has '{}' where the number of a bucket belongs",
                            trainyard::to_string(entry.key));
        result[static_cast<std::size_t>(*bucket)] = entry.value.as_tensor().clone();
    }
    return result;
}

/// More draws than any run makes: a state that claims them is not ours, and repeating them would take for ever.
constexpr std::int64_t kMostDraws = 1'000'000'000;

Tree PowerSgd::state_dict() const {
    return Tree::dict({{"iter", step_},
                       {"error_dict", by_bucket(memory_->errors)},
                       {"q_memory_dict", by_bucket(memory_->qs)},
                       {"rng_draws", draws_.count()},
                       {"total_numel_before_compression", stats_.before},
                       {"total_numel_after_compression", stats_.after},
                       {"next_stats_report", next_report_}});
}

void PowerSgd::load_state_dict(const Tree& state) {
    Memory memory{by_bucket(state.at("error_dict")), by_bucket(state.at("q_memory_dict"))};
    std::int64_t step = state.at("iter").as_integer(), count = state.at("rng_draws").as_integer();
    CompressionStats stats{state.at("total_numel_before_compression").as_integer(),
                           state.at("total_numel_after_compression").as_integer()};
    std::int64_t next_report = state.at("next_stats_report").as_integer();
    if (step < 0 || count < 0 || count > kMostDraws)
        throw UserError("PowerSGD's state has iter {} and rng_draws {}, which no run can have", step, count);
    SeedDraws draws(options_.random_seed);
    while (draws.count() < count)
        draws.draw();
    *memory_ = std::move(memory);
    step_ = step;
    draws_ = draws;
    stats_ = stats;
    next_report_ = next_report;
}

}  // namespace

std::shared_ptr<PowerSgdHook> power_sgd_hook(PowerSgdOptions options) {
    return std::make_shared<PowerSgd>(options, false);
}

std::shared_ptr<PowerSgdHook> batched_power_sgd_hook(PowerSgdOptions options) {
    return std::make_shared<PowerSgd>(options, true);
}

}  // namespace trainyard::parallel
