// SPDX-License-Identifier: GPL-3.0-or-later
// bench_traces [--events N] [--file TRACE] [--rounds N] [--no_peer] [--json]
//
// Measures reading a trace of a profiler: seconds in total and until the preview, retained bytes per event, and the
// additional memory while reading. Alternates with nlohmann's JSON library, which parses the same file and counts its
// events. Without --file, a trace in Kineto's format is written first, with nested operators, and kernels with their
// runtime calls and flow events. Each reading runs in a process of its own, so that its peak memory can be measured.
// Exits with 1 if the numbers of events differ.

#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <functional>
#include <random>

#include <CLI/CLI.hpp>
#include <fmt/format.h>
#include <nlohmann/json.hpp>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#include "base/clock.h"
#include "base/error.h"
#include "base/file.h"
#include "bench/engine/figure.h"
#include "observe/traces/trace_reader.h"
#include "support/temporary_folder.h"

namespace trainyard::bench {
namespace {

struct Reading {
    double seconds = 0, preview = 0;
    std::uint64_t events = 0, retained = 0, peak = 0;  ///< bytes; `peak` is the growth of the process's peak memory
};

std::uint64_t peak_bytes() {
    rusage usage{};
    ::getrusage(RUSAGE_SELF, &usage);
    return static_cast<std::uint64_t>(usage.ru_maxrss) * 1024;
}

/// Runs `read` in a child process, and returns its result.
Reading apart(const std::function<Reading()>& read) {
    int ends[2];
    if (::pipe(ends) != 0)
        throw UserError("no pipe");
    const pid_t child = ::fork();
    if (child == 0) {
        Reading reading;
        const std::uint64_t before = peak_bytes();
        try {
            reading = read();
        } catch (const std::exception& error) {
            std::fprintf(stderr, "%s\n", error.what());
            ::_exit(1);
        }
        reading.peak = peak_bytes() - before;
        ::_exit(::write(ends[1], &reading, sizeof reading) == sizeof reading ? 0 : 1);
    }
    ::close(ends[1]);
    Reading reading;
    const bool whole = ::read(ends[0], &reading, sizeof reading) == sizeof reading;
    ::close(ends[0]);
    int status = 0;
    ::waitpid(child, &status, 0);
    if (!whole || status != 0)
        throw UserError("a reading ended without a result");
    return reading;
}

Reading ours(const std::filesystem::path& file) {
    Reading reading;
    traces::ReadOptions options;
    const double begin = monotonic_seconds();
    options.preview = [&](const std::shared_ptr<const traces::Trace>&) {
        reading.preview = monotonic_seconds() - begin;
    };
    const auto trace = traces::read_trace(file, options);
    reading.seconds = monotonic_seconds() - begin;
    if (reading.preview == 0)
        reading.preview = reading.seconds;  // all of it came first
    reading.events = trace->reading.entries;
    reading.retained = trace->retained_bytes();
    return reading;
}

Reading with_nlohmann(const std::filesystem::path& file) {
    Reading reading;
    const double begin = monotonic_seconds();
    std::ifstream stream(file, std::ios::binary);
    const nlohmann::json parsed = nlohmann::json::parse(stream);
    reading.events = parsed.at("traceEvents").size();
    reading.seconds = monotonic_seconds() - begin;
    return reading;
}

void write_trace(const std::filesystem::path& file, std::uint64_t events) {
    std::mt19937_64 random(1);
    std::ofstream out(file, std::ios::binary);
    out << R"({"schemaVersion":1,"baseTimeNanoseconds":1790857026000000000,"displayTimeUnit":"ms","traceEvents":[)";
    std::uint64_t written = 0, flow = 0;
    double now = 5e9;
    std::string text;
    const auto add = [&](std::string_view category, std::string_view name, int thread, double begin, double took,
                         const std::string& arguments) {
        fmt::format_to(
            std::back_inserter(text),
            "{}\n  {{\n    \"ph\": \"X\", \"cat\": \"{}\", \"name\": \"{}\", \"pid\": {}, \"tid\": {},\n    \"ts\": "
            "{:.3f}, \"dur\": {:.3f},\n    \"args\": {{\n      \"External id\": {},{}\n    }}\n  }}",
            written == 0 ? "" : ",", category, name, thread < 100 ? 0 : 4000, thread, begin, took, written, arguments);
        ++written;
    };
    const auto arrow = [&](char phase, int thread, double at) {
        fmt::format_to(
            std::back_inserter(text),
            ",\n  {{\n    \"ph\": \"{}\", \"id\": {}, \"pid\": {}, \"tid\": {}, \"ts\": {:.3f},\n    \"cat\": "
            "\"ac2g\", \"name\": \"ac2g\"{}\n  }}",
            phase, flow, thread < 100 ? 0 : 4000, thread, at, phase == 'f' ? ", \"bp\": \"e\"" : "");
        ++written;
    };
    while (written < events) {
        const double took = 20 + static_cast<double>(random() % 100);
        const std::string shapes = fmt::format(
            R"("Record function id": {}, "Sequence number": {}, "Fwd thread id": 0, "Ev Idx": {},
      "Input Dims": [[{}, 1024], [1024, 4096], []], "Input type": ["c10::BFloat16", "c10::BFloat16", "Scalar"])",
            0, written / 4, written, 1 + random() % 64);
        const std::string on_device = fmt::format(
            R"("device": 0, "context": 1, "stream": 7, "correlation": {}, "registers per thread": 168,
      "shared memory": 36864, "blocks per SM": 3.5, "warps per SM": 28, "grid": [8, 64, 1], "block": [256, 1, 1])",
            ++flow);
        add("cpu_op", fmt::format("aten::op_{}", random() % 120), 4000, now, took, shapes);
        add("cpu_op", fmt::format("aten::inner_{}", random() % 60), 4000, now + 2, took - 6, shapes);
        add("cuda_runtime", "cudaLaunchKernel", 4000, now + 4, 5,
            fmt::format(R"("cbid": 211, "correlation": {})", flow));
        arrow('s', 4000, now + 4);
        add("kernel", fmt::format("void at::native::kernel_{}<float, 32>(int, float*)", random() % 60), 7, now + 15,
            took - 8, on_device);
        arrow('f', 7, now + 15);
        now += took + 3;
        if (text.size() > (std::size_t{1} << 20)) {
            out << text;
            text.clear();
        }
    }
    out << text << "\n]}\n";
    if (!out.flush())
        throw UserError("{} cannot be written", file.string());
}

int run(int argc, char** argv) {
    std::uint64_t events = 1'000'000;
    std::string named;
    int rounds = 5;
    bool json = false, no_peer = false;
    CLI::App app("Reading traces beside nlohmann's JSON library");
    app.add_option("--events", events, "Of the trace that is written")->check(CLI::Range(1'000, 20'000'000));
    app.add_option("--file", named, "A trace instead of a written one");
    app.add_option("--rounds", rounds, "How often each is measured")->check(CLI::Range(1, 100));
    app.add_flag("--no_peer", no_peer, "Without nlohmann's library");
    app.add_flag("--json", json, "For programs");
    CLI11_PARSE(app, argc, argv);

    test::TemporaryFolder folder;
    const std::filesystem::path file = named.empty() ? folder.path() / "trace.json" : std::filesystem::path(named);
    if (named.empty())
        write_trace(file, events);
    const double megabytes = static_cast<double>(std::filesystem::file_size(file)) / 1e6;
    Figure whole{"traces.read", "", "s", {}, {}, {}, true}, beside{"traces.beside", "", "s", {}, {}, 0.5, true},
        first{"traces.picture", "until the first picture", "s", {}, {}, 1.0, true},
        kept{"traces.kept", "bytes kept for an event", "B", {}, {}, 100.0, true},
        peak{"traces.peak", "memory beyond what is kept", "MB", {}, {}, 64.0, true};
    std::uint64_t found = 0;
    for (int round = 0; round < rounds; ++round) {
        const Reading reading = apart([&] { return ours(file); });
        found = reading.events;
        whole.values.push_back(reading.seconds);
        first.values.push_back(reading.preview);
        kept.values.push_back(static_cast<double>(reading.retained) /
                              static_cast<double>(std::max<std::uint64_t>(1, reading.events)));
        peak.values.push_back((static_cast<double>(reading.peak) - static_cast<double>(reading.retained)) / 1e6);
        if (no_peer)
            continue;
        const Reading other = apart([&] { return with_nlohmann(file); });
        beside.values.push_back(reading.seconds);
        beside.peer.push_back(other.seconds);
        if (other.events != reading.events)
            throw UserError("{} events here, {} by nlohmann's library", reading.events, other.events);
    }
    whole.what = beside.what = fmt::format("reading {} events, {:.0f} MB", found, megabytes);
    whole.target = std::max(0.05, static_cast<double>(found) * 1e-6);  // a second for a million
    std::vector<Figure> figures{whole, first, kept, peak};
    if (!no_peer)
        figures.insert(figures.begin() + 1, beside);
    print(figures, json);
    return 0;
}

}  // namespace
}  // namespace trainyard::bench

int main(int argc, char** argv) {
    return trainyard::bench::main_of("bench_traces", trainyard::bench::run, argc, argv);
}
