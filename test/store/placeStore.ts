import { isUtf8 } from 'node:buffer';
import { createHash } from 'node:crypto';
import { existsSync } from 'node:fs';
import { mkdir, readdir, readFile, rm, utimes, writeFile } from 'node:fs/promises';
import { dirname, join, resolve, sep } from 'node:path';
import { pathToFileURL } from 'node:url';
import { readSystemId } from '../../src/base/node/thisProcess';

/*
 * A whole store as a version of the extension left it on a disk (test/store/recorded), and its way
 * to another disk. What is replaced on the way is all that depends on the machine; what is stored,
 * and how, stays as it was written.
 */

/** Where scripts/recordStore.mjs puts the store, from the project's root. */
export const RECORDED = 'test/store/recorded';

/** Whose the store is; a stand-in for a key. */
export const USER = 'recorded-user';
export const KEY = 'key-of-the-recorded-store';

/** What a store says of where it is. */
export interface StorePlace {
  /** The folder with all that the extension stores. */
  storage: string;
  /** The folder that is open in the editor. */
  workspace: string;
  /** Of the sample service. */
  port: number;
}

/** What the editor stores for the extension. */
export interface EditorStore {
  secrets: Record<string, string>;
  globalState: Record<string, unknown>;
  /** The panels that are open, with what their pages saved. */
  views: { viewType: string; title: string; state: unknown }[];
}

/** The accounts of a store that is at a port: both of one user, at two addresses of one service. */
export function accountsAt(port: number): { sample: string; other: string } {
  return { sample: idOf(`http://127.0.0.1:${port}`), other: idOf(`http://localhost:${port}`) };
}

/** As src/accounts/node/accounts.ts has it: another ID would be another account. */
function idOf(baseUrl: string): string {
  return createHash('sha256').update(`${baseUrl}\n${USER}`).digest('hex').slice(0, 16);
}

/**
 * Copies the recorded store to a place, as if it had been written there long ago by a window that
 * is gone.
 */
export async function placeStore(place: StorePlace): Promise<EditorStore> {
  const replace = replacing(recordedTexts, await textsOf(place));
  const long = new Date('2020-01-01T00:00:00Z');
  for (const folder of ['storage', 'workspace'] as const)
    for (const file of await copyFiles(resolve(RECORDED, folder), place[folder], replace))
      await utimes(file, long, long);
  return JSON.parse(replace(await readFile(join(RECORDED, 'editor.json'), 'utf8'))) as EditorStore;
}

/** Writes a store that was made at a place where the recorded one is, in place of that. */
export async function recordStore(place: StorePlace, editor: EditorStore): Promise<void> {
  const replace = replacing(await textsOf(place), recordedTexts);
  await rm(RECORDED, { recursive: true, force: true });
  for (const folder of ['storage', 'workspace'] as const)
    await copyFiles(place[folder], resolve(RECORDED, folder), replace);
  await writeFile(join(RECORDED, 'editor.json'), `${replace(JSON.stringify(editor, undefined, 2))}\n`);
}

type Replace = (text: string) => string;

/** What depends on the place, in an order in which no text is part of a later one. */
type Texts = readonly string[];

const recordedTexts: Texts = textsAt({
  port: 65_001,
  workspace: 'file:///recorded/workspace',
  host: 'recorded-machine',
  boot: 'recorded-start',
});

async function textsOf({ workspace, port }: StorePlace): Promise<Texts> {
  const { host, boot } = await readSystemId();
  return textsAt({ port, workspace: pathToFileURL(workspace).href, host, boot: boot ?? '' });
}

function textsAt({
  port,
  workspace,
  host,
  boot,
}: Record<'workspace' | 'host' | 'boot', string> & { port: number }): Texts {
  const { sample, other } = accountsAt(port);
  const system = [`"host":${JSON.stringify(host)}`, `"boot":${JSON.stringify(boot)}`];
  return [sample, other, `127.0.0.1:${port}`, `localhost:${port}`, `"port": ${port}`, workspace, ...system];
}

function replacing(from: Texts, to: Texts): Replace {
  return text => from.reduce((replaced, one, at) => replaced.replaceAll(one, to[at] ?? one), text);
}

/** Copies what is text with its place replaced, in names too; returns the copies. */
async function copyFiles(from: string, to: string, replace: Replace): Promise<string[]> {
  const copies: string[] = [];
  if (!existsSync(from)) return copies;
  for (const entry of await readdir(from, { recursive: true, withFileTypes: true })) {
    if (!entry.isFile()) continue;
    const source = join(entry.parentPath, entry.name);
    const copy = join(to, replace(source.slice(from.length + 1).replaceAll(sep, '/')));
    const bytes = await readFile(source);
    await mkdir(dirname(copy), { recursive: true });
    await writeFile(copy, isUtf8(bytes) ? replace(bytes.toString('utf8')) : bytes, { mode: 0o600 });
    copies.push(copy);
  }
  return copies;
}
