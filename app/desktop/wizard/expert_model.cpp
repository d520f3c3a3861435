// SPDX-License-Identifier: GPL-3.0-or-later
#include "desktop/wizard/expert_model.h"

#include <algorithm>

#include <QHash>

#include "base/truth.h"
#include "desktop/text/qt_text.h"
#include "desktop/wizard/draft_model.h"
#include "desktop/wizard/field_option.h"
#include "desktop/wizard/recipe_rows.h"
#include "desktop/wizard/run_draft.h"

namespace trainyard::desktop {

using settings::Key;
using settings::Section;

namespace {

constexpr std::size_t kMostSegmentLetters = 18;

/// Normalizes text so that `--fsdp-version` and `fsdp_version` match the same search.
QString searchable(const QString& text) {
    return text.toLower().replace(QLatin1Char('-'), QLatin1Char('_'));
}

QString searchText(const Key& key) {
    QStringList parts{
        qt(key.name),      qt(key.label),           qt(key.help), engineWords(key.label), engineWords(key.help),
        qt(key.flag.name), qt(key.environment.name)};
    for (std::string_view alias : key.aliases)
        parts << qt(alias);
    return searchable(parts.join(QLatin1Char('\n')));
}

QString titleOf(Section section) {
    return section == Section::local       ? ExpertModel::tr("General")
           : section == Section::sagemaker ? ExpertModel::tr("SageMaker")
           : section == Section::launch    ? ExpertModel::tr("Only on the command line")
                                           : qt(settings::table_name(section));
}

constexpr Section kOrder[] = {Section::local,     Section::parallelism, Section::fsdp, Section::deepspeed,
                              Section::megatron,  Section::dynamo,      Section::fp8,  Section::mpirun,
                              Section::sagemaker, Section::launch};

}  // namespace

QStringList options_of(const ExpertRow& row) {
    QStringList options;
    if (row.recipe != nullptr)
        return recipe_options(*row.recipe);
    if (row.key == nullptr)
        return options;
    for (std::string_view choice : row.key->choices)
        options << qt(choice);
    const settings::Range& range = row.key->range;
    if (options.isEmpty() && row.key->type == settings::Type::integer && range.most - range.least < kMostSegments)
        for (auto each = static_cast<int>(range.least); each <= static_cast<int>(range.most); ++each)
            options << QString::number(each);
    return options;
}

ExpertEditor editor_of(const ExpertRow& row) {
    if (row.only_flag || (row.key == nullptr && row.recipe == nullptr))
        return ExpertEditor::none;
    if (row.recipe != nullptr ? is_truth_key(*row.recipe) : row.key->type == settings::Type::boolean)
        return ExpertEditor::truth;
    const QStringList options = options_of(row);
    if (options.isEmpty() || (row.recipe != nullptr && is_path_key(*row.recipe)))
        return ExpertEditor::line;
    const bool is_short = options.size() <= kMostSegments &&
                          static_cast<std::size_t>(options.join(QString()).size()) <= kMostSegmentLetters;
    return is_short ? ExpertEditor::segments : ExpertEditor::choices;
}

ExpertModel::ExpertModel(DraftModel* draft, RunDraft* run, QObject* parent)
    : QAbstractItemModel(parent), draft_(draft), run_(run) {
    build();
    if (run_ == nullptr) {
        connect(draft_, &DraftModel::changed, this, &ExpertModel::refresh);
        return;
    }
    connect(run_, &RunDraft::changed, this, &ExpertModel::refresh);  // settings, too
    connect(run_, &RunDraft::checked, this, &ExpertModel::refresh);
}

/// A group for each section of recipes. The precision is a key of the settings.
void ExpertModel::buildRecipe() {
    for (const config::RecipeKey& key : config::recipe_keys()) {
        if (key.key == "training.mixed_precision")
            continue;
        ExpertRow row;
        row.recipe = &key;
        row.path = qt(key.key);
        row.name = row.path.section(QLatin1Char('.'), -1);
        QStringList words{row.path, qt(key.help), engineWords(key.help)};
        if (const RecipeRow* field = findRecipeRow(row.path); field != nullptr)
            words << field->label << field->hint;
        row.search = searchable(words.join(QLatin1Char('\n')));
        const QString section =
            row.path.contains(QLatin1Char('.')) ? row.path.section(QLatin1Char('.'), 0, 0) : QString();
        const QString title = section.isEmpty() ? tr("Recipe") : tr("Recipe: %1").arg(section);
        const auto group = std::ranges::find(groups_, title, &Group::title);
        if (group == groups_.end())
            groups_.push_back({title, {std::move(row)}});
        else
            group->rows.push_back(std::move(row));
    }
}

void ExpertModel::build() {
    if (run_ != nullptr)
        buildRecipe();
    QHash<QString, std::pair<std::size_t, std::size_t>> seen;
    QHash<int, std::size_t> group_of;
    for (Section section : kOrder) {
        group_of.insert(static_cast<int>(section), groups_.size());
        groups_.push_back({titleOf(section), {}});
    }
    for (const Key& key : settings::schema()) {
        ExpertRow row;
        row.only_flag = key.section == Section::launch;
        row.path = row.only_flag ? qt(key.flag.name.empty() ? key.name : key.flag.name) : qt(key.path());
        if (const auto first = seen.constFind(row.path); first != seen.constEnd()) {
            ExpertRow& shared = groups_[first->first].rows[first->second];
            if (key.section == Section::sagemaker)
                shared.cloud = &key;
            shared.search += QLatin1Char('\n') + searchText(key);
            continue;
        }
        row.name = row.only_flag ? row.path : qt(key.name);
        row.key = &key;
        row.search = searchText(key) + QLatin1Char('\n') + searchable(row.path);
        const std::size_t group = group_of.value(static_cast<int>(key.section));
        seen.insert(row.path, {group, groups_[group].rows.size()});
        groups_[group].rows.push_back(row);
    }
    groups_.push_back({tr("Not known to this version"), {}});
    for (Group& group : groups_)
        for (ExpertRow& row : group.rows)
            row = computed(row);
    refreshUnknown();
}

const Key* ExpertModel::keyOf(const ExpertRow& row) const {
    return row.cloud != nullptr && draft_->isSageMaker() ? row.cloud : row.key;
}

void ExpertModel::computeRecipe(ExpertRow& row) const {
    row.hidden = run_->purpose() != Purpose::Engine || !run_->hasRecipeKey(row.path);
    row.set = !row.hidden && run_->writesRecipeKey(row.path);
    const QString value = run_->recipeValue(row.path), standard = run_->recipeDefault(row.path);
    row.value = row.set ? value : QString();
    // What is left out comes from model.weights, or is the default.
    row.standard = row.set || value.isEmpty() ? standard : value;
    row.changed = row.set && value != standard;
    const QVector<DraftProblem>& problems = run_->report().problems;
    const auto problem = std::ranges::find(problems, row.path, &DraftProblem::key);
    const bool found = !row.hidden && problem != problems.end();
    row.error = found && problem->error;
    row.problem = found ? problem->message : QString();
    row.has_fix = found && !problem->fix.isEmpty();
    row.fix = row.has_fix ? tr("Use %1").arg(problem->fix) : QString();
}

ExpertRow ExpertModel::computed(const ExpertRow& row) const {
    ExpertRow now = row;
    if (row.recipe != nullptr) {
        computeRecipe(now);
        return now;
    }
    const settings::Settings& settings = draft_->settings();
    const Key* key = keyOf(row);
    const std::string path = row.path.toStdString();
    const Value* value = row.only_flag ? nullptr : settings.find(path);
    now.set = value != nullptr;
    now.value = value != nullptr ? valueText(*value) : QString();
    now.standard = key != nullptr ? valueText(key->standard()) : QString();
    now.applies = key == nullptr || key->applies == nullptr || key->applies(settings);
    const settings::Finding* finding = row.only_flag ? nullptr : draft_->finding(row.path);
    now.problem = finding != nullptr ? qtSentence(finding->message) : QString();
    now.error = finding != nullptr && finding->severity == settings::Finding::Severity::error;
    now.has_fix = finding != nullptr && finding->fix.has_value();
    now.fix.clear();
    if (now.has_fix)
        now.fix = finding->fix->is_null() ? tr("Remove") : tr("Use %1").arg(valueText(*finding->fix));
    if (row.only_flag) {
        now.changed = false;
    } else if (const auto& original = draft_->draft().original()) {
        const Value* was = original->settings.find(path);
        now.changed = (was == nullptr) != (value == nullptr) || (was != nullptr && !(*was == *value));
    } else {
        now.changed = value != nullptr && (key == nullptr || !(*value == key->standard()));
    }
    return now;
}

void ExpertModel::refreshUnknown() {
    std::vector<ExpertRow> rows;
    for (const auto& [path, value] : draft_->settings().leaves()) {
        const Key* key = settings::find_key(path, draft_->isSageMaker());
        if (key != nullptr && key->path() == path)
            continue;
        ExpertRow row;
        row.path = row.name = qt(path);
        // A key of the other compute environment already has its row.
        if (find(row.path).isValid() && find(row.path).internalId() != groups_.size())
            continue;
        row.search = searchable(row.path);
        rows.push_back(computed(row));
    }
    // Rows that stay keep their position: a filter over this model loses the rows of a group that is empty for a
    // moment.
    std::vector<ExpertRow>& shown = groups_.back().rows;
    const QModelIndex group = index(static_cast<int>(groups_.size()) - 1, 0);
    for (std::size_t r = shown.size(); r-- > 0;) {
        if (std::ranges::find(rows, shown[r].path, &ExpertRow::path) != rows.end())
            continue;
        beginRemoveRows(group, static_cast<int>(r), static_cast<int>(r));
        shown.erase(shown.begin() + static_cast<std::ptrdiff_t>(r));
        endRemoveRows();
    }
    for (std::size_t r = 0; r < rows.size(); ++r) {
        const int row = static_cast<int>(r);
        if (r < shown.size() && shown[r].path == rows[r].path) {
            if (shown[r] == rows[r])
                continue;
            shown[r] = rows[r];
            emit dataChanged(index(row, 0, group), index(row, ColumnCount - 1, group));
        } else {
            const auto later = std::find_if(shown.begin() + std::min(row, static_cast<int>(shown.size())), shown.end(),
                                            [&](const ExpertRow& other) { return other.path == rows[r].path; });
            if (later != shown.end()) {  // in another order
                const int from = static_cast<int>(later - shown.begin());
                beginRemoveRows(group, from, from);
                shown.erase(later);
                endRemoveRows();
            }
            beginInsertRows(group, row, row);
            shown.insert(shown.begin() + row, rows[r]);
            endInsertRows();
        }
    }
}

void ExpertModel::refresh() {
    for (std::size_t g = 0; g + 1 < groups_.size(); ++g) {
        int first = -1;
        int last = -1;
        std::vector<ExpertRow>& rows = groups_[g].rows;
        for (std::size_t r = 0; r < rows.size(); ++r) {
            ExpertRow now = computed(rows[r]);
            if (now == rows[r])
                continue;
            rows[r] = std::move(now);
            first = first < 0 ? static_cast<int>(r) : first;
            last = static_cast<int>(r);
        }
        if (first < 0)
            continue;
        const QModelIndex group = index(static_cast<int>(g), 0);
        emit dataChanged(index(first, 0, group), index(last, ColumnCount - 1, group));
        emit dataChanged(group, group);
    }
    refreshUnknown();
    emit refreshed();
}

const ExpertRow* ExpertModel::at(const QModelIndex& index) const {
    if (!index.isValid() || index.internalId() == 0)
        return nullptr;
    return &groups_[index.internalId() - 1].rows[static_cast<std::size_t>(index.row())];
}

bool ExpertModel::isUsual(int group) const {
    const std::vector<ExpertRow>& rows = groups_[static_cast<std::size_t>(group)].rows;
    const bool general = !rows.empty() && rows.front().key != nullptr && rows.front().key->section == Section::local;
    return general || setCount(group) > 0;
}

int ExpertModel::setCount(int group) const {
    return static_cast<int>(std::ranges::count(groups_[static_cast<std::size_t>(group)].rows, true, &ExpertRow::set));
}

QModelIndex ExpertModel::find(const QString& path) const {
    auto search = [this](const QString& wanted) {
        for (std::size_t g = 0; g < groups_.size(); ++g)
            for (std::size_t r = 0; r < groups_[g].rows.size(); ++r)
                if (groups_[g].rows[r].path == wanted)
                    return createIndex(static_cast<int>(r), 0, quintptr{g + 1});
        return QModelIndex();
    };
    if (const QModelIndex found = search(path); found.isValid())
        return found;
    const Key* key = settings::find_key(path.toStdString(), draft_->isSageMaker());
    return key != nullptr ? search(qt(key->path())) : QModelIndex();
}

ExpertModel::Counts ExpertModel::counts() const {
    Counts counts;
    for (const Group& group : groups_)
        for (const ExpertRow& row : group.rows) {
            counts.all += row.hidden ? 0 : 1;
            counts.set += row.set ? 1 : 0;
            counts.changed += row.changed ? 1 : 0;
            counts.invalid += row.error ? 1 : 0;
        }
    return counts;
}

void ExpertModel::setTyped(const QModelIndex& index, const QString& text) {
    const ExpertRow* row = at(index);
    if (row == nullptr || row->only_flag || row->value == text)
        return;
    if (row->recipe != nullptr)
        run_->setRecipeValue(row->path, text.trimmed());
    else
        draft_->setTyped(row->path, text);
}

bool ExpertModel::setTicked(const QModelIndex& index, bool on) {
    const ExpertRow* row = at(index);
    if (row == nullptr || row->only_flag || row->set == on)
        return true;
    if (row->recipe != nullptr) {
        if (on && editor_of(*row) == ExpertEditor::truth)
            toggle(index);
        else if (on)
            return false;  // a recipe has no defaults
        else
            run_->resetRecipeValue(row->path);
        return true;
    }
    Value value;
    if (const Key* key = keyOf(*row); on && key != nullptr)
        value = key->standard();
    if (on && value.is_null() && editor_of(*row) != ExpertEditor::truth)
        return false;
    draft_->set(row->path, on && value.is_null() ? Value(true) : value);
    return true;
}

void ExpertModel::toggle(const QModelIndex& index) {
    const ExpertRow* row = at(index);
    if (row == nullptr || editor_of(*row) != ExpertEditor::truth)
        return;
    const bool on = truth_of((row->set ? row->value : row->standard).toStdString()) == Truth::yes;
    if (row->recipe != nullptr)
        run_->setRecipeValue(row->path, on ? QStringLiteral("false") : QStringLiteral("true"));
    else
        draft_->set(row->path, !on);
}

void ExpertModel::endEdit() {
    draft_->history()->endEdit();
}

void ExpertModel::useFix(const QModelIndex& index) {
    const ExpertRow* row = at(index);
    if (row == nullptr || !row->has_fix)
        return;
    if (row->recipe != nullptr) {
        const auto& problems = run_->report().problems;
        if (const auto problem = std::ranges::find(problems, row->path, &DraftProblem::key); problem != problems.end())
            run_->setRecipeValue(row->path, QString(problem->fix));
        return;
    }
    if (const settings::Finding* finding = draft_->finding(row->path))
        draft_->applyFix(*finding);
}

QModelIndex ExpertModel::index(int row, int column, const QModelIndex& parent) const {
    if (row < 0 || column < 0 || column >= ColumnCount || row >= rowCount(parent))
        return {};
    return createIndex(row, column, parent.isValid() ? static_cast<quintptr>(parent.row()) + 1 : quintptr{0});
}

QModelIndex ExpertModel::parent(const QModelIndex& child) const {
    if (!child.isValid() || child.internalId() == 0)
        return {};
    return createIndex(static_cast<int>(child.internalId()) - 1, 0, quintptr{0});
}

int ExpertModel::rowCount(const QModelIndex& parent) const {
    if (!parent.isValid())
        return static_cast<int>(groups_.size());
    if (parent.internalId() != 0 || parent.column() != 0)
        return 0;
    return static_cast<int>(groups_[static_cast<std::size_t>(parent.row())].rows.size());
}

int ExpertModel::columnCount(const QModelIndex&) const {
    return ColumnCount;
}

QString ExpertModel::meaning(const ExpertRow& row) const {
    if (!row.problem.isEmpty())
        return row.problem;
    if (row.recipe != nullptr)
        return engineWords(row.recipe->help);
    if (row.key == nullptr)
        return tr("not known to this version; written back as it is");
    return engineWords(row.key->help);
}

QString ExpertModel::toolTip(const ExpertRow& row) const {
    if (row.recipe != nullptr) {
        QStringList lines{row.path, engineWords(row.recipe->help)};
        if (const QString standard = run_->recipeDefault(row.path); !standard.isEmpty())
            lines << tr("Default: %1").arg(standard);
        if (!row.problem.isEmpty())
            lines << row.problem;
        return lines.join(QLatin1Char('\n'));
    }
    if (row.key == nullptr)
        return row.path + QLatin1Char('\n') + meaning(row);
    const Key& key = *row.key;
    QStringList lines{tr("%1: %2").arg(row.path, engineWords(key.label)), engineWords(key.help)};
    const auto add = [&lines](const QString& words, const QString& value) {
        if (!value.isEmpty())
            lines << words.arg(value);
    };
    add(tr("Default: %1"), qt(key.standard().display()));
    add(QStringLiteral("%1"), row.problem);
    add(tr("Only when %1"), engineWords(key.applies_when));
    add(tr("Flag: %1"), qt(key.flag.name));
    add(tr("Environment of a rank: %1"), qt(key.environment.name));
    add(tr("Read by: %1"), qt(key.read_by));
    add(tr("Since Accelerate %1"), qt(key.since));
    add(tr("Until Accelerate %1"), qt(key.until));
    return lines.join(QLatin1Char('\n'));
}

QVariant ExpertModel::data(const QModelIndex& index, int role) const {
    const ExpertRow* row = at(index);
    if (row == nullptr) {
        if (index.column() != 0 || (role != Qt::DisplayRole && role != Qt::AccessibleTextRole))
            return {};
        const QString title = groupTitle(index.row());
        return role == Qt::DisplayRole ? title : tr("%1, %2 set").arg(title).arg(setCount(index.row()));
    }
    if (role == Qt::ToolTipRole)
        return toolTip(*row);
    if (role == Qt::CheckStateRole && index.column() == KeyColumn && !row->only_flag)
        return row->set ? Qt::Checked : Qt::Unchecked;
    if (role == ShortRole && index.column() == MeaningColumn) {
        const QString whole = meaning(*row);
        for (const QString& name : {row->path, row->name})
            if (!row->problem.isEmpty() && whole.startsWith(name + QLatin1Char(' ')))
                return whole.mid(name.size() + 1);
        return whole;
    }
    if (role != Qt::DisplayRole && role != Qt::AccessibleTextRole && role != Qt::EditRole)
        return {};
    switch (index.column()) {
        case KeyColumn:
            return row->name;
        case ValueColumn:
            if (role == Qt::AccessibleTextRole && !row->set)
                return row->only_flag ? tr("a flag of launch") : tr("not set, default %1").arg(row->standard);
            return row->value;
        case DefaultColumn:
            return row->standard;
        case MeaningColumn:
            return meaning(*row);
        default:
            return row->recipe != nullptr ? tr("the engine") : row->key != nullptr ? qt(row->key->read_by) : QString();
    }
}

QVariant ExpertModel::headerData(int section, Qt::Orientation orientation, int role) const {
    if (orientation != Qt::Horizontal || role != Qt::DisplayRole)
        return {};
    const QString titles[] = {tr("Key"), tr("Value"), tr("Default"), tr("Meaning"), tr("Read by")};
    return titles[section];
}

Qt::ItemFlags ExpertModel::flags(const QModelIndex& index) const {
    if (!index.isValid())
        return Qt::NoItemFlags;
    const ExpertRow* row = at(index);
    Qt::ItemFlags flags = Qt::ItemIsEnabled | Qt::ItemIsSelectable;
    if (row == nullptr)
        return flags;
    flags |= Qt::ItemNeverHasChildren;
    if (index.column() == KeyColumn && !row->only_flag)
        flags |= Qt::ItemIsUserCheckable;
    const ExpertEditor editor = editor_of(*row);
    if (index.column() == ValueColumn && editor != ExpertEditor::none && editor != ExpertEditor::truth)
        flags |= Qt::ItemIsEditable;
    return flags;
}

ExpertFilter::ExpertFilter(ExpertModel* model, QObject* parent) : QSortFilterProxyModel(parent), model_(model) {
    setRecursiveFilteringEnabled(true);
    setDynamicSortFilter(false);
    setSourceModel(model);
    // Filters depend on the changed values, and the group of unknown keys is hidden when it has no rows.
    connect(model, &ExpertModel::refreshed, this, [this] { invalidateRowsFilter(); });
}

void ExpertFilter::setSearch(const QString& text) {
    QStringList words = searchable(text).split(QLatin1Char(' '), Qt::SkipEmptyParts);
    // `--fsdp` searches for a flag; names are also searchable without their dashes.
    for (QString& word : words)
        while (word.startsWith(QLatin1String("__")))
            word.remove(0, 2);
    if (words == words_)
        return;
    words_ = words;
    invalidateRowsFilter();
}

void ExpertFilter::setShow(Show show) {
    show_ = show;
    invalidateRowsFilter();
}

void ExpertFilter::setPinned(const QString& path) {
    if (path == pinned_)
        return;
    const bool was = !pinned_.isEmpty();
    pinned_ = path;
    if (was && show_ != All)
        invalidateRowsFilter();
}

bool ExpertFilter::filterAcceptsRow(int row, const QModelIndex& parent) const {
    const ExpertRow* key = model_->at(model_->index(row, 0, parent));
    if (key == nullptr || key->hidden)
        return false;  // groups are shown if any of their keys is (recursive filtering)
    if (!pinned_.isEmpty() && key->path == pinned_)
        return true;
    if ((show_ == Set && !key->set) || (show_ == Changed && !key->changed) || (show_ == Invalid && !key->error))
        return false;
    return std::all_of(words_.begin(), words_.end(), [key](const QString& word) { return key->search.contains(word); });
}

}  // namespace trainyard::desktop
