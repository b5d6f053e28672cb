import * as assert from 'node:assert/strict';
import { basename } from 'node:path';
import { build } from 'esbuild';
import { pageBundles } from '../../../scripts/pageBundles.mjs';

/**
 * Bytes of the script that the first cells of a table wait for with its words, two thirds of them
 * the grid.
 */
const MAX_BYTES = 1_045_000;

describe('The scripts of the table page', () => {
  /** By name, their sizes in bytes and what they import. */
  const scripts = new Map<string, { bytes: number; imports: string[] }>();

  before(async () => {
    const options = { minify: true, metafile: true, write: false, logLevel: 'silent' } as const;
    const bundles = pageBundles('out/pages', ['table'], options);
    for (const { metafile } of await Promise.all(bundles.map(each => build(each))))
      for (const [path, { bytes, imports }] of Object.entries(metafile?.outputs ?? {}))
        scripts.set(basename(path), {
          bytes,
          imports: imports.map(({ path: imported }) => basename(imported)),
        });
  });

  it('are the page, and all that it loads later, which requests nothing but the page', () => {
    const imports = Object.fromEntries([...scripts].map(([name, script]) => [name, script.imports]));
    assert.deepEqual(imports, {
      'table.js': [],
      'tableParts.js': ['table.js'],
      // It isn't delivered: all of the page is in the script that is.
      'tableEntry.js': ['table.js'],
    });
    assert.ok((scripts.get('tableEntry.js')?.bytes ?? Infinity) < 100);
  });

  it('show the first cells with as little as they need', () => {
    const { bytes = 0 } = scripts.get('table.js') ?? {};
    assert.ok(bytes > 100_000 && bytes < MAX_BYTES, `${bytes} bytes`);
  });
});
