// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
// Models, adapters, tokenizers and data sets that a recipe names on a hub: their files on this machine.

#include <string>
#include <vector>

#include "config/inputs/recipe_inputs.h"
#include "formats/hub/fetch.h"

namespace trainyard::inputs {

/// The Parquet files of one split of a data set, as `datasets` chooses them: by the configurations that its README.md
/// lists, else by the names of folders and files.
hub::ChooseFiles files_of_data(const hub::DataName& data);

/// The files of a tokenizer.
hub::ChooseFiles files_of_tokenizer();

/// The files of a data set, in its own repository or in the hub's conversion of it to Parquet. For two words, as in
/// glue/mrpc, also the configuration of a set with one. `options` as below. Throws UserError.
hub::Fetched fetch_data(const hub::DataName& data, const hub::FetchOptions* options);

/// Whether a recipe has names of a hub (hub:org/name) in place of paths.
bool has_hub_names(const config::Recipe& recipe);

/// Of all machines the first has the weights: its ranks send them to the others (worker/shared_checkpoint.h).
enum class HubPart { all, data };

/// Replaces the names of a hub in a recipe by paths of the cache, whose folders have the commit in their names, so that
/// a run continues with the same files. `options`: downloads what is missing, also files of the cache that were removed
/// since or are not on this machine; nullptr: sends no request. What cannot be replaced stays, with a problem.
std::vector<InputProblem> settle_hub_names(config::Recipe& recipe, const hub::FetchOptions* options,
                                           HubPart part = HubPart::all);

}  // namespace trainyard::inputs
