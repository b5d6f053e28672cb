// Lets esbuild split a bundle for Node.js into what is loaded at once and what `import()` loads later. It splits only
// ES modules, which cost the extension host more to load than CommonJS: so each part is translated afterwards.
import { mkdir, rm, writeFile } from 'node:fs/promises';
import { basename, dirname } from 'node:path';
import { transform } from 'esbuild';

/** Options of a build whose parts `splitCommonJs` translates. Parts that entry points share go to `folder`. */
export function splitOptions(folder, { sourcemap, ...options }) {
  return {
    ...options,
    format: 'esm',
    splitting: true,
    chunkNames: `${folder}/[name]-[hash]`,
    sourcemap: sourcemap ? 'inline' : false,
    write: false,
    plugins: [splitCommonJs(folder, { ...options, sourcemap })],
  };
}

function splitCommonJs(folder, { outdir, minify, sourcemap, target, platform }) {
  return {
    name: 'split-common-js',
    setup({ onEnd }) {
      onEnd(async ({ outputFiles = [], errors }) => {
        if (errors.length > 0) return;
        // With every change of a watched build some parts get other names.
        await rm(`${outdir}/${folder}`, { recursive: true, force: true });
        await mkdir(`${outdir}/${folder}`, { recursive: true });
        for (const { path, text } of outputFiles) {
          const { code } = await transform(text, {
            format: 'cjs',
            platform,
            target,
            minify,
            sourcemap: sourcemap ? 'inline' : false,
            sourcefile: basename(path),
            // The extension host's own `require` knows "vscode"; its `import` finds no CommonJS exports.
            supported: { 'dynamic-import': false },
          });
          await mkdir(dirname(path), { recursive: true });
          await writeFile(path, code);
        }
      });
    },
  };
}
