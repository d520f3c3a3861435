// SPDX-License-Identifier: GPL-3.0-or-later
#include "desktop/hosts/machine.h"

#include <filesystem>
#include <fstream>
#include <string>
#include <thread>

#include <unistd.h>

#include "base/text.h"
#include "desktop/text/qt_text.h"
#include "desktop/text/translate.h"

namespace trainyard::desktop {

namespace fs = std::filesystem;

MachineFacts readMachine() {
    MachineFacts facts;
    facts.cores = static_cast<int>(std::thread::hardware_concurrency());
    facts.memoryBytes =
        static_cast<std::uint64_t>(::sysconf(_SC_PHYS_PAGES)) * static_cast<std::uint64_t>(::sysconf(_SC_PAGE_SIZE));
    std::error_code error;
    for (const fs::directory_entry& gpu : fs::directory_iterator("/proc/driver/nvidia/gpus", error)) {
        ++facts.gpus;
        std::ifstream file(gpu.path() / "information");
        for (std::string line; facts.gpuName.isEmpty() && std::getline(file, line);)
            if (line.starts_with("Model:"))
                facts.gpuName = qt(line.substr(6)).trimmed();
    }
    return facts;
}

QString machineLine(const MachineFacts& facts) {
    const QString cores = facts.cores == 1 ? tr("1 core") : tr("%1 cores").arg(facts.cores);
    QString gpu = tr("no GPU");
    if (facts.gpus > 0)
        gpu = (facts.gpus > 1 ? QStringLiteral("%1 × ").arg(facts.gpus) : QString()) +
              (facts.gpuName.isEmpty() ? tr("NVIDIA GPU") : facts.gpuName);
    return cores + QStringLiteral("  ·  ") + qtNumber(text::memory_size(facts.memoryBytes)) + QStringLiteral("  ·  ") +
           gpu;
}

}  // namespace trainyard::desktop
