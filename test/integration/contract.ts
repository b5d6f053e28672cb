import * as assert from 'node:assert/strict';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import * as vscode from 'vscode';

/** Calls a contract command as a program does. */
export async function call<T>(name: string, ...args: unknown[]): Promise<T> {
  return await vscode.commands.executeCommand<T>(`imageAnalysis.${name}`, ...args);
}

/** Expects the call to fail with the code, and returns its error. */
export async function expectError(code: string, name: string, ...args: unknown[]): Promise<Error> {
  try {
    await call(name, ...args);
  } catch (error) {
    assert.ok(error instanceof Error, 'a rejection must be an Error');
    assert.equal((error as Error & { code?: string }).code, code, error.message);
    return error;
  }
  return assert.fail(`${name} should have failed with ${code}`);
}

export interface Sent {
  jobId?: string;
  uploaded: { uri: string; id: string; fileName: string }[];
  failed: { uri: string; code: string; message: string }[];
}

/** What `compareMasks` returns. */
export interface ComparisonReport {
  images: number;
  classes: string;
  classPairs: { a?: string; b?: string }[];
  unpaired: { side: string; image: string }[];
  skipped: { image: string; reason: string }[];
  unreadable: { a: number; b: number };
  notes: { side: string; image?: string; id?: string; reason: string }[];
  pairs: number;
  onlyA: number;
  onlyB: number;
  precision: number | null;
  recall: number | null;
  f1: number | null;
  panopticQuality: number | null;
}

export interface Pipeline {
  id: string;
  description: string;
}

/** Signs in to the sample service, without its delays. */
export async function signInToSample(): Promise<{ baseUrl: string; apiKey: string }> {
  const { baseUrl, apiKey } = await call<{ baseUrl: string; apiKey: string }>('startSampleService', {
    delayMs: 0,
  });
  return { baseUrl, apiKey };
}

/** The sample pipeline whose description matches. */
export async function pipelineAbout(words: RegExp): Promise<Pipeline> {
  const { results } = await call<{ results: Pipeline[] }>('listPipelines', {});
  const found = results.find(({ description }) => words.test(description));
  assert.ok(found, `no pipeline about ${String(words)} among ${results.map(p => p.description).join(' | ')}`);
  return found;
}

/** URIs of the sample images but those of the study, written to disk by the first call. */
export async function sampleImages(): Promise<vscode.Uri[]> {
  const { path } = await call<{ path: string }>('openSampleImages', {});
  const folder = vscode.Uri.file(path);
  const entries = await vscode.workspace.fs.readDirectory(folder);
  const files = entries.filter(([, type]) => type === vscode.FileType.File);
  return files.map(([name]) => vscode.Uri.joinPath(folder, name));
}

/**
 * Runs the work with a new folder and removes it afterwards. Its path is as VS Code writes it,
 * which has a small drive letter.
 */
export async function withFolder<T>(work: (folder: string) => Promise<T>): Promise<T> {
  const folder = vscode.Uri.file(await mkdtemp(join(tmpdir(), 'image-analysis-test-'))).fsPath;
  try {
    return await work(folder);
  } finally {
    await rm(folder, { recursive: true, force: true, maxRetries: 5 });
  }
}

/** View types of the open editor tabs that are webviews. */
export function openPanels(): string[] {
  return vscode.window.tabGroups.all
    .flatMap(({ tabs }) => tabs)
    .map(({ input }) => (input instanceof vscode.TabInputWebview ? input.viewType : ''))
    .filter(Boolean)
    .map(viewType => viewType.replace(/^mainThreadWebview-/, ''));
}
