import { mkdir, readFile, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { bundleTests } from '../../../../scripts/bundleTests.mjs';
import { createPackage } from '../../../../scripts/packageExtension.mjs';
import { installExtension } from '../../../host/servedHost';

/** Wall time and CPU time. */
interface Times {
  ms: number;
  cpuMs: number;
}

export interface ActivationTimes {
  /** Reading, compiling and running the entry. */
  load: Times;
  /** The call of `activate`, without what it awaits. */
  call: Times;
}

const ours = 'image-analysis.image-analysis';
const empty = 'bench.empty';

/**
 * Times the activation of the extension in its host, beside that of an empty one. The time that VS
 * Code shows includes what other extensions do in between.
 */
export class ActivationProbe {
  private constructor(private readonly out: string) {}

  /** For the environment of the workbench. */
  get environment(): Record<string, string> {
    return { IA_BENCH_PROBE: JSON.stringify({ out: this.out, ids: [ours, empty] }) };
  }

  /** Installs the probe and the empty extension; they are made in `folder`. */
  static async install(folder: string, dataFolder: string): Promise<ActivationProbe> {
    const code = 'out/programs/activation-probe';
    await bundleTests({
      entryPoints: ['test/browser/bench/activation/probeExtension.ts'],
      outbase: 'test/browser/bench/activation',
      outdir: code,
      format: 'cjs',
    });
    const probe = await readFile(join(code, 'probeExtension.js'), 'utf8');
    const nothing = "const vscode = require('vscode'); exports.activate = () => void vscode.version;";
    for (const [name, text, event] of [
      ['probe', probe, '*'],
      ['empty', nothing, 'onStartupFinished'],
    ] as const)
      await installExtension(await pack(join(folder, name), name, text, event), dataFolder);
    return new ActivationProbe(join(folder, 'times.json'));
  }

  /** Call this before the window is loaded again. */
  async reset(): Promise<void> {
    await rm(this.out, { force: true });
  }

  /** What was measured since `reset`, once both extensions are active. */
  async times(wait: () => Promise<void>): Promise<{ ours: ActivationTimes; empty: ActivationTimes }> {
    for (;;) {
      const text = await readFile(this.out, 'utf8').catch(() => '');
      const read = text && (JSON.parse(text) as Record<string, ActivationTimes>);
      const [a, b] = read ? [read[ours], read[empty]] : [];
      if (a && b) return { ours: a, empty: b };
      await wait();
    }
  }
}

async function pack(cwd: string, name: string, code: string, event: string): Promise<string> {
  await mkdir(cwd);
  const manifest = {
    name,
    publisher: 'bench',
    version: '0.0.1',
    engines: { vscode: '^1.110.0' },
    main: './extension.js',
    activationEvents: [event],
    extensionKind: ['workspace'],
    files: ['extension.js'],
  };
  await writeFile(join(cwd, 'package.json'), JSON.stringify(manifest));
  await writeFile(join(cwd, 'extension.js'), code);
  const packagePath = `${cwd}.vsix`;
  await createPackage({ cwd, packagePath, skipLicense: true, allowStarActivation: true });
  return packagePath;
}
