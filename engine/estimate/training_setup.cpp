#include "estimate/training_setup.h"

#include <algorithm>
#include <cmath>
#include <memory>
#include <numeric>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "base/error.h"
#include "base/memory_size.h"
#include "base/number.h"
#include "base/text.h"
#include "config/recipe/device_places.h"
#include "config/recipe/optimizer_kinds.h"
#include "distributed/pipeline/pipeline_schedule.h"
#include "formats/weights/weight_source.h"
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

std::string offload_device(const std::string& deepspeed) {
    return deepspeed == "nvme" ? "disk" : deepspeed == "cpu" ? "cpu" : "none";
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

/// Of frozen weights, by model.device_map. Maps that are made fill what max_memory leaves the processor; without it all fits.
double share_on_disk(const config::Recipe& recipe) {
    const config::ModelRecipe& model = recipe.model;
    if (model.device_map == "disk" || model.device_map == "cpu")
        return model.device_map == "disk" ? 1 : 0;
    const double element = recipe.training.mixed_precision == "no" ? 4 : 2;
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

}  // namespace

const std::vector<OptimizerRow>& optimizer_rows() {
    static const std::vector<OptimizerRow> rows{
        {"adamw", 8, "two fp32 moments (Kingma and Ba, 2015; Loshchilov and Hutter, 2019)"},
        {"adamw_8bit", 2 * (1 + 4.0 / 256),
         "two moments of 8 bits with an fp32 scale per 256 values (Dettmers et al., 2022)"},
        {"sgd", 0, "no state"},
        {"sgd_momentum", 4, "one fp32 momentum"},
        {"lion", 4, "one fp32 momentum (Chen et al., 2023)"},
        {"adagrad", 4, "one fp32 sum of squares (Duchi et al., 2011)"},
        {"rmsprop", 4, "one fp32 mean of squares"},
        {"adafactor", 0.05,
         "means of rows and columns, no first moment (Shazeer and Stern, 2018); an upper bound for matrices of at "
         "least 160 rows and columns"},
        {"adam", 8, "two fp32 moments"},
        {"adamax", 8, "an fp32 moment and an fp32 maximum"},
        {"nadam", 8, "two fp32 moments"},
        {"radam", 8, "two fp32 moments"},
        {"adadelta", 8, "fp32 means of squares of gradients and of steps"},
        {"rprop", 8, "the last gradient and a step size, fp32"},
        {"asgd", 4, "an fp32 average"},
        {"muon", 4, "one fp32 momentum (Jordan et al., 2024)"},
        {"schedule_free_adamw", 8, "an fp32 sequence and an fp32 moment (Defazio et al., 2024)"},
        {"schedule_free_sgd", 4, "an fp32 sequence (Defazio et al., 2024)"},
        {"lomo", 0, "no state (Lv et al., 2024)", true},
        {"adalomo", 0.05,
         "means of rows and columns (Lv et al., 2024); an upper bound for matrices of at least 160 rows and columns",
         true}};
    return rows;
}

const OptimizerRow& optimizer_row(const std::string& name) {
    for (const OptimizerRow& row : optimizer_rows())
        if (row.name == name)
            return row;
    std::vector<std::string> names;
    for (const OptimizerRow& row : optimizer_rows())
        names.emplace_back(row.name);
    throw UserError("unknown optimizer '{}'{}", name, text::did_you_mean(name, names));
}

const std::vector<SetupField>& setup_fields() {
    static const std::vector<SetupField> fields = [] {
        std::vector<std::string> optimizers;
        for (const OptimizerRow& row : optimizer_rows())
            optimizers.emplace_back(row.name);
        using S = TrainingSetup;
        using L = Layout;
        return std::vector<SetupField>{
            {"batch", &S::batch, {}, 1, "samples of a micro-batch of one rank"},
            {"sequence", &S::sequence, {}, 1, "tokens of a sample"},
            {"accumulation", &S::accumulation, {}, 1, "micro-batches of a step"},
            {"precision", &S::precision, {"no", "fp16", "bf16", "fp8"}, 1, "number format of products"},
            {"half_weights",
             &S::half_weights,
             {},
             0,
             "weights and gradients in 16 bits, fp32 masters with the optimizer"},
            {"optimizer", &S::optimizer, optimizers, 1, "what it keeps per parameter"},
            {"zero_stage",
             &S::zero_stage,
             {"0", "1", "2", "3"},
             0,
             "ranks share out optimizer state (1), gradients (2), weights (3, FSDP)"},
            {"checkpointing",
             &S::checkpointing,
             {"no", "selective", "full"},
             1,
             "activations that backward computes again"},
            {"attention", &S::attention, {"flash", "eager"}, 1, "eager keeps the attention probabilities"},
            {"chunked_loss", &S::chunked_loss, {}, 0, "logits in chunks of rows, as the engine does it"},
            {"offload_optimizer", &S::offload_optimizer, {"none", "cpu", "disk"}, 1, "where the optimizer state lies"},
            {"offload_param", &S::offload_param, {"none", "cpu", "disk"}, 1, "where the weights lie"},
            {"lora_rank", &S::lora_rank, {}, 0, "LoRA on all matrices of blocks; 0: all weights are trained"},
            {"weight_bits",
             &S::weight_bits,
             {"0", "4", "8", "16"},
             0,
             "frozen weights in 4, 8 or 16 bits; 0: as trained ones"},
            {"averages", &S::averages, {}, 0, "averaged copies of the weights (EMA, SWA)"},
            {"snapshots", &S::snapshots, {}, 0, "checkpoints are written while training goes on"},
            {"pipeline_schedule", &S::pipeline_schedule, pipeline::schedule_names(), 1,
             "order of micro-batches on pipeline stages"},
            {"dp_replicate", &L::dp_replicate, {}, 1, "replicas"},
            {"dp_shard", &L::dp_shard, {}, 1, "ranks that ZeRO or FSDP shards over"},
            {"tp", &L::tp, {}, 1, "tensor parallel ranks"},
            {"cp", &L::cp, {}, 1, "context parallel ranks"},
            {"sp", &L::sp, {}, 1, "sequence parallel ranks (Ulysses)"},
            {"pp", &L::pp, {}, 1, "pipeline stages"},
            {"ep", &L::ep, {}, 1, "expert parallel ranks, of the data ranks"},
        };
    }();
    return fields;
}

void set_field(TrainingSetup& setup, const std::string& name, const std::string& value) {
    const SetupField* field = nullptr;
    std::vector<std::string> names;
    for (const SetupField& each : setup_fields()) {
        names.push_back(each.name);
        if (each.name == name)
            field = &each;
    }
    if (field == nullptr)
        throw UserError("{} is no value of a training setup{}", name, text::did_you_mean(name, names));
    if (!field->choices.empty() && std::ranges::find(field->choices, value) == field->choices.end())
        throw UserError("{} '{}': give one of {}", name, value, fmt::join(field->choices, ", "));
    const auto number = [&] {
        const auto read = parse_number<std::int64_t>(value, field->least, kMostOfField);
        if (!read)
            throw UserError("{} '{}': give a whole number from {} to {}", name, value, field->least, kMostOfField);
        return *read;
    };
    if (const auto* whole = std::get_if<std::int64_t TrainingSetup::*>(&field->member)) {
        setup.*(*whole) = number();
    } else if (const auto* size = std::get_if<std::int64_t Layout::*>(&field->member)) {
        setup.layout.*(*size) = number();
    } else if (const auto* words = std::get_if<std::string TrainingSetup::*>(&field->member)) {
        setup.*(*words) = value;
    } else {
        if (value != "true" && value != "false")
            throw UserError("{} '{}': give true or false", name, value);
        setup.*std::get<bool TrainingSetup::*>(field->member) = value == "true";
    }
}

std::string field_text(const TrainingSetup& setup, const SetupField& field) {
    if (const auto* whole = std::get_if<std::int64_t TrainingSetup::*>(&field.member))
        return std::to_string(setup.*(*whole));
    if (const auto* size = std::get_if<std::int64_t Layout::*>(&field.member))
        return std::to_string(setup.layout.*(*size));
    if (const auto* words = std::get_if<std::string TrainingSetup::*>(&field.member))
        return setup.*(*words);
    return setup.*std::get<bool TrainingSetup::*>(field.member) ? "true" : "false";
}

TrainingSetup setup_of(const config::Recipe& recipe, std::int64_t ranks) {
    TrainingSetup setup;
    const config::ParallelRecipe& parallel = recipe.parallel;
    setup.batch = recipe.batch_per_rank(std::max<std::int64_t>(ranks, parallel.pp_size));
    setup.sequence =
        std::llround(families::family_of(recipe.model).rows_of_block(recipe.model, config::sample_size(recipe)));
    setup.accumulation = recipe.training.gradient_accumulation_steps;
    setup.precision = recipe.training.mixed_precision;
    setup.checkpointing = recipe.training.activation_checkpointing ? "full" : "no";
    setup.attention =
        recipe.model.attn_pdrop > 0 ? "eager" : "flash";  // the kernel without probabilities has no dropout
    setup.averages = (recipe.training.ema_decay > 0) + (recipe.training.swa_start > 0);
    setup.snapshots =
        recipe.saves_in_background() && recipe.checkpoint.every > 0 && recipe.checkpoint.every < recipe.training.steps;
    setup.bucket_mb = parallel.bucket_cap_mb;
    setup.pipeline_schedule = parallel.pipeline_schedule;
    setup.layout.pp = parallel.pp_size;
    const std::int64_t data = std::max<std::int64_t>(1, ranks / parallel.pp_size);
    setup.zero_stage = data > 1 ? parallel.zero_stage : 0;
    (setup.zero_stage > 0 ? setup.layout.dp_shard : setup.layout.dp_replicate) = data;
    double trained = 0, all = 0;
    for (const families::TensorShape& tensor : families::family_of(recipe.model).tensors(recipe.model)) {
        all += static_cast<double>(tensor.elements());
        trained += config::is_frozen(recipe.model, tensor.name) ? 0 : static_cast<double>(tensor.elements());
    }
    setup.trained_share = all > 0 ? trained / all : 1;
    if (!recipe.model.device_map.empty()) {
        setup.frozen_by_map = true;
        setup.frozen_on_disk = share_on_disk(recipe);
        setup.stored_bytes = bytes_of_stored(recipe.model.weights);
    }
    setup.lora_rank = recipe.model.lora.r;
    setup.offload_optimizer = recipe.offloads_optimizer() ? "disk" : "none";
    setup.optimizer = recipe.optimizer.name;
    std::vector<Problem> problems;  // of a recipe that was not checked: its defaults count
    const config::OptimizerPlan plan = config::make_optimizer_plan(recipe.optimizer, problems);
    if (!plan.groups.empty() && recipe.optimizer.name == "sgd" && plan.groups.back().settings.number("momentum") != 0)
        setup.optimizer = "sgd_momentum";
    return setup;
}

void apply_settings(TrainingSetup& setup, const settings::Settings& settings) {
    const std::string type = settings.text("distributed_type", "NO");
    const std::string precision = settings.text("mixed_precision", setup.precision);
    setup.precision = precision;
    setup.accumulation = settings.integer("gradient_accumulation_steps", setup.accumulation);
    const std::int64_t ranks = std::max<std::int64_t>(1, settings.integer("num_processes", 1));
    const auto mesh = [&](const char* name, std::int64_t otherwise) {
        return settings.integer(fmt::format("parallelism_config.parallelism_config_{}_size", name), otherwise);
    };
    Layout& layout = setup.layout;
    layout.tp = mesh("tp", 1);
    layout.cp = mesh("cp", 1);
    layout.sp = mesh("sp", 1);
    bool sharded = false;
    if (type == "DEEPSPEED") {
        setup.zero_stage = settings.integer("deepspeed_config.zero_stage", 2);
        setup.offload_optimizer = offload_device(settings.text("deepspeed_config.offload_optimizer_device"));
        setup.offload_param = offload_device(settings.text("deepspeed_config.offload_param_device"));
        setup.accumulation = settings.integer("deepspeed_config.gradient_accumulation_steps", setup.accumulation);
        sharded = setup.zero_stage > 0;
    } else if (type == "FSDP") {
        const std::string strategy = settings.text("fsdp_config.fsdp_sharding_strategy", "FULL_SHARD");
        const bool second = settings.integer("fsdp_config.fsdp_version", 1) == 2;
        const bool reshard = second ? settings.boolean("fsdp_config.fsdp_reshard_after_forward", true)
                                    : strategy == "FULL_SHARD" || strategy == "HYBRID_SHARD";
        setup.zero_stage = !second && strategy == "NO_SHARD" ? 0 : reshard ? 3 : 2;
        if (settings.boolean("fsdp_config.fsdp_offload_params"))
            setup.offload_param = setup.offload_optimizer = "cpu";
        if (settings.boolean("fsdp_config.fsdp_activation_checkpointing"))
            setup.checkpointing = "full";
        sharded = setup.zero_stage > 0;
    } else if (type == "MEGATRON_LM") {
        layout.tp = settings.integer("megatron_lm_config.megatron_lm_tp_degree", 1);
        layout.pp = settings.integer("megatron_lm_config.megatron_lm_pp_degree", 1);
        setup.half_weights = setup.precision != "no";
        if (settings.boolean("megatron_lm_config.megatron_lm_recompute_activations"))
            setup.checkpointing = "selective";
        sharded = settings.boolean("megatron_lm_config.megatron_lm_use_distributed_optimizer");
        setup.zero_stage = sharded ? 1 : 0;
    }
    const std::int64_t others = std::max<std::int64_t>(1, layout.tp * layout.cp * layout.sp * layout.pp);
    const std::int64_t data = std::max<std::int64_t>(1, ranks / others);
    layout.dp_replicate = mesh("dp_replicate", sharded ? 1 : data);
    layout.dp_shard = mesh(
        "dp_shard", sharded ? std::max<std::int64_t>(1, data / std::max<std::int64_t>(1, layout.dp_replicate)) : 1);
    if (layout.dp_shard > 1 && setup.zero_stage == 0)
        setup.zero_stage = 3;  // FSDP
}

settings::Settings settings_of(const TrainingSetup& setup, std::int64_t machines) {
    settings::Settings settings;
    const auto set = [&](const std::string& key, auto value) { settings.set(key, Value(value)); };
    const Layout& layout = setup.layout;
    const bool meshed = layout.tp > 1 || layout.cp > 1 || layout.sp > 1;
    const std::string device = setup.offload_optimizer == "disk" ? "nvme" : setup.offload_optimizer;
    set("compute_environment", "LOCAL_MACHINE");
    set("num_processes", layout.ranks());
    set("num_machines", machines);
    set("mixed_precision", setup.precision);
    if (layout.pp > 1) {
        set("distributed_type", "MEGATRON_LM");
        set("megatron_lm_config.megatron_lm_pp_degree", layout.pp);
        set("megatron_lm_config.megatron_lm_tp_degree", layout.tp);
        set("megatron_lm_config.megatron_lm_recompute_activations", setup.checkpointing != "no");
        set("megatron_lm_config.megatron_lm_use_distributed_optimizer", setup.zero_stage > 0);
    } else if (meshed) {
        set("distributed_type", "FSDP");
        set("fsdp_config.fsdp_version", std::int64_t{2});
        set("fsdp_config.fsdp_reshard_after_forward", setup.zero_stage == 3);
        set("fsdp_config.fsdp_offload_params", setup.offload_param == "cpu");
        set("fsdp_config.fsdp_activation_checkpointing", setup.checkpointing != "no");
        for (auto [name, size] : {std::pair{"dp_replicate", layout.dp_replicate},
                                  {"dp_shard", layout.dp_shard},
                                  {"tp", layout.tp},
                                  {"cp", layout.cp},
                                  {"sp", layout.sp}})
            set(fmt::format("parallelism_config.parallelism_config_{}_size", name), size);
    } else if (setup.zero_stage > 0) {
        set("distributed_type", "DEEPSPEED");
        set("deepspeed_config.zero_stage", setup.zero_stage);
        set("deepspeed_config.gradient_accumulation_steps", setup.accumulation);
        set("deepspeed_config.offload_optimizer_device", device);
        set("deepspeed_config.offload_param_device",
            setup.offload_param == "disk" ? std::string("nvme") : setup.offload_param);
    } else {
        set("distributed_type", layout.ranks() > 1 ? "MULTI_GPU" : "NO");
        if (setup.accumulation > 1)
            set("gradient_accumulation_steps", setup.accumulation);
    }
    return settings;
}

std::vector<Problem> check_setup(const ModelParts& model, const TrainingSetup& setup) {
    std::vector<Problem> problems;
    const auto add = [&](const char* field, Message message) {
        problems.push_back({"", 0, 0, field, std::move(message)});
    };
    const Layout& layout = setup.layout;
    const std::int64_t heads = as_count(model.heads), key_heads = as_count(model.key_value_heads);
    if (heads > 0 && heads % layout.tp != 0)
        add("tp", Message("tp {} does not divide {} heads: use {}", layout.tp, heads, divisors_text(heads, 64)));
    else if (key_heads > 0 && key_heads % layout.tp != 0 && layout.tp % key_heads != 0)
        add("tp", Message("tp {} does not divide {} key and value heads: use {}", layout.tp, key_heads,
                          divisors_text(key_heads, 64)));
    if (heads > 0 && layout.tp > 0 && heads % layout.tp == 0 && (heads / layout.tp) % layout.sp != 0)
        add("sp", Message("sp {} does not divide the {} heads of a rank: use {}", layout.sp, heads / layout.tp,
                          divisors_text(heads / layout.tp, 64)));
    if (layout.pp > model.layers())
        add("pp", Message("{} pipeline stages cannot be cut from {} layers: use at most {}", layout.pp, model.layers(),
                          model.layers()));
    if (setup.sequence % (layout.cp * layout.sp) != 0)
        add(layout.cp > 1 ? "cp" : "sp",
            Message("a sequence of {} tokens cannot be divided among {} ranks: use a multiple of {}", setup.sequence,
                    layout.cp * layout.sp, layout.cp * layout.sp));
    if (model.positions > 0 && static_cast<double>(setup.sequence) > model.positions)
        add("sequence", Message("a sequence of {} tokens is longer than the {:.0f} positions of the model",
                                setup.sequence, model.positions));
    const std::int64_t experts = as_count(model.experts);
    const std::int64_t data = layout.dp_replicate * layout.dp_shard * layout.cp * layout.sp;
    if (layout.ep > 1 && experts == 0)
        add("ep", Message("ep {}: the model has no experts, use 1", layout.ep));
    else if (layout.ep > 1 && (experts % layout.ep != 0 || data % layout.ep != 0))
        add("ep", Message("ep {} does not divide {} experts and {} data ranks: use {}", layout.ep, experts, data,
                          divisors_text(std::gcd(experts, data), 64)));
    if (setup.offload_param != "none" && setup.zero_stage != 3 && setup.layout.ranks() > 1)
        add("offload_param", "offload_param: weights are offloaded with zero_stage 3 only");
    if (setup.weight_bits > 0 && setup.lora_rank == 0)
        add("weight_bits", Message("weight_bits {}: weights of {} bits cannot be trained, give lora_rank, too",
                                   setup.weight_bits, setup.weight_bits));
    return problems;
}

}  // namespace trainyard::estimate
