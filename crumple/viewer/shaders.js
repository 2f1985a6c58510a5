// The programs of the graphics card. Nothing is sent per corner: a corner finds its face, node and values in
// textures by its number, so that a new state is only its positions and values.

const FETCH = `#version 300 es
precision highp float; precision highp int; precision highp usampler2D; precision highp sampler2D;
ivec2 at(uint k) { return ivec2(int(k & 2047u), int(k >> 11u)); }
uniform vec3 centre; uniform mat3 turn; uniform vec2 scale, shift; uniform float depth;
vec4 seen_at(vec3 x) { return vec4((x.xy + shift) * scale, -x.z / depth, 1.0); }
`;

export const FACES = `${FETCH}
uniform usampler2D faces, owners, looks; uniform sampler2D places, values, palette;
uniform uint pass; uniform int by, picking, corners;
out vec3 seen, corner, world; out float value; flat out vec4 part; flat out int drawn; flat out uint face;
const int CORNER[6] = int[6](0, 1, 2, 0, 2, 3);
void main() {
  uint k = uint(gl_VertexID / corners); int c = gl_VertexID % corners;
  uint look = texelFetch(looks, at(k), 0).r;
  gl_Position = vec4(2.0, 2.0, 2.0, 1.0);
  bool wanted = picking == 1 ? (look & 3u) != 0u : (look & 3u) == pass;
  if (!wanted) return;
  uvec4 nodes = texelFetch(faces, at(k), 0);
  bool triangle = nodes.z == nodes.w;
  if (triangle && c > 2) return;
  uint node = nodes[CORNER[c]];
  world = texelFetch(places, at(node), 0).rgb;
  seen = turn * (world - centre);
  gl_Position = seen_at(seen);
  int place = c % 3;
  corner = vec3(place == 0, place == 1, place == 2);
  drawn = triangle ? 7 : c < 3 ? 3 : 6;
  face = k;
  part = texelFetch(palette, at(look >> 3u), 0);
  value = -3e38;
  if (by == 1) {
    uvec2 of = texelFetch(owners, at(k), 0).rg;
    value = texelFetch(values, at((look & 4u) != 0u ? of.y : of.x), 0).r;
  } else if (by == 2) value = texelFetch(values, at(node), 0).r;
}`;

export const FACE_COLOURS = `#version 300 es
precision highp float; precision highp int;
in vec3 seen, corner, world; in float value; flat in vec4 part; flat in int drawn; flat in uint face;
uniform sampler2D colours; uniform vec2 range; uniform float bands, opacity; uniform int by, picking, lines, cutting; uniform vec4 cut;
out vec4 colour;
void main() {
  if (cutting == 1 && dot(cut.xyz, world) > cut.w) discard;
  if (picking == 1) {
    uint k = face + 1u;
    colour = vec4(float(k & 255u), float((k >> 8u) & 255u), float((k >> 16u) & 255u), float(k >> 24u)) / 255.0;
    return;
  }
  vec3 n = normalize(cross(dFdx(seen), dFdy(seen)));
  float light = 0.45 + 0.55 * abs(dot(n, normalize(vec3(-0.25, 0.35, 0.9))));
  vec3 base = part.rgb;
  if (by > 0) {
    float t = clamp((value - range.x) / max(range.y - range.x, 1e-30), 0.0, 1.0);
    if (bands > 0.0) t = (min(floor(t * bands), bands - 1.0) + 0.5) / bands;
    base = value < -1e38 ? vec3(0.78) : texture(colours, vec2(t, 0.5)).rgb;
  }
  colour = vec4(base * light, opacity);
  if (lines == 0) return;
  // The side after corner 0 is where that of corner 2 is zero, and so on. Lines fade where they would lie too close.
  vec3 wide = fwidth(corner), near = corner / max(wide, vec3(1e-9));
  float least = 1e9;
  if ((drawn & 1) != 0) least = min(least, near.z);
  if ((drawn & 2) != 0) least = min(least, near.x);
  if ((drawn & 4) != 0) least = min(least, near.y);
  float fade = 1.0 - smoothstep(0.1, 0.25, max(wide.x, max(wide.y, wide.z)));
  colour.rgb *= 1.0 - 0.5 * fade * (1.0 - smoothstep(0.3, 1.1, least));
}`;

// Lines as rectangles of some pixels, those without a length as squares: beams, particles, feature edges, vectors, what is measured.
export const LINES = `${FETCH}
uniform usampler2D segments; uniform sampler2D places, values, palette; uniform vec2 pixel; uniform float width, closer; uniform int by;
out vec3 world; out float value; flat out vec4 part; flat out uint line;
void main() {
  uint k = uint(gl_VertexID) / 6u; int c = gl_VertexID % 6;
  uvec4 segment = texelFetch(segments, at(k), 0);
  gl_Position = vec4(2.0, 2.0, 2.0, 1.0);
  if ((segment.w & 1u) == 0u) return;
  vec3 a = texelFetch(places, at(segment.x), 0).rgb, b = texelFetch(places, at(segment.y), 0).rgb;
  vec4 from = seen_at(turn * (a - centre)), to = seen_at(turn * (b - centre));
  vec2 along = (to.xy - from.xy) / pixel;
  bool square = segment.x == segment.y;
  along = length(along) > 1e-6 ? normalize(along) : vec2(1.0, 0.0);
  vec2 aside = vec2(-along.y, along.x) * pixel * width * 0.5;
  bool first = c == 0 || c == 2 || c == 3;
  bool left = c == 0 || c == 1 || c == 4;
  gl_Position = first ? from : to;
  gl_Position.xy += (left ? aside : -aside) * (square ? 1.6 : 1.0);
  if (square) gl_Position.xy += (first ? -along : along) * pixel * width * 0.8;
  gl_Position.z -= closer;
  world = first ? a : b;
  line = k;
  part = texelFetch(palette, at(segment.w >> 1u), 0);
  value = by == 1 ? texelFetch(values, at(segment.z), 0).r : by == 2 ? texelFetch(values, at(first ? segment.x : segment.y), 0).r : -3e38;
}`;

export const LINE_COLOURS = `#version 300 es
precision highp float; precision highp int;
in vec3 world; in float value; flat in vec4 part; flat in uint line;
uniform sampler2D colours; uniform vec2 range; uniform vec4 plain; uniform int by, cutting, picking; uniform uint before; uniform vec4 cut;
out vec4 colour;
void main() {
  if (cutting == 1 && dot(cut.xyz, world) > cut.w) discard;
  if (picking == 1) {
    uint k = before + line + 1u;
    colour = vec4(float(k & 255u), float((k >> 8u) & 255u), float((k >> 16u) & 255u), float(k >> 24u)) / 255.0;
    return;
  }
  colour = plain;
  if (plain.a > 0.0) return;
  float t = clamp((value - range.x) / max(range.y - range.x, 1e-30), 0.0, 1.0);
  colour = vec4(by > 0 ? (value < -1e38 ? vec3(0.55) : texture(colours, vec2(t, 0.5)).rgb) : part.rgb, 1.0);
}`;
