#pragma once
// The trackers that write files of ours and of others. Their kinds are in the registry from the start.

#include "observe/track/tracker.h"

namespace trainyard::track {

/// TensorBoard's event files in <logging_dir>/<project>: numbers are scalars, texts texts, a dictionary one curve per key in a folder of
/// its own (SummaryWriter.add_scalars). The configuration goes to <seconds>/ there: for the HParams page, and as hparams.yml.
/// Arguments: filename_suffix; purge_step (a restart); flush_secs, max_queue, comment of SummaryWriter have no meaning here.
TrackerKind tensorboard_kind();

/// <logging_dir>/<project>.jsonl: {"configuration": {...}}, {"step": 1, "wall_time": ..., "values": {"loss": 0.5}},
/// {"restart": 40, "wall_time": ...}: what came before with a step >= 40 is overtaken. Appends. Arguments: path (the file).
TrackerKind jsonl_kind();

/// <logging_dir>/<project>.csv, for spreadsheets: step, wall_time, and a column per name, flat ("train/loss"). A name that comes later
/// is a new column at the end: the file is written anew aside and takes the place of the old one, with empty cells above. A restart
/// removes the rows it overtakes. Line breaks in texts become blanks. The configuration lies beside it, in <project>.configuration.json. Arguments: path.
TrackerKind csv_kind();

/// A DVCLive folder, as dvclive 3.49 writes it without a DVC repository: plots/metrics/<name>.tsv, metrics.json, params.yaml. Arguments: dir
/// ("dvclive" in the working directory when there is none), resume. Of log: timestamp, plot.
TrackerKind dvclive_kind();

/// Throws UserError naming the arguments that are not among `known`.
void check_arguments(const std::string& tracker, const Value& arguments, const std::vector<std::string>& known);

}  // namespace trainyard::track
