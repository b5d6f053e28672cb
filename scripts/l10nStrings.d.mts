export const bundlePath: string;
export const reasonsPath: string;
export function bundleText(bundle: Record<string, unknown>): string;
export interface CollectedStrings {
  bundle: Record<string, unknown>;
  reasons: Record<string, string>;
  computed: string[];
  unfilled: string[];
}
export function collectStrings(root?: string, files?: readonly string[]): CollectedStrings;
