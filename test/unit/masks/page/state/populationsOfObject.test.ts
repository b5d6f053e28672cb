import { signal } from '@preact/signals';
import { deepEqual, equal } from 'node:assert/strict';
import type { ObjectDetails } from '../../../../../src/archives/masksSummary';
import type { FocusedObject } from '../../../../../src/masks/page/state/objectFocus';
import { PopulationsOfObject } from '../../../../../src/masks/page/state/populationsOfObject';
import { fakePanel } from './fakePanel';
import { settled } from './pageStore';

const focus = (row: number | undefined, selected = true): FocusedObject => ({
  details: { ...(row !== undefined && { row }) } as ObjectDetails,
  selected,
});

function populations() {
  const { panel, fail, done } = fakePanel({
    populationsOfRow: ({ row }: { row: number }) => ({
      populations: [{ path: [`Of ${row}`], color: '#000000' }],
    }),
  });
  const now = signal<FocusedObject | undefined>(undefined);
  const model = new PopulationsOfObject({ shownObject: now, panel, fail });
  const shown = () => model.shownPopulations.value?.populations.map(({ path }) => path.join('/'));
  return { model, now, done, shown };
}

describe('The populations of an object', () => {
  it('are those of the selected one, not of one that is pointed at', async () => {
    const { now, done, shown } = populations();
    now.value = focus(3, false);
    await settled();
    deepEqual([shown(), done], [undefined, []]);
    now.value = focus(3);
    await settled();
    deepEqual(shown(), ['Of 3']);
    now.value = focus(4);
    now.value = focus(5);
    equal(shown(), undefined);
    await settled();
    deepEqual(shown(), ['Of 5']);
    now.value = focus(undefined);
    equal(shown(), undefined);
  });

  it('stay while they are loaded anew', async () => {
    const { model, now, done, shown } = populations();
    now.value = focus(3);
    await settled();
    const loading = model.load();
    deepEqual(shown(), ['Of 3']);
    await loading;
    equal(done.length, 2);
  });
});
