import { deepEqual } from 'node:assert/strict';
import { MasksPreferences } from '../../../../src/ui/panels/masksPreferences';

/** A memento as VS Code keeps it: plain JSON. */
function memento() {
  const kept = new Map<string, string>();
  return {
    get: <T>(key: string, or?: T) => {
      const text = kept.get(key);
      return text === undefined ? (or as T) : (JSON.parse(text) as T);
    },
    update: (key: string, value: unknown) => {
      kept.set(key, JSON.stringify(value));
      return Promise.resolve();
    },
  };
}

describe('what is chosen for masks', () => {
  it('lasts for a class of the same name, until it is taken back', async () => {
    const state = memento();
    await new MasksPreferences(state).setClassColours({ Nucleus: '#112233', Debris: '#445566' });
    await new MasksPreferences(state).setClassColours({ Debris: null });
    deepEqual(new MasksPreferences(state).classColours, { Nucleus: '#112233' });
  });

  it('takes nothing that is no colour', async () => {
    const preferences = new MasksPreferences(memento());
    await preferences.setClassColours({ Nucleus: 'url(x)', Debris: 7 });
    deepEqual(preferences.classColours, {});
  });

  it('keeps no more colours than anybody needs, the latest', async () => {
    const preferences = new MasksPreferences(memento());
    const many = Array.from({ length: 600 }, (_, i) => [`Class ${i}`, '#000000'] as const);
    await preferences.setClassColours(Object.fromEntries(many));
    deepEqual(Object.keys(preferences.classColours).slice(-1), ['Class 599']);
    deepEqual(Object.keys(preferences.classColours).length, 500);
  });

  it('keeps the size of pixels for each image of a result', async () => {
    const preferences = new MasksPreferences(memento());
    await preferences.setPixelSize('job 1', 'a', 0.325);
    await preferences.setPixelSize('job 1', 'b', 0.5);
    await preferences.setPixelSize('job 2', 'a', 1);
    await preferences.setPixelSize('job 1', 'b', undefined);
    deepEqual(preferences.pixelSizes('job 1'), { a: 0.325 });
    deepEqual(preferences.pixelSizes('job 2'), { a: 1 });
    deepEqual(preferences.pixelSizes('job 3'), {});
  });
});
