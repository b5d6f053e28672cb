import * as vscode from 'vscode';
import type { Disposable } from '../base/disposable';
import type { Log } from '../base/log';
import { secretMask } from '../base/secretMask';
import { maskSecrets } from '../app/log/maskSecrets';

/** The extension's output channel. Every line passes `maskSecrets`; the channel is created when the first line is written. */
export class OutputLog implements Log, Disposable {
  private channel: vscode.LogOutputChannel | undefined;
  private readonly masks = new Map<string, (text: string) => string>();

  /** Makes a key unreadable in every later line. */
  addSecret(secret: string): void {
    if (secret.length >= 4 && !this.masks.has(secret)) this.masks.set(secret, secretMask(secret));
  }

  trace(message: string): void {
    this.output.trace(this.mask(message));
  }

  info(message: string): void {
    this.output.info(this.mask(message));
  }

  warn(message: string): void {
    this.output.warn(this.mask(message));
  }

  error(message: string, error?: unknown): void {
    const detail =
      error instanceof Error ? (error.stack ?? error.message) : error ? JSON.stringify(error) : '';
    this.output.error(this.mask(detail ? `${message}\n${detail}` : message));
  }

  show(): void {
    this.output.show(true);
  }

  dispose(): void {
    this.channel?.dispose();
  }

  private mask(text: string): string {
    return maskSecrets(text, this.masks.values());
  }

  private get output(): vscode.LogOutputChannel {
    return (this.channel ??= vscode.window.createOutputChannel('Image Analysis', { log: true }));
  }
}
