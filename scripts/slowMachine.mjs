// Runs a command on a machine that is as slow as you like: beside so many busy loops, which want
// the processor as much as the command does.
//   node scripts/slowMachine.mjs 4 npm test
// On two cores, four loops leave a program with one thread a fifth of what it had. Loops are
// threads of this process, so none of them can outlive it, however it ends.
import { spawn } from 'node:child_process';
import { Worker } from 'node:worker_threads';

const [loops, command, ...args] = process.argv.slice(2);
if (!(Number.isInteger(Number(loops)) && Number(loops) > 0) || command === undefined) {
  console.error('Usage: node scripts/slowMachine.mjs <number of loops> <command> [its arguments]');
  process.exit(2);
}
for (let loop = 0; loop < Number(loops); loop++) new Worker('for (;;);', { eval: true });
// npm is a script of the shell on Windows.
const isWindows = process.platform === 'win32';
const quote = text => (isWindows && /[\s"]/.test(text) ? `"${text.replaceAll('"', '\\"')}"` : text);
const child = spawn(quote(command), args.map(quote), { stdio: 'inherit', shell: isWindows });
// Ctrl+C reaches the command by itself, and its exit ends this process; what is sent to this
// process alone is passed on.
process.on('SIGINT', () => {});
for (const name of ['SIGTERM', 'SIGHUP']) process.on(name, () => child.kill(name));
child.once('error', error => {
  console.error(`${command} can't be started: ${error.message}`);
  process.exit(1);
});
child.once('close', code => process.exit(code ?? 1));
