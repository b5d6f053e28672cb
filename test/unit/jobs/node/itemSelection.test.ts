import { deepEqual, equal } from 'node:assert/strict';
import { ItemSelection } from '../../../../src/jobs/node/submission';
import { FakeSessions } from './fakeSessions';

describe('The items selected for a job', () => {
  const file = (id: string) => ({ __t: 'File' as const, id });
  const folder = { __t: 'Folder' as const, id: '1', name: 'plate' };
  let selection: ItemSelection;
  let sessions: FakeSessions;

  beforeEach(() => {
    sessions = new FakeSessions();
    sessions.files = { '': [folder, file('2'), file('3')], 1: [file('4')] };
    selection = new ItemSelection(sessions.session, [{ id: '2' }, { id: 'elsewhere' }]);
  });

  it('stay selected while other folders are open', async () => {
    await selection.list.loadMore();
    selection.selectListed(selection.list.items, [file('3')]);
    deepEqual(selection.items, [{ id: 'elsewhere' }, { id: '3' }]);
    selection.openFolder(folder);
    await selection.list.loadMore();
    selection.selectListed(selection.list.items, selection.list.items);
    deepEqual(selection.items, [{ id: 'elsewhere' }, { id: '3' }, { id: '4', folder: 'plate' }]);
    equal(selection.isSelected('2'), false);
  });

  it('are counted that the list of the open folder lacks', async () => {
    const { list } = selection;
    while (list.mayHaveMore) await list.loadMore();
    equal(selection.notListed, 1);
    selection.selectListed(list.items, [file('2'), file('3')]);
    equal(selection.notListed, 1);
    selection.openFolder(folder);
    equal(selection.notListed, 3);
    await selection.list.loadMore();
    selection.selectListed(selection.list.items, [file('4')]);
    equal(selection.notListed, 3);
  });

  it('are counted too while their page of the open folder is not loaded', async () => {
    selection = new ItemSelection(sessions.session, [{ id: '3' }]);
    const { list } = selection;
    await list.loadMore();
    deepEqual([list.items.length, selection.notListed], [2, 1]);
    await list.loadMore();
    deepEqual([list.items.length, selection.notListed], [3, 0]);
  });

  it('are counted in the time of one look at the list', async () => {
    let reads = 0;
    const listed = Array.from({ length: 3000 }, (_, at) => ({
      __t: 'File' as const,
      get id() {
        reads++;
        return String(at);
      },
    }));
    sessions.files = { '': listed };
    const before = listed.map((_, at) => ({ id: String(at) }));
    selection = new ItemSelection(sessions.session, [...before, { id: 'elsewhere' }]);
    while (selection.list.mayHaveMore) await selection.list.loadMore();
    reads = 0;
    equal(selection.notListed, 1);
    equal(reads, listed.length);
  });

  it('come from the folder that is open; its parent stays loaded', async () => {
    await selection.list.loadMore();
    deepEqual(selection.path, []);
    selection.openFolder(folder);
    deepEqual(selection.path, ['plate']);
    equal(selection.list.items.length, 0);
    selection.openFolder({ id: '9' });
    deepEqual(selection.path, ['plate', '9']);
    for (let times = 0; times < 3; times++) selection.openParent();
    deepEqual(selection.path, []);
    equal(selection.list.items[0]?.id, '1');
  });
});
