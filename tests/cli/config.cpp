// SPDX-License-Identifier: GPL-3.0-or-later
// Tests of `trainyard config` and its subcommands without a terminal.

#include <fstream>

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <nlohmann/json.hpp>
#include <sys/stat.h>

#include "base/file.h"
#include "cli/program.h"
#include "config/accelerate/draft.h"
#include "launch/plan/probe.h"
#include "support/golden.h"
#include "support/says.h"
#include "support/temporary_folder.h"

namespace trainyard {
namespace {

using Json = nlohmann::json;
using test::Program;
using test::Said;
using test::says;
using testing::_;
using testing::AllOf;
using testing::ElementsAre;
using testing::EndsWith;
using testing::HasSubstr;
using testing::Not;

class Config : public testing::Test {
  protected:
    Config() {
        ::setenv("HF_HOME", (folder_.path() / "hf").c_str(), 1);
        ::setenv("TRAINYARD_RUNS", (folder_.path() / "runs").c_str(), 1);
        ::unsetenv("TRAINYARD_CONFIG");
    }
    fs::path default_file() const { return folder_.path() / "hf" / "accelerate" / "default_config.yaml"; }
    fs::path file(const std::string& name) const { return folder_.path() / name; }
    fs::path write(const std::string& name, const std::string& text) const {
        std::ofstream(file(name)) << text;
        return file(name);
    }
    /// Runs trainyard with these lines on standard input.
    Said piped(std::vector<std::string> words, const std::string& lines) const {
        fs::path input = write("input", lines);
        words.insert(words.begin(), TRAINYARD_BIN_DIR "/trainyard");
        Program program(words, [&input] { ::dup2(::open(input.c_str(), O_RDONLY), STDIN_FILENO); });
        return program.wait();
    }
    test::TemporaryFolder folder_;
};

TEST_F(Config, PipedAnswersBecomeTheFileTheTreeGives) {
    std::string target = file("a.yaml").string();
    // Values, row numbers, words of the rows, and Enter.
    Said said = piped({"config", "--config-file", target},
                      "0\nmany gpus\n1\nNO\n\n\nyes\n2\n\n\n\nno\nLlamaDecoderLayer\n\n\nn\nyes\n2\n2\n2\n1\n8\n2\n");
    EXPECT_EQ(said.code, 0) << said.err;
    EXPECT_THAT(said.out, HasSubstr("Settings saved in " + target));
    settings::Questionnaire tree(plan::probe_machine());
    settings::Answers answers{{"machine_type", "MULTI_GPU"},
                              {"fsdp", "yes"},
                              {"fsdp_version", "2"},
                              {"fsdp_layers", "LlamaDecoderLayer"},
                              {"pc", "yes"},
                              {"pc_rep", "2"},
                              {"pc_shard", "2"},
                              {"pc_tp", "2"},
                              {"num_processes", "8"},
                              {"mp", "bf16"}};
    EXPECT_EQ(read_file(target), settings::to_text(tree.settings(answers), settings::Format::yaml));
    struct stat facts {};
    ASSERT_EQ(::stat(target.c_str(), &facts), 0);
    EXPECT_EQ(facts.st_mode & 0777, 0600u);
}

TEST_F(Config, ANumberIsARowAlsoWhereRowsAreNumbers) {
    // As in Accelerate, whose menu of FSDP versions is [1, 2] and takes an index. 2 is not an index of it, so it can
    // only mean the version.
    for (const auto& [typed, version] : {std::pair{"0", 1}, {"1", 2}, {"2", 2}, {"fsdp 1", 1}, {"", 2}}) {
        fs::path target = file(std::string("fsdp") + typed + ".yaml");
        Said said = piped({"config", "--yes", "--config-file", target.string()},
                          std::string("0\nmany gpus\n1\nno\n\n\nyes\n") + typed + "\n");
        EXPECT_EQ(said.code, 0) << said.err;
        EXPECT_THAT(read_file(target), HasSubstr("fsdp_version: " + std::to_string(version))) << typed;
    }
}

/// Returns the input for a value of the golden file: the value, or its row number if the value could be taken for the
/// number of another row.
std::string typed(const settings::Questionnaire& tree, const settings::Question& question,
                  const settings::Answers& asked, const std::string& answer) {
    if (question.kind != settings::QuestionKind::menu)
        return answer;
    const std::vector<settings::Option> rows = tree.options(question, asked);
    for (std::size_t i = 0; i < rows.size(); ++i)
        if (rows[i].value == answer && answer.find_first_not_of("0123456789") == std::string::npos)
            return std::to_string(i);
    return answer;
}

TEST_F(Config, ForEveryWalkTheProgramWritesWhatTheTreeWrites) {
    ::setenv("HOME", "/home/user", 1);
    std::ifstream golden(test::golden("questionnaire.json"));
    const Json document = Json::parse(golden);
    settings::Questionnaire tree(plan::probe_machine());
    int number = 0;
    int written = 0;
    for (const Json& one : document.at("cases")) {
        SCOPED_TRACE(one.at("id").get<std::string>());
        settings::Answers asked;
        std::string lines;
        bool refused = false;
        while (const settings::Question* question = tree.next(asked)) {
            std::string answer = one.at("input").at("answers").value(question->id, "");
            lines += typed(tree, *question, asked, answer) + (question->id == "tpu_cmd" ? "\n\n" : "\n");
            asked[question->id] = answer;
            refused = refused || tree.problem(*question, asked);
        }
        std::string target = file("walk" + std::to_string(number++) + ".yaml").string();
        settings::Draft draft(plan::probe_machine());
        for (const auto& [id, answer] : asked)
            draft.answer(id, answer);
        for (const settings::Finding& finding : draft.findings())
            refused = refused || finding.severity == settings::Finding::Severity::error;
        Said said = piped({"config", "--config_file", target}, lines);
        if (refused) {
            EXPECT_EQ(said.code, 2);
            EXPECT_FALSE(fs::exists(target)) << "nothing is written";
            continue;
        }
        ASSERT_EQ(said.code, 0) << said.err;
        EXPECT_EQ(read_file(target), settings::to_text(tree.settings(asked), settings::Format::yaml));
        ++written;
    }
    EXPECT_GT(written, 20);
}

TEST_F(Config, TheEndOfInputIsAnErrorUnlessDefaultsWillDo) {
    Said said = piped({"config"}, "\n\n");
    EXPECT_EQ(said.code, 2);
    EXPECT_THAT(
        said.err,
        AllOf(
            test::says("input ended at the question '{}': give it an answer, or --yes for the defaults of what is left",
                       testing::StartsWith("Train on the CPU")),
            says("input ended at the question '{}': give it an answer, or --yes for the defaults of what is left", _)));
    EXPECT_FALSE(fs::exists(default_file()));
    EXPECT_EQ(piped({"config", "--yes"}, "\n\n").code, 0);
    EXPECT_TRUE(fs::exists(default_file()));
}

TEST_F(Config, AnAnswerThatCannotStandEndsWithItsSentence) {
    Said said = piped({"config"}, "\nMULTI_GPU\ntwo\n");
    EXPECT_EQ(said.code, 2);
    EXPECT_THAT(said.err, says("{}: {} is not a whole number", EndsWith("Machines"), "two"));
    EXPECT_FALSE(fs::exists(default_file()));
}

TEST_F(Config, ALessThanSignGoesBack) {
    Said said = piped({"config", "--json"}, "\nMULTI_GPU\n<\nNO\nyes\n\n\n\n");
    EXPECT_EQ(said.code, 0) << said.err;
    Json json = Json::parse(said.out);
    EXPECT_EQ(json.at("settings").at("distributed_type"), "NO");
    EXPECT_EQ(json.at("file"), default_file().string());
    EXPECT_EQ(json.at("written"), true);
    EXPECT_THAT(said.err, says("Where will this run?")) << "questions do not mix with the result";
}

TEST_F(Config, AFileThatIsThereIsTheStartAndIsNotOverwrittenUnasked) {
    std::string text = "# mine\ndistributed_type: 'NO'\nuse_cpu: true  # no GPU here\nmixed_precision: bf16\n";
    fs::path target = write("a.yaml", text);
    std::vector<std::string> words{"config", "--config_file", target.string()};
    Said unchanged = piped(words, "\n\n\n\n\n\n");
    EXPECT_EQ(unchanged.code, 0) << unchanged.err;
    EXPECT_THAT(unchanged.out, HasSubstr("stays as it is"));
    EXPECT_EQ(read_file(target), text);

    Said refused = piped(words, "\n\n\n\n\nfp16\nno\n");
    EXPECT_EQ(refused.code, 1);
    EXPECT_THAT(refused.out, HasSubstr("~ mixed_precision: fp16"));
    EXPECT_EQ(read_file(target), text);
    Said silent = piped(words, "\n\n\n\n\nfp16\n");
    EXPECT_EQ(silent.code, 2);
    EXPECT_THAT(silent.err, says("Overwrite the file?"));
    EXPECT_EQ(read_file(target), text);

    EXPECT_EQ(piped(words, "\n\n\n\n\nfp16\nyes\n").code, 0);
    EXPECT_EQ(read_file(target),
              "# mine\ndistributed_type: 'NO'\nuse_cpu: true  # no GPU here\nmixed_precision: fp16\n");
    words.emplace_back("--fresh");
    words.emplace_back("--yes");
    EXPECT_EQ(piped(words, "").code, 0);
    EXPECT_THAT(read_file(target), AllOf(Not(HasSubstr("# mine")), HasSubstr("mixed_precision: 'no'")));
}

TEST_F(Config, WhatContradictsItselfIsNotWritten) {
    // 2 x 1 x 3 x 1 ranks are not 8.
    Said said = piped({"config"}, "\nMULTI_GPU\n\n\n\n\nyes\n2\n\n\n\nyes\n\n\n\nyes\n2\n1\n3\n1\n8\n\n");
    EXPECT_EQ(said.code, 2);
    EXPECT_THAT(said.err, HasSubstr("parallelism_config"));
    EXPECT_FALSE(fs::exists(default_file()));
    said = piped({"config", "--force"}, "\nMULTI_GPU\n\n\n\n\nyes\n2\n\n\n\nyes\n\n\n\nyes\n2\n1\n3\n1\n8\n\n");
    EXPECT_EQ(said.code, 0) << "unless that is wished";
    EXPECT_EQ(test::trainyard({"config", "validate"}).code, 2);
}

TEST_F(Config, DefaultWritesYamlOnceAndNeverAgain) {
    Said said = test::trainyard({"config", "default", "--mixed-precision", "BF16"});
    EXPECT_EQ(said.code, 0) << said.err;
    std::string text = read_file(default_file());
    EXPECT_THAT(text, AllOf(HasSubstr("compute_environment: LOCAL_MACHINE\n"), HasSubstr("mixed_precision: bf16\n")));
    said = test::trainyard({"config", "default", "--mixed_precision", "fp16"});
    EXPECT_EQ(said.code, 0);
    EXPECT_THAT(said.out, HasSubstr("stays as it is"));
    EXPECT_EQ(read_file(default_file()), text);
    EXPECT_EQ(test::trainyard({"config", "default", "--mixed_precision", "fp12"}).code, 2);
    EXPECT_EQ(test::trainyard({"config", "default", "--config_file", file("b.json").string()}).code, 0);
    EXPECT_TRUE(Json::accept(read_file(file("b.json"))));
    EXPECT_EQ(test::trainyard({"config", "validate", file("b.json").string()}).code, 0);
}

TEST_F(Config, UpdateBringsAnOldFileToTodaysKeysAndKeepsComments) {
    fs::path old = write("old.yaml", "# 2021\ndistributed_type: MULTI_GPU\nfp16: true\nnum_processes: 2\n");
    Said said = test::trainyard({"config", "update", old.string()});
    EXPECT_EQ(said.code, 0) << said.err;
    EXPECT_THAT(read_file(old),
                AllOf(HasSubstr("# 2021\n"), HasSubstr("mixed_precision: fp16\n"), Not(HasSubstr("fp16: true"))));
    std::string once = read_file(old);
    EXPECT_EQ(test::trainyard({"config", "update", "--config_file", old.string()}).code, 0);
    EXPECT_EQ(read_file(old), once);
    EXPECT_EQ(test::trainyard({"config", "update"}).code, 2) << "no default file";
    fs::path odd =
        write("odd.yaml", "distributed_type: FSDP\nnum_processes: 2\nfsdp_config: {mine: .inf, other: 2024-01-02}\n");
    Json json = Json::parse(test::trainyard({"config", "update", odd.string(), "--json"}).out);
    EXPECT_EQ(json.at("settings").at("fsdp_config").at("mine"), "inf") << "JSON has no infinities";
}

TEST_F(Config, ValidateTellsEverythingAtOnceWithItsPlace) {
    fs::path bad = write("bad.yaml",
                         "distributed_type: FSDP\nnum_proceses: 8\nmain_process_port: 99999\n"
                         "fsdp_config:\n  fsdp_version: 2\n  fsdp_state_dict_type: LOCAL_STATE_DICT\n");
    Said said = test::trainyard({"config", "validate", bad.string()});
    EXPECT_EQ(said.code, 2);
    EXPECT_THAT(said.out, AllOf(HasSubstr("bad.yaml:2:1: error: num_proceses: "), HasSubstr("num_processes"),
                                HasSubstr("bad.yaml:3:20: error: main_process_port: "),
                                HasSubstr("bad.yaml:6:25: error: fsdp_config.fsdp_state_dict_type: ")));
    said = test::trainyard({"config", "validate", "--config-file", bad.string(), "--json"});
    EXPECT_EQ(said.code, 2);
    Json json = Json::parse(said.out);
    EXPECT_EQ(json.at("valid"), false);
    ASSERT_GE(json.at("findings").size(), 3u);
    EXPECT_EQ(json.at("findings")[0].at("line"), 2);
    EXPECT_EQ(json.at("findings")[0].at("key"), "num_proceses");
    fs::path broken = write("broken.yaml", "distributed_type: [\n");
    EXPECT_EQ(test::trainyard({"config", "validate", broken.string()}).code, 2);
    Said missing = test::trainyard({"config", "validate", file("none.yaml").string()});
    EXPECT_EQ(missing.code, 2);
    EXPECT_THAT(missing.err, HasSubstr("none.yaml"));
    fs::path good = write("good.yaml", "distributed_type: 'NO'\n");
    said = test::trainyard({"config", "validate", good.string(), "--here"});
    EXPECT_EQ(said.code, 0) << said.out;
}

TEST_F(Config, ShowSaysWhereAValueComesFrom) {
    write("a.yaml", "distributed_type: MULTI_CPU\nuse_cpu: true\nnum_processes: 2\nmixed_precision: bf16\n");
    Said said = test::trainyard({"config", "show", file("a.yaml").string(), "--json"});
    ASSERT_EQ(said.code, 0) << said.err;
    Json settings = Json::parse(said.out).at("settings");
    EXPECT_EQ(settings.at("num_processes").at("value"), "2");
    EXPECT_EQ(settings.at("num_processes").at("origin"), "file");
    EXPECT_NE(settings.at("num_machines").at("origin"), "file");
    said = test::trainyard({"config", "show"});
    EXPECT_EQ(said.code, 0) << said.err;
    EXPECT_THAT(said.out, HasSubstr("does not exist: detected values and defaults"));
}

TEST_F(Config, KeysCanBeSearched) {
    Said said = test::trainyard({"config", "keys", "reshard"});
    EXPECT_EQ(said.code, 0);
    EXPECT_THAT(said.out, AllOf(HasSubstr("fsdp_config.fsdp_reshard_after_forward\n"),
                                HasSubstr("--fsdp_reshard_after_forward"), Not(HasSubstr("zero_stage"))));
    EXPECT_EQ(test::trainyard({"config", "keys", "abacus"}).code, 1);
    Json all = Json::parse(test::trainyard({"config", "keys", "--json"}).out);
    EXPECT_GT(all.size(), 100u);
    EXPECT_THAT(test::trainyard({"config", "keys", "--markdown"}).out, HasSubstr("fsdp_version"));
}

TEST_F(Config, BatchCalculatesOtherSetups) {
    Json json = Json::parse(test::trainyard({"config", "batch", "--batch_per_rank", "16", "--num_processes", "8",
                                             "--learning_rate", "3e-4", "--on", "2", "--json"})
                                .out);
    EXPECT_EQ(json.at("now").at("effective_batch"), 128);
    EXPECT_EQ(json.at("choices")[0].at("gradient_accumulation_steps"), 4);
    EXPECT_EQ(json.at("choices")[0].at("effective_batch"), 128);
    EXPECT_EQ(test::trainyard({"config", "batch", "--batch_per_rank", "0"}).code, 2);
    EXPECT_EQ(test::trainyard({"config", "batch", "--batch_per_rank", "1", "--rule", "cubic"}).code, 2);
}

TEST_F(Config, ToFsdp2WritesTheOtherVersion) {
    fs::path first =
        write("one.yaml",
              "distributed_type: FSDP\nnum_processes: 2\nfsdp_config:\n  fsdp_sharding_strategy: SHARD_GRAD_OP\n"
              "  fsdp_use_orig_params: true\n");
    Said said = test::trainyard({"to-fsdp2", "--config_file", first.string()});
    EXPECT_EQ(said.code, 2);
    EXPECT_THAT(said.err, HasSubstr("--overwrite"));
    said = test::trainyard({"to-fsdp2", "--config_file", first.string(), "--output_file", file("two.yaml").string()});
    EXPECT_EQ(said.code, 0) << said.err;
    EXPECT_THAT(read_file(file("two.yaml")),
                AllOf(HasSubstr("fsdp_version: 2"), HasSubstr("fsdp_reshard_after_forward: false"),
                      Not(HasSubstr("orig_params"))));
    said = test::trainyard({"to-fsdp2", "--config_file", first.string(), "--output_file", file("two.yaml").string()});
    EXPECT_EQ(said.code, 2) << "the output is there";
    EXPECT_EQ(test::trainyard({"to-fsdp2", "--config-file", first.string(), "--overwrite"}).code, 0);
    EXPECT_THAT(read_file(first), HasSubstr("fsdp_version: 2"));
    EXPECT_EQ(test::trainyard({"to-fsdp2", "--config_file", file("none").string(), "--overwrite"}).code, 2);
}

TEST_F(Config, EnvShowsSettingsAndDevices) {
    fs::path shown = write("a.yaml", "distributed_type: 'NO'\nmixed_precision: bf16\n");
    Json json = Json::parse(test::trainyard({"env", "--json", "--config_file", shown.string()}).out);
    EXPECT_EQ(json.at("config").at("mixed_precision"), "bf16");
    EXPECT_TRUE(json.contains("device_count"));
    EXPECT_TRUE(Json::parse(test::trainyard({"env", "--json"}).out).at("config").is_null());
    EXPECT_THAT(test::trainyard({"env"}).out, HasSubstr("- config: not found"));
}

TEST_F(Config, CacheTellsWhatIsKeptAndRemovesIt) {
    ::setenv("TRAINYARD_CACHE", (folder_.path() / "cache").c_str(), 1);
    EXPECT_THAT(test::trainyard({"cache"}).out, HasSubstr("0 files with prepared tokens"));
    fs::create_directories(folder_.path() / "cache/tokens");
    for (const char* name : {"a.tokens", "b.tokens", "b.lock", "notes.txt"})
        std::ofstream(folder_.path() / "cache/tokens" / name) << "1234";
    std::ofstream(folder_.path() / "cache/peaks.json")
        << R"({"some processor, 2 threads, fp32, 1 rank": {"flops_per_s": 1.95e11, "measured": "2026-01-02T03:04:05.000Z"}})";
    std::ofstream(folder_.path() / "cache/calibration.json") << R"({"some processor": {"factors": [1.1, 0.9, 1.3]}})";
    EXPECT_THAT(test::trainyard({"cache"}).out, HasSubstr("memory of 3 runs on some processor: 1.10 of the estimate"));
    EXPECT_THAT(test::trainyard({"cache"}).out,
                HasSubstr("measured 195 GFLOP/s on 2026-01-02: some processor, 2 threads, fp32, 1 rank"));
    Json json = Json::parse(test::trainyard({"cache", "--json"}).out);
    EXPECT_EQ(json.at("files"), 2);
    EXPECT_EQ(json.at("bytes"), 8);
    EXPECT_EQ(json.at("peaks").size(), 1u);
    json = Json::parse(test::trainyard({"cache", "--clear", "--json"}).out);
    ::unsetenv("TRAINYARD_CACHE");
    EXPECT_EQ(json.at("removed_files"), 2);
    EXPECT_EQ(json.at("removed_bytes"), 8);
    EXPECT_TRUE(fs::exists(folder_.path() / "cache/tokens/notes.txt"));
    EXPECT_FALSE(fs::exists(folder_.path() / "cache/tokens/a.tokens"));
    EXPECT_FALSE(fs::exists(folder_.path() / "cache/peaks.json"));
    EXPECT_EQ(json.at("removed_memory").at("some processor").at("runs"), 3);
    EXPECT_FALSE(fs::exists(folder_.path() / "cache/calibration.json"));
}

/// A gcloud that notes its words, one a line.
class TpuConfig : public Config {
  protected:
    TpuConfig() {
        fs::create_directory(folder_.path() / "bin");
        fs::path gcloud =
            write("bin/gcloud",
                  "#!/bin/sh\nfor word in \"$@\"; do echo \"$word\"; done > \"$TOLD\"\nexit ${GCLOUD_CODE:-0}\n");
        fs::permissions(gcloud, fs::perms::owner_all);
        ::setenv("PATH", ((folder_.path() / "bin").string() + ":/usr/bin:/bin").c_str(), 1);
        ::setenv("TOLD", file("told").c_str(), 1);
        ::unsetenv("GCLOUD_CODE");
    }
};

TEST_F(TpuConfig, TheLineReachesGcloudAsOneWord) {
    fs::path pod = write("pod.yaml",
                         "distributed_type: XLA\ntpu_use_cluster: true\ntpu_name: pod\ntpu_zone: us-a\n"
                         "commands:\n- echo \"it's $(touch " +
                             file("canary").string() + ")\"\n");
    Said shown = test::trainyard({"tpu-config", "--config_file", pod.string(), "--debug", "--json"});
    EXPECT_EQ(shown.code, 0) << shown.err;
    EXPECT_FALSE(fs::exists(file("told")));
    Json words = Json::parse(shown.out).at("command");
    std::string line = "cd /usr/share; echo \"it's $(touch " + file("canary").string() + ")\"";
    EXPECT_EQ(words, (Json{"gcloud", "compute", "tpus", "tpu-vm", "ssh", "pod", "--zone", "us-a", "--command", line,
                           "--worker", "all"}));

    Said said = test::trainyard({"tpu-config", "--config_file", pod.string(), "--use_alpha", "--install_accelerate",
                                 "--accelerate_version", "1.10.0", "--tpu_name", "other"});
    EXPECT_EQ(said.code, 0) << said.err;
    EXPECT_EQ(read_file(file("told")),
              "alpha\ncompute\ntpus\ntpu-vm\nssh\nother\n--zone\nus-a\n--command\ncd /usr/share; pip install "
              "accelerate==1.10.0; "
              "echo \"it's $(touch " +
                  file("canary").string() + ")\"\n--worker\nall\n");
    EXPECT_FALSE(fs::exists(file("canary"))) << "nothing here runs the command";
}

TEST_F(TpuConfig, WhatIsMissingIsToldAtOnce) {
    Said said = test::trainyard({"tpu-config"});
    EXPECT_EQ(said.code, 2);
    EXPECT_THAT(
        said.err,
        AllOf(says("there is nothing to run: give --command or --command_file, or name them in the settings file"),
              says("the TPU has no name: give --tpu_name, or tpu_name in the settings file"),
              says("the TPU has no zone: give --tpu_zone, or tpu_zone in the settings file")));
    ::setenv("GCLOUD_CODE", "3", 1);
    said = test::trainyard({"tpu-config", "--tpu_name", "p", "--tpu_zone", "z", "--command", "true"});
    EXPECT_EQ(said.code, 1);
    EXPECT_THAT(said.err, HasSubstr("exit code 3"));
    ::setenv("PATH", "/nowhere", 1);
    said = test::trainyard({"tpu-config", "--tpu_name", "p", "--tpu_zone", "z", "--command", "true"});
    EXPECT_EQ(said.code, 2);
    EXPECT_THAT(said.err,
                says("{} cannot be started: {}; install the Google Cloud command line, or see the command with --debug",
                     EndsWith("gcloud"), _));
    EXPECT_EQ(test::trainyard({"tpu-config", "--tpu_name", "p", "--tpu_zone", "z", "--command", "true",
                               "--install_accelerate", "--accelerate_version", "1; rm -rf /"})
                  .code,
              2);
}

/// Returns the completions that bash offers after these words.
std::vector<std::string> completed(const fs::path& script, const std::vector<std::string>& words) {
    std::string typed;
    for (const std::string& word : words)
        typed += " '" + word + "'";
    std::string line = "source " + script.string() + "; COMP_WORDS=(" + typed +
                       "); COMP_CWORD=" + std::to_string(words.size() - 1) +
                       "; _trainyard; printf '%s\\n' \"${COMPREPLY[@]}\"";
    Said said = Program({"/bin/bash", "--norc", "-c", line}).wait();
    EXPECT_EQ(said.err, "");
    std::vector<std::string> offered;
    std::istringstream lines(said.out);
    for (std::string one; std::getline(lines, one);)
        offered.push_back(one);
    return offered;
}

TEST_F(Config, CompletionWorksInBash) {
    Said said = test::trainyard({"completion", "bash"});
    ASSERT_EQ(said.code, 0);
    fs::path script = write("completion.bash", said.out);
    EXPECT_THAT(completed(script, {"trainyard", "launch", "--num_pr"}), ElementsAre("--num_processes"));
    EXPECT_THAT(completed(script, {"trainyard", "launch", "--num-pr"}), ElementsAre("--num-processes"));
    EXPECT_THAT(completed(script, {"trainyard", "launch", "--mixed-precision", "b"}), ElementsAre("bf16"));
    EXPECT_THAT(completed(script, {"trainyard", "config", "val"}), ElementsAre("validate"));
    EXPECT_THAT(completed(script, {"trainyard", "config", "default", "--mixed_precision", "f"}),
                ElementsAre("fp16", "fp8"));
    EXPECT_THAT(completed(script, {"trainyard", "to-"}),
                testing::UnorderedElementsAre("to-deepspeed", "to-fsdp", "to-fsdp2"));
    EXPECT_THAT(completed(script, {"trainyard", "runs", "s"}),
                testing::UnorderedElementsAre("show", "stop", "start", "set", "sync"));
    for (const char* shell : {"zsh", "fish"}) {
        Said other = test::trainyard({"completion", shell});
        EXPECT_EQ(other.code, 0);
        EXPECT_THAT(other.out, AllOf(HasSubstr("num_processes"), HasSubstr("merge-weights")));
    }
    EXPECT_EQ(test::trainyard({"completion", "tcsh"}).code, 2);
}

}  // namespace
}  // namespace trainyard
