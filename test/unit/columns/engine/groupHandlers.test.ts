import { deepEqual, equal, rejects } from 'node:assert/strict';
import { readFile } from 'node:fs/promises';
import { isCoded } from '../../../../src/base/errors';
import { groupsOfView, saveGroupsOfView } from '../../../../src/columns/engine/groupHandlers';
import type { Filter } from '../../../../src/columns/viewSpec';
import { TableView } from '../../../../src/columns/engine/tableView';
import { TableTexts } from './tableTexts';

const texts = new TableTexts();
before(() => texts.start());
after(() => texts.end());

const { signal } = new AbortController();
const grouping = { sort: [], measures: [2], statistics: ['mean' as const, 'sd' as const] };

describe('groups of a view', () => {
  it('come in windows, of the rows that match the filters', async () => {
    const rows = Array.from({ length: 3000 }, (_, at) => `c${at % 1000},${at % 2},${at}`);
    const view = new TableView(await texts.table(`c,half,v\n${rows.join('\n')}\n`));
    const filters: Filter[] = [{ kind: 'range', column: 1, from: 1, to: 1 }];
    const order = { of: { kind: 'rows' as const }, descending: true };
    const params = { ...grouping, by: [0], filters, order };
    const window = await groupsOfView(view, { ...params, start: 400, end: 600 }, signal);
    deepEqual([window.total, window.groups.length], [500, 100]);
    deepEqual(window.groups[0], { keys: ['c801'], row: 801, rows: 3, values: [1801, 1000] });
    equal(window.all.rows, 1500);
    equal(window.all.values[0], 1500);
    deepEqual((await groupsOfView(view, { ...params, start: 600, end: 700 }, signal)).groups, []);
    await rejects(groupsOfView(view, { ...params, start: 0, end: 10_001 }, signal), error =>
      isCoded(error, 'bad-request'),
    );
    const statistics = ['mode' as 'mean'];
    await rejects(groupsOfView(view, { ...params, statistics, start: 0, end: 1 }, signal), error =>
      isCoded(error, 'bad-request'),
    );
    await rejects(groupsOfView(view, { ...params, by: [7], start: 0, end: 1 }, signal), error =>
      isCoded(error, 'bad-request'),
    );
  });

  it('come in parts where their keys are long, each key cut', async () => {
    const rows = Array.from(
      { length: 900 },
      (_, at) => `${String(at).padStart(4, '0')}${'x'.repeat(2500)},1,2`,
    );
    const view = new TableView(await texts.table(`c,a,v\n${rows.join('\n')}\n`));
    const { groups, total } = await groupsOfView(view, { ...grouping, by: [0], start: 0, end: 900 }, signal);
    equal(total, 900);
    equal(groups.length, 768);
    equal(groups[0]?.keys[0]?.length, 2000);
  });

  it('are saved in their order with all digits, missing keys empty, texts unchanged', async () => {
    const view = new TableView(
      await texts.table('c;i;v\n=1+1;1;0,1\n=1+1;2;0,2\n"a;""b""";3;1,5\n;4;\n', { decimalComma: true }),
    );
    const destination = await texts.file('old');
    const params = {
      ...grouping,
      by: [0],
      order: { of: { kind: 'value' as const, value: 0 }, descending: true },
      header: ['c', 'n', 'v (Mean)', 'v (SD)'],
      destination,
    };
    await rejects(saveGroupsOfView(view, params, true, signal), error => isCoded(error, 'exists'));
    equal(await readFile(destination, 'utf8'), 'old');
    const { groups, bytes } = await saveGroupsOfView(view, { ...params, overwrite: true }, true, signal);
    const written = await readFile(destination, 'utf8');
    const sd = String(Math.sqrt(0.005)).replace('.', ',');
    const [header, ...lines] = written.trimEnd().split('\n');
    equal(header, 'c;n;v (Mean);v (SD)');
    deepEqual(
      lines.map(line => line.split(';').slice(0, -1).join(';')),
      ['"a;""b""";1;1,5', `=1+1;2;${String((0.1 + 0.2) / 2).replace('.', ',')}`, ';1;'],
    );
    equal(lines[1]?.split(';').at(-1)?.slice(0, 10), sd.slice(0, 10));
    deepEqual([groups, bytes], [3, Buffer.byteLength(written)]);
    const marked = { ...params, header: ['c', 'n', 'µ', 'σ'], overwrite: true, markHeader: true };
    const again = await saveGroupsOfView(view, marked, true, signal);
    const text = await readFile(destination, 'utf8');
    deepEqual([text.split('\n')[0], again.bytes], ['\ufeffc;n;µ;σ', Buffer.byteLength(text)]);
    const own = view.table.paths[0] ?? '';
    await rejects(
      saveGroupsOfView(view, { ...params, destination: own, overwrite: true }, true, signal),
      error => isCoded(error, 'bad-request'),
    );
  });
});
