// SPDX-License-Identifier: GPL-3.0-or-later
// Text of users' files: UTF-8 with or without a mark is read, everything else is refused with its place.

#include "base/text_file.h"

#include <gmock/gmock.h>

#include "base/file.h"
#include "support/says.h"
#include "support/temporary_folder.h"

namespace trainyard::text {
namespace {

using namespace std::string_literals;
using test::says;
using testing::_;
using testing::HasSubstr;
using testing::StartsWith;

/// ASCII text as UTF-16 without a byte order mark.
std::string utf16(std::string_view text, bool low_byte_first = true) {
    std::string wide;
    for (const char letter : text) {
        wide += low_byte_first ? letter : '\0';
        wide += low_byte_first ? '\0' : letter;
    }
    return wide;
}

std::string refusal(std::string_view text) {
    try {
        checked_text(text, "a.yaml");
        return "";
    } catch (const InvalidInput& error) {
        return error.what();
    }
}

TEST(TextFile, AMarkIsSkipped) {
    EXPECT_EQ(checked_text("\xef\xbb\xbfname: x\n", "a.yaml"), "name: x\n");
    EXPECT_EQ(checked_text("name: gr\xc3\xbc\xc3\x9f\x65\n", "a.yaml"), "name: gr\xc3\xbc\xc3\x9f\x65\n");
    EXPECT_EQ(checked_text("", "a.yaml"), "");
    EXPECT_EQ(checked_text("a\0b"s, "a.yaml"), "a\0b"s) << "one zero byte is a character";
}

TEST(TextFile, OtherEncodingsAreNamed) {
    for (const std::string& text : {"\xff\xfe"s + utf16("name: x\n"), "\xfe\xff"s + utf16("name: x\n", false),
                                    utf16("name: x\n"), utf16("name: x\n", false)})
        EXPECT_THAT(refusal(text),
                    says("the text is {0}: save it as UTF-8, for example with iconv -f {0} -t UTF-8", "UTF-16")
                        .after("a.yaml: "));
    EXPECT_THAT(
        refusal("\xff\xfe\0\0n\0\0\0"s),
        says("the text is {0}: save it as UTF-8, for example with iconv -f {0} -t UTF-8", StartsWith("UTF-32")));
}

TEST(TextFile, FaultsHaveLineColumnAndByte) {
    EXPECT_THAT(refusal("a: 1\nb: gr\xfc\xdf\x65\n"),
                test::says("byte {} (0x{:02x}) is not valid UTF-8", "10", 0xfc).after("a.yaml:2:6: "));
    EXPECT_THAT(refusal("\xef\xbb\xbf\x61: \xe9\n"), HasSubstr("a.yaml:1:7: byte 6 (0xe9)"));
    EXPECT_THAT(refusal("a: 1\nb: x\0\0\0\0"s),
                test::says("zero bytes begin at byte {}", testing::StartsWith("9")).after("a.yaml:2:5: "));
    for (const char* invalid : {"\xc0\xaf", "\xed\xa0\x80", "\xf4\x90\x80\x80", "\xe2\x82", "\x80"})
        EXPECT_THAT(refusal("12345678901234567890"s + invalid),
                    says("byte {} (0x{:02x}) is not valid UTF-8: save the file as UTF-8, Latin-1 text for example with "
                         "iconv -f WINDOWS-1252 -t UTF-8",
                         StartsWith("20"), _))
            << "far from the beginning, too";
}

TEST(TextFile, ArgumentsAreNoFiles) {
    EXPECT_EQ(argument_problem("name=gr\xc3\xbc\xc3\x9f"), std::nullopt);
    EXPECT_THAT(argument_problem("name=gr\xfc"),
                testing::Optional(testing::AllOf(says("byte {} (0x{:02x}) of the argument is not valid UTF-8: give it "
                                                      "in UTF-8, as a terminal with a UTF-8 locale does",
                                                      7, "fc"),
                                                 testing::Not(HasSubstr("file")))));
    EXPECT_THAT([] { check_argument("\xfc", "--prompt"); },
                testing::Throws<UserError>(says("byte {} (0x{:02x}) of the argument is not valid UTF-8: give it in "
                                                "UTF-8, as a terminal with a UTF-8 locale does",
                                                0, "fc")
                                               .after("--prompt: ")));
}

TEST(TextFile, FilesAreReadWithoutTheirMark) {
    test::TemporaryFolder folder;
    write_file_atomically(folder.path() / "a.txt", "\xef\xbb\xbftext");
    EXPECT_EQ(read_text_file(folder.path() / "a.txt"), "text");
    write_file_atomically(folder.path() / "a.txt", "caf\xe9");
    try {
        read_text_file(folder.path() / "a.txt");
        FAIL();
    } catch (const InvalidInput& error) {
        EXPECT_THAT(error.what(), HasSubstr("a.txt:1:4: byte 3 (0xe9)"));
    }
}

}  // namespace
}  // namespace trainyard::text
