#pragma once
// What all loaders have in common: epochs, looking one batch ahead, the observer, skipping and the state. A kind of loader says where
// the next batch comes from.
//
// State (a dictionary, equal on all ranks of a sharding loader; of a dispatching one rank 0's is complete):
//   epoch     number of the epoch to go on with
//   samples   of that epoch, used by all ranks together; not bound to a number of ranks or a batch size
//   skip      batches of every rank still to be left out behind them
//   position  the stream's own name of that place, None when it has none
//   in_pass   taken within a pass: the sampler's state gives the same order again
//   parts     number of ranks that read parts of a stream on their own, 0 otherwise; such a state is bound to rank and number
//   source    state of the sampler
// With threads that read ahead the state is that of the batch given last, not of the batch read last.

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
#include "parallel/communicator.h"

namespace trainyard::data {

/// What prepare_data_loader() has decided.
struct LoaderSetup {
    std::unique_ptr<BatchSource> source;
    std::optional<at::Device> device;  ///< where batches go; nothing: they stay
    bool non_blocking = false;
    int num_workers = 0;
    int prefetch_factor = 2;
    bool pin_memory = false;
    at::Generator seeds;    ///< each pass draws the seed of its workers from it, as torch's loader does
    at::Generator process;  ///< of samplers without a generator
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
    /// Starts a pass; returns the remainder as far as it is known.
    virtual std::int64_t start(const PassStart& start) = 0;
    virtual std::optional<HostBatch> fetch() = 0;
    /// The batch on the device.
    Tree placed(Tree batch) const;
    /// Starts the source's pass and the threads that read it ahead.
    void start_reading(const PassStart& start);

    LoaderSetup setup_;
    std::unique_ptr<Prefetcher> reader_;

  private:
    void look_ahead();
    void end_pass(bool complete);

    LoaderObserver* observer_ = nullptr;
    PassStart start_;       ///< of the pass under way (moving on with it) or, between passes, of the next
    bool resumes_ = false;  ///< the next pass goes on within an epoch whose order has been drawn
    bool under_way_ = false;
    bool at_end_ = false;
    bool gave_ = false;  ///< this pass has had a batch, or started behind one
    std::int64_t remainder_ = -1;
    std::optional<HostBatch> ahead_;
    std::exception_ptr failure_;  ///< of looking ahead; thrown in its turn
};

}  // namespace trainyard::data
