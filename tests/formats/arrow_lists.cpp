// SPDX-License-Identifier: GPL-3.0-or-later
// Lists of structs, as Hugging Face datasets stores conversations, become JSON text; lists outside of their values are
// refused. The arrays are made here, in Arrow's C data interface.

#include <array>

#include <gmock/gmock.h>

#include "base/error.h"
#include "formats/tables/arrow_columns.h"

namespace trainyard::formats {
namespace {

/// list<struct<content: utf8, weight: float64>> of two lists and one that is missing.
class ListsOfStructs : public testing::Test {
  protected:
    ListsOfStructs() {
        schema_.children = lists_.data();
        fields_ = {&content_schema_, &weight_schema_};
        struct_schema_.children = fields_.data();
        contents_ = {&content_, &weight_};
        struct_.children = contents_.data();
        values_ = {&struct_};
        list_.children = values_.data();
    }
    Table read() {
        const std::vector<ArrowColumn> columns = arrow_columns(root());
        EXPECT_EQ(columns.size(), 1u);
        EXPECT_TRUE(columns[0].problem.empty()) << columns[0].problem.text();
        Table table(Schema{columns[0].field});
        append_arrow(table.columns[0], columns[0], schema_, list_);
        return table;
    }
    const ArrowSchema& root() {
        top_ = {&schema_};
        root_.children = top_.data();
        return root_;
    }

    ArrowSchema content_schema_{"u", "content", nullptr, ARROW_FLAG_NULLABLE, 0, nullptr, nullptr, nullptr, nullptr},
        weight_schema_{"g", "weight", nullptr, ARROW_FLAG_NULLABLE, 0, nullptr, nullptr, nullptr, nullptr},
        struct_schema_{"+s", "item", nullptr, ARROW_FLAG_NULLABLE, 2, nullptr, nullptr, nullptr, nullptr},
        schema_{"+l", "messages", nullptr, ARROW_FLAG_NULLABLE, 1, nullptr, nullptr, nullptr, nullptr},
        root_{"+s", "", nullptr, 0, 1, nullptr, nullptr, nullptr, nullptr};
    std::array<ArrowSchema*, 1> top_{}, lists_{&struct_schema_};
    std::array<ArrowSchema*, 2> fields_{};

    const char* letters_ = "H\xC3\xA9?Hi \"you\"\n";
    std::array<std::int32_t, 4> ends_{0, 4, 13, 13}, offsets_{0, 2, 3, 3};
    std::array<double, 3> weights_{1, 2.5, 3};
    std::uint8_t valid_weights_ = 0b101, valid_lists_ = 0b011;
    std::array<const void*, 3> text_buffers_{nullptr, ends_.data(), letters_};
    std::array<const void*, 2> weight_buffers_{&valid_weights_, weights_.data()},
        list_buffers_{&valid_lists_, offsets_.data()};
    std::array<const void*, 1> struct_buffers_{nullptr};
    ArrowArray content_{3, 0, 0, 3, 0, text_buffers_.data(), nullptr, nullptr, nullptr, nullptr},
        weight_{3, 1, 0, 2, 0, weight_buffers_.data(), nullptr, nullptr, nullptr, nullptr},
        struct_{3, 0, 0, 1, 2, struct_buffers_.data(), nullptr, nullptr, nullptr, nullptr},
        list_{3, 1, 0, 2, 1, list_buffers_.data(), nullptr, nullptr, nullptr, nullptr};
    std::array<ArrowArray*, 2> contents_{};
    std::array<ArrowArray*, 1> values_{};
};

TEST_F(ListsOfStructs, BecomeJsonWithoutMembersThatHaveNoValue) {
    const Table table = read();
    const Column& column = table.columns[0];
    EXPECT_EQ(column.field.type, ElementType::text);
    EXPECT_FALSE(column.field.list);
    ASSERT_EQ(column.rows, 3);
    EXPECT_EQ(column.text(0), R"([{"content":"Hé?","weight":1},{"content":"Hi \"you\"\n"}])");
    EXPECT_EQ(column.text(1), R"([{"content":"","weight":3}])");
    EXPECT_TRUE(column.is_missing(2));
    EXPECT_EQ(column.text(2), "");
}

TEST_F(ListsOfStructs, OutsideOfTheirValuesAreRefused) {
    offsets_ = {0, 2, 9, 9};
    EXPECT_THROW(read(), UserError);
}

TEST_F(ListsOfStructs, WithATypeThatJsonLacksAreNamed) {
    weight_schema_.format = "+us:0";
    const std::vector<ArrowColumn> columns = arrow_columns(root());
    ASSERT_EQ(columns.size(), 1u);
    EXPECT_THAT(columns[0].problem.text(), testing::HasSubstr("inside of a list, which cannot be read"));
}

}  // namespace
}  // namespace trainyard::formats
