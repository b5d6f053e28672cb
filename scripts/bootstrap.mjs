// Runs one of the project's commands on a machine that has only some Node and npm: installs the
// packages where they are missing or outdated, then runs scripts/<command>.mjs under the Node.js
// that the packages include. This file runs under an old Node with nothing installed, so it imports
// nothing but Node's own modules.
import { spawn, spawnSync } from 'node:child_process';
import { existsSync, lstatSync, readFileSync } from 'node:fs';
import { constants } from 'node:os';
import { delimiter, dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';

const root = dirname(dirname(fileURLToPath(import.meta.url)));
const commands = [
  'start',
  'test',
  'build',
  'lint',
  'typecheck',
  'package',
  'bench',
  'l10n',
  'measure',
  'recordStore',
  'screenshots',
];
const oldestNode = [22, 19];

/** Exits with one sentence for the user. */
function giveUp(sentence) {
  console.error(sentence);
  process.exit(1);
}

function readJson(path) {
  return JSON.parse(readFileSync(path, 'utf8'));
}

/**
 * Whether node_modules has the packages of package-lock.json, by npm's own record of the last
 * complete install.
 */
function isInstalled() {
  const noted = join(root, 'node_modules', '.package-lock.json');
  if (!existsSync(noted)) return false;
  const wanted = readJson(join(root, 'package-lock.json')).packages;
  const present = readJson(noted).packages;
  return Object.entries(wanted).every(([path, entry]) => {
    if (path === '') return true;
    const installed = present[path];
    // Packages for other platforms are optional and not installed.
    return installed ? installed.version === entry.version : entry.optional === true || entry.peer === true;
  });
}

function runNpm(args) {
  const npm = process.env.npm_execpath;
  const options = { cwd: root, stdio: ['ignore', 'ignore', 'inherit'] };
  if (npm && /npm-cli\.c?js$/.test(npm)) return spawnSync(process.execPath, [npm, ...args], options);
  return process.platform === 'win32'
    ? spawnSync(`npm.cmd ${args.join(' ')}`, { ...options, shell: true })
    : spawnSync('npm', args, options);
}

function install() {
  // npm empties what a link leads to: the packages of another working tree.
  if (lstatSync(join(root, 'node_modules'), { throwIfNoEntry: false })?.isSymbolicLink()) {
    giveUp(
      'The packages of package-lock.json are not all installed, and node_modules is a link to those of another folder, ' +
        'which are left as they are: install them there, or remove the link, then run the same command again.',
    );
  }
  console.log('Installing the packages of package-lock.json…');
  const started = Date.now();
  // No install scripts: every package that needs a binary has it as a platform package.
  const result = runNpm(['ci', '--ignore-scripts', '--no-audit', '--no-fund', '--loglevel=error']);
  if (result.status !== 0) {
    giveUp(
      'The packages could not be installed: see what npm says above; check that the npm registry is within reach, ' +
        'then run the same command again.',
    );
  }
  console.log(`Installed in ${Math.round((Date.now() - started) / 1000)} s.`);
}

/** The Node of the platform's package, or this one where it is new enough. */
function findNode() {
  const file = process.platform === 'win32' ? 'node.exe' : 'node';
  for (const name of Object.keys(readJson(join(root, 'package.json')).optionalDependencies ?? {})) {
    const candidate = join(root, 'node_modules', name, 'bin', file);
    if (existsSync(candidate) && spawnSync(candidate, ['--version']).status === 0) return candidate;
  }
  const [major, minor] = process.versions.node.split('.').map(Number);
  if (major > oldestNode[0] || (major === oldestNode[0] && minor >= oldestNode[1])) return process.execPath;
  return giveUp(
    `Node ${process.versions.node} is too old, and no package brings a newer one to ${process.platform}-${process.arch}: ` +
      `install Node ${oldestNode.join('.')} or newer, then run the same command again.`,
  );
}

const [command, ...rest] = process.argv.slice(2);
if (!commands.includes(command))
  giveUp(`Usage: node scripts/bootstrap.mjs <${commands.join('|')}> [arguments]`);
if (!isInstalled()) install();

const node = findNode();
const path = [dirname(node), join(root, 'node_modules', '.bin'), process.env.PATH].join(delimiter);
const child = spawn(node, [join(root, 'scripts', `${command}.mjs`), ...rest], {
  cwd: root,
  stdio: 'inherit',
  env: { ...process.env, PATH: path },
});
// A terminal's Ctrl+C reaches the child too; a signal sent to this process alone must be passed on.
for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP']) {
  process.on(signal, () => {
    if (signal !== 'SIGINT' || !process.stdin.isTTY) child.kill(signal);
  });
}
// When npm ends, it ends the shell between it and this process, which gets no signal.
if (process.env.npm_lifecycle_event) {
  const parent = process.ppid;
  const watch = setInterval(() => {
    if (process.ppid === parent) return;
    clearInterval(watch);
    child.kill('SIGTERM');
  }, 1000);
}
child.on('error', error => giveUp(`${node} could not be started: ${error.message}`));
child.on('exit', (code, signal) => process.exit(code ?? 128 + (constants.signals[signal] ?? 1)));
