// SPDX-License-Identifier: GPL-3.0-or-later
#include "desktop/data/data_look.h"

#include <algorithm>
#include <array>
#include <cctype>
#include <cmath>
#include <filesystem>
#include <fstream>
#include <map>
#include <mutex>
#include <optional>
#include <span>
#include <tuple>
#include <vector>

#include <QCoreApplication>
#include <QLocale>

#include "base/error.h"
#include "base/text.h"
#include "base/text_file.h"
#include "base/utf8.h"
#include "config/inputs/byte_corpus.h"
#include "config/inputs/class_reader.h"
#include "config/inputs/image_processor.h"
#include "config/inputs/masks.h"
#include "config/inputs/sound_processor.h"
#include "config/inputs/table_columns.h"
#include "config/inputs/text_tokens.h"
#include "desktop/text/qt_text.h"
#include "formats/tables/image.h"
#include "formats/tables/megatron_set.h"
#include "formats/tables/sound.h"
#include "formats/tables/table_set.h"
#include "models/spec/labels.h"
#include "models/spec/tasks.h"

namespace trainyard::desktop {

namespace {

namespace fs = std::filesystem;

constexpr std::size_t kSampleBytes = 160;
constexpr std::size_t kSampleFiles = 3;
constexpr std::int64_t kPreviewRows = 20;
constexpr qsizetype kCellLetters = 200;
constexpr std::int64_t kCellElements = 12;
constexpr std::size_t kMostRowsBytes = 64u << 20;      ///< of the first rows together
constexpr std::uint64_t kMostPictureFile = 64u << 20;  ///< bytes of an image that is decoded
constexpr std::int64_t kMostPicturePixels = 40'000'000;
constexpr std::size_t kMostPictures = 400;  ///< that are kept for the next look
constexpr std::size_t kMostStamps = 2000;   ///< files whose change is noticed
constexpr std::int64_t kLabelRows = 200'000;

const std::vector<std::string>& image_endings() {
    static const std::vector<std::string> endings{".png", ".jpg", ".jpeg", ".bmp", ".webp", ".gif"};
    return endings;
}

const std::vector<std::string>& sound_endings() {
    static const std::vector<std::string> endings{".wav",  ".flac", ".mp3",  ".ogg",  ".oga",
                                                  ".opus", ".aif",  ".aiff", ".aifc", ".m4a"};
    return endings;
}

bool has_ending(const fs::path& file, const std::vector<std::string>& endings) {
    std::string ending = file.extension().string();
    std::ranges::transform(ending, ending.begin(), [](unsigned char c) { return static_cast<char>(std::tolower(c)); });
    return std::ranges::find(endings, ending) != endings.end();
}

/// Throws UserError, also if there are none.
std::vector<fs::path> files_of(const config::DataRecipe& data) {
    using enum config::DataFormat;
    if (!is_one_of(data.format, {bytes, images, audio}))
        return formats::find_files(data.paths, data.pattern);
    std::vector<fs::path> files = inputs::corpus_files(data);
    if (data.format != bytes)
        std::erase_if(files, [&](const fs::path& file) {
            return !has_ending(file, data.format == images ? image_endings() : sound_endings());
        });
    if (files.empty())
        throw UserError("no file in {} is of the format {}", data.paths.front(), choice_name(data.format));
    return files;
}

std::uint64_t size_of(const fs::path& file) {
    std::error_code error;
    const std::uint64_t size = fs::file_size(file, error);
    return error ? 0 : size;
}

/// Some words from the middle of a file: many begin with the same head.
QString sample_of(const fs::path& file) {
    std::ifstream in(file, std::ios::binary);
    const std::uint64_t size = size_of(file);
    in.seekg(static_cast<std::streamoff>(size > 2 * kSampleBytes ? size / 2 : 0));
    std::string bytes(kSampleBytes, '\0');
    in.read(bytes.data(), static_cast<std::streamsize>(bytes.size()));
    bytes.resize(static_cast<std::size_t>(in.gcount()));
    // The first letter may have been cut in two.
    std::size_t first = 0;
    while (first < bytes.size() && first < 3 && (static_cast<unsigned char>(bytes[first]) & 0xC0u) == 0x80)
        ++first;
    return QString::fromUtf8(bytes.data() + first, static_cast<qsizetype>(bytes.size() - first)).simplified();
}

using Endings = std::map<std::string, std::pair<std::size_t, std::uint64_t>>;

/// By ending: files and bytes. Files without one are not counted: `*` would take everything else, too.
Endings endings_of(const config::DataRecipe& data) {
    Endings endings;
    try {
        for (const fs::path& file : files_of(data))
            if (const std::string ending = file.extension().string(); ending.size() > 1) {
                auto& [files, bytes] = endings[ending];
                ++files;
                bytes += size_of(file);
            }
    } catch (const UserError&) {
        // Nothing there matches.
    }
    return endings;
}

/// Text, images, audio or a format of rows, by what most bytes are.
QString format_of_endings(const Endings& endings) {
    std::map<QString, std::uint64_t> bytes;
    for (const auto& [ending, files] : endings) {
        const fs::path file = "x" + ending;
        const QString format = has_ending(file, image_endings())   ? QStringLiteral("images")
                               : has_ending(file, sound_endings()) ? QStringLiteral("audio")
                                                                   : qt(inputs::row_format_by_ending(file));
        bytes[format] += files.second;
    }
    const auto most = std::ranges::max_element(bytes, {}, [](const auto& each) { return each.second; });
    return most == bytes.end() ? QString() : most->first;
}

QString number_text(const formats::Column& column, std::int64_t at) {
    try {
        const double number = inputs::ClassReader::number(column, at);
        return QString::number(number, 'g', number == std::round(number) ? 16 : 8);
    } catch (const UserError&) {
        return QStringLiteral("…");
    }
}

/// Pictures and other bytes that are not text: how many they are.
QString text_or_size(std::string_view bytes) {
    return qt(text::find_fault(bytes) ? text::file_size(bytes.size()) : std::string(bytes));
}

/// A row of a column as one line.
QString cell_text(const formats::Column& column, std::int64_t row) {
    if (column.is_missing(row))
        return {};
    const bool is_text = column.field.type == formats::ElementType::text;
    const std::int64_t first = column.begin_of(row), last = column.end_of(row);
    QStringList parts;
    for (std::int64_t at = first; at < std::min(last, first + kCellElements); ++at)
        parts << (is_text ? text_or_size(column.text(at)) : number_text(column, at));
    if (last - first > kCellElements)
        parts << QStringLiteral("…");
    QString text = parts.join(QStringLiteral(", ")).simplified();
    if (text.size() > kCellLetters)
        text = text.left(kCellLetters) + QStringLiteral("…");
    return column.field.list || last - first != 1 ? QLatin1Char('[') + text + QLatin1Char(']') : text;
}

class DataWords {
    Q_DECLARE_TR_FUNCTIONS(trainyard::desktop::DataLook)
};

QString seconds_text(double seconds) {
    return DataWords::tr("%1 s").arg(QLocale().toString(seconds, 'f', seconds < 10 ? 2 : 1));
}

/// A picture at most kPictureSide pixels wide and high: the mean of the pixels that become one.
DataPicture small_picture(const formats::Image& image) {
    constexpr int kSide = DataLook::kPictureSide;
    const std::int64_t longest = std::max<std::int64_t>({1, image.width, image.height});
    const double scale = std::min(1.0, static_cast<double>(kSide) / static_cast<double>(longest));
    DataPicture made;
    made.width = std::max(1, static_cast<int>(static_cast<double>(image.width) * scale));
    made.height = std::max(1, static_cast<int>(static_cast<double>(image.height) * scale));
    made.pixels.resize(made.width * made.height * 3);
    for (int y = 0; y < made.height; ++y)
        for (int x = 0; x < made.width; ++x) {
            const std::int64_t x0 = x * image.width / made.width, y0 = y * image.height / made.height;
            const std::int64_t x1 = std::max(x0 + 1, (x + 1) * image.width / made.width),
                               y1 = std::max(y0 + 1, (y + 1) * image.height / made.height);
            for (std::int64_t channel = 0; channel < 3; ++channel) {
                std::int64_t sum = 0;
                for (std::int64_t v = y0; v < y1; ++v)
                    for (std::int64_t u = x0; u < x1; ++u)
                        sum += image.pixels[static_cast<std::size_t>((v * image.width + u) * image.channels +
                                                                     std::min(channel, image.channels - 1))];
                made.pixels[(y * made.width + x) * 3 + static_cast<int>(channel)] =
                    static_cast<char>(sum / ((x1 - x0) * (y1 - y0)));
            }
        }
    return made;
}

/// Pixels of a mask in colours of their classes; those that the loss does not count are grey.
formats::Image coloured_mask(const formats::Image& mask, const inputs::MaskClasses& classes) {
    static constexpr std::array<std::array<std::uint8_t, 3>, 8> colours{{{64, 110, 220},
                                                                         {230, 140, 40},
                                                                         {60, 170, 90},
                                                                         {200, 70, 80},
                                                                         {150, 90, 200},
                                                                         {120, 90, 60},
                                                                         {220, 110, 180},
                                                                         {50, 180, 190}}};
    formats::Image made{mask.height, mask.width, 3, {}};
    made.pixels.reserve(mask.pixels.size() * 3);
    for (const std::uint8_t value : mask.pixels) {
        const std::int64_t number = classes.of_value()[value];
        const std::array<std::uint8_t, 3> grey{128, 128, 128};
        const auto& colour = number < 0 ? grey : colours[static_cast<std::size_t>(number) % colours.size()];
        made.pixels.insert(made.pixels.end(), colour.begin(), colour.end());
    }
    return made;
}

struct PictureOfFile {
    DataPicture picture;
    std::int64_t width = 0, height = 0;  ///< of the image
};

/// Pictures of files that were looked at, so that a key in a form does not decode them again.
class PictureCache {
  public:
    template <class Make>
    PictureOfFile get(const fs::path& file, const std::string& kind, Make make) {
        std::error_code error;
        const auto changed = fs::last_write_time(file, error);
        const Key key{file.string() + kind, size_of(file), changed.time_since_epoch().count()};
        {
            const std::lock_guard lock(mutex_);
            if (const auto found = pictures_.find(key); found != pictures_.end())
                return found->second;
        }
        PictureOfFile made;
        try {
            if (size_of(file) > kMostPictureFile)
                throw UserError("{} has {}, too much for a preview", file.string(), text::file_size(size_of(file)));
            made = make();
        } catch (const UserError& failure) {
            made.picture.problem = qtSentence(failure.message());
        } catch (const std::exception& failure) {
            made.picture.problem = qt(failure.what());
        }
        const std::lock_guard lock(mutex_);
        if (pictures_.size() >= kMostPictures)
            pictures_.clear();
        pictures_[key] = made;
        return made;
    }
    static PictureCache& instance() {
        static PictureCache cache;
        return cache;
    }

  private:
    using Key = std::tuple<std::string, std::uint64_t, std::int64_t>;
    std::mutex mutex_;
    std::map<Key, PictureOfFile> pictures_;
};

std::vector<std::byte> bytes_of_file(const fs::path& file) {
    std::ifstream in(file, std::ios::binary);
    std::vector<std::byte> bytes(size_of(file));
    in.read(reinterpret_cast<char*>(bytes.data()), static_cast<std::streamsize>(bytes.size()));
    bytes.resize(static_cast<std::size_t>(std::max<std::streamsize>(0, in.gcount())));
    return bytes;
}

PictureOfFile picture_of(const fs::path& file) {
    return PictureCache::instance().get(file, "", [&] {
        const formats::Image image =
            formats::decode_image(bytes_of_file(file), file.string(), formats::ImageMode::rgb, kMostPicturePixels);
        return PictureOfFile{small_picture(image), image.width, image.height};
    });
}

QString relative_name(const fs::path& file, const config::DataRecipe& data) {
    for (const std::string& path : data.paths)
        if (const fs::path relative = file.lexically_relative(path); !relative.empty() && *relative.begin() != "..")
            return qt(relative == "." ? file.filename().string() : relative.string());
    return qt(file.filename().string());
}

/// Images of all classes: neighbours in a folder are alike, so the rows are spread over all.
void look_at_images(const config::Recipe& recipe, const std::vector<fs::path>& files, DataLook& look) {
    const config::DataRecipe& data = recipe.data;
    const auto spread = [](std::size_t count, auto use) {
        const std::size_t rows = std::min<std::size_t>(count, kPreviewRows);
        for (std::size_t i = 0; i < rows; ++i)
            use(i * count / rows);
    };
    const auto add = [&](const fs::path& file, const PictureOfFile& made, const QString& what) {
        QStringList cells{QString()};
        if (!data.mask_path.empty())
            cells << QString();
        cells << relative_name(file, data);
        if (!what.isEmpty())
            cells << what;
        cells << (made.width > 0 ? QStringLiteral("%1 × %2").arg(made.width).arg(made.height) : made.picture.problem);
        look.rows << cells;
        look.pictures << QVector<DataPicture>{made.picture};
    };
    const auto name_columns = [&](const QStringList& names) {
        look.columns = names;
        look.column_types = QStringList(names.size(), DataWords::tr("image folder"));
        look.all_columns = names.size();
    };
    try {
        if (recipe.model.task == families::kSemanticSegmentation && !data.mask_path.empty()) {
            const inputs::MaskClasses classes(recipe, inputs::image_processor_of(recipe));
            const std::vector<formats::ImagePair> pairs = inputs::masked_images(data);
            name_columns({DataWords::tr("image"), DataWords::tr("mask"), DataWords::tr("file"), DataWords::tr("size")});
            spread(pairs.size(), [&](std::size_t i) {
                add(pairs[i].image, picture_of(pairs[i].image), {});
                const std::string kind = Message("{} {} {}", recipe.model.num_labels,
                                                 recipe.model.semantic_loss_ignore_index, data.reduce_labels)
                                             .text();
                look.pictures.last() << PictureCache::instance()
                                            .get(pairs[i].mask, kind,
                                                 [&] {
                                                     const formats::Image mask = formats::decode_image(
                                                         bytes_of_file(pairs[i].mask), pairs[i].mask.string(),
                                                         formats::ImageMode::classes, kMostPicturePixels);
                                                     return PictureOfFile{small_picture(coloured_mask(mask, classes)),
                                                                          mask.width, mask.height};
                                                 })
                                            .picture;
            });
            return;
        }
        std::vector<formats::ImageFolder> folders;
        if (!data.label_pattern.empty())
            folders.push_back(
                formats::ImageFolder::by_names({data.paths.begin(), data.paths.end()}, data.label_pattern));
        else
            for (const std::string& path : data.paths)
                folders.emplace_back(fs::path(path));
        const formats::ImageFolder& folder = folders.at(0);
        name_columns({DataWords::tr("image"), DataWords::tr("file"), DataWords::tr("class"), DataWords::tr("size")});
        look.class_count = std::ssize(folder.classes());
        spread(folder.samples().size(), [&](std::size_t i) {
            const formats::ImageFolder::Sample& sample = folder.samples()[i];
            add(sample.path, picture_of(sample.path), qt(folder.classes()[static_cast<std::size_t>(sample.label)]));
        });
    } catch (const std::exception&) {
        // The check of the recipe reports folders without classes or masks. The images are shown all the same.
        look.rows.clear();
        look.pictures.clear();
        config::DataRecipe plain = data;
        plain.mask_path.clear();
        name_columns({DataWords::tr("image"), DataWords::tr("file"), DataWords::tr("size")});
        spread(files.size(), [&](std::size_t i) {
            const PictureOfFile made = picture_of(files[i]);
            look.rows << QStringList{
                {},
                relative_name(files[i], plain),
                made.width > 0 ? QStringLiteral("%1 × %2").arg(made.width).arg(made.height) : made.picture.problem};
            look.pictures << QVector<DataPicture>{made.picture};
        });
    }
}

void look_at_recordings(const config::Recipe& recipe, const std::vector<fs::path>& files, DataLook& look) {
    look.columns = {DataWords::tr("file"), DataWords::tr("length"), DataWords::tr("samples a second"),
                    DataWords::tr("channels"), DataWords::tr("used")};
    look.column_types = QStringList(look.columns.size(), DataWords::tr("recording"));
    look.all_columns = look.columns.size();
    const config::DataRecipe& data = recipe.data;
    for (const fs::path& file : std::span(files).first(std::min<std::size_t>(files.size(), kPreviewRows)))
        try {
            const formats::SoundInfo info = formats::read_sound_info(file);
            const double length =
                info.rate > 0 ? static_cast<double>(info.samples) / static_cast<double>(info.rate) : 0;
            const bool is_short = length < data.min_duration_in_seconds;
            look.rows << QStringList{
                relative_name(file, data), seconds_text(length), QLocale().toString(qlonglong{info.rate}),
                QLocale().toString(qlonglong{info.channels}),
                is_short ? DataWords::tr("no: too short")
                         : (data.max_duration_in_seconds > 0 && length > data.max_duration_in_seconds
                                ? DataWords::tr("the first %1").arg(seconds_text(data.max_duration_in_seconds))
                                : DataWords::tr("all of it"))};
        } catch (const UserError& error) {
            look.rows << QStringList{relative_name(file, data), QString(), QString(), QString(),
                                     qtSentence(error.message())};
        }
}

void look_at_megatron(const config::Recipe& recipe, DataLook& look) {
    look.columns = {DataWords::tr("sequence"), DataWords::tr("tokens"), DataWords::tr("first tokens")};
    look.column_types = QStringList(look.columns.size(), DataWords::tr("indexed tokens"));
    look.all_columns = look.columns.size();
    try {
        std::int64_t at = 0;
        for (const std::string& path : recipe.data.paths) {
            const formats::MegatronSet set{fs::path(path)};
            look.tokens += static_cast<std::uint64_t>(set.tokens());
            for (std::int64_t i = 0; i < set.sequences() && look.rows.size() < kPreviewRows; ++i, ++at) {
                const std::int64_t count = set.lengths()[static_cast<std::size_t>(i)];
                std::vector<std::int64_t> ids(static_cast<std::size_t>(std::min(count, kCellElements)));
                set.read(i, 0, ids);
                QStringList numbers;
                for (const std::int64_t id : ids)
                    numbers << QString::number(id);
                if (count > kCellElements)
                    numbers << QStringLiteral("…");
                look.rows << QStringList{QString::number(at), QLocale().toString(qlonglong{count}),
                                         numbers.join(QStringLiteral(", "))};
            }
        }
    } catch (const UserError& error) {
        look.problem = qtSentence(error.message());
    }
}

/// Samples of bytes, as training cuts them.
void look_at_bytes(DataLook& look) {
    look.columns = {DataWords::tr("sample")};
    look.column_types = {DataWords::tr("bytes")};
    look.all_columns = 1;
    for (const inputs::SamplePreview& sample : look.samples_as_tokens.rows) {
        QString text;
        for (const inputs::PreviewToken& token : sample.tokens)
            text += qt(token.text);
        text.replace(QLatin1Char('\n'), QStringLiteral("⏎"));
        look.rows << QStringList{sample.problem.empty() ? text.left(kCellLetters) : qtSentence(sample.problem)};
    }
}

/// An image in a column of bytes, or of pixels; nothing for other values.
std::optional<DataPicture> picture_in(const formats::Column& column, std::int64_t row) {
    const formats::Field& field = column.field;
    if (column.is_missing(row) || field.list)
        return std::nullopt;
    try {
        if (field.type == formats::ElementType::text && field.shape.empty()) {
            const std::string_view bytes = column.text(column.begin_of(row));
            if (!bytes.starts_with("\x89PNG") && !bytes.starts_with("\xFF\xD8\xFF"))
                return std::nullopt;
            return small_picture(formats::decode_image(std::as_bytes(std::span(bytes)), field.name,
                                                       formats::ImageMode::rgb, kMostPicturePixels));
        }
        const std::vector<std::int64_t>& shape = field.shape;
        const bool grey = shape.size() == 2, colour = shape.size() == 3 && (shape[2] == 1 || shape[2] == 3);
        if (field.type != formats::ElementType::u8 || (!grey && !colour) || shape[0] < 2 || shape[1] < 2 ||
            shape[0] * shape[1] > kMostPicturePixels)
            return std::nullopt;
        formats::Image image{shape[0], shape[1], grey ? 1 : shape[2], {}};
        const auto values = column.values<std::uint8_t>();
        const auto begin = static_cast<std::size_t>(column.begin_of(row));
        image.pixels.assign(
            values.begin() + static_cast<std::ptrdiff_t>(begin),
            values.begin() + static_cast<std::ptrdiff_t>(begin + static_cast<std::size_t>(field.elements())));
        return small_picture(image);
    } catch (const std::exception& error) {
        return DataPicture{0, 0, {}, qt(error.what())};
    }
}

/// Whether a column with a usual name holds lists of tables with a role.
bool has_conversations(const DataLook& look) {
    for (const char* name : {"messages", "conversations", "conversation"})
        if (const auto column = look.columns.indexOf(QLatin1String(name)); column >= 0)
            return !look.rows.isEmpty() && look.rows.first()[column].startsWith(QLatin1String("[{")) &&
                   std::ranges::any_of(std::array{"\"role\"", "\"from\"", "\"content\""}, [&](const char* key) {
                       return look.rows.first()[column].contains(QLatin1String(key));
                   });
    return false;
}

/// Columns, first rows and classes of a table.
void look_at_table(const config::Recipe& recipe, const std::vector<fs::path>& files, DataLook& look) {
    formats::ReadOptions options;
    options.format = inputs::table_format(recipe.data.format);
    options.only_readable = true;
    options.record_limit = inputs::kMostPreviewRecord;
    options.memory_limit = inputs::kMostPreviewMemory;
    options.on_corrupt = [&look](const formats::CorruptRows& rows) {
        look.left_out += rows.count;
        if (look.left_out_why.isEmpty())
            look.left_out_why = qtSentence(rows.message);
    };
    try {
        const std::unique_ptr<formats::TableReader> reader = formats::open_table(files.front(), options);
        look.left_out = 0;  // opening looks at the rows, too
        look.left_out_why.clear();
        const formats::Schema& schema = reader->schema();
        look.all_columns = std::ssize(schema);
        for (const formats::Field& field :
             std::span(schema).first(std::min<std::size_t>(schema.size(), DataLook::kMostColumns))) {
            look.columns << qt(field.name);
            const QString described = qtClause(field.describe());
            look.column_types << described.mid(described.indexOf(QStringLiteral(": ")) + 2);
        }
        QVector<DataPicture> none(look.columns.size());
        bool has_pictures = false;
        for (std::size_t bytes = 0; look.rows.size() < kPreviewRows && bytes < kMostRowsBytes;) {
            const formats::Table table = reader->next(std::min<std::int64_t>(4, kPreviewRows - look.rows.size()));
            if (table.rows == 0)
                break;
            bytes += table.bytes();
            for (std::int64_t row = 0; row < table.rows; ++row) {
                QStringList cells;
                QVector<DataPicture> pictures = none;
                for (int i = 0; i < look.columns.size(); ++i) {
                    const formats::Column& column = table.columns[static_cast<std::size_t>(i)];
                    if (auto picture = picture_in(column, row)) {
                        pictures[i] = std::move(*picture);
                        has_pictures = true;
                    }
                    cells << cell_text(column, row);
                }
                look.rows << cells;
                look.pictures << pictures;
            }
        }
        if (!has_pictures)
            look.pictures.clear();
        look.conversations = has_conversations(look);
    } catch (const UserError& error) {
        look.problem = qtSentence(error.message());
    } catch (const std::exception& error) {
        look.problem = qt(error.what());
    }
    try {
        const inputs::TableColumns chosen =
            inputs::choose_columns(recipe.data, recipe.model.task, recipe.model.loss, files);
        for (const auto& [key, name] : chosen.names)
            look.uses.insert(qt(key), qt(name));
        if (inputs::has_classes(recipe)) {
            const inputs::ColumnClasses classes = inputs::classes_of_column(recipe, kLabelRows);
            look.class_count = classes.count;
            for (const std::string& name : classes.names)
                look.classes << qt(name);
        }
    } catch (const std::exception&) {
        // The check of the recipe reports columns that cannot be used.
    }
}

/// The files that the rows are read from, and a stamp of all of them.
using Stamps = std::vector<std::tuple<std::string, std::uint64_t, std::int64_t>>;
Stamps stamps_of(const config::DataRecipe& data, const std::vector<fs::path>& files) {
    Stamps stamps;
    const auto add = [&](const fs::path& file) {
        std::error_code error;
        stamps.emplace_back(file.string(), size_of(file), fs::last_write_time(file, error).time_since_epoch().count());
    };
    for (const fs::path& file : std::span(files).first(std::min(files.size(), kMostStamps)))
        add(file);
    if (data.format == config::DataFormat::megatron)
        for (const std::string& path : data.paths)
            for (const char* ending : {"", ".bin", ".idx"})
                add(path + ending);
    if (!data.tokenizer.empty()) {
        const fs::path file = inputs::tokenizer_file(data);
        add(file);
        for (const char* beside : {"tokenizer_config.json", "chat_template.jinja"})
            add(file.parent_path() / beside);
    }
    return stamps;
}

/// Rows, pictures and tokens, which cost most. The last one is kept: a form looks again at every key.
struct LastLook {
    std::mutex mutex;
    std::optional<config::Recipe> of;
    Stamps stamps;
    DataLook look;
};

void look_at_rows(const config::Recipe& recipe, const std::vector<fs::path>& files, DataLook& look) {
    static LastLook last;
    const Stamps stamps = stamps_of(recipe.data, files);
    {
        const std::lock_guard lock(last.mutex);
        if (last.of && last.of->data == recipe.data && last.of->model == recipe.model && last.stamps == stamps) {
            DataLook same = last.look;
            same.files = look.files;
            same.bytes = look.bytes;
            same.format = look.format;
            look = std::move(same);
            return;
        }
    }
    using enum config::DataFormat;
    const config::DataFormat format = recipe.data.format;
    look.samples_as_tokens = inputs::preview_samples(recipe, files, kPreviewRows);
    if (format == bytes)
        look_at_bytes(look);
    else if (format == images)
        look_at_images(recipe, files, look);
    else if (format == audio)
        look_at_recordings(recipe, files, look);
    else if (format == megatron)
        look_at_megatron(recipe, look);
    else if (inputs::is_table_format(format) && !files.empty())
        look_at_table(recipe, files, look);
    const std::lock_guard lock(last.mutex);
    last.of = recipe;
    last.stamps = stamps;
    last.look = look;
}

}  // namespace

DataLook look_at_data(const config::Recipe& recipe) {
    const config::DataRecipe& data = recipe.data;
    DataLook look;
    if (data.paths.empty())
        return look;
    config::DataRecipe any = data;
    any.format = config::DataFormat::bytes;  // which takes files of all endings
    look.format = format_of_endings(endings_of(any));
    std::vector<fs::path> files;
    if (data.format == config::DataFormat::megatron) {  // whose paths are names of two files
        look.files = data.paths.size();
        for (const auto& [path, size, changed] : stamps_of(data, {}))
            look.bytes += path.ends_with(".bin") ? size : 0;
        look_at_rows(recipe, {}, look);
        return look;
    }
    try {
        files = files_of(data);
    } catch (const UserError& error) {
        look.problem = qtSentence(error.message());
        any = data;
        any.pattern.assign(1, '*');  // g++ 12 warns of the assignment of a literal here
        const Endings endings = endings_of(any);
        const auto most = std::max_element(endings.begin(), endings.end(), [](const auto& a, const auto& b) {
            return a.second.second < b.second.second;
        });
        if (most != endings.end()) {
            look.pattern = QLatin1Char('*') + qt(most->first);
            std::tie(look.pattern_files, look.pattern_bytes) = most->second;
        }
        return look;
    }
    look.files = files.size();
    for (const fs::path& file : files)
        look.bytes += size_of(file);
    if (data.format == config::DataFormat::bytes)
        look.tokens = look.bytes + (files.empty() ? 0 : files.size() - 1);
    look_at_rows(recipe, files, look);
    using enum config::DataFormat;
    if (look.columns.isEmpty() && is_one_of(data.format, {text, jsonl, csv}))
        for (std::size_t i = 0; i < std::min(kSampleFiles, files.size()); ++i)
            look.samples << sample_of(files[i * files.size() / std::min(kSampleFiles, files.size())]);
    return look;
}

}  // namespace trainyard::desktop
