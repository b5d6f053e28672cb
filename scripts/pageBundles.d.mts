import type { BuildOptions } from 'esbuild';

export function pageBundles(outdir: string, names: readonly string[], options: BuildOptions): BuildOptions[];
