// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
// The checks before a start, checks by hosts, as a model: what is done, what failed, what stands where. With more than six hosts the columns
// are a summary and the hosts on which something failed.

#include <map>
#include <utility>
#include <vector>

#include <QStringList>

#include "remote/remote_run.h"
#include "widgets/cell_table.h"

namespace trainyard::desktop {

using CheckState = remote::CheckResult::State;

/// Icon, word and colour of a state.
widgets::Chip checkChip(CheckState state);

class CheckTable : public widgets::CellTable {
    Q_OBJECT
  public:
    static constexpr int kMostColumns = 6;

    using CellTable::CellTable;
    /// Everything is waiting. `titles`: hosts as people call them, by name.
    void reset(const std::vector<std::pair<std::string, std::string>>& checks, const QStringList& hosts,
               const std::map<QString, QString>& titles = {});
    void take(const remote::CheckResult& result);
    /// A cell's own words, e.g. how far a copy is; its state stays.
    void setText(const QString& check, const QString& host, const QString& text);

    const remote::CheckResult* result(const QString& check, const QString& host) const;
    /// Of a cell; the worst of the row for its first column or a summary; nullptr: none.
    const remote::CheckResult* resultAt(const QModelIndex& index) const;
    QModelIndex indexOf(const QString& check, const QString& host) const;
    QString checkTitle(const QString& check) const;
    QString hostTitle(const QString& host) const;
    int count(CheckState state) const;
    int all() const { return static_cast<int>(results_.size()); }
    int done() const { return all() - count(CheckState::waiting) - count(CheckState::running); }
    /// The first failed cell, else the first warning.
    QModelIndex worst() const;
    bool isSummary() const { return hosts_.size() > kMostColumns; }
    /// As text, a line each: kept with the run, and for the clipboard.
    QString report() const;

  protected:
    int rows() const override { return static_cast<int>(checks_.size()); }
    int columns() const override { return static_cast<int>(shown_.size()) + 1; }
    QString title(int column) const override;
    widgets::Cell cell(int row, int column) const override;
    QString words(int row, int column) const override;
    QString spoken(int row, int column) const override;
    QString tip(int row, int column) const override;

  private:
    QString hostAt(int column) const;  ///< empty: names or the summary
    QStringList failingHosts() const;
    QStringList checks_;
    std::map<QString, QString> check_titles_;
    QStringList hosts_;
    QStringList shown_;  ///< columns behind the names; an empty one is the summary
    std::map<QString, QString> host_titles_;
    std::map<std::pair<QString, QString>, remote::CheckResult> results_;
};

}  // namespace trainyard::desktop
