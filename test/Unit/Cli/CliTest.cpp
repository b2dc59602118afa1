// CliTest.cpp - every mistake on a command line is one line that helps.
#include "tools/cli/Cli.h"

#include <gtest/gtest.h>

using namespace labgen;

namespace {

ToolSpec tool() {
  ToolSpec tool;
  tool.name = "tool";
  tool.summary = "does things";
  tool.commands = {{"run",
                    "SPEC",
                    1,
                    1,
                    "runs",
                    {{"--seed", "N", "of the data"},
                     {"--input", "NAME=FILE", "a file", true},
                     {"--json", "", "as JSON"},
                     {"-o", "PATH", "where to"}},
                    {"tool run a:b"}},
                   {"list", "", 0, 0, "lists", {}, {}}};
  tool.examples = {"tool run a:b --seed 2"};
  return tool;
}

Result<Arguments> parse(std::vector<std::string> words) {
  return parseArguments(tool(), words, "tool 1.2");
}

std::string errorOf(std::vector<std::string> words) {
  Result<Arguments> result = parse(words);
  if (result)
    return "no error";
  EXPECT_EQ(result.status().exitCode(), ExitCode::BadInput);
  return result.status().message();
}

TEST(Cli, parses) {
  Result<Arguments> a = parse({"run", "x:k=1", "--seed", "7", "--input", "a=1",
                               "--json", "--input=b=2", "-o", "dir"});
  ASSERT_TRUE(a) << a.status().message();
  EXPECT_EQ(a->command, "run");
  EXPECT_EQ(a->positional, std::vector<std::string>{"x:k=1"});
  EXPECT_EQ(a->value("--seed"), "7");
  EXPECT_EQ(a->all("--input"), (std::vector<std::string>{"a=1", "b=2"}));
  EXPECT_TRUE(a->has("--json"));
  EXPECT_EQ(a->value("-o"), "dir");
  // Options before what they are for, and a command's name as a value.
  Result<Arguments> b = parse({"run", "--seed", "7", "list"});
  ASSERT_TRUE(b) << b.status().message();
  EXPECT_EQ(b->positional, std::vector<std::string>{"list"});
  EXPECT_FALSE(b->has("--json"));
}

TEST(Cli, mistakes) {
  EXPECT_EQ(errorOf({}), "tool needs a command; see tool --help");
  EXPECT_EQ(errorOf({"rnu"}), "unknown command 'rnu'; did you mean 'run'?");
  EXPECT_EQ(errorOf({"--versoin"}),
            "unknown option '--versoin' for tool; did you mean '--version'?");
  EXPECT_EQ(errorOf({"run", "x", "--sed", "1"}),
            "unknown option '--sed' for tool run; did you mean '--seed'?");
  EXPECT_EQ(errorOf({"run", "x", "--sed=1"}),
            "unknown option '--sed' for tool run; did you mean '--seed'?");
  EXPECT_EQ(errorOf({"run", "x", "--seed"}),
            "option '--seed' needs a value; write --seed N");
  EXPECT_EQ(errorOf({"run", "x", "-o"}),
            "option '-o' needs a value; write -o PATH");
  EXPECT_EQ(errorOf({"run", "x", "-o", ""}),
            "option '-o' has an empty value; write -o PATH, or leave it out");
  EXPECT_EQ(errorOf({"run", "x", "--json=yes"}),
            "option '--json' takes no value; give it alone");
  EXPECT_EQ(errorOf({"run", "x", "--seed", "1", "--seed", "2"}),
            "option '--seed' is given twice; give it once");
  EXPECT_EQ(errorOf({"run", "x", "--json", "--json"}),
            "option '--json' is given twice; give it once");
  EXPECT_EQ(errorOf({"run"}), "tool run needs SPEC; see tool run --help");
  EXPECT_EQ(errorOf({"run", "x", "y"}),
            "unexpected argument 'y' for tool run; it takes SPEC");
  EXPECT_EQ(errorOf({"list", "x"}),
            "unexpected argument 'x' for tool list; it takes none");
  // The value of an option is never taken from the next option.
  EXPECT_EQ(errorOf({"run", "x", "--seed", "--json"}),
            "option '--seed' needs a value; write --seed N");
}

TEST(Cli, anyBytesAreAnAnswer) {
  for (std::string word :
       {std::string("-"), std::string("--"), std::string("-="),
        std::string("--="), std::string("---"), std::string(""),
        std::string("\xff\xfe"), std::string("-\xff"), std::string("-oo"),
        std::string("--seed="), std::string(100000, '-')}) {
    Result<Arguments> one = parse({word});
    EXPECT_FALSE(one);
    Result<Arguments> two = parse({"run", word, word});
    if (!two) {
      EXPECT_EQ(two.status().message().find('\n'), std::string::npos);
      EXPECT_LT(two.status().message().size(), 300u);
    }
  }
}

TEST(Cli, help) {
  Result<Arguments> all = parse({"--help"});
  ASSERT_TRUE(all);
  for (const char *part : {"tool - does things", "run SPEC", "lists",
                           "--version", "tool run a:b --seed 2"})
    EXPECT_NE(all->text.find(part), std::string::npos) << part;
  // Wherever it stands, and whatever else is wrong.
  for (std::vector<std::string> words :
       {std::vector<std::string>{"run", "--help"},
        {"run", "-h"},
        {"run", "x", "y", "--help"}}) {
    Result<Arguments> one = parse(words);
    ASSERT_TRUE(one);
    EXPECT_NE(one->text.find("Usage: tool run SPEC"), std::string::npos);
    EXPECT_NE(one->text.find("--input NAME=FILE ..."), std::string::npos);
    EXPECT_NE(one->text.find("tool run a:b"), std::string::npos);
  }
  EXPECT_EQ(parse({"--version"})->text, "tool 1.2\n");
}

TEST(Cli, nothingStandsBehindVersionOrHelp) {
  for (const char *first : {"--version", "--help", "-h", "help"}) {
    Result<Arguments> parsed = parse({first, "extra"});
    ASSERT_FALSE(parsed);
    EXPECT_EQ(parsed.status().message(),
              std::string("unexpected argument 'extra' behind ") + first +
                  "; it takes none");
  }
}

TEST(SplitLikeShell, quotes) {
  using Words = std::vector<std::string>;
  EXPECT_EQ(*splitLikeShell("a  b\tc"), (Words{"a", "b", "c"}));
  EXPECT_EQ(*splitLikeShell("'a b' \"c d\" e\\ f"),
            (Words{"a b", "c d", "e f"}));
  EXPECT_EQ(*splitLikeShell("a'b'\"c\"d ''"), (Words{"abcd", ""}));
  EXPECT_EQ(*splitLikeShell("\"a\\\"b\\n\" '\\'"), (Words{"a\"b\\n", "\\"}));
  EXPECT_EQ(*splitLikeShell("a #b c"), (Words{"a"}));
  EXPECT_EQ(*splitLikeShell("a#b"), (Words{"a#b"}));
  EXPECT_TRUE(splitLikeShell("  ")->empty());
  EXPECT_FALSE(splitLikeShell("'a"));
  EXPECT_FALSE(splitLikeShell("\"a"));
  EXPECT_FALSE(splitLikeShell("a\\"));
}

TEST(ParseNumber, wholeWithinRange) {
  EXPECT_EQ(*parseNumber("--n", "0", 0, 5), 0u);
  EXPECT_EQ(*parseNumber("--n", "18446744073709551615", 0, UINT64_MAX),
            UINT64_MAX);
  for (const char *text :
       {"", "-1", "+1", "1.5", "6", "0x1", " 1", "1e1", "18446744073709551616"})
    EXPECT_FALSE(parseNumber("--n", text, 0, 5)) << text;
  EXPECT_EQ(parseNumber("--n", "6", 1, 5).status().message(),
            "--n is '6'; give a whole number from 1 to 5");
}

} // namespace
