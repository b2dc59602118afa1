// Modules.cpp - module names and their patterns, by POSIX regular expressions.
#include "calculator/model/Modules.h"
#include "lib/Support/Text.h"

#include <cctype>
#include <regex.h>

using namespace labgen;

namespace {

struct Names {
  std::string_view matrix;
  std::vector<std::string_view> inAttention, inFfn, inExperts;
};

/// Parts of a layer as transformers names them, per matrix of Params.cpp.
const std::vector<std::string_view> &namesWithin(const Matrix &m) {
  static const std::vector<Names> all = {
      {"q",
       {"q_proj", "qkv_proj", "query_key_value", "c_attn", "Wqkv"},
       {},
       {}},
      {"k",
       {"k_proj", "qkv_proj", "query_key_value", "c_attn", "Wqkv"},
       {},
       {}},
      {"v",
       {"v_proj", "qkv_proj", "query_key_value", "c_attn", "Wqkv"},
       {},
       {}},
      {"o", {"o_proj", "dense", "out_proj", "c_proj"}, {}, {}},
      {"q_a", {"q_a_proj"}, {}, {}},
      {"q_b", {"q_b_proj"}, {}, {}},
      {"kv_a", {"kv_a_proj_with_mqa"}, {}, {}},
      {"kv_b", {"kv_b_proj"}, {}, {}},
      {"attention gate", {"gate_proj"}, {}, {}},
      {"gate",
       {},
       {"gate_proj", "gate_up_proj"},
       {"gate_proj", "gate_up_proj", "w1"}},
      {"up",
       {},
       {"up_proj", "gate_up_proj", "fc1", "c_fc", "dense_h_to_4h"},
       {"up_proj", "gate_up_proj", "w3"}},
      {"down",
       {},
       {"down_proj", "fc2", "c_proj", "dense_4h_to_h"},
       {"down_proj", "w2"}},
      {"router", {}, {}, {"gate", "router", "wg"}},
      {"shared gate", {}, {}, {"shared_expert_gate"}},
  };
  static const std::vector<std::string_view> none;
  for (const Names &row : all)
    if (row.matrix == m.name)
      return m.part == Part::Attention ? row.inAttention
             : m.part == Part::Ffn     ? row.inFfn
                                       : row.inExperts;
  return none;
}

std::vector<std::string_view> blocksOf(Part part) {
  switch (part) {
  case Part::Attention:
    return {"self_attn.", "self_attention.", "attention.", "attn."};
  case Part::Ffn:
    return {"mlp.", "feed_forward.", ""};
  case Part::Experts:
    return {"mlp.experts.0.", "mlp.experts.", "block_sparse_moe.experts.0.",
            "block_sparse_moe.experts.", "feed_forward.experts."};
  case Part::SharedExperts:
    return {"mlp.shared_experts.", "mlp.shared_expert.", "mlp.shared_mlp.",
            "feed_forward.shared_expert."};
  case Part::Router:
    return {"mlp.", "block_sparse_moe.", "feed_forward."};
  default:
    return {};
  }
}

} // namespace

std::vector<std::string> labgen::moduleNames(const Matrix &matrix,
                                             int64_t layer) {
  if (matrix.part == Part::Head)
    return {"lm_head", "language_model.lm_head"};
  if (matrix.part == Part::Embedding)
    return {"model.embed_tokens", "model.language_model.embed_tokens"};
  std::vector<std::string> out;
  for (std::string_view root :
       {"model.", "language_model.model.", "model.language_model."})
    for (std::string_view block : blocksOf(matrix.part))
      for (std::string_view name : namesWithin(matrix))
        out.push_back(std::string(root) + "layers." + std::to_string(layer) +
                      "." + std::string(block) + std::string(name));
  return out;
}

struct ModuleList::Pattern {
  regex_t compiled;
  bool good = false;

  explicit Pattern(const std::string &text) {
    good = regcomp(&compiled, text.c_str(), REG_EXTENDED | REG_NOSUB) == 0;
  }
  Pattern(const Pattern &) = delete;
  ~Pattern() {
    if (good)
      regfree(&compiled);
  }
};

/// Python's regular expression as a POSIX one that matches the same names;
/// empty where there is none.
static std::string fromPython(const std::string &text) {
  std::string out;
  for (size_t i = 0; i < text.size(); ++i) {
    char at = text[i];
    char next = i + 1 < text.size() ? text[i + 1] : '\0';
    if (at == '\\' && (next == 'd' || next == 'w')) {
      out += next == 'd' ? "[0-9]" : "[0-9A-Za-z_]";
      ++i;
    } else if (at == '\\' && next && !std::isalnum((unsigned char)next)) {
      out += at;
      out += next;
      ++i;
    } else if (at == '(' && next == '?') {
      if (text.compare(i, 3, "(?:") != 0)
        return {};
      out += '(';
      i += 2;
    } else if ((at == '*' || at == '+' || at == '?') && next == '?') {
      out += at; // lazy: matches the same names
      ++i;
    } else if (at == '\\' || at == '{' || at == '\0') {
      return {};
    } else {
      out += at;
    }
  }
  // Python's match() begins at the start and may end anywhere.
  return "^(" + out + ")";
}

/// A name or a pattern with *, of a whole module or of parts of its path.
static std::string fromName(const std::string &text) {
  std::string out = "^(.*[.])?(";
  for (char c : text)
    if (c == '*')
      out += ".*";
    else if (std::isalnum((unsigned char)c) || c == '_' || c == '-')
      out += c;
    else if (c != '\\' && c != '^' && c != ']' && c != '[')
      out += std::string("[") + c + "]";
    else
      out += std::string("\\") + c;
  return out + ")([.].*)?$";
}

Status ModuleList::add(const std::string &entry) {
  constexpr size_t longest = 256, most = 64;
  bool isRegex = entry.compare(0, 3, "re:") == 0;
  if (!isRegex && entry.find('*') == std::string::npos) {
    plain.insert(entry);
    return Status::ok();
  }
  std::string text = isRegex ? fromPython(entry.substr(3)) : fromName(entry);
  auto pattern = std::make_shared<const Pattern>(text);
  if (entry.size() > longest || text.empty() || !pattern->good)
    return Status::badInput("holds " + quoted(entry) +
                            ", which is no pattern known here");
  if (patterns.size() == most)
    return Status::badInput("holds more than " + std::to_string(most) +
                            " patterns");
  patterns.push_back(std::move(pattern));
  return Status::ok();
}

/// Any run of a name's parts: "self_attn" of "model.layers.3.self_attn.q_proj".
static bool holdsPart(const std::unordered_set<std::string> &plain,
                      const std::string &name) {
  for (size_t begin = 0; begin != std::string::npos;) {
    for (size_t end = begin; end != std::string::npos;) {
      end = name.find('.', end + 1);
      if (plain.count(name.substr(begin, end - begin)))
        return true;
    }
    begin = name.find('.', begin + 1);
    begin += begin != std::string::npos;
  }
  return false;
}

bool ModuleList::matches(const std::vector<std::string> &names) const {
  for (const std::string &name : names) {
    if (!plain.empty() && holdsPart(plain, name))
      return true;
    for (const std::shared_ptr<const Pattern> &pattern : patterns)
      if (regexec(&pattern->compiled, name.c_str(), 0, nullptr, 0) == 0)
        return true;
  }
  return false;
}
