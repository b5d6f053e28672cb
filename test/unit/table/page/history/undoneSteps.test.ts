import { deepEqual, equal } from 'node:assert/strict';
import { OpenedTable, useNoScreen } from '../openedTable';

const [IMAGE, CLASS] = [0, 2] as const;

describe('Steps of a table that are undone', () => {
  useNoScreen();
  let page: OpenedTable;
  afterEach(() => page.close());

  it('bring back groups, and open them', async () => {
    page = await OpenedTable.open({ rowCount: 1000 });
    const { groups } = page.store;
    page.store.showGroups();
    await page.settled();
    const by = () => groups.state.value.by;
    const found = () => {
      const content = groups.content.value;
      return content?.kind === 'groups' ? content.groups.total : content?.kind;
    };
    deepEqual([by(), found()], [[CLASS], 3]);
    groups.choose({ by: [IMAGE] });
    await page.settled();
    equal(found(), Math.ceil(1000 / 128));
    groups.open(false);
    equal(await page.move('undo'), 'Undid: Change Groups');
    deepEqual([by(), found(), groups.isOpen.value], [[CLASS], 3, true]);
  });
});
