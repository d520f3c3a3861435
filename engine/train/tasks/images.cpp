// SPDX-License-Identifier: GPL-3.0-or-later
// Task image_classification: the class of an image, from a folder with a sub-folder for each class, or from a column of
// pixels. 8-bit pixels are processed as preprocessor_config.json beside the weights says, or become (x / 255 - 0.5) /
// 0.5 (config/inputs/image_processor.h); other numbers stay.

#include <cstring>

#include <ATen/ops/empty.h>
#include <ATen/ops/stack.h>
#include <ATen/ops/tensor.h>
#include <ATen/ops/upsample_bilinear2d.h>

#include <fmt/format.h>

#include "base/error.h"
#include "formats/tables/image.h"
#include "models/nn/kernels/cross_entropy.h"
#include "models/spec/family.h"
#include "train/tasks/changing_samples.h"
#include "train/tasks/task_table.h"

namespace trainyard::train {

namespace {

class Images final : public ImageSamples {
  public:
    explicit Images(const config::Recipe& recipe)
        : ImageSamples(recipe),
          channels_(recipe.model.num_channels),
          size_(families::family_of(recipe.model).image_size(recipe.model)),
          classes_(recipe.model.num_labels) {
        const config::DataRecipe& data = recipe.data;
        if (data.format == config::DataFormat::images)
            add_folders(data);
        else
            add_table(recipe);
        const bool is_told = !data.image_mean.empty() && !data.image_std.empty();
        if (!recipe.model.weights.empty() && !processor_.from_file && !is_told)
            remarks_.push_back(
                Message("{} has no preprocessor_config.json: its images are normalised with mean 0.5 and "
                        "deviation 0.5, so put the file there if the weights were trained with others",
                        recipe.model.weights));
        mix(samples_.size(), recipe);
    }
    std::int64_t targets_per_sample(std::int64_t) const override { return 1; }

    std::vector<Message> remarks() const override { return remarks_; }
    std::string path_of(std::int64_t sample) const override {
        return samples_[static_cast<std::size_t>(sample)].path.string();
    }

  private:
    struct Sample {
        at::Tensor pixels;  ///< undefined: in the file
        std::filesystem::path path;
        std::int64_t label = 0;
    };

    Tree batch_of(std::span<const SampleNumber> numbers) const override {
        std::vector<at::Tensor> images;
        std::vector<std::int64_t> labels;
        for (const SampleNumber& number : numbers) {
            const Sample& sample = samples_[static_cast<std::size_t>(number.sample)];
            const at::Tensor pixels = sample.pixels.defined() ? sample.pixels : read(sample.path);
            const ImagePart part = part_of(pixels.size(1), pixels.size(2), number);
            add_image(images, fitted(pixels, part, sample.path),
                      sample.path.empty() ? "data.path" : sample.path.string());
            labels.push_back(sample.label);
        }
        const at::Tensor classes = at::tensor(labels, at::kLong);
        return Tree::dict({{"pixel_values", at::stack(images)},
                           {"labels", classes},
                           {"targets", classes.ne(models::kIgnoredLabel).to(at::kLong)}});
    }

    void add_folders(const config::DataRecipe& data) {
        if (data.label_pattern.empty())
            for (const std::string& path : data.paths)
                add_folder(formats::ImageFolder(path), path, "sub-folders");
        else
            add_folder(
                formats::ImageFolder::by_names(std::vector<std::filesystem::path>(data.paths.begin(), data.paths.end()),
                                               data.label_pattern),
                data.paths.front(), "data.label_pattern");
        if (processor_.do_resize && processor_.height == 0 && !processor_.from_file)  // ResNet: that of the first
            processor_.height = processor_.width = read(samples_.front().path).size(1);
    }

    void add_folder(const formats::ImageFolder& folder, const std::string& path, const char* classes) {
        if (std::cmp_not_equal(folder.classes().size(), classes_))
            throw UserError("model.num_labels: {} has {} classes ({}), and num_labels is {}", path,
                            folder.classes().size(), classes, classes_);
        for (const formats::ImageFolder::Sample& each : folder.samples())
            samples_.push_back({{}, each.path, each.label});
    }

    at::Tensor read(const std::filesystem::path& path) const {
        const formats::Image image =
            formats::read_image(path, channels_ == 1 ? formats::ImageMode::grey : formats::ImageMode::rgb);
        return pixel_planes(image);
    }

    void add_table(const config::Recipe& recipe) {
        const TaskTable table(recipe);
        const formats::Column& pixels = table.column("data.column");
        const formats::Column& labels = table.column("data.label_column");
        const std::vector<std::int64_t>& shape = pixels.field.shape;
        const bool bytes = pixels.field.type == formats::ElementType::u8;
        if (pixels.field.list || shape.size() < 2 || shape.size() > 3 ||
            (!bytes && pixels.field.type != formats::ElementType::f32))
            throw UserError(
                "data.column: {} are not images: images are uint8 or float32 [height, width], or with colours [height, "
                "width, colours] or [colours, height, width]",
                pixels.field.describe());
        const bool first = shape.size() == 3 && shape[0] == channels_;
        const std::int64_t colours = shape.size() == 2 ? 1 : first ? shape[0] : shape[2];
        if (colours != channels_)
            throw UserError("model.num_channels: {} have {} colours, and num_channels is {}", pixels.field.describe(),
                            colours, channels_);
        const std::int64_t height = shape[first ? 1 : 0], width = shape[first ? 2 : 1],
                           elements = pixels.field.elements();
        if (processor_.height == 0 && !processor_.from_file)
            processor_.do_resize = false;
        const ClassReader classes(recipe);
        for (std::int64_t row = 0; row < table.rows(); ++row) {
            at::Tensor image;
            if (bytes) {
                const std::uint8_t* own = pixels.values<std::uint8_t>().data() + row * elements;
                image = first ? pixel_planes(own, colours, height * width, 1).view({colours, height, width})
                              : pixel_planes(own, height, width, colours);
            } else {
                at::Tensor given = at::empty(
                    first || shape.size() == 2 ? std::vector<std::int64_t>{colours, height, width} : shape, at::kFloat);
                std::memcpy(given.data_ptr(), pixels.values<float>().data() + row * elements,
                            static_cast<std::size_t>(elements) * sizeof(float));
                image = first || shape.size() == 2 ? given : given.permute({2, 0, 1}).contiguous();
            }
            samples_.push_back({image, {}, classes.index(labels, row)});
        }
    }

    /// A part of the image, as fp32 of the model's size.
    at::Tensor fitted(const at::Tensor& given, const ImagePart& part, const std::filesystem::path& path) const {
        const bool bytes = given.scalar_type() == at::kByte;
        at::Tensor image = given;
        if (bytes)
            image = model_pixels(given, processor_, part);
        else if (changes_.any())
            image = resized_part(given, part);
        if (size_ == 0 || (image.size(1) == size_ && image.size(2) == size_))
            return image;
        if (bytes)
            throw UserError(
                "{} has {} × {} pixels, which preprocessor_config.json leaves as they are, and model.image_size is {}: "
                "resize the images",
                path.empty() ? Message("an image of data.path") : Message::verbatim(path.string()), image.size(2),
                image.size(1), size_);
        return at::upsample_bilinear2d(image.unsqueeze(0), {size_, size_}, false).squeeze(0);
    }

    /// A part of an image of float32 numbers, resized to the size of the image.
    static at::Tensor resized_part(const at::Tensor& image, const ImagePart& part) {
        at::Tensor made = image.narrow(1, part.top, part.height).narrow(2, part.left, part.width);
        if (made.sizes() != image.sizes())
            made = at::upsample_bilinear2d(made.unsqueeze(0), {image.size(1), image.size(2)}, false).squeeze(0);
        return part.mirrored ? made.flip({2}) : made;
    }

    std::int64_t channels_, size_;  ///< that the model takes; 0: any
    std::int64_t classes_;
    std::vector<Sample> samples_;
    std::vector<Message> remarks_;
};

}  // namespace

std::unique_ptr<SampleSet> open_images(const config::Recipe& recipe) {
    return std::make_unique<Images>(recipe);
}

}  // namespace trainyard::train
