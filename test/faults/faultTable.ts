import type { Fault } from './fault';
import type { OperationName } from './operations';
import type { Outcome } from './run';

/** What came of an operation, over all variants of the fault. */
export interface OperationOutcome {
  operation: OperationName;
  outcomes: readonly Outcome[];
}

interface Row {
  /** Each with its number of requests. */
  operations: string[];
  filesLeft: number;
  isKeyLeaked: boolean;
  postsRepeated: number;
  /** Counted for disks only. */
  lost: number | undefined;
  seconds: number;
}

export const tableHead = [
  '| The service … | operations (requests) | what is told | files left | key leaked | POSTs repeated |',
  '| --- | --- | --- | --- | --- | --- |',
];

export const diskTableHead = [
  '| The disk … | operations (requests) | what is told | files left | key leaked | POSTs repeated | lost or half |',
  '| --- | --- | --- | --- | --- | --- | --- |',
];

/** The lines of a fault in docs/faults.md; operations of which the same is told share one. */
export function tableLines(fault: Fault, outcomes: readonly OperationOutcome[]): string[] {
  return rowsOf(outcomes, fault.onDisk !== undefined).map(
    ([told, row]) => `| ${[fault.does, ...cells(told, row)].join(' | ')} |`,
  );
}

/** The same for the terminal, with the time of the slowest operation. */
export function printedLines(outcomes: readonly OperationOutcome[]): string[] {
  return rowsOf(outcomes).map(([told, row]) => {
    const [operations, ...others] = cells(told, row);
    return `${operations}: ${others.join(' · ')} · ${row.seconds.toFixed(1)} s`;
  });
}

function cells(told: string, { operations, filesLeft, isKeyLeaked, postsRepeated, lost }: Row): string[] {
  const leaked = isKeyLeaked ? 'yes' : 'no';
  return [
    operations.join(', '),
    told,
    String(filesLeft),
    leaked,
    String(postsRepeated),
    ...(lost === undefined ? [] : [String(lost)]),
  ];
}

/** By what is told. */
function rowsOf(all: readonly OperationOutcome[], isOfDisk = false): [told: string, row: Row][] {
  const rows = new Map<string, Row>();
  for (const { operation, outcomes } of all) {
    const told = [...new Set(outcomes.map(outcome => general(outcome.told)))].join('<br>');
    const row = rows.get(told) ?? {
      operations: [],
      filesLeft: 0,
      isKeyLeaked: false,
      postsRepeated: 0,
      lost: isOfDisk ? 0 : undefined,
      seconds: 0,
    };
    rows.set(told, row);
    const counts = outcomes.map(({ requests }) => requests);
    const [least, most] = [Math.min(...counts), Math.max(...counts)];
    row.operations.push(`${operation} (${least === most ? least : `${least}–${most}`})`);
    for (const outcome of outcomes) {
      row.filesLeft += outcome.filesLeft.length;
      row.isKeyLeaked ||= outcome.isKeyLeaked;
      row.postsRepeated += outcome.postsRepeated;
      if (row.lost !== undefined) row.lost += outcome.lost.length;
      row.seconds = Math.max(row.seconds, outcome.seconds);
    }
  }
  return [...rows];
}

/**
 * A sentence without what differs from operation to operation: names, endpoints, and the beginnings
 * of responses.
 */
function general(told: string): string {
  return (
    told
      .replace(/(GET|POST) \/api\/external\/\S+ returned: .*/s, '{endpoint} returned: {beginning}')
      .replace(/(GET|POST) \/api\/external\/\S+/, '{endpoint}')
      // In the temporary folder of faults.test.ts; a long path lacks its middle.
      .replace(/"[^"]*[\\/]mac-\w{6}-T[^"]*"/g, '"{name}"')
      .replace(/'[^']*[\\/]mac-\w{6}-T[^']*'/g, "'{path}'")
      .replace(/"[0-9a-f]{16}\.json"/g, '"{name}"')
      .replace(/"(image-\d\.png|job-[a-z-]+)"/, '"{name}"')
      .replaceAll('|', '\\|')
  );
}
