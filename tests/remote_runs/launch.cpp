// `trainyard launch --hosts` on machines of their own behind real sshd: same losses as on one machine, everything mirrored once, nothing
// left behind where it does not start.

#include <algorithm>
#include <csignal>
#include <fstream>
#include <map>
#include <sstream>

#include <gtest/gtest.h>
#include <nlohmann/json.hpp>
#include <sys/wait.h>
#include <unistd.h>

#include "base/clock.h"
#include "base/file.h"
#include "io/event_file.h"
#include "remote/local_program.h"
#include "run/mirror.h"
#include "run/request.h"
#include "run/state.h"
#include "support/hosts.h"

namespace trainyard {

namespace {

namespace fs = std::filesystem;

class RemoteLaunchTest : public ::testing::Test {
  protected:
    void make_hosts(int count, int bare = 0) {
        hosts_.emplace(
            test::TestHosts::Options{.count = count,
                                     .bare = bare,
                                     .shares = {TRAINYARD_BUILD_DIR, TRAINYARD_TORCH_FOLDER, TRAINYARD_TESTS_DIR}});
        if (!hosts_->namespaces())
            FAIL() << "hosts with networks of their own are made by root only: run this test as root";
        fs::path config = folder_.path() / "config" / "trainyard";
        fs::create_directories(config);
        std::ofstream hosts(config / "hosts.yaml");
        hosts << "hosts:\n";
        for (const test::TestHost& host : hosts_->all()) {
            if (!host.bare)
                hosts << "  - name: " << host.name << "\n    engine: " << TRAINYARD_BIN_DIR << "/trainyard\n";
            std::ofstream(hosts_->home_of(host.name) / "text.txt") << text();
        }
        fs::permissions(config / "hosts.yaml", fs::perms::owner_read | fs::perms::owner_write);
        ::setenv("TRAINYARD_SSH_CONFIG", hosts_->ssh_config().c_str(), 1);
        ::setenv("XDG_CONFIG_HOME", (folder_.path() / "config").c_str(), 1);
        ::setenv("XDG_CACHE_HOME", (folder_.path() / "cache").c_str(), 1);
        ::setenv("TRAINYARD_RUNS", runs().c_str(), 1);
        ::setenv("OMP_NUM_THREADS", "1", 1);
        write_recipe(hosts_->all().front().home + "/text.txt", 12);
    }

    static std::string text() {
        std::string all;
        for (int i = 0; i < 3000; ++i)
            all += "line " + std::to_string(i * 7919 % 3000) + " of a text that repeats itself\n";
        return all;
    }

    void write_recipe(const std::string& data, int steps) {
        std::ofstream(recipe()) << "name: far\n"
                                   "model: {n_layer: 2, n_embd: 32, n_head: 2, n_positions: 32}\n"
                                   "data: {path: "
                                << data
                                << ", sequence_length: 32}\n"
                                   "optimizer: {lr: 3e-3}\n"
                                   "schedule: {warmup_steps: 3}\n"
                                   "training: {steps: "
                                << steps << ", batch_size: 2}\ncheckpoint: {every: 1000}\n";
    }

    fs::path runs() const { return folder_.path() / "runs"; }
    fs::path recipe() const { return folder_.path() / "recipe.yaml"; }

    remote::ProgramResult trainyard(std::vector<std::string> words, double seconds = 120) {
        words.insert(words.begin(), std::string(TRAINYARD_BIN_DIR) + "/trainyard");
        return remote::run_program(words, {}, seconds);
    }
    /// Launches and follows to the end; the mirror's folder.
    run::RunPaths launch(std::vector<std::string> words, bool detach = false) {
        words.insert(words.begin(), {"launch", "--cpu"});
        if (detach)
            words.push_back("--detach");
        words.push_back(recipe().string());
        remote::ProgramResult result = trainyard(words);
        EXPECT_TRUE(result.ok()) << result.status << '\n' << result.output << result.error;
        std::istringstream lines(result.output);
        std::string id, folder;
        std::getline(lines, id);
        std::getline(lines, folder);
        return run::RunPaths(folder);
    }

    std::vector<double> losses(const run::RunPaths& run) const {
        std::map<std::int64_t, double> by_step;
        for (const auto& entry : fs::directory_iterator(run.metrics()))
            if (entry.path().filename().string().starts_with("events.out.tfevents")) {
                io::EventFileReader reader(entry.path());
                for (const io::Scalar& scalar : reader.poll())
                    if (scalar.tag == "train/loss")
                        by_step[scalar.step] = scalar.value;
            }
        std::vector<double> all;
        for (const auto& [step, loss] : by_step)
            all.push_back(loss);
        return all;
    }

    template <typename F>
    bool wait_for(F&& holds, double seconds = 60) const {
        double until = monotonic_seconds() + seconds;
        while (monotonic_seconds() < until) {
            if (holds())
                return true;
            ::usleep(20'000);
        }
        return holds();
    }
    run::RunState state(const run::RunPaths& run) const {
        auto now = run::read_state(run);
        return now ? *now : run::RunState{};
    }
    bool over(const run::RunPaths& run) const { return run::is_over(state(run).status); }
    bool complete(const run::RunPaths& run) const {
        auto mirror = run::read_mirror(run);
        return mirror && mirror->complete;
    }

    /// Every file of the run that belongs into a mirror is there, byte for byte.
    void expect_mirrored(const run::RunPaths& mirror, const std::string& host) {
        fs::path there = hosts_->home_of(host) / "runs" / mirror.id();
        ASSERT_TRUE(fs::exists(there)) << there;
        int compared = 0;
        for (const auto& entry : fs::recursive_directory_iterator(there)) {
            fs::path path = entry.path().lexically_relative(there);
            if (!entry.is_regular_file() || *path.begin() == "checkpoints" || *path.begin() == "traces" ||
                path.filename().string().starts_with('.'))
                continue;
            ASSERT_TRUE(fs::exists(mirror.root() / path)) << path;
            EXPECT_TRUE(read_file(entry.path()) == read_file(mirror.root() / path)) << path;
            ++compared;
        }
        EXPECT_GE(compared, 5);
    }

    /// Our programs on a host, as `ps` there shows them.
    std::string programs_on(const std::string& host) {
        std::string all = hosts_->run(host, {"ps", "-eo", "args"}), ours;
        std::istringstream lines(all);
        for (std::string line; std::getline(lines, line);)
            if (line.find("bin/trainyard") != std::string::npos)
                ours += line + '\n';
        return ours;
    }
    void expect_nothing_left() {
        for (const test::TestHost& host : hosts_->all()) {
            EXPECT_TRUE(wait_for([&] { return programs_on(host.name).empty(); }, 15))
                << host.name << ": " << programs_on(host.name);
            fs::path folder = hosts_->home_of(host.name) / "runs";
            EXPECT_TRUE(!fs::exists(folder) || fs::is_empty(folder)) << host.name;
        }
        EXPECT_TRUE(!fs::exists(runs()) || fs::is_empty(runs()));
    }

    test::TemporaryFolder folder_;
    std::optional<test::TestHosts> hosts_;
};

TEST_F(RemoteLaunchTest, ThreeHostsTrainAsOneMachineDoes) {
    make_hosts(3);
    if (IsSkipped())
        return;
    run::RunPaths far = launch({"--hosts", "host1:1,host2:2,host3:1"});
    EXPECT_EQ(state(far).status, run::Status::finished) << state(far).message;
    ASSERT_TRUE(wait_for([&] { return complete(far); }));
    expect_mirrored(far, "host1");
    EXPECT_EQ(state(far).ranks.size(), 4u);

    // The same recipe on the data as this machine sees it.
    write_recipe((hosts_->home_of("host1") / "text.txt").string(), 12);
    run::RunPaths near = launch({"--num_processes", "4"});
    std::vector<double> here = losses(near), there = losses(far);
    ASSERT_EQ(here.size(), 12u);
    ASSERT_EQ(there.size(), here.size());
    for (std::size_t i = 0; i < here.size(); ++i)
        EXPECT_NEAR(there[i], here[i], 1e-5) << "step " << i + 1;
    for (const test::TestHost& host : hosts_->all())
        EXPECT_TRUE(wait_for([&] { return programs_on(host.name).empty(); }, 15)) << programs_on(host.name);
}

TEST_F(RemoteLaunchTest, CutConnectionAndKilledMirrorLoseAndDoubleNothing) {
    make_hosts(1);
    if (IsSkipped())
        return;
    write_recipe(hosts_->all().front().home + "/text.txt", 100000);
    run::RunPaths far = launch({"--hosts", "host1:1"}, true);
    ASSERT_TRUE(wait_for([&] { return state(far).progress.step > 5; }));

    hosts_->stop_sshd("host1");
    auto kill_mirror = [&](int number) {
        auto mirror = run::read_mirror(far);
        ASSERT_TRUE(mirror && mirror->process.pid > 1);
        ::kill(mirror->process.pid, number);
        EXPECT_TRUE(wait_for([&] { return !is_alive(mirror->process); }, 10));
    };
    kill_mirror(SIGKILL);
    EXPECT_TRUE(trainyard({"runs", "show", far.id()}).ok());  // takes the copy up again; the host does not answer
    ASSERT_TRUE(wait_for([&] { return run::shown_status(state(far), wall_seconds()) == "unreachable"; }, 15));
    hosts_->start_sshd("host1");
    std::int64_t step = state(far).progress.step;
    ASSERT_TRUE(wait_for([&] { return state(far).progress.step > step; }, 40));
    kill_mirror(SIGTERM);
    // Attached from the host's list, into the same folder.
    remote::ProgramResult attached = trainyard({"runs", "attach", "host1:" + far.id()});
    EXPECT_TRUE(attached.ok()) << attached.error;

    // A request goes up and its answer comes down.
    remote::ProgramResult saved = trainyard({"runs", "checkpoint", far.id()});
    EXPECT_TRUE(saved.ok()) << saved.error << saved.output;
    remote::ProgramResult stopped = trainyard({"runs", "stop", far.id()});
    EXPECT_TRUE(stopped.ok()) << stopped.error;
    EXPECT_EQ(state(far).status, run::Status::stopped) << state(far).message;
    ASSERT_TRUE(wait_for([&] { return complete(far); }));
    expect_mirrored(far, "host1");
    EXPECT_FALSE(fs::exists(far.checkpoints() / "checkpoint_0" / "model.safetensors"));
    remote::ProgramResult fetched = trainyard({"runs", "fetch", far.id()});
    ASSERT_TRUE(fetched.ok()) << fetched.error;
    fs::path folder = fetched.output.substr(0, fetched.output.find('\n'));
    EXPECT_TRUE(fs::exists(folder / "manifest.json") && fs::exists(folder / "model.safetensors")) << folder;
    EXPECT_TRUE(wait_for([&] { return programs_on("host1").empty(); }, 15)) << programs_on("host1");
}

TEST_F(RemoteLaunchTest, WhatIsWrongOnAnyHostIsSaidAtOnceAndLeavesNothing) {
    make_hosts(2);
    if (IsSkipped())
        return;
    fs::remove(hosts_->home_of("host2") / "text.txt");
    remote::ProgramResult result =
        trainyard({"launch", "--cpu", "--hosts", "host1:1,host2:1,host9:1", recipe().string()});
    EXPECT_EQ(WEXITSTATUS(result.status), 2) << result.output;
    EXPECT_NE(result.error.find("host2: data.path"), std::string::npos) << result.error;
    EXPECT_NE(result.error.find("host9"), std::string::npos) << result.error;
    EXPECT_EQ(result.error.find("host1:"), std::string::npos) << result.error;
    expect_nothing_left();

    // An agent's port that is not open: the hosts do not reach each other.
    std::ofstream(hosts_->home_of("host2") / "text.txt") << text();
    hosts_->cut("host2");
    result = trainyard({"launch", "--cpu", "--hosts", "host1:1,host2:1", recipe().string()});
    EXPECT_EQ(WEXITSTATUS(result.status), 2);
    EXPECT_NE(result.error.find("host2"), std::string::npos) << result.error;
    hosts_->mend("host2");
    expect_nothing_left();
}

TEST_F(RemoteLaunchTest, BareHostTrainsWithTheEngineThatIsBroughtAlong) {
    make_hosts(1, 1);
    if (IsSkipped())
        return;
    run::RunPaths far = launch({"--hosts", "host1:2"});
    EXPECT_EQ(state(far).status, run::Status::finished) << state(far).message;
    EXPECT_EQ(losses(far).size(), 12u);
    EXPECT_TRUE(fs::exists(hosts_->home_of("host1") / ".cache" / "trainyard" / "bundles"));
    // The second time nothing is copied.
    double begun = monotonic_seconds();
    EXPECT_EQ(state(launch({"--hosts", "host1:1"})).status, run::Status::finished);
    EXPECT_LT(monotonic_seconds() - begun, 30);
    EXPECT_TRUE(wait_for([&] { return programs_on("host1").empty(); }, 15)) << programs_on("host1");
}

TEST_F(RemoteLaunchTest, CancelledAtAnyMomentLeavesNothing) {
    make_hosts(2);
    if (IsSkipped())
        return;
    write_recipe(hosts_->all().front().home + "/text.txt", 100000);
    int cancelled = 0;
    for (int milliseconds : {60, 200, 300, 400, 500, 700}) {
        std::vector<std::string> words{std::string(TRAINYARD_BIN_DIR) + "/trainyard",
                                       "launch",
                                       "--cpu",
                                       "--detach",
                                       "--hosts",
                                       "host1:1,host2:1",
                                       recipe().string()};
        std::vector<char*> argv;
        for (std::string& word : words)
            argv.push_back(word.data());
        argv.push_back(nullptr);
        pid_t pid = ::fork();
        if (pid == 0) {
            ::execv(argv[0], argv.data());
            ::_exit(127);
        }
        ::usleep(static_cast<useconds_t>(milliseconds) * 1000);
        ::kill(pid, SIGINT);
        int status = -1;
        ASSERT_EQ(::waitpid(pid, &status, 0), pid);
        // It was through already: then Ctrl-C leaves the run alone, whether it still waited for the first word of it or not.
        bool started = !WIFEXITED(status) && fs::exists(runs()) && !fs::is_empty(runs());
        if (started || (WIFEXITED(status) && WEXITSTATUS(status) == 0)) {
            for (const auto& entry : fs::directory_iterator(runs())) {
                EXPECT_TRUE(wait_for([&] { return fs::exists(entry.path() / "state.json"); }));
                EXPECT_TRUE(trainyard({"runs", "stop", "--now", entry.path().filename().string()}).ok());
                EXPECT_TRUE(wait_for([&] { return complete(run::RunPaths(entry.path())); }));
            }
            fs::remove_all(runs());
            for (const test::TestHost& host : hosts_->all())
                hosts_->run(host.name, {"rm", "-rf", host.home + "/runs"});
        } else {
            ++cancelled;
            EXPECT_TRUE(WIFSIGNALED(status) || WEXITSTATUS(status) == 130) << milliseconds << " ms: " << status;
            expect_nothing_left();
        }
    }
    EXPECT_GE(cancelled, 1);
}

}  // namespace

}  // namespace trainyard
