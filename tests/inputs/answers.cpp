// SPDX-License-Identifier: GPL-3.0-or-later
// Answers of question_answering: where the files say that they begin, or where their words are; rows that do not fit are
// one message.

#include <gmock/gmock.h>

#include "base/file.h"
#include "config/inputs/answer_reader.h"
#include "config/inputs/sample_preview.h"
#include "models/spec/tasks.h"
#include "support/says.h"
#include "support/temporary_folder.h"

namespace trainyard::inputs {
namespace {

using test::says;
using testing::HasSubstr;

class AnswerPlaces : public testing::Test {
  protected:
    config::Recipe recipe(const std::string& lines, config::DataFormat format = config::DataFormat::jsonl) const {
        const std::string file = (folder_.path() / (std::string("rows.") + choice_name(format))).string();
        write_file_atomically(file, lines);
        config::Recipe made;
        made.model.task = families::kQuestionAnswering;
        made.data.format = format;
        made.data.paths = {file};
        made.data.sequence_length = 64;
        return made;
    }
    /// The tokens before the first one of the answer in the preview of the first row, and the answer.
    static std::pair<std::string, std::string> marked(const config::Recipe& recipe) {
        const SamplePreviews previews = preview_samples(recipe, {recipe.data.paths.front()}, 5);
        std::string before, answer;
        for (const PreviewToken& token : previews.rows.at(0).tokens)
            (token.counted ? answer : before) += answer.empty() || token.counted ? token.text : "";
        return {before, answer};
    }

    test::TemporaryFolder folder_;
};

TEST_F(AnswerPlaces, AnswerStartCountsAndNotTheFirstPlaceOfTheWords) {
    const config::Recipe placed =
        recipe(R"({"question": "q", "context": "é a b a", "answers": {"text": ["a"], "answer_start": [6]}})"
               "\n");
    EXPECT_TRUE(answer_problem(placed, 10).empty());
    EXPECT_EQ(marked(placed), std::pair(std::string("q\né a b "), std::string("a")));
    const config::Recipe found = recipe(R"({"question": "q", "context": "é a b a", "answer": "a"})"
                                        "\n");
    EXPECT_EQ(marked(found), std::pair(std::string("q\né "), std::string("a")));
    const config::Recipe table =
        recipe("question,context,answers\nq,é a b a,\"{\"\"text\"\": [\"\"a\"\"], \"\"answer_start\"\": [6]}\"\n",
               config::DataFormat::csv);
    EXPECT_EQ(marked(table), std::pair(std::string("q\né a b "), std::string("a")));
}

TEST_F(AnswerPlaces, RowsWhereItDoesNotFitAreOneMessage) {
    const config::Recipe wrong =
        recipe(R"({"question": "q", "context": "a b", "answers": {"text": ["b"], "answer_start": [2]}})"
               "\n"
               R"({"question": "q", "context": "é b", "answers": {"text": ["b"], "answer_start": [3]}})"
               "\n"
               R"({"question": "q", "context": "a b", "answers": {"text": ["b"], "answer_start": [-1]}})"
               "\n"
               R"({"question": "q", "context": "a b", "answers": {"text": [], "answer_start": []}})"
               "\n"
               R"({"question": "q", "context": "a b", "answers": {"text": ["b"], "answer_start": [99999999999]}})"
               "\n");
    EXPECT_THAT(answer_problem(wrong, 10),
                says("{}. Rows with such a problem: {}",
                     HasSubstr("the answer 'b' of row 2 is not at character 3 of its text"), 3));
    // The preview shows the problem of each row.
    const SamplePreviews previews = preview_samples(wrong, {wrong.data.paths.front()}, 5);
    ASSERT_EQ(previews.rows.size(), 5u);
    EXPECT_TRUE(previews.rows[0].problem.empty());
    EXPECT_THAT(previews.rows[1].problem.text(), HasSubstr("is not at character 3"));
    EXPECT_TRUE(previews.rows[3].problem.empty()) << "no answer";
}

}  // namespace
}  // namespace trainyard::inputs
