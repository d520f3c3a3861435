#pragma once
// Documents to samples of one length for language models. A document is a text (its bytes are the tokens, 0 ... 255), or a list of token
// ids. Everything is decided by the documents and their order, so that passes repeat and resume exactly.
//
// Samples: {"input_ids", "labels"} of [sequence_length] int64; packing by best fit adds "position_ids" (from 0 in each document) and
// "segment_ids" (1, 2, ... in a sample, 0 for padding). Labels are the tokens themselves, place t predicts t + 1; -100: not counted.

#include <cstdint>
#include <deque>
#include <memory>
#include <mutex>
#include <optional>
#include <string>
#include <vector>

#include "data/dataset.h"
#include "formats/table_set.h"

namespace trainyard::data {

struct PackingOptions {
    std::string column = "text";  ///< of the documents' samples
    std::int64_t sequence_length = 0;
    std::optional<std::int64_t> separator = {};  ///< stands behind every document
    enum class Method {
        concatenate,  ///< documents end to end, cut anywhere; the rest at the end of the pass is left out
        best_fit,  ///< documents whole where they fit (longer ones are cut in pieces), the fullest sample with room first; padded.
                   ///< "Fewer Truncations Improve Language Modeling", https://arxiv.org/abs/2404.10830
    } method = Method::concatenate;
    std::int64_t pad_token = 0;
    std::int64_t window = 1024;  ///< documents that best fit looks at together
};

/// Tokens of a sample's column. Throws UserError when it is neither text nor a list of whole numbers.
std::vector<std::int64_t> tokens_of(const Tree& sample, const std::string& column);

/// A stream of documents as a stream of samples. Has the parts of the stream of documents, and its exact place when that has one.
class PackedStream : public IterableDataset {
  public:
    PackedStream(std::shared_ptr<IterableDataset> documents, PackingOptions options);
    void begin() override;
    std::optional<Tree> next() override;
    void set_epoch(std::int64_t epoch) override { documents_->set_epoch(epoch); }
    Tree position() const override;
    void seek(const Tree& position) override;
    std::int64_t part_count() const override { return documents_->part_count(); }
    std::shared_ptr<IterableDataset> take_parts(std::int64_t count, std::int64_t index) const override;

  private:
    bool read_document();
    bool read_window();
    std::optional<Tree> next_cut();

    std::shared_ptr<IterableDataset> documents_;
    PackingOptions options_;
    Tree from_;  ///< place of the documents before the one, or the window, at hand
    // concatenate
    std::vector<std::int64_t> document_;
    std::size_t used_ = 0;  ///< tokens of document_
    // best fit
    std::vector<std::vector<std::vector<std::int64_t>>> samples_;  ///< documents of each sample of the window
    std::size_t given_ = 0;
};

/// How best fit lays out pieces of these lengths in samples of `room` tokens: for each sample the numbers of its pieces, rising; samples in the order of
/// their first pieces. Lengths are 1 ... room.
std::vector<std::vector<std::size_t>> best_fit(const std::vector<std::int64_t>& lengths, std::int64_t room);

/// A column of data files as one row of tokens, cut in blocks that can be asked for by number: what a data set by `concatenate` would give,
/// in any order. Keeps 8 bytes a document.
class BlockDataset : public Dataset {
  public:
    /// Reads all files once for the documents' lengths. Throws UserError when they hold less than one block.
    BlockDataset(std::vector<std::filesystem::path> files, formats::ReadOptions read, PackingOptions options);
    std::int64_t size() const override { return size_; }
    Tree get(std::int64_t index) const override;
    std::int64_t tokens() const { return ends_.empty() ? 0 : ends_.back(); }

  private:
    PackingOptions options_;
    mutable std::mutex mutex_;
    mutable formats::TableSet set_;
    std::vector<std::int64_t> ends_;  ///< tokens up to the end of each document, separators included
    std::int64_t size_ = 0;
};

}  // namespace trainyard::data
