import * as assert from 'node:assert/strict';
import { build } from 'esbuild';

/** Bytes of JavaScript that VS Code compiles while the extension activates, before minification by the packager. */
const MAX_BYTES = 260_000;

/** The parts of the extension's bundle that are loaded with its entry, as esbuild splits it. */
async function loadedAtOnce(): Promise<{ bytes: number; inputs: string[] }> {
  const { metafile } = await build({
    entryPoints: ['src/extension.ts'],
    outdir: 'dist',
    write: false,
    metafile: true,
    bundle: true,
    minify: true,
    splitting: true,
    format: 'esm',
    platform: 'node',
    external: ['vscode'],
    logLevel: 'silent',
  });
  const loaded = new Set<string>();
  const load = (name: string) => {
    if (loaded.has(name) || !metafile.outputs[name]) return;
    loaded.add(name);
    for (const { path, kind } of metafile.outputs[name].imports) if (kind === 'import-statement') load(path);
  };
  load('dist/extension.js');
  const outputs = [...loaded].flatMap(name => metafile.outputs[name] ?? []);
  return {
    bytes: outputs.reduce((sum, { bytes }) => sum + bytes, 0),
    inputs: outputs.flatMap(({ inputs }) => Object.keys(inputs)),
  };
}

describe('What activation loads', () => {
  it('is small, and has no part of the HTTP client', async () => {
    const { bytes, inputs } = await loadedAtOnce();
    assert.ok(bytes > 10_000 && bytes < MAX_BYTES, `${bytes} bytes`);
    assert.deepEqual(
      inputs.filter(input => /node_modules\/(undici|yauzl|p-limit)\//.test(input)),
      [],
    );
  });
});
