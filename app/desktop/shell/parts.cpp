// SPDX-License-Identifier: GPL-3.0-or-later
#include "desktop/shell/parts.h"

namespace trainyard::desktop {

std::span<const SoftwarePart> software_parts() {
    static constexpr SoftwarePart parts[] = {
        {"Trainyard", "GPL-3.0-or-later", "", "trainyard"},
        {"Apache Arrow", "Apache-2.0", "https://arrow.apache.org", "trainyard-engine"},
        {"CLI11", "BSD-3-Clause", "https://github.com/CLIUtils/CLI11", "libcli11-dev"},
        {"curl", "curl", "https://curl.se", "libcurl4"},
        {"{fmt}", "MIT", "https://fmt.dev", "libfmt9", "libfmt"},
        {"GCC runtime", "GPL-3.0-or-later WITH GCC-exception-3.1", "https://gcc.gnu.org", "libstdc++6",
         "libstdc++ libgcc_s libgomp"},
        {"GNU C Library", "LGPL-2.1-or-later", "https://www.gnu.org/software/libc", "libc6",
         "libc.so libm.so ld-linux"},
        {"Inter", "OFL-1.1", "https://rsms.me/inter", "fonts-inter"},
        {"JetBrains Mono", "OFL-1.1", "https://www.jetbrains.com/lp/mono", "fonts-jetbrains-mono"},
        {"JSON for Modern C++", "MIT", "https://json.nlohmann.me", "nlohmann-json3-dev"},
        {"libdeflate", "MIT", "https://github.com/ebiggers/libdeflate", "libdeflate0", "libdeflate"},
        {"libjpeg-turbo", "IJG AND BSD-3-Clause AND Zlib", "https://libjpeg-turbo.org", "libjpeg62-turbo", "libjpeg"},
        {"libpng", "libpng-2.0", "http://www.libpng.org/pub/png/libpng.html", "libpng16-16", "libpng"},
        {"libsndfile", "LGPL-2.1-or-later", "https://libsndfile.github.io/libsndfile", "libsndfile1"},
        {"libssh", "LGPL-2.1-or-later", "https://www.libssh.org", "libssh-4", "libssh.so"},
        {"LibTorch", "BSD-3-Clause", "https://pytorch.org", "trainyard-engine", "libtorch libc10"},
        {"OpenSSL", "Apache-2.0", "https://www.openssl.org", "libssl3", "libssl libcrypto"},
        {"PCRE2", "BSD-3-Clause", "https://www.pcre.org", "libpcre2-8-0", "libpcre2"},
        {"QCustomPlot", "GPL-3.0-or-later", "https://www.qcustomplot.com", "libqcustomplot2.1-qt6", "libQCustomPlot"},
        {"Qt", "LGPL-3.0-only OR GPL-2.0-only", "https://www.qt.io", "libqt6core6", "libQt6"},
        {"simdjson", "Apache-2.0", "https://simdjson.org", "libsimdjson14", "libsimdjson"},
        {"SQLite", "blessing", "https://www.sqlite.org", "libsqlite3-0", "libsqlite3"},
        {"utf8proc", "MIT", "https://juliastrings.github.io/utf8proc", "libutf8proc2", "libutf8proc"},
        {"xxHash", "BSD-2-Clause", "https://xxhash.com", "libxxhash-dev", "libxxhash"},
        {"yaml-cpp", "MIT", "https://github.com/jbeder/yaml-cpp", "libyaml-cpp0.7", "libyaml-cpp"},
        {"zlib", "Zlib", "https://zlib.net", "zlib1g", "libz.so"},
        {"Zstandard", "BSD-3-Clause OR GPL-2.0-only", "https://facebook.github.io/zstd", "libzstd1", "libzstd"},
    };
    return parts;
}

}  // namespace trainyard::desktop
