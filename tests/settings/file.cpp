// SPDX-License-Identifier: GPL-3.0-or-later
// Tests of reading, migrating and writing back whole files.

#include "base/file.h"

#include <cstdlib>
#include <fstream>

#include <gmock/gmock.h>
#include <nlohmann/json.hpp>

#include "config/accelerate/settings_file.h"
#include "support/golden.h"
#include "support/says.h"
#include "support/temporary_folder.h"

namespace trainyard::settings {
namespace {

using test::says;
using testing::_;
using testing::EndsWith;
using testing::HasSubstr;
using testing::StartsWith;

Loaded read(const std::string& text, Format format = Format::yaml) {
    return read_settings(text, format == Format::yaml ? "c.yaml" : "c.json", format);
}

std::string note_on(const Loaded& loaded, const std::string& path) {
    for (const ReadNote& note : loaded.notes)
        if (note.path == path)
            return note.message;
    return "nothing";
}

std::string problem_on(const Loaded& loaded, const std::string& key) {
    for (const Problem& problem : loaded.problems)
        if (problem.key == key)
            return problem.text();
    return "nothing";
}

TEST(Migration, SaysWhatItDid) {
    Loaded loaded = read(
        "distributed_type: TPU\nfp16: true\ndynamo_backend: INDUCTOR\nipex_config: {ipex: true}\ngpu_ids: 0\n"
        "fp8_config: {amax_history_length: 16, amax_compute_algorithm: max, optimization_level: O1}\n"
        "fsdp_config: {fsdp_backward_prefetch_policy: BACKWARD_PRE, fsdp_sharding_strategy: 1, new_key: 5}\n");
    EXPECT_TRUE(loaded.problems.empty());
    EXPECT_EQ(loaded.settings.text("distributed_type"), "XLA");
    EXPECT_EQ(loaded.settings.text("mixed_precision"), "fp16");
    EXPECT_EQ(loaded.settings.text("dynamo_config.dynamo_backend"), "INDUCTOR");
    EXPECT_EQ(loaded.settings.find("ipex_config"), nullptr);
    EXPECT_EQ(*loaded.settings.find("gpu_ids"), Value("0"));
    EXPECT_EQ(loaded.settings.integer("fp8_config.amax_history_len", 0), 16);
    EXPECT_EQ(loaded.settings.text("fp8_config.amax_compute_algo"), "max");
    EXPECT_EQ(loaded.settings.text("fp8_config.opt_level"), "O1");
    EXPECT_EQ(loaded.settings.text("fsdp_config.fsdp_backward_prefetch"), "BACKWARD_PRE");
    EXPECT_EQ(loaded.settings.text("fsdp_config.fsdp_sharding_strategy"), "FULL_SHARD");
    EXPECT_EQ(loaded.settings.integer("fsdp_config.new_key", 0), 5);
    EXPECT_THAT(note_on(loaded, "fp16"), HasSubstr("became mixed_precision: fp16"));
    EXPECT_THAT(note_on(loaded, "ipex_config"), HasSubstr("dropped"));
    EXPECT_THAT(note_on(loaded, "gpu_ids"),
                says("{} was read as {}", EndsWith("0"), says("the text \"{}\"", 0).at_start()));
    EXPECT_THAT(note_on(loaded, "fp8_config.amax_history_length"),
                says("{} is written {} today", _, StartsWith("amax_history_len")));
    EXPECT_THAT(note_on(loaded, "fsdp_config.new_key"),
                says("{} is not a known key of {} and was kept as it is", _, _));
}

TEST(Migration, MovesTheTensorParallelSize) {
    Loaded loaded = read("distributed_type: FSDP\nfsdp_config: {fsdp_version: 2}\ntp_config: {tp_size: 4}\n");
    EXPECT_EQ(loaded.settings.integer("parallelism_config.parallelism_config_tp_size", 1), 4);
    EXPECT_THAT(
        problem_on(read("distributed_type: TP\n"), "distributed_type"),
        says("TP is of Accelerate 1.4 to 1.6: use FSDP with fsdp_version 2 and set parallelism_config_tp_size"));
}

TEST(Problems, AreAllNamedAtOnceWithPlaceAndMend) {
    Loaded loaded = read(
        "distributed_tpye: MULTI_GPU\nnum_processes: four\nmain_process_port: 99999\nfsdp_version: 2\n"
        "ec2_instance_type: ml.a\nfsdp_config: yes please\nmixed_precision: fp32\n");
    EXPECT_THAT(problem_on(loaded, "distributed_tpye"),
                testing::StrEq("c.yaml:1:1: distributed_tpye: is not a known key: did you mean 'distributed_type'?"));
    EXPECT_THAT(problem_on(loaded, "num_processes"), HasSubstr("c.yaml:2:16: num_processes: the text \"four\""));
    EXPECT_THAT(problem_on(loaded, "main_process_port"), HasSubstr("3:20: main_process_port: 99999 is not a port"));
    EXPECT_THAT(problem_on(loaded, "fsdp_version"),
                says("is at the top level: move it into {}", StartsWith("fsdp_config")));
    EXPECT_THAT(problem_on(loaded, "ec2_instance_type"),
                says("does not belong to compute_environment {}: remove it", StartsWith("LOCAL")));
    EXPECT_THAT(problem_on(loaded, "fsdp_config"),
                says("{} is not a table of keys: write its keys below it, indented by two spaces", _));
    EXPECT_THAT(problem_on(loaded, "mixed_precision"), says("{} is not known: did you mean '{}'?", _, "fp16"));
    EXPECT_THAT(problem_on(loaded, "distributed_type"), HasSubstr("is missing"));
    EXPECT_EQ(loaded.problems.size(), 8u);
}

TEST(Load, RefusesWhatIsNoFile) {
    test::TemporaryFolder folder;
    EXPECT_THROW(load_settings(folder.path() / "none.yaml"), UserError);
    EXPECT_THROW(load_settings(folder.path()), UserError);
    write_file_atomically(folder.path() / "bad.yaml", "a: 1\n");
    EXPECT_THROW(load_settings(folder.path() / "bad.yaml"), InvalidInput);
    write_file_atomically(folder.path() / "large.yaml", std::string(2 << 20, '#'));
    EXPECT_THROW(load_settings(folder.path() / "large.yaml"), UserError);
}

TEST(Save, MakesThePrivateFolderAndFollowsLinks) {
    test::TemporaryFolder folder;
    std::filesystem::path file = folder.path() / "new" / "deep" / "c.yaml";
    save_text(file, "distributed_type: 'NO'\n");
    EXPECT_EQ(load_settings(file).settings.text("distributed_type"), "NO");
    EXPECT_EQ(std::filesystem::status(file).permissions(),
              std::filesystem::perms::owner_read | std::filesystem::perms::owner_write);
    std::filesystem::create_symlink(file, folder.path() / "link.yaml");
    save_text(folder.path() / "link.yaml", "distributed_type: XLA\n");
    EXPECT_TRUE(std::filesystem::is_symlink(folder.path() / "link.yaml"));
    EXPECT_EQ(load_settings(file).settings.text("distributed_type"), "XLA");
}

TEST(DefaultFile, IsWhereAccelerateLooks) {
    for (const char* name : {"TRAINYARD_CONFIG", "HF_HOME", "XDG_CACHE_HOME"})
        unsetenv(name);
    setenv("HOME", "/home/ada", 1);
    EXPECT_EQ(default_file(), "/home/ada/.cache/huggingface/accelerate/default_config.yaml");
    setenv("XDG_CACHE_HOME", "/cache", 1);
    EXPECT_EQ(default_file(), "/cache/huggingface/accelerate/default_config.yaml");
    setenv("HF_HOME", "/hf", 1);
    EXPECT_EQ(default_file(), "/hf/accelerate/default_config.yaml");
    setenv("TRAINYARD_CONFIG", "/mine.yaml", 1);
    EXPECT_EQ(default_file(), "/mine.yaml");
}

// ---- writing back

constexpr const char* kCommented =
    "# How we train.\n"
    "\n"
    "# one machine\n"
    "compute_environment: LOCAL_MACHINE\n"
    "distributed_type: FSDP   # sharded\n"
    "fsdp_config:\n"
    "  # two is newer\n"
    "  fsdp_version: 2\n"
    "  fsdp_offload_params: false   # fits\n"
    "  my_own: {a: [1, 2]}\n"
    "num_processes: 4\n"
    "# the end\n";

TEST(Rewrite, KeepsTheBytesWhenNothingDiffers) {
    Loaded loaded = read(kCommented);
    EXPECT_EQ(rewrite(loaded, loaded.settings), kCommented);
    std::string json = "{\"num_processes\":2,\n\"distributed_type\": \"MULTI_GPU\"}";
    Loaded other = read(json, Format::json);
    EXPECT_EQ(rewrite(other, other.settings), json);
    std::string crlf =
        "\xEF\xBB\xBF"
        "distributed_type: 'NO'  # x\r\ndebug: true\r\n";
    Loaded windows = read(crlf);
    EXPECT_EQ(rewrite(windows, windows.settings), crlf);
    windows.settings.set("debug", false);
    EXPECT_EQ(rewrite(windows, windows.settings),
              "\xEF\xBB\xBF"
              "distributed_type: 'NO'  # x\r\ndebug: false\r\n");
}

TEST(Rewrite, ChangesOnlyTheLinesThatDiffer) {
    Loaded loaded = read(kCommented);
    Settings settings = loaded.settings;
    settings.set("num_processes", 8);
    settings.set("fsdp_config.fsdp_offload_params", true);
    settings.set("mixed_precision", "no");
    settings.set("fsdp_config.fsdp_state_dict_type", "FULL_STATE_DICT");
    settings.remove("compute_environment");
    EXPECT_EQ(rewrite(loaded, settings),
              "# How we train.\n"
              "\n"
              "# one machine\n"
              "distributed_type: FSDP   # sharded\n"
              "fsdp_config:\n"
              "  # two is newer\n"
              "  fsdp_version: 2\n"
              "  fsdp_offload_params: true  # fits\n"
              "  fsdp_state_dict_type: FULL_STATE_DICT\n"
              "  my_own: {a: [1, 2]}\n"
              "mixed_precision: 'no'\n"
              "num_processes: 8\n"
              "# the end\n");
    settings = loaded.settings;
    settings.remove("fsdp_config.fsdp_version");
    EXPECT_THAT(rewrite(loaded, settings), testing::Not(HasSubstr("two is newer")));
    settings.remove("fsdp_config");
    EXPECT_EQ(rewrite(loaded, settings),
              "# How we train.\n\n# one machine\ncompute_environment: LOCAL_MACHINE\n"
              "distributed_type: FSDP   # sharded\nnum_processes: 4\n# the end\n");
}

TEST(Rewrite, KeepsTheHeadingOnTop) {
    Loaded loaded = read("# mine\ndistributed_type: 'NO'\n");
    Settings settings = loaded.settings;
    settings.set("compute_environment", "LOCAL_MACHINE");
    EXPECT_EQ(rewrite(loaded, settings), "# mine\ncompute_environment: LOCAL_MACHINE\ndistributed_type: 'NO'\n");
    loaded = read("# mine\n\n# the way\ndistributed_type: 'NO'\n");
    EXPECT_EQ(rewrite(loaded, settings),
              "# mine\n\ncompute_environment: LOCAL_MACHINE\n# the way\ndistributed_type: 'NO'\n");
}

TEST(Rewrite, MigratesOldKeysInTheirPlace) {
    Loaded loaded = read("# mine\ndistributed_type: NO\n# half\nfp16: true\nfsdp_config:\n  # which\n  version: 1\n");
    EXPECT_EQ(rewrite(loaded, loaded.settings),
              "# mine\ndistributed_type: 'NO'\n# half\nmixed_precision: fp16\nfsdp_config:\n  # which\n"
              "  fsdp_version: 1\n");
}

TEST(Rewrite, WritesAnewWhatCannotBeEditedByLines) {
    Loaded loaded = read("# flow\n{distributed_type: MULTI_GPU, num_processes: 2}\n");
    Settings settings = loaded.settings;
    settings.set("num_processes", 3);
    EXPECT_EQ(rewrite(loaded, settings), "# flow\ndistributed_type: MULTI_GPU\nnum_processes: 3\n");

    loaded = read("distributed_type: FSDP\nfsdp_config: &f\n  fsdp_version: 2\nmegatron_lm_config: *f\n");
    settings = loaded.settings;
    settings.set("fsdp_config.fsdp_version", 1);
    Loaded again = read(rewrite(loaded, settings));
    EXPECT_EQ(again.settings, settings);
}

TEST(Rewrite, EveryGoldenTextLoadsSavesAndLoadsAsTheSame) {
    std::ifstream stream(test::golden("config_load.json"));
    nlohmann::json golden = nlohmann::json::parse(stream);
    std::size_t tried = 0;
    for (const nlohmann::json& c : golden.at("cases")) {
        if (c.at("input").at("text").is_null())
            continue;
        SCOPED_TRACE(c.at("id").get<std::string>());
        std::string file = c.at("input").value("file", "c.yaml");
        Format format = file.ends_with(".json") ? Format::json : Format::yaml;
        std::string text = c.at("input").at("text").get<std::string>();
        if (format == Format::yaml && text.ends_with('\n'))
            text = "# heading\n" + text + "# tail\n";
        Loaded loaded = read_settings(text, file, format);
        if (!loaded.problems.empty())
            continue;
        ++tried;
        std::string saved = rewrite(loaded, loaded.settings);
        Loaded again = read_settings(saved, file, format);
        EXPECT_EQ(read_settings(to_text(loaded.settings, format), file, format).settings,
                  read_settings(to_text(again.settings, format), file, format).settings);
        EXPECT_EQ(rewrite(again, again.settings), saved);
        if (format == Format::yaml) {
            EXPECT_THAT(saved, HasSubstr("# heading\n"));
            EXPECT_THAT(saved, HasSubstr("# tail\n"));
        }
        Settings changed = loaded.settings;
        changed.set("num_machines", 3);
        changed.set("debug", true);
        Loaded changed_again = read_settings(rewrite(loaded, changed), file, format);
        EXPECT_EQ(changed_again.settings.integer("num_machines", 1), 3);
        EXPECT_TRUE(changed_again.settings.boolean("debug"));
    }
    EXPECT_GT(tried, 20u);
}

// ---- conversions

TEST(ToFsdp2, ConvertsAndSaysWhatWasLost) {
    Loaded loaded = read(
        "distributed_type: FSDP\nfsdp_config:\n  fsdp_sharding_strategy: SHARD_GRAD_OP\n"
        "  fsdp_auto_wrap_policy: SIZE_BASED_WRAP\n  fsdp_backward_prefetch: BACKWARD_PRE\n"
        "  fsdp_forward_prefetch: true\n  fsdp_use_orig_params: true\n  fsdp_sync_module_states: true\n"
        "  fsdp_state_dict_type: LOCAL_STATE_DICT\n  own: 1\n");
    std::vector<ReadNote> notes;
    EXPECT_EQ(to_text(to_fsdp2(loaded.settings, notes), Format::yaml),
              "distributed_type: FSDP\nfsdp_config:\n  fsdp_auto_wrap_policy: SIZE_BASED_WRAP\n"
              "  fsdp_reshard_after_forward: false\n  fsdp_state_dict_type: SHARDED_STATE_DICT\n  fsdp_version: 2\n"
              "  own: 1\n");
    EXPECT_EQ(notes.size(), 6u);
}

TEST(ToFsdp2, MapsEachStrategy) {
    for (auto [strategy, reshards] :
         {std::pair{"FULL_SHARD", true}, std::pair{"SHARD_GRAD_OP", false}, std::pair{"NO_SHARD", false},
          std::pair{"HYBRID_SHARD", true}, std::pair{"HYBRID_SHARD_ZERO2", false}}) {
        for (const char* key : {"fsdp_sharding_strategy", "fsdp_reshard_after_forward"}) {
            std::vector<ReadNote> notes;
            Settings settings = to_fsdp2(
                read(std::string("distributed_type: FSDP\nfsdp_config:\n  ") + key + ": " + strategy + "\n").settings,
                notes);
            EXPECT_EQ(settings.boolean("fsdp_config.fsdp_reshard_after_forward", !reshards), reshards) << strategy;
            EXPECT_EQ(notes.size(), 1u);
        }
    }
}

TEST(ToFsdp2, LeavesTheRestAlone) {
    std::vector<ReadNote> notes;
    Settings second = read("distributed_type: FSDP\nfsdp_config: {fsdp_version: 2}\n").settings;
    EXPECT_EQ(to_fsdp2(second, notes), second);
    EXPECT_THAT(notes.at(0).message, says("fsdp_version is 2 already: nothing to convert"));
    Settings other = read("distributed_type: 'NO'\n").settings;
    EXPECT_EQ(to_fsdp2(other, notes), other);
    EXPECT_THAT(notes.at(1).message, says("there is no fsdp_config: nothing to convert"));
}

TEST(DeepSpeedJson, BecomesSettings) {
    Loaded loaded = read_deepspeed_json(
        R"({"train_micro_batch_size_per_gpu": "auto", "gradient_accumulation_steps": 8, "gradient_clipping": "auto",
            "bf16": {"enabled": true}, "fp16": {"enabled": "auto"},
            "zero_optimization": {"stage": 3, "offload_optimizer": {"device": "nvme", "nvme_path": "/fast", "pin_memory": true},
                                  "offload_param": {"device": "cpu"}, "stage3_gather_16bit_weights_on_model_save": true}})",
        "ds.json");
    EXPECT_TRUE(loaded.problems.empty());
    EXPECT_EQ(to_text(loaded.settings, Format::yaml),
              "compute_environment: LOCAL_MACHINE\ndeepspeed_config:\n  gradient_accumulation_steps: 8\n"
              "  offload_optimizer_device: nvme\n  offload_optimizer_nvme_path: /fast\n  offload_param_device: cpu\n"
              "  zero3_save_16bit_model: true\n  zero_stage: 3\ndistributed_type: DEEPSPEED\nmixed_precision: bf16\n");
    EXPECT_THAT(note_on(loaded, "deepspeed_config.gradient_clipping"),
                says("{} is auto and was left out: the script decides", _));
    EXPECT_THAT(note_on(loaded, "train_micro_batch_size_per_gpu"),
                says("{} has no place among Accelerate's keys and stays behind: keep the file as deepspeed_config_file "
                     "if you need it",
                     _));
    EXPECT_THAT(note_on(loaded, "zero_optimization.offload_optimizer.pin_memory"),
                says("{} has no place among Accelerate's keys and stays behind: keep the file as deepspeed_config_file "
                     "if you need it",
                     _));
}

TEST(DeepSpeedJson, ProblemsAreNamed) {
    EXPECT_THAT(problem_on(read_deepspeed_json("{}", "ds.json"), "zero_optimization"), HasSubstr("is missing"));
    EXPECT_THAT(
        problem_on(read_deepspeed_json(R"({"zero_optimization": {"stage": 4}})", "ds.json"), "zero_optimization.stage"),
        says("{} is not allowed: use {}", _, StartsWith("0, 1, 2 or 3")));
    EXPECT_THAT(
        problem_on(read_deepspeed_json(
                       R"({"fp16": {"enabled": true}, "bf16": {"enabled": true}, "zero_optimization": {}})", "d"),
                   "bf16.enabled"),
        HasSubstr("keep one"));
    EXPECT_FALSE(read_deepspeed_json("[]", "ds.json").problems.empty());
    EXPECT_FALSE(read_deepspeed_json("{", "ds.json").problems.empty());
}

}  // namespace
}  // namespace trainyard::settings
