// SPDX-License-Identifier: GPL-3.0-or-later
// Distributed inference: each rank processes its part of a list, and the results are gathered in order.

#include "main.h"
#include "rings.h"

using trainyard::Tree;

bool sample() {
    trainyard::Accelerator accelerator;
    Tree questions = Tree::list({"a", "bb", "ccc", "dddd", "eeeee"});
    Tree answers = Tree::list();
    Tree mine = accelerator.split_between_processes(questions);
    for (const Tree& question : mine.items())
        answers.append(static_cast<std::int64_t>(question.as_text().size()));
    Tree all = accelerator.gather_object(answers);
    accelerator.print("answers: " + std::to_string(all.items().size()));
    return all == Tree::list({1, 2, 3, 4, 5});
}
