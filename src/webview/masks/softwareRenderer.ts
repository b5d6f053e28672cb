const SOFTWARE = /swiftshader|llvmpipe|softpipe|software|basic render|\bwarp\b/i;

/** Whether a WebGL context whose renderer has this name is drawn by the processor. */
export function isSoftwareRenderer(name: string): boolean {
  return SOFTWARE.test(name);
}
