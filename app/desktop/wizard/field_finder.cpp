#include "desktop/wizard/field_finder.h"

#include <QApplication>
#include <QKeyEvent>
#include <QLineEdit>
#include <QListWidget>
#include <QSet>
#include <QVBoxLayout>

#include "desktop/command_palette.h"
#include "desktop/wizard/recipe_rows.h"
#include "desktop/wizard/run_draft.h"
#include "settings/schema.h"
#include "widgets/theme.h"

namespace trainyard::desktop {

namespace {
constexpr int kWidth = 520;
constexpr int kHeight = 340;
constexpr int kTop = 70;
constexpr int kMost = 60;
}  // namespace

FieldFinder::FieldFinder(RunDraft* draft, QWidget* parent)
    : QFrame(parent), draft_(draft), field_(new QLineEdit), list_(new QListWidget) {
    setProperty("surface", QStringLiteral("palette"));
    setAccessibleName(tr("Go to field"));
    auto* layout = new QVBoxLayout(this);
    layout->setContentsMargins(8, 8, 8, 8);
    layout->setSpacing(6);
    field_->setPlaceholderText(tr("Field or key, e.g. main_process_port"));
    field_->setAccessibleName(tr("Field or key"));
    layout->addWidget(field_);
    list_->setProperty("surface", QStringLiteral("palette"));
    list_->setFocusPolicy(Qt::NoFocus);
    list_->setAccessibleName(tr("Fields"));
    layout->addWidget(list_, 1);
    field_->installEventFilter(this);
    connect(field_, &QLineEdit::textChanged, this, &FieldFinder::search);
    connect(list_, &QListWidget::itemClicked, this, &FieldFinder::choose);
    hide();
}

void FieldFinder::collect() {
    entries_.clear();
    QSet<QString> covered;
    const settings::Questionnaire& tree = draft_->questionnaire();
    for (const settings::Question& question : tree.questions()) {
        Entry entry;
        entry.key = QString::fromStdString(question.id);
        const QString path = QString::fromStdString(question.path);
        entry.label = QString::fromStdString(tree.label(question, draft_->draft().answers()));
        entry.step = stepOf(question.topic);
        entry.text = entry.label + QLatin1Char(' ') + entry.key + QLatin1Char(' ') + path;
        entry.label += QStringLiteral("   ") + (path.isEmpty() ? entry.key : path);
        entries_ << entry;
        covered.insert(path);
    }
    for (const RecipeRow& row : recipeRows())
        entries_ << Entry{row.label + QLatin1Char(' ') + row.key, row.label + QStringLiteral("   ") + row.key, row.key,
                          row.step, false};
    entries_ << Entry{tr("Script") + QStringLiteral(" script"), tr("Script"), QStringLiteral("script"), Step::Script,
                      false}
             << Entry{tr("Arguments") + QStringLiteral(" arguments"), tr("Arguments"), QStringLiteral("arguments"),
                      Step::Script, false};
    for (const settings::Key& key : settings::schema()) {
        const QString path = QString::fromStdString(key.path());
        if (key.section == settings::Section::launch || covered.contains(path))
            continue;
        covered.insert(path);
        const QString label = QString::fromUtf8(key.label.data(), static_cast<qsizetype>(key.label.size()));
        entries_ << Entry{label + QLatin1Char(' ') + path, label + QStringLiteral("   ") + path, path, Step::Review,
                          true};
    }
}

void FieldFinder::open() {
    collect();
    before_ = QApplication::focusWidget();
    resize(kWidth, kHeight);
    move((parentWidget()->width() - kWidth) / 2, kTop);
    show();
    raise();
    field_->clear();
    search({});
    field_->setFocus(Qt::OtherFocusReason);
}

void FieldFinder::search(const QString& text) {
    QVector<std::pair<int, int>> found;
    const QString words = text.trimmed();
    for (int i = 0; i < entries_.size(); ++i) {
        int score = words.isEmpty() ? 1 : CommandPalette::score(words, entries_[i].text);
        // What was written as it stands counts most, a whole key above all.
        if (!words.isEmpty() && entries_[i].text.contains(words, Qt::CaseInsensitive))
            score += 10000;
        if (entries_[i].key == words)
            score += 20000;
        if (score > 0)
            found << std::pair(-score, i);
    }
    std::stable_sort(found.begin(), found.end(), [](const auto& a, const auto& b) { return a.first < b.first; });
    list_->clear();
    for (const auto& [score, i] : std::as_const(found)) {
        if (list_->count() >= kMost)
            break;
        auto* item = new QListWidgetItem(entries_[i].label, list_);
        item->setData(Qt::UserRole, i);
        item->setToolTip(entries_[i].expert ? tr("in Expert") : stepTitle(entries_[i].step));
    }
    list_->setCurrentRow(0);
}

void FieldFinder::choose() {
    const QListWidgetItem* item = list_->currentItem();
    if (item == nullptr)
        return;
    const Entry entry = entries_[item->data(Qt::UserRole).toInt()];
    before_.clear();
    dismiss();
    if (entry.expert)
        emit keyWanted(entry.key);
    else
        emit wanted(entry.key, entry.step);
}

void FieldFinder::dismiss() {
    hide();
    if (before_ != nullptr)
        before_->setFocus(Qt::OtherFocusReason);
}

bool FieldFinder::eventFilter(QObject* watched, QEvent* event) {
    if (event->type() == QEvent::FocusOut) {
        hide();
    } else if (event->type() == QEvent::KeyPress) {
        auto* key = static_cast<QKeyEvent*>(event);
        const int last = list_->count() - 1;
        switch (key->key()) {
            case Qt::Key_Escape:
                dismiss();
                return true;
            case Qt::Key_Return:
            case Qt::Key_Enter:
                choose();
                return true;
            case Qt::Key_Down:
                list_->setCurrentRow(std::min(last, list_->currentRow() + 1));
                return true;
            case Qt::Key_Up:
                list_->setCurrentRow(std::max(0, list_->currentRow() - 1));
                return true;
            default:
                break;
        }
    }
    return QFrame::eventFilter(watched, event);
}

}  // namespace trainyard::desktop
