import { spawn } from 'node:child_process';
import { createHash } from 'node:crypto';
import { existsSync } from 'node:fs';
import { cp, mkdir, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { installOnce } from './cacheFolder';
import { UnavailableError } from './unavailable';

/** A VS Code server on disk and the Node it needs. */
export interface VscodeServer {
  /** Of VS Code itself. */
  version: string;
  node: string;
  main: string;
}

interface Edition {
  vscode: string;
  codeServer: string;
  /** Another Node than the one that runs this, where the server's native modules need it. */
  node?: string;
  /** The ripgrep that it searches files with, where an install script would download it. */
  ripgrep?: string;
}

const editions = {
  current: { vscode: '1.139.1', codeServer: '4.139.1' },
  /** The oldest VS Code the manifest allows. */
  oldest: { vscode: '1.110.0', codeServer: '4.110.0', node: '22', ripgrep: '1.18.0' },
} satisfies Record<string, Edition>;

export type EditionName = keyof typeof editions;

/**
 * The VS Codes to test in: the current one, with IA_FULL=1 both; with IA_TEST_EDITION=oldest only
 * that.
 */
export function testedEditions(): readonly EditionName[] {
  if (process.env['IA_FULL'] === '1') return ['current', 'oldest'];
  return [process.env['IA_TEST_EDITION'] === 'oldest' ? 'oldest' : 'current'];
}

export function vscodeVersion(name: EditionName): string {
  return editions[name].vscode;
}

/** The VS Code server of npm's code-server, installed into the cache at the first call. */
export async function ensureVscodeServer(editionName: EditionName = 'current'): Promise<VscodeServer> {
  const edition: Edition = editions[editionName];
  const more = [
    ...(edition.ripgrep ? ['with-ripgrep'] : []),
    ...(process.platform === 'win32' ? ['without-registry'] : []),
  ];
  const name = [`code-server-${edition.codeServer}`, ...more].join('-');
  const folder = await installOnce(name, partial => install(edition, partial));
  const bundledNode = join(folder, 'node_modules', nodePackage(), 'bin', executable('node'));
  return {
    version: edition.vscode,
    node: edition.node ? bundledNode : process.execPath,
    main: join(folder, 'node_modules', 'code-server', 'lib', 'vscode', 'out', 'server-main.js'),
  };
}

/**
 * Those built-in extensions that have a part in what tests do: themes, icons, settings, and the
 * viewer of images beside ours.
 */
const NEEDED = [
  'configuration-editing',
  'json',
  'media-preview',
  'theme-defaults',
  'theme-modern-icons',
  'theme-seti',
] as const;

/**
 * A folder with no other built-in extensions than tests need: the others, of languages, Git,
 * debuggers and a chat, are a sixth of what a window costs a processor.
 */
export async function neededExtensions(editionName: EditionName = 'current'): Promise<string> {
  const { main } = await ensureVscodeServer(editionName);
  const all = join(dirname(dirname(main)), 'extensions');
  const list = createHash('sha256').update(NEEDED.join()).digest('hex').slice(0, 8);
  return await installOnce(`built-in-${vscodeVersion(editionName)}-${list}`, async folder => {
    for (const name of NEEDED) {
      // Not each has been there from the oldest on.
      if (existsSync(join(all, name))) await cp(join(all, name), join(folder, name), { recursive: true });
    }
  });
}

async function install(edition: Edition, folder: string): Promise<void> {
  console.log(
    `Installing the VS Code ${edition.vscode} server into the cache (once; some minutes without a warm npm cache)…`,
  );
  await writeFile(join(folder, 'package.json'), JSON.stringify({ private: true }));
  const packages = [`code-server@${edition.codeServer}`];
  if (edition.node) packages.push(`${nodePackage()}@${edition.node}`);
  if (edition.ripgrep) packages.push(`@vscode/ripgrep-universal@${edition.ripgrep}`);
  await npmInstall(folder, packages);
  const server = join(folder, 'node_modules', 'code-server', 'lib', 'vscode');
  await npmInstall(server, ['--omit=dev']);
  if (edition.ripgrep) await placeRipgrep(folder, server);
  if (process.platform === 'win32') await leaveOutRegistry(server);
}

/**
 * Has a server on Windows find nothing in the registry, where it looks for a machine's ID and
 * version: the package that reads it is an addon that only an install script builds, and without it
 * the server ends at the first request.
 */
export async function leaveOutRegistry(server: string): Promise<void> {
  const module = join(server, 'node_modules', '@vscode', 'windows-registry', 'dist', 'index.js');
  const names = ['GetStringRegKey', 'GetDWORDRegKey'];
  // One by one, as Node.js reads the names of exports in the text.
  await writeFile(module, names.map(name => `exports.${name} = () => undefined;\n`).join(''));
}

/** Puts the program where the server's own package, which comes without it, looks for it. */
async function placeRipgrep(folder: string, server: string): Promise<void> {
  const universal = join(folder, 'node_modules', '@vscode', 'ripgrep-universal', 'bin');
  const place = join(server, 'node_modules', '@vscode', 'ripgrep', 'bin');
  await mkdir(place, { recursive: true });
  await cp(
    join(universal, `${process.platform}-${process.arch}`, executable('rg')),
    join(place, executable('rg')),
  );
}

function nodePackage(): string {
  const name = process.platform === 'win32' ? 'win' : process.platform;
  return `node-${name}-${process.arch}`;
}

function executable(name: string): string {
  return process.platform === 'win32' ? `${name}.exe` : name;
}

/** `npm install` without install scripts, quiet; its output becomes part of the error. */
async function npmInstall(folder: string, args: string[]): Promise<void> {
  const all = ['install', ...args, '--ignore-scripts', '--no-audit', '--no-fund', '--loglevel=error'];
  const cli = process.env['npm_execpath'];
  const useCli = cli !== undefined && /npm-cli\.c?js$/.test(cli) && existsSync(cli);
  const windows = process.platform === 'win32';
  const child = useCli
    ? spawn(process.execPath, [cli, ...all], {
        cwd: folder,
        env: outsideOfNpm(),
        stdio: ['ignore', 'ignore', 'pipe'],
      })
    : spawn(windows ? 'npm.cmd' : 'npm', all, {
        cwd: folder,
        env: outsideOfNpm(),
        stdio: ['ignore', 'ignore', 'pipe'],
        shell: windows,
      });
  let complaints = '';
  child.stderr.on('data', (chunk: Buffer) => (complaints = (complaints + chunk.toString()).slice(-2000)));
  const code = await new Promise<number | null>((resolve, reject) => {
    child.on('error', reject);
    child.on('close', resolve);
  });
  if (code === 0) return;
  const reason = complaints.trim().split('\n').at(0) ?? `npm ended with ${String(code)}`;
  throw new UnavailableError(
    `The VS Code server could not be installed from the npm registry (${reason}): check that the registry is within reach, then run this again.`,
  );
}

/** The environment without the variables of an enclosing npm run. */
function outsideOfNpm(): NodeJS.ProcessEnv {
  const foreign =
    /^(npm_package_|npm_lifecycle_|npm_config_(local_prefix|prefix|global_prefix)$|npm_command$|INIT_CWD$)/i;
  return Object.fromEntries(Object.entries(process.env).filter(([name]) => !foreign.test(name)));
}
