// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
// Turns documents into samples of one length for language models. A document is a text (tokens are its bytes, 0 ...
// 255) or a list of token ids. The result depends only on the documents and their order, so passes are repeatable and
// resume exactly.
//
// Samples: {"input_ids", "labels"} of [sequence_length] int64; best-fit packing adds "position_ids" (starting at 0 in
// each document) and "segment_ids" (1, 2, ... in a sample, 0 for padding). Labels are the tokens themselves: position t
// predicts token t + 1; -100 is ignored.

#include <cstdint>
#include <deque>
#include <memory>
#include <mutex>
#include <optional>
#include <string>
#include <vector>

#include "data/dataset.h"
#include "formats/tables/table_set.h"

namespace trainyard::data {

struct PackingOptions {
    std::string column = "text";  ///< of the documents' samples
    std::int64_t sequence_length = 0;
    std::optional<std::int64_t> separator = {};  ///< appended to every document
    enum class Method {
        concatenate,  ///< documents are concatenated and cut anywhere; the rest at the end of the pass is dropped
        best_fit,  ///< complete documents if they fit (longer ones are cut), into the fullest sample with room; padded.
                   ///< "Fewer Truncations Improve Language Modeling", https://arxiv.org/abs/2404.10830
    } method = Method::concatenate;
    std::int64_t pad_token = 0;
    std::int64_t window = 1024;  ///< documents that best fit packs together
};

/// Tokens of a sample's column. Throws UserError if it is neither text nor a list of integers.
std::vector<std::int64_t> tokens_of(const Tree& sample, const std::string& column);

/// Turns a stream of documents into a stream of samples. Has the same parts, and an exact position if the document
/// stream has one.
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
    Tree from_;  ///< position of the document stream before the current document or window
    // For concatenate.
    std::vector<std::int64_t> document_;
    std::size_t used_ = 0;  ///< tokens of document_ that have been used
    // For best fit.
    std::vector<std::vector<std::vector<std::int64_t>>> samples_;  ///< documents of each sample in the window
    std::size_t given_ = 0;
};

/// Best-fit packing of pieces with these lengths (1 ... room) into samples of `room` tokens: for each sample the
/// indices of its pieces, ascending; samples are ordered by their first pieces.
std::vector<std::vector<std::size_t>> best_fit(const std::vector<std::int64_t>& lengths, std::int64_t room);

/// A column of data files as one token sequence, cut into blocks with random access: the samples of a stream with
/// `concatenate`, in any order. Keeps 8 bytes per document.
class BlockDataset : public Dataset {
  public:
    /// Reads all files once to get the lengths of the documents. Throws UserError if they contain less than one block.
    BlockDataset(std::vector<std::filesystem::path> files, formats::ReadOptions read, PackingOptions options);
    std::int64_t size() const override { return size_; }
    Tree get(std::int64_t index) const override;
    std::int64_t tokens() const { return ends_.empty() ? 0 : ends_.back(); }

  private:
    PackingOptions options_;
    mutable std::mutex mutex_;
    mutable formats::TableSet set_;
    std::vector<std::int64_t> ends_;  ///< number of tokens up to the end of each document, including separators
    std::int64_t size_ = 0;
};

}  // namespace trainyard::data
