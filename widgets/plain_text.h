#pragma once
// Text of others (names of runs, hosts, files, tensors, processes, messages of programs) is shown as it is. Qt takes a
// text that looks like HTML for HTML in labels, tool tips and message boxes: such a text could read a device, name
// files of this machine, or forge a question.

#include "widgets/forward.h"

namespace trainyard::widgets {

/// Every label of the application that leaves it to Qt to judge its text shows plain text from now on; so do tool tips
/// and message boxes, which are made of labels. A label that sets Qt::RichText itself stays as it is. Long tool tips
/// are cut. Once for each application.
void install_plain_text(QApplication& application);

}  // namespace trainyard::widgets
