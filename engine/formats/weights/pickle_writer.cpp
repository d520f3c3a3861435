// SPDX-License-Identifier: GPL-3.0-or-later
#include "formats/weights/pickle_writer.h"

#include <bit>
#include <limits>

#include <fmt/format.h>

#include "base/error.h"
#include "formats/weights/pickle_globals.h"
#include "formats/weights/pickle_text.h"

namespace trainyard::weights {

namespace {

constexpr int kDeepest = 100;
constexpr std::size_t kLongest = 64u << 20;  ///< bytes; a small pickle with shared items could expand to any size

template <class T>
void append_number(std::string& text, T value) {
    text.append(reinterpret_cast<const char*>(&value), sizeof value);
}

/// Decodes Latin-1: each byte is one character.
std::string latin1_as_utf8(std::string_view bytes) {
    std::string text;
    for (char c : bytes) {
        auto byte = static_cast<unsigned char>(c);
        if (byte < 0x80) {
            text += c;
        } else {
            text += static_cast<char>(0xc0 | byte >> 6);
            text += static_cast<char>(0x80 | (byte & 0x3f));
        }
    }
    return text;
}

}  // namespace

void PickleWriter::integer(std::int64_t value) {
    if (value >= 0 && value < 256) {
        text_ += static_cast<char>(kBinInt1);
        text_ += static_cast<char>(value);
    } else if (value >= std::numeric_limits<std::int32_t>::min() && value <= std::numeric_limits<std::int32_t>::max()) {
        text_ += static_cast<char>(kBinInt);
        append_number(text_, static_cast<std::int32_t>(value));
    } else {
        text_ += static_cast<char>(kLong1);
        text_ += '\x08';
        append_number(text_, value);
    }
}

void PickleWriter::real(double value) {
    text_ += static_cast<char>(kBinFloat);
    append_number(text_, __builtin_bswap64(std::bit_cast<std::uint64_t>(value)));
}

void PickleWriter::text(std::string_view value) {
    text_ += static_cast<char>(kBinUnicode);
    append_number(text_, static_cast<std::uint32_t>(value.size()));
    text_ += value;
}

void PickleWriter::bytes(std::string_view value) {
    global("_codecs", "encode");
    text(latin1_as_utf8(value));
    text("latin1");
    text_ += static_cast<char>(kTuple2);
    reduce();
}

void PickleWriter::begin_list() {
    text_ += static_cast<char>(kEmptyList);
    text_ += static_cast<char>(kMark);
}
void PickleWriter::end_list() {
    text_ += static_cast<char>(kAppends);
}
void PickleWriter::begin_dict() {
    text_ += static_cast<char>(kEmptyDict);
    text_ += static_cast<char>(kMark);
}
void PickleWriter::end_dict() {
    text_ += static_cast<char>(kSetItems);
}
void PickleWriter::begin_tuple() {
    text_ += static_cast<char>(kMark);
}
void PickleWriter::end_tuple() {
    text_ += static_cast<char>(kTuple);
}

void PickleWriter::global(std::string_view module, std::string_view name) {
    text_ += static_cast<char>(kGlobal);
    text_ += module;
    text_ += '\n';
    text_ += name;
    text_ += '\n';
}

void PickleWriter::tensor(const TensorToPickle& tensor) {
    std::string_view storage_class = storage_class_of(tensor.dtype);
    bool typed = !storage_class.empty();
    global("torch._utils", typed ? "_rebuild_tensor_v2" : "_rebuild_tensor_v3");
    begin_tuple();
    begin_tuple();
    text("storage");
    if (typed)
        global("torch", storage_class);
    else
        global("torch.storage", "UntypedStorage");
    text(tensor.storage);
    text("cpu");
    integer(tensor.storage_elements * (typed ? 1 : static_cast<std::int64_t>(element_size(tensor.dtype))));
    end_tuple();
    text_ += static_cast<char>(kBinPersonalId);
    integer(tensor.offset);
    for (std::span<const std::int64_t> numbers : {tensor.shape, tensor.strides}) {
        begin_tuple();
        for (std::int64_t number : numbers)
            integer(number);
        end_tuple();
    }
    boolean(false);  // requires_grad
    global("collections", "OrderedDict");
    text_ += static_cast<char>(kEmptyTuple);
    reduce();
    if (!typed)
        global("torch", tensor.dtype);
    end_tuple();
    reduce();
}

void PickleWriter::value(const Value& value, const std::string& where) {
    write(value, where, 0);
}

void PickleWriter::write(const Value& value, const std::string& where, int depth) {
    auto refuse = [&](const Message& why) { throw UserError("{} cannot be kept: {}", where, why); };
    if (depth > kDeepest)
        refuse(Message("it is nested more than {} deep", kDeepest));
    if (text_.size() > kLongest)
        refuse("it stands for more than 64 MiB");
    auto items = [&](std::span<const Value> all) {
        for (const Value& item : all)
            write(item, where, depth + 1);
    };
    auto call = [&] {
        end_tuple();
        reduce();
    };
    switch (value.kind) {
        case Kind::none:
            return none();
        case Kind::boolean:
            return boolean(value.boolean);
        case Kind::integer:
            return integer(value.integer);
        case Kind::long_integer: {
            std::string_view digits = value.object->text;
            if (digits.size() > 255)
                refuse("it holds an integer of more than 2040 bits");
            text_ += static_cast<char>(kLong1);
            text_ += static_cast<char>(digits.size());
            text_ += digits;
            return;
        }
        case Kind::real:
            return real(value.real);
        case Kind::text:
            return text(value.text());
        case Kind::bytes:
            return bytes(value.object->text);
        case Kind::list:
            begin_list();
            items(value.items());
            return end_list();
        case Kind::tuple:
            begin_tuple();
            items(value.items());
            return end_tuple();
        case Kind::dict:
            begin_dict();
            items(value.items());
            return end_dict();
        case Kind::set:
            global("builtins", "set");
            begin_tuple();
            begin_list();
            items(value.items());
            end_list();
            return call();
        case Kind::size:
            global("torch", "Size");
            begin_tuple();
            begin_tuple();
            items(value.items());
            end_tuple();
            return call();
        case Kind::dtype:
            return global("torch", value.object->type);
        case Kind::device:
            global("torch", "device");
            begin_tuple();
            items(value.object->items);
            return call();
        case Kind::name: {
            const Global& known = global_at(static_cast<std::size_t>(value.integer));
            return global(known.module, known.name);
        }
        case Kind::record: {
            const Global& maker = global_at(static_cast<std::size_t>(value.object->number));
            if (!maker.type.starts_with("numpy.") && maker.type != "complex")
                refuse(Message("it holds a {}.{}", maker.module, maker.name));
            global(maker.module, maker.name);
            write(value.object->items.at(0), where, depth + 1);
            reduce();
            if (const Value& state = value.object->items.at(1); state.kind != Kind::none) {
                write(state, where, depth + 1);
                build();
            }
            return;
        }
        case Kind::storage:
        case Kind::tensor:
            break;
    }
    refuse("it holds a tensor where none can be");
}

std::string numpy_array(std::string_view dtype, std::int64_t count, std::string_view bytes) {
    // As ndarray.__reduce__: an empty array, then (version, shape, dtype, column-major, bytes).
    PickleWriter out;
    out.global("numpy._core.multiarray", "_reconstruct");
    out.begin_tuple();
    out.global("numpy", "ndarray");
    out.begin_tuple();
    out.integer(0);
    out.end_tuple();
    out.bytes("b");
    out.end_tuple();
    out.reduce();
    out.begin_tuple();
    out.integer(1);
    out.begin_tuple();
    out.integer(count);
    out.end_tuple();
    out.global("numpy", "dtype");
    out.begin_tuple();
    out.text(dtype);
    out.boolean(false);
    out.boolean(true);
    out.end_tuple();
    out.reduce();
    out.begin_tuple();  // (version, byte order, no subtype, no names, no fields, size, alignment, flags)
    out.integer(3);
    out.text("<");
    out.none();
    out.none();
    out.none();
    out.integer(-1);
    out.integer(-1);
    out.integer(0);
    out.end_tuple();
    out.build();
    out.boolean(false);
    out.bytes(bytes);
    out.end_tuple();
    out.build();
    return out.instructions();
}

}  // namespace trainyard::weights
