import { deepEqual } from 'node:assert/strict';
import type { MasksPageSide, MasksPanelSide } from '../../../../../src/masks/masksPage';
import type { RpcEndpoint } from '../../../../../src/protocol/rpc';
import { ObjectSelection, RegionSelection } from '../../../../../src/masks/page/state/objectSelection';
import { PageText, type MasksText } from '../../../../../src/pages/page/pageText';
import { masksTexts } from '../../../../../src/pages/masksTexts';
import { plainEnglish } from '../../../../../src/words/translate';

const HIDDEN = 9;
const text: MasksText = new PageText(masksTexts(plainEnglish), 'en');

/** What is said after a region that holds these objects, which have this number of rows in the table. */
async function saidOf(
  objects: number[],
  rows: number,
  several = new ObjectSelection(() => undefined),
): Promise<string[]> {
  const said: string[] = [];
  const request = (name: string) => Promise.resolve(name === 'objectsInRegion' ? { objects } : { rows });
  const selection = new RegionSelection({
    panel: { request } as unknown as RpcEndpoint<MasksPageSide, MasksPanelSide>,
    text,
    scene: () => ({
      image: { index: 0 },
      signal: new AbortController().signal,
      isShown: object => object !== HIDDEN,
    }),
    selection: several,
    onSelected: words => said.push(words),
    onFailure: error => said.push(String(error)),
  });
  await selection.select([0, 0, 1, 0, 1, 1]);
  return said;
}

/** A region selection whose responses about the objects inside come when they are called, in the order requested. */
function slowRegions() {
  const responses: ((objects: number[]) => void)[] = [];
  const several = new ObjectSelection(() => undefined);
  const said: string[] = [];
  const request = (name: string, { objects = [] }: { objects?: number[] }) =>
    name === 'objectsInRegion'
      ? new Promise(resolve => responses.push(inside => resolve({ objects: inside })))
      : Promise.resolve({ rows: objects.length });
  const regions = new RegionSelection({
    panel: { request } as unknown as RpcEndpoint<MasksPageSide, MasksPanelSide>,
    text,
    scene: () => ({ image: { index: 0 }, signal: new AbortController().signal, isShown: () => true }),
    selection: several,
    onSelected: words => said.push(words),
    onFailure: error => said.push(String(error)),
  });
  return { regions, responses, several, said };
}

describe('a region drawn on the masks', () => {
  it('says how many objects were selected and how many rows they have', async () => {
    deepEqual(await saidOf([1, 2, 3], 2), ['3 objects selected, 2 table rows']);
    deepEqual(await saidOf([1], 4), ['1 object selected, table rows: 4']);
  });

  it('selects the shown objects in place of others, and leaves a selection alone where there are none', async () => {
    const several = new ObjectSelection(() => undefined);
    several.replace(3, [1]);
    await saidOf([2, HIDDEN, 5], 0, several);
    deepEqual(several.all, [{ image: 0, objects: [2, 5] }]);
    await saidOf([HIDDEN], 0, several);
    deepEqual(several.count, 2);
  });

  it('is the one drawn last, whichever response arrives first', async () => {
    const { regions, responses, several, said } = slowRegions();
    const both = [regions.select([0, 0, 9, 0, 9, 9]), regions.select([0, 0, 1, 0, 1, 1])];
    responses[1]?.([5]);
    responses[0]?.([1, 2, 3]);
    await Promise.all(both);
    deepEqual(several.all, [{ image: 0, objects: [5] }]);
    deepEqual(said, ['1 object selected, table rows: 1']);
  });

  it('selects nothing once it is canceled', async () => {
    const { regions, responses, several, said } = slowRegions();
    const selecting = regions.select([0, 0, 9, 0, 9, 9]);
    regions.cancel();
    responses[0]?.([1, 2, 3]);
    await selecting;
    deepEqual([several.count, said], [0, []]);
  });

  it('says when none of the objects has a row, or there is none', async () => {
    deepEqual(await saidOf([1, 2], 0), ['2 objects selected, none has a table row']);
    deepEqual(await saidOf([], 0), ['No objects there']);
  });
});
