// SPDX-License-Identifier: GPL-3.0-or-later
#include "soak/faults.h"

#include <algorithm>
#include <csignal>
#include <fstream>

#include <sys/stat.h>
#include <unistd.h>

#include "base/filesystem.h"

namespace trainyard::soak {

namespace {

bool always(const Shape&) {
    return true;
}
bool trains(const Shape& shape) {
    return !shape.program;
}
bool trains_here(const Shape& shape) {
    return !shape.program && shape.ranks.size() == 1;
}
bool on_two_machines(const Shape& shape) {
    return shape.ranks.size() > 1;
}

void wait_a_while(Dice& dice, std::int64_t least_ms, std::int64_t most_ms) {
    ::usleep(static_cast<useconds_t>(roll(dice, least_ms, most_ms) * 1000));
}

void signal_some_rank(const Struck& s, int number) {
    if (s.state.ranks.empty())
        return;
    const run::RankState& rank =
        s.state.ranks[static_cast<std::size_t>(roll(s.dice, 0, std::ssize(s.state.ranks) - 1))];
    s.place.signal(s.place.machine_of(rank, s.state), rank.process, number);
}

void stop_and_wake_some_rank(const Struck& s) {
    if (s.state.ranks.empty())
        return;
    const run::RankState& rank =
        s.state.ranks[static_cast<std::size_t>(roll(s.dice, 0, std::ssize(s.state.ranks) - 1))];
    const std::size_t machine = s.place.machine_of(rank, s.state);
    s.place.signal(machine, rank.process, SIGSTOP);
    wait_a_while(s.dice, 50, 5000);
    s.place.signal(machine, rank.process, SIGCONT);
}

void stop_and_wake_the_supervisor(const Struck& s) {
    s.place.signal(0, s.state.supervisor, SIGSTOP);
    wait_a_while(s.dice, 50, 5000);
    s.place.signal(0, s.state.supervisor, SIGCONT);
}

/// Files that nobody who knows the contract would put into requests/.
void drop_garbage_requests(const Struck& s) {
    const fs::path folder = s.place.paths().requests();
    std::error_code error;
    std::string noise;
    for (int i = 0; i < 4096; ++i)
        noise += static_cast<char>(s.dice());
    std::ofstream(folder / "noise.json") << noise;
    std::ofstream(folder / "empty.json");
    std::ofstream(folder / "cut.json") << R"({"id":"cut","kind":"st)";
    std::ofstream(folder / "list.json") << "[1,2,3]";
    std::ofstream(folder / "unknown.json")
        << R"({"id":"unknown","kind":"explode","values":{},"time":"now","from":"soak"})";
    std::ofstream(folder / "types.json") << R"({"id":7,"kind":["stop"],"values":3,"time":{},"from":null})";
    std::ofstream(folder / "rate.json") << R"({"id":"rate","kind":"set","values":{"lr":"nan"},"time":0,"from":"soak"})";
    std::ofstream(folder / "deep.json") << std::string(100'000, '[');
    std::ofstream(folder / "no ending") << "x";
    fs::create_directory(folder / "folder.json", error);
    fs::create_symlink("/nonexistent", folder / "dangling.json", error);
    ::mkfifo((folder / "pipe.json").c_str(), 0644);
}

/// Less than what a run has left at the latest step of a fault: what cannot be saved at its end is lost, and the run fails rightly. (A
/// full disk keeps state.json from telling how far it is.)
void wait_while_it_trains(const Struck& s) {
    wait_a_while(s.dice, 50, std::max<std::int64_t>(100, static_cast<std::int64_t>(s.seconds * 200)));
}

void close_the_checkpoint_folder(const Struck& s) {
    const fs::path folder = s.place.paths().checkpoints();
    ::chmod(folder.c_str(), 0500);
    wait_while_it_trains(s);
    ::chmod(folder.c_str(), 0700);
}

void fill_the_disk(const Struck& s) {
    s.place.fill_disk(true);
    wait_while_it_trains(s);
    s.place.fill_disk(false);
}

void cut_the_line(const Struck& s) {
    s.place.cut(true);
    wait_a_while(s.dice, 200, 4000);
    s.place.cut(false);
}

fs::path some_file(const fs::path& checkpoint, Dice& dice) {
    std::vector<fs::path> files;
    for (const auto& entry : fs::directory_iterator(checkpoint))
        if (entry.is_regular_file() && entry.file_size() > 0)
            files.push_back(entry.path());
    std::sort(files.begin(), files.end());
    return files.at(static_cast<std::size_t>(roll(dice, 0, std::ssize(files) - 1)));
}

}  // namespace

const char* name_of(Ending ending) {
    switch (ending) {
        case Ending::finished:
            return "finished";
        case Ending::failed:
            return "failed";
        case Ending::stopped:
            return "stopped";
        case Ending::lost:
            return "lost";
    }
    return "";
}

const std::vector<Fault>& faults() {
    using enum Ending;
    static const std::vector<Fault> all{
        {"kill -9 of a rank", always, [](const Struck& s) { signal_some_rank(s, SIGKILL); }, {failed}, {}},
        {"kill -9 of the supervisor",
         always,
         [](const Struck& s) { s.place.signal(0, s.state.supervisor, SIGKILL); },
         {lost},
         {lost}},
        {"a rank stopped and woken", always, stop_and_wake_some_rank, {}, {}},
        {"the supervisor stopped and woken", always, stop_and_wake_the_supervisor, {failed}, {}},
        {"SIGTERM to a rank",
         always,
         [](const Struck& s) { signal_some_rank(s, SIGTERM); },
         {stopped, failed},
         {stopped}},
        {"SIGTERM to the supervisor",
         always,
         [](const Struck& s) { s.place.signal(0, s.state.supervisor, SIGTERM); },
         {stopped},
         {stopped}},
        {"SIGUSR1 to the supervisor",
         trains,
         [](const Struck& s) { s.place.signal(0, s.state.supervisor, SIGUSR1); },
         {stopped},
         {stopped}},
        {"a request to stop",
         always,
         [](const Struck& s) {
             s.place.command({"runs", "stop", s.state.run_id});
         },
         {stopped},
         {stopped}},
        {"a request to stop at once",
         always,
         [](const Struck& s) {
             s.place.command({"runs", "stop", "--now", s.state.run_id});
         },
         {stopped},
         {stopped}},
        {"requests that are garbage", always, drop_garbage_requests, {}, {}},
        {"a checkpoint folder that may not be written for a while",
         trains_here,
         close_the_checkpoint_folder,
         {},
         {},
         true},
        {"a disk that is full for a while", trains, fill_the_disk, {}, {}, true},
        {"kill -9 of an agent", on_two_machines, [](const Struck& s) { s.place.kill_agent(); }, {failed}, {failed}},
        {"a line that is cut for a while", on_two_machines, cut_the_line, {failed}, {failed}},
    };
    return all;
}

const std::vector<Damage>& damages() {
    static const std::vector<Damage> all{
        {"a flipped bit",
         [](const fs::path& checkpoint, Dice& dice) {
             const fs::path path = some_file(checkpoint, dice);
             std::fstream file(path, std::ios::in | std::ios::out | std::ios::binary);
             const auto at = roll(dice, 0, static_cast<std::int64_t>(fs::file_size(path)) - 1);
             file.seekg(at);
             const char byte = static_cast<char>(file.get() ^ (1 << roll(dice, 0, 7)));
             file.seekp(at);
             file.put(byte);
         }},
        {"a file cut short",
         [](const fs::path& checkpoint, Dice& dice) {
             const fs::path path = some_file(checkpoint, dice);
             fs::resize_file(
                 path, static_cast<std::uintmax_t>(roll(dice, 0, static_cast<std::int64_t>(fs::file_size(path)) - 1)));
         }},
        {"a file that is gone",
         [](const fs::path& checkpoint, Dice& dice) { fs::remove(some_file(checkpoint, dice)); }},
        {"no manifest", [](const fs::path& checkpoint, Dice&) { fs::remove(checkpoint / "manifest.json"); }},
        {"an empty folder",
         [](const fs::path& checkpoint, Dice&) {
             fs::remove_all(checkpoint);
             fs::create_directory(checkpoint);
         }},
    };
    return all;
}

}  // namespace trainyard::soak
