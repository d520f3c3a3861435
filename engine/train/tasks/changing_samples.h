// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
// Samples in files of their own, whose random changes are a function of seed, epoch and sample: the base of tasks on
// images and on recordings.

#include <optional>
#include <span>
#include <string>
#include <vector>

#include "config/inputs/byte_corpus.h"
#include "config/inputs/image_processor.h"
#include "train/sample_set.h"
#include "train/tasks/image_pixels.h"
#include "train/tasks/task_table.h"

namespace trainyard::train {

struct SampleNumber {
    std::int64_t sample = 0;
    std::optional<std::int64_t> epoch = std::nullopt;  ///< std::nullopt: of an evaluation, which changes nothing
};

class ChangingSamples : public SampleSet {
  public:
    std::int64_t training_samples() const final { return cut_.training; }
    std::int64_t validation_samples() const final { return cut_.held_out; }
    Tree batch(bool held_out, std::span<const std::int64_t> indices, std::int64_t length) const final;
    Tree batch_of_epochs(std::span<const std::int64_t> indices, std::span<const std::int64_t> epochs,
                         std::int64_t length) const final;

    std::string describe(bool held_out, std::int64_t index, std::int64_t) const final {
        return path_of(number(held_out, index));
    }

  protected:
    /// Of a sample; empty: it is not a file of its own.
    virtual std::string path_of(std::int64_t /*sample*/) const { return {}; }
    /// Once the samples are known. Neighbours in a folder are alike, so they are mixed once: the held-out tail has some
    /// of all.
    void mix(std::size_t samples, const config::Recipe& recipe);
    virtual Tree batch_of(std::span<const SampleNumber> numbers) const = 0;

  private:
    std::int64_t number(bool held_out, std::int64_t index) const;
    std::optional<inputs::Permutation> order_;
    Cut cut_;
};

/// Images as preprocessor_config.json says, cropped and mirrored at random.
class ImageSamples : public ChangingSamples {
  public:
    std::vector<inputs::FileBeside> files_beside_model() const override;

  protected:
    explicit ImageSamples(const config::Recipe& recipe);
    ImagePart part_of(std::int64_t height, std::int64_t width, const SampleNumber& number) const;
    /// Throws UserError if the others have another size. `where` names the image.
    static void add_image(std::vector<at::Tensor>& images, at::Tensor image, const std::string& where);

    inputs::ImageProcessor processor_;
    RandomChanges changes_;
};

}  // namespace trainyard::train
