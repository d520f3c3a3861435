// SPDX-License-Identifier: GPL-3.0-or-later
#include "launch/supervisor/event_files.h"

#include <algorithm>
#include <chrono>
#include <deque>
#include <fstream>
#include <iterator>

#include <fmt/format.h>
#include <unistd.h>

#include "base/process.h"
#include "launch/supervisor/process_tree.h"
#include "run/paths.h"

namespace trainyard::launch {

namespace fs = std::filesystem;

namespace {

constexpr std::string_view kPrefix = "events.out.tfevents.";
constexpr double kLongestGap = 15;           // seconds between two looks
constexpr std::size_t kMostProcesses = 512;  // that are remembered
constexpr std::size_t kMostTables = 64;      // that are linked

bool is_tensorboard_file(const std::string& name) {
    return name.starts_with(kPrefix);
}

/// A run in the file store of MLflow: its curves are in the folder `metrics` next to this file.
constexpr std::string_view kMlflowRun = "meta.yaml";

bool is_table(const std::string& name) {
    return name.ends_with(".jsonl") || name.ends_with(".csv") || name.ends_with(".wandb") || name == kMlflowRun;
}

/// Returns when a process was started, on the clock of files, a little early rather than late: the clocks that this is
/// computed from count hundredths of a second.
fs::file_time_type start_of(pid_t pid) {
    constexpr double kResolution = 0.05;  // seconds
    double uptime = 0;
    std::ifstream("/proc/uptime") >> uptime;
    const double age =
        uptime - static_cast<double>(process_start_time(pid)) / static_cast<double>(::sysconf(_SC_CLK_TCK));
    return fs::file_time_type::clock::now() - std::chrono::duration_cast<fs::file_time_type::duration>(
                                                  std::chrono::duration<double>(std::max(0.0, age) + kResolution));
}

fs::path of_process(pid_t pid, const char* name) {
    return fmt::format("/proc/{}/{}", pid, name);
}

std::vector<std::string> arguments_of(pid_t pid) {
    std::ifstream file(of_process(pid, "cmdline"), std::ios::binary);
    std::string words{std::istreambuf_iterator<char>(file), {}};
    std::vector<std::string> all;
    for (std::size_t begin = 0; begin < words.size();) {
        std::size_t end = std::min(words.find('\0', begin), words.size());
        all.push_back(words.substr(begin, end - begin));
        begin = end + 1;
    }
    return all;
}

}  // namespace

EventFiles::EventFiles(fs::path metrics, const fs::path& directory, const std::vector<std::string>& arguments,
                       const EventFileLimits& limits, fs::path tables)
    : metrics_(std::move(metrics)), tables_(std::move(tables)), limits_(limits) {
    for (const std::string& argument : arguments)
        add_place(directory, argument);
    add_place(directory, ".");
}

/// A folder that an argument names, also as `--logging_dir=out`. It may not be there yet.
void EventFiles::add_place(const fs::path& directory, const std::string& argument) {
    std::string word = argument;
    if (word.starts_with("--") && word.find('=') != std::string::npos)
        word = word.substr(word.find('=') + 1);
    if (word.empty() || word[0] == '-' || directory.empty() || word.find('\0') != std::string::npos)
        return;
    fs::path place = (directory / word).lexically_normal();
    if (!place.has_filename() && place != place.root_path())
        place = place.parent_path();
    if (place != place.root_path())
        places_.insert(place);
}

void EventFiles::add_process(pid_t pid) {
    if (pids_.size() < kMostProcesses)
        pids_.insert(fmt::format(".{}.", pid));
    std::error_code error;
    fs::path here = fs::read_symlink(of_process(pid, "cwd"), error);
    if (!error) {
        add_place(here, ".");
        for (const std::string& argument : arguments_of(pid))
            add_place(here, argument);
    }
    fs::directory_iterator entry(of_process(pid, "fd"), error), end;
    for (; !error && entry != end; entry.increment(error)) {
        std::error_code gone;
        fs::path file = fs::read_symlink(entry->path(), gone);
        if (gone || !file.is_absolute())
            continue;
        if (is_tensorboard_file(file.filename().string()) && fs::is_regular_file(file, gone))
            found_.insert(file);
        else if (is_table(file.filename().string()) && !fs::exists(run::RunPaths(file.parent_path()).spec(), gone))
            take_table(file);
    }
}

void EventFiles::take_table(const fs::path& file) {
    std::error_code gone;
    if (tables_.empty() || begun_ == fs::file_time_type{} || found_tables_.size() >= kMostTables ||
        !fs::is_regular_file(file, gone) || fs::last_write_time(file, gone) < begun_ || gone ||
        (file.filename() == kMlflowRun && !fs::is_directory(file.parent_path() / "metrics", gone)) ||
        !found_tables_.insert(file).second)
        return;
    // Files of the same name are distinguished by their folders.
    fs::create_directories(tables_, gone);
    std::string name = file.filename().string();
    for (fs::path folder = file.parent_path(); fs::exists(fs::symlink_status(tables_ / name, gone));
         folder = folder.parent_path()) {
        if (!folder.has_filename())
            return;
        name = folder.filename().string() + "-" + name;
    }
    fs::create_symlink(file, tables_ / name, gone);
}

/// Breadth first: logs lie near the top, data sets deep down.
void EventFiles::search(const fs::path& place, int& left) {
    std::deque<std::pair<fs::path, int>> folders{{place, 0}};
    std::set<fs::path> of_runs;  // these folders and those below: other programs write their tables
    while (!folders.empty() && left > 0) {
        auto [folder, depth] = std::move(folders.front());
        folders.pop_front();
        std::error_code error;
        if (of_runs.contains(folder.parent_path()) || fs::exists(run::RunPaths(folder).spec(), error))
            of_runs.insert(folder);
        fs::directory_iterator entry(folder, fs::directory_options::skip_permission_denied, error), end;
        for (; !error && entry != end && left > 0; entry.increment(error)) {
            --left;
            std::error_code gone;
            std::string name = entry->path().filename().string();
            if (entry->is_symlink(gone))
                continue;
            if (entry->is_directory(gone)) {
                if (depth < limits_.depth && !name.starts_with("."))
                    folders.emplace_back(entry->path(), depth + 1);
            } else if (is_tensorboard_file(name) && std::ranges::any_of(pids_, [&](const std::string& pid) {
                           return name.find(pid, kPrefix.size()) != std::string::npos;
                       })) {
                found_.insert(entry->path());
            } else if (is_table(name) && !of_runs.contains(folder)) {
                take_table(entry->path());
            }
        }
    }
}

std::vector<fs::path> EventFiles::look(const std::vector<pid_t>& processes, double now) {
    if (begun_ == fs::file_time_type{} && !processes.empty())
        begun_ = start_of(processes.front());
    std::set<fs::path> before = found_;
    for (pid_t pid : with_descendants(processes))
        add_process(pid);
    // Longer paths first: folders named on a command line and deep folders before the wide folder around them.
    std::vector<fs::path> order(places_.begin(), places_.end());
    std::ranges::stable_sort(order, std::greater<>(), [](const fs::path& place) { return place.native().size(); });
    int left = limits_.entries;
    for (const fs::path& place : order)
        search(place, left);
    std::vector<fs::path> fresh;
    for (const fs::path& file : found_) {
        if (before.contains(file) || std::ranges::mismatch(metrics_, file).in1 == metrics_.end())
            continue;
        std::error_code error;
        fs::create_directories(metrics_, error);
        fs::create_symlink(file, metrics_ / file.filename(), error);
        if (!error)
            fresh.push_back(file);
    }
    gap_ = fresh.empty() ? std::min(gap_ * 1.5, kLongestGap) : 1;
    next_ = now + gap_;
    return fresh;
}

}  // namespace trainyard::launch
