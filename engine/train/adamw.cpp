#include "train/adamw.h"

#include <algorithm>
#include <cmath>

#include <ATen/Parallel.h>
#include <ATen/core/grad_mode.h>
#include <ATen/ops/_fused_adamw.h>
#include <ATen/ops/full.h>

#include "base/error.h"
#include "models/kernels/half_bits.h"
#include "models/kernels/vector_loops.h"

namespace trainyard::train {

namespace {
constexpr std::int64_t kPiece = 1 << 15;  ///< elements that a thread takes at once on the CPU
}

AdamW::AdamW(parallel::FlatArena& arena, const config::OptimizerRecipe& recipe)
    : arena_(arena), recipe_(recipe), exp_avg_(arena.new_state()), exp_avg_sq_(arena.new_state()) {
    std::int64_t most = arena_.values().is_cpu() ? kPiece : arena_.values().numel();
    auto add = [&](parallel::Range range, double weight_decay) {
        for (const parallel::OwnedSlice& own : arena_.owned()) {
            const std::int64_t end = std::min(range.end, own.range.end);
            for (std::int64_t begin = std::max(range.begin, own.range.begin); begin < end; begin += most)
                pieces_.push_back({{begin, std::min(end, begin + most)},
                                   own.state + begin - own.range.begin,
                                   own.gradient + begin - own.range.begin,
                                   weight_decay});
        }
    };
    for (const parallel::FlatGroup& group : arena_.groups()) {
        add(group.decayed(), recipe_.weight_decay);
        add(group.plain(), 0.0);
    }
}

void AdamW::step() {
    at::NoGradGuard no_grad;
    step_ += 1;
    if (arena_.values().is_cpu())
        update_on_cpu();
    else
        update_fused();
    gradient_divisor_ = 1;
}

void AdamW::update_on_cpu() {
    const double lr = recipe_.lr;
    auto steps = static_cast<double>(step_);
    models::AdamwStep step{};
    step.gradient_factor = static_cast<float>(1.0 / gradient_divisor_);
    step.fresh_1 = static_cast<float>(1.0 - recipe_.beta1);
    step.beta2 = static_cast<float>(recipe_.beta2);
    step.fresh_2 = static_cast<float>(1.0 - recipe_.beta2);
    step.rate = static_cast<float>(lr / (1.0 - std::pow(recipe_.beta1, steps)));
    step.inverse_root = static_cast<float>(1.0 / std::sqrt(1.0 - std::pow(recipe_.beta2, steps)));
    step.epsilon = static_cast<float>(recipe_.eps);
    auto* values = arena_.values().data_ptr<float>();
    const auto* gradients = arena_.gradients().const_data_ptr<float>();
    auto *first = exp_avg_.data_ptr<float>(), *second = exp_avg_sq_.data_ptr<float>();
    bool rounds = models::is_half(arena_.compute().scalar_type());
    models::NumberFormat format = models::format_of(arena_.compute().scalar_type());
    std::uint16_t* rounded = rounds ? models::bits_to_write(arena_.compute()) : nullptr;
    at::parallel_for(0, std::ssize(pieces_), 1, [&](std::int64_t begin, std::int64_t end) {
        for (std::int64_t i = begin; i < end; ++i) {
            const Piece& piece = pieces_[static_cast<std::size_t>(i)];
            models::AdamwStep own = step;
            own.kept = static_cast<float>(1.0 - lr * piece.weight_decay);
            std::int64_t at = piece.range.begin;
            models::vector_loops().adamw(own, values + at, gradients + piece.gradient, first + piece.state,
                                         second + piece.state, rounds ? rounded + at : nullptr, format,
                                         piece.range.size());
        }
    });
    if (!rounds && !arena_.sharding().any())  // else when the values of the other ranks are there
        arena_.refresh_compute();
}

void AdamW::update_fused() {
    std::optional<at::Tensor> divisor;
    if (gradient_divisor_ != 1.0)
        divisor = at::full({}, gradient_divisor_, arena_.values().options());
    // The kernel's steps are those that it makes, as tensors of their own.
    at::Tensor step = at::full({}, static_cast<double>(step_), arena_.values().options());
    for (double weight_decay : {recipe_.weight_decay, 0.0}) {
        std::vector<at::Tensor> values, gradients, first, second, steps;
        for (const Piece& piece : pieces_) {
            if (piece.weight_decay != weight_decay)
                continue;
            values.push_back(arena_.slice(arena_.values(), piece.range));
            gradients.push_back(arena_.gradients().narrow(0, piece.gradient, piece.range.size()));
            first.push_back(exp_avg_.narrow(0, piece.state, piece.range.size()));
            second.push_back(exp_avg_sq_.narrow(0, piece.state, piece.range.size()));
            steps.push_back(step);
        }
        if (!values.empty())
            at::_fused_adamw_(values, gradients, first, second, {}, steps, recipe_.lr, recipe_.beta1, recipe_.beta2,
                              weight_decay, recipe_.eps, false, false, divisor);
        if (recipe_.weight_decay == 0)
            break;  // both kinds were of this one
    }
    if (!arena_.sharding().any())
        arena_.refresh_compute();
}

std::vector<const parallel::Parameter*> AdamW::trained() const {
    std::vector<const parallel::Parameter*> all;
    for (const parallel::FlatGroup& group : arena_.groups())
        for (const parallel::Parameter* parameter : group.parameters())
            if (parameter->trains())
                all.push_back(parameter);
    return all;
}

std::vector<at::Tensor> AdamW::parameters() const {
    std::vector<at::Tensor> values;
    for (const parallel::Parameter* parameter : trained())
        values.push_back(parameter->value());
    return values;
}

void AdamW::zero_grad(bool) {
    arena_.forget_gradients();
}

Tree AdamW::state_dict() const {
    if (arena_.sharding().any())
        throw UserError(
            "the ranks share out the optimizer state (parallel.zero_stage), and a state dictionary needs all of it: "
            "set parallel.zero_stage to 0, or train from a recipe, whose checkpoints hold shares");
    Tree state = Tree::dict(), numbers = Tree::list();
    std::int64_t number = 0;
    for (const parallel::Parameter* parameter : trained()) {
        numbers.append(number);
        state.set(TreeKey(number++), Tree::dict({{"step", at::full({}, static_cast<double>(step_), at::kFloat)},
                                                 {"exp_avg", arena_.view(exp_avg_, *parameter)},
                                                 {"exp_avg_sq", arena_.view(exp_avg_sq_, *parameter)}}));
    }
    const Tree group = Tree::dict({{"lr", recipe_.lr},
                                   {"betas", Tree::tuple({recipe_.beta1, recipe_.beta2})},
                                   {"eps", recipe_.eps},
                                   {"weight_decay", recipe_.weight_decay},
                                   {"params", std::move(numbers)}});
    return Tree::dict({{"state", std::move(state)}, {"param_groups", Tree::list({group})}});
}

void AdamW::load_state_dict(const Tree& state) {
    struct Moments {
        at::Tensor first, second;
    };
    const std::vector<const parallel::Parameter*> parameters = trained();
    std::vector<Moments> moments;
    std::string problems;
    std::int64_t steps = 0;
    for (std::size_t number = 0; number < parameters.size(); ++number) {
        const parallel::Parameter& parameter = *parameters[number];
        const Tree* own = state.at("state").find(TreeKey(static_cast<std::int64_t>(number)));
        if (own == nullptr) {  // before its first update
            moments.emplace_back();
            continue;
        }
        moments.push_back({own->at("exp_avg").as_tensor(), own->at("exp_avg_sq").as_tensor()});
        for (const at::Tensor& moment : {moments.back().first, moments.back().second})
            if (moment.sizes() != at::IntArrayRef(parameter.shape()))
                problems += (problems.empty() ? "" : "; ") + parameter.name() + " has a moment of shape " +
                            c10::str(moment.sizes()) + " instead of " + c10::str(at::IntArrayRef(parameter.shape()));
        const Tree& step = own->at("step");
        steps = std::max(
            steps, static_cast<std::int64_t>(step.is_tensor() ? step.as_tensor().item<double>() : step.as_real()));
    }
    if (!problems.empty())
        throw UserError("the state of AdamW does not fit this model: " + problems);
    const Tree& group = state.at("param_groups").items().at(0);
    const double lr = group.at("lr").as_real(), beta1 = group.at("betas").items().at(0).as_real();
    at::NoGradGuard no_grad;
    for (std::size_t number = 0; number < parameters.size(); ++number)
        for (const auto& [buffer, moment] :
             {std::pair(&exp_avg_, &moments[number].first), std::pair(&exp_avg_sq_, &moments[number].second)}) {
            const parallel::Range part = arena_.owned_of(*parameters[number]);
            const at::Tensor own = arena_.state_view(*buffer, *parameters[number]);
            if (moment->defined())
                own.copy_(moment->reshape({-1}).narrow(0, part.begin, part.size()));
            else
                own.zero_();
        }
    step_ = steps;
    recipe_.lr = lr;
    recipe_.beta1 = beta1;
}

}  // namespace trainyard::train
