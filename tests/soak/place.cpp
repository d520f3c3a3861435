// SPDX-License-Identifier: GPL-3.0-or-later
#include "soak/place.h"

#include <csignal>
#include <fstream>
#include <set>

#include <linux/capability.h>
#include <sys/prctl.h>

#include "agents/cluster.h"
#include "base/filesystem.h"
#include "cli/program.h"
#include "run/listing.h"
#include "support/temporary_folder.h"

namespace trainyard::soak {

namespace {

constexpr const char* kScript =
    "n=$(cat lines.$RANK 2>/dev/null || echo 0)\n"
    "while [ $n -lt $LINES_WANTED ]; do n=$((n+1)); echo $n >lines.$RANK.new; mv lines.$RANK.new lines.$RANK; echo "
    "line $n; "
    "sleep 0.01; done\n";

std::string text_of_data() {
    std::string text;
    for (int i = 0; i < 20'000; ++i)
        text += "line " + std::to_string(i * 7919 % 20'000) + " of a text\n";
    return text;
}

std::set<std::string> shared_memory() {
    std::set<std::string> names;
    std::error_code gone;
    for (const auto& entry : fs::directory_iterator("/dev/shm", gone))
        names.insert(entry.path().filename().string());
    return names;
}

/// Runs on this machine, with separate folders for runs and temporary files, and with file permissions that apply to
/// root, too.
class Here : public Place {
  public:
    explicit Here(const Shape& shape) : shape_(shape), shared_before_(shared_memory()) {
        fs::create_directories(root() / "tmp");
        std::ofstream(root() / "text.txt") << text_of_data();
        std::ofstream documents(root() / "documents.jsonl");
        for (int i = 0; i < 4'000; ++i)
            documents << R"({"text": "document )" << i << R"( says )" << i * 31 % 977 << "\"}\n";
        std::ofstream(root() / "count.sh") << kScript;
        std::ofstream(root() / "recipe.yaml")
            << "name: soak\nmodel: {n_layer: 1, n_embd: 32, n_head: 2, n_positions: 16}\n"
               "data: {path: text.txt, sequence_length: 16}\ntraining: {steps: " +
                   std::to_string(shape.steps) + ", batch_size: 2}\n";
    }
    ~Here() override { end_all(); }

    std::string start(const Leg& leg) override {
        std::vector<std::string> words{TRAINYARD_BIN_DIR "/trainyard",
                                       "launch",
                                       "--cpu",
                                       "--detach",
                                       "--num_processes",
                                       std::to_string(shape_.ranks[0]),
                                       "--max_restarts",
                                       std::to_string(leg.max_restarts)};
        for (std::string setting : shape_.settings) {
            if (setting.starts_with("data.path="))
                setting.insert(setting.find('=') + 1, root().string() + "/");
            words.insert(words.end(), {"--set", setting});
        }
        if (!shape_.program && !leg.resume_from.empty())
            words.insert(words.end(), {"--set", "checkpoint.resume_from=" + leg.resume_from});
        if (shape_.program)
            words.insert(words.end(), {"--no_python", "sh", "count.sh"});
        else
            words.push_back("recipe.yaml");
        test::Program program(words, [this] { surroundings(); });
        const test::Said& said = program.wait(120);
        if (said.code != 0)
            return said.err.empty() ? "exit code " + std::to_string(said.code) : said.err;
        paths_ = run::list_runs(root() / "runs").front().paths;
        return {};
    }
    run::RunPaths paths() const override { return paths_.value(); }
    std::string path_there() const override { return paths_->root().string(); }
    void signal(std::size_t, const ProcessId& process, int number) override {
        if (process.pid > 0 && is_alive(process))
            ::kill(process.pid, number);
    }
    void kill_agent() override {}
    void command(const std::vector<std::string>& words) override {
        std::vector<std::string> all{TRAINYARD_BIN_DIR "/trainyard"};
        all.insert(all.end(), words.begin(), words.end());
        test::Program(all, [this] { surroundings(); }).wait(60);
    }
    void fill_disk(bool full) override {
        if (full)
            std::ofstream(root() / "full") << "x";
        else
            fs::remove(root() / "full");
    }
    void cut(bool) override {}
    std::string processes() override {
        std::string found;
        for (pid_t pid : mine())
            found += "process " + std::to_string(pid) + " ";
        return found;
    }
    std::string files_left() override {
        std::string found;
        for (const auto& entry : fs::directory_iterator(root() / "tmp"))
            found += entry.path().string() + " ";
        for (const std::string& name : shared_memory())
            if (!shared_before_.contains(name) && (name.starts_with("trainyard") || name.starts_with("torch")))
                found += "/dev/shm/" + name + " ";
        return found;
    }
    void end_all() override {
        for (int i = 0; i < 100; ++i) {
            std::vector<pid_t> pids = mine();
            for (pid_t pid : pids)
                ::kill(pid, SIGKILL);
            if (pids.empty())
                return;
            ::usleep(20'000);
        }
    }
    fs::path everything() const override { return root(); }
    std::int64_t progress() const override {
        if (!shape_.program)
            return state().progress.step;
        std::int64_t lines = 0;
        std::ifstream(root() / "lines.0") >> lines;
        return lines;
    }

  private:
    fs::path root() const { return folder_.path(); }
    /// Sets up the capabilities, environment and working directory of a child process, between fork() and exec().
    void surroundings() const {
        ::prctl(PR_CAPBSET_DROP, CAP_DAC_OVERRIDE, 0, 0, 0);
        ::prctl(PR_CAPBSET_DROP, CAP_DAC_READ_SEARCH, 0, 0, 0);
        const std::string place = root().string();
        ::setenv("SOAK_FOLDER", place.c_str(), 1);
        ::setenv("TRAINYARD_RUNS", (place + "/runs").c_str(), 1);
        ::setenv("TMPDIR", (place + "/tmp").c_str(), 1);
        ::setenv("OMP_NUM_THREADS", "1", 1);
        ::setenv("LINES_WANTED", std::to_string(shape_.steps).c_str(), 1);
        ::setenv("FULL_DISK_AT", place.c_str(), 1);
        ::setenv("FULL_DISK_WHILE", (place + "/full").c_str(), 1);
        ::setenv("LD_PRELOAD", TRAINYARD_BUILD_DIR "/tests/trainyard_full_disk.so", 1);
        if (::chdir(place.c_str()) != 0)
            ::_exit(126);
    }
    /// Live processes with SOAK_FOLDER of this place in their environment.
    std::vector<pid_t> mine() const {
        const std::string mark = "SOAK_FOLDER=" + root().string();
        std::vector<pid_t> found;
        for (const auto& entry : fs::directory_iterator("/proc")) {
            pid_t pid = std::atoi(entry.path().filename().c_str());
            if (pid <= 0 || process_start_time(pid) == 0)
                continue;
            std::ifstream file(entry.path() / "environ", std::ios::binary);
            std::string environment{std::istreambuf_iterator<char>(file), {}};
            environment.insert(environment.begin(), '\0');
            if (environment.find('\0' + mark + '\0') != std::string::npos)
                found.push_back(pid);
        }
        return found;
    }

    const Shape& shape_;
    test::TemporaryFolder folder_;
    std::set<std::string> shared_before_;
    std::optional<run::RunPaths> paths_;
};

/// Runs on test hosts, with the head node on the first one.
class Hosts : public Place {
  public:
    explicit Hosts(const Shape& shape) : shape_(shape), cluster_(static_cast<int>(shape.ranks.size())) {
        cluster_.environment["LD_PRELOAD"] = TRAINYARD_BUILD_DIR "/tests/trainyard_full_disk.so";
        cluster_.environment["FULL_DISK_AT"] = cluster_.hosts[0].home;
        cluster_.environment["FULL_DISK_WHILE"] = cluster_.hosts[0].home + "/full";
    }
    std::string start(const Leg& leg) override {
        test::Cluster::Asked asked{
            .ranks = shape_.ranks, .steps = static_cast<int>(shape_.steps), .max_restarts = leg.max_restarts};
        asked.settings = shape_.settings;
        if (!leg.resume_from.empty())
            asked.settings.push_back("checkpoint.resume_from=" + leg.resume_from);
        try {
            cluster_.start(asked);
        } catch (const std::exception& e) {
            return e.what();
        }
        return {};
    }
    run::RunPaths paths() const override { return cluster_.paths(); }
    std::string path_there() const override { return cluster_.hosts[0].home + "/runs/" + cluster_.run_id; }
    void signal(std::size_t machine, const ProcessId& process, int number) override {
        cluster_.hosts.run(
            cluster_.hosts[machine].name,
            {"sh", "-c", "kill -" + std::to_string(number) + " " + std::to_string(process.pid) + " || true"});
    }
    void kill_agent() override { signal(1, {cluster_.agent_state(1).at("pid").get<pid_t>(), 0}, SIGKILL); }
    void command(const std::vector<std::string>& words) override {
        std::vector<std::string> all{"sh", "-c", "\"$0\" \"$@\" >/dev/null 2>&1 || true",
                                     TRAINYARD_BIN_DIR "/trainyard"};
        all.insert(all.end(), words.begin(), words.end());
        cluster_.hosts.run(cluster_.hosts[0].name, all);
    }
    void fill_disk(bool full) override {
        const std::string file = cluster_.hosts[0].home + "/full";
        cluster_.hosts.run(cluster_.hosts[0].name, {"sh", "-c", full ? ": >" + file : "rm -f " + file});
    }
    void cut(bool off) override {
        if (off)
            cluster_.cut(1);
        else
            cluster_.mend(1);
    }
    std::string processes() override { return cluster_.leftovers(0); }
    std::string files_left() override {
        std::string found;
        for (const test::TestHost& host : cluster_.hosts.all())
            if (cluster_.hosts.namespaces())
                found += cluster_.hosts.run(
                    host.name, {"sh", "-c", "find /tmp /dev/shm -xdev -mindepth 1 -user $(id -u) 2>/dev/null || true"});
        return found;
    }
    void end_all() override {
        for (const test::TestHost& host : cluster_.hosts.all())
            cluster_.hosts.run(host.name,
                               {"sh", "-c",
                                "for p in /proc/[0-9]*; do [ -r $p/environ ] && tr '\\0' '\\n' <$p/environ "
                                "2>/dev/null | grep -qx \"HOME=$HOME\" && readlink $p/exe | grep -q trainyard "
                                "&& kill -9 ${p#/proc/}; done; true"});
    }
    fs::path everything() const override { return cluster_.home(cluster_.hosts[0].name); }
    std::int64_t progress() const override { return state().progress.step; }

  private:
    const Shape& shape_;
    test::Cluster cluster_;
};

}  // namespace

std::size_t Place::machine_of(const run::RankState& rank, const run::RunState& state) const {
    for (std::size_t i = 0; i < state.machines.size(); ++i)
        if (state.machines[i].host == rank.host)
            return i;
    return 0;
}

std::unique_ptr<Place> make_place(const Shape& shape) {
    if (shape.ranks.size() == 1)
        return std::make_unique<Here>(shape);
    return std::make_unique<Hosts>(shape);
}

}  // namespace trainyard::soak
