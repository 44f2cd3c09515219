// `cairn example` and `cairn study` hand over to the program cairn-examples beside this one.
#pragma once

namespace cairn::app {

// Does not return where that program is found.
int run_examples_program(char** argv);

}  // namespace cairn::app
