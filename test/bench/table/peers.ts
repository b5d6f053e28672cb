import { spawnSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { existsSync, readFileSync } from 'node:fs';
import { copyFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { join } from 'node:path';
import { cacheFolder, installOnce } from '../../host/cacheFolder';

/** The name of the peers' folder in the cache. */
function peersName(): string {
  const wanted = readFileSync('test/bench/package.json');
  return `bench-peers-${createHash('sha256').update(wanted).digest('hex').slice(0, 12)}`;
}

/** Whether a benchmark or a full run has installed them on this machine. */
export function arePeersInstalled(): boolean {
  return existsSync(join(cacheFolder(), peersName()));
}

/** Installs the peers of test/bench/package.json into the cache, once; gives their folder. */
export async function installPeers(): Promise<string> {
  return installOnce(peersName(), async folder => {
    console.log('Installing the peers…');
    await copyFile('test/bench/package.json', join(folder, 'package.json'));
    const args = ['install', '--ignore-scripts', '--no-audit', '--no-fund', '--loglevel=error'];
    const windows = process.platform === 'win32';
    const { status } = spawnSync(windows ? 'npm.cmd' : 'npm', args, {
      cwd: folder,
      stdio: ['ignore', 'ignore', 'inherit'],
      shell: windows,
    });
    if (status !== 0) throw new Error('The peers could not be installed');
  });
}

/** The part of DuckDB's interface that is used. */
export interface DuckConnection {
  run(sql: string): Promise<{ getRows(): Promise<unknown[][]> }>;
}

/** A DuckDB in memory, as it is by default: with a thread for each core. */
export async function connectDuckDb(folder: string): Promise<DuckConnection> {
  const require = createRequire(join(folder, 'package.json'));
  const { DuckDBInstance } = require('@duckdb/node-api') as {
    DuckDBInstance: { create(path: string): Promise<{ connect(): Promise<DuckConnection> }> };
  };
  return (await DuckDBInstance.create(':memory:')).connect();
}

/** uDSV's parse of a whole text into typed columns. */
export function parseWithUdsv(folder: string, text: string): unknown[][] {
  const require = createRequire(join(folder, 'package.json'));
  const { inferSchema, initParser } = require('udsv') as {
    inferSchema(text: string): unknown;
    initParser(schema: unknown): { typedCols(text: string): unknown[][] };
  };
  return initParser(inferSchema(text)).typedCols(text);
}
