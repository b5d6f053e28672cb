import { signal } from '@preact/signals';
import { Emitter } from '../../../../../src/base/event';
import type { MasksStart } from '../../../../../src/masks/masksPage';
import type { ShownMaskImage } from '../../../../../src/archives/masksSummary';
import type { Scene } from '../../../../../src/masks/page/state/imageModel';
import { MasksStore } from '../../../../../src/masks/page/state/masksStore';
import type { MasksViewState } from '../../../../../src/masks/page/state/masksViewState';
import type { Box } from '../../../../../src/masks/page/tiles/viewTransform';

export function image(index: number, filename: string, objectCount: number): ShownMaskImage {
  const size = { width: 100, height: 80, classCounts: [objectCount], unreadableCount: 0, unreadable: [] };
  return { index, id: `${index}`, filename, objectCount, ...size };
}

/** A signal that is in a set for as long as anybody follows it. */
function watchedSignal<T>(followed: Set<unknown>) {
  return signal<T | undefined>(undefined, {
    watched() {
      followed.add(this);
    },
    unwatched() {
      followed.delete(this);
    },
  });
}

/** What is painted of an image, whose objects arrive when the test says so. */
export class FakeScene implements Scene {
  /** Its signals that somebody follows. */
  readonly followed = new Set<unknown>();
  arrive: () => void = () => undefined;
  fail: (error: Error) => void = () => undefined;
  filtered: Promise<void> = Promise.resolve();
  wasPainted = false;
  box: Box | undefined;
  hidden = -1;
  readonly painted = Promise.resolve();
  readonly objects = watchedSignal<{ classes: Uint16Array }>(this.followed);
  readonly matching = watchedSignal<Uint8Array>(this.followed);
  readonly shownCount = watchedSignal<number>(this.followed);
  readonly boxes: [object: number, box: Box][] = [];
  readonly filters: (Uint8Array | undefined)[] = [];
  private readonly closing = new AbortController();
  private readonly loading = new Promise<void>((resolve, reject) => {
    this.arrive = resolve;
    this.fail = reject;
  });

  constructor(readonly image: ShownMaskImage) {}

  get signal(): AbortSignal {
    return this.closing.signal;
  }

  load = () => this.loading;
  dispose = () => this.closing.abort();
  pointedAt = () => undefined;
  boxOf = () => this.box;
  loadBox = () => Promise.resolve(this.box);
  setBox = (object: number, box: Box) => void this.boxes.push([object, box]);
  objectNear = () => undefined;
  isShown = (object: number) => object !== this.hidden;
  applyFilter = (known?: Uint8Array) => {
    this.filters.push(known);
    return Promise.resolve();
  };
}

/** What is requested of each image after its objects. */
const ofImage: Readonly<Record<string, (params: never) => unknown>> = {
  backgroundImage: () => ({ state: 'missing', how: '' }),
  objectAreas: () => ({ areas: new ArrayBuffer(0), kind: 'uint8', count: 0 }),
};

interface PageOptions {
  /** As it was saved. */
  view?: Partial<MasksViewState>;
  start?: Partial<MasksStart>;
  /** Responses of the panel, by request; without one it fails. */
  responses?: Readonly<Record<string, (params: never) => unknown>>;
}

/**
 * The store of a page of three images, with its scenes, and what its verbs had done: saved, sent,
 * requested, shown.
 */
export function pageStore({ view = {}, start = {}, responses = {} }: PageOptions = {}) {
  const whole: MasksStart = {
    title: 'plate.zip',
    masks: {
      classes: [{ name: 'Cell', count: 0 }],
      images: [image(0, 'b.tif', 5), image(1, 'a.tif', 9), image(2, 'c.png', 1)],
      notes: [],
    },
    opacity: 0.5,
    hovered: null,
    selected: null,
    classColors: {},
    pixelSizes: {},
    selections: {},
    filtered: null,
    choosesTable: false,
    hasMasks: true,
    ...start,
  };
  let saved = view;
  const updated = new Emitter<void>();
  const done: unknown[] = [];
  const requested: string[] = [];
  const said: string[] = [];
  const scenes: FakeScene[] = [];
  const canvas = {
    zoomBy: (factor: number) => done.push(`zoom ${factor}`),
    fit: () => done.push('fit'),
    actualSize: () => done.push('1:1'),
    zoomTo: (box: Box) => done.push(`zoom to ${box.join()}`),
    reveal: (box: Box, inSteps: boolean) => done.push(`${inSteps ? 'moves' : 'jumps'} to ${box.join()}`),
    regionInView: [],
    pointer: { cancelRegion: () => false },
  };
  const store: MasksStore = new MasksStore({
    start: whole,
    port: {
      get view() {
        return saved;
      },
      updateView: ({ history, ...changes }) => {
        saved = { ...saved, ...changes, ...(history && { history }) };
        if (Object.keys(changes).length > 0) done.push(changes);
        updated.fire();
      },
      onDidUpdateView: updated.event,
    },
    panel: {
      send: (event: string) => void done.push(event),
      request: (method: string, params: never) => {
        requested.push(method);
        const response = { ...ofImage, ...responses }[method];
        return response ? Promise.resolve(response(params)) : Promise.reject(new Error(`No ${method}`));
      },
    } as never,
    stage: () => ({
      canvas,
      makeScene: of => {
        const scene = new FakeScene(of);
        scenes.push(scene);
        return scene;
      },
      setImage: (_, at) => done.push(at ? { shown: at } : 'shown whole'),
      capture: () => Promise.resolve(new Blob(['png'])),
    }),
  });
  store.messages.said.subscribe(words => words && said.push(words));
  const { images } = whole.masks;
  return { store, images, scenes, done, requested, said, saved: () => saved };
}

/** Resolves once all that was under way has come. */
export const settled = () => new Promise<void>(done => setImmediate(done));
