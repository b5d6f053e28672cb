import * as vscode from 'vscode';

export type NotificationLevel = 'all' | 'failures' | 'off';

/** The extension's settings, read afresh each time so that a change needs no reload. */
export class Settings {
  /** Only prefills the sign-in. */
  get baseUrl(): string {
    return this.read('baseUrl', '');
  }

  destinationFolder(resource?: vscode.Uri): string {
    return vscode.workspace.getConfiguration('imageAnalysis', resource).get('uploads.destinationFolder', '');
  }

  get uploadConcurrency(): number {
    return bounded(this.read('uploads.concurrency', 3), 1, 8);
  }

  get notifications(): NotificationLevel {
    return this.read<NotificationLevel>('jobs.notifications', 'all');
  }

  /** Seconds. */
  get pollingInterval(): number {
    return bounded(this.read('jobs.pollingInterval', 3), 1, 300);
  }

  get resultsCacheBytes(): number {
    return bounded(this.read('results.cacheSize', 2048), 64, 1_000_000) * 1024 * 1024;
  }

  /** For the columns of a table, in MB. */
  get tableMemory(): number {
    return bounded(this.read('table.memory', 1024), 64, 65_536);
  }

  /** 0 … 1. */
  get masksOpacity(): number {
    return bounded(this.read('masks.opacity', 0.45), 0, 1);
  }

  private read<T>(name: string, fallback: T): T {
    return vscode.workspace.getConfiguration('imageAnalysis').get(name, fallback);
  }
}

/** A hand-edited settings file may hold anything; the nearest allowed number is used. */
function bounded(value: unknown, least: number, most: number): number {
  return typeof value === 'number' && Number.isFinite(value) ? Math.min(most, Math.max(least, value)) : least;
}
