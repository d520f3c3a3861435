// SPDX-License-Identifier: GPL-3.0-or-later
#include "train/token_store.h"

#include <algorithm>
#include <filesystem>
#include <limits>
#include <optional>
#include <utility>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "base/error.h"
#include "base/message_json.h"
#include "config/inputs/byte_corpus.h"
#include "config/inputs/table_columns.h"
#include "config/inputs/text_tokens.h"
#include "formats/tables/table_set.h"
#include "models/spec/tasks.h"

namespace trainyard::train {

namespace {

constexpr std::int64_t kRows = 4096;      // read at a time
constexpr std::size_t kNamedRecords = 3;  // of those left out

bool is_whole(formats::ElementType type) {
    using enum formats::ElementType;
    return type == i8 || type == i16 || type == i32 || type == i64 || type == u8 || type == u16 || type == u32 ||
           type == u64;
}

/// Calls `take` with the elements of a numeric column as its own type.
template <class Take>
void with_values(const formats::Column& column, Take take) {
    using enum formats::ElementType;
    switch (column.field.type) {
        case i8:
            return take(column.values<std::int8_t>());
        case i16:
            return take(column.values<std::int16_t>());
        case i32:
            return take(column.values<std::int32_t>());
        case i64:
            return take(column.values<std::int64_t>());
        case u8:
            return take(column.values<std::uint8_t>());
        case u16:
            return take(column.values<std::uint16_t>());
        case u32:
            return take(column.values<std::uint32_t>());
        case u64:
            return take(column.values<std::uint64_t>());
        default:
            return;
    }
}

/// Reads tables into a file of tokens.
class TablePreparation {
  public:
    TablePreparation(const config::DataRecipe& data, std::vector<std::filesystem::path> files)
        : data_(data),
          files_(std::move(files)),
          where_(files_.size() == 1 ? Message::verbatim(files_[0].string())
                                    : Message("the set of {}", files_[0].string())) {}

    void run(int fd) {
        inputs::TableColumns columns = inputs::choose_columns(data_, families::kCausalLm, {}, files_);
        formats::ReadOptions& options = columns.options;
        std::int64_t corrupt = 0;
        std::vector<Message> named;
        if (data_.on_corrupt == config::OnCorrupt::skip)
            options.on_corrupt = [&](const formats::CorruptRows& rows) {
                corrupt += rows.count;
                if (named.size() < kNamedRecords)
                    named.push_back(rows.message);
            };
        formats::TableSet set(files_, options);
        corrupt = 0;
        named.clear();
        const formats::Field* field = &set.schema().at(0);
        text_ = field->type == formats::ElementType::text;
        if (!text_ && !is_whole(field->type))
            throw UserError("data.column: {} in {} is neither text nor whole numbers", field->describe(), where_);
        if (!data_.tokenizer.empty()) {
            if (!text_)
                throw UserError(
                    "data.tokenizer makes tokens of text, and {} in {} holds whole numbers: leave it "
                    "out",
                    field->describe(), where_);
            text_tokens_.emplace(data_);
        }
        files::TokenFileWriter writer(fd, text_ && !text_tokens_ ? 1 : 4);
        try {
            for (formats::Table rows = set.next(kRows); rows.rows > 0; rows = set.next(kRows))
                add_rows(rows.columns[0], writer);
        } catch (const formats::CorruptRecord& damage) {
            throw UserError("{} (repair this record, or leave out all that cannot be read: data.on_corrupt: skip)",
                            message_of(damage));
        }
        writer.finish(message_to_json(left_out(corrupt, named)));
    }

  private:
    static Message left_out(std::int64_t corrupt, std::vector<Message> named) {
        if (corrupt == 0)
            return {};
        if (corrupt > std::ssize(named))
            named.push_back("and more");
        const Message all = Message::joined(named);
        return corrupt == 1
                   ? Message("1 record of the data cannot be read and is left out (data.on_corrupt: skip): {}", all)
                   : Message("{} records of the data cannot be read and are left out (data.on_corrupt: skip): {}",
                             corrupt, all);
    }

    void add_rows(const formats::Column& column, files::TokenFileWriter& writer) {
        for (std::int64_t row = 0; row < column.rows; ++row) {
            if (column.is_missing(row))
                continue;
            std::int64_t begin = column.begin_of(row), end = column.end_of(row);
            if (text_) {
                for (std::int64_t element = begin; element < end; ++element)
                    add_text(column.text(element), writer);
            } else {
                with_values(column, [&](auto values) {
                    for (std::int64_t element = begin; element < end; ++element)
                        writer.add(token_of(values[static_cast<std::size_t>(element)], column.field.name));
                });
            }
            // A row of a single number does not end a document: such a column is one long sequence of tokens.
            if (text_ || column.field.list || !column.field.shape.empty())
                writer.end_document();
        }
        if (writer.documents() == 0)
            writer.end_document();
        else if (writer.last_end() != writer.tokens())
            writer.extend_document();
    }

    void add_text(std::string_view text, files::TokenFileWriter& writer) const {
        if (text_tokens_) {
            for (const tokenizers::Id token : text_tokens_->encode(text))
                writer.add(static_cast<std::int32_t>(token));
        } else {
            writer.add(text);
            writer.add("\n");
        }
    }

    template <class Number>
    std::int32_t token_of(Number token, const std::string& column) const {
        if (!std::in_range<std::int32_t>(token) || std::cmp_less(token, 0))
            throw UserError(
                "data.column: {} holds {} in '{}', which is not a token: tokens are whole numbers from 0 to {}", where_,
                token, column, std::numeric_limits<std::int32_t>::max());
        return static_cast<std::int32_t>(token);
    }

    const config::DataRecipe& data_;
    std::vector<std::filesystem::path> files_;
    Message where_;
    bool text_ = false;
    std::optional<inputs::TextTokens> text_tokens_;  ///< absent: a token per byte
};

/// The ends of the sequences of Megatron's sets; their tokens are looked through and stay where they are.
void prepare_megatron(const std::vector<formats::MegatronSet>& sets, int fd) {
    constexpr std::size_t kMostTokens = 1u << 16;  // at a time
    files::TokenFileWriter writer(fd, 1);
    std::vector<std::int64_t> part;
    for (const formats::MegatronSet& set : sets)
        for (std::int64_t number = 0; number < set.sequences(); ++number) {
            const std::int64_t length = set.lengths()[static_cast<std::size_t>(number)];
            for (std::int64_t offset = 0; offset < length; offset += std::ssize(part)) {
                part.resize(std::min(kMostTokens, static_cast<std::size_t>(length - offset)));
                set.read(number, offset, part);
                const auto [least, most] = std::ranges::minmax(part);
                if (least < 0 || !std::in_range<std::int32_t>(most))
                    throw UserError("data.path: {} holds {}, which is not a token", set.prefix().string(),
                                    least < 0 ? least : most);
                writer.pass_over(std::ssize(part), most);
            }
            writer.end_document();
        }
    writer.finish({});
}

}  // namespace

TokenStore::TokenStore(const config::DataRecipe& data) {
    files::TokenSource source;
    source.how = fmt::format("{}\n{}\n{}", data.format, data.column, data.on_corrupt);
    if (data.format == config::DataFormat::megatron) {
        std::int64_t first = 0;
        for (const std::string& path : data.paths) {
            const formats::MegatronSet& set = sets_.emplace_back(path);
            first_sequences_.push_back(first);
            first += set.sequences();
            for (const char* ending : {".idx", ".bin"})
                source.files.emplace_back(set.prefix().string() + ending);
        }
        source.prepare = [&](int fd) { prepare_megatron(sets_, fd); };
    } else {
        const std::vector<std::filesystem::path> tables = inputs::corpus_files(data);
        source.files = tables;
        if (!data.tokenizer.empty()) {
            source.how += "\ntokenizer";
            source.files.push_back(inputs::tokenizer_file(data));
        }
        source.prepare = [&data, tables](int fd) { TablePreparation(data, tables).run(fd); };
    }
    prepared_ = files::prepared_tokens(source);
    if (tokens() == 0)
        throw UserError("data.path: the files hold no tokens: name others");
}

void TokenStore::copy(std::int64_t first, std::span<std::int64_t> out) const {
    const files::TokenFile& file = *prepared_.tokens;
    if (sets_.empty())
        return file.copy(first, out);
    for (std::int64_t document = file.document_at(first); !out.empty(); ++document) {
        const std::int64_t begin = file.begin_of(document), end = file.end_of(document);
        const auto count = std::min(out.size(), static_cast<std::size_t>(end - first));
        const auto set = std::upper_bound(first_sequences_.begin(), first_sequences_.end(), document) - 1;
        sets_[static_cast<std::size_t>(set - first_sequences_.begin())].read(document - *set, first - begin,
                                                                             out.first(count));
        first += static_cast<std::int64_t>(count);
        out = out.subspan(count);
    }
}

std::vector<Message> TokenStore::remarks() const {
    std::vector<Message> sentences;
    if (!prepared_.tokens->left_out().empty())
        sentences.push_back(message_from_json(prepared_.tokens->left_out()));
    if (!prepared_.remark.empty())
        sentences.push_back(prepared_.remark);
    return sentences;
}

}  // namespace trainyard::train
