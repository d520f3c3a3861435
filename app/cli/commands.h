// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
// The subcommands of `trainyard`. Each add_... declares one in CLI11 and sets `chosen` to what is to be done when it
// was named.

#include <functional>
#include <string>
#include <vector>

namespace CLI {
class App;
}

namespace trainyard::cli {

/// Runs after parsing; returns the program's exit code. Throws UserError.
using Action = std::function<int()>;

void add_launch(CLI::App& app, Action& chosen, const std::vector<std::string>& command);
void add_runs(CLI::App& app, Action& chosen);
void add_env(CLI::App& app, Action& chosen);
void add_cache(CLI::App& app, Action& chosen);
void add_download(CLI::App& app, Action& chosen);
void add_tokenizer(CLI::App& app, Action& chosen);
void add_generate(CLI::App& app, Action& chosen);
void add_predict(CLI::App& app, Action& chosen);
void add_merge_adapter(CLI::App& app, Action& chosen);
void add_trace(CLI::App& app, Action& chosen);
void add_merge_weights(CLI::App& app, Action& chosen);
void add_quantize(CLI::App& app, Action& chosen);
void add_checkpoints(CLI::App& app, Action& chosen);
void add_estimate_memory(CLI::App& app, Action& chosen);
void add_simulate(CLI::App& app, Action& chosen);
void add_sweep(CLI::App& app, Action& chosen);
void add_report(CLI::App& app, Action& chosen);
void add_alarms(CLI::App& app, Action& chosen);
void add_test(CLI::App& app, Action& chosen, const std::vector<std::string>& command);
void add_config(CLI::App& app, Action& chosen);
/// to-fsdp2, to-deepspeed, to-fsdp.
void add_settings_conversions(CLI::App& app, Action& chosen);
void add_tpu_config(CLI::App& app, Action& chosen);
/// Used by runs that follow a training job of Amazon SageMaker.
void add_follow_job(CLI::App& app, Action& chosen);
void add_supervise(CLI::App& app, Action& chosen);
void add_agent(CLI::App& app, Action& chosen);
void add_hosts(CLI::App& app, Action& chosen);
void add_probe(CLI::App& app, Action& chosen);
void add_mirror(CLI::App& app, Action& chosen);
void add_serve_run(CLI::App& app, Action& chosen);
/// Looks at the other commands when it runs.
void add_completion(CLI::App& app, Action& chosen);

}  // namespace trainyard::cli
