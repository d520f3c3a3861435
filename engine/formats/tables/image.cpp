// SPDX-License-Identifier: GPL-3.0-or-later
#include "formats/tables/image.h"

#include <algorithm>
#include <map>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "base/error.h"
#include "base/letter_case.h"
#include "base/regex.h"
#include "base/text.h"
#include "base/utf8.h"
#include "formats/tables/image_decoders.h"
#include "formats/tables/image_orientation.h"
#include "formats/tables/source_file.h"

namespace trainyard::formats {

namespace {

constexpr std::uint64_t kFileLimit = 512 << 20;

Image converted(Image image, ImageMode mode) {
    std::int64_t wanted = mode == ImageMode::rgb ? 3 : 1;
    if (image.channels == wanted || mode == ImageMode::classes)
        return image;
    Image made{image.height, image.width, wanted, {}};
    made.pixels.reserve(static_cast<std::size_t>(image.height * image.width * wanted));
    if (wanted == 3) {
        for (std::uint8_t grey : image.pixels)
            made.pixels.insert(made.pixels.end(), 3, grey);
    } else {
        for (std::size_t at = 0; at < image.pixels.size(); at += 3)
            made.pixels.push_back(static_cast<std::uint8_t>(
                (image.pixels[at] * 19595u + image.pixels[at + 1] * 38470u + image.pixels[at + 2] * 7471u + 0x8000u) >>
                16));
    }
    return made;
}

bool is_image_name(const std::filesystem::path& path) {
    std::string ending = text::lower(path.extension().string());
    return ending == ".png" || ending == ".jpg" || ending == ".jpeg";
}

/// Images under a folder in the order of os.walk() and sorted(): the files of a folder first, then its sub-folders, by
/// name.
void collect_images(const std::filesystem::path& folder, std::int64_t label, int depth,
                    std::vector<ImageFolder::Sample>& samples) {
    std::vector<std::filesystem::path> files, folders;
    for (const auto& entry : std::filesystem::directory_iterator(folder)) {
        // Follows links to folders, as torchvision does; a cycle ends at the depth limit.
        if (entry.is_directory())
            folders.push_back(entry.path());
        else if (entry.is_regular_file() && is_image_name(entry.path()))
            files.push_back(entry.path());
    }
    std::sort(files.begin(), files.end());
    std::sort(folders.begin(), folders.end());
    for (std::filesystem::path& file : files)
        samples.push_back({std::move(file), label});
    if (depth >= 32 && !folders.empty())
        throw UserError("{} is more than 32 folders deep: is there a circle of links?", folder.string());
    for (const std::filesystem::path& inner : folders)
        collect_images(inner, label, depth + 1, samples);
}

}  // namespace

void refuse_image(const std::string& where, const Message& why) {
    throw UserError("{} cannot be read as an image: {}", where, why);
}

void check_pixels(std::int64_t height, std::int64_t width, std::int64_t pixel_limit, const std::string& where) {
    if (height <= 0 || width <= 0 || height > pixel_limit / width)
        refuse_image(
            where, Message("it claims {} × {} pixels, more than the {} that are allowed", width, height, pixel_limit));
}

Image decode_image(std::span<const std::byte> bytes, const std::string& where, ImageMode mode,
                   std::int64_t pixel_limit) {
    static constexpr unsigned char kPng[] = {0x89, 'P', 'N', 'G', '\r', '\n', 0x1a, '\n'};
    static constexpr unsigned char kJpeg[] = {0xff, 0xd8, 0xff};
    auto begins = [&](auto& magic) {
        return bytes.size() >= sizeof magic && std::memcmp(bytes.data(), magic, sizeof magic) == 0;
    };
    const bool is_png = begins(kPng);
    if (!is_png && !begins(kJpeg))
        refuse_image(where, "it is neither PNG nor JPEG");
    if (mode == ImageMode::classes && !is_png)
        refuse_image(where, "it is JPEG, which changes the classes that a mask holds: save it as PNG");
    Image image = is_png ? decode_png(bytes, where, pixel_limit, mode) : decode_jpeg(bytes, where, pixel_limit);
    return turned(converted(std::move(image), mode), exif_orientation(bytes));
}

Image read_image(const std::filesystem::path& path, ImageMode mode) {
    SourceFile file(path);
    if (file.size() > kFileLimit)
        refuse_image(path.string(), Message("it has {}", text::file_size(file.size())));
    return decode_image(file.read(0, file.size()), path.string(), mode);
}

ImageFolder::ImageFolder(const std::filesystem::path& folder) {
    std::vector<std::string> empty;
    try {
        for (const auto& entry : std::filesystem::directory_iterator(folder))
            if (entry.is_directory())
                classes_.push_back(entry.path().filename().string());
        std::sort(classes_.begin(), classes_.end());
        for (std::size_t label = 0; label < classes_.size(); ++label) {
            std::size_t before = samples_.size();
            collect_images(folder / classes_[label], static_cast<std::int64_t>(label), 0, samples_);
            if (samples_.size() == before)
                empty.push_back(classes_[label]);
        }
    } catch (const std::filesystem::filesystem_error& error) {
        throw UserError("cannot read the images of {}: {}", folder.string(), error.code().message());
    }
    if (classes_.empty())
        throw UserError(
            "{} has no sub-folders: put the images of each class in a folder with the "
            "class's name",
            folder.string());
    if (!empty.empty())
        throw UserError("{}: {} {}", folder.string(),
                        empty.size() == 1 ? Message("there is no image (.png .jpg .jpeg) in the class folder")
                                          : Message("there is no image (.png .jpg .jpeg) in the class folders"),
                        fmt::to_string(fmt::join(empty, ", ")));
}

ImageFolder ImageFolder::by_names(const std::vector<std::filesystem::path>& folders, const std::string& expression) {
    const Regex pattern(expression);
    ImageFolder made;
    std::vector<std::string> names;
    for (const std::filesystem::path& folder : folders)
        try {
            collect_images(folder, 0, 0, made.samples_);
        } catch (const std::filesystem::filesystem_error& error) {
            throw UserError("cannot read the images of {}: {}", folder.string(), error.code().message());
        }
    if (made.samples_.empty())
        throw UserError("data.path: there is no image (.png .jpg .jpeg) in {}", folders.front().string());
    for (const Sample& sample : made.samples_) {
        const std::string file = sample.path.filename().string();
        const auto found = text::is_utf8(file) ? pattern.first_group(file) : std::nullopt;
        if (!found || found->empty())
            throw UserError(
                "data.label_pattern: '{}' finds no class in the name of {}: correct the expression, or move the file "
                "away",
                expression, sample.path.string());
        names.emplace_back(*found);
    }
    made.classes_ = names;
    std::ranges::sort(made.classes_);
    made.classes_.erase(std::ranges::unique(made.classes_).begin(), made.classes_.end());
    for (std::size_t i = 0; i < names.size(); ++i)
        made.samples_[i].label = std::ranges::lower_bound(made.classes_, names[i]) - made.classes_.begin();
    return made;
}

std::vector<ImagePair> pair_images(const std::vector<std::filesystem::path>& folders,
                                   const std::filesystem::path& masks) {
    const auto images_of = [](const std::filesystem::path& folder) {
        std::vector<ImageFolder::Sample> found;
        try {
            collect_images(folder, 0, 0, found);
        } catch (const std::filesystem::filesystem_error& error) {
            throw UserError("cannot read the images of {}: {}", folder.string(), error.code().message());
        }
        return found;
    };
    const auto place_of = [](const std::filesystem::path& file, const std::filesystem::path& folder) {
        return file.lexically_relative(folder).replace_extension().string();
    };
    std::map<std::string, std::filesystem::path> by_place;
    for (const ImageFolder::Sample& each : images_of(masks))
        if (text::lower(each.path.extension().string()) == ".png")
            by_place.emplace(place_of(each.path, masks), each.path);
    std::vector<ImagePair> pairs;
    for (const std::filesystem::path& folder : folders)
        for (const ImageFolder::Sample& each : images_of(folder)) {
            const auto mask = by_place.find(place_of(each.path, folder));
            if (mask == by_place.end())
                throw UserError("{} has no mask: {} is missing", each.path.string(),
                                (masks / (place_of(each.path, folder) + ".png")).string());
            pairs.push_back({each.path, mask->second});
        }
    if (pairs.empty())
        throw UserError("data.path: there is no image (.png .jpg .jpeg) in {}", folders.front().string());
    return pairs;
}

}  // namespace trainyard::formats
