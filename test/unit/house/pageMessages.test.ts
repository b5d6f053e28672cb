import { ok } from 'node:assert/strict';
import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { build } from 'esbuild';
import { pageBundles } from '../../../scripts/pageBundles.mjs';

describe('The list of what a page says', () => {
  it('has the messages of its own code, and none of another page', async () => {
    const folder = await mkdtemp('out/messages-');
    try {
      await Promise.all(
        pageBundles(folder, ['table', 'comparison'], { logLevel: 'silent' }).map(each => build(each)),
      );
      const keysOf = async (page: string) =>
        JSON.parse(await readFile(join(folder, `${page}.l10n.json`), 'utf8')) as string[];
      const [table, comparison] = [await keysOf('table'), await keysOf('comparison')];
      for (const key of ['Cell copied', '1 row copied', '{0} rows copied']) {
        ok(table.includes(key), key);
        ok(!comparison.includes(key), key);
      }
    } finally {
      await rm(folder, { recursive: true });
    }
  });
});
