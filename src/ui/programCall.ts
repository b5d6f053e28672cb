import * as vscode from 'vscode';
import { CodedError } from '../base/errors';

/** The arguments of a command, told apart by the contract's one rule. */
export type CommandCall =
  { program: true; options: Record<string, unknown>; rest: unknown[] } | { program: false; rest: unknown[] };

/** A call whose last argument is a plain object is a program's; any other is a person's. */
export function readCall(args: readonly unknown[]): CommandCall {
  const last = args.at(-1);
  if (isPlainObject(last)) return { program: true, options: last, rest: args.slice(0, -1) };
  return { program: false, rest: [...args] };
}

function isPlainObject(value: unknown): value is Record<string, unknown> {
  if (value === null || typeof value !== 'object' || Array.isArray(value)) return false;
  const prototype: unknown = Object.getPrototypeOf(value);
  return prototype === null || prototype === Object.prototype;
}

function badArgument(name: string, expected: string): CodedError {
  return new CodedError('bad-request', `The argument "${name}" must be ${expected}`, { subject: name });
}

/** A required, non-empty string of a program's options. Throws `bad-request`. */
export function requiredText(options: Record<string, unknown>, name: string): string {
  const value = options[name];
  if (typeof value !== 'string' || value === '') throw badArgument(name, 'a non-empty string');
  return value;
}

/** An optional string of a program's options. */
export function optionalText(options: Record<string, unknown>, name: string): string | undefined {
  const value = options[name];
  if (value === undefined) return undefined;
  if (typeof value !== 'string') throw badArgument(name, 'a string');
  return value;
}

/** An optional boolean of a program's options; false when missing. */
export function optionalFlag(options: Record<string, unknown>, name: string): boolean {
  const value = options[name] ?? false;
  if (typeof value !== 'boolean') throw badArgument(name, 'true or false');
  return value;
}

/** An optional whole number, not negative, of a program's options. */
export function optionalNumber(options: Record<string, unknown>, name: string): number | undefined {
  const value = options[name];
  if (value === undefined) return undefined;
  if (typeof value !== 'number' || !Number.isSafeInteger(value) || value < 0)
    throw badArgument(name, 'a whole number that is not negative');
  return value;
}

/** A required array of at least one string of a program's options. */
export function requiredTexts(options: Record<string, unknown>, name: string): string[] {
  const value = options[name];
  if (!Array.isArray(value) || value.length === 0) throw badArgument(name, 'an array of at least one string');
  return value.map(entry => {
    if (typeof entry !== 'string' || entry === '') throw badArgument(name, 'an array of non-empty strings');
    return entry;
  });
}

/** A URI given as a Uri, as its plain form or as a string. */
export function toUri(value: unknown, name = 'uri'): vscode.Uri {
  if (value instanceof vscode.Uri) return value;
  if (typeof value === 'string' && value !== '') {
    if (/^[a-z][a-z0-9+.-]+:/i.test(value)) return vscode.Uri.parse(value, true);
    throw badArgument(name, 'a URI such as file:///folder/image.png');
  }
  if (isPlainObject(value) && typeof value['scheme'] === 'string' && typeof value['path'] === 'string') {
    return vscode.Uri.from(value as { scheme: string; path: string });
  }
  throw badArgument(name, 'a URI');
}

/** The explorer's signature: the item clicked, then everything selected; the selection wins. */
export function explorerUris(rest: readonly unknown[], options: Record<string, unknown> = {}): vscode.Uri[] {
  const given = Array.isArray(options['uris'])
    ? options['uris']
    : Array.isArray(rest[1])
      ? rest[1]
      : undefined;
  if (given && given.length > 0) return given.map(uri => toUri(uri, 'uris'));
  return rest[0] === undefined || rest[0] === null ? [] : [toUri(rest[0])];
}
