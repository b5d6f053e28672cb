export const bundlePath: string;
export function bundleText(bundle: Record<string, unknown>): string;
export function collectStrings(root?: string): { bundle: Record<string, unknown>; computed: string[] };
