// SPDX-License-Identifier: GPL-3.0-or-later
// Tables and arrays written by pyarrow, csv, json and NumPy, row by row; damaged and malicious ones are refused for the
// right reason.

#include <cmath>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <map>

#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

#include "base/error.h"
#include "formats/tables/image.h"
#include "formats/tables/table_set.h"
#include "support/golden.h"
#include "support/says.h"
#include "support/temporary_folder.h"
#include "written.h"

namespace trainyard::formats {
namespace {

using Json = nlohmann::json;

Json read_expected() {
    std::ifstream file(test::golden("data_formats") / "expected.json");
    return Json::parse(file);
}

double half(std::uint16_t bits) {
    int exponent = bits >> 10 & 31;
    double fraction = bits & 1023, sign = (bits >> 15) != 0 ? -1 : 1;
    return sign * (exponent == 0 ? std::ldexp(fraction, -24) : std::ldexp(fraction + 1024, exponent - 25));
}

double number(const Column& column, std::int64_t element) {
    auto i = static_cast<std::size_t>(element);
    switch (column.field.type) {
        case ElementType::boolean:
        case ElementType::u8:
            return column.values<std::uint8_t>()[i];
        case ElementType::i8:
            return column.values<std::int8_t>()[i];
        case ElementType::i16:
            return column.values<std::int16_t>()[i];
        case ElementType::u16:
            return column.values<std::uint16_t>()[i];
        case ElementType::i32:
            return column.values<std::int32_t>()[i];
        case ElementType::u32:
            return column.values<std::uint32_t>()[i];
        case ElementType::i64:
            return static_cast<double>(column.values<std::int64_t>()[i]);
        case ElementType::u64:
            return static_cast<double>(column.values<std::uint64_t>()[i]);
        case ElementType::f16:
            return half(column.values<std::uint16_t>()[i]);
        case ElementType::f32:
            return static_cast<double>(column.values<float>()[i]);
        case ElementType::f64:
            return column.values<double>()[i];
        default:
            ADD_FAILURE() << "no number";
            return 0;
    }
}

std::string text_of(const Json& value) {
    if (value.is_string())
        return value.get<std::string>();
    std::string hex = value.at("hex"), bytes;
    for (std::size_t i = 0; i < hex.size(); i += 2)
        bytes += static_cast<char>(std::stoi(hex.substr(i, 2), nullptr, 16));
    return bytes;
}

void expect_element(const Column& column, std::int64_t element, const Json& value) {
    if (column.field.type == ElementType::text) {
        EXPECT_EQ(column.text(element), text_of(value));
    } else if (column.field.type == ElementType::i64) {
        EXPECT_EQ(column.values<std::int64_t>()[static_cast<std::size_t>(element)], value.get<std::int64_t>());
    } else {
        EXPECT_EQ(number(column, element), value.is_boolean() ? (value.get<bool>() ? 1.0 : 0.0) : value.get<double>());
    }
}

void expect_row(const Table& table, std::int64_t row, const Json& values) {
    for (std::size_t i = 0; i < table.columns.size(); ++i) {
        const Column& column = table.columns[i];
        SCOPED_TRACE(column.field.name + " of row " + std::to_string(row));
        ASSERT_EQ(column.rows, table.rows);
        EXPECT_EQ(column.is_missing(row), values[i].is_null());
        if (values[i].is_null())
            continue;
        if (!column.field.list && column.field.shape.empty()) {
            expect_element(column, row, values[i]);
        } else {
            std::int64_t begin = column.begin_of(row);
            ASSERT_EQ(column.end_of(row) - begin, std::ssize(values[i]));
            for (std::int64_t k = 0; k < std::ssize(values[i]); ++k)
                expect_element(column, begin + k, values[i][static_cast<std::size_t>(k)]);
        }
    }
}

TEST(GoldenDataFormats, tables_row_by_row) {
    Json expected = read_expected();
    ASSERT_GE(expected.at("tables").size(), 10u);
    for (const auto& [name, wanted] : expected.at("tables").items()) {
        SCOPED_TRACE(name);
        ReadOptions options;
        if (wanted.contains("only"))
            options.columns = wanted.at("only");
        std::filesystem::path path = test::golden("data_formats") / name;
        std::unique_ptr<TableReader> reader;
        ASSERT_NO_THROW(reader = open_table(path, options)) << name;
        Schema schema;
        for (const Json& column : wanted.at("columns")) {
            Field field{.name = column[0], .type = element_type(column[1].get<std::string>())};
            field.list = column[2] == "list";
            if (column[2].is_array())
                field.shape = column[2].get<std::vector<std::int64_t>>();
            schema.push_back(field);
        }
        ASSERT_EQ(reader->schema().size(), schema.size());
        for (std::size_t i = 0; i < schema.size(); ++i)
            EXPECT_EQ(reader->schema()[i].describe(), schema[i].describe());
        const Json& rows = wanted.at("rows");
        auto count = std::ssize(rows);

        // Sequentially, with every piece size; each position is continued by another reader.
        for (std::int64_t piece : {1, 3, 1000}) {
            std::int64_t row = 0;
            Position position;
            for (;;) {
                auto other = open_table(path, options);
                other->seek(position);
                Table again = other->next(piece);
                Table table = reader->next(piece);
                position = reader->position();
                EXPECT_EQ(other->position(), position);
                ASSERT_EQ(again.rows, table.rows);
                if (table.rows == 0)
                    break;
                for (std::int64_t i = 0; i < table.rows; ++i, ++row) {
                    ASSERT_LT(row, count);
                    expect_row(table, i, rows[static_cast<std::size_t>(row)]);
                    expect_row(again, i, rows[static_cast<std::size_t>(row)]);
                }
            }
            EXPECT_EQ(row, count);
            reader->seek({});
        }
        // Random access must give the same rows.
        ASSERT_EQ(reader->rows(), count);
        TableSet set({path}, options);
        std::vector<std::int64_t> places;
        for (std::int64_t i = 0; i < 2 * count; ++i)
            places.push_back(i * 7 % count);
        Table taken = set.take(places);
        ASSERT_EQ(taken.rows, 2 * count);
        for (std::size_t i = 0; i < places.size(); ++i)
            expect_row(taken, static_cast<std::int64_t>(i), rows[static_cast<std::size_t>(places[i])]);
    }
}

std::vector<std::int64_t> shape_of(const Column& column) {
    std::vector<std::int64_t> shape{column.rows};
    shape.insert(shape.end(), column.field.shape.begin(), column.field.shape.end());
    return shape;
}

TEST(GoldenDataFormats, arrays_of_every_type_order_and_byte_order) {
    Json expected = read_expected();
    for (const char* archive : {"stored.npz", "compressed.npz"}) {
        std::map<std::string, Column> arrays;
        for (const auto& [name, wanted] : expected.at("arrays").items()) {
            SCOPED_TRACE(name);
            auto reader = open_table(test::golden("data_formats") / archive, {.columns = {name}});
            const Column column = reader->read(0, reader->rows()).at(name);
            EXPECT_EQ(name_of(column.field.type), wanted.at("type").get<std::string>());
            EXPECT_EQ(shape_of(column), wanted.at("shape").get<std::vector<std::int64_t>>());
            const Json& values = wanted.at("values");
            ASSERT_EQ(column.data.size(), values.size() * element_size(column.field.type));
            Column flat = column;
            flat.field.shape.clear();
            for (std::size_t i = 0; i < values.size(); ++i)
                EXPECT_EQ(number(flat, static_cast<std::int64_t>(i)), values[i].get<double>());
            arrays.emplace(name, column);
        }
        // Rows from the middle, which are far apart in column-major order.
        std::vector<std::string> names;
        for (const auto& [name, wanted] : expected.at("arrays").items())
            names.push_back(name);
        auto reader = open_table(test::golden("data_formats") / archive, {.columns = names});
        ASSERT_EQ(reader->rows(), 5);
        Table part = reader->read(2, 2);
        for (const std::string& name : names) {
            const Column& column = part.at(name);
            const Column& whole = arrays.at(name);
            std::size_t row = whole.data.size() / 5;
            EXPECT_TRUE(std::equal(column.data.begin(), column.data.end(),
                                   whole.data.begin() + static_cast<std::ptrdiff_t>(2 * row),
                                   whole.data.begin() + static_cast<std::ptrdiff_t>(4 * row)))
                << name;
        }
    }
    EXPECT_THAT(
        test::refusal([] { open_table(test::golden("data_formats") / "scalar.npy"); }),
        test::says("{}: '{}' is a single number without rows: name the arrays that you want", testing::_, "array"));
    EXPECT_EQ(open_table(test::golden("data_formats") / "empty.npy")->next(10).rows, 0);
    for (const auto& file : std::filesystem::directory_iterator(test::golden("data_formats")))
        if (file.path().filename().string().starts_with("array_")) {
            const Json& wanted = expected.at("arrays").at(file.path().stem().string());
            auto reader = open_table(file.path());
            EXPECT_EQ(shape_of(reader->read(0, reader->rows()).at("array")),
                      wanted.at("shape").get<std::vector<std::int64_t>>());
        }
}

TEST(GoldenDataFormats, damaged_and_hostile_files_are_refused_for_their_reason) {
    Json expected = read_expected();
    ASSERT_GE(expected.at("refused").size(), 15u);
    for (const auto& [name, reason] : expected.at("refused").items()) {
        SCOPED_TRACE(name);
        std::filesystem::path path = test::golden("data_formats") / "refused" / name;
        std::string ending = path.extension();
        std::string sentence = test::refusal([&] {
            if (ending == ".png" || ending == ".jpg") {
                read_image(path);
            } else {
                auto reader = open_table(path);
                while (reader->next(16).rows > 0) {
                }
            }
        });
        EXPECT_THAT(sentence, testing::HasSubstr(reason.get<std::string>()));
        EXPECT_THAT(sentence, testing::HasSubstr(name));
    }
}

TEST(GoldenDataFormats, a_damaged_row_group_is_named_or_left_out) {
    test::TemporaryFolder folder;
    std::filesystem::path whole = test::golden("data_formats") / "zstd.parquet",
                          path = folder.path() / "damaged.parquet";
    std::int64_t rows = open_table(whole)->rows();
    std::string bytes{std::istreambuf_iterator<char>(std::ifstream(whole, std::ios::binary).rdbuf()), {}};
    int found = 0;
    for (std::size_t at = bytes.size() / 4; at < bytes.size() / 2; at += 97) {
        std::string damaged = bytes;
        for (std::size_t i = at; i < at + 24; ++i)
            damaged[i] = static_cast<char>(~damaged[i]);
        test::write(path, damaged);
        auto all_rows = [&](const ReadOptions& options) {
            auto reader = open_table(path, options);
            std::int64_t sum = 0;
            for (Table piece = reader->next(7); piece.rows > 0; piece = reader->next(7))
                sum += piece.rows;
            return sum;
        };
        std::string sentence = test::refusal([&] { all_rows({}); });
        if (sentence.find("its rows") == std::string::npos)  // a name or a value was hit, or nothing
            continue;
        ++found;
        EXPECT_THAT(sentence, testing::MatchesRegex(".*damaged.parquet: its rows [0-9]+ to [0-9]+ cannot be read: .*"));
        std::int64_t left_out = 0;
        ReadOptions options;
        options.on_corrupt = [&](const CorruptRows& corrupt) {
            EXPECT_EQ(corrupt.file, path);
            left_out += corrupt.count;
        };
        EXPECT_EQ(all_rows(options) + left_out, rows) << at;
        EXPECT_GT(left_out, 0) << at;
    }
    EXPECT_GT(found, 0);
}

// Some programs do not check the encoding of text columns, and write Latin-1 instead of UTF-8.
TEST(GoldenDataFormats, bytes_that_are_no_text_are_named_by_row_and_column) {
    test::TemporaryFolder folder;
    const std::string character = "\xc3\xaas";  // of a value "três"
    for (const char* name : {"plain.parquet", "file.arrow", "stream.arrow"}) {
        const std::filesystem::path whole = test::golden("data_formats") / name, path = folder.path() / name;
        std::string bytes{std::istreambuf_iterator<char>(std::ifstream(whole, std::ios::binary).rdbuf()), {}};
        const std::int64_t rows = open_table(whole)->rows();
        int found = 0;
        for (std::size_t at = bytes.find(character); at != std::string::npos; at = bytes.find(character, at + 1)) {
            bytes[at] = '\xea';
            test::write(path, bytes);
            bytes[at] = '\xc3';
            const auto read = [&](const ReadOptions& options) {
                auto reader = open_table(path, options);
                std::int64_t sum = 0;
                for (Table piece = reader->next(7); piece.rows > 0; piece = reader->next(7))
                    sum += piece.rows;
                return sum;
            };
            const std::string sentence = test::refusal([&] { read({}); });
            if (sentence.empty())  // not of a value
                continue;
            ++found;
            EXPECT_THAT(sentence, testing::MatchesRegex(fmt::format(
                                      ".*{}: column '(text|large)', row [0-9]+, which is row [0-9]+ of {} [0-9]+: .*",
                                      name, std::string(name).ends_with("parquet") ? "row group" : "record batch")));
            EXPECT_THAT(sentence,
                        test::says("{}: column '{}', row {}, which is row {} of {}: {}: write the column as UTF-8, or "
                                   "as binary if it is not text",
                                   testing::_, testing::_, testing::_, testing::_, testing::_,
                                   test::says("byte {} (0x{:02x}) is not valid UTF-8", testing::_, "ea").at_end()));
            std::int64_t left_out = 0;
            ReadOptions options;
            options.on_corrupt = [&](const CorruptRows& corrupt) { left_out += corrupt.count; };
            EXPECT_EQ(read(options) + left_out, rows) << "a group is left out";
            EXPECT_GT(left_out, 0);
        }
        EXPECT_GT(found, 0) << name;
    }
}

TEST(GoldenDataFormats, columns_that_cannot_be_read_are_named) {
    std::filesystem::path path = test::golden("data_formats") / "nested.parquet";
    for (const ReadOptions& options : {ReadOptions{}, ReadOptions{.columns = {"map"}}})
        EXPECT_THAT(
            test::refusal([&] { open_table(path, options); }),
            test::says("column '{}' is of Arrow's type '{}', which cannot be read: name the columns that you want",
                       testing::StartsWith("map"), testing::_));
    EXPECT_THAT(test::refusal([&] { open_table(path, {.columns = {"idd"}}); }),
                test::says(": did you mean '{}'?", "id"));
}

TEST(GoldenDataFormats, lists_of_lists_are_json) {
    const std::filesystem::path path = test::golden("data_formats") / "nested.parquet";
    const Table matrix = open_table(path, {.columns = {"matrix"}})->read(0, 2);
    EXPECT_EQ(matrix.columns[0].text(0), "[[1,2],[3]]");
    EXPECT_EQ(matrix.columns[0].text(1), "[[4]]");
}

TEST(GoldenDataFormats, a_missing_plug_in_is_one_sentence) {
    GTEST_FLAG_SET(death_test_style, "threadsafe");  // a separate process, in which no plug-in is loaded yet
    ASSERT_EXIT(
        {
            ::setenv("TRAINYARD_ARROW_PLUGIN", "/nowhere/libtrainyard_arrow.so", 1);
            std::string sentence = test::refusal([&] { open_table(test::golden("data_formats") / "snappy.parquet"); });
            std::exit(sentence.find("run packaging/pyarrow") != std::string::npos ? 0 : 1);
        },
        testing::ExitedWithCode(0), "");
}

TEST(GoldenDataFormats, digits_are_the_same_in_every_format) {
    std::filesystem::path folder = test::golden("data_formats");
    Table csv = open_table(folder / "digits.csv")->next(100);
    Table npy = open_table(folder / "digits.npy")->next(100);
    ImageFolder images(folder / "digits");
    ASSERT_EQ(csv.rows, 30);
    ASSERT_EQ(npy.rows, 30);
    ASSERT_EQ(images.samples().size(), 30u);
    EXPECT_THAT(images.classes(), testing::ElementsAre("0", "1", "2", "3", "4", "5", "6", "7", "8", "9"));
    EXPECT_TRUE(std::is_sorted(images.samples().begin(), images.samples().end(),
                               [](const auto& a, const auto& b) { return a.path < b.path; }));
    for (const ImageFolder::Sample& sample : images.samples()) {
        auto row = std::stoul(sample.path.stem().string());
        Image image = read_image(sample.path, ImageMode::grey);
        ASSERT_EQ(image.pixels.size(), 64u);
        EXPECT_EQ(csv.at("target").values<std::int64_t>()[row], sample.label);
        for (std::size_t i = 0; i < 64; ++i) {
            std::int64_t value = csv.at("p" + std::to_string(i)).values<std::int64_t>()[row];
            EXPECT_EQ(image.pixels[i], value * 15);
            EXPECT_EQ(npy.at("array").values<float>()[row * 64 + i], static_cast<float>(value));
        }
    }
}

}  // namespace
}  // namespace trainyard::formats
