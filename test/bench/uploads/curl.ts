import { spawnSync } from 'node:child_process';
import { writeFile } from 'node:fs/promises';
import * as path from 'node:path';
import { runProgram } from '../measured/programs';
import type { Cost } from '../measured/rounds';

/** The version of the curl on this machine; undefined if there is none. */
export function curlVersion(): string | undefined {
  const { stdout, status } = spawnSync('curl', ['--version'], { encoding: 'utf8' });
  return status === 0 ? /^curl (\S+)/.exec(stdout)?.[1] : undefined;
}

/**
 * Writes a file of options that has one curl process post each file as a form of its own, with the
 * fields that the extension sends.
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
export function runCurl(optionsFile: string, concurrency: number): Promise<Cost> {
  const parallel = concurrency > 1 ? ['--parallel', '--parallel-max', String(concurrency)] : [];
  return runProgram('curl', [...parallel, '--no-progress-meter', '--config', optionsFile]);
}
