// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
// A Python package aim with the parts that the bridge uses. A run is a file of JSON lines in its repository. The real
// package reads what the bridge writes in packaging/interop.

#include <filesystem>
#include <fstream>
#include <map>
#include <string>
#include <vector>

#include <nlohmann/json.hpp>

#include "base/file.h"
#include "base/json.h"
#include "track/recorded_calls.h"

namespace trainyard::test {

inline constexpr const char* kStubAim = R"(
import json, os, random

random.seed(7)

def may_fail():
    if random.random() < float(os.environ.get("STUB_AIM_FAILS", "0")):
        raise OSError("the disk of the repository is busy")

class Text:
    def __init__(self, text):
        self.shown = {"text": text}

class Image:
    def __init__(self, path):
        with open(path, "rb") as file:
            self.shown = {"image": file.read(4).hex()}

class Run:
    def __init__(self, run_hash=None, *, repo=None, experiment=None, force_resume=False, system_tracking_interval=30,
                 log_system_params=False, capture_terminal_logs=True):
        may_fail()
        self.hash = run_hash or os.urandom(12).hex()
        self.steps = {}
        self.path = os.path.join(repo, self.hash + ".aim-run")
        if run_hash and not os.path.exists(self.path):
            raise RuntimeError(f"Cannot find Run {run_hash}")
        self.put({"experiment": experiment or "default", "resumed": force_resume,
                  "watches": bool(system_tracking_interval or log_system_params or capture_terminal_logs)})

    def put(self, line):
        # The package has its files open, too. A line must not be lost if the process is killed.
        if getattr(self, "file", None) is None:
            object.__setattr__(self, "file", open(self.path, "ab", buffering=0))
        self.file.write((json.dumps(line) + "\n").encode())

    def __setattr__(self, name, value):
        object.__setattr__(self, name, value)
        if name == "name":
            self.put({"name": value})

    def __setitem__(self, key, value):
        may_fail()
        self.put({"key": key, "value": value})

    def track(self, value, name=None, step=None):
        may_fail()
        if not name:
            raise ValueError("a name is needed")
        if step is None:
            step = self.steps.get(name, -1) + 1
        self.steps[name] = max(step, self.steps.get(name, -1))
        shown = [item.shown for item in value] if isinstance(value, list) else getattr(value, "shown", value)
        self.put({"curve": name, "step": step, "value": shown})

    def set_artifacts_uri(self, uri):
        assert uri.startswith("file:///")

    def log_artifact(self, path, name=None, *, block=False):
        may_fail()
        with open(path) as file:
            self.put({"artifact": name, "content": file.read()})

    def close(self):
        self.put({"closed": True})
)";

struct StubAimRun {
    std::string hash, name, experiment;
    std::map<std::string, std::map<std::int64_t, nlohmann::json>> curves;
    nlohmann::json parameters;
    std::map<std::string, std::string> artifacts;
    bool is_closed = false, watches = false;
    int starts = 0;
};

/// Makes the package and the variables that lead the bridge to it.
inline void install_stub_aim(const std::filesystem::path& folder, Variables& variables) {
    std::filesystem::create_directories(folder);
    std::ofstream(folder / "aim.py") << kStubAim;
    variables.set("PYTHONPATH", folder.string());
    variables.set("PYTHONDONTWRITEBYTECODE", "1");
}

inline std::vector<StubAimRun> stub_aim_runs(const std::filesystem::path& repository) {
    std::vector<StubAimRun> runs;
    std::error_code missing;
    for (const std::filesystem::directory_entry& file : std::filesystem::directory_iterator(repository, missing)) {
        if (file.path().extension() != ".aim-run")
            continue;
        StubAimRun run;
        run.hash = file.path().stem();
        std::ifstream lines(file.path());
        for (std::string line; std::getline(lines, line);) {
            // Python's NaN and Infinity are not JSON.
            for (const std::string word : {"-Infinity", "Infinity", "NaN"})
                for (std::size_t at = 0; (at = line.find(": " + word, at)) != std::string::npos; at += word.size())
                    line.replace(at + 2, word.size(), '"' + word + '"');
            const nlohmann::json entry = read_python_json(line);
            if (entry.contains("experiment")) {
                run.experiment = entry["experiment"];
                run.watches = run.watches || entry["watches"].get<bool>();
                ++run.starts;
            } else if (entry.contains("name")) {
                run.name = entry["name"];
            } else if (entry.contains("key")) {
                run.parameters[entry["key"].get<std::string>()] = entry["value"];
            } else if (entry.contains("curve")) {
                run.curves[entry["curve"]][entry["step"]] = entry["value"];
            } else if (entry.contains("artifact")) {
                run.artifacts[entry["artifact"]] = entry["content"];
            } else {
                run.is_closed = true;
            }
        }
        runs.push_back(std::move(run));
    }
    return runs;
}

}  // namespace trainyard::test
