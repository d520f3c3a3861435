// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
// The loader whose ranks read their own batches: accelerate's DataLoaderShard.

#include <string>
#include <vector>

#include "data/pass_loader.h"

namespace trainyard::data {

class ShardLoader : public PassLoader {
  public:
    ShardLoader(LoaderSetup setup, std::vector<std::string> rng_types)
        : PassLoader(std::move(setup)), rng_types_(std::move(rng_types)) {}

  protected:
    std::int64_t start(const PassStart& start) override;
    std::optional<HostBatch> fetch() override { return reader_->next(); }

  private:
    std::vector<std::string> rng_types_;
};

}  // namespace trainyard::data
