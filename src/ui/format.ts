import * as vscode from 'vscode';

/** A timestamp in the editor's language, to the minute; the text itself when it is no timestamp. */
export function formatMoment(timestamp: string): string {
  const moment = new Date(timestamp);
  if (Number.isNaN(moment.getTime())) return timestamp;
  return moment.toLocaleString(vscode.env.language, { dateStyle: 'medium', timeStyle: 'short' });
}

/** A size in bytes, for people: three significant digits at most. */
export function formatBytes(bytes: number): string {
  const units = ['B', 'kB', 'MB', 'GB', 'TB'];
  let value = bytes;
  let unit = 0;
  while (value >= 1000 && unit < units.length - 1) {
    value /= 1000;
    unit += 1;
  }
  return `${value.toLocaleString(vscode.env.language, { maximumSignificantDigits: 3 })} ${units[unit]}`;
}

/** Seconds, for people. */
export function formatDuration(seconds: number): string {
  if (seconds < 60) return vscode.l10n.t('{0} s', Math.max(1, Math.round(seconds)));
  if (seconds < 3600) return vscode.l10n.t('{0} min', Math.round(seconds / 60));
  return vscode.l10n.t('{0} h {1} min', Math.floor(seconds / 3600), Math.round((seconds % 3600) / 60));
}

/** Longest text that is shown on a line of its own, in characters. */
const LINE = 72;

/** The first clause of a description, or as many of its words as fit on a line. */
export function shortened(text: string): string {
  const [clause = ''] = text.trim().split(/[.:;\n](?:\s|$)/, 1);
  if (clause.length <= LINE) return clause;
  const cut = clause.lastIndexOf(' ', LINE);
  return `${clause.slice(0, cut > 0 ? cut : LINE)}…`;
}
