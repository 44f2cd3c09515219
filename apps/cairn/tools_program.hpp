// `cairn solve`, `cairn solutions`, `cairn example` and `cairn study` hand over to the program cairn-tools beside this
// one.
#pragma once

namespace cairn::app {

// Does not return where that program is found.
int run_tools_program(char** argv);

}  // namespace cairn::app
