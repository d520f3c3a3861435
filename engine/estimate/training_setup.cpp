// SPDX-License-Identifier: GPL-3.0-or-later
#include "estimate/training_setup.h"

#include <algorithm>
#include <cmath>
#include <map>
#include <memory>
#include <numeric>
#include <optional>
#include <tuple>
#include <type_traits>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "base/counted.h"
#include "base/error.h"
#include "base/memory_size.h"
#include "base/number.h"
#include "base/text.h"
#include "config/recipe/device_places.h"
#include "config/recipe/ignored_modules.h"
#include "config/recipe/memory_checks.h"
#include "config/recipe/optimizer_conflicts.h"
#include "config/recipe/optimizer_kinds.h"
#include "config/recipe/zero_plus_plus.h"
#include "distributed/pipeline/pipeline_schedule.h"
#include "formats/weights/quantization/module_choice.h"
#include "formats/weights/weight_source.h"
#include "launch/plan/deepspeed_config.h"
#include "launch/plan/recipe_limit.h"
#include "models/spec/family.h"

namespace trainyard::estimate {

namespace {

constexpr std::int64_t kMostOfField = 1'000'000'000;

/// "1, 2, 4 or 8": what divides a number, at most a few.
Message divisors_text(std::int64_t number, std::int64_t most) {
    std::vector<std::string> all;
    for (std::int64_t i = 1; i <= std::min(number, most) && all.size() < 8; ++i)
        if (number % i == 0)
            all.push_back(std::to_string(i));
    if (all.size() == 1)
        return Message::verbatim(all.front());
    const std::string last = all.back();
    all.pop_back();
    return Message("{} or {}", fmt::join(all, ", "), last);
}

std::int64_t as_count(double value) {
    return static_cast<std::int64_t>(value);
}

Offload offload_place(const std::string& deepspeed) {
    return deepspeed == "nvme" ? Offload::disk : deepspeed == "cpu" ? Offload::cpu : Offload::none;
}

const char* deepspeed_device(Offload offload) {
    return offload == Offload::disk ? "nvme" : choice_name(offload);
}

/// Of an element of a file of weights; 0: it cannot be read.
double bytes_of_stored(const std::string& path) {
    try {
        const std::unique_ptr<weights::WeightSource> source = weights::open_first_model(path);
        double bytes = 0, elements = 0;
        for (const weights::SourceTensor& tensor : source->tensors()) {
            double count = 1;
            for (const std::int64_t size : tensor.shape)
                count *= static_cast<double>(size);
            bytes += static_cast<double>(tensor.bytes);
            elements += count;
        }
        return elements > 0 ? bytes / elements : 0;
    } catch (const UserError&) {  // told before the start
        return 0;
    }
}

/// Of frozen weights, by model.device_map. Maps that are made fill what max_memory leaves the processor; without it
/// all fits.
double share_on_disk(const config::Recipe& recipe) {
    const config::ModelRecipe& model = recipe.model;
    if (model.device_map == "disk" || model.device_map == "cpu")
        return model.device_map == "disk" ? 1 : 0;
    const double element = recipe.training.mixed_precision == Precision::no ? 4 : 2;
    try {
        const bool given = config::is_device_map_file(model.device_map);
        const config::DeviceMap map = given ? config::read_device_map(model.device_map) : config::DeviceMap();
        double frozen = 0, on_disk = 0;
        for (const families::TensorShape& tensor : families::family_of(model).tensors(model)) {
            if (config::is_frozen(model, tensor.name))
                frozen += static_cast<double>(tensor.elements());
            const auto place = config::place_in(map, tensor.name);
            if (config::is_frozen(model, tensor.name) && place != map.end() && place->second == "disk")
                on_disk += static_cast<double>(tensor.elements());
        }
        if (!given)
            if (const auto limits = config::max_memory_of(model); limits.contains("cpu"))
                on_disk = std::max(0.0, frozen - static_cast<double>(parse_memory_size(limits.at("cpu"))) / element);
        return frozen > 0 ? on_disk / frozen : 0;
    } catch (const UserError&) {  // told before the start
        return 0;
    }
}

/// Bytes that an optimizer keeps of an element of a matrix with 160 rows and columns, as it is without arguments.
double state_bytes_of(const config::OptimizerSettings& settings) {
    constexpr std::int64_t kSide = 160;
    double bytes = 0;
    for (const config::OptimizerState& state : config::states_of(settings, {kSide, kSide})) {
        auto of_state = static_cast<double>(state.element_bytes);
        for (const std::int64_t size : state.shape)
            of_state *= static_cast<double>(size);
        bytes += of_state;
    }
    return bytes / (kSide * kSide);
}

}  // namespace

const std::vector<OptimizerRow>& optimizer_rows() {
    static const std::vector<OptimizerRow> rows = [] {
        const std::map<std::string_view, std::string_view> sources{
            {"adamw", "two fp32 moments (Kingma and Ba, 2015; Loshchilov and Hutter, 2019)"},
            {"adamw_8bit", "two moments of 8 bits with an fp32 scale per 256 values (Dettmers et al., 2022)"},
            {"adam_8bit", "two moments of 8 bits with an fp32 scale per 256 values"},
            {"lion_8bit", "one momentum of 8 bits with an fp32 scale per 256 values"},
            {"adagrad_8bit", "one sum of squares of 8 bits with an fp32 scale per 256 values"},
            {"rmsprop_8bit", "one mean of squares of 8 bits with an fp32 scale per 256 values"},
            {"sgd_8bit", "one momentum of 8 bits with an fp32 scale per 256 values"},
            {"ademamix_8bit", "three moments of 8 bits with an fp32 scale per 256 values"},
            {"sgd", "no state"},
            {"sgd_momentum", "one fp32 momentum"},
            {"lion", "one fp32 momentum (Chen et al., 2023)"},
            {"adagrad", "one fp32 sum of squares (Duchi et al., 2011)"},
            {"rmsprop", "one fp32 mean of squares"},
            {"adafactor",
             "means of rows and columns, no first moment (Shazeer and Stern, 2018); an upper bound for matrices of at "
             "least 160 rows and columns"},
            {"adam", "two fp32 moments"},
            {"onebit_adam", "two fp32 moments (Tang et al., 2021)"},
            {"zero_one_adam",
             "two fp32 moments, an fp32 sum of momenta and fp32 weights of the last exchange (Lu et al., 2023)"},
            {"adamax", "an fp32 moment and an fp32 maximum"},
            {"nadam", "two fp32 moments"},
            {"radam", "two fp32 moments"},
            {"adadelta", "fp32 means of squares of gradients and of steps"},
            {"rprop", "the last gradient and a step size, fp32"},
            {"asgd", "an fp32 average"},
            {"muon", "one fp32 momentum (Jordan et al., 2024)"},
            {"schedule_free_adamw", "an fp32 sequence and an fp32 moment (Defazio et al., 2024)"},
            {"schedule_free_sgd", "an fp32 sequence (Defazio et al., 2024)"},
            {"lomo", "no state (Lv et al., 2024)"},
            {"adalomo",
             "means of rows and columns (Lv et al., 2024); an upper bound for matrices of at least 160 rows and "
             "columns"},
        };
        std::vector<OptimizerRow> made;
        const auto add = [&](std::string_view name, const config::OptimizerSettings& settings) -> OptimizerRow& {
            const auto source = sources.find(name);
            return made.emplace_back(OptimizerRow{name, state_bytes_of(settings),
                                                  source == sources.end() ? "its states" : source->second,
                                                  settings.kind().in_backward, settings.kind().exchanges_signs});
        };
        for (const std::string& name : config::optimizer_names()) {
            const config::OptimizerKind& kind = *config::find_optimizer(name);
            add(kind.name, config::OptimizerSettings(kind));
        }
        config::OptimizerSettings with_momentum(*config::find_optimizer("sgd"));
        with_momentum.set("momentum", 0.9);
        add("sgd_momentum", with_momentum).momentum_of = "sgd";
        return made;
    }();
    return rows;
}

namespace {

std::vector<std::string> optimizer_row_names() {
    std::vector<std::string> names;
    for (const OptimizerRow& row : optimizer_rows())
        names.emplace_back(row.name);
    return names;
}

}  // namespace

const OptimizerRow& optimizer_row(const std::string& name) {
    for (const OptimizerRow& row : optimizer_rows())
        if (row.name == name)
            return row;
    throw UserError("unknown optimizer '{}'{}", name, text::did_you_mean(name, optimizer_row_names()));
}

const std::vector<SetupField>& setup_fields() {
    using S = TrainingSetup;
    using T = SetupField::Target;
    // clang-format off
    static const std::vector<SetupField> fields = [] {
        std::vector<SetupField> rows{
            {"batch", [](S& s) -> T { return &s.batch; }, "samples of a micro-batch of one rank"},
            {"sequence", [](S& s) -> T { return &s.sequence; }, "tokens of a sample"},
            {"accumulation", [](S& s) -> T { return &s.accumulation; }, "micro-batches of a step"},
            {"precision", [](S& s) -> T { return &s.precision; }, "number format of products"},
            {"half_weights", [](S& s) -> T { return &s.half_weights; }, "weights and gradients in 16 bits, fp32 masters with the optimizer"},
            {"bf16_stochastic_round", [](S& s) -> T { return &s.bf16_stochastic_round; }, "weights in bfloat16 without fp32 masters, rounded stochastically"},
            {"optimizer", [](S& s) -> T { return &s.optimizer; }, "what it keeps per parameter", 1, optimizer_row_names()},
            {"zero_stage", [](S& s) -> T { return &s.zero_stage; }, "ranks share out optimizer state (1), gradients (2), weights (3, FSDP)", 0, {"0", "1", "2", "3"}},
            {"checkpointing", [](S& s) -> T { return &s.checkpointing; }, "activations that backward computes again"},
            {"attention", [](S& s) -> T { return &s.attention; }, "eager keeps the attention probabilities"},
            {"chunked_loss", [](S& s) -> T { return &s.chunked_loss; }, "logits in chunks of rows, as the engine does it"},
            {"offload_optimizer", [](S& s) -> T { return &s.offload_optimizer; }, "where the optimizer state lies"},
            {"offload_param", [](S& s) -> T { return &s.offload_param; }, "where the weights lie"},
            {"zero_hpz_partition_size", [](S& s) -> T { return &s.zero_hpz_partition_size; }, "ranks that hold a second copy of the weights together (ZeRO++); 1: none", 1},
            {"zero_quantized_weights", [](S& s) -> T { return &s.zero_quantized_weights; }, "weights are sent in 8 bits (ZeRO++)"},
            {"zero_quantized_gradients", [](S& s) -> T { return &s.zero_quantized_gradients; }, "gradients are sent in 4 bits (ZeRO++)"},
            {"fp8_all_gather", [](S& s) -> T { return &s.fp8_all_gather; }, "sharded weights of layers in fp8 are sent in 8 bits"},
            {"lora_rank", [](S& s) -> T { return &s.lora_rank; }, "LoRA on all matrices of blocks but those of experts; 0: all weights are trained", 0},
            {"weight_bits", [](S& s) -> T { return &s.weight_bits; }, "frozen weights in 4, 8 or 16 bits; 0: as trained ones", 0, {"0", "4", "8", "16"}},
            {"double_quant", [](S& s) -> T { return &s.double_quant; }, "scales of frozen weights of 4 bits in 8 bits"},
            {"skip_modules", [](S& s) -> T { return &s.skip_modules; }, "modules of blocks, joined by commas, that are not quantized: down_proj"},
            {"keep_in_fp32_modules", [](S& s) -> T { return &s.keep_in_fp32_modules; }, "the same, and their weights are fp32"},
            {"averages", [](S& s) -> T { return &s.averages; }, "averaged copies of the weights (EMA, SWA)", 0},
            {"snapshots", [](S& s) -> T { return &s.snapshots; }, "checkpoints are written while training continues"},
            {"pipeline_schedule", [](S& s) -> T { return &s.pipeline_schedule; }, "order of micro-batches on pipeline stages", 1, pipeline::schedule_names()},
            {"dp_replicate", [](S& s) -> T { return &s.layout.dp_replicate; }, "replicas"},
            {"dp_shard", [](S& s) -> T { return &s.layout.dp_shard; }, "ranks that ZeRO or FSDP shards over"},
            {"tp", [](S& s) -> T { return &s.layout.tp; }, "tensor parallel ranks"},
            {"tp_sequence_parallel", [](S& s) -> T { return &s.tp_sequence_parallel; }, "tensor parallel ranks share the positions between the layers, too"},
            {"expert_capacity_factor", [](S& s) -> T { return &s.expert_capacity_factor; }, "of the experts of a block, for each sample; 0: nothing is dropped", 0},
            {"cp", [](S& s) -> T { return &s.layout.cp; }, "context parallel ranks"},
            {"sp", [](S& s) -> T { return &s.layout.sp; }, "sequence parallel ranks (Ulysses)"},
            {"pp", [](S& s) -> T { return &s.layout.pp; }, "pipeline stages"},
            {"ep", [](S& s) -> T { return &s.layout.ep; }, "expert parallel ranks, of the data ranks"},
        };
        S scratch;
        for (SetupField& row : rows)
            if (const T target = row.target(scratch); const auto* choice = std::get_if<ChoiceValue>(&target))
                row.choices.assign(choice->names.begin(), choice->names.end());
        return rows;
    }();
    // clang-format on
    return fields;
}

const std::vector<SetupField>& derived_fields() {
    using S = TrainingSetup;
    using T = SetupField::Target;
    // clang-format off
    static const std::vector<SetupField> fields{
        {"trained_embedding", [](S& s) -> T { return &s.trained.embedding; }, "", 0},
        {"trained_blocks", [](S& s) -> T { return &s.trained.blocks; }, "", 0},
        {"trained_outputs", [](S& s) -> T { return &s.trained.outputs; }, "", 0},
        {"trained_products", [](S& s) -> T { return &s.trained.products; }, "", 0},
        {"trained_head", [](S& s) -> T { return &s.trained.head; }, "", 0},
        {"trained_undivided_embedding", [](S& s) -> T { return &s.trained.undivided_embedding; }, "", 0},
        {"trained_undivided_outputs", [](S& s) -> T { return &s.trained.undivided_outputs; }, "", 0},
        {"trained_from_block", [](S& s) -> T { return &s.trained.first_block; }, "", 0},
        {"whole_embedding", [](S& s) -> T { return &s.beside_adapters.embedding; }, "", 0},
        {"whole_blocks", [](S& s) -> T { return &s.beside_adapters.blocks; }, "", 0},
        {"whole_outputs", [](S& s) -> T { return &s.beside_adapters.outputs; }, "", 0},
        {"whole_products", [](S& s) -> T { return &s.beside_adapters.products; }, "", 0},
        {"whole_head", [](S& s) -> T { return &s.beside_adapters.head; }, "", 0},
        {"whole_undivided_embedding", [](S& s) -> T { return &s.beside_adapters.undivided_embedding; }, "", 0},
        {"whole_undivided_outputs", [](S& s) -> T { return &s.beside_adapters.undivided_outputs; }, "", 0},
        {"adapted_from_block", [](S& s) -> T { return &s.beside_adapters.first_block; }, "", 0},
        {"adapted_share", [](S& s) -> T { return &s.adapted_share; }, "", 0},
        {"adapted_expert_share", [](S& s) -> T { return &s.adapted_expert_share; }, "", 0},
        {"adapted_whole", [](S& s) -> T { return &s.adapted_whole; }, "", 0},
        {"adapted_keys", [](S& s) -> T { return &s.adapted_keys; }, "", 0},
        {"adapted_embedding", [](S& s) -> T { return &s.adapted_embedding; }, "", 0},
        {"adapted_outputs", [](S& s) -> T { return &s.adapted_outputs; }, "", 0},
        {"ignored_share", [](S& s) -> T { return &s.ignored_share; }, "", 0},
        {"tables_stay", [](S& s) -> T { return &s.tables_stay; }, ""},
        {"frozen_by_map", [](S& s) -> T { return &s.frozen_by_map; }, ""},
        {"frozen_on_disk", [](S& s) -> T { return &s.frozen_on_disk; }, "", 0},
        {"stored_bytes", [](S& s) -> T { return &s.stored_bytes; }, "", 0},
        {"bucket_mb", [](S& s) -> T { return &s.bucket_mb; }, "", 0},
        {"stages_per_rank", [](S& s) -> T { return &s.stages_per_rank; }, "", 0},
    };
    // clang-format on
    return fields;
}

namespace {

const SetupField* find_field(const std::string& name) {
    for (const std::vector<SetupField>* fields : {&setup_fields(), &derived_fields()})
        if (const auto field = std::ranges::find(*fields, name, &SetupField::name); field != fields->end())
            return &*field;
    return nullptr;
}

}  // namespace

void set_field(TrainingSetup& setup, const std::string& name, const std::string& value) {
    const SetupField* const field = find_field(name);
    if (field == nullptr) {
        std::vector<std::string> names;
        for (const SetupField& each : setup_fields())
            names.push_back(each.name);
        throw UserError("{} is not a value of a training setup{}", name, text::did_you_mean(name, names));
    }
    const auto choice = std::ranges::find(field->choices, value);
    if (!field->choices.empty() && choice == field->choices.end())
        throw UserError("{} '{}': give one of {}", name, value, fmt::join(field->choices, ", "));
    const SetupField::Target target = field->target(setup);
    if (const auto* number = std::get_if<std::int64_t*>(&target)) {
        const auto read = parse_number<std::int64_t>(value, field->least, kMostOfField);
        if (!read)
            throw UserError("{} '{}': give a whole number from {} to {}", name, value, field->least, kMostOfField);
        **number = *read;
    } else if (const auto* real = std::get_if<double*>(&target)) {
        const auto read = parse_number<double>(value, static_cast<double>(field->least), kMostOfField);
        if (!read)
            throw UserError("{} '{}': give a number from {} to {}", name, value, field->least, kMostOfField);
        **real = *read;
    } else if (const auto* text = std::get_if<std::string*>(&target)) {
        **text = value;
    } else if (const auto* chosen = std::get_if<ChoiceValue>(&target)) {
        *chosen->value = static_cast<unsigned char>(choice - field->choices.begin());
    } else {
        if (value != "true" && value != "false")
            throw UserError("{} '{}': give true or false", name, value);
        *std::get<bool*>(target) = value == "true";
    }
}

std::string field_text(TrainingSetup setup, const SetupField& field) {
    const SetupField::Target target = field.target(setup);
    if (const auto* number = std::get_if<std::int64_t*>(&target))
        return std::to_string(**number);
    if (const auto* real = std::get_if<double*>(&target))
        return fmt::format("{}", **real);
    if (const auto* text = std::get_if<std::string*>(&target))
        return **text;
    if (const auto* chosen = std::get_if<ChoiceValue>(&target))
        return chosen->name();
    return *std::get<bool*>(target) ? "true" : "false";
}

double ignored_share(const config::ModelRecipe& model, const std::string& expression) {
    const config::IgnoredModules modules(expression);
    double ignored = 0, all = 0;
    for (const families::TensorShape& tensor : families::family_of(model).tensors(model)) {
        all += static_cast<double>(tensor.elements());
        ignored += modules.have(tensor.name) ? static_cast<double>(tensor.elements()) : 0;
    }
    return all > 0 ? ignored / all : 0;
}

TrainingSetup setup_of(const config::Recipe& recipe, std::int64_t ranks) {
    TrainingSetup setup;
    const config::ParallelRecipe& parallel = recipe.parallel;
    setup.batch = recipe.batch_per_rank(std::max<std::int64_t>(ranks, parallel.pp_size));
    setup.sequence =
        std::llround(families::family_of(recipe.model).rows_of_block(recipe.model, config::sample_size(recipe)));
    setup.accumulation = recipe.training.gradient_accumulation_steps;
    setup.precision = find_choice<ProductFormat>(choice_name(recipe.training.mixed_precision)).value();
    setup.bf16_stochastic_round = config::has_bf16_weights(recipe);
    setup.checkpointing = recipe.training.activation_checkpointing;
    setup.attention = recipe.model.attn_pdrop > 0
                          ? Attention::eager
                          : Attention::flash;  // the kernel without probabilities has no dropout
    setup.averages = (recipe.training.ema_decay > 0) + (recipe.training.swa_start > 0);
    setup.snapshots =
        recipe.saves_in_background() && recipe.checkpoint.every > 0 && recipe.checkpoint.every < recipe.training.steps;
    setup.bucket_mb = parallel.bucket_cap_mb;
    setup.pipeline_schedule = parallel.pipeline_schedule;
    setup.stages_per_rank = parallel.pp_stages_per_rank;
    setup.layout.pp = parallel.pp_size;
    setup.layout.tp = parallel.tp_size;
    setup.layout.cp = parallel.cp_size;
    setup.layout.sp = parallel.sp_size;
    setup.layout.ep = parallel.ep_size;
    setup.tp_sequence_parallel = parallel.tp_size > 1 && parallel.tp_sequence_parallel;
    setup.expert_capacity_factor = recipe.training.expert_capacity_factor;
    const std::int64_t data = recipe.data_ranks(ranks);
    setup.zero_stage = data * parallel.sequence_ranks() > 1 ? parallel.zero_stage : 0;
    setup.layout.dp_shard = setup.zero_stage > 0 ? std::max<std::int64_t>(1, recipe.shard_ranks(ranks)) : 1;
    setup.layout.dp_replicate = data / setup.layout.dp_shard;
    if (setup.zero_stage == 3) {
        setup.zero_hpz_partition_size = parallel.zero_hpz_partition_size;
        setup.zero_quantized_weights = parallel.zero_quantized_weights;
        setup.zero_quantized_gradients = parallel.zero_quantized_gradients;
        setup.fp8_all_gather = setup.precision == ProductFormat::fp8 && recipe.fp8.enable_fsdp_float8_all_gather &&
                               !recipe.offloads_params();
    }
    if (setup.zero_stage == 3)
        setup.ignored_share = ignored_share(recipe.model, parallel.ignored_modules);
    if (!recipe.model.device_map.empty()) {
        setup.frozen_by_map = true;
        setup.frozen_on_disk = share_on_disk(recipe);
        setup.stored_bytes = bytes_of_stored(recipe.model.weights);
    }
    setup.lora_rank = recipe.model.lora.r;
    if (config::keeps_quantized(recipe.model)) {
        const config::QuantizationRecipe& quantization = recipe.model.quantization;
        setup.weight_bits =
            is_one_of(quantization.method, {config::Quantization::nf4, config::Quantization::fp4}) ? 4 : 8;
        setup.double_quant = quantization.bnb_4bit_use_double_quant;
        setup.skip_modules = fmt::format("{}", fmt::join(quantization.skip_modules, ","));
        setup.keep_in_fp32_modules = fmt::format("{}", fmt::join(quantization.keep_in_fp32_modules, ","));
        setup.tables_stay = true;
    }
    setup.offload_optimizer = recipe.offloads_optimizer() ? Offload::disk : Offload::none;
    setup.offload_param = recipe.offloads_params() ? Offload::disk : Offload::none;
    setup.optimizer = recipe.optimizer.name;
    std::vector<Problem> problems;  // of a recipe that was not checked: its defaults count
    const config::OptimizerPlan plan = config::make_optimizer_plan(recipe.optimizer, problems);
    if (const auto row = std::ranges::find(optimizer_rows(), recipe.optimizer.name, &OptimizerRow::momentum_of);
        row != optimizer_rows().end() && !plan.groups.empty() && plan.groups.back().settings.number("momentum") != 0)
        setup.optimizer = row->name;
    return setup;
}

namespace {

/// What DeepSpeed's own file says of a step. A file that cannot be read is reported where settings are checked.
void apply_deepspeed_file(TrainingSetup& setup, const std::string& name) {
    if (name.empty() || name == "none")
        return;
    try {
        const plan::DeepspeedConfig config = plan::DeepspeedConfig::read(name);
        const auto take = [&](const char* path, auto& value) {
            using Type = std::remove_reference_t<decltype(value)>;
            const plan::DeepspeedConfig::Json* found = config.find(path);
            if (found != nullptr && (std::is_same_v<Type, bool> ? found->is_boolean() : found->is_number()))
                value = found->get<Type>();
        };
        const auto take_place = [&](const char* path, Offload& place) {
            if (const plan::DeepspeedConfig::Json* found = config.find(path); found != nullptr && found->is_string())
                place = offload_place(found->get<std::string>());
        };
        take("zero_optimization.stage", setup.zero_stage);
        take("zero_optimization.zero_hpz_partition_size", setup.zero_hpz_partition_size);
        take("zero_optimization.zero_quantized_weights", setup.zero_quantized_weights);
        take("zero_optimization.zero_quantized_gradients", setup.zero_quantized_gradients);
        take("train_micro_batch_size_per_gpu", setup.batch);
        take("gradient_accumulation_steps", setup.accumulation);
        take_place("zero_optimization.offload_optimizer.device", setup.offload_optimizer);
        take_place("zero_optimization.offload_param.device", setup.offload_param);
        for (const auto& [key, format] :
             {std::pair("fp16.enabled", ProductFormat::fp16), {"bf16.enabled", ProductFormat::bf16}}) {
            bool is_on = false;
            take(key, is_on);
            if (is_on)
                setup.precision = format;
        }
    } catch (const UserError&) {
    }
}

}  // namespace

void apply_settings(TrainingSetup& setup, const settings::Settings& settings) {
    const std::string type = settings.text("distributed_type", "NO");
    setup.precision = find_choice<ProductFormat>(settings.text("mixed_precision")).value_or(setup.precision);
    setup.accumulation = settings.integer("gradient_accumulation_steps", setup.accumulation);
    const std::int64_t ranks = std::max<std::int64_t>(1, settings.integer("num_processes", 1));
    const plan::RecipeMesh mesh = plan::recipe_mesh(settings);
    plan::RecipeSharding sharding = plan::recipe_sharding(settings);
    Layout& layout = setup.layout;
    layout.tp = mesh.tp;
    layout.cp = mesh.cp;
    layout.sp = mesh.sp;
    if (!sharding.source.empty())
        setup.zero_stage = sharding.zero_stage;
    if (type == "DEEPSPEED") {
        setup.offload_optimizer = offload_place(settings.text("deepspeed_config.offload_optimizer_device"));
        setup.offload_param = offload_place(settings.text("deepspeed_config.offload_param_device"));
        setup.accumulation = settings.integer("deepspeed_config.gradient_accumulation_steps", setup.accumulation);
        apply_deepspeed_file(setup, settings.text("deepspeed_config.deepspeed_config_file"));
    } else if (type == "FSDP") {
        if (settings.boolean("fsdp_config.fsdp_offload_params"))
            setup.offload_param = setup.offload_optimizer = Offload::cpu;
        if (settings.boolean("fsdp_config.fsdp_activation_checkpointing"))
            setup.checkpointing = Recomputation::full;
    } else if (type == "MEGATRON_LM") {
        layout.tp = settings.integer("megatron_lm_config.megatron_lm_tp_degree", 1);
        layout.pp = settings.integer("megatron_lm_config.megatron_lm_pp_degree", 1);
        setup.tp_sequence_parallel =
            layout.tp > 1 && settings.boolean("megatron_lm_config.megatron_lm_sequence_parallelism");
        setup.half_weights = setup.precision != ProductFormat::no;
        setup.checkpointing = plan::megatron_recomputation(settings).what;
        setup.zero_stage = settings.boolean("megatron_lm_config.megatron_lm_use_distributed_optimizer") ? 1 : 0;
    }
    if (sharding.dp_shard > 1 && setup.zero_stage == 0)
        setup.zero_stage = 3;  // FSDP
    const std::int64_t others = std::max<std::int64_t>(1, layout.tp * layout.cp * layout.sp * layout.pp);
    const std::int64_t data = std::max<std::int64_t>(1, ranks / others);
    const bool sharded = setup.zero_stage > 0;
    layout.dp_replicate = sharding.dp_replicate > 1 ? sharding.dp_replicate : sharded ? 1 : data;
    layout.dp_shard = sharding.dp_shard > 1 ? sharding.dp_shard
                      : sharded             ? std::max<std::int64_t>(1, data / layout.dp_replicate)
                                            : 1;
}

settings::Settings settings_of(const TrainingSetup& setup, std::int64_t machines) {
    settings::Settings settings;
    const auto set = [&](const std::string& key, auto value) { settings.set(key, Value(value)); };
    const Layout& layout = setup.layout;
    // Stages of a pipeline are the recipe's own (parallel.pp_size).
    const bool meshed = layout.tp > 1 || layout.cp > 1 || layout.sp > 1 ||
                        (setup.zero_stage > 0 && layout.dp_replicate > 1 && layout.dp_shard > 1);
    set("compute_environment", "LOCAL_MACHINE");
    set("num_processes", layout.ranks());
    set("num_machines", machines);
    set("mixed_precision", choice_name(setup.precision));
    if (meshed && setup.zero_stage != 1) {
        set("distributed_type", "FSDP");
        set("fsdp_config.fsdp_version", std::int64_t{2});
        set("fsdp_config.fsdp_reshard_after_forward", setup.zero_stage == 3);
        set("fsdp_config.fsdp_offload_params", setup.offload_param == Offload::cpu);
        set("fsdp_config.fsdp_activation_checkpointing", setup.checkpointing == Recomputation::full);
    } else if (setup.zero_stage > 0) {
        set("distributed_type", "DEEPSPEED");
        set("deepspeed_config.zero_stage", setup.zero_stage);
        set("deepspeed_config.gradient_accumulation_steps", setup.accumulation);
        set("deepspeed_config.offload_optimizer_device", deepspeed_device(setup.offload_optimizer));
        set("deepspeed_config.offload_param_device", deepspeed_device(setup.offload_param));
    } else {
        // Accumulation without DeepSpeed is not a key of settings: the recipe has it.
        set("distributed_type", layout.ranks() > 1 ? "MULTI_GPU" : "NO");
    }
    if (meshed)
        for (auto [name, size] : {std::pair{"dp_replicate", layout.dp_replicate},
                                  {"dp_shard", layout.dp_shard},
                                  {"tp", layout.tp},
                                  {"cp", layout.cp},
                                  {"sp", layout.sp}})
            set(fmt::format("parallelism_config.parallelism_config_{}_size", name), size);
    return settings;
}

double adapter_parameters(const TrainingSetup& setup, const BlockShape& block) {
    return static_cast<double>(setup.lora_rank) *
           (setup.adapted_share * block.matrix_inputs + setup.adapted_expert_share * block.expert_inputs);
}

double adapter_products(const TrainingSetup& setup, const BlockShape& block) {
    return static_cast<double>(setup.lora_rank) *
           (setup.adapted_share * block.matrix_inputs +
            setup.adapted_expert_share * block.expert_share * block.expert_inputs);
}

pipeline::PipelineSize pipeline_size(const TrainingSetup& setup) {
    const auto bounded = [](std::int64_t count) {
        return static_cast<int>(std::clamp<std::int64_t>(count, 1, 1 << 20));
    };
    if (setup.layout.pp <= 1)
        return {1, 1, bounded(setup.accumulation)};
    const int stages = static_cast<int>(std::clamp<std::int64_t>(setup.stages_per_rank, 0, 1 << 10));
    return pipeline::resolve_size(setup.pipeline_schedule,
                                  {bounded(setup.layout.pp), stages, bounded(setup.accumulation)});
}

double expert_load(const TrainingSetup& setup) {
    const auto ranks = static_cast<double>(setup.layout.ep);
    const double load = 1 + (ranks - 1) / (2 * ranks);
    return setup.expert_capacity_factor > 0 ? std::min(load, setup.expert_capacity_factor) : load;
}

double share_outside_blocks(const ModelParts& model) {
    const double all = model.parameters();
    return all > 0 ? (model.embedding_parameters + model.head_parameters) / all : 0;
}

double sent_weight_bytes(const TrainingSetup& setup, double product, double outside) {
    return setup.zero_quantized_weights ? config::kInt8CodeBytes
           : setup.fp8_all_gather       ? 1 + (product - 1) * outside
                                        : product;
}

bool sends_signs(const TrainingSetup& setup) {
    return setup.layout.data_ranks() > 1 && optimizer_row(setup.optimizer).exchanges_signs;
}

double update_bytes(const TrainingSetup& setup) {
    // Bytes per element of the operations of OneBitMean::average(): errors and signs of what a rank sends and, as a
    // server, of its chunk; the sum of all ranks' signs; the mean from the signs of the servers.
    constexpr double kSignsTaken = 45, kSignsSummed = 36, kMeans = 40;
    const double plain = 2 * optimizer_row(setup.optimizer).state_bytes + 12;
    return sends_signs(setup)
               ? plain + kSignsTaken * (1 + 1 / static_cast<double>(setup.layout.data_ranks())) + kSignsSummed + kMeans
               : plain;
}

std::vector<std::string> module_names(const std::string& joined) {
    std::vector<std::string> names;
    for (std::size_t begin = 0; begin < joined.size();) {
        const std::size_t end = std::min(joined.find(',', begin), joined.size());
        std::string name(text::trimmed(std::string_view(joined).substr(begin, end - begin)));
        if (!name.empty())
            names.push_back(std::move(name));
        begin = end + 1;
    }
    return names;
}

std::vector<Problem> check_setup(const ModelParts& model, const TrainingSetup& setup) {
    std::vector<Problem> problems;
    const auto add = [&](const char* field, Message message) {
        problems.push_back({"", 0, 0, field, std::move(message)});
    };
    const Layout& layout = setup.layout;
    const std::int64_t heads = as_count(model.heads), key_heads = as_count(model.key_value_heads);
    if (heads > 0 && heads % layout.tp != 0)
        add("tp", Message("tp {} does not divide the heads ({}): use {}", layout.tp, heads, divisors_text(heads, 64)));
    else if (key_heads > 0 && key_heads % layout.tp != 0 && layout.tp % key_heads != 0)
        add("tp", Message("tp {} does not divide {} key and value heads: use {}", layout.tp, key_heads,
                          divisors_text(key_heads, 64)));
    if (heads > 0 && layout.tp > 0 && heads % layout.tp == 0 && (heads / layout.tp) % layout.sp != 0)
        add("sp", Message("sp {} does not divide the heads of a rank ({}): use {}", layout.sp, heads / layout.tp,
                          divisors_text(heads / layout.tp, 64)));
    if (layout.pp > 1) {
        const pipeline::PipelineSize size = pipeline_size(setup);
        if (const std::int64_t stages = layout.pp * size.stages_per_rank; stages > model.layers())
            add("pp", Message("{} pipeline stages cannot be cut from {}: use at most {}", stages,
                              text::blocks(model.layers()), model.layers()));
        if (std::optional<Message> refusal = pipeline::schedule_refusal(setup.pipeline_schedule, size))
            add("pipeline_schedule", std::move(*refusal));
    }
    if (setup.sequence % (layout.cp * layout.sp) != 0)
        add(layout.cp > 1 ? "cp" : "sp",
            Message("a sequence of {} tokens cannot be divided among {} ranks: use a multiple of {}", setup.sequence,
                    layout.cp * layout.sp, layout.cp * layout.sp));
    if (const std::int64_t parts = layout.cp * layout.sp * layout.tp;
        setup.tp_sequence_parallel && setup.sequence % parts != 0)
        add("tp_sequence_parallel",
            Message("a sequence of {} tokens cannot be divided among {} ranks: use a multiple of {}", setup.sequence,
                    parts, parts));
    if (model.positions > 0 && static_cast<double>(setup.sequence) > model.positions)
        add("sequence", Message("a sequence of {} tokens is longer than the {:.0f} positions of the model",
                                setup.sequence, model.positions));
    const std::int64_t experts = as_count(model.experts);
    const std::int64_t data = layout.dp_replicate * layout.dp_shard * layout.cp * layout.sp;
    if (layout.ep > 1 && experts == 0)
        add("ep", Message("ep {}: the model has no experts, use 1", layout.ep));
    else if (layout.ep > 1 && (experts % layout.ep != 0 || data % layout.ep != 0))
        add("ep", Message("ep {} does not divide the experts ({}) and the data ranks ({}): use {}", layout.ep, experts,
                          data, divisors_text(std::gcd(experts, data), 64)));
    if (setup.expert_capacity_factor > 0 && experts == 0)
        add("expert_capacity_factor",
            Message("expert_capacity_factor {}: the model has no experts, use 0", setup.expert_capacity_factor));
    if (setup.offload_param != Offload::none && setup.zero_stage != 3 && setup.layout.ranks() > 1)
        add("offload_param", "offload_param: weights are offloaded with zero_stage 3 only");
    for (config::ZeroPlusPlusProblem& problem :
         config::problems_of({.hpz_partition_size = setup.zero_hpz_partition_size,
         .quantized_weights = setup.zero_quantized_weights,
         .quantized_gradients = setup.zero_quantized_gradients,
         .zero_stage = setup.zero_stage,
         .shard_ranks = layout.dp_shard * layout.cp * layout.sp,
         .weights_on_disk = setup.offload_param == Offload::disk}))
        add(problem.key, Message("{}: {}", problem.key, problem.message));
    const config::OptimizerKind* kind = config::find_optimizer(setup.optimizer);
    using enum config::TrainingFeature;
    for (const auto& [asked, field, feature] :
         {std::tuple{setup.zero_stage > 0, "zero_stage", zero},
          {setup.offload_optimizer == Offload::disk, "offload_optimizer", offloaded_state},
          {layout.tp > 1, "tp", divided_model},
          {layout.cp > 1, "cp", divided_model},
          {layout.sp > 1, "sp", divided_model},
          {layout.pp > 1, "pp", pipeline},
          {layout.ep > 1, "ep", divided_model}})
        if (kind != nullptr && kind->exchanges_signs && asked)
            add(field, Message("{}: {}", field, config::conflict(config::traits_of(*kind), feature)));
    if (setup.fp8_all_gather && (setup.zero_stage != 3 || setup.precision != ProductFormat::fp8))
        add("fp8_all_gather", "fp8_all_gather: weights are sent in fp8 with zero_stage 3 and precision fp8 only");
    if (setup.bf16_stochastic_round &&
        (setup.half_weights || !is_one_of(setup.precision, {ProductFormat::bf16, ProductFormat::fp8})))
        add("bf16_stochastic_round",
            "bf16_stochastic_round: weights are rounded to bfloat16 with precision bf16 or fp8, and without "
            "half_weights");
    if (setup.weight_bits > 0 && setup.lora_rank == 0)
        add("weight_bits", Message("weight_bits {}: weights of {} bits cannot be trained, give lora_rank, too",
                                   setup.weight_bits, setup.weight_bits));
    for (const auto& [field, joined] :
         {std::pair{"skip_modules", &setup.skip_modules}, {"keep_in_fp32_modules", &setup.keep_in_fp32_modules}}) {
        if (!joined->empty() && setup.weight_bits != 4 && setup.weight_bits != 8) {
            add(field,
                Message("{} has no effect without weights of 4 or 8 bits: give weight_bits, or leave it out", field));
            continue;
        }
        for (const std::string& name : module_names(*joined)) {
            const std::string one[] = {name};
            const bool known = std::ranges::any_of(model.blocks, [&](const BlockShape& block) {
                return std::ranges::any_of(block.matrices, [&](const BlockMatrix& matrix) {
                    for (std::int64_t number = 0; number < block.count; ++number)
                        if (quantization::is_skipped(block.module_name(matrix, number), one))
                            return true;
                    return false;
                });
            });
            std::vector<std::string> modules;
            for (const BlockShape& block : model.blocks)
                for (const BlockMatrix& matrix : block.matrices)
                    if (std::ranges::find(modules, matrix.module) == modules.end())
                        modules.push_back(matrix.module);
            if (!known)
                add(field, Message("{}: '{}' is not a matrix of the model's blocks, which are {}", field, name,
                                   fmt::join(modules, ", ")));
        }
    }
    return problems;
}

}  // namespace trainyard::estimate
