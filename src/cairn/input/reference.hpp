// The table of keys as documents: a page for people, a JSON schema for editors.
#pragma once

#include <string>

namespace cairn::input {

std::string reference_page();  // Markdown
std::string json_schema();     // draft 7

}  // namespace cairn::input
