import { deepEqual } from 'node:assert/strict';
import type { ObjectDetails, ObjectRef } from '../../../../../src/archives/masksSummary';
import type { MasksPageSide, MasksPanelSide } from '../../../../../src/masks/masksPage';
import type { RpcEndpoint } from '../../../../../src/protocol/rpc';
import { ObjectFocus } from '../../../../../src/masks/page/state/objectFocus';

const object = (number: number): ObjectRef => ({ image: 0, object: number });
const settled = () => new Promise(resolve => setImmediate(resolve));

/** What the inspector and the status line show after each step, by the numbers of the objects. */
function focusUnderTest() {
  const requested: number[] = [];
  const saved: unknown[] = [];
  const request = (_name: string, { object: number }: ObjectRef) => {
    requested.push(number);
    return Promise.resolve({ object: number });
  };
  const focus = new ObjectFocus({
    images: [{ index: 0, id: 'a', objectCount: 300 }],
    panel: { request, send: () => undefined } as unknown as RpcEndpoint<MasksPageSide, MasksPanelSide>,
    port: { view: { selected: object(3) }, updateView: view => saved.push(view) },
    arrived: () => undefined,
    stack: () => undefined,
    failed: error => {
      throw error;
    },
  });
  const after = async (step: () => void) => {
    step();
    await settled();
    const [shown, beside] = [focus.shown.value, focus.hoveredBeside.value];
    return {
      ...(shown && { inspector: `${shown.details.object}${shown.selected ? ' selected' : ''}` }),
      ...(beside && { beside: beside.details.object }),
    };
  };
  return { focus, after, requested, saved };
}

describe('The object in focus', () => {
  it('is the one under the pointer while none is selected', async () => {
    const { focus, after } = focusUnderTest();
    deepEqual(await after(() => focus.followHovered(object(1))), { inspector: '1' });
    deepEqual(await after(() => focus.followHovered(null)), {});
  });

  it('stays the selected one, wherever the pointer rests; the other is only named', async () => {
    const { focus, after } = focusUnderTest();
    await after(() => focus.followHovered(object(199)));
    deepEqual(await after(() => focus.followSelected(object(200))), {
      inspector: '200 selected',
      beside: 199,
    });
    deepEqual(await after(() => focus.followHovered(object(200))), { inspector: '200 selected' });
    deepEqual(await after(() => focus.followHovered(object(5))), { inspector: '200 selected', beside: 5 });
    deepEqual(await after(() => focus.followSelected(null)), { inspector: '5' });
  });

  it('is not requested where its details came with it', async () => {
    const { focus, after, requested } = focusUnderTest();
    const details = { object: 7 } as ObjectDetails;
    const found = { ...object(7), details };
    deepEqual(await after(() => focus.followSelected(found)), { inspector: '7 selected' });
    deepEqual(
      await after(() => focus.followHovered({ ...object(8), details: { object: 8 } as ObjectDetails })),
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
    await after(() => focus.followSelected({ ...object(7), details: { object: 7 } as ObjectDetails }));
    deepEqual(await after(() => focus.linked()), { inspector: '7 selected' });
    deepEqual(requested, [7]);
  });

  it('is requested once, however often the pointer moves on', async () => {
    const { focus, after, requested } = focusUnderTest();
    await after(() => focus.followSelected(object(7)));
    await after(() => focus.followHovered(object(1)));
    await after(() => focus.followHovered(null));
    deepEqual(requested, [7, 1]);
  });

  it('is saved with the view, and with its image, where it is another one than was saved', () => {
    const { focus, saved } = focusUnderTest();
    focus.followSelected(object(3));
    focus.select({ ...object(4), details: { object: 4 } } as ObjectRef);
    focus.followHovered(object(5));
    focus.select(null);
    deepEqual(saved, [{ selected: { ...object(4), id: 'a', objectCount: 300 } }, { selected: null }]);
  });
});
