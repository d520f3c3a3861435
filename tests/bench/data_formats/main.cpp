// SPDX-License-Identifier: GPL-3.0-or-later
// bench_data_formats [--peer PYTHON] [--json]: rows per second when reading 200,000 rows (an id, two numbers, a flag, a
// text of about 200 characters). Prints one line per figure; exits with 0 if all could be measured.
//   jsonl, csv, parquet    compared with pyarrow (which uses all cores; we read with one thread); csv.pandas, jsonl.pandas with pandas
//   jsonl.index            counting rows for random access; jsonl.random: rows at random positions, 64 at a time
// Parquet needs --peer (a Python with pyarrow and pandas), which writes the file.

#include <chrono>
#include <cstdio>
#include <cstring>
#include <random>
#include <stdexcept>
#include <string>
#include <vector>

#include <fcntl.h>
#include <fmt/format.h>
#include <nlohmann/json.hpp>
#include <spawn.h>
#include <sys/wait.h>
#include <unistd.h>

#include "base/file.h"
#include "base/file_descriptor.h"
#include "bench/engine/figure.h"
#include "formats/tables/table_set.h"
#include "support/temporary_folder.h"

using namespace trainyard;
using bench::Figure;

namespace {

constexpr int kRows = 200000;
constexpr int kRounds = 7;

double seconds_of(const auto& work) {
    auto begin = std::chrono::steady_clock::now();
    work();
    return std::chrono::duration<double>(std::chrono::steady_clock::now() - begin).count();
}

/// The program's output; throws if its exit status is not 0.
std::string output_of(const std::vector<std::string>& words) {
    std::vector<char*> arguments;
    for (const std::string& word : words)
        arguments.push_back(const_cast<char*>(word.c_str()));
    arguments.push_back(nullptr);
    int pipe[2];
    if (::pipe2(pipe, O_CLOEXEC) != 0)
        throw std::runtime_error("no pipe");
    FileDescriptor read_end(pipe[0]), write_end(pipe[1]);
    posix_spawn_file_actions_t actions;
    ::posix_spawn_file_actions_init(&actions);
    ::posix_spawn_file_actions_adddup2(&actions, write_end.get(), 1);
    pid_t child = 0;
    int failed = ::posix_spawnp(&child, arguments[0], &actions, nullptr, arguments.data(), environ);
    ::posix_spawn_file_actions_destroy(&actions);
    write_end.close();
    if (failed != 0)
        throw std::runtime_error(words[0] + ": " + std::strerror(failed));
    std::string text(1 << 16, '\0');
    std::size_t filled = 0;
    for (ssize_t got = 1; got > 0 && filled < text.size(); filled += static_cast<std::size_t>(got))
        got = std::max<ssize_t>(::read(read_end.get(), text.data() + filled, text.size() - filled), 0);
    int status = 0;
    if (::waitpid(child, &status, 0) != child || !WIFEXITED(status) || WEXITSTATUS(status) != 0)
        throw std::runtime_error(words[0] + " " + words.at(1) + " did not end with 0");
    text.resize(filled);
    return text;
}

void write_rows(const fs::path& folder) {
    std::mt19937_64 random(1);
    std::string jsonl, csv = "id,count,score,flag,text\n";
    for (int row = 0; row < kRows; ++row) {
        std::string text;
        for (std::uint64_t words = 20 + random() % 20; words-- > 0;)
            text += fmt::format("{}word{}", text.empty() ? "" : " ", random() % 1000);
        std::uint64_t count = random() % 100000;
        double score = static_cast<double>(random() % 1000000) / 1e6;
        bool flag = random() % 2 == 0;
        jsonl += fmt::format("{{\"id\": {}, \"count\": {}, \"score\": {}, \"flag\": {}, \"text\": \"{}\"}}\n", row,
                             count, score, flag, text);
        csv += fmt::format("{},{},{},{},{}\n", row, count, score, flag, text);
    }
    write_file_atomically(folder / "rows.jsonl", jsonl, false);
    write_file_atomically(folder / "rows.csv", csv, false);
}

double read_seconds(const fs::path& file) {
    return seconds_of([&] {
        auto reader = formats::open_table(file);
        std::int64_t rows = 0;
        for (formats::Table table = reader->next(4096); table.rows > 0; table = reader->next(4096))
            rows += table.rows;
        if (rows != kRows)
            throw std::runtime_error(file.string() + " has other rows");
    });
}

Figure measure(const std::string& id, const fs::path& file, const std::string& peer_python,
               const std::string& peer_reader) {
    Figure figure{id, "", "rows/s", {}, {}, {}, false};
    read_seconds(file);  // loads the file into the page cache
    double best = 1e9;
    for (int round = 0; round < kRounds; ++round) {
        double seconds = read_seconds(file);
        best = std::min(best, seconds);
        figure.values.push_back(kRows / seconds);
    }
    if (!peer_python.empty()) {
        std::string script = std::string(TRAINYARD_TESTS_DIR) + "/bench/peer/data_formats.py";
        auto times = nlohmann::json::parse(
            output_of({peer_python, script, "read", peer_reader, file.string(), std::to_string(kRounds)}));
        for (double seconds : times)
            figure.peer.push_back(kRows / seconds);
    }
    figure.what =
        fmt::format("{} of {:.0f} MB at {:.0f} MB/s; peer {}", file.filename().string(),
                    static_cast<double>(fs::file_size(file)) / 1e6,
                    static_cast<double>(fs::file_size(file)) / 1e6 / best, peer_python.empty() ? "-" : peer_reader);
    return figure;
}

Figure measure_index(const fs::path& file) {
    Figure figure{"jsonl.index", "rows counted for random access, all cores", "rows/s", {}, {}, {}, false};
    for (int round = 0; round < kRounds; ++round)
        figure.values.push_back(kRows / seconds_of([&] { formats::open_table(file)->rows(); }));
    return figure;
}

Figure measure_random(const fs::path& file) {
    Figure figure{"jsonl.random", "rows from anywhere, 64 at a time", "rows/s", {}, {}, {}, false};
    formats::TableSet set({file});
    set.rows();
    std::mt19937_64 random(2);
    for (int round = 0; round < kRounds; ++round) {
        std::vector<std::int64_t> rows(64);
        figure.values.push_back(64 * 100 / seconds_of([&] {
                                    for (int batch = 0; batch < 100; ++batch) {
                                        for (std::int64_t& row : rows)
                                            row = static_cast<std::int64_t>(random() % kRows);
                                        set.take(rows);
                                    }
                                }));
    }
    return figure;
}

int run(const std::string& peer, bool json) {
    test::TemporaryFolder folder;
    write_rows(folder.path());
    fs::path jsonl = folder.path() / "rows.jsonl", csv = folder.path() / "rows.csv";
    std::vector<Figure> figures{measure("jsonl", jsonl, peer, "pyarrow_json"), measure("csv", csv, peer, "pyarrow_csv"),
                                measure_index(jsonl), measure_random(jsonl)};
    if (!peer.empty()) {
        output_of(
            {peer, std::string(TRAINYARD_TESTS_DIR) + "/bench/peer/data_formats.py", "write", folder.path().string()});
        figures.push_back(measure("parquet", folder.path() / "rows.parquet", peer, "pyarrow_parquet"));
        figures.push_back(measure("jsonl.pandas", jsonl, peer, "pandas_json"));
        figures.push_back(measure("csv.pandas", csv, peer, "pandas_csv"));
    }
    if (json)
        std::puts(bench::to_json(figures).c_str());
    else
        for (const Figure& figure : figures)
            std::puts(bench::to_line(figure).c_str());
    return 0;
}

}  // namespace

int main(int argc, char** argv) {
    std::string peer;
    bool json = false;
    for (int i = 1; i < argc; ++i) {
        if (std::strcmp(argv[i], "--json") == 0) {
            json = true;
        } else if (std::strcmp(argv[i], "--peer") == 0 && i + 1 < argc) {
            peer = argv[++i];
        } else {
            std::fprintf(stderr, "usage: bench_data_formats [--peer PYTHON] [--json]\n");
            return 2;
        }
    }
    try {
        return run(peer, json);
    } catch (const std::exception& error) {
        std::fprintf(stderr, "bench_data_formats: %s\n", error.what());
        return 1;
    }
}
