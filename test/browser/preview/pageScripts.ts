import { build } from 'esbuild';
import { mkdir, readdir, readFile, writeFile } from 'node:fs/promises';
import { basename, join } from 'node:path';
import { otherSource } from '../../../scripts/bundleTests.mjs';
import { pageBundles } from '../../../scripts/pageBundles.mjs';

export type PageName = 'table' | 'masks' | 'comparison';

const allPages: readonly PageName[] = ['table', 'masks', 'comparison'];

/**
 * Scripts of our pages and of their fake panels, by file name: those that a runner has bundled,
 * else bundled now.
 */
export async function pageScripts(names: readonly PageName[]): Promise<ReadonlyMap<string, string>> {
  const folder = process.env['IA_PAGES'];
  if (folder === undefined) return await bundleScripts(names);
  const files = await readdir(folder);
  return new Map(
    await Promise.all(files.map(async name => [name, await readFile(join(folder, name), 'utf8')] as const)),
  );
}

/** Bundles all of them into a new folder, once for many processes. */
export async function writePageScripts(folder: string): Promise<void> {
  await mkdir(folder, { recursive: true });
  for (const [name, text] of await bundleScripts(allPages)) await writeFile(join(folder, name), text);
}

async function bundleScripts(names: readonly PageName[]): Promise<Map<string, string>> {
  const panels = {
    entryPoints: { panels: 'test/browser/preview/fakePanels.ts' },
    outdir: 'out/pages',
    bundle: true,
    write: false,
    platform: 'browser',
    format: 'iife',
    target: 'chrome128',
    loader: { '.css': 'text' },
    logLevel: 'warning',
  } as const;
  const scripts = new Map<string, string>();
  const other = otherSource();
  for (const each of [panels, ...pageBundles('out/pages', names, { write: false, logLevel: 'warning' })]) {
    const options = {
      ...each,
      ...other,
      plugins: [...('plugins' in each ? (each.plugins ?? []) : []), ...(other.plugins ?? [])],
    };
    for (const { path, text } of (await build(options)).outputFiles ?? []) scripts.set(basename(path), text);
  }
  return scripts;
}
