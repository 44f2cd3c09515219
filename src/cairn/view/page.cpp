#include "cairn/view/page.hpp"

// CAIRN_PAGE is the file's path. The assembler copies it: a literal of a megabyte would be slow to compile.
asm(R"(
  .pushsection .rodata
  .balign 8
cairn_page_begin:
  .incbin ")" CAIRN_PAGE R"("
cairn_page_end:
  .byte 0
  .popsection
)");

extern "C" {
extern const char cairn_page_begin[] __attribute__((visibility("hidden")));
extern const char cairn_page_end[] __attribute__((visibility("hidden")));
}

namespace cairn::view {

std::string_view page() { return {cairn_page_begin, static_cast<std::size_t>(cairn_page_end - cairn_page_begin)}; }

}  // namespace cairn::view
