// SPDX-License-Identifier: GPL-3.0-or-later
// `trainyard tpu-config` and launches on TPU, compared with what Accelerate starts: the arguments of gcloud, those of
// torch_xla's launcher of pods, and the script that is spawned on one machine, which Python runs here with a stand-in
// for torch_xla. Where Accelerate loses settings or breaks commands, the difference is named below.

#include <algorithm>
#include <fstream>
#include <optional>

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <nlohmann/json.hpp>
#include <sys/stat.h>

#include "base/error.h"
#include "base/file.h"
#include "base/text.h"
#include "cli/program.h"
#include "config/accelerate/settings_file.h"
#include "launch/plan/plan.h"
#include "support/golden.h"
#include "support/temporary_folder.h"

namespace trainyard {
namespace {

namespace fs = std::filesystem;
using Json = nlohmann::json;
using test::Said;
using Words = std::vector<std::string>;

struct TpuCase {
    std::string id;
    Json input, expected;

    std::string text(const char* key) const { return input.value(key, ""); }
    Words flags() const { return input["flags"].get<Words>(); }
    bool has(const std::string& flag) const { return std::ranges::count(flags(), flag) > 0; }
    /// A word that neither is a flag nor follows one directly.
    bool has_word_without_flag() const {
        const Words words = flags();
        return std::ranges::adjacent_find(words, [](const std::string& one, const std::string& next) {
                   return !one.starts_with("--") && !next.starts_with("--");
               }) != words.end();
    }
    /// Values of a flag that may be given several times.
    Words values_of(const std::string& flag) const {
        Words values, words = flags();
        for (std::size_t i = 0; i + 1 < words.size(); ++i)
            if (words[i] == flag)
                values.push_back(words[i + 1]);
        return values;
    }
};

std::vector<TpuCase> tpu_cases() {
    std::vector<TpuCase> all;
    const Json root = Json::parse(read_file(test::golden("tpu.json")));
    for (const Json& one : root["cases"])
        all.push_back({one["id"], one["input"], one["expected"]});
    return all;
}

class Tpu : public testing::Test {
  protected:
    Tpu() {
        fs::current_path(folder_.path());
        ::setenv("HF_HOME", (folder_.path() / "home").c_str(), 1);
        ::setenv("PATH", ((folder_.path() / "bin").string() + ":" + path_).c_str(), 1);
        for (const char* name : {"TRAINYARD_CONFIG", "OMP_NUM_THREADS", "SLURM_JOB_ID", "PYTHONPATH"})
            ::unsetenv(name);
    }
    ~Tpu() override {
        fs::current_path(before_);
        ::setenv("PATH", path_.c_str(), 1);
    }
    static void write(const fs::path& file, const std::string& text, bool program = false) {
        if (file.has_parent_path())
            fs::create_directories(file.parent_path());
        std::ofstream(file) << text;
        if (program)
            ::chmod(file.c_str(), 0755);
    }
    /// The folder of one case, as it was when it was recorded.
    void prepare(const TpuCase& one) {
        for (const fs::directory_entry& entry : fs::directory_iterator("."))
            fs::remove_all(entry.path());
        if (one.input.contains("files"))
            for (const auto& [name, text] : one.input["files"].items())
                write(name, text.get<std::string>());
        if (!one.text("config").empty())
            write("settings.yaml", one.text("config"));
        write("bin/gcloud",
              "#!/bin/sh\nfor word in \"$@\"; do printf '%s\\0' \"$word\"; done >told\nexit " +
                  std::to_string(one.input.value("gcloud_exit", 0)) + "\n",
              true);
    }
    Words with_settings(const TpuCase& one) const {
        Words words = one.flags();
        if (!one.text("config").empty())
            words.insert(words.begin(), {"--config_file", "settings.yaml"});
        return words;
    }
    /// The plan of a launch on a machine with a TPU.
    static plan::Plan planned(const Words& words) {
        settings::Machine machine;
        machine.tpu = true;
        machine.physical_cores = 4;
        const plan::Flags flags = plan::parse_flags(words);
        std::optional<settings::Loaded> file;
        if (const std::string name = plan::settings_file(flags); !name.empty())
            file = settings::load_settings(name);
        return plan::make_plan(flags, plan::resolve(flags, file, machine, {}), machine, {}, "python3");
    }

    test::TemporaryFolder folder_;
    const fs::path before_ = fs::current_path();
    const std::string path_ = std::getenv("PATH") == nullptr ? "/usr/bin:/bin" : std::getenv("PATH");
};

/// Accelerate joins all lines of a command file: an empty one is a syntax error of the pod's shell, a comment hides
/// what follows.
std::string without_empty_commands(std::string line) {
    for (std::size_t at = line.find("; ;"); at != std::string::npos; at = line.find("; ;"))
        line.erase(at, 2);
    return line;
}

TEST_F(Tpu, CommandsOfAPodReachGcloudAsAccelerateSendsThem) {
    int sent = 0;
    for (const TpuCase& one : tpu_cases()) {
        if (one.text("program") != "tpu-config")
            continue;
        prepare(one);
        Words words = with_settings(one);
        words.insert(words.begin(), "tpu-config");
        const Said said = test::trainyard(words);
        // Accelerate makes two commands of the two words of `--command echo x`; here the second one is refused.
        if (one.expected.contains("error") || one.has_word_without_flag()) {
            EXPECT_EQ(said.code, 2) << one.id;
            EXPECT_FALSE(fs::exists("told")) << one.id;
            EXPECT_FALSE(said.err.empty()) << one.id;
            continue;
        }
        if (one.has("--debug")) {
            EXPECT_EQ(said.code, 0) << one.id << said.err;
            EXPECT_FALSE(fs::exists("told")) << one.id << ": only shown";
            continue;
        }
        // Accelerate does not notice that gcloud failed.
        EXPECT_EQ(said.code, one.input.value("gcloud_exit", 0) == 0 ? 0 : 1) << one.id << said.err;
        ASSERT_TRUE(fs::exists("told")) << one.id;
        Words told{"gcloud"};
        const std::string bytes = read_file("told");
        for (std::size_t begin = 0; begin < bytes.size(); begin = bytes.find('\0', begin) + 1)
            told.emplace_back(bytes.c_str() + begin);
        Words expected = one.expected["command"].get<Words>();
        for (std::string& word : expected)
            word = without_empty_commands(word);
        EXPECT_EQ(told, expected) << one.id;
        ++sent;
    }
    EXPECT_GT(sent, 0);
}

/// What the settings say and Accelerate loses on the way to a pod: variables, machines, sudo, and that the program is a
/// module.
Json with_lost_settings(const TpuCase& one, Json expected) {
    settings::Settings settings;
    if (fs::exists("settings.yaml"))
        settings = settings::load_settings("settings.yaml").settings;
    const auto chosen = [&](const char* flag, const char* key) {
        Words values = one.values_of(flag);
        if (const Value* listed = settings.find(key); values.empty() && listed != nullptr && listed->list() != nullptr)
            for (const Value& value : *listed->list())
                values.push_back(value.display());
        return values;
    };
    for (const std::string& variable : chosen("--env", "tpu_env"))
        expected["env"].push_back(variable);
    if (const Words machines = chosen("--vm", "tpu_vm"); !machines.empty())
        expected["vm"] = machines;
    Words positional = expected["positional"].get<Words>();
    if (settings.boolean("tpu_use_sudo") && positional.front() != "sudo")
        positional.insert(positional.begin(), "sudo");
    if (const Words module = one.values_of("--module"); !module.empty())
        positional.insert(std::ranges::find(positional, module.front()), "--module");
    expected["positional"] = positional;
    return expected;
}

/// The options of torch_xla's launcher, as its parser reads them.
Json options_of_xla_dist(const Words& command) {
    EXPECT_EQ(Words(command.begin(), command.begin() + 3), (Words{"python3", "-m", "torch_xla.distributed.xla_dist"}));
    Json options{{"conda_env", ""},
                 {"docker_container", ""},
                 {"docker_image", ""},
                 {"docker_run_flag", nullptr},
                 {"env", Json::array()},
                 {"positional", Json::array()},
                 {"restart_tpuvm_pod_server", false},
                 {"tpuvm_server_port", 51011}};
    bool rest = false;
    for (auto word = command.begin() + 3; word != command.end(); ++word) {
        const std::string value = word->substr(std::min(word->size(), word->find('=') + 1));
        if (rest)
            options["positional"].push_back(*word);
        else if (*word == "--")
            rest = true;
        else if (*word == "--restart-tpuvm-pod-server")
            options["restart_tpuvm_pod_server"] = true;
        else if (word->starts_with("--tpu="))
            options["tpu"] = value;
        else if (word->starts_with("--vm="))
            options["vm"].push_back(value);
        else if (word->starts_with("--env="))
            options["env"].push_back(value);
        else
            ADD_FAILURE() << *word << " is not an option of torch_xla's launcher";
    }
    return options;
}

TEST_F(Tpu, PodsAreLaunchedWithTheOptionsOfTorchXla) {
    int launched = 0;
    for (const TpuCase& one : tpu_cases()) {
        const bool pod = one.expected.contains("calls") && one.expected["calls"][0].contains("xla_dist");
        if (!pod)
            continue;
        prepare(one);
        const plan::Plan plan = planned(with_settings(one));
        EXPECT_EQ(plan.starter, plan::Starter::tpu_pod) << one.id;
        Json options = options_of_xla_dist(plan.command);
        Json expected = with_lost_settings(one, one.expected["calls"][0]["xla_dist"]);
        for (Json* each : {&options, &expected}) {  // variables are a set
            Words variables = (*each)["env"].get<Words>();
            std::ranges::sort(variables);
            (*each)["env"] = variables;
        }
        EXPECT_EQ(options, expected) << one.id;
        ++launched;
    }
    EXPECT_GT(launched, 0);
}

constexpr const char* kTorchXla = R"(import json, os, sys
def spawn(function, args=(), **options):
    names = {name: value for name, value in os.environ.items() if name.startswith(('XLA_', 'ACCELERATE_'))}
    function(0, *args)
    with open('spawned.json', 'w') as file:
        json.dump({'argv': sys.argv, 'env': names, 'args': list(args), 'forked': os.environ.get('FORK_LAUNCHED')}, file)
)";

TEST_F(Tpu, TheScriptOfOneMachineSpawnsTheFunctionWithItsArguments) {
    // --module works from the folder of the module, where Accelerate does not find it.
    const auto runs = [](const TpuCase& one) { return one.expected.contains("calls") || one.has("--module"); };
    const bool python = std::system("python3 -c 'import json' >/dev/null 2>&1") == 0;
    int spawned = 0;
    for (const TpuCase& one : tpu_cases()) {
        const bool pod = one.expected.contains("calls") && one.expected["calls"][0].contains("xla_dist");
        if (one.text("program") != "launch" || pod)
            continue;
        prepare(one);
        if (!runs(one)) {
            EXPECT_THROW(planned(with_settings(one)), UserError) << one.id;
            continue;
        }
        const plan::Plan plan = planned(with_settings(one));
        EXPECT_EQ(plan.starter, plan::Starter::tpu) << one.id;
        ASSERT_GE(plan.command.size(), 6u) << one.id;
        EXPECT_EQ(Words(plan.command.begin(), plan.command.begin() + 2), (Words{"python3", "-c"}));
        EXPECT_EQ(plan.command[3], one.has("--module") ? "module" : "file") << one.id;
        Json expected = one.has("--module") ? Json{{"argv", {"FOLDER/train_tpu.py"}},
                                                   {"env", {{"XLA_USE_BF16", "1"}}},
                                                   {"spawn", {{"function", "train"}, {"args", Json::array()}}}}
                                            : one.expected["calls"][0];
        EXPECT_EQ(plan.command[5], expected["spawn"]["function"].get<std::string>()) << one.id;
        EXPECT_EQ(Json(plan.environment), expected["env"]) << one.id;
        ++spawned;
        if (!python)
            continue;
        write("spawn.py", plan.command[2]);
        EXPECT_EQ(std::system("python3 -m py_compile spawn.py"), 0) << one.id;
        write("stand_in/torch_xla/__init__.py", "");
        write("stand_in/torch_xla/distributed/__init__.py", "");
        write("stand_in/torch_xla/distributed/xla_multiprocessing.py", kTorchXla);
        std::string line = "PYTHONPATH=stand_in";
        for (const auto& [name, value] : plan.environment)
            line += " " + name + "=" + text::shell_word(value);
        for (const std::string& word : plan.command)
            line += " " + text::shell_word(word);
        EXPECT_EQ(std::system((line + " >printed").c_str()), 0) << one.id;
        ASSERT_TRUE(fs::exists("spawned.json")) << one.id;
        Json call = Json::parse(read_file("spawned.json"));
        for (Json& word : call["argv"])
            if (word == (fs::canonical(folder_.path()) / "train_tpu.py").string() || word == "train_tpu.py")
                word = "FOLDER/train_tpu.py";
        EXPECT_EQ(call["argv"], expected["argv"]) << one.id;
        EXPECT_EQ(call["env"], expected["env"]) << one.id;
        EXPECT_EQ(call["args"], expected["spawn"]["args"]) << one.id;
        EXPECT_EQ(call["forked"], "1") << one.id;
        EXPECT_THAT(read_file("printed"), testing::StartsWith("trained [")) << one.id << ": train() ran";
    }
    EXPECT_GT(spawned, 0);
}

}  // namespace
}  // namespace trainyard
