// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
// trainyard-worker predict: loads a model with classes once and answers samples, for `trainyard predict` and the
// desktop. Requests are lines of JSON on standard input, answers on standard output:
//   {"model": path, "tokenizer": path, "adapters": [...], "threads": n, "plain": false, "placement": {...}}
//                                  the first line, as that of worker/answer_prompts.h
//                                  -> {"event": "ready", "folder", "parameters", "task", "classes": [names]}
//   {"text": text, "second": text, "image": path, "mask": path, "top": 5}
//                                  a model of texts reads text and second, one of questions the question in text and
//                                  the text with the answer in second, one of images an image (PNG or JPEG);
//                                  "mask": file to write with the class of each pixel, as a grey PNG; "top": scores in
//                                  the answer, 0: all
//                                  -> {"event": "prediction", "kind", "scores": [{"name", "score"}], "words": [{"text",
//                                  "label", "score"}], "answers": [{"text", "begin", "end", "score"}], "no_answer",
//                                  "notes", "height", "width", "seconds"}  (inference/predict)
// A request that cannot be fulfilled is answered by {"event": "error", "message"}; a model that cannot be loaded ends
// the program with exit code 2. With "plain" a table is written for each sample.

namespace trainyard::worker {

int answer_samples();

}  // namespace trainyard::worker
