// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
// What the tests of hostile hosts and of mirrors share: connections to an SFTP server that lies.

#include <filesystem>
#include <functional>
#include <memory>
#include <string>
#include <utility>

#include <gtest/gtest.h>

#include "base/error.h"
#include "remote/mirror.h"
#include "support/hostile_host.h"

namespace trainyard::remote {

namespace fs = std::filesystem;
namespace wire = test::sftp;

inline Sftp connect(test::HostileSftp::Answer answer, bool ends = true, Limits limits = {.silence_s = 0.05}) {
    auto server = std::make_unique<test::HostileSftp>(std::move(answer));
    server->set_ends(ends);
    HostSettings host;
    host.alias = "gpu-a";
    host.host_name = "gpu-a";
    return sftp_over(std::make_unique<SftpClient>(std::move(server), host, limits));
}

/// Right answers, but for what `lie` returns (empty: no lie).
inline Sftp connect_to_liar(test::HostileSftp::Answer lie) {
    return connect([lie = std::move(lie)](std::uint8_t type, std::uint32_t request, std::string_view body) {
        if (std::string told = lie(type, request, body); !told.empty())
            return told;
        switch (type) {
            case wire::kInit:
                return wire::version();
            case wire::kOpen:
            case wire::kOpenDir:
                return wire::message(wire::kHandle, request, wire_text("h"));
            case wire::kFstat:
            case wire::kStat:
                return wire::message(wire::kAttributes, request, wire::attributes(wire::kFile, 10));
            case wire::kRead:
                return wire::message(wire::kData, request, wire_text("0123456789"));
            case wire::kReadDir:
                return wire::status(request, 1);
            default:
                return wire::status(request, 0);
        }
    });
}

/// The words of what `work` throws; fails the test if it throws nothing.
template <typename Error = UserError>
std::string refusal(const std::function<void()>& work) {
    try {
        work();
    } catch (const Error& error) {
        return error.what();
    }
    ADD_FAILURE() << "nothing was refused";
    return {};
}

inline run::RunPaths make_mirror(const fs::path& runs, const std::string& host = "gpu-a") {
    return prepare_mirror(runs, {host, "/home/me/runs/far", "/opt/trainyard"});
}

/// A server of which every folder holds a folder: a loop of links, or an answer that is made up.
inline Sftp bottomless() {
    auto more = std::make_shared<bool>(false);
    return connect_to_liar([more](std::uint8_t type, std::uint32_t request, std::string_view) {
        if (type == wire::kStat)
            return wire::message(wire::kAttributes, request, wire::attributes(wire::kFolder, 0));
        if (type == wire::kOpenDir)
            *more = true;
        if (type == wire::kReadDir && std::exchange(*more, false))
            return wire::names(request, {{"checkpoint_1", wire::kFolder, 0}, {"metrics.csv", wire::kFile, 10}});
        return std::string();
    });
}

}  // namespace trainyard::remote
