// SPDX-License-Identifier: GPL-3.0-or-later
#include "desktop/wizard/hardware_page.h"

#include <algorithm>

#include <QCheckBox>
#include <QLineEdit>
#include <QLocale>
#include <QSpinBox>

#include "base/device_kinds.h"
#include "desktop/hosts/host_words.h"
#include "desktop/shell/ui.h"
#include "desktop/wizard/run_draft.h"
#include "widgets/number_box.h"
#include "widgets/pixels.h"

namespace trainyard::desktop {

namespace {
constexpr int kMostRanks = 1024;
const int& kTickWidth = live_px(150);
}  // namespace

HardwarePage::HardwarePage(RunDraft* draft, QWidget* parent)
    : QuestionPage(draft, settings::Topic::hardware, parent),
      lines_layout_(addBlock(tr("Hosts"))),
      note_(wrapped(make_note({}, Tone::Muted))),
      open_hosts_(with_look(new QPushButton(tr("Open Hosts")), {.kind = "link"})) {
    lines_layout_->addWidget(note_);
    lines_layout_->addWidget(open_hosts_, 0, Qt::AlignLeft);
    connect(open_hosts_, &QPushButton::clicked, this, &HardwarePage::hostsRequested);
    addLine(kThisMachine, tr("This machine"), {}, 1, kMostRanks);
}

HardwarePage::Line HardwarePage::line(const QString& host) const {
    const auto found = std::ranges::find(lines_, host.toStdString(), &Line::host);
    return found == lines_.end() ? Line() : *found;
}

void HardwarePage::addLine(const std::string& host, const QString& title, const QString& facts, int usual, int most) {
    usual_[host] = std::max(1, usual);
    if (const auto known = std::ranges::find(lines_, host, &Line::host); known != lines_.end()) {
        known->tick->setText(title);
        known->facts->setFullText(facts);
        return;
    }
    Line line{host, new QCheckBox(title), new widgets::NumberBox,
              make_elided(facts, Theme::instance().text(12), Tone::Muted), new QWidget};
    // The fields of ranks are aligned in a column after the longest name.
    int wide = std::max(kTickWidth, line.tick->sizeHint().width());
    for (const Line& other : lines_)
        wide = std::max(wide, other.tick->minimumWidth());
    line.tick->setFixedWidth(wide);
    for (const Line& other : lines_)
        other.tick->setFixedWidth(wide);
    line.ranks->setRange(1, most);
    line.ranks->setFont(Theme::instance().mono(12));
    line.ranks->setAccessibleName(tr("Ranks on %1").arg(title));
    // The line edit inside the spin box has the focus and is what screen readers read.
    line.ranks->findChild<QLineEdit*>()->setAccessibleName(line.ranks->accessibleName());
    // Set prefix and suffix from the translated plural form: the text before and after its number.
    auto words_of = [ranks = line.ranks](int value) {
        const QString words = tr("%Ln ranks", nullptr, value), number = QLocale().toString(value);
        const qsizetype at = std::max<qsizetype>(0, words.indexOf(number));
        ranks->setPrefix(words.left(at));
        ranks->setSuffix(words.mid(at + number.size()));
    };
    words_of(1);
    connect(line.ranks, &QSpinBox::valueChanged, line.ranks, words_of);
    line.ranks->setMinimumWidth(110_px);
    line.holder->setLayout(make_row({0, 0, 0, 0}, 12, {line.tick, line.ranks, {line.facts, 1}}));
    // Insert after the heading and the previous hosts.
    lines_layout_->insertWidget(1 + static_cast<int>(lines_.size()), line.holder);
    setTabOrder(line.ranks, open_hosts_);  // which was made first; the first field of the page is that of a host
    connect(line.tick, &QCheckBox::toggled, this, &HardwarePage::take);
    connect(line.ranks, &QSpinBox::valueChanged, this, &HardwarePage::take);
    lines_.push_back(line);
}

void HardwarePage::setListing(const HostListing& listing) {
    QStringList names;
    for (const remote::KnownHost& known : listing.hosts) {
        names << qt(known.name);
        if (!known.stored.use || listing.unusable.contains(known.name))
            continue;
        const auto last = listing.last.find(known.name);
        const bool facts = last != listing.last.end() && last->second.result.facts;
        int gpus = facts ? static_cast<int>(last->second.result.facts->gpus.size()) : 0;
        if (known.stored.max_gpus)
            gpus = std::min(gpus, *known.stored.max_gpus);
        HostRow row;
        row.known = known;
        if (facts)
            row.facts = last->second.result.facts;
        const QString title = qt(known.stored.label.empty() ? known.name : known.stored.label);
        addLine(known.name, title, facts ? cardLine(row) : tr("not asked yet"), gpus, kMostRanks);
    }
    // Remove hosts that are no longer known, unless the draft still uses them: the launch then reports the unknown
    // host.
    std::erase_if(lines_, [&](const Line& line) {
        const bool gone = line.host != kThisMachine && !line.tick->isChecked() && !names.contains(qt(line.host));
        if (gone)
            line.holder->deleteLater();
        return gone;
    });
    setHosts(names);
    takeValues();
}

void HardwarePage::take() {
    if (taking_)
        return;
    QVector<remote::HostShare> chosen;
    const QVector<remote::HostShare> before = draft()->hosts();
    for (const Line& line : lines_)
        if (line.tick->isChecked()) {
            const bool is_new = std::ranges::find(before, line.host, &remote::HostShare::host) == before.end();
            const bool first_remote = before.isEmpty() && line.host == kThisMachine;
            chosen << remote::HostShare{line.host, is_new && !first_remote ? usual_[line.host] : line.ranks->value()};
        }
    // At least one host is required.
    if (chosen.isEmpty())
        chosen << remote::HostShare{kThisMachine, 1};
    // For this machine alone, the settings define the number of ranks and the kind of machine.
    if (chosen.size() == 1 && chosen.first().host == kThisMachine && before.isEmpty())
        setOwnRanks(chosen.first().ranks);
    else
        draft()->setHosts(chosen);
    takeValues();
}

void HardwarePage::setOwnRanks(int ranks) {
    if (ranks == draft()->ranks())
        return;
    const settings::Machine& machine = draft()->questionnaire().machine();
    const QString one = QStringLiteral("NO");
    const QString now = draft()->answerOf(QStringLiteral("machine_type"));
    const bool several_devices = machine.device != "cpu" && machine.device_count > 1;
    draft()->beginStep();
    if (ranks > 1 && now == one) {
        const DeviceKind* kind = several_devices ? find_device_kind(machine.device) : nullptr;
        draft()->answer(QStringLiteral("machine_type"), kind != nullptr && !kind->distributed_type.empty()
                                                            ? qt(kind->distributed_type)
                                                            : QStringLiteral("MULTI_CPU"));
    } else if (ranks == 1) {
        draft()->answer(QStringLiteral("machine_type"), one);
    }
    if (ranks > 1)
        draft()->answer(QStringLiteral("num_processes"), QString::number(ranks));
    draft()->endStep();
}

void HardwarePage::takeValues() {
    QuestionPage::takeValues();
    taking_ = true;
    const QVector<remote::HostShare>& hosts = draft()->hosts();
    for (const Line& line : lines_) {
        const auto share = std::ranges::find(hosts, line.host, &remote::HostShare::host);
        const bool alone = hosts.isEmpty() && line.host == kThisMachine;
        line.tick->setChecked(alone || share != hosts.end());
        line.ranks->setValue(alone ? draft()->ranks() : share != hosts.end() ? share->ranks : usual_[line.host]);
        line.ranks->setEnabled(alone || share != hosts.end());
    }
    note_->setText(lines_.size() == 1 ? tr("Hosts of ~/.ssh/config and those you add appear here.")
                   : hosts.isEmpty()
                       ? tr("Select other hosts to run there, or on several; each has its own number of ranks.")
                       : tr("%1 ranks on %2 hosts. Addresses, ports and machine ranks are determined automatically; "
                            "the questions about machines below have no effect.")
                             .arg(draft()->ranks())
                             .arg(hosts.size()));
    taking_ = false;
}

}  // namespace trainyard::desktop
