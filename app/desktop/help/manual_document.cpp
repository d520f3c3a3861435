// SPDX-License-Identifier: GPL-3.0-or-later
#include <map>
#include <vector>

#include <QTextBlock>
#include <QTextDocument>
#include <QTextTable>

#include "desktop/help/help_page.h"
#include "desktop/shell/ui.h"

namespace trainyard::desktop {

namespace {

const QString kFence = QStringLiteral("```");
constexpr int kTextSize = 13, kCodeSize = 12, kContinuation = 28;
constexpr int kHeadingSizes[] = {22, 17, 14};

struct Code {
    QString language;
    QString file;  ///< second word after the back-ticks, empty: none
    QStringList lines;
};

/// Text of the paragraph that stands for a panel until the panel is inserted.
QString panel_mark(std::size_t panel) {
    return QStringLiteral("trainyard:panel:%1").arg(panel);
}

/// Takes the fenced blocks out of `text`, which then has a paragraph for each panel of one or two blocks.
QString take_code(const QString& text, std::vector<std::vector<Code>>& panels) {
    QStringList prose;
    bool inside = false, beside = false;  // beside: only blank lines since the last block
    for (const QString& line : text.split(QLatin1Char('\n'))) {
        if (line.startsWith(kFence)) {
            inside = !inside;
            if (!inside) {
                beside = true;
                continue;
            }
            const QString words = line.mid(kFence.size());
            Code code{words.section(QLatin1Char(' '), 0, 0), words.section(QLatin1Char(' '), 1), {}};
            if (beside && panels.back().size() == 1 && code.language == QLatin1String("cpp") &&
                panels.back().front().language == QLatin1String("python")) {
                panels.back().push_back(std::move(code));
            } else {
                prose << QString() << panel_mark(panels.size()) << QString();
                panels.push_back({std::move(code)});
            }
        } else if (inside) {
            panels.back().back().lines << line;
        } else {
            beside = beside && line.trimmed().isEmpty();
            prose << line;
        }
    }
    return prose.join(QLatin1Char('\n'));
}

void write_code(QTextCursor cursor, const Code& code, bool headed) {
    const Theme& theme = Theme::instance();
    QTextCharFormat plain;
    plain.setFont(theme.mono(kCodeSize));
    plain.setForeground(theme.color(Token::Text));
    QTextCharFormat muted = plain;
    muted.setForeground(theme.color(Token::TextMuted));
    const bool difference = code.language == QLatin1String("diff");
    QTextBlockFormat block;
    if (!difference) {  // a long line continues with an indent
        block.setLeftMargin(kContinuation);
        block.setTextIndent(-kContinuation);
    }
    cursor.setBlockFormat(block);
    if (headed) {
        cursor.insertText(code.file.isEmpty() ? code.language : code.file, muted);
        cursor.insertBlock(block);
    }
    for (qsizetype at = 0; at < code.lines.size(); ++at) {
        const QString& line = code.lines[at];
        QTextBlockFormat format = block;
        QTextCharFormat sign = muted;
        if (difference && (line.startsWith(QLatin1Char('+')) || line.startsWith(QLatin1Char('-')))) {
            const Token token = line.startsWith(QLatin1Char('+')) ? Token::Ok : Token::Error;
            format.setBackground(theme.tint(token));
            sign.setForeground(theme.color(token));
            sign.setFont(theme.mono(kCodeSize, QFont::DemiBold));
        }
        if (at > 0)
            cursor.insertBlock(format, plain);
        else
            cursor.setBlockFormat(format);
        const bool prompt = code.language == QLatin1String("console") && line.startsWith(QLatin1String("$ "));
        const qsizetype marks = difference || prompt ? 1 : 0;
        cursor.insertText(line.left(marks), sign);
        cursor.insertText(line.mid(marks), plain);
    }
}

/// Replaces the paragraph by a table of one row, whose cells have the blocks.
void insert_panel(const QTextBlock& place, const std::vector<Code>& panel) {
    const Theme& theme = Theme::instance();
    QTextTableFormat format;
    format.setWidth(QTextLength(QTextLength::PercentageLength, 100));
    format.setBackground(theme.color(Token::BgPage));
    format.setBorderCollapse(true);
    format.setBorder(1);
    format.setBorderBrush(theme.color(Token::Line));
    format.setBorderStyle(QTextFrameFormat::BorderStyle_Solid);
    format.setCellPadding(8);
    format.setBottomMargin(8);
    format.setCellSpacing(0);
    const auto columns = static_cast<int>(panel.size());
    format.setColumnWidthConstraints(
        QVector<QTextLength>(columns, QTextLength(QTextLength::PercentageLength, 100.0 / columns)));
    QTextCursor cursor(place);
    cursor.movePosition(QTextCursor::StartOfBlock);
    cursor.movePosition(QTextCursor::EndOfBlock, QTextCursor::KeepAnchor);
    cursor.removeSelectedText();
    // An empty paragraph stays next to the table, as a distance.
    QTextBlockFormat gap;
    gap.setLineHeight(4, QTextBlockFormat::FixedHeight);
    QTextCharFormat small;
    small.setFontPointSize(1);
    cursor.setBlockFormat(gap);
    cursor.setBlockCharFormat(small);
    QTextTable* table = cursor.insertTable(1, columns, format);
    for (int column = 0; column < columns; ++column)
        write_code(table->cellAt(0, column).firstCursorPosition(), panel[static_cast<std::size_t>(column)],
                   columns > 1);
}

void dress_table(QTextTable* table) {
    const Theme& theme = Theme::instance();
    QTextTableFormat format = table->format();
    format.setBorderCollapse(true);
    format.setBorder(1);
    format.setBorderStyle(QTextFrameFormat::BorderStyle_Solid);
    format.setBorderBrush(theme.color(Token::Line));
    format.setCellPadding(5);
    format.setCellSpacing(0);
    format.setTopMargin(4);
    format.setBottomMargin(8);
    table->setFormat(format);
    for (int column = 0; column < table->columns(); ++column) {
        QTextTableCell cell = table->cellAt(0, column);
        QTextCharFormat head = cell.format();
        head.setBackground(theme.color(Token::BgHover));
        cell.setFormat(head);
    }
}

/// Sets fonts and colours of a block that Qt has read.
void format_block(const QTextBlock& block, const ManualPage& page, qsizetype& heading) {
    const Theme& theme = Theme::instance();
    const int level = block.blockFormat().headingLevel();
    struct Piece {
        int from, length;
        QTextCharFormat format;
    };
    std::vector<Piece> pieces;  // copied, because changing a format changes the fragments
    for (auto it = block.begin(); !it.atEnd(); ++it)
        pieces.push_back({it.fragment().position(), it.fragment().length(), it.fragment().charFormat()});
    QTextCursor cursor(block);
    for (const Piece& piece : pieces) {
        if (piece.format.isImageFormat())
            continue;
        QTextCharFormat format;
        const bool code = piece.format.fontFixedPitch();
        const int weight = piece.format.fontWeight() > QFont::Normal ? QFont::DemiBold : QFont::Normal;
        if (level > 0)
            format.setFont(theme.text(kHeadingSizes[qMin(level, 3) - 1], QFont::DemiBold));
        else
            format.setFont(code ? theme.mono(kCodeSize, weight) : theme.text(kTextSize, weight));
        format.setFontItalic(piece.format.fontItalic());
        format.setForeground(theme.color(piece.format.isAnchor() ? Token::Accent : Token::Text));
        format.clearProperty(QTextFormat::FontSizeAdjustment);
        if (piece.format.isAnchor()) {
            format.setAnchor(true);
            format.setAnchorHref(piece.format.anchorHref());
            format.setFontUnderline(true);
        }
        cursor.setPosition(piece.from);
        cursor.setPosition(piece.from + piece.length, QTextCursor::KeepAnchor);
        cursor.setCharFormat(format);
    }
    QTextBlockFormat look = block.blockFormat();
    if (level > 0) {
        if (heading < page.headings.size()) {
            QTextCharFormat anchor;
            anchor.setAnchor(true);
            anchor.setAnchorNames({page.headings[heading].anchor});
            cursor.setPosition(block.position());
            cursor.movePosition(QTextCursor::NextCharacter, QTextCursor::KeepAnchor);
            cursor.mergeCharFormat(anchor);
        }
        look.setTopMargin(heading == 0 ? 0 : 18);
        look.setBottomMargin(6);
        ++heading;
    } else if (block.textList() == nullptr && QTextCursor(block).currentTable() == nullptr) {
        look.setTopMargin(0);
        look.setBottomMargin(8);
    }
    QTextCursor(block).setBlockFormat(look);
}

}  // namespace

void show_manual_page(QTextDocument* document, const ManualPage& page) {
    std::vector<std::vector<Code>> panels;
    const QString prose = take_code(page.text, panels);
    QTextDocument::MarkdownFeatures features(QTextDocument::MarkdownDialectGitHub);
    features |= QTextDocument::MarkdownNoHTML;
    document->setUndoRedoEnabled(false);
    document->setDocumentMargin(16);
    document->setDefaultFont(Theme::instance().text(kTextSize));
    document->setMarkdown(prose, features);
    QTextCursor edit(document);
    edit.beginEditBlock();
    std::map<QString, std::size_t> places;
    for (std::size_t at = 0; at < panels.size(); ++at)
        places[panel_mark(at)] = at;
    qsizetype heading = 0;
    for (QTextFrame* frame : document->rootFrame()->childFrames())
        if (auto* table = qobject_cast<QTextTable*>(frame))
            dress_table(table);
    for (QTextBlock block = document->begin(); block.isValid();) {
        const QTextBlock next = block.next();
        if (const auto found = places.find(block.text()); found != places.end())
            insert_panel(block, panels[found->second]);
        else
            format_block(block, page, heading);
        block = next;
    }
    edit.endEditBlock();
}

}  // namespace trainyard::desktop
