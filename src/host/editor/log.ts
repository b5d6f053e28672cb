import * as vscode from 'vscode';
import type { Disposable } from '../../base/disposable';
import type { Log } from '../../base/log';
import type { LogEntries } from '../logEntries';

type Level = 'trace' | 'info' | 'warn' | 'error';

/**
 * The extension's log, an output channel. The first entry creates the channel and loads LogEntries,
 * which formats entries.
 */
export class OutputLog implements Log, Disposable {
  private channel: vscode.LogOutputChannel | undefined;
  private readonly secrets = new Set<string>();
  private entries: LogEntries | undefined;
  /** Writes that wait until LogEntries is loaded. */
  private waiting: (() => void)[] | undefined;
  private disposed = false;

  /** Masks a key in every later line. */
  addSecret(secret: string): void {
    if (secret.length < 4) return;
    this.secrets.add(secret);
    this.entries?.addSecret(secret);
  }

  trace(message: string): void {
    this.write('trace', message);
  }

  info(message: string): void {
    this.write('info', message);
  }

  warn(message: string): void {
    this.write('warn', message);
  }

  error(message: string, error?: unknown): void {
    this.write('error', message, error);
  }

  show(): void {
    this.output.show(true);
  }

  dispose(): void {
    this.disposed = true;
    this.channel?.dispose();
  }

  private write(level: Level, message: string, error?: unknown): void {
    const { entries } = this;
    if (entries) {
      this.output[level](entries.entry(message, error));
      return;
    }
    const isFirst = this.waiting === undefined;
    (this.waiting ??= []).push(() => this.write(level, message, error));
    if (isFirst) void this.load();
  }

  private async load(): Promise<void> {
    const { LogEntries } = await import('../logEntries');
    if (this.disposed) return;
    this.entries = new LogEntries(this.secrets);
    for (const write of this.waiting ?? []) write();
    this.waiting = undefined;
  }

  private get output(): vscode.LogOutputChannel {
    return (this.channel ??= vscode.window.createOutputChannel('Image Analysis', { log: true }));
  }
}
