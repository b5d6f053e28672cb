import { deepEqual } from 'node:assert/strict';
import type { MasksPageSide, MasksPanelSide } from '../../../../../src/protocol/masksPage';
import type { RpcEndpoint } from '../../../../../src/protocol/rpc';
import { ObjectSelection } from '../../../../../src/webview/masks/stage/objectSelection';
import { RegionSelection } from '../../../../../src/webview/masks/stage/regionSelection';
import { PageText, type MasksText } from '../../../../../src/webview/page/pageText';
import { masksTexts } from '../../../../../src/words/pages/masksTexts';
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

  it('says when none of the objects has a row, or there is none', async () => {
    deepEqual(await saidOf([1, 2], 0), ['2 objects selected, none has a table row']);
    deepEqual(await saidOf([], 0), ['No objects there']);
  });
});
