// SPDX-License-Identifier: GPL-3.0-or-later
// What a host answers: the SFTP client, the stream of a run, and all parsers of answers. Each reads it or refuses it
// with a sentence, with bounded memory.

#include <cstdint>
#include <cstdlib>
#include <memory>
#include <string>

#include "base/error.h"
#include "launch/supervisor/connection_test.h"
#include "remote/folder_tree.h"
#include "remote/host_facts.h"
#include "remote/launch_checks.h"
#include "remote/mirror.h"
#include "remote/sftp_client.h"
#include "run/state.h"

namespace {

using namespace trainyard;

template <class Read>
void drive(Read read) {
    try {
        read();
    } catch (const UserError& error) {
        if (std::string(error.what()).empty())
            std::abort();
    }
}

/// A server that says the input, in pieces, whatever it is asked.
class FuzzWire final : public remote::SftpWire {
  public:
    explicit FuzzWire(std::string_view said) : said_(said) {}
    std::string read(double) override {
        const std::string piece(said_.substr(0, 97));
        said_.remove_prefix(piece.size());
        return piece;
    }
    void write(std::string_view) override {}
    bool ended() const override { return said_.empty(); }
    Message end_text() const override { return "exit status 0"; }

  private:
    std::string_view said_;
};

remote::Sftp server(std::string_view said) {
    remote::HostSettings host;
    host.alias = "gpu-a";
    return remote::sftp_over(
        std::make_unique<remote::SftpClient>(std::make_unique<FuzzWire>(said), host, Limits{.silence_s = 1}));
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
    const std::string text(reinterpret_cast<const char*>(data), size);
    const Limits limits{.depth = 3, .files = 100, .bytes = 1u << 20, .silence_s = 1};
    drive([&] {
        remote::Sftp sftp = server(text);
        for (const remote::TreeFile& file :
             remote::list_tree(sftp, "/x", {.limits = limits, .follow_links = true}).files)
            if (file.name.text().find("..") == 0 && file.name.names().front() == "..")
                std::abort();
    });
    drive([&] { server(text).read_file("/x", 1u << 20); });
    drive([&] { server(text).real_path("."); });
    drive([&] {
        remote::Sftp sftp = server(text);
        sftp.read_ranges(
            {{"/x", 0, 100'000}, {"/y", 10, 10}}, [](auto, auto, auto) {}, [](auto, const auto&) {});
    });
    drive([&] {
        remote::StreamReader reader;
        reader.feed(text);
        while (auto message = reader.next()) {
        }
    });
    if (remote::is_mirrored(text) && (text.find("..") == 0 || text.find("/../") != std::string::npos || text[0] == '/'))
        std::abort();
    drive([&] { remote::parse_check_answer(text); });
    drive([&] { remote::parse_remote_runs(text, "gpu-a"); });
    drive([&] { remote::parse_host_script(text, "gpu-a"); });
    drive([&] { remote::parse_host_facts(text, "gpu-a"); });
    drive([&] { launch::parse_connection_tests(text); });
    drive([&] { launch::parse_connection_target(text); });
    drive([&] { run::parse_state(text); });
    return 0;
}
