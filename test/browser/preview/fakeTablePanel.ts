import { CodedError } from '../../../src/base/errors';
import { RpcEndpoint, type RequestHandlers, type RpcMessage } from '../../../src/protocol/rpc';
import {
  tableQuestions,
  type TablePageSide,
  type TablePanelSide,
  type TableQuestions,
  type TableStart,
} from '../../../src/protocol/tablePage';
import type { TableSummary } from '../../../src/protocol/tableEngine';
import { InPagePort } from './inPagePort';
import { packed, unpacked } from './packed';

export interface FakeTableOptions {
  strings: Record<string, string>;
  /** What of the file the preview's engine has opened; see tableEngine. */
  rowCount: number;
  kind?: TableStart['kind'];
  /** `wait` never answers start; `fail` fails it until asked again. */
  start: 'answer' | 'wait' | 'fail';
}

/** Asks the real engine, which runs outside the browser; texts are packed JSON. */
declare const askEngine: (question: string, params: string) => Promise<string>;

/** Stands in for the table's panel in the preview: rows that look like the service's, asked of the real engine. */
export function fakeTablePanel(options: FakeTableOptions, toPage: (message: unknown) => void) {
  const port = new InPagePort(toPage);
  const fake = { onHeard: (_name: string, _value: unknown) => undefined as void };
  const ask = async (question: string, params: unknown) => {
    const answer = unpacked(await askEngine(question, packed(params))) as
      { value: unknown } | { error: { code?: string; message: string } };
    if ('value' in answer) return answer.value;
    throw new CodedError('bad-request', answer.error.message);
  };
  const answer = async (): Promise<TableStart> => ({
    strings: options.strings,
    kind: options.kind ?? 'objects',
    title: 'Plate 3, nuclei by size — objects',
    table: (await ask('tableSummary', {})) as TableSummary,
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
  });
  const questions = Object.fromEntries(
    tableQuestions.map(question => [question, (params: unknown) => ask(question, params)]),
  ) as unknown as RequestHandlers<TableQuestions>;
  const heard = (name: string, value: unknown) => fake.onHeard(name, value);
  const endpoint = new RpcEndpoint<TablePanelSide, TablePageSide>(port, {
    ...questions,
    strings: () => options.strings,
    start: () => {
      if (options.start === 'wait') return new Promise<TableStart>(() => undefined);
      if (options.start === 'fail') {
        throw new CodedError(
          'damaged-table',
          'objects.csv is damaged: a quote opened in line 812 is never closed. Download it again.',
        );
      }
      return answer();
    },
    retry: () => answer(),
    reopen: params => {
      heard('reopen', params);
      return {};
    },
    copy: ({ text }) => {
      heard('copy', text);
      return {};
    },
    saveView: params => {
      heard('saveView', params);
      return { saved: { name: 'objects-filtered.csv', rows: 12 } };
    },
    savePlot: ({ name, type, data }) => {
      heard('savePlot', [name, type, new Uint8Array(data.slice(0, 8)), data.byteLength]);
      return { saved: { name: `${name}.${type}` } };
    },
    relink: async params => {
      heard('relink', params);
      const { link } = await answer();
      if (!link) throw new CodedError('bad-request', 'No masks are open');
      return link;
    },
  });
  for (const name of ['hover', 'select', 'shown', 'filtered', 'showMasks', 'failure'] as const) {
    endpoint.on(name, value => heard(name, value));
  }
  return Object.assign(fake, { receive: (message: RpcMessage) => port.receive(message), endpoint });
}
