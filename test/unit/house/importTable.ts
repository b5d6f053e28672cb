import type { Room } from './rooms';

/** A room's row: what it may import, besides itself and packages that aren't reserved. */
export function importTable(rooms: Readonly<Record<string, Room>>): Record<string, string> {
  return Object.fromEntries(
    Object.entries(rooms).map(([name, room]) => [
      name,
      [
        ...shortened(room.imports, rooms),
        ...(room.types ?? []).map(one => `types of ${one}`),
        ...(room.packages ?? []).map(one => `the package ${one}`),
      ].join(', ') || 'nothing',
    ]),
  );
}

/** A row that is another one and that room itself says so: "app and what app may import". */
function shortened(imports: readonly string[], rooms: Readonly<Record<string, Room>>): string[] {
  const whole = (room: string) => [...(rooms[room]?.imports ?? []), room].sort().join();
  const repeated = imports.find(room => imports.length > 4 && whole(room) === [...imports].sort().join());
  return repeated === undefined ? [...imports] : [`${repeated} and what ${repeated} may import`];
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
