// SPDX-License-Identifier: GPL-3.0-or-later
#include "desktop/wizard/data_look.h"

#include <algorithm>
#include <cmath>
#include <filesystem>
#include <fstream>
#include <map>
#include <vector>

#include "base/error.h"
#include "base/text.h"
#include "base/text_file.h"
#include "config/inputs/byte_corpus.h"
#include "config/inputs/class_reader.h"
#include "config/inputs/table_columns.h"
#include "config/inputs/text_tokens.h"
#include "desktop/qt_text.h"
#include "formats/tables/table_set.h"
#include "models/spec/tasks.h"

namespace trainyard::desktop {

namespace {

namespace fs = std::filesystem;

constexpr std::size_t kSampleBytes = 160;
constexpr std::size_t kSampleFiles = 3;
constexpr std::int64_t kPreviewRows = 20;
constexpr qsizetype kCellLetters = 200;
constexpr std::int64_t kCellElements = 12;
constexpr qsizetype kMostTokens = 64;
constexpr std::int64_t kLabelRows = 200'000;

std::vector<fs::path> files_of(const config::DataRecipe& data) {
    return data.format == config::DataFormat::bytes ? inputs::corpus_files(data)
                                                    : formats::find_files(data.paths, data.pattern);
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
        static const std::vector<std::string> pictures{".png", ".jpg", ".jpeg", ".bmp", ".webp", ".gif"};
        static const std::vector<std::string> sounds{".wav", ".WAV", ".flac", ".mp3", ".ogg", ".opus", ".m4a"};
        const QString format = std::ranges::find(pictures, ending) != pictures.end() ? QStringLiteral("images")
                               : std::ranges::find(sounds, ending) != sounds.end()
                                   ? QStringLiteral("audio")
                                   : qt(inputs::row_format_by_ending("x" + ending));
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

void look_at_tokens(const config::DataRecipe& data, const std::string& text, DataLook& look) {
    if (data.tokenizer.empty() || text.empty())
        return;
    try {
        const tokenizers::Tokenizer tokenizer = tokenizers::Tokenizer::from_file(inputs::tokenizer_file(data));
        for (const tokenizers::Id id : tokenizer.encode(text.substr(0, 2000), true).ids) {
            if (look.token_texts.size() == kMostTokens)
                return;
            look.token_texts << qt(tokenizer.decode({id}, false));
        }
    } catch (const std::exception&) {
        look.token_texts.clear();  // the check of the recipe reports a tokenizer that cannot be used
    }
}

/// Columns, first rows and classes of a table.
void look_at_table(const config::Recipe& recipe, const std::vector<fs::path>& files, DataLook& look) {
    formats::ReadOptions options;
    options.format = inputs::table_format(recipe.data.format);
    options.only_readable = true;
    options.on_corrupt = [](const formats::CorruptRows&) {};
    std::string first_text;
    try {
        const std::unique_ptr<formats::TableReader> reader = formats::open_table(files.front(), options);
        for (const formats::Field& field : reader->schema()) {
            look.columns << qt(field.name);
            const QString described = qtClause(field.describe());
            look.column_types << described.mid(described.indexOf(QStringLiteral(": ")) + 2);
        }
        const formats::Table table = reader->next(kPreviewRows);
        for (std::int64_t row = 0; row < table.rows; ++row) {
            QStringList cells;
            for (const formats::Column& column : table.columns)
                cells << cell_text(column, row);
            look.rows << cells;
        }
        const inputs::TableColumns chosen =
            inputs::choose_columns(recipe.data, recipe.model.task, recipe.model.loss, files);
        for (const auto& [key, name] : chosen.names)
            look.uses.insert(qt(key), qt(name));
        const formats::Column* text = table.find(chosen.names.at("data.column"));
        if (text != nullptr && table.rows > 0 && text->field.type == formats::ElementType::text && !text->field.list)
            first_text = std::string(text->text(0));
        if (inputs::has_classes(recipe)) {
            const inputs::ColumnClasses classes = inputs::classes_of_column(recipe, kLabelRows);
            look.class_count = classes.count;
            for (const std::string& name : classes.names)
                look.classes << qt(name);
        }
    } catch (const std::exception&) {
        // The check of the recipe reports files and columns that cannot be read.
    }
    look_at_tokens(recipe.data, first_text, look);
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
    try {
        files = files_of(data);
    } catch (const UserError&) {
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
    using enum config::DataFormat;
    if (is_one_of(data.format, {bytes, text, jsonl, csv}))
        for (std::size_t i = 0; i < std::min(kSampleFiles, files.size()); ++i)
            look.samples << sample_of(files[i * files.size() / std::min(kSampleFiles, files.size())]);
    if (inputs::is_table_format(data.format) && data.format != text && !files.empty())
        look_at_table(recipe, files, look);
    else if (data.format == text && !files.empty() && !look.samples.isEmpty())
        look_at_tokens(data, look.samples.first().toStdString(), look);
    return look;
}

}  // namespace trainyard::desktop
