import { mkdir, mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { HostElsewhere } from '../host/hostElsewhere';
import { type Theme, Workbench, type WorkbenchOptions } from './workbench';

export interface SuiteOptions {
  theme: Theme;
  /** Writes what the suite needs into its workspace folder before the window opens. */
  prepare?: (folder: string) => Promise<void>;
  /**
   * Another version of the extension to install instead, in a data folder that it left; the
   * package's path.
   */
  earlier?: (root: string) => Promise<string>;
  settings?: Record<string, unknown>;
  language?: NonNullable<WorkbenchOptions['language']>;
  environment?: Record<string, string>;
  workspaceTrust?: boolean;
  /** A host that runs already, and its folder, instead of a new one. */
  elsewhere?: HostElsewhere | undefined;
}

/** What a suite's tests receive: the window, and its workspace folder on disk. */
export interface Suite {
  readonly workbench: Workbench;
  readonly folder: string;
}

/**
 * Inside a describe: one window for all of its tests, with its own data folder, port and workspace.
 * When a test fails, its trace is saved and the rest of the suite is skipped, since each step
 * builds on the one before.
 */
export function useWorkbench(options: SuiteOptions): Suite {
  let workbench: Workbench | undefined;
  let root: string | undefined;
  let failed = false;

  before(async function () {
    const title = this.test?.parent?.fullTitle() ?? 'workbench';
    const name = title
      .toLowerCase()
      .replace(/[^a-z0-9]+/g, '-')
      .replace(/-$/, '');
    const vsix = process.env['IA_VSIX'];
    if (!vsix) throw new Error('IA_VSIX must name the packaged extension');
    root = await mkdtemp(join(tmpdir(), 'ia-'));
    const folder = options.elsewhere?.folder ?? join(root, 'workspace');
    await mkdir(folder, { recursive: true });
    await options.prepare?.(folder);
    const first = (await options.earlier?.(root)) ?? vsix;
    workbench = await Workbench.open({
      ...options,
      name,
      vsix: first,
      folder,
      dataFolder: join(root, 'host'),
    });
  });

  afterEach(function () {
    if (this.currentTest?.state === 'failed') failed = true;
  });

  beforeEach(function () {
    if (failed) this.skip();
  });

  after(async () => {
    await workbench?.close(failed);
    if (root) await rm(root, { recursive: true, force: true, maxRetries: 5 });
  });

  const opened = <T>(value: T | undefined): T => {
    if (value === undefined) throw new Error('The workbench is open only while tests run');
    return value;
  };
  return {
    get workbench() {
      return opened(workbench);
    },
    get folder() {
      return options.elsewhere?.folder ?? join(opened(root), 'workspace');
    },
  };
}

/**
 * The same suite once for each theme, so that every step has a screenshot in all; without
 * `test:full`, only in the first, as the steps are the same, and what themes change is seen in the
 * pages' own tests.
 */
export function inThemes(themes: readonly Theme[], title: string, define: (theme: Theme) => void): void {
  for (const theme of testedThemes(themes)) describe(`${title} (${theme})`, () => define(theme));
}

/**
 * Themes to try something in: without `test:full`, the first alone, so begin with what differs most
 * from the suite's.
 */
export function testedThemes(themes: readonly Theme[]): readonly Theme[] {
  const isEvery = process.env['IA_FULL'] === '1' || process.env['IA_SCREENSHOTS'] === '1';
  return isEvery ? themes : themes.slice(0, 1);
}
