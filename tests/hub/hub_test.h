// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
// A hub, and a cache of its own.

#include <cstdlib>
#include <fstream>
#include <sstream>
#include <string>

#include <gtest/gtest.h>

#include "support/fake_hub.h"
#include "support/temporary_folder.h"

namespace trainyard::test {

/// Bytes that do not repeat.
inline std::string noise(std::size_t size, unsigned seed = 1) {
    std::string bytes(size, '\0');
    std::uint32_t state = seed * 2654435761u + 1;
    for (char& byte : bytes) {
        state = state * 1664525u + 1013904223u;
        byte = static_cast<char>(state >> 24);
    }
    return bytes;
}

inline std::string content_of(const std::filesystem::path& file) {
    std::ostringstream text;
    text << std::ifstream(file, std::ios::binary).rdbuf();
    return std::move(text).str();
}

class HubTest : public testing::Test {
  protected:
    HubTest() {
        for (const char* name : {"HF_TOKEN", "HF_TOKEN_PATH", "HF_HUB_CACHE", "HUGGINGFACE_HUB_CACHE", "HF_HUB_OFFLINE",
                                 "HF_HUB_DOWNLOAD_TIMEOUT", "TRANSFORMERS_OFFLINE", "http_proxy", "https_proxy"})
            ::unsetenv(name);
        ::setenv("HF_ENDPOINT", hub_.address().c_str(), 1);
        ::setenv("HF_HOME", (folder_.path() / "huggingface").c_str(), 1);
        ::setenv("TRAINYARD_CACHE", (folder_.path() / "cache").c_str(), 1);
        ::setenv("no_proxy", "*", 1);
    }
    std::filesystem::path cache() const { return folder_.path() / "huggingface" / "hub"; }

    TemporaryFolder folder_;
    FakeHub hub_;
};

}  // namespace trainyard::test
