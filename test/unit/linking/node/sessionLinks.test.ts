import { sessionLinks } from '../../../../src/linking/node/sessionLinks';
import assert from 'node:assert/strict';
import type { ResultSession } from '../../../../src/session/node/resultSession';
import { SessionLinks } from '../../../../src/linking/node/sessionLinks';
import { type EngineRequest, SessionLog } from '../../../../src/session/node/sessionEngine';
import { canceledError, CodedError } from '../../../../src/base/errors';
import { silentLog } from '../../../../src/base/log';
import type { LinkColumns, LinkReport } from '../../../../src/linking/rowLinks';
import type { ObjectRef } from '../../../../src/archives/masksSummary';
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { FilesOnDisk, LinksInMemory, openSession, writeTwoObjects } from '../../session/node/sessionFixture';

const IMAGE = { name: 'Image origin', index: 0 };
const ID = { name: 'Object ID', index: 1 };

const refOf = ({ image, object }: ObjectRef): ObjectRef => ({ image, object });

describe('Rows and objects', () => {
  const signal = new AbortController().signal;
  let files: Awaited<ReturnType<typeof writeTwoObjects>>;
  let session: ResultSession;

  before(async () => (files = await writeTwoObjects()));
  after(() => files.remove());
  afterEach(() => session.dispose());

  function open(): void {
    ({ session } = openSession(new FilesOnDisk(files)));
  }

  it('are linked once masks are open, which fetches the table', async () => {
    open();
    const report = new Promise<LinkReport>(resolve => session.get(sessionLinks).onDidLink(resolve));
    await session.masks.open(signal);
    assert.equal((await report).matched, 2);
    await session.get(sessionLinks).settled();
    assert.equal(session.get(sessionLinks).report?.rowsWithoutObject, 1);
  });

  it('follow the marks of each other', async () => {
    open();
    await session.masks.open(signal);
    await session.get(sessionLinks).settled();
    const heard: (ObjectRef | number | null)[] = [];
    session.get(sessionLinks).hovered.onDidChangeObject(found => heard.push(found && refOf(found)));
    session.get(sessionLinks).hovered.onDidChangeRow(row => heard.push(row));
    await session.get(sessionLinks).hovered.setRow(0);
    await session.get(sessionLinks).hovered.setRow(2);
    await session.get(sessionLinks).hovered.setObject({ image: 0, object: 0 });
    await session.get(sessionLinks).hovered.setObject(null);
    assert.deepEqual(heard, [{ image: 0, object: 1 }, null, 1, null]);
  });

  it('both follow a view beside them', async () => {
    open();
    await session.masks.open(signal);
    await session.get(sessionLinks).settled();
    const heard: (ObjectRef | number | null)[] = [];
    session.get(sessionLinks).selected.onDidChangeObject(found => heard.push(found && refOf(found)));
    session.get(sessionLinks).selected.onDidChangeRow(row => heard.push(row));
    for (let time = 0; time < 2; time++)
      await session.get(sessionLinks).selected.show({ image: 0, object: 1 });
    assert.deepEqual(heard, [0, { image: 0, object: 1 }]);
  });

  it('are found together with the details of the object, which are not part of the mark', async () => {
    open();
    await session.masks.open(signal);
    await session.get(sessionLinks).settled();
    const details: unknown[] = [];
    session.get(sessionLinks).selected.onDidChangeObject(found => details.push(found?.details));
    await session.get(sessionLinks).selected.setRow(0);
    const object = { image: 0, object: 1 };
    assert.deepEqual(details, [await session.masks.request('objectDetails', object, signal)]);
    assert.deepEqual(session.get(sessionLinks).selected.object, object);
  });

  it('follow the latest of several marks', async () => {
    open();
    await session.masks.open(signal);
    await session.get(sessionLinks).settled();
    const heard: (ObjectRef | null)[] = [];
    session.get(sessionLinks).hovered.onDidChangeObject(found => heard.push(found && refOf(found)));
    await Promise.all([
      session.get(sessionLinks).hovered.setRow(0),
      session.get(sessionLinks).hovered.setRow(1),
    ]);
    assert.deepEqual(heard, [{ image: 0, object: 0 }]);
  });

  it('follow a row that was selected before the masks were open', async () => {
    open();
    await session.tables.open('objects', signal);
    await session.get(sessionLinks).selected.setRow(0);
    assert.equal(session.get(sessionLinks).selected.object, null);
    await session.masks.open(signal);
    await session.get(sessionLinks).settled();
    assert.deepEqual(session.get(sessionLinks).selected.object, { image: 0, object: 1 });
  });

  it('are marked anew where they are linked in another way', async () => {
    open();
    await session.masks.open(signal);
    await session.get(sessionLinks).settled();
    await session.get(sessionLinks).selected.setRow(0);
    await session.get(sessionLinks).hovered.setObject({ image: 0, object: 0 });
    const heard: unknown[] = [];
    session.get(sessionLinks).selected.onDidChangeObject(found => heard.push(found && refOf(found)));
    session.get(sessionLinks).hovered.onDidChangeRow(row => heard.push(row));
    await session.get(sessionLinks).relink({ image: IMAGE, id: IMAGE });
    assert.deepEqual(heard, [null, null]);
    assert.deepEqual(
      [session.get(sessionLinks).selected.row, session.get(sessionLinks).selected.object],
      [0, null],
    );
    assert.deepEqual(
      [session.get(sessionLinks).hovered.row, session.get(sessionLinks).hovered.object],
      [null, { image: 0, object: 0 }],
    );
    await session.get(sessionLinks).relink({ image: IMAGE, id: ID });
    assert.deepEqual(session.get(sessionLinks).selected.object, { image: 0, object: 1 });
    assert.equal(session.get(sessionLinks).hovered.row, 1);
  });

  it('are linked by other columns when the user chooses them, once masks are open', async () => {
    open();
    await session.tables.open('objects', signal);
    assert.equal(await session.get(sessionLinks).relink({ image: IMAGE, id: IMAGE }), undefined);
    await session.masks.open(signal);
    await session.get(sessionLinks).settled();
    assert.equal(session.get(sessionLinks).report?.matched, 0);
    const report = await session.get(sessionLinks).relink({ image: IMAGE, id: ID });
    assert.deepEqual([report?.matched, session.get(sessionLinks).report], [2, report]);
  });

  it('are linked by the columns that a person chose when the result is opened again, until that is undone', async () => {
    const links = new LinksInMemory();
    const matched = async (paths = files) => {
      ({ session } = openSession(new FilesOnDisk(paths), { links }));
      await session.masks.open(signal);
      await session.get(sessionLinks).settled();
      const { report } = session.get(sessionLinks);
      return [report?.matched, report?.idColumn, report?.chosenColumns];
    };
    const found = await matched();
    await session.get(sessionLinks).relink({ image: IMAGE, id: IMAGE });
    session.dispose();
    assert.deepEqual(await matched(), [0, 'Image origin', { image: 0, id: 0 }]);
    session.dispose();
    // Another table has that column elsewhere, or not at all.
    const moved = join(files.folder, 'moved.csv');
    await writeFile(moved, 'Object ID,Image origin\n1,a.tif\n');
    assert.deepEqual(await matched({ ...files, objects: moved }), [0, 'Image origin', { image: 1, id: 1 }]);
    session.dispose();
    const other = join(files.folder, 'other.csv');
    await writeFile(other, 'Image,Object ID\na.tif,1\n');
    assert.deepEqual(await matched({ ...files, objects: other }), [1, 'Object ID', undefined]);
    session.dispose();
    await matched();
    await session.get(sessionLinks).relink(null);
    session.dispose();
    assert.deepEqual(await matched(), found);
  });
});

describe('A row and an object that table and masks were left with', () => {
  const { signal } = new AbortController();
  const ofRow0 = { image: 0, object: 1 };
  let files: Awaited<ReturnType<typeof writeTwoObjects>>;
  let session: ResultSession;

  before(async () => (files = await writeTwoObjects()));
  after(() => files.remove());
  afterEach(() => session.dispose());

  /** A session of a window that was just loaded, and what its panels are told. */
  function open() {
    ({ session } = openSession(new FilesOnDisk(files)));
    const { selected } = session.get(sessionLinks);
    const told: unknown[] = [];
    selected.onDidChangeObject(found => told.push({ object: found && refOf(found) }));
    selected.onDidChangeRow(row => told.push({ row }));
    const marks: unknown[] = [];
    selected.onDidMark(object => marks.push(object));
    return { selected, told, marks };
  }

  async function link() {
    await session.masks.open(signal);
    await session.get(sessionLinks).settled();
  }

  for (const first of ['table', 'masks'] as const) {
    for (const before of [0, 1, 2]) {
      it(`are both selected again, that of the ${first} first, linked after ${before} of them`, async () => {
        const { selected, told, marks } = open();
        const restore = [() => selected.restoreRow(0), () => selected.restoreObject(ofRow0)];
        if (first === 'masks') restore.reverse();
        for (const [at, restoreOne] of restore.entries()) {
          if (at === before) await link();
          await restoreOne();
        }
        if (before === 2) await link();
        assert.deepEqual([selected.row, selected.object, selected.isSet], [0, ofRow0, true]);
        assert.deepEqual(marks, []);
        // The other side is told the same as it has, and only where links told it first.
        assert.deepEqual(told, before === 2 ? [] : [first === 'table' ? { object: ofRow0 } : { row: 0 }]);
      });
    }
  }

  it('are those of the side that said it first, where links tell that the other one is outdated', async () => {
    const table = open();
    await table.selected.restoreRow(0);
    await table.selected.restoreObject({ image: 0, object: 0 });
    await link();
    assert.deepEqual([table.selected.row, table.told], [0, [{ object: ofRow0 }]]);
    session.dispose();
    const masks = open();
    await masks.selected.restoreObject(ofRow0);
    await masks.selected.restoreRow(1);
    await link();
    assert.deepEqual([masks.selected.object, masks.told], [ofRow0, [{ row: 0 }]]);
  });

  it('are no longer what counts once something was selected, or nothing, which the page is told', async () => {
    const { selected, told } = open();
    assert.equal(selected.isSet, false);
    await selected.setRow(1);
    assert.equal(selected.isSet, true);
    await selected.restoreRow(0);
    await selected.restoreObject(ofRow0);
    assert.deepEqual(told, [{ row: 1 }, { object: null }]);
    assert.deepEqual([selected.row, selected.object], [1, null]);
  });

  it('give way to what is selected while they are being linked', async () => {
    const { selected } = open();
    await selected.restoreRow(0);
    await selected.restoreObject(ofRow0);
    const linking = link();
    await selected.setRow(1);
    await linking;
    assert.deepEqual([selected.row, selected.object], [1, { image: 0, object: 0 }]);
  });

  it('are news to a view beside them only where something else is selected then', async () => {
    const { selected, marks } = open();
    await selected.restoreRow(0);
    await link();
    await selected.setRow(1);
    assert.deepEqual(marks, [{ image: 0, object: 0 }]);
  });
});

describe('Linking rows', () => {
  const { signal } = new AbortController();

  /** Links of open masks and an open table, and how each of their `linkRows` requests is to end. */
  async function linking({
    whenTableRead = () => Promise.resolve(),
    wouldMeasure = () => Promise.resolve(false),
  }: Partial<Pick<ConstructorParameters<typeof SessionLinks>[0], 'whenTableRead' | 'wouldMeasure'>> = {}) {
    const ends: {
      columns: unknown;
      resolve: (report: LinkReport) => void;
      reject: (error: Error) => void;
    }[] = [];
    let chosen: LinkColumns | undefined;
    const links: SessionLinks = new SessionLinks({
      areMasksOpen: () => true,
      wouldMeasure,
      openTable: () => {
        links.tableOpened();
        return Promise.resolve();
      },
      whenTableRead,
      request: ((method: string, columns: unknown) =>
        method === 'imagePaths'
          ? Promise.resolve({ paths: [] })
          : new Promise((resolve, reject) =>
              ends.push({ columns, resolve, reject }),
            )) as unknown as EngineRequest,
      evidence: {
        params: () => Promise.resolve({ ...(chosen && { columns: chosen }) }),
        withChangeNote: each => Promise.resolve(each),
        setColumns: columns => Promise.resolve(void (chosen = columns)),
      },
      onPaths: () => undefined,
      signal,
      log: new SessionLog(silentLog, signal),
    });
    const reports: LinkReport[] = [];
    links.onDidLink(report => reports.push(report));
    links.masksOpened();
    await turn();
    return { links, ends, reports };
  }

  const turn = () => new Promise(resolve => setImmediate(resolve));
  const report = (matched: number) => ({ matched }) as LinkReport;

  it('begins again where the table is opened anew, and what was found in the one before is told to no one', async () => {
    const { links, ends, reports } = await linking();
    links.tableOpened();
    ends[0]?.resolve(report(1));
    await turn();
    assert.deepEqual([ends.length, links.report], [2, undefined]);
    ends[1]?.resolve(report(2));
    await links.settled();
    assert.deepEqual([reports, links.report], [[report(2)], report(2)]);
  });

  it('begins again where closing the table before ended that', async () => {
    const { links, ends } = await linking();
    links.tableOpened();
    ends[0]?.reject(canceledError());
    await turn();
    ends[1]?.resolve(report(2));
    await links.settled();
    assert.deepEqual(links.report, report(2));
  });

  it('is done once where nothing was opened meanwhile', async () => {
    const { links, ends } = await linking();
    ends[0]?.resolve(report(1));
    await links.settled();
    await turn();
    assert.deepEqual([ends.length, links.report], [1, report(1)]);
  });

  it('links none of a table that is no longer the one', async () => {
    const { links, ends, reports } = await linking();
    links.objectsReplaced();
    ends[0]?.resolve(report(1));
    await turn();
    assert.deepEqual([reports, links.report], [[], undefined]);
  });

  it('waits, by columns that the user chose, for what is under way, and has the last word', async () => {
    const { links, ends, reports } = await linking();
    const relinked = links.relink({ image: IMAGE, id: ID });
    await turn();
    assert.equal(ends.length, 1);
    ends[0]?.resolve(report(1));
    await turn();
    assert.deepEqual(ends[1]?.columns, { columns: { image: IMAGE, id: ID } });
    ends[1]?.resolve(report(2));
    assert.deepEqual([await relinked, links.report], [report(2), report(2)]);
    assert.deepEqual(reports, [report(1), report(2)]);
  });

  it('tells a failure to the user who chose the columns, and goes on', async () => {
    const { links, ends } = await linking();
    const relinked = links.relink({ image: IMAGE, id: ID });
    ends[0]?.reject(new CodedError('bad-request', 'No such column'));
    await turn();
    ends[1]?.reject(new CodedError('bad-request', 'No such column'));
    await assert.rejects(relinked, { code: 'bad-request' });
    await links.settled();
    links.tableOpened();
    await turn();
    assert.equal(ends.length, 3);
  });

  it('links the rows that were read before a table proved damaged', async () => {
    const damaged = new CodedError('damaged-table', 'A quote that is never closed');
    const { links, ends } = await linking({ whenTableRead: () => Promise.reject(damaged) });
    ends[0]?.resolve(report(1));
    await links.settled();
    assert.deepEqual(links.report, report(1));
  });

  it('ends where the table is gone before its rows were read', async () => {
    const { links, ends } = await linking({ whenTableRead: () => Promise.reject(canceledError()) });
    await links.settled();
    assert.deepEqual([ends.length, links.report], [0, undefined]);
  });

  it('measures no table, but links one that was measured for its panel in the meantime', async () => {
    for (const opensItself of [false, true]) {
      let measures: (would: boolean) => void = () => undefined;
      const { links, ends } = await linking({
        wouldMeasure: () => new Promise(resolve => (measures = resolve)),
      });
      if (opensItself) links.tableOpened();
      measures(true);
      await turn();
      assert.equal(ends.length, opensItself ? 1 : 0);
    }
  });
});
