import { SELECTED_ALPHA } from './labelTiles';

/** One triangle that covers the whole target; the scissor limits what is painted. */
export const COVER = `#version 300 es
void main() {
  vec2 corner = vec2(float((gl_VertexID & 1) << 2) - 1.0, float((gl_VertexID & 2) << 1) - 1.0);
  gl_Position = vec4(corner, 0.0, 1.0);
}`;

/**
 * First pass: the label of each screen pixel, from one tile; rows from the top. Hidden labels,
 * whose palette entry is transparent, become background: the second pass paints no border around
 * them. The highest bit marks selected objects.
 */
export const LABELS = `#version 300 es
precision highp float;
precision highp int;
precision highp usampler2D;
uniform usampler2D labels;
uniform sampler2D palette;
uniform int paletteWidth;
uniform vec2 origin;
uniform vec2 perPixel;
uniform vec2 source;
uniform float span;
out uint label;
void main() {
  vec2 inPart = clamp(floor((gl_FragCoord.xy - origin) * perPixel), vec2(0.0), vec2(span - 1.0));
  uint tileLabel = texelFetch(labels, ivec2(source + inPart), 0).r;
  ivec2 entry = ivec2(int(tileLabel) % paletteWidth, int(tileLabel) / paletteWidth);
  int alpha = int(round(255.0 * texelFetch(palette, entry, 0).a));
  label = alpha == 0 ? 0u : alpha == ${SELECTED_ALPHA} ? tileLabel | 0x80000000u : tileLabel;
}`;

/**
 * Second pass: colors, outlines with halos, and marks, from the labels of the first pass. Borders
 * are found in screen pixels: lines have one width at every zoom, and tiles leave no seams.
 */
export const COLORS = `#version 300 es
precision highp float;
precision highp int;
precision highp usampler2D;
uniform usampler2D screen;
uniform sampler2D palette;
uniform int paletteWidth;
uniform ivec2 size;
uniform float fillAlpha;
uniform float lineAlpha;
uniform float haloAlpha;
uniform vec4 darkBelow;
uniform float gamma;
uniform bool innerHalo;
uniform int lineWidth;
uniform int selectedWidth;
uniform uint marked[2];
uniform vec3 markColor[2];
uniform ivec2 markWidth[2];
uniform ivec4 markBox[2];
out vec4 color;

const ivec2 NEIGHBORS[8] = ivec2[8](
  ivec2(1, 0), ivec2(-1, 0), ivec2(0, 1), ivec2(0, -1), ivec2(1, 1), ivec2(-1, 1), ivec2(1, -1), ivec2(-1, -1));

uint texelAt(ivec2 position) {
  return texelFetch(screen, clamp(position, ivec2(0), size - 1), 0).r;
}

uint labelAt(ivec2 position) {
  return texelAt(position) & 0x7fffffffu;
}

bool selectedAt(ivec2 position) {
  return texelAt(position) >= 0x80000000u;
}

bool selectedNear(ivec2 position, int reach) {
  for (int i = 0; i < 4; i++) {
    if (selectedAt(position + NEIGHBORS[i] * reach)) return true;
  }
  return false;
}

// Four neighbors are enough for lines: half the work on the processor, and corners as thin as
// lines.
bool isOtherAt(ivec2 position, int reach, uint label) {
  for (int i = 0; i < 4; i++) {
    if (labelAt(position + NEIGHBORS[i] * reach) != label) return true;
  }
  return false;
}

vec3 colorOf(uint label) {
  return texelFetch(palette, ivec2(int(label) % paletteWidth, int(label) / paletteWidth), 0).rgb;
}

// As opacityOf in TypeScript: how opaque an object is.
float opacityOf(uint label) {
  float alpha = texelFetch(palette, ivec2(int(label) % paletteWidth, int(label) / paletteWidth), 0).a;
  return alpha > 0.99 ? 1.0 : alpha;
}

// As haloOf in TypeScript: light around dark colors.
float haloOf(vec3 color) {
  return dot(pow(color, vec3(gamma)), darkBelow.rgb) < darkBelow.a ? 1.0 : 0.0;
}

// The first neighbor that is an object.
uint objectNear(ivec2 position, int reach) {
  for (int i = 0; i < 4; i++) {
    uint label = labelAt(position + NEIGHBORS[i] * reach);
    if (label != 0u) return label;
  }
  return 0u;
}

bool borderOf(ivec2 position, int reach, uint label, bool inside) {
  for (int i = 0; i < 8; i++) {
    if ((labelAt(position + NEIGHBORS[i] * reach) == label) != inside) return true;
  }
  return false;
}

void main() {
  ivec2 position = ivec2(int(gl_FragCoord.x), size.y - 1 - int(gl_FragCoord.y));
  uint label = labelAt(position);
  vec4 pixel = vec4(0.0);
  if (label == 0u) {
    uint neighbor = haloAlpha > 0.0 ? objectNear(position, lineWidth) : 0u;
    if (neighbor != 0u) pixel = vec4(vec3(haloOf(colorOf(neighbor)) * haloAlpha), haloAlpha) * opacityOf(neighbor);
  } else {
    vec3 objectColor = colorOf(label);
    if (isOtherAt(position, lineWidth, label)) {
      pixel = vec4(objectColor * lineAlpha, lineAlpha);
    } else {
      pixel = vec4(objectColor * fillAlpha, fillAlpha);
      if (innerHalo && isOtherAt(position, 2 * lineWidth, label)) {
        float shade = 0.7 * haloAlpha;
        pixel = vec4(pixel.rgb * (1.0 - shade) + haloOf(objectColor) * shade, pixel.a + (1.0 - pixel.a) * shade);
      }
    }
    pixel *= opacityOf(label);
  }
  // The number of texture reads doesn't depend on how many objects are selected.
  if (selectedWidth > 0) {
    bool selected = selectedAt(position);
    for (int reach = 1; reach <= selectedWidth; reach++) {
      if (!(selected ? isOtherAt(position, reach, label) : selectedNear(position, reach))) continue;
      pixel = vec4(vec3(selected ? 1.0 : 0.0), 1.0);
      break;
    }
  }
  for (int i = 0; i < 2; i++) {
    if (marked[i] == 0u) continue;
    if (any(lessThan(position, markBox[i].xy)) || any(greaterThanEqual(position, markBox[i].zw))) continue;
    bool inside = label == marked[i];
    for (int reach = 1; reach <= markWidth[i].y; reach++) {
      if (!borderOf(position, reach, marked[i], inside)) continue;
      pixel = vec4(reach <= markWidth[i].x ? markColor[i] : vec3(haloOf(markColor[i])), 1.0);
      break;
    }
  }
  color = pixel;
}`;
