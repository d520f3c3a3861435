// SPDX-License-Identifier: GPL-3.0-or-later
// Unit tests of the unpickler: the values of its opcodes, refused input, and its limits.

#include "formats/weights/pickle.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "base/error.h"
#include "formats/weights/pickle_writer.h"
#include "support/says.h"
#include "weights/written.h"

namespace trainyard::weights {
namespace {

using test::bytes_of;
using test::global;
using test::pickled;
using test::raw;
using test::says;
using test::whole;
using testing::_;
using testing::HasSubstr;
using testing::StartsWith;

std::string said_of(const std::string& text, const PickleLimits& limits = {}) {
    try {
        Pickle(bytes_of(text), "the file", limits);
        return "";
    } catch (const UserError& error) {
        return error.what();
    }
}

TEST(Pickle, PlainValues) {
    std::string text = whole("(K\x07" + pickled(-5) + "\x8a\x09" + std::string("\0\0\0\0\0\0\0\0\1", 9) + "G" +
                             std::string("\x40\x04\0\0\0\0\0\0", 8) + "N\x88" + pickled("wörd") + "t");
    Pickle pickle(bytes_of(text), "the file");
    EXPECT_EQ(pickle.size(), text.size());
    auto items = pickle.root().items();
    ASSERT_EQ(items.size(), 7u);
    EXPECT_EQ(items[0].integer, 7);
    EXPECT_EQ(items[1].integer, -5);
    EXPECT_EQ(items[2].kind, Kind::long_integer);
    EXPECT_EQ(items[3].real, 2.5);
    EXPECT_EQ(items[4].kind, Kind::none);
    EXPECT_TRUE(items[5].boolean);
    EXPECT_EQ(items[6].text(), "wörd");
}

/// The output of Python 3.11 for pickle.dumps([-2147483649, -(1 << 40), -(1 << 63), -(1 << 63) - 1, -(1 << 64), 1 <<
/// 63, -255 * (1 << 33), -32769 * (1 << 24), 0], protocol=2).
TEST(Pickle, LongsOfPythonHaveASign) {
    constexpr std::string_view kWritten(
        "\x80\x02\x5d\x71\x00\x28\x8a\x05\xff\xff\xff\x7f\xff\x8a\x06\x00\x00\x00\x00\x00\xff\x8a\x08\x00\x00\x00\x00"
        "\x00\x00"
        "\x00\x80\x8a\x09\xff\xff\xff\xff\xff\xff\xff\x7f\xff\x8a\x09\x00\x00\x00\x00\x00\x00\x00\x00\xff\x8a\x09\x00"
        "\x00\x00"
        "\x00\x00\x00\x00\x80\x00\x8a\x06\x00\x00\x00\x00\x02\xfe\x8a\x06\x00\x00\x00\xff\x7f\xff\x4b\x00\x65\x2e",
        84);
    Pickle pickle(bytes_of(std::string(kWritten)), "the file");
    const auto items = pickle.root().items();
    ASSERT_EQ(items.size(), 9u);
    EXPECT_EQ(items[0].integer, -2147483649LL);
    EXPECT_EQ(items[1].integer, -(1LL << 40));
    EXPECT_EQ(items[2].integer, std::numeric_limits<std::int64_t>::min());
    for (std::size_t big : {3u, 4u, 5u})
        EXPECT_EQ(items[big].kind, Kind::long_integer) << "a number of more than 64 bits must not be truncated";
    EXPECT_EQ(items[6].integer, -255LL * (1LL << 33));
    EXPECT_EQ(items[7].integer, -32769LL * (1LL << 24));
    EXPECT_EQ(items[8].integer, 0);
    PickleWriter writer;
    writer.value(pickle.root(), "the file");
    const std::string again = writer.finish();
    Pickle back(bytes_of(again), "written");
    for (std::size_t at = 0; at < items.size(); ++at) {
        EXPECT_EQ(back.root().items()[at].kind, items[at].kind) << at;
        if (items[at].kind == Kind::long_integer) {
            EXPECT_EQ(back.root().items()[at].object->text, items[at].object->text) << at;
        } else {
            EXPECT_EQ(back.root().items()[at].integer, items[at].integer) << at;
        }
    }
}

TEST(Pickle, TheLastOfTwoKeysCounts) {
    std::string text = whole("}(" + pickled("a") + "K\x01" + pickled("a") + "K\x02u");
    Pickle pickle(bytes_of(text), "the file");
    ASSERT_NE(find(pickle.root(), "a"), nullptr);
    EXPECT_EQ(find(pickle.root(), "a")->integer, 2);
    EXPECT_EQ(find(pickle.root(), "b"), nullptr);
}

TEST(Pickle, BytesOfProtocolTwo) {
    std::string text =
        whole(global("_codecs", "encode") + "(" + pickled("a\xc3\xbf\xc2\x80") + pickled("latin1") + "tR");
    Pickle pickle(bytes_of(text), "the file");
    ASSERT_EQ(pickle.root().kind, Kind::bytes);
    EXPECT_EQ(pickle.root().object->text, "a\xff\x80");
    EXPECT_THAT(said_of(whole(global("_codecs", "encode") + "(" + pickled("层") + pickled("latin1") + "tR")),
                HasSubstr("_codecs.encode"));
    EXPECT_THAT(said_of(whole(global("_codecs", "encode") + "(" + pickled("a") + pickled("zip") + "tR")),
                HasSubstr("_codecs.encode"));
}

TEST(Pickle, NamesOutsideTheTableAreNamedInTheRefusal) {
    EXPECT_THAT(said_of(whole(global("os", "system"))),
                says("it asks for {}.{}, which checkpoints of tensors do not need", "os", StartsWith("system")));
    EXPECT_THAT(said_of(whole(pickled("builtins") + pickled("eval") + "\x93")), HasSubstr("builtins.eval"));
    EXPECT_THAT(said_of(whole(pickled("torch") + pickled("serialization.os.system") + "\x93")),
                HasSubstr("torch.serialization.os.system"));
    EXPECT_THAT(said_of(whole("(ios\nsystem\n")), HasSubstr("os.system"));
    EXPECT_THAT(said_of(whole(global("torch", "load"))), HasSubstr("torch.load"));
    EXPECT_THAT(said_of(whole(global("numpy", "\x1b[2Jload"))), HasSubstr("numpy.?[2Jload"))
        << "nothing may reach the terminal";
}

TEST(Pickle, AllowedNamesCannotBeMisused) {
    // A storage type, a dtype and a finished object cannot be called as functions.
    EXPECT_THAT(said_of(whole(global("torch", "FloatStorage") + "K\x08\x85R")),
                says("it calls {}.{}", "torch", StartsWith("FloatStorage")));
    EXPECT_THAT(said_of(whole(global("torch", "float32") + ")R")), says("it calls what cannot be called"));
    EXPECT_THAT(said_of(whole(pickled("system") + ")R")), says("it calls what cannot be called"));
    EXPECT_THAT(said_of(whole(global("collections", "OrderedDict") + ")\x81")),
                says("it makes an object in a way that torch.save never does"));
    EXPECT_THAT(said_of(whole("]}b")), says("it gives a state to something that has none"));
    EXPECT_THAT(said_of(whole(pickled("os") + "Q")),
                says("it refers to something outside that is not the storage of a tensor"));
    EXPECT_THAT(said_of(whole(global("torch._utils", "_rebuild_parameter") + ")R")),
                says("what it gives to {}.{} makes no sense", _, _));
}

TEST(Pickle, BrokenTexts) {
    for (const char* body : {"a", "s", "t", "u", "R", "b", "\x85", "\x93", "q", "h\x05", "0", "2", "(K\x01u",
                             "K\x01K\x02"
                             "a",
                             "]K\x01K\x02s", "\x90", "(q\x01"})
        EXPECT_NE(said_of(whole(body)), "") << body;
    EXPECT_THAT(said_of("\x80\x02N"), says("it ends without its end mark"));
    EXPECT_THAT(said_of(""), says("it ends without its end mark"));
    EXPECT_THAT(said_of("\x80\x06N."), says("it is of protocol {}, and only 2 to 5 are read", StartsWith("6")));
    EXPECT_THAT(said_of(whole("X" + raw(0xffffffffu) + "abc")), says("it announces {} bytes where {} are left", _, _));
    EXPECT_THAT(said_of(whole(pickled("\xff\xfe"))), HasSubstr("UTF-8"));
    EXPECT_THAT(said_of(whole(pickled("\xed\xa0\x80"))), HasSubstr("UTF-8")) << "half of a surrogate pair";
    EXPECT_THAT(said_of(whole(pickled("\xc0\xaf"))), HasSubstr("UTF-8")) << "longer than needed";
    EXPECT_THAT(said_of(whole("\x82\x01")), HasSubstr("0x82")) << "extension registry";
    EXPECT_THAT(said_of("I1\n."), HasSubstr("0x49")) << "protocol 0";
}

TEST(Pickle, TensorsAreCheckedWhenTheyAreMade) {
    EXPECT_EQ(said_of(whole(test::pickled_tensor("FloatStorage", "0", 6, 0, {2, 3}, {3, 1}))), "");
    EXPECT_THAT(said_of(whole(test::pickled_tensor("FloatStorage", "0", 6, -1, {2, 3}, {3, 1}))),
                says("what it gives to {}.{} makes no sense", _, _));
    EXPECT_THAT(said_of(whole(test::pickled_tensor("FloatStorage", "0", 6, 0, {-2, 3}, {3, 1}))),
                says("the shape or the strides of a tensor are negative or no numbers"));
    EXPECT_THAT(said_of(whole(test::pickled_tensor("FloatStorage", "0", 6, 0, {2, 3}, {-3, 1}))),
                says("the shape or the strides of a tensor are negative or no numbers"));
    EXPECT_THAT(said_of(whole(test::pickled_tensor("FloatStorage", "0", 6, 0, {2, 3}, {1}))),
                says("what it gives to {}.{} makes no sense", _, _));
    EXPECT_THAT(said_of(whole(test::pickled_tensor("OrderedDict", "0", 6, 0, {2}, {1}))),
                HasSubstr("torch.OrderedDict"));
    EXPECT_THAT(said_of(whole(test::pickled_tensor("FloatStorage", "0", 6, 0, std::vector<std::int64_t>(65, 1),
                                                   std::vector<std::int64_t>(65, 1)))),
                says("a tensor has more than 64 dimensions"));
}

TEST(Pickle, LimitsHold) {
    EXPECT_THAT(said_of(whole(std::string(2000, '(')), {.marks = 1000}), says("it is nested too deeply"));
    EXPECT_THAT(said_of(whole(std::string(200, ']')), {.objects = 100}), says("it holds more than {} objects", 100));
    EXPECT_THAT(said_of(whole(std::string(200, ']')), {.bytes = 100}), says("it ends without its end mark"));
    // Nesting by one list in another costs neither stack nor time, on reading or on clearing away.
    std::string deep(1'000'000, ']');
    EXPECT_EQ(said_of(whole(deep + std::string(deep.size() - 1, 'a'))), "");
    // A list that holds itself.
    EXPECT_EQ(said_of(whole(std::string("]q\0h\0a", 6))), "");
    // A text that is memorised once and turned into bytes by every few bytes of the pickle.
    std::string repeated = pickled(std::string(100'000, 'x')) + "q\1" + "0" + pickled("latin1") + "q\2" + "0";
    for (int i = 0; i < 1000; ++i)
        repeated += global("_codecs", "encode") + "(h\1h\2tR0";
    EXPECT_THAT(said_of(whole(repeated + "N")), says("it copies the same items again and again"));
    std::string list = "](" + std::string(100'000, 'N') + "eq\1" + "0";
    for (int i = 0; i < 1000; ++i)
        list += global("builtins", "set") + "h\1\x85R0";
    EXPECT_THAT(said_of(whole(list + "N")), says("it copies the same items again and again"));
    // The largest key of the memory does not make it large.
    EXPECT_EQ(said_of(whole("Nr" + raw(0xffffffffu))), "");
}

}  // namespace
}  // namespace trainyard::weights
