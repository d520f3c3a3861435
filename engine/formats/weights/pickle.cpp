// SPDX-License-Identifier: GPL-3.0-or-later
#include "formats/weights/pickle.h"

#include <algorithm>
#include <bit>
#include <cstring>
#include <initializer_list>
#include <unordered_map>
#include <utility>

#include <fmt/format.h>

#include "base/error.h"
#include "base/printable.h"
#include "base/utf8.h"
#include "formats/weights/pickle_globals.h"
#include "formats/weights/pickle_text.h"

namespace trainyard::weights {

class Unpickler {
  public:
    Unpickler(Pickle& pickle, std::span<const std::byte> bytes, const std::string& where, const PickleLimits& limits)
        : pickle_(pickle), cursor_(bytes.first(std::min(bytes.size(), limits.bytes)), where), limits_(limits) {}

    void run() {
        while (true) {
            if (cursor_.at_end())
                cursor_.fail("it ends without its end mark");
            auto op = static_cast<Op>(cursor_.number<unsigned char>());
            if (op == kStop)
                break;
            step(op);
        }
        pickle_.root_ = pop();
        pickle_.size_ = cursor_.position();
    }

  private:
    void step(Op op) {
        switch (op) {
            case kProtocol:
                if (auto version = cursor_.number<unsigned char>(); version < 2 || version > 5)
                    cursor_.fail(Message("it is of protocol {}, and only 2 to 5 are read", version));
                return;
            case kFrame:
                if (auto size = cursor_.number<std::uint64_t>(); size > cursor_.left())
                    cursor_.fail(Message("it announces a frame of {} bytes where {} are left", size, cursor_.left()));
                return;
            case kMark:
                if (marks_.size() == limits_.marks)
                    cursor_.fail("it is nested too deeply");
                marks_.push_back(stack_.size());
                return;
            case kPop:
                // POP of a mark, as in Python.
                if (!marks_.empty() && marks_.back() == stack_.size())
                    marks_.pop_back();
                else
                    pop();
                return;
            case kPopMark:
                take_marked();
                return;
            case kDup:
                push(top());
                return;
            case kNone:
                push({});
                return;
            case kNewTrue:
            case kNewFalse:
                push({.kind = Kind::boolean, .boolean = op == kNewTrue});
                return;
            case kBinInt:
                return push_integer(cursor_.number<std::int32_t>());
            case kBinInt1:
                return push_integer(cursor_.number<std::uint8_t>());
            case kBinInt2:
                return push_integer(cursor_.number<std::uint16_t>());
            case kLong1:
                return push_long(cursor_.take(cursor_.number<std::uint8_t>()));
            case kLong4:
                return push_long(cursor_.take(cursor_.number<std::uint32_t>()));
            case kBinFloat:
                push({.kind = Kind::real,
                      .real = std::bit_cast<double>(__builtin_bswap64(cursor_.number<std::uint64_t>()))});
                return;
            default:
                return step_text(op);
        }
    }

    void step_text(Op op) {
        switch (op) {
            case kShortBinString:
                return push_old_text(cursor_.take(cursor_.number<std::uint8_t>()));
            case kBinString:
                return push_old_text(cursor_.take(cursor_.number<std::uint32_t>()));
            case kShortBinUnicode:
                return push_text(cursor_.take(cursor_.number<std::uint8_t>()));
            case kBinUnicode:
                return push_text(cursor_.take(cursor_.number<std::uint32_t>()));
            case kBinUnicode8:
                return push_text(cursor_.take(cursor_.number<std::uint64_t>()));
            case kShortBinBytes:
                return push_object(Kind::bytes, cursor_.take(cursor_.number<std::uint8_t>()));
            case kBinBytes:
                return push_object(Kind::bytes, cursor_.take(cursor_.number<std::uint32_t>()));
            case kBinBytes8:
            case kByteArray8:
                return push_object(Kind::bytes, cursor_.take(cursor_.number<std::uint64_t>()));
            default:
                return step_container(op);
        }
    }

    void step_container(Op op) {
        switch (op) {
            case kEmptyList:
                return push_items(Kind::list, {});
            case kEmptyTuple:
                return push_items(Kind::tuple, {});
            case kEmptyDict:
                return push_items(Kind::dict, {});
            case kEmptySet:
                return push_items(Kind::set, {});
            case kTuple1:
                return push_tuple(1);
            case kTuple2:
                return push_tuple(2);
            case kTuple3:
                return push_tuple(3);
            case kTuple:
                return push_items(Kind::tuple, take_marked());
            case kList:
                return push_items(Kind::list, take_marked());
            case kFrozenSet:
                return push_items(Kind::set, take_marked());
            case kDict: {
                std::vector<Value> items = take_marked();
                check_pairs(items.size());
                return push_items(Kind::dict, std::move(items));
            }
            case kAppend: {
                Value item = pop();
                expect(top(), Kind::list).items.push_back(item);
                return;
            }
            case kAppends:
                return extend(Kind::list, take_marked());
            case kAddItems:
                return extend(Kind::set, take_marked());
            case kSetItem: {
                Value value = pop(), key = pop();
                Object& dict = expect(top(), Kind::dict);
                dict.items.push_back(key);
                dict.items.push_back(value);
                return;
            }
            case kSetItems: {
                std::vector<Value> items = take_marked();
                check_pairs(items.size());
                return extend(Kind::dict, std::move(items));
            }
            default:
                return step_memo(op);
        }
    }

    void step_memo(Op op) {
        switch (op) {
            case kBinGet:
                return push(remembered(cursor_.number<std::uint8_t>()));
            case kLongBinGet:
                return push(remembered(cursor_.number<std::uint32_t>()));
            case kBinPut:
                memo_[cursor_.number<std::uint8_t>()] = top();
                return;
            case kLongBinPut:
                memo_[cursor_.number<std::uint32_t>()] = top();
                return;
            case kMemoize: {
                // The index is the number of memo entries, as in Python.
                auto key = static_cast<std::uint32_t>(memo_.size());
                memo_[key] = top();
                return;
            }
            default:
                return step_name(op);
        }
    }

    void step_name(Op op) {
        switch (op) {
            case kGlobal: {
                std::string_view module = cursor_.line(), name = cursor_.line();
                return push_global(module, name);
            }
            case kStackGlobal: {
                Value name = pop(), module = pop();
                if (name.kind != Kind::text || module.kind != Kind::text)
                    cursor_.fail("it names a global by something other than text");
                return push_global(module.text(), name.text());
            }
            case kInst: {
                std::string_view module = cursor_.line(), name = cursor_.line();
                refuse(module, name);
            }
            case kReduce: {
                Value arguments = pop(), function = pop();
                return push(construct(function, arguments));
            }
            case kNewObj: {
                Value arguments = pop(), type = pop();
                if (type.kind == Kind::name &&
                    global_at(static_cast<std::size_t>(type.integer)).meaning != Meaning::record)
                    cursor_.fail("it makes an object in a way that torch.save never does");
                return push(construct(type, arguments));
            }
            case kBuild: {
                Value state = pop();
                if (top().kind == Kind::record)
                    top().object->items.at(1) = state;
                else if (top().kind != Kind::dict)  // an OrderedDict's _metadata is not needed
                    cursor_.fail("it gives a state to something that has none");
                return;
            }
            case kBinPersonalId:
                return push_storage(pop());
            default:
                cursor_.fail(Message("its instruction 0x{:02x} is unknown or never written by torch.save",
                                     static_cast<unsigned>(op)));
        }
    }

    // The stack.

    void push(Value value) { stack_.push_back(value); }
    Value& top() {
        if (stack_.empty() || (!marks_.empty() && marks_.back() == stack_.size()))
            cursor_.fail("it takes more than it gave");
        return stack_.back();
    }
    Value pop() {
        Value value = top();
        stack_.pop_back();
        return value;
    }
    std::vector<Value> take_marked() {
        if (marks_.empty())
            cursor_.fail("it takes more than it gave");
        std::vector<Value> items(stack_.begin() + static_cast<std::ptrdiff_t>(marks_.back()), stack_.end());
        stack_.resize(marks_.back());
        marks_.pop_back();
        return items;
    }
    Value remembered(std::uint32_t key) const {
        auto found = memo_.find(key);
        if (found == memo_.end())
            cursor_.fail(Message("it takes entry {} of its memory, which is empty", key));
        return found->second;
    }

    // Values.

    Object& new_object(Kind kind) {
        if (pickle_.objects_.size() >= limits_.objects)
            cursor_.fail(Message("it holds more than {} objects", limits_.objects));
        pickle_.objects_.emplace_back().kind = kind;
        return pickle_.objects_.back();
    }
    static Value value_of(Object& object) { return {.kind = object.kind, .object = &object}; }
    void push_object(Kind kind, std::string_view text) {
        Object& object = new_object(kind);
        object.text = text;
        push(value_of(object));
    }
    void push_items(Kind kind, std::vector<Value> items) {
        Object& object = new_object(kind);
        object.items = std::move(items);
        push(value_of(object));
    }
    void push_tuple(std::size_t count) {
        std::vector<Value> items(count);
        for (std::size_t i = count; i-- > 0;)
            items[i] = pop();
        push_items(Kind::tuple, std::move(items));
    }
    void push_integer(std::int64_t value) { push({.kind = Kind::integer, .integer = value}); }
    void push_long(std::string_view digits) {
        if (digits.size() > 8)
            return push_object(Kind::long_integer, digits);
        std::int64_t value = !digits.empty() && (digits.back() & 0x80) != 0 ? -1 : 0;
        std::memcpy(&value, digits.data(), digits.size());
        push_integer(value);
    }
    void push_text(std::string_view text) {
        if (!text::is_utf8(text))
            cursor_.fail("it holds a text that is not UTF-8");
        push_object(Kind::text, text);
    }
    /// A str of Python 2: text if it is valid UTF-8, else bytes.
    void push_old_text(std::string_view text) { push_object(text::is_utf8(text) ? Kind::text : Kind::bytes, text); }

    Object& expect(const Value& value, Kind kind) const {
        if (value.kind != kind)
            cursor_.fail("it adds items to a value that is not a container");
        return *value.object;
    }
    void extend(Kind kind, std::vector<Value> items) {
        std::vector<Value>& all = expect(top(), kind).items;
        all.insert(all.end(), items.begin(), items.end());
    }
    void check_pairs(std::size_t count) const {
        if (count % 2 != 0)
            cursor_.fail("it has a key without a value");
    }

    // Names.

    static std::string printable(std::string_view text) {
        std::string shown;
        for (char c : text.substr(0, 80))
            shown += c >= ' ' && c != 127 ? c : '?';
        return shown;
    }
    [[noreturn]] void refuse(std::string_view module, std::string_view name) const {
        cursor_.fail(
            Message("it asks for {}.{}, which checkpoints of tensors do not need", printable(module), printable(name)));
    }
    void push_global(std::string_view module, std::string_view name) {
        auto position = find_global(module, name);
        if (!position)
            refuse(module, name);
        const Global& global = global_at(*position);
        if (global.meaning == Meaning::dtype) {
            Object& object = new_object(Kind::dtype);
            object.type = global.type;
            return push(value_of(object));
        }
        push({.kind = Kind::name, .integer = static_cast<std::int64_t>(*position)});
    }

    static bool means(const Value& value, std::initializer_list<Meaning> one_of) {
        return value.kind == Kind::name &&
               std::ranges::find(one_of, global_at(static_cast<std::size_t>(value.integer)).meaning) != one_of.end();
    }

    Value construct(const Value& function, const Value& arguments) {
        if (function.kind != Kind::name || arguments.kind != Kind::tuple)
            cursor_.fail("it calls what cannot be called");
        const Global& global = global_at(static_cast<std::size_t>(function.integer));
        std::span<const Value> given = arguments.items();
        switch (global.meaning) {
            case Meaning::ordered_dict:
                return ordered_dict(given);
            case Meaning::tensor:
            case Meaning::tensor_with_dtype:
                return tensor(global, given);
            case Meaning::parameter:
                if (given.empty() || given[0].kind != Kind::tensor)
                    bad_arguments(global);
                return given[0];
            case Meaning::subclass:
                if (given.size() != 4 || !means(given[1], {Meaning::tensor_class}) ||
                    !means(given[0], {Meaning::tensor, Meaning::tensor_with_dtype, Meaning::parameter}))
                    bad_arguments(global);
                return construct(given[0], given[2]);
            case Meaning::size: {
                Object& object = new_object(Kind::size);
                if (given.size() != 1)
                    bad_arguments(global);
                sizes(given[0]);
                object.items.assign(given[0].items().begin(), given[0].items().end());
                return value_of(object);
            }
            case Meaning::set: {
                Object& object = new_object(Kind::set);
                for (const Value& list : given) {
                    copy(list.items().size_bytes());
                    object.items.insert(object.items.end(), list.items().begin(), list.items().end());
                }
                return value_of(object);
            }
            case Meaning::device: {
                Object& object = new_object(Kind::device);
                object.text = given.empty() ? std::string_view() : given[0].text();
                object.items.assign(given.begin(), given.end());
                return value_of(object);
            }
            case Meaning::bytes:
                if (given.empty())
                    return value_of(new_object(Kind::bytes));
                if (given[0].kind == Kind::bytes)
                    return given[0];
                [[fallthrough]];
            case Meaning::encode:
                return encoded(global, given);
            case Meaning::record: {
                Object& object = new_object(Kind::record);
                object.type = global.type;
                object.number = function.integer;
                object.items = {arguments, Value{}};
                return value_of(object);
            }
            case Meaning::storage:
            case Meaning::dtype:
            case Meaning::tensor_class:
                break;
        }
        cursor_.fail(Message("it calls {}.{}", global.module, global.name));
    }

    /// Counts copies against the limit: a short pickle can copy one memoised list with every opcode.
    void copy(std::size_t bytes) {
        if (bytes > limits_.copied - copied_)
            cursor_.fail("it copies the same items again and again");
        copied_ += bytes;
    }

    [[noreturn]] void bad_arguments(const Global& global) const {
        cursor_.fail(Message("what it gives to {}.{} makes no sense", global.module, global.name));
    }

    Value ordered_dict(std::span<const Value> given) {
        Object& object = new_object(Kind::dict);
        if (!given.empty())
            for (const Value& pair : given[0].items()) {
                if (pair.items().size() != 2)
                    cursor_.fail("it has a key without a value");
                copy(pair.items().size_bytes());
                object.items.insert(object.items.end(), pair.items().begin(), pair.items().end());
            }
        return value_of(object);
    }

    std::vector<std::int64_t> sizes(const Value& value) const {
        if (value.items().size() > 64)
            cursor_.fail("a tensor has more than 64 dimensions");
        std::vector<std::int64_t> numbers;
        if (value.kind != Kind::tuple && value.kind != Kind::size && value.kind != Kind::list)
            cursor_.fail("the shape or the strides of a tensor are not lists");
        for (const Value& item : value.items()) {
            if (item.kind != Kind::integer || item.integer < 0)
                cursor_.fail("the shape or the strides of a tensor are negative or no numbers");
            numbers.push_back(item.integer);
        }
        return numbers;
    }

    Value tensor(const Global& global, std::span<const Value> given) {
        bool typed = global.meaning == Meaning::tensor_with_dtype;
        if (given.size() < (typed ? 7u : 4u) || given[0].kind != Kind::storage || given[1].kind != Kind::integer ||
            given[1].integer < 0 || (typed && given[6].kind != Kind::dtype))
            bad_arguments(global);
        Object& object = new_object(Kind::tensor);
        object.tensor = std::make_unique<TensorPart>();
        TensorPart& part = *object.tensor;
        part.storage = given[0].object;
        part.dtype = typed ? given[6].object->type : part.storage->type;
        part.offset = given[1].integer;
        part.shape = sizes(given[2]);
        part.strides = sizes(given[3]);
        if (part.dtype.empty() || part.shape.size() != part.strides.size())
            bad_arguments(global);
        pickle_.tensors_.push_back(&object);
        return value_of(object);
    }

    void push_storage(const Value& id) {
        // ("storage", class, key, device, elements); files of old versions add a view, always None.
        std::span<const Value> parts = id.items();
        if (id.kind != Kind::tuple || parts.size() < 5 || parts[0].text() != "storage" || parts[1].kind != Kind::name ||
            parts[2].kind != Kind::text || parts[4].kind != Kind::integer || parts[4].integer < 0)
            cursor_.fail("it refers to something outside that is not the storage of a tensor");
        const Global& global = global_at(static_cast<std::size_t>(parts[1].integer));
        if (global.meaning != Meaning::storage)
            cursor_.fail(Message("it has a storage of the class {}.{}", global.module, global.name));
        if (parts.size() > 5 && parts[5].kind != Kind::none)
            cursor_.fail(
                "it has a view of a storage, which only torch before 0.4 wrote: save it again with a newer one");
        Object& object = new_object(Kind::storage);
        object.text = parts[2].text();
        object.type = global.type;
        object.number = parts[4].integer;
        push(value_of(object));
    }

    Value encoded(const Global& global, std::span<const Value> given) {
        if (given.size() != 2 || given[0].kind != Kind::text ||
            (given[1].text() != "latin1" && given[1].text() != "latin-1"))
            bad_arguments(global);
        copy(given[0].text().size());
        std::string& bytes = pickle_.texts_.emplace_back();
        std::string_view text = given[0].text();
        for (std::size_t i = 0; i < text.size(); ++i) {
            auto first = static_cast<unsigned char>(text[i]);
            if (first < 0x80) {
                bytes += text[i];
            } else if (first < 0xc4) {  // two bytes: U+0080 to U+00FF
                bytes += static_cast<char>((first & 3) << 6 | (static_cast<unsigned char>(text[++i]) & 0x3f));
            } else {
                bad_arguments(global);
            }
        }
        Object& object = new_object(Kind::bytes);
        object.text = bytes;
        return value_of(object);
    }

    Pickle& pickle_;
    Cursor cursor_;
    const PickleLimits& limits_;
    std::vector<Value> stack_;
    std::vector<std::size_t> marks_;
    std::size_t copied_ = 0;
    std::unordered_map<std::uint32_t, Value> memo_;
};

Pickle::Pickle(std::span<const std::byte> bytes, const std::string& where, const PickleLimits& limits) {
    Unpickler(*this, bytes, where, limits).run();
}

std::span<const Value> Value::items() const {
    switch (kind) {
        case Kind::list:
        case Kind::tuple:
        case Kind::size:
        case Kind::set:
        case Kind::dict:
        case Kind::record:
            return object->items;
        default:
            return {};
    }
}

std::string_view Value::text() const {
    return kind == Kind::text ? object->text : std::string_view();
}

const Value* find(const Value& dict, std::string_view key) {
    if (dict.kind != Kind::dict)
        return nullptr;
    std::span<const Value> items = dict.items();
    for (std::size_t i = items.size(); i >= 2; i -= 2)
        if (items[i - 2].kind == Kind::text && items[i - 2].text() == key)
            return &items[i - 1];
    return nullptr;
}

const Value* field(const Value& record, std::string_view name) {
    constexpr std::size_t kMostFields = 100;
    if (record.kind != Kind::record || record.object->items.at(1).items().size() > 2 * kMostFields)
        return nullptr;
    return find(record.object->items.at(1), name);
}

}  // namespace trainyard::weights
