#include "widgets/plurals.h"

#include <QCoreApplication>
#include <QHash>

namespace trainyard::widgets {

namespace {

/// Of one; null: as of many.
const QHash<QByteArray, const char*>& singulars() {
    static const QHash<QByteArray, const char*> table{
        {"%n to fix", nullptr},
        {"%n archived", nullptr},
        {"%n unarchived", nullptr},
        {"%n without %1.", nullptr},
        {"%n without readable settings.", nullptr},
        {", %n unread", nullptr},
        {"and %n more", nullptr},
        {"Stopping, %n left", nullptr},
        {"%1 = %2 (%n runs)", "%1 = %2 (%n run)"},
        {"Compare %n runs", "Compare %n run"},
        {"Comparison of %n runs", "Comparison of %n run"},
        {"Tags of %n runs", "Tags of %n run"},
        {"%n runs, %1 columns, %2 runs inside all ranges", "%n run, %1 columns, %2 inside all ranges"},
        {"%n runs, %1 against %2", "%n run, %1 against %2"},
        {"%n of %1 ticked runs lie inside the ranges of the sweep.",
         "%n of %1 ticked runs lies inside the ranges of the sweep."},
        {"%n settings. Tick another run to see what differs.", "%n setting. Tick another run to see what differs."},
        {"%n keys are equal in all %1.", "%n key is equal in all %1."},
        {"%n keys are equal in all of them.", "%n key is equal in all of them."},
        {"No differences: all %n keys are equal.", "No differences: the only key is equal."},
        {"%n metrics of which neither more nor less is better are listed under Final.",
         "%n metric of which neither more nor less is better is listed under Final."},
        {"%n finished runs have %1: at least %2 are needed.", "%n finished run has %1: at least %2 are needed."},
        {"No setting can be compared with %1: one of the two is the same in all %n finished runs.",
         "No setting can be compared with %1: there is %n finished run."},
        {"By the best %1 of %n finished runs. Of %2 settings, %3 would fall below 0.05 by chance. Correlation does not "
         "prove a cause.",
         "By the best %1 of %n finished run. Of %2 settings, %3 would fall below 0.05 by chance. Correlation does not "
         "prove a cause."},
        {"That share is the median of %n runs on this machine.", "That share is that of %n run on this machine."},
        {"%n steps in sight", "%n step in sight"},
        {"The first %n steps in sight; the rest is in an export as CSV",
         "The first %n step in sight; the rest is in an export as CSV"},
        {"%n histograms, values %1 to %2", "%n histogram, values %1 to %2"},
        {"%Ln points above", "%Ln point above"},
        {"%Ln points below", "%Ln point below"},
        {"%Ln values not above zero are not on the log axis", "%Ln value not above zero is not on the log axis"},
        {"%Ln points at or before 0 are not on the log axis", "%Ln point at or before 0 is not on the log axis"},
        {"%Ln lines", "%Ln line"},
        {"%Ln tags", "%Ln tag"},
        {"%Ln keys", "%Ln key"},
        {"The last checkpoint is from step %1: %Ln steps will be lost.",
         "The last checkpoint is from step %1: %Ln step will be lost."},
        {"There is no checkpoint yet: all %Ln steps will be lost.",
         "There is no checkpoint yet: %Ln step will be lost."},
        {"The newest %1 are shown; %Ln older notifications were dropped.",
         "The newest %1 are shown; %Ln older notification was dropped."},
    };
    return table;
}

}  // namespace

void EnglishPlurals::install(QCoreApplication& application) {
    if (application.findChild<EnglishPlurals*>(QString(), Qt::FindDirectChildrenOnly) == nullptr)
        application.installTranslator(new EnglishPlurals(&application));
}

bool EnglishPlurals::knows(const QByteArray& text) {
    return singulars().contains(text);
}

QString EnglishPlurals::translate(const char*, const char* text, const char*, int n) const {
    const char* singular = n == 1 ? singulars().value(text) : nullptr;
    return singular == nullptr ? QString() : QString::fromUtf8(singular);
}

}  // namespace trainyard::widgets
