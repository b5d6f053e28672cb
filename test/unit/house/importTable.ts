import type { Subject } from './rooms';

/** A subject's row in docs/architecture.md: what it holds. */
export function subjectTable(subjects: Readonly<Record<string, Subject>>): Record<string, string> {
  return Object.fromEntries(Object.entries(subjects).map(([name, { holds }]) => [name, holds]));
}

/** The rows of the table under a heading of a document: first cell → second cell, without backticks. */
export function tableUnder(heading: string, markdown: string): Record<string, string> {
  const [, after = ''] = markdown.split(`\n## ${heading}\n`);
  const [section = ''] = after.split('\n## ');
  const rows = section
    .split('\n')
    .filter(line => line.startsWith('|'))
    .map(line =>
      line
        .split('|')
        .slice(1, -1)
        .map(cell => cell.replaceAll('`', '').trim()),
    );
  return Object.fromEntries(rows.slice(2).map(([name = '', cell = '']) => [name, cell]));
}
