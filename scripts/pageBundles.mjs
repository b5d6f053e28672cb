// Options of the builds of the pages. That of the table page makes two scripts: what shows the
// first cells, and the parts that are loaded afterwards.
import { readFile, rm, writeFile } from 'node:fs/promises';
import { basename, dirname, join, relative, resolve, sep } from 'node:path';
import { collectStrings } from './l10nStrings.mjs';

const page = 'src/workbench/page/tablePage.ts';
const parts = 'src/workbench/page/tableLaterParts.ts';
/**
 * What both scripts of the table page share is the whole page without these parts: nothing is left
 * for its entry.
 */
const EMPTY_ENTRY = 'tableEntry';

/** The builds of some pages into `outdir`; further `options` are those of all. */
export function pageBundles(outdir, names, options) {
  const shared = {
    ...options,
    bundle: true,
    platform: 'browser',
    target: 'chrome128',
    loader: { '.wasm': 'binary', '.css': 'text' },
    tsconfig: 'src/tsconfig.json',
    outdir,
  };
  const others = names.filter(name => name !== 'table');
  const bundles = [];
  if (others.length > 0)
    bundles.push({
      ...shared,
      format: 'iife',
      entryPoints: Object.fromEntries(others.map(name => [name, `src/${name}/page/main.ts`])),
      plugins: [messageLists(outdir, name => name)],
    });
  if (names.includes('table'))
    bundles.push({
      ...shared,
      format: 'esm',
      splitting: true,
      entryPoints: { [EMPTY_ENTRY]: `page:${page}`, tableParts: `later:${parts}` },
      chunkNames: 'table',
      plugins: [laterParts(outdir), messageLists(outdir, () => 'table')],
    });
  return bundles;
}

/**
 * Makes the script of the parts import the page, which it then finds loaded. So esbuild puts all of
 * the page into one script, the chunk, and not what parts don't use into another one, which would
 * be one more request before the first cells.
 */
function laterParts(outdir) {
  return {
    name: 'later-parts',
    setup({ onResolve, onLoad, onEnd }) {
      // Not as a file of this package, of which nothing would be imported: its files have no side
      // effects.
      onResolve({ filter: /^page:/ }, ({ path }) => ({ path: path.slice(5), namespace: 'page' }));
      onLoad({ filter: /./, namespace: 'page' }, async ({ path }) => ({
        contents: await readFile(path, 'utf8'),
        loader: 'ts',
        resolveDir: dirname(path),
        watchFiles: [resolve(path)],
      }));
      onResolve({ filter: /^later:/ }, ({ path }) => ({ path: path.slice(6), namespace: 'later' }));
      onLoad({ filter: /./, namespace: 'later' }, ({ path }) => ({
        contents: `import 'page:${page}';\nexport * from './${path}';`,
        resolveDir: '.',
      }));
      onEnd(async ({ outputFiles }) => {
        if (outputFiles) return;
        for (const end of ['.js', '.js.map']) await rm(join(outdir, EMPTY_ENTRY + end), { force: true });
      });
    },
  };
}

/**
 * Writes beside the scripts of each page which messages they show, by the keys of translators'
 * files: the panel sends the page only their translations.
 */
function messageLists(outdir, pageOf) {
  return {
    name: 'message-lists',
    setup({ onEnd, initialOptions }) {
      initialOptions.metafile = true;
      onEnd(async ({ metafile, outputFiles }) => {
        if (outputFiles || !metafile) return;
        for (const [page, files] of filesOfPages(metafile, pageOf)) {
          const keys = Object.keys(collectStrings('.', [...files]).bundle);
          await writeFile(join(outdir, `${page}.l10n.json`), JSON.stringify(keys));
        }
      });
    },
  };
}

/** The files of the project whose code each page's scripts have. */
function filesOfPages({ outputs }, pageOf) {
  const pages = new Map();
  for (const [path, { inputs }] of Object.entries(outputs)) {
    if (!path.endsWith('.js')) continue;
    const page = pageOf(basename(path, '.js'));
    const files = pages.get(page) ?? new Set();
    pages.set(page, files);
    for (const input of Object.keys(inputs)) {
      // The page of tables is read by a plugin, whose name is before the path.
      const file = relative('.', input.replace(/^\w+:/, '')).split(sep).join('/');
      if (/^src\/.*\.tsx?$/.test(file)) files.add(file);
    }
  }
  return pages;
}
