// ManifestTest.cpp - manifests written, read and distrusted.
#include "lib/Spec/Manifest.h"
#include "lib/Spec/Schema.h"
#include "lib/Support/AtomicFile.h"

#include <cstdlib>
#include <gtest/gtest.h>

using namespace labgen;

namespace {

ManifestKernel kernel(const char *text) {
  ManifestKernel out;
  out.spec = *KernelSpec::parse(text);
  out.target = "cpu:x86-64-v3";
  out.cpu = "haswell";
  out.isa = {"avx2", "fma"};
  out.artifact = "artifacts/k0.so";
  out.sha256 = std::string(64, 'a');
  for (const Argument &argument : arguments(out.spec)) {
    ManifestArgument a;
    static_cast<Argument &>(a) = argument;
    a.byteSize = argument.bytes();
    out.arguments.push_back(a);
  }
  ManifestArgument workspace;
  workspace.name = "partials";
  workspace.role = Role::Workspace;
  workspace.shape = {64};
  workspace.byteSize = 256;
  out.arguments.push_back(workspace);
  out.launches = {{"lab_0", {1, 1, 1}, {1, 1, 1}, 0, 63},
                  {"lab_1", {2, 3, 4}, {128, 1, 1}, 4096, 1}};
  out.schedule = "loop=16384";
  return out;
}

Manifest sample() {
  Manifest manifest;
  manifest.versions = {{"labgen", "0.1.0"}, {"git", "abc"}, {"llvm", "22.1.8"}};
  manifest.matrix = "quick cpu:x86-64-v3";
  manifest.kernels = {
      kernel("quantize:m=3,k=65,in=f32,out=i4,group=32,scale=f16"),
      kernel("gemm:m=2,n=3,k=64,a=f32,b=i8,group=32,scale=f16,compute=i8"),
      kernel("reduce:n=5000,type=f32,kind=sum")};
  ManifestKernel failed;
  failed.spec = *KernelSpec::parse("exp:n=4,in=f32,out=f16");
  failed.target = "nvvm:sm_80";
  failed.failure = "no exp yet";
  manifest.kernels.push_back(failed);
  return manifest;
}

struct Folder {
  std::string path = testing::TempDir() + "labgen-manifest-XXXXXX";
  Folder() { EXPECT_TRUE(mkdtemp(path.data())); }
  ~Folder() {
    std::remove((path + "/manifest.json").c_str());
    std::remove(path.c_str());
  }
};

TEST(Manifest, FitsItsSchema) {
  for (const Manifest &manifest : {Manifest(), sample()}) {
    Status status = checkSchema(manifest.toJson(), manifestSchema());
    EXPECT_TRUE(status) << status.message();
  }
}

TEST(Manifest, HasCostAndBoundOfTheSpec) {
  Json json = sample().toJson();
  const Json &first = (*json.find("kernels")->asArray())[0];
  EXPECT_EQ(first.find("cost")->dump(),
            R"({"bytes_read": 780, "bytes_written": 117, "flops": 780, )"
            R"("bits_per_weight": 4.8})");
  EXPECT_NEAR(*first.find("bound")->find("relative")->asDouble(), 1 / 14.0,
              1e-4);
  EXPECT_EQ((*first.find("arguments")->asArray())[1].dump(),
            R"({"name": "q", "role": "output", "format": "i4", )"
            R"("shape": [3, 65], "bytes": 99, "alignment": 64})");
  EXPECT_EQ((*first.find("launches")->asArray())[1].dump(),
            R"({"entry": "lab_1", "grid": [2, 3, 4], "block": [128, 1, 1], )"
            R"("shared_bytes": 4096, "units": 1})");
}

TEST(Manifest, WritesAndReadsBackTheSame) {
  Folder folder;
  Manifest manifest = sample();
  Status written = manifest.write(folder.path);
  ASSERT_TRUE(written) << written.message();
  for (const std::string &path : {folder.path, folder.path + "/"}) {
    Result<Manifest> back = Manifest::read(path);
    ASSERT_TRUE(back) << back.status().message();
    EXPECT_EQ(back->toJson().dump(), manifest.toJson().dump());
  }
}

TEST(Manifest, UnreadableFilesAreNamed) {
  Folder folder;
  EXPECT_NE(Manifest::read(folder.path)
                .status()
                .message()
                .find(folder.path + "/manifest.json"),
            std::string::npos);
  ASSERT_TRUE(writeFile(folder.path + "/manifest.json", "{\"versions\": "));
  EXPECT_NE(Manifest::read(folder.path).status().message().find("invalid JSON"),
            std::string::npos);
  Status status = Manifest().write(folder.path + "/absent");
  EXPECT_NE(status.message().find("create the folder first"),
            std::string::npos);
}

TEST(Manifest, AlteredManifestsAreRefused) {
  std::string good = sample().toJson().dump();
  auto refused = [&](const std::string &from, const std::string &to) {
    std::string text = good;
    size_t at = text.find(from);
    EXPECT_NE(at, text.npos) << from;
    text.replace(at, from.size(), to);
    Result<Json> json = Json::parse(text);
    EXPECT_TRUE(json) << text;
    Result<Manifest> manifest = Manifest::fromJson(*json);
    EXPECT_FALSE(manifest) << to;
    return manifest ? std::string() : manifest.status().message();
  };
  EXPECT_NE(refused("m=3,k=65", "m=4,k=65").find("kernels[0]"),
            std::string::npos);
  EXPECT_NE(refused("m=3,k=65", "m=3,k=").find("does not parse"),
            std::string::npos);
  refused("\"shape\": [3, 65]", "\"shape\": [3, 66]");
  refused("\"shape\": [3, 65]", "\"shape\": [3, -65]");
  refused("\"bytes\": 99", "\"bytes\": 98");
  refused("\"role\": \"output\"", "\"role\": \"input\"");
  refused("\"role\": \"workspace\"", "\"role\": \"input\"");
  refused("\"role\": \"output\"", "\"role\": \"outputs\"");
  refused("\"format\": \"f16\"", "\"format\": \"f17\"");
  refused("\"alignment\": 64", "\"alignment\": 48");
  refused("\"alignment\": 64", "\"alignment\": 0");
  refused("artifacts/k0.so", "/etc/passwd");
  refused("artifacts/k0.so", "../k0.so");
  refused("artifacts/k0.so", "artifacts/../../k0.so");
  refused("\"artifacts/k0.so\"", "null");
  refused(std::string(64, 'a'), std::string(63, 'a'));
  refused(std::string(64, 'a'), std::string(64, 'g'));
  refused("\"grid\": [2, 3, 4]", "\"grid\": [2, 3]");
  refused("\"block\": [128, 1, 1]", "\"block\": [0, 1, 1]");
  refused("\"units\": 63", "\"units\": -63");
  refused("\"units\": 63", "\"units\": \"63\"");
  refused("\"shared_bytes\": 4096", "\"shared_bytes\": -1");
  refused("\"entry\": \"lab_0\"", "\"entry\": \"\"");
  refused("\"kernels\": [", "\"kernels\": [3, ");
  EXPECT_NE(refused("\"matrix\"", "\"metrics\"").find("'matrix' is missing"),
            std::string::npos);
  EXPECT_TRUE(Manifest::fromJson(*Json::parse(good)));
  // A name with dots that stays inside.
  std::string inside = good;
  inside.replace(inside.find("artifacts/k0.so"), 15, "artifacts/..k.so");
  EXPECT_TRUE(Manifest::fromJson(*Json::parse(inside)));
}

} // namespace
