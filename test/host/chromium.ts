import { spawn, spawnSync } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';
import { writeFile } from 'node:fs/promises';
import { delimiter, join } from 'node:path';
import { chromium, type Browser, type LaunchOptions } from 'playwright-core';
import { WAIT_MS } from '../../scripts/patience.mjs';
import { installOnce } from './cacheFolder';
import { UnavailableError } from './unavailable';

const flags = [
  '--no-sandbox',
  '--disable-gpu',
  '--disable-quic',
  '--no-first-run',
  '--disable-background-networking',
  '--disable-component-update',
  '--disable-sync',
];

const packageName = '@sparticuz/chromium';

/** A browser on this machine. */
export interface Executable {
  path: string;
  /** Extra environment, where the browser comes with its own libraries. */
  environment?: Record<string, string>;
}

/**
 * The machine's own Chromium, else the one of the npm package, unpacked into the cache. Throws
 * UnavailableError.
 */
export async function findChromium(): Promise<Executable> {
  return findInstalled() ?? (await unpackPackaged());
}

/** Starts a headless Chromium without sandbox: it only shows our own server. */
export async function launchChromium({
  args = [],
  ...more
}: Pick<LaunchOptions, 'ignoreDefaultArgs' | 'args'> = {}): Promise<Browser> {
  const executable = await findChromium();
  return await chromium.launch({
    ...more,
    timeout: WAIT_MS,
    executablePath: executable.path,
    args: [...flags, ...args],
    env: { ...process.env, ...executable.environment },
  });
}

function findInstalled(): Executable | undefined {
  const named = process.env['IMAGE_ANALYSIS_CHROMIUM'];
  if (named) return { path: named };
  const names = ['chromium', 'google-chrome', 'google-chrome-stable', 'chromium-browser', 'microsoft-edge'];
  const onPath = (process.env['PATH'] ?? '')
    .split(delimiter)
    .flatMap(folder => names.map(name => join(folder, name)));
  const elsewhere = [
    '/Applications/Google Chrome.app/Contents/MacOS/Google Chrome',
    '/Applications/Chromium.app/Contents/MacOS/Chromium',
    'C:\\Program Files\\Google\\Chrome\\Application\\chrome.exe',
    'C:\\Program Files (x86)\\Microsoft\\Edge\\Application\\msedge.exe',
  ];
  const found = [...onPath, ...elsewhere].find(path => existsSync(path));
  return found === undefined ? undefined : { path: found };
}

async function unpackPackaged(): Promise<Executable> {
  const remedy =
    'install Chromium or Google Chrome (on Debian: `sudo apt-get install chromium`), or name one in IMAGE_ANALYSIS_CHROMIUM.';
  if (process.platform !== 'linux' || process.arch !== 'x64') {
    throw new UnavailableError(`No browser was found: ${remedy}`);
  }
  const { version } = JSON.parse(readFileSync(`node_modules/${packageName}/package.json`, 'utf8')) as {
    version: string;
  };
  const folder = await installOnce(`chromium-${version}-with-fonts`, unpack);
  const path = join(folder, 'chromium');
  // Without a font text has no size, and nothing can be seen or clicked.
  const fonts: Record<string, string> = existsSync('/etc/fonts')
    ? {}
    : { FONTCONFIG_FILE: await fontSettings(folder) };
  const libraries = [join(folder, 'al2023', 'lib'), process.env['LD_LIBRARY_PATH']]
    .filter(Boolean)
    .join(delimiter);
  const bare: Executable = { path, environment: fonts };
  const withLibraries: Executable = { path, environment: { ...fonts, LD_LIBRARY_PATH: libraries } };
  const working = [bare, withLibraries].find(starts);
  if (working) return working;
  throw new UnavailableError(`The packaged browser does not start on this machine: ${remedy}`);
}

/** The package's own settings look for its fonts where another platform has them. */
async function fontSettings(folder: string): Promise<string> {
  const file = join(folder, 'fonts.conf');
  const settings = [
    '<?xml version="1.0"?>',
    '<!DOCTYPE fontconfig SYSTEM "fonts.dtd">',
    `<fontconfig><dir>${join(folder, 'fonts')}</dir><cachedir>${join(folder, 'fonts-cache')}</cachedir></fontconfig>`,
  ];
  await writeFile(file, settings.join('\n'));
  return file;
}

function starts({ path, environment }: Executable): boolean {
  return (
    spawnSync(path, ['--version'], { env: { ...process.env, ...environment }, timeout: WAIT_MS }).status === 0
  );
}

/**
 * The package unpacks into the temporary folder of its process, so that process gets our folder as
 * its own.
 */
async function unpack(folder: string): Promise<void> {
  console.log('Unpacking the packaged Chromium into the cache (once)…');
  const script = `import('${packageName}').then(({ default: chromium }) => chromium.executablePath())`;
  const child = spawn(process.execPath, ['-e', script], {
    // The second name makes the package unpack the shared libraries that a minimal machine lacks.
    env: { ...process.env, TMPDIR: folder, AWS_EXECUTION_ENV: 'AWS_Lambda_nodejs22.x' },
    stdio: ['ignore', 'ignore', 'inherit'],
  });
  const code = await new Promise<number | null>((resolve, reject) => {
    child.on('error', reject);
    child.on('close', resolve);
  });
  if (code !== 0 || !existsSync(join(folder, 'chromium'))) {
    throw new UnavailableError(
      'The packaged Chromium could not be unpacked: install Chromium or Google Chrome instead.',
    );
  }
}
