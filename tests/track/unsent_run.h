// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
// The records of MLflow that a run which was killed has left.

#include <string>

#include <nlohmann/json.hpp>

#include "base/file.h"
#include "base/filesystem.h"

namespace trainyard::test {

/// 20 steps, of which none was sent. Returns the folder of the records.
inline fs::path leave_unsent_steps(const fs::path& run, const std::string& address) {
    const fs::path folder = run / "trackers" / ".trainyard-unsent";
    fs::create_directories(folder);
    std::string lines = nlohmann::json{{"open",
                                        {{"project", "yard"},
                                         {"arguments", nullptr},
                                         {"settings", {{"address", address}, {"experiment", "yard"}}}}},
                                       {"time", 1.7e9}}
                            .dump() +
                        "\n";
    for (int step = 0; step < 20; ++step)
        lines +=
            nlohmann::json{{"values", {{"loss", 0.5 * step}}}, {"step", step}, {"time", 1.7e9 + step}}.dump() + "\n";
    write_file_atomically(folder / "mlflow-20261128-120000-abcdef.jsonl", lines, false);
    write_file_atomically(folder / "mlflow-20261128-120000-abcdef.state.json", R"({"delivered": 0, "memory": {}})",
                          false);
    return folder;
}

}  // namespace trainyard::test
