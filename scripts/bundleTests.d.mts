export function bundleTests(options: {
  entryPoints: string[];
  outbase: string;
  outdir: string;
  format: 'cjs' | 'esm';
}): Promise<void>;
export function bundleProgram(file: string): Promise<string>;
