import { sessionLinks } from '../../../../src/linking/node/sessionLinks';
import * as assert from 'node:assert/strict';
import { Emitter } from '../../../../src/base/event';
import { silentLog } from '../../../../src/base/log';
import { ComparedResults } from '../../../../src/comparison/node/comparedResults';
import {
  comparableResult,
  MasksComparer,
  type OpenedComparison,
} from '../../../../src/comparison/node/masksComparer';
import type { ResultSession } from '../../../../src/session/node/resultSession';
import type { ResultSource } from '../../../../src/session/node/resultSource';
import type { ObjectOfSide } from '../../../../src/comparison/comparisonPage';
import { image, index, rectangle, writeArchive } from '../../archives/engine/archives';
import { InProcessEngine } from '../../session/node/inProcessEngine';
import { openSession } from '../../session/node/sessionFixture';

describe('Tables and masks of two results that are compared', () => {
  const { signal } = new AbortController();
  const archives: { remove: () => Promise<void> }[] = [];
  const sessions: ResultSession[] = [];
  let sources: { a: ResultSource; b: ResultSource };
  let opened: OpenedComparison;
  let open: Map<string, ResultSession>;
  let begun: Emitter<ResultSession>;
  let compared: ComparedResults;
  let told: [what: 'select' | 'hover', object: ObjectOfSide | null][];

  beforeEach(async () => {
    const source = async (key: string, entries: Record<string, unknown>): Promise<ResultSource> => {
      const made = await writeArchive({ 'index.json': index('Cell'), ...entries });
      archives.push(made);
      return { key, title: key, restore: { key }, path: () => Promise.resolve(made.path) };
    };
    const cells = [rectangle(1, 0, 0, 4, 4), rectangle(2, 10, 10, 14, 14)];
    sources = {
      a: await source('a', {
        '0_objects.json': image('0', 9, 9, [rectangle(1, 0, 0, 4, 4)]),
        'x_objects.json': image('x', 20, 20, cells),
      }),
      // The image is another one there.
      b: await source('b', { 'x_objects.json': image('x', 20, 20, cells) }),
    };
    const comparer = new MasksComparer({ startEngine: () => new InProcessEngine(), log: silentLog });
    opened = await comparer.open(
      comparableResult(sources.a),
      comparableResult(sources.b),
      () => undefined,
      signal,
    );
    open = new Map();
    begun = new Emitter();
    told = [];
    const tell = (what: 'select' | 'hover') => (object: ObjectOfSide | null) =>
      void told.push([what, object]);
    compared = new ComparedResults({
      sources,
      results: { sessionOf: ({ key }) => open.get(key), onDidBegin: begun.event },
      opened: () => opened,
      onSelect: tell('select'),
      onHover: tell('hover'),
    });
  });

  afterEach(async () => {
    compared.dispose();
    opened.dispose();
    for (const session of sessions.splice(0)) session.dispose();
    for (const { remove } of archives.splice(0)) await remove();
  });

  /** Opens the masks of a side after the comparison. */
  async function begin(side: 'a' | 'b'): Promise<ResultSession> {
    const { session } = openSession(sources[side]);
    sessions.push(session);
    open.set(side, session);
    begun.fire(session);
    await session.masks.open(signal);
    return session;
  }

  it('have the comparison show what is selected and pointed at in them', async () => {
    const links = (await begin('a')).get(sessionLinks);
    await links.selected.setObject({ image: 1, object: 0 });
    await links.hovered.setObject({ image: 1, object: 1 });
    await links.selected.setObject(null);
    const ofB = (await begin('b')).get(sessionLinks);
    await ofB.selected.setObject({ image: 0, object: 1 });
    assert.deepEqual(told, [
      ['select', { side: 'a', image: 1, object: 0 }],
      ['hover', { side: 'a', image: 1, object: 1 }],
      ['select', null],
      ['select', { side: 'b', image: 0, object: 1 }],
    ]);
  });

  it('leave its selection alone where an image is not compared, but point at nothing there', async () => {
    const links = (await begin('a')).get(sessionLinks);
    await links.selected.setObject({ image: 0, object: 0 });
    await links.hovered.setObject({ image: 0, object: 0 });
    assert.deepEqual(told, [['hover', null]]);
  });

  it('follow the comparison without telling it what it selected itself', async () => {
    const a = await begin('a');
    const b = await begin('b');
    compared.show({ images: { a: 1, b: 0 }, a: 1, b: 0, byTable: false });
    await new Promise<void>(resolve => {
      b.get(sessionLinks).selected.onDidChangeObject(() => resolve());
    });
    assert.deepEqual(a.get(sessionLinks).selected.object, { image: 1, object: 1 });
    assert.deepEqual(b.get(sessionLinks).selected.object, { image: 0, object: 0 });
    assert.deepEqual(told, []);
    // What is selected there later is told, also if it is the same again.
    await a.get(sessionLinks).selected.setObject(null);
    await a.get(sessionLinks).selected.setObject({ image: 1, object: 1 });
    assert.deepEqual(told[1], ['select', { side: 'a', image: 1, object: 1 }]);
  });
});
