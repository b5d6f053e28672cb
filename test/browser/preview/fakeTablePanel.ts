import { CodedError } from '../../../src/base/errors';
import { RpcEndpoint, type RpcMessage } from '../../../src/protocol/rpc';
import type { TablePageSide, TablePanelSide, TableStart } from '../../../src/protocol/tablePage';
import { InPagePort } from './inPagePort';
import { columns, makeRows, sortedRows } from './tableData';

export interface FakeTableOptions {
  strings: Record<string, string>;
  rowCount: number;
  /** `wait` never answers start; `fail` fails it until asked again. */
  start: 'answer' | 'wait' | 'fail';
}

/** Stands in for the table's panel in the preview: 10,000 rows that look like the service's. */
export function fakeTablePanel(options: FakeTableOptions, toPage: (message: unknown) => void) {
  const port = new InPagePort(toPage);
  const fake = { onHeard: (_name: string, _value: unknown) => undefined as void };
  const rows = makeRows(options.rowCount);
  const orders = new Map<string, number[]>();
  const order = (sort: Parameters<typeof sortedRows>[1]) => {
    const key = JSON.stringify(sort);
    const known = orders.get(key) ?? sortedRows(rows, sort);
    orders.set(key, known);
    return known;
  };
  const answer: TableStart = {
    strings: options.strings,
    kind: 'objects',
    title: 'Plate 3, nuclei by size — objects',
    table: {
      columns,
      rowCount: options.rowCount,
      delimiter: ',',
      raggedRows: options.rowCount > 0 ? { count: 3, first: [41, 977, 3120] } : { count: 0, first: [] },
    },
    ...(options.rowCount > 0 && {
      link: {
        imageColumn: 'Image origin',
        idColumn: 'Object ID',
        matched: options.rowCount - 3,
        rowsWithoutObject: 3,
        objectsWithoutRow: 1,
        ambiguous: 0,
        areaRatio: 1,
        areaRatioConstant: true,
      },
    }),
    hovered: null,
    selected: null,
  };
  const endpoint = new RpcEndpoint<TablePanelSide, TablePageSide>(port, {
    strings: () => options.strings,
    start: () => {
      if (options.start === 'wait') return new Promise<TableStart>(() => undefined);
      if (options.start === 'fail') {
        throw new CodedError(
          'damaged-table',
          'objects.csv is damaged: a quote opened in line 812 is never closed. Download it again.',
        );
      }
      return answer;
    },
    retry: () => answer,
    rows: ({ start, end, sort }) => {
      const fileRows = order(sort).slice(start, end);
      return { fileRows, rows: fileRows.map(row => rows[row] ?? []) };
    },
    position: ({ row, sort }) => ({ position: order(sort).indexOf(row) }),
    copy: ({ text }) => {
      fake.onHeard('copy', text);
      return {};
    },
  });
  for (const name of ['hover', 'select', 'shown', 'showMasks', 'failure'] as const) {
    endpoint.on(name, value => fake.onHeard(name, value));
  }
  return Object.assign(fake, { receive: (message: RpcMessage) => port.receive(message), endpoint });
}
