// ModelCommandTest.cpp - the command line of the calculator and its output.
#include "test/Unit/Roofline/Models.h"
#include "tools/labgen-run/Model.h"

#include <gtest/gtest.h>

using namespace labgen;
using namespace labgen::test;

namespace {

const std::string llama3Flags =
    "--layers 32 --hidden 4096 --heads 32 --kv-heads 8 --ffn 14336 --gated yes "
    "--vocab 128256 --tied no ";

Result<std::string> run(const std::string &line) {
  ToolSpec tool;
  tool.name = "labgen-run";
  Result<std::vector<std::string>> words = splitLikeShell(line);
  CommandSpec command = modelCommandSpec("labgen-run model");
  Result<Arguments> arguments = parseCommand(tool, command, *words);
  return arguments ? modelOutput(*arguments)
                   : Result<std::string>(arguments.status());
}
std::string refusal(const std::string &line) {
  Result<std::string> text = run(line);
  EXPECT_FALSE(text) << line;
  if (text)
    return "";
  EXPECT_EQ(text.status().exitCode(), ExitCode::BadInput);
  return text.status().message();
}
std::string output(const std::string &line) {
  Result<std::string> text = run(line);
  EXPECT_TRUE(text) << line << ": " << text.status().message();
  return text ? *text : "";
}
Json json(const std::string &line) {
  Result<Json> parsed = Json::parse(output(line + " --json"));
  EXPECT_TRUE(parsed);
  return parsed ? *parsed : Json();
}

TEST(Model, FormulasStandBeforeResults) {
  std::string text = output(llama3Flags);
  size_t formula = text.find("formula"), numbers = text.find("numbers"),
         ignored = text.find("ignored"), result = text.find("result");
  EXPECT_LT(formula, numbers);
  EXPECT_LT(numbers, ignored);
  EXPECT_LT(ignored, result);
  for (const char *part :
       {"8,030,261,248", "16.061", "14.958 GiB", "131,072 B per token",
        "N = 26,624 tokens (full square)", "246.68", "295.34", "steps/s",
        "tok/s in all", "FFN ALONE", "ALL linear layers"})
    EXPECT_NE(text.find(part), std::string::npos) << part;
}

TEST(Model, SectionsInDrillOrder) {
  std::string text = output(llama3Flags);
  size_t last = 0;
  for (const char *title :
       {"Parameters\n=", "Weight bytes\n=", "FLOPs\n=", "Decode ceiling\n=",
        "KV cache\n=", "Sequences that fit\n=", "Crossover"}) {
    size_t at = text.find(title);
    ASSERT_NE(at, std::string::npos) << title;
    EXPECT_GE(at, last) << title;
    last = at;
  }
}

TEST(Model, JsonIsInFullPrecision) {
  Json out = json(llama3Flags + "--chip H100 --weights bf16 --batch 32");
  EXPECT_EQ(out.find("parameters")->find("total")->asInt(), 8030261248);
  const Json &steps = *out.find("decode")->find("steps");
  const Json &last = steps.asArray()->back();
  double bytes = 2 * 8030261248.0 + 32 * 4096 * 131072.0;
  EXPECT_DOUBLE_EQ(*last.find("bytes_per_step")->asDouble(), bytes);
  EXPECT_DOUBLE_EQ(*last.find("steps_per_s")->asDouble(), 3.35e12 / bytes);
  EXPECT_TRUE(*last.find("fits")->asBool());
}

TEST(Model, NominalParameters) {
  Json out = json(llama3Flags + "--params 70e9 --chip MI300X --weights bf16");
  EXPECT_NEAR(*(*out.find("decode")->find("steps")->asArray())[0]
                   .find("steps_per_s")
                   ->asDouble(),
              37.857, 5e-4);
}

TEST(Model, CopiesOfKvHeadsTakeMemory) {
  auto sequences = [](const char *devices) {
    Json out = json(llama3Flags + "--chip L4 --weights int8 --tp " + devices);
    return *(*out.find("sequences")->asArray())[0].find("sequences")->asInt();
  };
  double weights = 8030261248, each = 4096 * 131072.0;
  EXPECT_EQ(sequences("8"), int64_t((8 * 24e9 - weights) / each));
  EXPECT_EQ(sequences("32"), int64_t((32 * 24e9 - weights) / (4 * each)));
}

TEST(Model, UnknownCellsGiveNoNumber) {
  // No CPU has a capacity, no f4 peak is on an H100.
  std::string text =
      output(llama3Flags + "--chip 'EPYC 9654' --chip H100 --compute f4E2M1FN");
  EXPECT_NE(text.find("n/a"), std::string::npos);
  Json out = json(llama3Flags + "--chip H100 --compute f4E2M1FN");
  const Json &ridge = (*out.find("regime")->find("ridges")->asArray())[0];
  EXPECT_TRUE(ridge.find("ridge")->isNull());
}

TEST(Model, DoesNotFitByBothCounts) {
  std::string text =
      output("--layers 80 --hidden 8192 --heads 64 --kv-heads 8 --ffn 28672 "
             "--gated yes --vocab 128256 --chip H200 --weights bf16");
  EXPECT_NE(text.find("no: 141.107 of 141 GB; yes in the driver's 150.7 GB"),
            std::string::npos);
}

TEST(ModelErrors, EachNamesItsOption) {
  struct Case {
    const char *line, *message;
  };
  for (const Case &c : {
           Case{"", "--gated is missing: a gated FFN has three matrices, a "
                    "plain one two; give --gated yes or --gated no"},
           {"--gated yes", "--layers is missing; give it, or a config.json"},
           {"--gated maybe", "--gated is 'maybe'; give yes or no"},
           {"--gated yes --layers 2 --hidden 64 --heads 4 --vocab 9",
            "--ffn is missing; give it, or a config.json"},
           {"--gated yes --layers 0",
            "--layers is '0'; give a whole number from 1 to 100000"},
           {"--gated yes --layers -3",
            "--layers is '-3'; give a whole number from 1 to 100000"},
           {"--gated yes --layers 2.5",
            "--layers is '2.5'; give a whole number from 1 to 100000"},
           {"--gated yes --layers 1e2",
            "--layers is '1e2'; give a whole number from 1 to 100000"},
           {"--gated yes --hidden 99999999999999999999",
            "--hidden is '99999999999999999999'; give a whole number from 1 to "
            "16777216"},
           {"nothere.json", "cannot read nothere.json: No such file or "
                            "directory; give the path of a readable file"},
       })
    EXPECT_EQ(refusal(c.line), c.message);
  for (const Case &c : {
           Case{"--context 0", "--context is '0'; give a whole number from 1 "
                               "to 1099511627776"},
           {"--context 4096,", "--context is ''; give a whole number from 1 "
                               "to 1099511627776"},
           {"--batch 0", "--batch is '0'; give a whole number from 1 to "
                         "16777216"},
           {"--chip B20", "unknown chip 'B20'; did you mean B200?"},
           {"--chip H100,MI30X",
            "unknown chip 'MI30X'; did you mean 'MI300X'?"},
           {"--utilization 90", "--utilization is '90'; give a share from 0.01 "
                                "to 1"},
           {"--utilization nan", "--utilization is 'nan'; give a share from "
                                 "0.01 to 1"},
           {"--reserve-gb -1", "--reserve-gb is '-1'; give a number from 0 to "
                               "1000000"},
           {"--params 1.5", "--params is '1.5'; give a whole number from 1 to "
                            "1e15"},
           {"--tp 3", "--tp is 3 and does not divide the query heads (32); "
                      "give a divisor of the query heads that divides the KV "
                      "heads or is a multiple of them"},
           {"--top-k 2", "--top-k is 2 without --experts; give the number of "
                         "experts too"},
           {"--experts 8 --expert-ffn 64 --top-k 9",
            "--top-k is 9 of 8 --experts; give 1 to 8"},
           {"--experts 8 --top-k 2",
            "--expert-ffn is missing beside --experts; give it"},
           {"--q-rank 64", "--q-rank is 64 without --kv-rank; give all MLA "
                           "sizes or none"},
           {"--window-layers 3", "--window-layers is 3 without --window; give "
                                 "the window in tokens"},
           {"--window 64 --window-layers 33",
            "--window-layers is 33 of 32 layers; give 1 to 32"},
           {"--draft-tokens 4", "--accept is missing; speculative decoding "
                                "needs both"},
           {"--accept 1.5 --draft-tokens 4",
            "--accept is '1.5'; give a probability from 0 to 1"},
           {"--context 1099511627776",
            "the FLOPs of this model at this context do not fit 64 bits; use a "
            "smaller context"},
           {"--kv-dtype fp8-mla", "KV format 'fp8-mla' is for latent attention "
                                  "(MLA), which this model has not; use fp8"},
           {"--compute f99", "--compute is 'f99' and no format; give bf16, "
                             "f8E4M3FN, i8, ..."},
           {"--block 0", "--block is '0'; give a whole number from 1 to "
                         "1048576"},
           {"--chips nothere.json",
            "cannot read nothere.json: No such file or directory; give the "
            "path of a readable file"},
       })
    EXPECT_EQ(refusal(llama3Flags + c.line), c.message);
  EXPECT_EQ(refusal("--layers 2 --hidden 4096 --heads 24 --ffn 64 --gated no "
                    "--vocab 9"),
            "--heads is 24 and does not divide --hidden (4096); give a "
            "divisor, or --head-dim");
  EXPECT_EQ(refusal("--layers 2 --hidden 4096 --heads 32 --kv-heads 5 --ffn 64 "
                    "--gated no --vocab 9"),
            "--kv-heads is 5 and does not divide --heads (32); every KV head "
            "serves the same number of query heads; give a divisor");
}

} // namespace
