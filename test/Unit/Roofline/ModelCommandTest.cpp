// ModelCommandTest.cpp - the command line of the calculator and its output.
#include "calculator/ModelCommand.h"
#include "test/Unit/Roofline/Models.h"

#include <algorithm>
#include <cstdio>
#include <fstream>
#include <gtest/gtest.h>
#include <unistd.h>

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

/// A device keeps its part of the matrices, all norms, and its KV heads.
struct Device {
  double weights, kvPerSequence;
};
Device llama3On(int64_t devices) {
  double norms = (2 * 32 + 1) * 4096.0, kv = 2 * 32 * 4096.0 * 1024;
  double kvCut = double(std::min<int64_t>(devices, 8));
  return {(8030261248.0 - norms - kv) / double(devices) + kv / kvCut + norms,
          4096 * 131072.0 / kvCut};
}

TEST(Model, CopiesOfKvHeadsTakeMemory) {
  for (int64_t devices : {1, 8, 16, 32}) {
    Json out = json(llama3Flags + "--chip L4 --weights int8 --tp " +
                    std::to_string(devices));
    Device one = llama3On(devices);
    EXPECT_EQ(
        *(*out.find("sequences")->asArray())[0].find("sequences")->asInt(),
        int64_t((24e9 - one.weights) / one.kvPerSequence))
        << devices;
  }
}

/// One answer to steps/s, whichever section gives it, and its assumption named.
TEST(Model, FewerKvHeadsThanDevices) {
  const std::string line =
      llama3Flags + "--chip H100 --weights int8 --batch 512 --tp 16";
  Json out = json(line);
  const Json &last = out.find("decode")->find("steps")->asArray()->back();
  Device one = llama3On(16);
  double bytes = one.weights + 512 * one.kvPerSequence;
  EXPECT_DOUBLE_EQ(*last.find("bytes_per_step")->asDouble(), bytes);
  EXPECT_DOUBLE_EQ(*last.find("steps_per_s")->asDouble(), 3.35e12 / bytes);
  EXPECT_FALSE(out.find("tensor_parallel")->find("decode"));
  std::string text = output(line);
  EXPECT_NE(text.find("there are fewer KV heads than devices"),
            std::string::npos);
  char printed[32];
  std::snprintf(printed, sizeof printed, " %.2f ", 3.35e12 / bytes);
  EXPECT_NE(text.find(printed), std::string::npos) << printed;
}

/// What fits respects what may be used: one answer beside what is free.
TEST(Model, FitsWithinWhatMayBeUsed) {
  auto fits = [](const std::string &more) {
    Json out = json(llama3Flags + "--chip L4 --weights bf16 " + more);
    bool fits = *out.find("decode")
                     ->find("steps")
                     ->asArray()
                     ->back()
                     .find("fits")
                     ->asBool();
    const Json &room = (*out.find("sequences")->asArray())[0];
    EXPECT_EQ(fits, *room.find("sequences")->asInt() > 0) << more;
    EXPECT_EQ(*room.find("sequences")->asInt() > 0 ||
                  *room.find("tokens")->asInt() > 0,
              *room.find("free_bytes")->asDouble() > 0)
        << more;
    return fits;
  };
  EXPECT_TRUE(fits(""));
  EXPECT_FALSE(fits("--reserve-gb 16")); // -8.06 GB free
  EXPECT_FALSE(fits("--utilization 0.6"));
  EXPECT_TRUE(fits("--utilization 0.9 --reserve-gb 2"));
  EXPECT_TRUE(fits("--reserve-gb 12 --tp 2"));
  std::string text =
      output(llama3Flags + "--chip L4 --weights bf16 --reserve-gb 16");
  EXPECT_NE(text.find("no: 16.061 of 8 GB"), std::string::npos);
  EXPECT_EQ(text.find(" yes"), std::string::npos);
}

TEST(Model, ExpertsArePrintedExactly) {
  Json out = json(llama3Flags + "--experts 8 --top-k 2 --expert-ffn 14336");
  const Json &one = (*out.find("experts")->asArray())[0];
  EXPECT_EQ(one.find("experts")->dump(), "2.0");
}

class ModelFiles : public testing::Test {
protected:
  /// The path of a file with this text.
  std::string file(const std::string &text) {
    std::string path = testing::TempDir() + "labgen-model-" +
                       std::to_string(getpid()) + ".json";
    std::ofstream(path) << text;
    paths.push_back(path);
    return path;
  }
  void TearDown() override {
    for (const std::string &path : paths)
      std::remove(path.c_str());
  }
  std::vector<std::string> paths;
};

TEST_F(ModelFiles, QuantizedCheckpointsAreReadByDefault) {
  std::string text = llama3Text();
  text.insert(text.size() - 1,
              ", \"quantization_config\": {\"quant_method\": \"awq\", "
              "\"bits\": 4, \"group_size\": 128}");
  std::string path = file(text);
  Json out = json(path + " --chip H100");
  const Json &first = (*out.find("decode")->find("steps")->asArray())[0];
  EXPECT_EQ(*first.find("weights")->asString(), "file");
  EXPECT_NEAR(*first.find("weight_bytes")->asDouble() / 1e9, 5.728, 5e-4);
  // It is no format for the parameters outside those layers.
  const Json &row = (*out.find("weights")->asArray())[0];
  EXPECT_EQ(*row.find("format")->asString(), "file");
  EXPECT_TRUE(row.find("all_bytes")->isNull());
  EXPECT_EQ(row.find("linear_bytes")->asInt(),
            *first.find("weight_bytes")->asDouble());
  EXPECT_NE(output(path + " --weights bf16")
                .find("quantization_config is passed over"),
            std::string::npos);
}

TEST_F(ModelFiles, QuantizedKvCachesAreNoted) {
  std::string text = llama3Text();
  text.insert(text.size() - 1,
              ", \"quantization_config\": {\"quant_method\": \"modelopt\", "
              "\"quant_algo\": \"FP8\", \"kv_cache_quant_algo\": \"FP8\"}");
  std::string path = file(text), note = "say its format with --kv-dtype";
  auto notes = [&](const std::string &more) {
    return json(path + more)
        .find("parameters")
        ->find("config")
        ->find("notes")
        ->dump();
  };
  EXPECT_NE(notes("").find(note), std::string::npos);
  EXPECT_EQ(notes(" --kv-dtype fp8").find(note), std::string::npos);
}

TEST_F(ModelFiles, UnknownQuantizationNeedsWeights) {
  std::string text = llama3Text();
  text.insert(text.size() - 1,
              ", \"quantization_config\": {\"quant_method\": \"aqlm\"}");
  std::string path = file(text);
  EXPECT_EQ(refusal(path).rfind(path + ": quantization_config: quant_method is "
                                       "'aqlm'; only mxfp4",
                                0),
            0u);
  EXPECT_NE(output(path + " --weights int4"), "");
  EXPECT_EQ(refusal(llama3Flags + "--weights file"),
            "the model has no quantization_config; give another format, such "
            "as bf16");
}

TEST_F(ModelFiles, OptionsFillGaps) {
  std::string path = file(R"({"model_type": "gemma3_text",
      "hidden_size": 2560, "intermediate_size": 10240})");
  Json out = json(path + " --layers 34 --vocab 262144");
  EXPECT_EQ(out.find("parameters")->find("total")->asInt(), 3880099328);
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
           {"--training-devices 8",
            "--training-tokens is missing; --training-devices needs it"},
           {"--training-tokens 1e12 --training-share 0.5",
            "--training-devices is missing; --training-share needs it"},
           {"--training-tokens 1e12 --training-devices 8 --training-share 0",
            "--training-share is '0'; give a share from 0.001 to 1"},
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
