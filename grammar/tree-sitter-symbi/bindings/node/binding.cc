// The addon: the generated parser as a value that the npm module `tree-sitter` takes.

#include <napi.h>

struct TSLanguage;

// Const in truth; Node-API has no word for that, and nobody writes to it.
extern "C" TSLanguage *tree_sitter_symbi();

namespace {

// By this tag that module knows a pointer to a language; its src/language.cc has the same two numbers.
constexpr napi_type_tag kLanguageTag = {0x8AF2E5212AD58ABF, 0xD5006CAD83ABBA16};

Napi::Object Init(Napi::Env env, Napi::Object exports) {
  auto language = Napi::External<TSLanguage>::New(env, tree_sitter_symbi());
  language.TypeTag(&kLanguageTag);
  exports["name"] = Napi::String::New(env, "symbi");
  exports["language"] = language;
  return exports;
}

}  // namespace

NODE_API_MODULE(tree_sitter_symbi_binding, Init)
