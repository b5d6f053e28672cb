import { win32, posix } from 'node:path';

/*
 * A host that somebody else has started with the package installed, such as one on Windows that
 * shares a folder with the machine of the tests:
 *   IA_HOST         the address that shows a folder in it: http://127.0.0.1:8000/?folder=/c:/shared
 *   IA_HOST_FOLDER  that folder as this machine writes it, where it differs
 *   IA_HOST_PATHS   other paths of the folder there, separated by semicolons, as on a drive that is mapped
 */

export interface HostElsewhere {
  origin: string;
  /** The folder as the address has it. */
  addressed: string;
  /** The folder on this machine. */
  folder: string;
  /** Rules of the host for paths. */
  path: typeof win32;
  /** Other paths of the folder on the host. */
  otherPaths: readonly string[];
}

/** The host that the environment names, if any. */
export function hostElsewhere(env = process.env): HostElsewhere | undefined {
  const address = env['IA_HOST'];
  if (!address) return undefined;
  const { origin, searchParams } = new URL(address);
  const addressed = searchParams.get('folder');
  if (addressed === null) throw new Error('The address in IA_HOST names no folder');
  const isWindows = /^\/[a-z]:/i.test(addressed);
  const written = isWindows ? win32.normalize(addressed.slice(1)) : addressed;
  return {
    origin,
    addressed,
    folder: env['IA_HOST_FOLDER'] ?? written,
    path: isWindows ? win32 : posix,
    otherPaths: (env['IA_HOST_PATHS'] ?? '').split(';').filter(path => path !== ''),
  };
}
