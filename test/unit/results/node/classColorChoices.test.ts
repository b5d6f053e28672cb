import { deepEqual } from 'node:assert/strict';
import { ClassColorChoices } from '../../../../src/results/node/resultChoices';
import { MemoryGlobalState } from './memoryGlobalState';

describe('Class colors', () => {
  it('last for classes of the same name, until they are reset', async () => {
    const state = new MemoryGlobalState();
    await new ClassColorChoices(state).set({ Nucleus: '#112233', Debris: '#445566' });
    await new ClassColorChoices(state).set({ Debris: null });
    deepEqual(new ClassColorChoices(state).all, { Nucleus: '#112233' });
  });

  it("ignore values that aren't colors", async () => {
    const colors = new ClassColorChoices(new MemoryGlobalState());
    await colors.set({ Nucleus: 'url(x)', Debris: 7 });
    deepEqual(colors.all, {});
  });

  it('are stored for the 500 classes set last', async () => {
    const colors = new ClassColorChoices(new MemoryGlobalState());
    const many = Array.from({ length: 600 }, (_, i) => [`Class ${i}`, '#000000'] as const);
    await colors.set(Object.fromEntries(many));
    deepEqual(Object.keys(colors.all).slice(-1), ['Class 599']);
    deepEqual(Object.keys(colors.all).length, 500);
  });
});
