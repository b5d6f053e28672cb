import { execFile } from 'node:child_process';
import { createHash } from 'node:crypto';
import { copyFile, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { installOnce } from '../host/cacheFolder';

const MANIFEST = 'test/kernels/compiler/package.json';

/** A module without a runtime, which stops where it can't go on; nothing that checks itself. */
const OPTIONS = ['--runtime', 'stub', '--use', 'abort=', '--enable', 'simd', '-O3', '--noAssert'];

/** The file that a kernel is compiled into. */
export function compiledPath(source: string): string {
  return source.replace(/\.as$/, '.wasm');
}

/**
 * Compiles a kernel. The same source gives the same bytes on every system; the last 64 of them tell
 * which source it was, in a section that WebAssembly ignores.
 */
export async function compileKernel(source: string): Promise<Uint8Array> {
  const compiler = await installCompiler();
  const folder = await mkdtemp(join(tmpdir(), 'kernel-'));
  try {
    // The compiler takes files of this name only.
    await copyFile(source, join(folder, 'kernel.ts'));
    const asc = join(compiler, 'node_modules', 'assemblyscript', 'bin', 'asc.js');
    await promisify(execFile)(process.execPath, [asc, 'kernel.ts', ...OPTIONS, '--outFile', 'kernel.wasm'], {
      cwd: folder,
    });
    return Buffer.concat([
      await readFile(join(folder, 'kernel.wasm')),
      customSection('source', digestOf(await readFile(source))),
    ]);
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}

/** What the last bytes of a compiled kernel are, as text. */
export function digestOf(source: Uint8Array): string {
  return createHash('sha256').update(source).digest('hex');
}

/** Compiles a kernel into the file beside it. */
export async function writeKernel(source: string): Promise<void> {
  await writeFile(compiledPath(source), await compileKernel(source));
}

function customSection(name: string, text: string): Uint8Array {
  // Its number, 0, the length of the rest, and the name with its length; lengths below 128 are one
  // byte.
  return Buffer.concat([
    Buffer.from([0, 1 + name.length + text.length, name.length]),
    Buffer.from(name),
    Buffer.from(text),
  ]);
}

async function installCompiler(): Promise<string> {
  const hash = createHash('sha256')
    .update(await readFile(MANIFEST))
    .digest('hex')
    .slice(0, 12);
  return installOnce(`kernel-compiler-${hash}`, async folder => {
    await copyFile(MANIFEST, join(folder, 'package.json'));
    const args = ['install', '--ignore-scripts', '--no-audit', '--no-fund', '--loglevel=error'];
    const windows = process.platform === 'win32';
    await promisify(execFile)(windows ? 'npm.cmd' : 'npm', args, { cwd: folder, shell: windows });
  });
}
