// SPDX-License-Identifier: GPL-3.0-or-later
#include "desktop/help/help_page.h"

#include <memory>
#include <utility>

#include <QDesktopServices>
#include <QDir>
#include <QImageReader>
#include <QKeyEvent>
#include <QLineEdit>
#include <QListWidget>
#include <QMessageBox>
#include <QPagedPaintDevice>
#include <QPointer>
#include <QScrollBar>
#include <QSplitter>
#include <QStackedWidget>
#include <QTextBrowser>
#include <QTextCursor>
#include <QTextDocument>
#include <QTreeWidget>
#include <QUrl>

#include "desktop/shell/ui.h"
#include "widgets/dialogs.h"
#include "widgets/pixels.h"

namespace trainyard::desktop {

namespace {
const int &kSideWidth = live_px(280), &kMostPictureWidth = live_px(900);
constexpr int kSubjectRole = Qt::UserRole;
const QString kFirstPage = QStringLiteral("index");

QString subject_of(const QString& page, const QString& anchor) {
    return anchor.isEmpty() ? page : page + QLatin1Char('#') + anchor;
}
}  // namespace

/// Shows pictures that were read before, and reports links instead of following them.
class ManualBrowser : public QTextBrowser {
  public:
    ManualBrowser() {
        setOpenLinks(false);
        setOpenExternalLinks(false);
        setUndoRedoEnabled(false);
    }
    QVariant loadResource(int type, const QUrl& name) override {
        if (type != QTextDocument::ImageResource)
            return {};
        QImage nothing(1, 1, QImage::Format_ARGB32_Premultiplied);
        nothing.fill(Qt::transparent);
        return pictures_.value(name.toString(), nothing);
    }
    void setPictures(const QHash<QString, QImage>& pictures) { pictures_ = pictures; }

  private:
    QHash<QString, QImage> pictures_;
};

HelpPage::HelpPage(QWidget* parent)
    : Page(tr("Manual"), parent),
      field_(widgets::make_search_field(tr("Search the manual"), tr("Search all pages"), "search")),
      contents_(named(new QTreeWidget, tr("Contents"))),
      hits_(named(new QListWidget, tr("Found in the manual"))),
      side_(new QStackedWidget),
      browser_(named(new ManualBrowser, tr("Page of the manual"))),
      message_(new widgets::InlineMessage),
      back_(with_look(new QPushButton, {.kind = "ghost", .icon = "left", .tip = tr("Back (Alt+Left)")})),
      forward_(with_look(new QPushButton, {.kind = "ghost", .icon = "right", .tip = tr("Forward (Alt+Right)")})) {
    auto* index = with_look(new QPushButton(tr("Contents")), {.kind = "ghost"});
    auto* begin = with_look(new QPushButton(tr("Start here")), {.kind = "ghost"});
    add_items(actions(), {back_, forward_, index, begin});
    contents_->setHeaderHidden(true);
    contents_->setIndentation(14);
    contents_->setFont(Theme::instance().text(12));
    hits_->setFont(Theme::instance().text(12));
    hits_->setHorizontalScrollBarPolicy(Qt::ScrollBarAlwaysOff);
    side_->addWidget(contents_);
    side_->addWidget(hits_);
    auto* left = make_holder(make_column({0, 0, 0, 0}, 8, {field_, {side_, 1}}));
    QSplitter* parts = make_splitter(Qt::Horizontal, {left, browser_});
    parts->setStretchFactor(1, 1);
    parts->setSizes({kSideWidth, 3 * kSideWidth});
    add_items(body(), {message_, {parts, 1}});
    setFocusProxy(browser_);

    connect(back_, &QPushButton::clicked, this, [this] { step(-1); });
    connect(forward_, &QPushButton::clicked, this, [this] { step(1); });
    connect(index, &QPushButton::clicked, this, [this] { go(kFirstPage); });
    connect(begin, &QPushButton::clicked, this, [this] { go(QStringLiteral("start-here")); });
    auto open_row = [this](const QTreeWidgetItem* row) { go(row->data(0, kSubjectRole).toString()); };
    connect(contents_, &QTreeWidget::itemClicked, this, open_row);
    connect(contents_, &QTreeWidget::itemActivated, this, open_row);
    auto open_hit = [this](const QListWidgetItem* row) {
        if (const QString subject = row->data(kSubjectRole).toString(); !subject.isEmpty())
            go(subject);
    };
    connect(hits_, &QListWidget::itemClicked, this, open_hit);
    connect(hits_, &QListWidget::itemActivated, this, open_hit);
    connect(field_, &QLineEdit::textChanged, this, &HelpPage::search);
    connect(field_, &QLineEdit::returnPressed, this, [this, open_hit] {
        if (hits_->count() > 0 && side_->currentWidget() == hits_) {
            hits_->setCurrentRow(0);
            hits_->setFocus(Qt::OtherFocusReason);
            open_hit(hits_->item(0));
        }
    });
    connect(browser_, &QTextBrowser::anchorClicked, this, [this](const QUrl& link) { follow(link.toString()); });
    connect(&Theme::instance(), &Theme::changed, this, [this] {
        laid_out_.clear();
        if (manual_.has(target_))
            showTarget(target_);
    });
    updateSteps();
    refresh();
}

void HelpPage::refresh() {
    const QString folder = Manual::folder();
    if (wanted_.isEmpty())
        wanted_ = at_ < 0 ? kFirstPage : history_[at_];
    reading_.submit([folder] { return Manual::read(folder); },
                    [this](const Manual& manual) {
                        manual_ = manual;
                        laid_out_.clear();
                        showContents();
                        if (manual_.pages().isEmpty()) {
                            message_->showMessage(
                                widgets::InlineMessage::Kind::Warning, tr("The manual is not installed"),
                                tr("There is no folder %1. It comes with the package of the programs; in the source "
                                   "code it is the folder resources/manual, and TRAINYARD_MANUAL can name it.")
                                    .arg(QDir::toNativeSeparators(Manual::installedFolder())));
                            return;
                        }
                        message_->dismiss();
                        go(std::exchange(wanted_, {}));
                    });
}

void HelpPage::showContents() {
    contents_->clear();
    const QSize size(0, contents_->fontMetrics().height() + 8);
    for (const ManualPage& page : manual_.pages()) {
        auto* row = new QTreeWidgetItem(contents_, {page.title});
        row->setData(0, kSubjectRole, page.name);
        row->setToolTip(0, page.title);
        row->setSizeHint(0, size);
        for (const ManualHeading& heading : page.headings)
            if (heading.level == 2) {
                auto* part = new QTreeWidgetItem(row, {heading.text});
                part->setData(0, kSubjectRole, subject_of(page.name, heading.anchor));
                part->setToolTip(0, heading.text);
                part->setSizeHint(0, size);
            }
    }
}

void HelpPage::activate(const QString& subject) {
    if (subject.isEmpty())
        return;
    if (manual_.pages().isEmpty())
        wanted_ = subject;
    else
        go(subject);
}

QString HelpPage::shown() const {
    return subject_of(target_.page, target_.anchor);
}

/// Shows a subject and adds it to the history.
void HelpPage::go(const QString& subject) {
    if (at_ < 0 || history_[at_] != subject) {
        history_ = history_.mid(0, at_ + 1) << subject;
        at_ = history_.size() - 1;
        updateSteps();
    }
    showSubject(subject);
}

bool HelpPage::step(int by) {
    if (at_ + by < 0 || at_ + by >= history_.size())
        return false;
    at_ += by;
    updateSteps();
    showSubject(history_[at_]);
    return true;
}

void HelpPage::updateSteps() {
    back_->setEnabled(at_ > 0);
    forward_->setEnabled(at_ + 1 < history_.size());
}

void HelpPage::showSubject(const QString& subject) {
    ManualTarget target{.page = subject.section(QLatin1Char('#'), 0, 0),
                        .anchor = subject.section(QLatin1Char('#'), 1)};
    if (manual_.find(target.page) == nullptr)
        target = {.page = kFirstPage};
    showTarget(target);
}

void HelpPage::showTarget(const ManualTarget& target) {
    target_ = target;
    const ManualPage* page = manual_.find(target.page);
    if (laid_out_ == page->name) {
        showPage(*page, {});
        return;
    }
    if (page->pictures.isEmpty()) {
        pictures_.cancel();
        showPage(*page, {});
        return;
    }
    const QString folder = QDir(Manual::folder() + QLatin1Char('/') + page->name + QStringLiteral("/..")).path();
    const qreal ratio = devicePixelRatioF();
    const int room = qBound(200, browser_->viewport()->width() - 48, kMostPictureWidth);
    pictures_.submit(
        [folder, ratio, room, names = page->pictures] {
            QHash<QString, QImage> pictures;
            for (const QString& name : names) {
                QImage picture = QImageReader(QDir::cleanPath(folder + QLatin1Char('/') + name)).read();
                if (picture.isNull())
                    continue;
                if (picture.width() > room * ratio)
                    picture = picture.scaledToWidth(qRound(room * ratio), Qt::SmoothTransformation);
                picture.setDevicePixelRatio(ratio);
                pictures.insert(name, picture);
            }
            return pictures;
        },
        [this, name = page->name](const QHash<QString, QImage>& pictures) {
            if (const ManualPage* read = manual_.find(name); read != nullptr && target_.page == name)
                showPage(*read, pictures);
        });
}

void HelpPage::showPage(const ManualPage& page, const QHash<QString, QImage>& pictures) {
    if (laid_out_ != page.name) {
        browser_->setPictures(pictures);
        // A document that is not shown yet is laid out once, not after every change.
        auto* document = new QTextDocument(browser_);
        show_manual_page(document, page);
        const QPointer<QTextDocument> former = browser_->document();
        browser_->setDocument(document);
        if (former != nullptr)
            former->deleteLater();
        laid_out_ = page.name;
    }
    setTitle(page.title);
    if (target_.anchor.isEmpty())
        browser_->verticalScrollBar()->setValue(0);
    else
        browser_->scrollToAnchor(target_.anchor);
    const QSignalBlocker quiet(contents_);
    for (int at = 0; at < contents_->topLevelItemCount(); ++at) {
        QTreeWidgetItem* row = contents_->topLevelItem(at);
        const bool current = row->data(0, kSubjectRole).toString() == page.name;
        row->setExpanded(current);
        if (!current)
            continue;
        QTreeWidgetItem* chosen = row;
        for (int part = 0; part < row->childCount(); ++part)
            if (row->child(part)->data(0, kSubjectRole).toString() == shown())
                chosen = row->child(part);
        contents_->setCurrentItem(chosen);
        contents_->scrollToItem(chosen);
    }
}

void HelpPage::follow(const QString& link) {
    const ManualTarget target = manual_.resolve(target_.page, link);
    if (target.outside)
        askToOpen(target.page);
    else if (manual_.has(target))
        go(subject_of(target.page, target.anchor));
}

/// An address is opened in the browser after the user has seen it.
void HelpPage::askToOpen(const QString& address) {
    auto* box = new QMessageBox(QMessageBox::NoIcon, tr("Open in the browser"), tr("Open this address?"),
                                QMessageBox::Cancel, this);
    box->setTextFormat(Qt::PlainText);
    box->setInformativeText(address);
    const QPushButton* open = box->addButton(tr("Open"), QMessageBox::AcceptRole);
    connect(open, &QPushButton::clicked, this, [address] { QDesktopServices::openUrl(QUrl(address)); });
    const QPushButton* copy = box->addButton(tr("Copy address"), QMessageBox::ActionRole);
    connect(copy, &QPushButton::clicked, this, [address] { copy_text(address); });
    widgets::opened(box);
}

void HelpPage::search() {
    const QString words = field_->text().trimmed();
    side_->setCurrentWidget(words.isEmpty() ? static_cast<QWidget*>(contents_) : hits_);
    hits_->clear();
    if (words.isEmpty())
        return;
    for (const ManualHit& hit : manual_.search(words)) {
        auto* row = new QListWidgetItem(hit.title + QLatin1Char('\n') + hit.line, hits_);
        row->setData(kSubjectRole, subject_of(hit.page, hit.anchor));
        row->setToolTip(hit.line);
    }
    if (hits_->count() == 0)
        new QListWidgetItem(tr("No page has these words"), hits_);
}

QWidget* HelpPage::firstFocus() {
    return browser_;
}

void HelpPage::find() {
    field_->setFocus(Qt::ShortcutFocusReason);
    field_->selectAll();
}

/// On white paper, whatever the theme is.
void HelpPage::print(QPagedPaintDevice* device) {
    const ManualPage* page = manual_.find(target_.page);
    if (page == nullptr)
        return;
    const std::unique_ptr<QTextDocument> document(browser_->document()->clone());
    QTextCursor all(document.get());
    all.select(QTextCursor::Document);
    QTextCharFormat ink;
    ink.setForeground(Qt::black);
    all.mergeCharFormat(ink);
    document->print(device);
}

}  // namespace trainyard::desktop
