import { request } from 'node:http';
import { resolve } from 'node:path';
import { parseArgs } from 'node:util';
import { toPlainError } from '../../base/errors';
import type { Log } from '../../base/log';
import { startSampleService } from './sampleService';
import type { ServiceRecord } from './serviceRecord';
import { checkMilliseconds, type ServiceSettings } from './jobRunner';
import { type ImageSet, writeImages } from './images/writeImages';

const USAGE = `Usage:
  node sample.js serve --data DIR [--delay-ms N]   serves the sample of an image analysis service on 127.0.0.1
      [--without-windows-ms N]                     until no window of the editor was connected to it for N ms
  node sample.js images --out DIR [--study]        writes the sample images that DIR does not have yet,
                                                   or those of a study, in folders by condition
`;

interface ServeOptions {
  directory: string;
  delayMs: number | undefined;
  withoutWindowsMs: number | undefined;
}

/** A parsed command line; `usage` when it isn't valid. */
type Command =
  | ({ kind: 'serve' } & ServeOptions)
  | { kind: 'images'; directory: string; set: ImageSet }
  | { kind: 'usage'; reason: string };

/** Runs `serve` or `images`; exit code 1 for a failure, 2 for wrong arguments. */
export async function runCommandLine(args: string[], bundle: string): Promise<void> {
  // The parent process may have closed its end of the streams; the service continues.
  for (const stream of [process.stdout, process.stderr]) stream.on('error', () => undefined);
  const command = readCommand(args);
  try {
    if (command.kind === 'serve') await serve(command, bundle);
    else if (command.kind === 'images') await images(command.directory, command.set);
    else {
      process.stderr.write(`${command.reason}\n${USAGE}`);
      process.exitCode = 2;
    }
  } catch (error) {
    errorLog.error('The sample service could not do this', error);
    process.exitCode = 1;
  }
}

function readCommand(args: string[]): Command {
  try {
    const { values, positionals } = parseArgs({
      args,
      allowPositionals: true,
      options: {
        data: { type: 'string' },
        'delay-ms': { type: 'string' },
        'without-windows-ms': { type: 'string' },
        out: { type: 'string' },
        study: { type: 'boolean' },
        plate: { type: 'boolean' },
      },
    });
    const { data, out, study, plate } = values;
    if (positionals.length === 1 && positionals[0] === 'serve' && data) {
      const delayMs = readMilliseconds(values['delay-ms'], '--delay-ms');
      const withoutWindowsMs = readMilliseconds(values['without-windows-ms'], '--without-windows-ms');
      return { kind: 'serve', directory: resolve(data), delayMs, withoutWindowsMs };
    }
    if (positionals.length === 1 && positionals[0] === 'images' && out) {
      return { kind: 'images', directory: resolve(out), set: study ? 'study' : plate ? 'plate' : 'single' };
    }
    return { kind: 'usage', reason: 'These arguments are not valid.' };
  } catch (error) {
    return { kind: 'usage', reason: error instanceof Error ? error.message : String(error) };
  }
}

/** Reads the value of an option; throws if it isn't a valid time. */
function readMilliseconds(text: string | undefined, name: string): number | undefined {
  return text === undefined ? undefined : checkMilliseconds(text === '' ? NaN : Number(text), name);
}

async function serve({ directory, delayMs, withoutWindowsMs }: ServeOptions, bundle: string): Promise<void> {
  const service = await startSampleService({
    directory,
    threadFile: bundle,
    log: errorLog,
    ...(delayMs === undefined ? {} : { delayMs }),
    ...(withoutWindowsMs === undefined ? {} : { withoutWindowsMs }),
  });
  if (service.kind === 'running') {
    // If an editor window started the running service, it would end with the last window.
    const stays = withoutWindowsMs === undefined;
    const changes = { ...(delayMs !== undefined && { delayMs }), ...(stays && { stays }) };
    if (Object.keys(changes).length > 0) await setSettings(service.record, changes);
  } else {
    const stop = () =>
      void service.stop().catch((error: unknown) => errorLog.error('Could not end cleanly', error));
    process.once('SIGTERM', stop);
    process.once('SIGINT', stop);
  }
  process.stdout.write(`${JSON.stringify({ ready: true, baseUrl: service.record.baseUrl })}\n`);
}

async function images(directory: string, set: ImageSet): Promise<void> {
  const results = await writeImages(directory, set);
  const written = results.filter(image => image.written).length;
  process.stdout.write(`${JSON.stringify({ written, skipped: results.length - written })}\n`);
}

/** Changes settings of the running service. */
function setSettings(record: ServiceRecord, changes: Partial<ServiceSettings>): Promise<void> {
  return new Promise((done, reject) => {
    const options = { method: 'PUT', headers: { 'X-API-KEY': record.apiKey }, agent: false } as const;
    const outgoing = request(`${record.baseUrl}/sample/settings`, options, response => {
      response.resume();
      if (response.statusCode === 200) response.on('end', () => done());
      else reject(new Error(`The running service refused its settings with status ${response.statusCode}`));
    });
    outgoing.on('error', reject);
    outgoing.end(JSON.stringify(changes));
  });
}

/** Writes warnings and errors to stderr. The key and links are never logged. */
const errorLog: Log = {
  trace() {},
  info() {},
  warn: message => void process.stderr.write(`${message}\n`),
  error(message, error) {
    const reason = error instanceof Error ? (error.stack ?? error.message) : toPlainError(error).message;
    process.stderr.write(`${message}: ${reason}\n`);
  },
};
