// A small wall on quaking ground, for tests that run the program.
#pragma once

namespace cairn::test {

inline const char* const wall_scene = R"(
title = "A small wall"
outcome = ["displaced", "spread", "max_opening"]
[parameters]
checkpoint = 0.02
mu = { value = 0.3, least = 0 }
duration = 2.0
[time]
step = 1e-3
duration = "=duration"
[output]
every = 2e-3
checkpoint_every = "=checkpoint"
[[contact]]
mu = "=mu"
[[motion]]
name = "quake"
kind = "harmonic"
amplitude = 0.125
frequency = 2
[[generate]]
kind = "wall"
courses = 6
blocks = 4
uneven_height = 4e-4
motion = "quake"
[[probe]]
name = "ground"
kind = "reaction"
body = "ground"
component = "x"
)";

}  // namespace cairn::test
