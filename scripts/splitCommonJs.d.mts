import type { BuildOptions } from 'esbuild';

export function splitOptions(folder: string, options: BuildOptions): BuildOptions;
