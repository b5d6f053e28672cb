import * as assert from 'node:assert/strict';
import { mkdtemp, rm, stat } from 'node:fs/promises';
import { createRequire, isBuiltin } from 'node:module';
import { join } from 'node:path';
import { build } from 'esbuild';
import { splitOptions } from '../../../scripts/splitCommonJs.mjs';

/** Bytes of JavaScript that VS Code compiles while the extension activates. */
const MAX_BYTES = 265_000;

interface Loader {
  _load(this: void, request: string, ...rest: unknown[]): unknown;
}

/** What the entry requires, in a host whose "vscode" has classes to extend and nothing that works. */
function requestsOf(entry: string): string[] {
  const require = createRequire(join(process.cwd(), 'package.json'));
  const loader = require('node:module') as Loader;
  const { _load: load } = loader;
  const requests: string[] = [];
  const vscode = new Proxy<Record<string, unknown>>({}, { get: () => class {} });
  loader._load = (request, ...rest) => {
    requests.push(request);
    return request === 'vscode' ? vscode : load(request, ...rest);
  };
  try {
    const { activate } = require(entry) as { activate: unknown };
    assert.equal(typeof activate, 'function');
  } finally {
    loader._load = load;
  }
  return requests;
}

describe('What activation loads', () => {
  let outdir = '';
  let requests: string[] = [];
  const entry = () => join(outdir, 'extension.js');
  before(async () => {
    outdir = await mkdtemp(join(process.cwd(), 'out', 'entry-'));
    await build(
      splitOptions('extension', {
        entryPoints: { extension: 'src/extension.ts' },
        outdir,
        metafile: true,
        bundle: true,
        minify: true,
        platform: 'node',
        target: 'node22',
        external: ['vscode'],
        logLevel: 'silent',
      }),
    );
    requests = requestsOf(entry());
  });
  after(() => rm(outdir, { recursive: true }));

  it('is one small file', async () => {
    const { size } = await stat(entry());
    assert.ok(size > 10_000 && size < MAX_BYTES, `${size} bytes`);
    assert.deepEqual(
      requests.filter(request => request !== 'vscode' && !isBuiltin(request)),
      [entry()],
    );
  });

  it('requires each module once, since the extension host spends long on each call', () => {
    assert.ok(requests.includes('vscode'));
    assert.deepEqual(requests, [...new Set(requests)]);
  });
});
