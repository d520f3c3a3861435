// SPDX-License-Identifier: GPL-3.0-or-later
#include "desktop/checkpoints/checkpoint_listing.h"

#include "remote/remote_checkpoint.h"
#include "run/paths.h"

namespace trainyard::desktop {

CheckpointListing list_checkpoints(const std::string& place, const std::string& runs_root) {
    CheckpointListing listing;
    listing.checkpoint_list = inspect::read_checkpoint_list(place);
    listing.in_use = inspect::checkpoints_in_use(runs_root);
    if (!listing.checkpoint_list.run.empty()) {
        events::ScalarFolder folder(run::RunPaths(listing.checkpoint_list.run).metrics());
        folder.poll();
        for (const char* tag : {"train/loss", "eval/loss"})
            if (const auto found = folder.curves().find(tag); found != folder.curves().end())
                listing.curves.emplace(tag, found->second);
    }
    return listing;
}

CheckpointListing list_far_checkpoint(const RemotePlace& place, const std::shared_ptr<remote::Asker>& asker,
                                      const std::shared_ptr<remote::Cancel>& cancel) {
    remote::ConnectOptions options;
    options.asker = asker.get();
    options.cancel = cancel;
    auto far = std::make_unique<remote::RemoteCheckpoint>(remote::Session::connect(place.host.toStdString(), options),
                                                          place.path.toStdString());
    CheckpointListing listing;
    listing.checkpoint_list.folder = far->name();
    inspect::CheckpointEntry item;
    item.folder = far->name();
    item.name = item.folder.filename().string();
    item.step = inspect::step_in_name(item.name);
    item.bytes = far->contents().file_bytes();
    item.state = far->contents().state;
    if (!far->contents().problems.empty())
        item.problem = far->contents().problems.front();
    item.layout = far->contents().format;
    item.saved_at = far->contents().value("saved at");
    listing.checkpoint_list.items.push_back(std::move(item));
    listing.far = std::make_shared<const OpenCheckpoint>(std::move(far));
    return listing;
}

}  // namespace trainyard::desktop
