import { spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { writeFile } from 'node:fs/promises';
import * as path from 'node:path';
import { watchCost, type ProcessCost } from './processCost';

export interface CurlCost extends ProcessCost {
  milliseconds: number;
}

/** The version of the curl on this machine; undefined if there is none. */
export function curlVersion(): string | undefined {
  const { stdout, status } = spawnSync('curl', ['--version'], { encoding: 'utf8' });
  return status === 0 ? /^curl (\S+)/.exec(stdout)?.[1] : undefined;
}

/**
 * Writes a file of options that has one curl process post each file as a form of its own, with the fields that the
 * extension sends.
 */
export async function writeCurlOptions(optionsFile: string, url: string, files: string[]): Promise<void> {
  const requests = files.map(file =>
    [
      `url = "${url}"`,
      `form-string = "fileName=${path.basename(file)}"`,
      'form-string = "destinationFolder=bench"',
      `form = "upload=@${file};type=application/octet-stream"`,
      'header = "X-API-KEY: bench-key"',
      'output = "/dev/null"',
      'silent',
      'fail',
    ].join('\n'),
  );
  await writeFile(optionsFile, requests.join('\nnext\n'));
}

/** Runs curl with a file of options; the clock runs from its start to its end. */
export async function runCurl(optionsFile: string, concurrency: number): Promise<CurlCost> {
  const parallel = concurrency > 1 ? ['--parallel', '--parallel-max', String(concurrency)] : [];
  const start = performance.now();
  const child = spawn('curl', [...parallel, '--no-progress-meter', '--config', optionsFile], {
    stdio: ['ignore', 'ignore', 'inherit'],
  });
  const watch = watchCost(child.pid ?? 0);
  const [code] = (await once(child, 'exit')) as [number | null];
  const milliseconds = performance.now() - start;
  const cost = watch.stop();
  if (code !== 0) throw new Error(`curl ended with ${code}`);
  return { milliseconds, ...cost };
}
