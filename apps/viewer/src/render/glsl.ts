// Pieces of shader text used in several places. Colours are sRGB as shown, from texture to canvas.

// Pose and colour of a body by its number.
export const bodyGlsl = `
uniform highp sampler2D poses;
uniform lowp sampler2D colours;
ivec2 texel(int i, int width) { return ivec2(i % width, i / width); }
void pose(uint body, out vec3 place, out vec4 turn) {
  int width = textureSize(poses, 0).x;
  place = texelFetch(poses, texel(2 * int(body), width), 0).xyz;
  turn = texelFetch(poses, texel(2 * int(body) + 1, width), 0);
}
vec4 colourOf(uint body) { return texelFetch(colours, texel(int(body), textureSize(colours, 0).x), 0); }
bool isSelected(vec4 c) { return (int(c.a * 255.0 + 0.5) & 1) != 0; }
bool isBoundary(vec4 c) { return (int(c.a * 255.0 + 0.5) & 2) != 0; }
`;

export const turnGlsl = `
vec3 turned(vec4 q, vec3 v) { return v + 2.0 * cross(q.xyz, cross(q.xyz, v) + q.w * v); }
`;

// A light from above and one from the side, mild so that colours stay those of the legend.
export const shadeGlsl = `
const vec3 sun = vec3(-0.3497, -0.7494, 0.5621);
float shade(vec3 n) {
  float sky = 0.5 + 0.5 * n.z;
  float lit = max(dot(n, sun), 0.0);
  return 0.72 + 0.33 * clamp(0.45 * sky + 0.62 * lit, 0.0, 1.0);
}
`;

// A body's number as four bytes; 0 is nothing.
export const numberGlsl = `
vec4 asColour(uint body) {
  uint n = body + 1u;
  return vec4(float(n & 255u), float((n >> 8) & 255u), float((n >> 16) & 255u), float(n >> 24)) / 255.0;
}
`;
