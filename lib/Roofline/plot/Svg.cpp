// Svg.cpp - draws a roofline.
#include "lib/Roofline/plot/Plot.h"

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <map>

using namespace labgen;

namespace {

constexpr double left = 90, right = 900, top = 70, bottom = 560;
constexpr double labelWidth = 20, labelHeight = 12;
constexpr double lineHeight = 17;

std::string num(double value) {
  char text[32];
  std::snprintf(text, sizeof text, "%.2f", value);
  return text;
}
std::string short4(double value) {
  char text[32];
  std::snprintf(text, sizeof text, "%.4g", value);
  return text;
}

std::string escaped(const std::string &text) {
  std::string out;
  for (unsigned char c : text)
    if (c == '&')
      out += "&amp;";
    else if (c == '<')
      out += "&lt;";
    else if (c == '>')
      out += "&gt;";
    else if (c < 0x20 || c >= 0x7f)
      out += '?';
    else
      out += char(c);
  return out;
}

class Drawing {
public:
  explicit Drawing(const Plot &plot) : plot(plot) {
    chooseRanges();
    size_t longest = 20;
    for (const PlotLine &roof : plot.roofs)
      longest = std::max(longest, roof.label.size());
    width = right + 40 + 7.5 * double(longest);
  }

  std::string draw() {
    double height = bottom + 80 + lineHeight * double(plot.points.size());
    out = "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 " +
          num(width) + " " + num(height) +
          "\" font-family=\"sans-serif\" font-size=\"13\">\n"
          "<rect width=\"100%\" height=\"100%\" fill=\"white\"/>\n";
    text(left, 28, plot.title, "font-size=\"20\" font-weight=\"bold\"");
    text(left, 50, plot.subtitle, "fill=\"#333\"");
    axes();
    diagonals();
    roofs();
    points();
    return out + "</svg>\n";
  }

private:
  const Plot &plot;
  std::string out;
  double width = 0; ///< of the picture, room for the longest roof label
  double x0 = 0, x1 = 0, y0 = 0, y1 = 0; ///< log10 of the axes' ends
  /// Where numbers of points are, by x / labelWidth, y / labelHeight.
  std::map<std::pair<int, int>, std::vector<std::pair<double, double>>> labels;

  void chooseRanges() {
    double low = 0.01, high = 1000, lowY = INFINITY, highY = 0;
    double fastest = 0;
    for (const PlotLine &d : plot.diagonals)
      fastest = std::max(fastest, d.value);
    for (const PlotLine &roof : plot.roofs) {
      highY = std::max(highY, roof.value);
      lowY = std::min(lowY, roof.value);
      // The ridge in the middle of the picture, not at its edge.
      for (const PlotLine &d : plot.diagonals)
        high = std::max(high, 4 * roof.value / d.value);
    }
    for (const PlotPoint &p : plot.points) {
      low = std::min(low, p.intensity);
      high = std::max(high, p.intensity);
      lowY = std::min(lowY, p.gflops);
      highY = std::max(highY, p.gflops);
    }
    for (const PlotLine &d : plot.diagonals)
      lowY = std::min(lowY, d.value * 0.1);
    if (!std::isfinite(lowY) || highY == 0)
      lowY = 1, highY = std::max(highY, fastest);
    x0 = std::floor(std::log10(low));
    x1 = std::ceil(std::log10(high) - 1e-9);
    y0 = std::floor(std::log10(lowY));
    y1 = std::log10(highY) + 0.35;
  }

  double px(double logX) const {
    return left + (logX - x0) / (x1 - x0) * (right - left);
  }
  double py(double logY) const {
    return bottom - (logY - y0) / (y1 - y0) * (bottom - top);
  }

  void text(double x, double y, const std::string &words,
            const std::string &attributes = "") {
    out += "<text x=\"" + num(x) + "\" y=\"" + num(y) + "\" " + attributes +
           ">" + escaped(words) + "</text>\n";
  }
  void line(double xa, double ya, double xb, double yb,
            const std::string &attributes) {
    out += "<line x1=\"" + num(xa) + "\" y1=\"" + num(ya) + "\" x2=\"" +
           num(xb) + "\" y2=\"" + num(yb) + "\" " + attributes + "/>\n";
  }
  /// On a white ground, so that lines behind it do not cross it.
  void label(double x, double y, const std::string &words,
             const std::string &attributes = "") {
    text(x, y, words,
         "stroke=\"white\" stroke-width=\"4\" paint-order=\"stroke\" " +
             attributes);
  }

  void axes() {
    for (double x = x0; x <= x1 + 1e-9; ++x) {
      line(px(x), top, px(x), bottom, "stroke=\"#ddd\"");
      text(px(x), bottom + 20, short4(std::pow(10, x)),
           "text-anchor=\"middle\"");
    }
    for (double y = y0; y <= y1 + 1e-9; ++y) {
      line(left, py(y), right, py(y), "stroke=\"#ddd\"");
      text(left - 8, py(y) + 4, short4(std::pow(10, y)), "text-anchor=\"end\"");
    }
    line(left, bottom, right, bottom, "stroke=\"black\"");
    line(left, top, left, bottom, "stroke=\"black\"");
    text((left + right) / 2, bottom + 42,
         "FLOP per byte (compulsory bytes: every operand once)",
         "text-anchor=\"middle\"");
    text(0, 0, "GFLOP/s",
         "text-anchor=\"middle\" transform=\"translate(28 " +
             num((top + bottom) / 2) + ") rotate(-90)\"");
  }

  double highest() const {
    double most = 0;
    for (const PlotLine &roof : plot.roofs)
      most = std::max(most, roof.value);
    return most > 0 ? std::log10(most) : y1;
  }

  static std::string dashes(size_t i) {
    static const char *patterns[] = {"none", "10 5", "2 4", "12 4 2 4",
                                     "6 3",  "16 6", "4 8", "1 3"};
    return patterns[i % (sizeof patterns / sizeof *patterns)];
  }

  void diagonals() {
    double slope = std::atan2(py(y0) - py(y0 + 1), px(x0 + 1) - px(x0));
    for (size_t i = 0; i < plot.diagonals.size(); ++i) {
      double b = std::log10(plot.diagonals[i].value);
      double from = std::max(x0, y0 - b), to = std::min(x1, highest() - b);
      if (to <= from)
        continue;
      line(px(from), py(from + b), px(to), py(to + b),
           "stroke=\"black\" stroke-width=\"2\" stroke-dasharray=\"" +
               dashes(i) + "\"");
      // Along its line, a little above it; neighbours start further right.
      double at = from + (to - from) * (0.08 + 0.12 * double(i % 4));
      out += "<g transform=\"translate(" + num(px(at)) + " " + num(py(at + b)) +
             ") rotate(" + num(-slope * 180 / M_PI) + ")\">\n";
      label(0, -6, plot.diagonals[i].label);
      out += "</g>\n";
    }
  }

  void roofs() {
    double fastest = 0;
    for (const PlotLine &d : plot.diagonals)
      fastest = std::max(fastest, d.value);
    std::vector<PlotLine> sorted = plot.roofs;
    std::sort(
        sorted.begin(), sorted.end(),
        [](const PlotLine &a, const PlotLine &b) { return a.value > b.value; });
    double lastY = -INFINITY;
    for (size_t i = 0; i < sorted.size(); ++i) {
      double y = std::log10(sorted[i].value);
      double from =
          fastest > 0 ? std::clamp(y - std::log10(fastest), x0, x1) : x0;
      line(px(from), py(y), px(x1), py(y),
           "stroke=\"black\" stroke-width=\"1.5\" stroke-dasharray=\"" +
               dashes(i) + "\"");
      // Labels beside the frame; those of close roofs go down one by one.
      double at = std::max(py(y) + 4, lastY + lineHeight);
      line(right, py(y), right + 14, at - 4, "stroke=\"#666\"");
      text(right + 18, at, sorted[i].label);
      lastY = at;
    }
  }

  void mark(double x, double y, size_t shape, bool hollow) {
    std::string style = hollow ? "fill=\"white\" stroke=\"black\""
                               : "fill=\"black\" stroke=\"white\"";
    switch (shape % 4) {
    case 0:
      out += "<circle cx=\"" + num(x) + "\" cy=\"" + num(y) + "\" r=\"5\" " +
             style + "/>\n";
      return;
    case 1:
      out += "<rect x=\"" + num(x - 5) + "\" y=\"" + num(y - 5) +
             "\" width=\"10\" height=\"10\" " + style + "/>\n";
      return;
    case 2:
      out += "<polygon points=\"" + num(x) + "," + num(y - 6) + " " +
             num(x + 6) + "," + num(y + 5) + " " + num(x - 6) + "," +
             num(y + 5) + "\" " + style + "/>\n";
      return;
    default:
      out += "<polygon points=\"" + num(x) + "," + num(y - 7) + " " +
             num(x + 6) + "," + num(y) + " " + num(x) + "," + num(y + 7) + " " +
             num(x - 6) + "," + num(y) + "\" " + style + "/>\n";
    }
  }

  bool isTaken(double x, double y) const {
    int column = int(x / labelWidth), line = int(y / labelHeight);
    for (int i = column - 1; i <= column + 1; ++i)
      for (int j = line - 1; j <= line + 1; ++j)
        if (auto cell = labels.find({i, j}); cell != labels.end())
          for (auto [otherX, otherY] : cell->second)
            if (std::abs(otherX - x) < labelWidth &&
                std::abs(otherY - y) < labelHeight)
              return true;
    return false;
  }

  void points() {
    double listY = bottom + 70;
    for (size_t i = 0; i < plot.points.size(); ++i) {
      const PlotPoint &p = plot.points[i];
      double x = px(std::log10(p.intensity)), y = py(std::log10(p.gflops));
      mark(x, y, i, p.predicted);
      // Below its mark, where no roof is; it moves down from another's, and a
      // point that finds no place keeps its line in the list.
      double at = y + 16;
      while (at < bottom && isTaken(x, at))
        at += labelHeight;
      if (!isTaken(x, at)) {
        labels[{int(x / labelWidth), int(at / labelHeight)}].push_back({x, at});
        label(x + 9, at, std::to_string(i + 1), "text-anchor=\"middle\"");
      }
      mark(left + 6, listY - 4, i, p.predicted);
      text(left + 20, listY,
           std::to_string(i + 1) + ": " + p.label + ": " + short4(p.intensity) +
               " FLOP/B, " + short4(p.gflops) + " GFLOP/s" +
               (p.predicted ? ", predicted" : ""));
      listY += lineHeight;
    }
  }
};

} // namespace

std::string labgen::svg(const Plot &plot) { return Drawing(plot).draw(); }
