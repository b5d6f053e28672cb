import { deepEqual, equal, rejects } from 'node:assert/strict';
import { silentLog } from '../../../../src/base/log';
import { SessionPopulations } from '../../../../src/populations/node/sessionPopulations';
import type { Gate } from '../../../../src/populations/gate';
import { MAX_POPULATIONS, type Population } from '../../../../src/populations/population';
import { ResultChoices } from '../../../../src/results/node/resultChoices';
import type { ResultSource } from '../../../../src/session/node/resultSource';
import { MemoryState } from '../../jobs/node/memoryState';

const signal = new AbortController().signal;
const KEY = 'file:///plate/objects.csv';

function above(name: string, from = 1): Population {
  return { name, gate: { kind: 'range', column: 'Area', from } };
}

const [large, small, bright] = [above('Large', 9), above('Small'), above('Bright')];

describe('The populations of an open result', () => {
  let state: MemoryState;
  let open: { dispose(): void }[];

  beforeEach(() => {
    state = new MemoryState();
    open = [];
  });
  afterEach(() => open.forEach(each => each.dispose()));

  /** A window in which the result is open. */
  function openWindow() {
    const inEngine: string[][] = [];
    const heard: { names: string[]; by: unknown }[] = [];
    const engine = { isGone: false };
    const session = {
      source: { key: KEY } as ResultSource,
      signal,
      log: silentLog,
      request: (_method: string, { populations }: { populations: Population[] }) => {
        if (engine.isGone) return Promise.reject(new Error('the thread is gone'));
        inEngine.push(populations.map(({ name }) => name));
        return Promise.resolve({});
      },
    };
    const choices = new ResultChoices(() => Promise.resolve(state));
    const all = new SessionPopulations(session as never, choices);
    all.onDidChange(({ populations, by }) => heard.push({ names: populations.map(({ name }) => name), by }));
    open.push(all);
    return { all, inEngine, heard, choices, engine };
  }

  const stored = async () => ((await state.read('populations')) as Record<string, unknown>)[KEY];

  it('are those of all windows, whichever has changed them last', async () => {
    const [one, other] = [openWindow(), openWindow()];
    await one.all.tableOpened('objects', signal);
    await other.all.tableOpened('objects', signal);
    await one.all.change('objects', [], [large], signal, 'page of one');
    // The page of the other window hasn't heard of it.
    await other.all.change('objects', [], [small], signal, 'page of the other');
    deepEqual(await stored(), { images: { objects: [small, large] } });
    deepEqual(other.inEngine.at(-1), ['Small', 'Large']);
    equal(other.heard.at(-1)?.by, undefined, 'its page is told what else is there');
    await one.all.refresh();
    deepEqual(one.all.listOf('objects'), [small, large]);
    deepEqual(one.inEngine.at(-1), ['Small', 'Large']);
  });

  it('are told to all pages but that which has changed them', async () => {
    const { all, heard } = openWindow();
    await all.tableOpened('objects', signal);
    await all.change('objects', [], [large], signal, 'a page');
    await all.refresh();
    deepEqual(heard, [{ names: ['Large'], by: 'a page' }]);
  });

  it('lose what a page takes away, and no more', async () => {
    const [one, other] = [openWindow(), openWindow()];
    await one.all.tableOpened('objects', signal);
    await one.all.change('objects', [], [large, small], signal);
    await other.all.tableOpened('objects', signal);
    await other.all.change('objects', [large, small], [large, small, bright], signal);
    await one.all.change('objects', [large, small], [small], signal);
    deepEqual(await stored(), { images: { objects: [small, bright] } });
    await other.all.set('objects', [large], signal);
    deepEqual(await stored(), { images: { objects: [large] } }, 'a program replaces all');
  });

  it('are told where they are stored but the engine could not be', async () => {
    const { all, heard, engine } = openWindow();
    await all.tableOpened('objects', signal);
    engine.isGone = true;
    await rejects(all.change('objects', [], [large], signal), /the thread is gone/);
    deepEqual(await stored(), { images: { objects: [large] } });
    deepEqual(heard, [{ names: ['Large'], by: undefined }]);
  });

  it('are in the engine again, and told, once nobody draws a gate any more', async () => {
    const { all, inEngine } = openWindow();
    const drawn: string[] = [];
    all.onDidDraw(kind => drawn.push(kind));
    await all.tableOpened('objects', signal);
    await all.change('objects', [], [large], signal);
    all.noteDraft('objects');
    await all.sendToEngine('objects');
    await all.sendToEngine('objects');
    deepEqual(inEngine.at(-1), ['Large']);
    deepEqual(drawn, ['objects', 'objects'], 'once for the draft, once without it');
  });

  it('stay where this version can not read them', async () => {
    const later = { name: 'Later', gate: { kind: 'neighbors', of: 'Large' } };
    await state.write('populations', { [KEY]: { images: { objects: [large, later], file: [later] } } });
    const { all } = openWindow();
    await all.tableOpened('objects', signal);
    deepEqual(all.listOf('objects'), [large]);
    await all.change('objects', [large], [small], signal);
    deepEqual(await stored(), { images: { objects: [small, later], file: [later] } });
    await all.change('objects', [small], [], signal);
    deepEqual(await stored(), { images: { objects: [later], file: [later] } });
  });

  it('are told to the engine again once a page that counted others has gone', async () => {
    const { all, inEngine } = openWindow();
    await all.sendToEngine('objects');
    deepEqual(inEngine, [], 'nothing is known of the table');
    await all.tableOpened('objects', signal);
    await all.change('objects', [], [large], signal);
    await all.sendToEngine('objects');
    deepEqual(inEngine, [[], ['Large'], ['Large']]);
  });

  it('stay as they were where they can not be stored', async () => {
    const { all, inEngine } = openWindow();
    await all.tableOpened('objects', signal);
    await all.change('objects', [], [large], signal);
    state.failing = true;
    await rejects(all.change('objects', [large], [small], signal), /the disk is gone/);
    deepEqual(all.listOf('objects'), [large]);
    deepEqual(inEngine.at(-1), ['Large']);
    state.failing = false;
    await all.change('objects', [large], [large, small], signal);
    deepEqual(await stored(), { images: { objects: [large, small] } });
  });

  it('include such filters while they can not be stored, under the names that they have later', async () => {
    const range: Gate = { kind: 'range', column: 'Area', from: 5, to: null };
    const taken = { name: 'Large 2', gate: range, formerName: 'Large' };
    await state.write('populations', { [KEY]: { images: { objects: [large] } } });
    await state.write('filterSets', { [KEY]: { objects: [{ name: 'Large', filters: [range] }] } });
    state.failing = true;
    const { all, inEngine } = openWindow();
    await all.tableOpened('objects', signal);
    deepEqual(all.listOf('objects'), [large, taken]);
    deepEqual(inEngine, [['Large', 'Large 2']]);
    await all.refresh();
    deepEqual(all.listOf('objects'), [large, taken]);
    state.failing = false;
    await all.change('objects', [large, taken], [large, taken, small], signal);
    deepEqual(await stored(), { images: { objects: [large, small, taken] } });
    deepEqual(all.listOf('objects'), [large, small, taken]);
    deepEqual(await state.read('filterSets'), {});
  });

  it('include filters to which an earlier version gave a name, taken over once', async () => {
    const range: Gate = { kind: 'range', column: 'Area', from: 5, to: null };
    const values: Gate = { kind: 'values', column: 'Class', values: ['a'], exclude: true };
    const sets = [
      { name: 'Large', filters: [range] },
      { name: 'Others', filters: [range, values] },
    ];
    const others: Population = { name: 'Others', gate: { kind: 'all', gates: [range, values] } };
    const taken = { name: 'Large 2', gate: range, formerName: 'Large' };
    // The window was closed before they were removed: one of them is there already.
    await state.write('populations', { [KEY]: { images: { objects: [large, others] } } });
    await state.write('filterSets', { [KEY]: { objects: sets, file: sets } });
    const { all } = openWindow();
    await all.tableOpened('objects', signal);
    deepEqual(all.listOf('objects'), [large, others, taken]);
    deepEqual(await state.read('filterSets'), { [KEY]: { file: sets } });
    await state.write('filterSets', { [KEY]: { objects: sets } });
    const again = openWindow();
    await again.all.tableOpened('objects', signal);
    deepEqual(again.all.listOf('objects'), [large, others, taken], 'none is taken over twice');
    await all.change('objects', all.listOf('objects'), [], signal);
    const other = openWindow();
    await other.all.tableOpened('objects', signal);
    deepEqual(other.all.listOf('objects'), []);
  });

  it('do not come back while such filters beyond the limit are stored', async () => {
    const range: Gate = { kind: 'range', column: 'Area', from: 5, to: null };
    const sets = Array.from({ length: MAX_POPULATIONS + 1 }, (_, at) => ({
      name: `Filter ${at}`,
      filters: [range],
    }));
    await state.write('filterSets', { [KEY]: { objects: sets } });
    const { all } = openWindow();
    await all.tableOpened('objects', signal);
    const taken = all.listOf('objects');
    equal(taken.length, MAX_POPULATIONS);
    await all.change('objects', taken, taken.slice(1), signal);
    equal(all.listOf('objects').length, MAX_POPULATIONS - 1);
  });

  it('follow columns that are called otherwise, whether or not a page shows them', async () => {
    const { all, inEngine, choices } = openWindow();
    await all.tableOpened('objects', signal);
    await all.change('objects', [], [large], signal);
    choices.columnsRenamed({ key: 'another result' }, new Map([['Area', 'Size']]));
    choices.columnsRenamed({ key: KEY }, new Map([['Area', 'Area (µm²)']]));
    await all.refresh();
    const renamed = { ...large, gate: { kind: 'range', column: 'Area (µm²)', from: 9 } };
    deepEqual(await stored(), { images: { objects: [renamed] } });
    equal(inEngine.length, 3);
  });
});
