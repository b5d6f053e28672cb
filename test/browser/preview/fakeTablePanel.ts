import type { Population } from '../../../src/populations/population';
import type {} from '../../../src/populations/populationsPage';
import {
  type CountedPopulations,
  populationColorRequests,
} from '../../../src/populations/populationRequests';
import type { RequestsOf } from '../../../src/protocol/declarations';
import type {} from '../../../src/study/conditionsPage';
import type { ComputedColumn } from '../../../src/columns/computedColumn';
import type { FormulaRequests } from '../../../src/formulas/formulaRequests';
import type { TableSummary } from '../../../src/columns/tableSummary';
import type { ImageColumns } from '../../../src/study/imageColumns';
import { applyEdits, editsOfMoved, type ImageEdit } from '../../../src/study/imageEdits';
import { joinSheet } from '../../../src/study/sampleSheet';
import { CodedError } from '../../../src/base/errors';
import type { PageStrings } from '../../../src/pages/pageTranslations';
import { RpcEndpoint, type RequestHandlers } from '../../../src/protocol/rpc';
import {
  tablePage,
  type TablePageSide,
  type TablePanelSide,
  type TableStart,
} from '../../../src/table/tablePage';
import type { SelectedRows } from '../../../src/linking/shownRows';
import type { TablePageRequests } from '../../../src/columns/tableRequests';
import { conditionRequests, type ConditionRequests } from '../../../src/study/conditionRequests';
import { plateRequests, type PlateRequests } from '../../../src/plates/plateRequests';
import { InPagePort } from './inPagePort';
import { packed, unpacked } from './packed';

export interface FakeTableOptions {
  strings: PageStrings;
  /** Rows of the table that the engine of the preview has opened. */
  rowCount: number;
  kind?: TableStart['kind'];
  /** Lengths and areas are in pixels, and may be converted to µm. */
  inPixels?: true;
  /** The table is still being read when the page opens. */
  reading?: true;
  /** So many first rows were selected on the masks before the page opened. */
  selectedRows?: number;
  /** The row that is selected on the masks. */
  selected?: number;
  /** Those that are stored with the table. */
  populations?: Population[];
  /** Computed columns of the table of another result. */
  lastFormulas?: ComputedColumn[];
  /** `wait` never responds to start; `fail` fails it until a retry. */
  start: 'respond' | 'wait' | 'fail';
}

/** Calls the real engine, which runs outside the browser; parameters and result are packed JSON. */
declare const callEngine: (method: string, params: string) => Promise<string>;

/**
 * Replaces the table's panel in the preview: rows that look like the service's, from the real
 * engine.
 */
export function fakeTablePanel(options: FakeTableOptions, toPage: (message: unknown) => void) {
  const marks = (options.kind ?? 'objects') === 'objects';
  const port = new InPagePort(toPage);
  const fake = { onMessage: (_name: string, _value: unknown) => undefined as void };
  const call = async (method: string, params: unknown) => {
    const response = unpacked(await callEngine(method, packed(params))) as
      | { value: unknown }
      | { error: { code?: string; message: string } };
    if ('value' in response) return response.value;
    throw new CodedError('bad-request', response.error.message);
  };
  const open = async (): Promise<TableStart> => ({
    memory: 1024,
    byteOrderMark: true,
    kind: options.kind ?? 'objects',
    title: 'Plate 3, nuclei by size — objects',
    table: {
      ...((await call('tableSummary', {})) as TableSummary),
      ...(options.reading && { reading: options.reading }),
    },
    ...(options.rowCount > 0 &&
      marks && {
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
    ...(options.populations && { populations: await setPopulations(options.populations) }),
    ...(options.inPixels && { mayConvert: true as const, isInPixels: true as const }),
    hovered: null,
    // As it was before the page was loaded again.
    selected: marks
      ? ((JSON.parse(sessionStorage.getItem('selected') ?? 'null') as number | null) ??
        options.selected ??
        null)
      : null,
    ...(options.selectedRows !== undefined && { selectedRows: await selectFirst(options.selectedRows) }),
  });
  const setPopulations = async (populations: Population[]) => {
    await call('setPopulations', { populations });
    return populations;
  };
  const selectFirst = async (count: number) => {
    const rows = Uint32Array.from({ length: count }, (_, row) => row);
    return (await call('tableRowSet', { rows: rows.buffer })) as SelectedRows;
  };
  const requests = Object.fromEntries(
    Object.keys({
      ...tablePage.passedOn,
      ...conditionRequests,
      ...plateRequests,
      ...populationColorRequests,
    }).map(method => [method, (params: unknown) => call(method, params)]),
  ) as unknown as RequestHandlers<
    TablePageRequests & ConditionRequests & PlateRequests & RequestsOf<typeof populationColorRequests>
  >;
  let known: ImageColumns | undefined;
  const images = async () => {
    if (known) return known;
    const { texts } = (await call('tableTexts', { column: 0 })) as { texts: string[] };
    return (known = { images: texts, columns: [], excluded: [] });
  };
  const record = (name: string, value: unknown) => fake.onMessage(name, value);
  /** As for the real panel, edits are about the columns of those names that the page saw. */
  const edit = async (edits: readonly ImageEdit[], seen?: readonly string[]) => {
    const before = await images();
    const names = before.columns.map(({ name }) => name);
    const moved = editsOfMoved(edits, seen ?? names, names);
    if (!moved) throw new CodedError('bad-request', 'The columns of images have been changed elsewhere');
    known = applyEdits(before, moved).columns;
    const { images: keys, columns } = known;
    const table = (await call('extendTable', { keyColumn: 0, keys, columns })) as TableSummary;
    const imageOf = keys.map((_, at) => at);
    await call('studyImages', { images: known, pathColumn: 0, texts: keys, imageOf, areAllKnown: true });
    endpoint.send('extended', { table });
    return known;
  };
  /** Images get other columns by another page. */
  const editElsewhere = async (edits: readonly ImageEdit[]) =>
    endpoint.send('imageColumns', { ...(await edit(edits)), taken: ['Area'] });
  /** The table gets other populations by a program. */
  const changePopulations = async (populations: Population[]) =>
    endpoint.send('populations', await setPopulations(populations));
  const endpoint = new RpcEndpoint<TablePanelSide, TablePageSide>(port, {
    ...requests,
    strings: () => options.strings,
    start: () => {
      if (options.start === 'wait') return new Promise<TableStart>(() => undefined);
      if (options.start === 'fail') {
        throw new CodedError(
          'damaged-table',
          'objects.csv is damaged: a quote opened in line 812 is never closed. Download it again.',
        );
      }
      return open();
    },
    retry: () => open(),
    countPopulations: async params => (await call('countPopulations', params)) as CountedPopulations,
    savePopulationTable: params => {
      record('savePopulationTable', params);
      return { saved: { name: 'objects-populations.csv', rows: 12 } };
    },
    savePopulationFile: ({ populations }) => {
      record('savePopulationFile', populations);
      return { saved: { name: 'objects-populations.json', populations: populations.length } };
    },
    applyPopulationFile: () => ({ populations: null }),
    applyFilters: ({ view }) => requests.tableView(view, new AbortController().signal),
    reopen: params => {
      record('reopen', params);
      return {};
    },
    convertColumn: async ({ column, convert }) => {
      record('convertColumn', { column, convert });
      const { columns } = (await call('tableSummary', {})) as TableSummary;
      const of = columns.findIndex(({ name }) => name === column);
      const { texts } = (await call('tableTexts', { column: 0 })) as { texts: string[] };
      const converted = convert
        ? [{ name: `${column} (µm²)`, of, factors: texts.map((_, at) => (at === 0 ? null : 0.25)) }]
        : [];
      const added = { keyColumn: 0, keys: texts, columns: [], converted };
      const table = (await call('extendTable', added)) as TableSummary;
      endpoint.send('extended', { table });
      return { imagesWithout: convert ? 1 : 0 };
    },
    tableFormulaPreview: params =>
      call('tableFormulaPreview', params) as Promise<FormulaRequests['tableFormulaPreview']['result']>,
    setFormulas: async ({ computed }) => {
      record('setFormulas', computed);
      const table = (await call('computeColumns', { computed })) as TableSummary;
      endpoint.send('extended', { table });
      return {};
    },
    lastFormulas: () => ({ computed: options.lastFormulas ?? [] }),
    copy: ({ text }) => {
      record('copy', text);
      return {};
    },
    saveView: params => {
      record('saveView', params);
      return { saved: { name: 'objects-filtered.csv', rows: 12 } };
    },
    saveGroups: params => {
      record('saveGroups', params);
      return { saved: { name: 'objects-groups.csv', groups: 3 } };
    },
    saveUnitGroups: params => {
      record('saveUnitGroups', params);
      return { saved: { name: 'objects-groups.csv', groups: 3 } };
    },
    studyColumns: async () => {
      const { columns } = (await call('tableSummary', {})) as TableSummary;
      const named = (name: string) => columns.flatMap(column => (column.name === name ? [column.index] : []));
      return {
        condition: [...named('Treatment'), ...named('Condition')],
        replicate: [...named('Donor'), ...named('Day')],
        technical: named('Rep'),
        well: named('Well'),
        plate: named('Plate'),
        hasAreas: true,
      };
    },
    savePlates: params => {
      record('savePlates', params);
      return { saved: { name: 'objects-wells.csv', wells: 96 } };
    },
    pixelSizesDiffer: async () => {
      const { columns } = (await call('tableSummary', {})) as TableSummary;
      return { differ: columns.some(({ name }) => name === 'Area (µm²)') };
    },
    saveValues: params => {
      record('saveValues', params);
      return { saved: { name: 'objects-values.csv', rows: 24 } };
    },
    savePlot: ({ name, type, data }) => {
      const text = type === 'svg' ? new TextDecoder().decode(data) : '';
      record('savePlot', [name, type, new Uint8Array(data.slice(0, 8)), data.byteLength, text]);
      const blob = new Blob([data], { type: type === 'svg' ? 'image/svg+xml' : 'image/png' });
      Object.assign(globalThis, { savedPlot: blob });
      return { saved: { name: `${name}.${type}` } };
    },
    imageColumns: async () => ({ ...(await images()), taken: ['Area'] }),
    editImages: async ({ edits, columns }) => {
      await edit(edits, columns);
      return {};
    },
    joinSampleSheet: async ({ again: { key, isHeaderFirst = false } = {} }) => {
      const before = await images();
      const { images: paths } = before;
      const again = paths.map((path, at) => [
        path,
        paths.at(at - 1) ?? '',
        at % 4 === 1 ? '' : String(at % 3),
      ]);
      // The first one has a title; the second one two columns that could name images, and empties
      // cells.
      const sheet = before.columns.some(({ name }) => name === 'Dose')
        ? { header: ['Slide', 'Control slide', 'Dose'], rows: again }
        : {
            header: ['Plate 1'],
            rows: [
              ['File', 'Dose', 'Area'],
              ...paths
                .slice(1)
                .map((path, at) => [
                  at % 8 === 0 ? path.replace(/\.\w+$/, '').toUpperCase() : path,
                  String(at % 3),
                  '1',
                ]),
              ['x.tif', '9', '2'],
            ],
          };
      return {
        name: 'samples.csv',
        ...joinSheet(sheet, before, { taken: ['Area'], ...(key && { key }), isHeaderGiven: isHeaderFirst }),
      };
    },
    saveSampleSheet: () => ({ saved: { name: 'sample-sheet.csv', rows: 24 } }),
    imageLinks: () => ({ groups: [], isCut: false, byHand: [] }),
    linkThumbnail: () => ({ width: 1, height: 1, labels: new Uint32Array(1).buffer }),
    linkImages: params => {
      record('linkImages', params);
      return { groups: [], isCut: false, byHand: [] };
    },
    relink: async params => {
      record('relink', params);
      const { link } = await open();
      if (!link) throw new CodedError('bad-request', 'No masks are open');
      const { columns } = params;
      return {
        ...link,
        ...(columns && { chosenColumns: { image: columns.image.index, id: columns.id.index } }),
      };
    },
  });
  for (const name of ['hover', 'select', 'shown', 'filtered', 'showMasks', 'failure'] as const) {
    endpoint.on(name, value => record(name, value));
  }
  endpoint.on('select', row => sessionStorage.setItem('selected', JSON.stringify(row)));
  return Object.assign(fake, { port, endpoint, editElsewhere, changePopulations });
}
