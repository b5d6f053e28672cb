import { deepEqual } from 'node:assert/strict';
import type { ObjectDetails, ObjectRef } from '../../../../../src/masks/masksSummary';
import type { MasksPageSide, MasksPanelSide } from '../../../../../src/masks/masksPage';
import type { RpcEndpoint } from '../../../../../src/protocol/rpc';
import { ObjectFocus } from '../../../../../src/masks/page/stage/objectFocus';

const object = (number: number): ObjectRef => ({ image: 0, object: number });
const settled = () => new Promise(resolve => setImmediate(resolve));

/** What the inspector and the status line show after each step, by the numbers of the objects. */
function focusUnderTest() {
  const shown: { inspector?: string; beside?: number } = {};
  const requested: number[] = [];
  const request = (_name: string, { object: number }: ObjectRef) => {
    requested.push(number);
    return Promise.resolve({ object: number });
  };
  const focus = new ObjectFocus({
    panel: { request, send: () => undefined } as unknown as RpcEndpoint<MasksPageSide, MasksPanelSide>,
    onChange: () => undefined,
    onDetails: (details, selected) => {
      if (details) shown.inspector = `${details.object}${selected ? ' selected' : ''}`;
      else delete shown.inspector;
    },
    onBeside: details => {
      if (details) shown.beside = details.object;
      else delete shown.beside;
    },
    onFailure: error => {
      throw error;
    },
  });
  const after = async (step: () => void) => {
    step();
    await settled();
    return { ...shown };
  };
  return { focus, after, requested };
}

describe('The object in focus', () => {
  it('is the one under the pointer while none is selected', async () => {
    const { focus, after } = focusUnderTest();
    deepEqual(await after(() => focus.showHovered(object(1))), { inspector: '1' });
    deepEqual(await after(() => focus.showHovered(null)), {});
  });

  it('stays the selected one, wherever the pointer rests; the other is only named', async () => {
    const { focus, after } = focusUnderTest();
    await after(() => focus.showHovered(object(199)));
    deepEqual(await after(() => focus.showSelected(object(200))), { inspector: '200 selected', beside: 199 });
    deepEqual(await after(() => focus.showHovered(object(200))), { inspector: '200 selected' });
    deepEqual(await after(() => focus.showHovered(object(5))), { inspector: '200 selected', beside: 5 });
    deepEqual(await after(() => focus.showSelected(null)), { inspector: '5' });
  });

  it('is not requested where its details came with it', async () => {
    const { focus, after, requested } = focusUnderTest();
    const details = { object: 7 } as ObjectDetails;
    const found = { ...object(7), details };
    deepEqual(await after(() => focus.showSelected(found)), { inspector: '7 selected' });
    deepEqual(
      await after(() => focus.showHovered({ ...object(8), details: { object: 8 } as ObjectDetails })),
      {
        inspector: '7 selected',
        beside: 8,
      },
    );
    deepEqual(requested, []);
  });

  it('is requested again once rows are linked, as its row may be another one', async () => {
    const { focus, after, requested } = focusUnderTest();
    deepEqual(await after(() => focus.linked()), {});
    await after(() => focus.showSelected({ ...object(7), details: { object: 7 } as ObjectDetails }));
    deepEqual(await after(() => focus.linked()), { inspector: '7 selected' });
    deepEqual(requested, [7]);
  });

  it('is requested once, however often the pointer moves on', async () => {
    const { focus, after, requested } = focusUnderTest();
    await after(() => focus.showSelected(object(7)));
    await after(() => focus.showHovered(object(1)));
    await after(() => focus.showHovered(null));
    deepEqual(requested, [7, 1]);
  });
});
