import { doesNotThrow, throws } from 'node:assert/strict';
import { checkNodes } from '../../../../src/app/commands/checkNodes';

describe('A command of a tree', () => {
  const [mine, others] = [{}, {}];
  const trees = [{ isOutdated: () => false }, { isOutdated: (node: unknown) => node === others }];

  it('is called with nodes of the active account', () => {
    doesNotThrow(() => checkNodes([], trees));
    doesNotThrow(() => checkNodes([mine, [mine, mine], undefined], trees));
  });

  it('is not run with the node that is clicked, or one that is selected, of another account', () => {
    throws(() => checkNodes([others], trees), { code: 'not-found' });
    throws(() => checkNodes([mine, [mine, others]], trees), { code: 'not-found' });
  });
});
