// Sha256Test.cpp - published vectors of FIPS 180 and NIST's byte-oriented set.
#include "lib/Support/Sha256.h"
#include "lib/Support/AtomicFile.h"

#include <gtest/gtest.h>

using namespace labgen;

namespace {

TEST(Sha256, PublishedVectors) {
  EXPECT_EQ(sha256(""), "e3b0c44298fc1c149afbf4c8996fb924"
                        "27ae41e4649b934ca495991b7852b855");
  EXPECT_EQ(sha256("abc"), "ba7816bf8f01cfea414140de5dae2223"
                           "b00361a396177a9cb410ff61f20015ad");
  EXPECT_EQ(sha256("abcdbcdecdefdefgefghfghighijhijkijkljklmklmnlmnomnopnopq"),
            "248d6a61d20638b8e5c026930c3e6039"
            "a33ce45964ff2167f6ecedd419db06c1");
  EXPECT_EQ(sha256(std::string(1000000, 'a')),
            "cdc76e5c9914fb9281a1c7e284d73e67"
            "f1809a48a497200e046d39ccc7112cd0");
}

TEST(Sha256, PaddingAroundABlockEnd) {
  // Lengths where the length field just fits a block and just does not; from
  // coreutils' sha256sum.
  EXPECT_EQ(sha256(std::string(55, 'a')), "9f4390f8d30c2dd92ec9f095b65e2b9a"
                                          "e9b0a925a5258e241c9f1e910f734318");
  EXPECT_EQ(sha256(std::string(56, 'a')), "b35439a4ac6f0948b6d6f9e3c6af0f5f"
                                          "590ce20f1bde7090ef7970686ec6738a");
  EXPECT_EQ(sha256(std::string(64, 'a')), "ffe054fe7ae0cb6dc65c3af9b61d5209"
                                          "f439851db43d0ba5997337df154668eb");
}

TEST(Sha256, PiecesGiveTheSameAsTheWhole) {
  std::string text;
  for (int i = 0; i < 300; ++i)
    text += char(i * 7);
  for (size_t cut = 0; cut <= text.size(); cut += 13) {
    Sha256 hash;
    hash.update(std::string_view(text).substr(0, cut));
    hash.update(std::string_view(text).substr(cut));
    EXPECT_EQ(hash.finish(), sha256(text)) << cut;
  }
}

TEST(Sha256, OfAFile) {
  std::string path = testing::TempDir() + "labgen-sha256-test";
  ASSERT_TRUE(writeFile(path, "abc"));
  Result<std::string> hash = sha256File(path);
  ASSERT_TRUE(hash);
  EXPECT_EQ(*hash, sha256("abc"));
  EXPECT_FALSE(sha256File(path + "-absent"));
}

} // namespace
