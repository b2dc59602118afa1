// PrintableTest.cpp - nothing that steers a terminal gets through.
#include "lib/Support/Printable.h"

#include <gtest/gtest.h>

using namespace labgen;

namespace {

TEST(Printable, PlainTextStays) {
  for (const char *text :
       {"", "error: a b; c", "caf\u00e9 \u00b5s \u2192 \u4e2d", "\U0001f600",
        "back\\slash 'quoted'"})
    EXPECT_EQ(printable(text), text);
}

TEST(Printable, ControlsAreWritten) {
  EXPECT_EQ(printable("a\nerror: b"), "a\\nerror: b");
  EXPECT_EQ(printable("\r\t\x1b[2J\x7f"), "\\r\\t\\x1b[2J\\x7f");
  EXPECT_EQ(printable(std::string_view("\0", 1)), "\\x00");
  EXPECT_EQ(printable("\u009b"
                      "2J"),
            "\\xc2\\x9b"
            "2J"); // C1: CSI
  EXPECT_EQ(printable("\u202e\u2066\u200b\ufeff"),
            "\\xe2\\x80\\xae\\xe2\\x81\\xa6\\xe2\\x80\\x8b\\xef\\xbb\\xbf");
  EXPECT_EQ(printable("a\u2028b"), "a\\xe2\\x80\\xa8b");
}

TEST(Printable, BytesThatAreNoText) {
  EXPECT_EQ(printable("\xff\xfe"), "\\xff\\xfe");
  EXPECT_EQ(printable("\xc0\xaf"), "\\xc0\\xaf");          // not the shortest
  EXPECT_EQ(printable("\xed\xa0\x80"), "\\xed\\xa0\\x80"); // a surrogate
  EXPECT_EQ(printable("\xf4\x90\x80\x80"), "\\xf4\\x90\\x80\\x80");
  EXPECT_EQ(printable("\xe4\xb8"), "\\xe4\\xb8"); // cut
}

// Every code point: what comes out holds no control character.
TEST(Printable, AllOfUnicode) {
  auto utf8 = [](uint32_t c) {
    std::string out;
    if (c < 0x80)
      return std::string(1, char(c));
    int more = c < 0x800 ? 1 : c < 0x10000 ? 2 : 3;
    out += char((0xff00u >> (more + 1)) | c >> 6 * more);
    while (more-- > 0)
      out += char(0x80 | (c >> 6 * more & 0x3f));
    return out;
  };
  for (uint32_t c = 0; c < 0x110000; ++c) {
    std::string text = utf8(c), out = printable(text);
    bool isControl = c < 0x20 || (c >= 0x7f && c < 0xa0);
    bool isSurrogate = c >= 0xd800 && c < 0xe000;
    if (isControl || isSurrogate)
      EXPECT_EQ(out[0], '\\') << c;
    else
      EXPECT_TRUE(out == text || out.substr(0, 2) == "\\x") << c;
  }
}

TEST(Printable, LongTextsLoseTheirMiddle) {
  EXPECT_EQ(shortened("short"), "short");
  std::string text = shortened("what " + std::string(5000, 'x') + "; do this");
  EXPECT_EQ(text.size(), longestMessage);
  EXPECT_EQ(text.substr(0, 6), "what x");
  EXPECT_NE(text.find("x...x"), std::string::npos);
  EXPECT_EQ(text.substr(text.size() - 9), "; do this");
  // No character is cut.
  std::string accents;
  for (int i = 0; i < 400; ++i)
    accents += "\u00e9";
  EXPECT_EQ(printable(shortened(accents)), shortened(accents));
}

} // namespace
