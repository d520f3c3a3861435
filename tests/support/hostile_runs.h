// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
// Malformed and malicious run folders, for tests of code that reads run folders. They are generated, one folder each,
// and all have a run.yaml, so that they are recognised as runs.

#include <filesystem>
#include <fstream>
#include <functional>
#include <string>
#include <vector>

#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/un.h>
#include <unistd.h>

namespace trainyard::test {

struct HostileRun {
    std::string name;  ///< of the folder
    std::function<void(const std::filesystem::path& folder)> fill;
    bool readable = false;  ///< its state.json is that of a run, so it is listed normally, not as unreadable
};

inline void put(const std::filesystem::path& file, const std::string& text) {
    std::ofstream(file, std::ios::binary) << text;
}

/// state.json of a failed run; `more` replaces its keys.
inline std::string plain_state(const std::string& more = "") {
    return R"({"run_id":"x","name":"plain","created":"2026-11-21T07:45:12.000Z","started":"2026-11-21T07:45:13.000Z",)"
           R"("heartbeat":"2026-11-21T08:00:00.000Z","supervisor":{"host":"h","pid":7,"start_time":1,"generation":1},)"
           R"("status":"failed","message":"it failed","progress":{"step":3,"of":10,"loss":2.5})" +
           (more.empty() ? "" : "," + more) + "}";
}

inline std::string nested(std::size_t levels) {
    return std::string(levels, '[') + std::string(levels, ']');
}

/// Terminal escape sequences, bidirectional controls and invalid UTF-8, as JSON can contain them.
inline const std::string kHostileJsonText =
    R"(\u001b]0;owned\u0007\u001b[2J\u001b[31mred\u001b[0m\r\nstatus  finished\u009b2J \u202Egnp.exe\u0000 \u007f )"
    "\xe2\x80\xae";

inline std::vector<HostileRun> hostile_runs() {
    namespace fs = std::filesystem;
    std::vector<HostileRun> all;
    auto add = [&](std::string name, std::function<void(const fs::path&)> fill, bool readable = false) {
        all.push_back({std::move(name), std::move(fill), readable});
    };
    const std::vector<std::string> files = {"state.json",  "run.yaml",   "events.jsonl", "labels.json",
                                            "mirror.json", "queue.json", "slurm.json",   "generation"};
    const auto with_state = [](const std::string& except, const fs::path& folder) {
        if (except != "state.json")
            put(folder / "state.json", plain_state());
    };
    for (const std::string& file : files) {
        const bool readable = file != "state.json";
        add(
            "pipe-" + file,
            [=](const fs::path& folder) {
                with_state(file, folder);
                ::unlink((folder / file).c_str());
                ::mkfifo((folder / file).c_str(), 0600);
            },
            readable);
        add(
            "endless-" + file,
            [=](const fs::path& folder) {
                with_state(file, folder);
                ::unlink((folder / file).c_str());
                fs::create_symlink("/dev/zero", folder / file);
            },
            readable);
        add(
            "folder-" + file,
            [=](const fs::path& folder) {
                with_state(file, folder);
                ::unlink((folder / file).c_str());
                fs::create_directory(folder / file);
            },
            readable);
        add(
            "loop-" + file,
            [=](const fs::path& folder) {
                with_state(file, folder);
                ::unlink((folder / file).c_str());
                fs::create_symlink(file, folder / file);
            },
            readable);
        add(
            "socket-" + file,
            [=](const fs::path& folder) {
                with_state(file, folder);
                ::unlink((folder / file).c_str());
                sockaddr_un address{};
                address.sun_family = AF_UNIX;
                const std::string path = (folder / file).string();
                const int fd = ::socket(AF_UNIX, SOCK_STREAM, 0);
                if (path.size() < sizeof address.sun_path) {
                    path.copy(address.sun_path, path.size());
                    ::bind(fd, reinterpret_cast<const sockaddr*>(&address), sizeof address);
                }
                ::close(fd);
            },
            readable);
        add(
            "huge-" + file,  // sparse: a terabyte that needs no disk space
            [=](const fs::path& folder) {
                with_state(file, folder);
                put(folder / file, "");
                std::error_code error;
                fs::resize_file(folder / file, std::uintmax_t{1} << 40, error);
                if (error)
                    fs::resize_file(folder / file, std::uintmax_t{1} << 33);
            },
            readable);
        add(
            "zeros-" + file,
            [=](const fs::path& folder) {
                with_state(file, folder);
                put(folder / file, std::string(100'000, '\0'));
            },
            readable);
        add(
            "deep-" + file,
            [=](const fs::path& folder) {
                with_state(file, folder);
                put(folder / file, "{\"values\":" + nested(400'000) + "}");
            },
            readable);
    }
    const auto state = [&](const std::string& name, const std::string& more, bool readable) {
        add(
            name, [more](const fs::path& folder) { put(folder / "state.json", plain_state(more)); }, readable);
    };
    state("long-message", R"("message":")" + std::string(300'000, 'm') + "\"", true);
    state("long-status", R"("status":")" + std::string(300'000, 's') + "\"", false);
    state(
        "long-log",
        R"("first_failure":{"rank":0,"message":"m","log":[)" +
            [] {
                std::string lines = "\"first\"";
                for (int i = 0; i < 20'000; ++i)
                    lines += ",\"line\"";
                return lines + ",\"" + std::string(200'000, 'l') + "\"]}";
            }(),
        true);
    state("terminal-orders",
          R"("name":"@","message":"@","first_failure":{"rank":0,"host":"@","message":"@","log":["@","@"]},)"
          R"("ranks":[{"rank":0,"host":"@","device":"@","state":"@","phase":"@","last_collective":"@"}],)"
          R"("supervisor":{"host":"@","pid":7,"start_time":1})",
          true);
    state("unknown-status", R"("status":"@")", false);
    state("numbers-real", R"("supervisor":{"host":"h","pid":1e308},"restarts":1e308)", false);
    state("numbers-negative",
          R"("restarts":-3,"queue_place":-9,"supervisor":{"host":"h","pid":-1,"start_time":1,"generation":-1},)"
          R"("ranks":[{"rank":-2147483648,"pid":-1,"step":-9223372036854775808,"exit":-5,"signal":-9}],)"
          R"("progress":{"step":-9223372036854775808,"of":-1,"epoch":-1,"eta_s":-1,"loss":-1e308})",
          true);
    state(
        "numbers-large",
        R"("progress":{"step":9223372036854775807,"of":9223372036854775807,"epoch":1e308,"tokens":9223372036854775807,)"
        R"("eta_s":1e308,"loss":1e308,"validation_loss":1e308,"tokens_per_s":1e308},)"
        R"("ranks":[{"rank":2147483647,"step":9223372036854775807,"resident_bytes":18446744073709551615}])",
        true);
    state("numbers-too-large", R"("ranks":[{"rank":4294967296}])", false);
    state("negative-size", R"("ranks":[{"resident_bytes":-1}])", false);
    state("times-odd",
          R"("created":"0001-01-01T00:00:00Z","started":"9999-12-31T23:59:59.9Z","ended":"9999-12-31T23:59:59.1e300Z",)"
          R"("heartbeat":"0000-01-01T00:00:00Z")",
          true);
    state("still-running", R"("status":"running","ended":null)", true);
    state("wrong-types", R"("ranks":{"a":1},"machines":7,"message":[1])", false);
    add("many-ranks", [](const fs::path& folder) {
        std::string ranks = "{}";
        for (int i = 0; i < 1'000'000; ++i)
            ranks += ",{}";
        put(folder / "state.json", plain_state("\"ranks\":[" + ranks + "]"));
    });
    add("cut-short", [](const fs::path& folder) { put(folder / "state.json", plain_state().substr(0, 100)); });
    add("no-text", [](const fs::path& folder) { put(folder / "state.json", "{\"status\":\"\xff\xfe\"}"); });
    add(
        "labels-orders",
        [](const fs::path& folder) {
            put(folder / "state.json", plain_state());
            put(folder / "labels.json", R"({"name":"@","note":"@","tags":["@","@"],"color":-2147483648})");
        },
        true);
    add(
        "labels-deep-stranger",
        [](const fs::path& folder) {
            put(folder / "state.json", plain_state());
            put(folder / "labels.json", "{\"of others\":" + nested(400'000) + "}");
        },
        true);
    add(
        "events-odd",
        [](const fs::path& folder) {
            put(folder / "state.json", plain_state());
            put(folder / "events.jsonl",
                R"({"time":"2026-11-21T07:45:14.000Z","step":1,"kind":"@","rank":0,"text":"@"})"
                "\n"
                R"({"time":"0001-01-01T00:00:00Z","step":-1,"kind":"note","text":"early"})"
                "\n"
                R"({"time":"2026-11-21T07:45:14.9e300Z","step":1e308,"kind":"note","value":1e308,"text":"late"})"
                "\n\n" +
                    std::string(3, '\0') + "\n[[[[\n" + std::string(3u << 20, 'x') + "\n" +
                    R"({"time":"2026-11-21T07:45:15.000Z","kind":"note","text":")" + std::string(300'000, 't') +
                    "\"}\n");
        },
        true);
    add(
        "bomb",  // 9^9 values through aliases
        [](const fs::path& folder) {
            put(folder / "state.json", plain_state());
            std::string yaml = "a0: &a0 [x, [x]]\n";
            for (int i = 1; i < 10; ++i) {
                const std::string before = "*a" + std::to_string(i - 1);
                yaml += "a" + std::to_string(i) + ": &a" + std::to_string(i) + " [";
                for (int j = 0; j < 9; ++j)
                    yaml += (j > 0 ? ", " : "") + before;
                yaml += "]\n";
            }
            put(folder / "run.yaml", yaml + "recipe: {}\nlaunch: {}\n");
        },
        true);
    add("name-\x1b]0;owned\x07-\xe2\x80\xae-\xff", [](const fs::path& folder) { put(folder / "state.json", "{"); });
    // "@" is replaced by the hostile text.
    return all;
}

/// Creates root/<name> with one of these runs.
inline std::filesystem::path make_hostile_run(const std::filesystem::path& root, const HostileRun& run) {
    const std::filesystem::path folder = root / run.name;
    std::filesystem::create_directories(folder);
    put(folder / "run.yaml", "recipe: {}\nlaunch: {}\n");
    run.fill(folder);
    for (const char* file : {"state.json", "labels.json", "events.jsonl"}) {
        std::error_code error;
        const auto path = folder / file;
        if (std::filesystem::symlink_status(path, error).type() != std::filesystem::file_type::regular ||
            std::filesystem::file_size(path, error) > (32u << 20))
            continue;
        std::ifstream in(path, std::ios::binary);
        std::string text((std::istreambuf_iterator<char>(in)), {});
        if (text.find("\"@\"") == std::string::npos)
            continue;
        for (std::size_t at; (at = text.find("\"@\"")) != std::string::npos;)
            text.replace(at, 3, "\"" + kHostileJsonText + "\"");
        put(path, text);
    }
    return folder;
}

}  // namespace trainyard::test
