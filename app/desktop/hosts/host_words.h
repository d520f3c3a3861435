// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
// Texts about hosts: state, hardware, age of the answer, problems and solutions. Without widgets.

#include <QString>
#include <QVector>

#include "desktop/hosts/host_list.h"
#include "widgets/cell.h"

namespace trainyard::desktop {

widgets::Chip stateChip(HostState state);
/// `8 × H100 80 GB · NVLink`, `no GPU · 16 cores · 64 GiB`; what is wrong; `not asked yet`.
QString cardLine(const HostRow& row);
/// `NVLink`, `PCIe`; empty: one GPU, or not known.
QString linkKind(const remote::HostFacts& facts);
/// `H100 80GB HBM3` without the maker's name.
QString shortGpu(const QString& name);

struct FactLine {
    QString label;
    QString value;
    widgets::Token ink = widgets::Token::Text;
    QString more = {};  ///< tooltip
};
QVector<FactLine> systemLines(const remote::HostFacts& facts);
QVector<FactLine> versionLines(const remote::HostFacts& facts, const QString& engine);
/// `NVLink 18, 4 × 400 Gb IB`
QString linksLine(const remote::HostFacts& facts);

/// A problem that makes a host unusable, or may do so.
struct Diagnosis {
    bool error = false;
    QString title;    ///< names the layer
    QString text;     ///< what it means, and how to fix it
    QString command;  ///< to try in a terminal; may be empty
};
/// Returns errors first, then warnings; empty if the host is fine.
QVector<Diagnosis> diagnose(const HostRow& row);

}  // namespace trainyard::desktop
