// SPDX-License-Identifier: GPL-3.0-or-later
#include "report/html.h"

#include <algorithm>

#include <fmt/format.h>

#include "base/printable.h"

namespace trainyard::report {

namespace {

constexpr std::size_t kLongestText = 2000;  // characters of one line
constexpr int kRunColors = 10;

std::string with_entities(std::string_view text) {
    std::string out;
    out.reserve(text.size());
    for (const char c : text)
        switch (c) {
            case '&':
                out += "&amp;";
                break;
            case '<':
                out += "&lt;";
                break;
            case '>':
                out += "&gt;";
                break;
            case '"':
                out += "&quot;";
                break;
            case '\'':
                out += "&#39;";
                break;
            default:
                out += c;
        }
    return out;
}

}  // namespace

std::string escaped(std::string_view text) {
    return with_entities(text::printable(text, kLongestText));
}

std::string escaped_lines(std::string_view text) {
    return with_entities(text::printable_lines(text));
}

std::string element(std::string_view name, std::string_view css_class, std::string_view html) {
    return css_class.empty() ? fmt::format("<{0}>{1}</{0}>\n", name, html)
                             : fmt::format("<{0} class=\"{1}\">{2}</{0}>\n", name, css_class, html);
}

std::string table(const std::vector<std::string>& heads, const std::vector<std::vector<std::string>>& rows) {
    std::string out = "<div class=\"wide\"><table>\n<tr>";
    for (const std::string& head : heads)
        out += "<th>" + head + "</th>";
    out += "</tr>\n";
    for (const std::vector<std::string>& row : rows) {
        out += "<tr>";
        for (const std::string& cell : row)
            out += "<td>" + cell + "</td>";
        out += "</tr>\n";
    }
    return out + "</table></div>\n";
}

namespace {

/// The colours and fonts of a report, for light and dark.
std::string style_sheet() {
    // Backgrounds, texts and run colours of the window's two themes (widgets/tokens.cpp).
    static constexpr const char* kLight[] = {"#236DDE", "#C97B1E", "#0D6357", "#B2479F", "#7E6D00",
                                             "#672B89", "#5299BA", "#A7153A", "#353905", "#26335E"};
    static constexpr const char* kDark[] = {"#469CFD", "#F79F2D", "#51D1AD", "#BF7DA8", "#EFE492",
                                            "#9C70C6", "#AEDFF9", "#F2456F", "#989701", "#9EB4DC"};
    const auto colors = [](const char* const* runs, const char* rest) {
        std::string out = rest;
        for (int i = 0; i < 10; ++i)
            out += fmt::format("--c{}:{};", i, runs[i]);
        return out;
    };
    std::string out = ":root{color-scheme:light dark;" +
                      colors(kLight,
                             "--bg:#F7F8FA;--panel:#FFFFFF;--text:#181C22;--soft:#4A5462;--mute:#5C6775;"
                             "--line:#DFE3E9;--ok:19,116,74;--no:192,38,57;") +
                      "}\n@media(prefers-color-scheme:dark){:root{" +
                      colors(kDark,
                             "--bg:#13161B;--panel:#191D23;--text:#E7EAF0;--soft:#AAB3C0;--mute:#939EAD;"
                             "--line:#272D36;--ok:76,195,138;--no:255,122,133;") +
                      "}}\n";
    out +=
        "body{font:14px/1.45 system-ui,sans-serif;color:var(--text);background:var(--bg);margin:24px auto;"
        "max-width:1320px;padding:0 20px}\n"
        "h1{font-size:22px;margin:0 0 2px}h2{font-size:16px;margin:26px 0 8px}h3{font-size:13px;margin:0 0 4px}\n"
        "p{margin:4px 0;color:var(--soft)}.note{white-space:pre-wrap;color:var(--text)}.error{color:rgb(var(--no))}\n"
        ".grid{display:grid;grid-template-columns:repeat(auto-fill,minmax(min(100%,560px),1fr));gap:12px}\n"
        ".panel{background:var(--panel);border:1px solid var(--line);border-radius:8px;padding:10px 12px;"
        "overflow-wrap:anywhere}\n"
        ".wide{overflow-x:auto}table{border-collapse:collapse;width:100%}\n"
        "th,td{text-align:right;padding:3px 8px;border-bottom:1px solid var(--line);vertical-align:top}\n"
        "th:first-child,td:first-child{text-align:left}th{font-weight:600;color:var(--soft)}\n"
        "th,td{overflow-wrap:normal}td:first-child{overflow-wrap:anywhere;min-width:9em}.wide+h3{margin-top:14px}\n"
        "td{font-family:ui-monospace,monospace;font-size:12.5px}.d{background:rgba(200,140,0,.16);padding:0 "
        "4px;border-radius:3px}.best{font-weight:700}"
        "img{max-width:100%;height:auto;border-radius:6px}\n"
        "summary{color:var(--mute);font-size:12px;cursor:pointer;margin-top:4px}\n"
        ".s{display:inline-block;width:10px;height:10px;border-radius:3px;margin-right:6px}\n"
        ".legend{font-size:12px;color:var(--soft);margin:2px 0}.legend span{margin-right:12px}\n"
        "svg{width:100%;height:auto;display:block}svg text{font:11px ui-monospace,monospace;fill:var(--mute)}\n"
        "svg path{fill:none;stroke-linejoin:bevel;stroke-linecap:round}.g{stroke:var(--line)}.raw{opacity:.35}\n"
        "td.m{text-align:center}@media print{.panel{break-inside:avoid}}\n";
    for (int i = 0; i < 10; ++i)
        out += fmt::format(".c{0}{{stroke:var(--c{0})}}.b{0}{{background:var(--c{0})}}", i);
    return out + "\n";
}

}  // namespace

std::string swatch(int color) {
    return fmt::format("<span class=\"s b{}\"></span>", (std::max(1, color) - 1) % kRunColors);
}

std::string document(std::string_view title, std::string_view subtitle, std::string_view body) {
    std::string out =
        "<!DOCTYPE html>\n<html><head><meta charset=\"utf-8\">"
        "<meta http-equiv=\"Content-Security-Policy\" content=\"default-src 'none'; style-src 'unsafe-inline'; "
        "img-src data:\">"
        "<meta name=\"viewport\" content=\"width=device-width\"><title>" +
        escaped(title) + "</title>\n<style>" + style_sheet() + "</style></head><body>\n";
    out += element("h1", "", escaped(title)) + element("p", "", escaped(subtitle));
    out += body;
    return out + "</body></html>\n";
}

}  // namespace trainyard::report
