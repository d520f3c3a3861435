// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
// The base of all loaders: epochs, reading one batch ahead, the observer, skipping and state. Derived classes define
// where the next batch comes from.
//
// State (a dictionary; on a sharding loader equal on all ranks, on a dispatching one complete on rank 0):
//   epoch     index of the epoch to continue with
//   samples   samples of that epoch used by all ranks together; independent of the number of ranks and the batch size
//   skip      further batches of every rank to skip
//   position  the stream's own position, None if it has none
//   in_pass   taken within a pass: the sampler's state gives the same order again
//   parts     number of ranks that read separate parts of a stream, else 0; such a state is valid only for the same rank and number of ranks
//   source    state of the sampler
// With worker threads, the state is that of the last batch returned, not of the last one read.

#include <cstdint>
#include <exception>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include <ATen/core/Generator.h>
#include <c10/core/Device.h>

#include "data/batch_source.h"
#include "data/loader.h"
#include "data/prefetcher.h"
#include "distributed/parallel/communicator.h"

namespace trainyard::data {

/// The result of prepare_data_loader()'s decisions.
struct LoaderSetup {
    std::unique_ptr<BatchSource> source;
    std::optional<at::Device> device;  ///< device of the batches; std::nullopt: they stay in host memory
    bool non_blocking = false;
    int num_workers = 0;
    int prefetch_factor = 2;
    bool pin_memory = false;
    at::Generator seeds;    ///< each pass draws the seed of its workers from it, as torch's DataLoader
    at::Generator process;  ///< for samplers without a generator
    std::int64_t total_batch_size = 0;
    std::int64_t parts = 0;
    parallel::Communicator* communicator = nullptr;
};

class PassLoader : public Loader {
  public:
    ~PassLoader() override;
    PassLoader(const PassLoader&) = delete;
    PassLoader& operator=(const PassLoader&) = delete;

    void begin() final;
    std::optional<Tree> next() final;
    bool at_end() const final { return at_end_; }
    std::int64_t remainder() const final { return remainder_; }
    std::optional<std::int64_t> length() const final { return length_of_epoch(); }
    std::int64_t total_batch_size() const final { return setup_.total_batch_size; }
    std::optional<std::int64_t> dataset_length() const final { return setup_.source->dataset_length(); }
    void skip_first_batches(std::int64_t batches) final;
    std::int64_t epoch() const final { return start_.epoch; }
    void set_epoch(std::int64_t epoch) final;
    std::optional<bool> exchange_even_batches(bool even) final { return setup_.source->exchange_even_batches(even); }
    void set_observer(LoaderObserver* observer) final { observer_ = observer; }
    Tree state_dict() const final;
    void load_state_dict(const Tree& state) final;

  protected:
    explicit PassLoader(LoaderSetup setup) : setup_(std::move(setup)) {}

    virtual std::optional<std::int64_t> length_of_epoch() const { return setup_.source->length(); }
    /// Starts a pass; returns the remainder, if known.
    virtual std::int64_t start(const PassStart& start) = 0;
    virtual std::optional<HostBatch> fetch() = 0;
    /// Moves the batch to the device.
    Tree placed(Tree batch) const;
    /// Starts the source's pass and the threads that read ahead.
    void start_reading(const PassStart& start);

    LoaderSetup setup_;
    std::unique_ptr<Prefetcher> reader_;

  private:
    void look_ahead();
    void end_pass(bool complete);

    LoaderObserver* observer_ = nullptr;
    PassStart start_;       ///< of the current pass (advancing with it) or, between passes, of the next one
    bool resumes_ = false;  ///< the next pass continues an epoch whose order has already been drawn
    bool under_way_ = false;
    bool at_end_ = false;
    bool gave_ = false;  ///< this pass has returned a batch, or started after one
    std::int64_t remainder_ = -1;
    std::optional<HostBatch> ahead_;
    std::exception_ptr failure_;  ///< of reading ahead; rethrown when it is that batch's turn
};

}  // namespace trainyard::data
