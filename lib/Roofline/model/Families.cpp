// Families.cpp - the rows, from the modelling code of transformers.
#include "lib/Roofline/model/Families.h"

namespace labgen {

static std::vector<Family> makeFamilies() {
  std::vector<Family> all;
  auto add = [&](std::string_view type) -> Family & {
    all.push_back({});
    all.back().type = type;
    return all.back();
  };
  Family &llama = add("llama");
  llama.kvDefaultsToHeads = llama.hasAttentionBias = true;

  add("mistral").window = WindowRule::All;

  Family &mixtral = add("mixtral");
  mixtral.moe = MoeKeys::Mixtral;
  mixtral.window = WindowRule::All;

  Family &qwen2 = add("qwen2");
  qwen2.qkvBias = true;
  qwen2.window = WindowRule::Qwen;

  Family &qwen2Moe = add("qwen2_moe");
  qwen2Moe.qkvBias = true;
  qwen2Moe.moe = MoeKeys::Qwen;
  qwen2Moe.window = WindowRule::Qwen;

  for (std::string_view type : {"qwen3", "qwen3_moe"}) {
    Family &qwen3 = add(type);
    qwen3.headDimDefault = 128;
    qwen3.hasAttentionBias = qwen3.qkNorm = true;
    qwen3.window = WindowRule::Qwen;
    if (type == "qwen3_moe")
      qwen3.moe = MoeKeys::Qwen;
  }

  for (std::string_view type : {"gemma", "gemma2", "gemma3_text"}) {
    Family &gemma = add(type);
    gemma.tiedDefault = gemma.hasAttentionBias = true;
    gemma.headDimDefault = 256;
    if (type == "gemma")
      continue;
    gemma.layerNorms = 4;
    gemma.qkNorm = type == "gemma3_text";
    gemma.window = gemma.qkNorm ? WindowRule::FiveOfSix : WindowRule::Alternate;
  }

  Family &phi3 = add("phi3");
  phi3.kvDefaultsToHeads = true;
  phi3.window = WindowRule::All;

  for (std::string_view type : {"deepseek_v2", "deepseek_v3"}) {
    Family &deepseek = add(type);
    deepseek.mla = true;
    deepseek.moe = MoeKeys::Deepseek;
  }

  Family &gptOss = add("gpt_oss");
  gptOss.headDimDefault = 64;
  gptOss.hasAttentionBias = gptOss.biasDefault = true;
  gptOss.moe = MoeKeys::Mixtral;
  gptOss.window = WindowRule::Alternate;

  add("gpt2").tiedDefault = true;
  return all;
}

const std::vector<Family> &families() {
  static const std::vector<Family> all = makeFamilies();
  return all;
}

} // namespace labgen
