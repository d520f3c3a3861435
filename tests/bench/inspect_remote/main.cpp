// SPDX-License-Identifier: GPL-3.0-or-later
// A checkpoint of 64 shards on a host 20 ms away: the time from the wish to the tree, with the connection and without,
// and the bytes that travel. The host is a sandbox of tests/hosts; a relay holds every byte back for 10 ms each way.
//
//   bench_inspect_remote [--runs N]

#include <cstdio>
#include <cstdlib>
#include <string>
#include <vector>

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include "base/clock.h"
#include "base/file.h"
#include "bench/engine/figure.h"
#include "formats/weights/safetensors.h"
#include "observe/inspect/tensor_tree.h"
#include "remote/remote_checkpoint.h"
#include "support/delaying_relay.h"
#include "support/hosts.h"

namespace {

using namespace trainyard;
using bench::Figure;

constexpr int kShards = 64;
constexpr double kOneWay = 0.01;

/// `each`: tensors of a shard, with names of a mixture of experts.
void write_shards(const fs::path& folder, int each) {
    fs::create_directories(folder);
    nlohmann::json index;
    const std::vector<float> value(64, 1.0f);
    for (int shard = 0; shard < kShards; ++shard) {
        const std::string file = fmt::format("model-{:05}-of-{:05}.safetensors", shard + 1, kShards);
        std::vector<weights::TensorToWrite> tensors;
        for (int i = 0; i < each; ++i) {
            std::string name = fmt::format("model.layers.{}.mlp.experts.{}.{}_proj.weight_scale", shard, i / 3,
                                           i % 3 == 0   ? "up"
                                           : i % 3 == 1 ? "down"
                                                        : "gate");
            index["weight_map"][name] = file;
            tensors.push_back({std::move(name), "F32", {64}, std::as_bytes(std::span(value))});
        }
        weights::write_safetensors(folder / file, tensors);
        fs::permissions(folder / file, fs::perms::others_read, fs::perm_options::add);
    }
    write_file_atomically(folder / "model.safetensors.index.json", index.dump(2), false, 0644);
}

int measure(int argc, char** argv) {
    int runs = 9;
    for (int i = 1; i + 1 < argc; ++i)
        if (std::string(argv[i]) == "--runs")
            runs = std::max(1, std::atoi(argv[++i]));
    test::TestHosts hosts(1);
    write_shards(hosts.home_of("host1") / "common", 12);
    write_shards(hosts.home_of("host1") / "experts", 4200);
    test::DelayingRelay relay(hosts.named("host1").address, hosts.named("host1").port, kOneWay);
    const remote::SshConfig config(hosts.ssh_config(), "/nonexistent");
    remote::HostSettings host = config.resolve("host1");
    host.host_key_alias = hosts.namespaces() ? host.host_name : fmt::format("[{}]:{}", host.host_name, host.port);
    host.host_name = "127.0.0.1";
    host.port = relay.port();
    std::vector<Figure> all;
    for (const char* name : {"common", "experts"}) {
        const bool common = std::string(name) == "common";
        Figure whole{fmt::format("remote.{}", name),
                     common ? "64 shards of 12 tensors 20 ms away, with the connection"
                            : "64 shards with an index of 25 MB 20 ms away, with the connection",
                     "s",
                     {},
                     {},
                     2.0,
                     true};
        Figure open{
            fmt::format("remote.{}.open", name), "the same over a connection that is there", "s", {}, {}, 2.0, true};
        std::uint64_t bytes = 0;
        std::size_t tensors = 0;
        for (int i = 0; i < runs; ++i) {
            const double start = monotonic_seconds();
            remote::Session session = remote::Session::connect(host, config);
            const double connected = monotonic_seconds();
            const remote::RemoteCheckpoint checkpoint(std::move(session), name);
            const inspect::TensorTree tree(checkpoint.contents());
            for (const auto& root : tree.roots())
                tree.children(root);
            const double end = monotonic_seconds();
            whole.values.push_back(end - start);
            open.values.push_back(end - connected);
            bytes = checkpoint.received();
            tensors = checkpoint.contents().tensors.size();
            if (!checkpoint.contents().problems.empty()) {
                std::fprintf(stderr, "%s\n", checkpoint.contents().problems.front().text().c_str());
                return 1;
            }
        }
        std::printf("%s: %zu tensors, %.2f MB travelled\n", name, tensors, static_cast<double>(bytes) / 1e6);
        all.push_back(whole);
        all.push_back(open);
    }
    bench::print(all, false);
    return 0;
}

}  // namespace

int main(int argc, char** argv) {
    return bench::main_of("bench_inspect_remote", measure, argc, argv);
}
