import type { BuildOptions } from 'esbuild';

export function bundleTests(options: {
  entryPoints: string[];
  outbase: string;
  outdir: string;
  format: 'cjs' | 'esm';
}): Promise<void>;
export function bundleProgram(file: string): Promise<string>;
export const SOURCE_VARIABLE: string;
export function otherSource(root?: string): Pick<BuildOptions, 'nodePaths' | 'plugins'>;
export const PACKAGE_VARIABLE: string;
