// SPDX-License-Identifier: GPL-3.0-or-later
// Randomly mutated logs of all formats (JSON lines, CSV, trainer_state.json, Weights & Biases offline, TensorBoard), also
// growing and cut: each is read as far as it can be, within the limits of memory, and every reading ends.

#include <cstdio>
#include <cstdlib>

#include "base/error.h"
#include "base/file.h"
#include "desktop/sources/metrics_tail.h"
#include "support/byte_fuzz.h"
#include "support/golden.h"
#include "support/temporary_folder.h"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t*, std::size_t) {
    return 0;
}

namespace trainyard::desktop {
namespace {

namespace fs = std::filesystem;

struct LogFile {
    const char* name;
    LogKind kind;
};
constexpr LogFile kLogs[] = {{"metrics.jsonl", LogKind::Jsonl},
                             {"metrics.csv", LogKind::Csv},
                             {"trainer_state.json", LogKind::TrainerState},
                             {"run-x.wandb", LogKind::Wandb},
                             {"events/events.out.tfevents.1.h", LogKind::Events}};

std::size_t points = 0;

void read_all(MetricsTail& tail) {
    for (int i = 0;; ++i) {
        if (i > 100'000)
            std::abort();  // it never ends
        CurveBatch batch;
        const bool all = tail.poll(batch, 1u << 20);
        for (const CurveChange& change : batch.changes)
            points += change.points.size();
        if (all)
            break;
    }
    for (const Message& problem : tail.problems())
        if (problem.empty())
            std::abort();
}

int fuzz_logs() {
    std::vector<std::string> seeds{
        "{\"step\": 1, \"loss\": 2.5}\n{\"step\": 2, \"loss\": NaN, \"lr\": 1e-4}\n{\"step\": 2, \"loss\": 2.25}\n",
        "step,loss,lr\n1,2.5,0.1\n2,nan,0.1\n3,\"2.25\",1e-2\n",
        R"({"best_metric": null, "epoch": 1.0, "global_step": 9, "log_history": [{"loss": 2.5, "step": 1},)"
        R"({"eval_loss": NaN, "step": 2}, {"loss": 2.25, "step": 2, "epoch": 0.5}], "max_steps": 9})"};
    for (const char* folder : {"tb_events", "dvclive"}) {
        std::error_code error;
        if (!fs::is_directory(test::golden(folder), error))
            continue;
        for (std::string& seed : test::fuzz_seeds(test::golden(folder), [](const fs::path&) { return true; }))
            seeds.push_back(std::move(seed));
    }
    test::TemporaryFolder folder;
    const int status = test::fuzz_rounds(seeds.size(), rlim_t{2} << 30, [&](std::mt19937_64& random) {
        const std::string input = test::changed(seeds[random() % seeds.size()], seeds, random);
        test::keep_input(input, ".log");
        const LogFile& log = kLogs[random() % std::size(kLogs)];
        const fs::path file = folder.path() / log.name;
        fs::create_directories(file.parent_path());
        try {
            looks_like_metrics(file, log.kind);
            const auto tail = make_tail(log.kind == LogKind::Events ? file.parent_path() : file, log.kind);
            // The file grows, and another file replaces it.
            for (const std::size_t part : {input.size() / 2, input.size()}) {
                write_file_atomically(file, std::string_view(input).substr(0, part), false);
                read_all(*tail);
            }
            write_file_atomically(file, seeds[random() % seeds.size()], false);
            read_all(*tail);
        } catch (const UserError& error) {
            if (std::string(error.what()).empty())
                std::abort();
        }
        fs::remove(file);
    });
    std::printf("%zu points\n", points);
    return status;
}

}  // namespace
}  // namespace trainyard::desktop

#if !defined(TRAINYARD_LIBFUZZER)

int main() {
    return trainyard::desktop::fuzz_logs();
}

#endif
