import type { StoredImageLinks } from '../../archives/imageIdentity';
import type { LinkedByHand } from '../../archives/imageIdentity';
import * as v from 'valibot';
import type { Disposable } from '../../base/disposable';
import { Emitter } from '../../base/event';
import { asRecord, type StoredKind } from '../../base/storedKind';
import type { Accounts } from '../../accounts/node/accounts';
import type { StateStore } from '../../accounts/node/stateFiles';
import type { TableChoice } from '../../columns/tableSummary';
import { namedFilters } from '../../columns/namedFilter';
import type { BackgroundImageUse } from '../../images/backgroundImagePairing';
import type { TableKind } from '../../service/resultParts';
import { type GlobalState, OLD_KEYS } from './oldChoices';

/** The result that a choice was made for. */
export interface ChoiceOwner {
  /** Identifies a result. */
  readonly key: string;
  /** Its account; a file on disk has none. */
  readonly accountId?: string | undefined;
}

/** The file that a person chose as the background image of an image. */
interface BackgroundImageChoice {
  uri: string;
  /** Set where it has another size than the masks. */
  use?: BackgroundImageUse;
}

const oldFilterSets = v.array(
  v.object({ name: v.pipe(v.string(), v.trim(), v.nonEmpty(), v.maxLength(100)), filters: namedFilters }),
);

/** Filters that an object has to match all, with a name. */
type OldFilterSet = v.InferOutput<typeof oldFilterSets>[number];

/**
 * Choices as they are stored: by result and image ID, tables by the part that uses them. A
 * background image without `use` is stored as its URI alone.
 */
interface StoredChoices {
  backgroundImages: Record<string, Record<string, string | { uri: string; use: BackgroundImageUse }>>;
  pixelSizes: Record<string, Record<string, number>>;
  tables: Record<string, Record<string, TableChoice>>;
  /** The path in the table that a person linked an image to. */
  imageLinks: Record<string, Record<string, string>>;
  /** Images of B that a person paired with images of A, by imageKey and the results' keys. */
  comparedImages: Record<string, Record<string, string>>;
  /** How images of the same name were linked at the last visit, as a digest by `images`. */
  lastLinks: Record<string, Record<string, string>>;
  /**
   * Filters of a table to which an earlier version gave a name, by the part of the result that it
   * is.
   */
  filterSets: Record<string, Record<string, OldFilterSet[]>>;
}

type Kind = keyof StoredChoices;

/** A subject's values of a result have this name; those of jobs from here, in their records. */
const VALUE = 'images';

/** Results with stored choices, per account; beyond it the longest unchanged are dropped. */
const MAX_RESULTS = 1000;

/**
 * What a person chose for a result: background images and pixel sizes of its images, and its table.
 * Choices are stored in the state of the result's account, so sign-out removes them; those for
 * files on disk are stored in a state of their own.
 */
export class ResultChoices {
  private readonly sized = new Emitter<ChoiceOwner>();
  /** Pixel sizes of a result are others. */
  readonly onDidSetPixelSizes = this.sized.event;
  private readonly renamed = new Emitter<{ key: string; names: ReadonlyMap<string, string> }>();
  /** Columns that all tables of a result have are called otherwise, by the result's key. */
  readonly onDidRenameColumns = this.renamed.event;
  private turn: Promise<unknown> = Promise.resolve();

  /** `stateOf` gives the state of an account, or that of files on disk. */
  constructor(private readonly stateOf: (accountId: string | undefined) => Promise<StateStore>) {}

  /** µm per pixel by image ID. */
  async pixelSizes(result: ChoiceOwner): Promise<Record<string, number>> {
    return (await this.read('pixelSizes', result.accountId))[result.key] ?? {};
  }

  /** Stores µm per pixel of images by ID; null removes one. */
  async setPixelSizes(
    result: ChoiceOwner,
    pixelSizes: Readonly<Record<string, number | null>>,
  ): Promise<void> {
    await this.change('pixelSizes', result.accountId, all =>
      withImages(
        all,
        result.key,
        Object.entries(pixelSizes).map(([id, size]) => [id, size ?? undefined]),
      ),
    );
    this.sized.fire(result);
  }

  async backgroundImage(result: ChoiceOwner, imageId: string): Promise<BackgroundImageChoice | undefined> {
    const stored = (await this.read('backgroundImages', result.accountId))[result.key]?.[imageId];
    return typeof stored === 'string' ? { uri: stored } : stored;
  }

  /** The IDs of the images of a result that have one. */
  async imagesWithBackground(result: ChoiceOwner): Promise<ReadonlySet<string>> {
    const stored = (await this.read('backgroundImages', result.accountId))[result.key];
    return new Set(Object.keys(stored ?? {}));
  }

  /** Stores it; undefined removes it. */
  async setBackgroundImage(
    result: ChoiceOwner,
    imageId: string,
    choice: BackgroundImageChoice | undefined,
  ): Promise<void> {
    const stored = choice?.use ? { uri: choice.uri, use: choice.use } : choice?.uri;
    await this.change('backgroundImages', result.accountId, all =>
      withImage(all, result.key, imageId, stored),
    );
  }

  /** The objects table of masks that come without one. */
  async objectsTable(result: ChoiceOwner): Promise<TableChoice | undefined> {
    return (await this.read('tables', result.accountId))[result.key]?.['objects'];
  }

  /** Stores it; undefined removes it. */
  async setObjectsTable(result: ChoiceOwner, choice: TableChoice | undefined): Promise<void> {
    await this.change('tables', result.accountId, all => withImage(all, result.key, 'objects', choice));
  }

  /** Links of images to paths of the table that a person made. */
  async imageLinks(result: ChoiceOwner): Promise<LinkedByHand[]> {
    const links = (await this.read('imageLinks', result.accountId))[result.key] ?? {};
    return Object.entries(links).map(([image, path]) => ({ image, path }));
  }

  /** Stores all of them. */
  async setImageLinks(result: ChoiceOwner, links: readonly LinkedByHand[]): Promise<void> {
    await this.change('imageLinks', result.accountId, all => {
      const results = new Map(Object.entries(all));
      results.delete(result.key);
      const paths = Object.fromEntries(links.map(({ image, path }) => [image, path]));
      if (links.length > 0) results.set(result.key, paths);
      return Object.fromEntries([...results].slice(-MAX_RESULTS));
    });
  }

  /** Pairs of images that a person made to compare two results, as earlier versions stored them. */
  async comparedImages(compared: ChoiceOwner): Promise<{ a: string; b: string }[]> {
    const pairs = (await this.read('comparedImages', compared.accountId))[compared.key] ?? {};
    return Object.entries(pairs).map(([a, b]) => ({ a, b }));
  }

  async removeComparedImages({ key, accountId }: ChoiceOwner): Promise<void> {
    await this.change('comparedImages', accountId, all => {
      const { [key]: removed, ...others } = all;
      return removed ? others : all;
    });
  }

  /** A subject's sound value of a result, if any. */
  async value<V>(kind: StoredKind<V>, result: ChoiceOwner): Promise<V | undefined> {
    return kind.valid((await this.readWith(asResults, kind.name, result.accountId))[result.key]?.[VALUE]);
  }

  /** What it has stored for the results of an account, by their keys. */
  async values<V>(kind: StoredKind<V>, accountId: string | undefined): Promise<Record<string, V>> {
    const all = Object.entries(await this.readWith(asResults, kind.name, accountId));
    return Object.fromEntries(
      all.flatMap(([key, stored]) => {
        const value = kind.valid(stored[VALUE]);
        return value === undefined ? [] : [[key, value] as const];
      }),
    );
  }

  /** Stores it; undefined removes it. */
  async setValue<V>(kind: StoredKind<V>, result: ChoiceOwner, value: V | undefined): Promise<void> {
    await this.changeValue(kind, result, () => value);
  }

  /** Changes what is stored of a kind, whatever it is; undefined removes it. */
  async changeValue(
    { name }: Pick<StoredKind<unknown>, 'name'>,
    result: ChoiceOwner,
    edit: (stored: unknown) => unknown,
  ): Promise<void> {
    await this.changeWith(asResults, name, result.accountId, all =>
      withImage<unknown>(all, result.key, VALUE, edit(all[result.key]?.[VALUE])),
    );
  }

  /** Fires when any window may have written it. */
  async watchValue(
    { name }: Pick<StoredKind<unknown>, 'name'>,
    { accountId }: ChoiceOwner,
    onChange: () => void,
  ): Promise<Disposable | undefined> {
    return (await this.stateOf(accountId)).watch?.(name, onChange);
  }

  /** A digest of how images of the same name were linked at the last visit. */
  async lastLinks(result: ChoiceOwner): Promise<string | undefined> {
    return (await this.read('lastLinks', result.accountId))[result.key]?.['images'];
  }

  /** Filters to which an earlier version gave a name. */
  async oldFilterSets(result: ChoiceOwner, part: TableKind): Promise<OldFilterSet[]> {
    return (await this.read('filterSets', result.accountId))[result.key]?.[part] ?? [];
  }

  /** Removes them: they are stored as something else now. */
  async dropOldFilterSets(result: ChoiceOwner, part: TableKind): Promise<void> {
    await this.change('filterSets', result.accountId, all => withImage(all, result.key, part, undefined));
  }

  /** Columns that all tables of a result have are called otherwise: who names them follows. */
  columnsRenamed(result: ChoiceOwner, names: ReadonlyMap<string, string>): void {
    if (names.size > 0) this.renamed.fire({ key: result.key, names });
  }

  async setLastLinks(result: ChoiceOwner, digest: string): Promise<void> {
    await this.change('lastLinks', result.accountId, all => withImage(all, result.key, 'images', digest));
  }

  /** Storage of the links of a result's images. */
  linksOf(result: ChoiceOwner): StoredImageLinks {
    return {
      byHand: () => this.imageLinks(result),
      setByHand: links => this.setImageLinks(result, links),
      last: () => this.lastLinks(result),
      setLast: digest => this.setLastLinks(result, digest),
    };
  }

  /** Adds choices from elsewhere; stored ones win. */
  async addMissing(
    accountId: string | undefined,
    choices: Pick<StoredChoices, 'backgroundImages' | 'pixelSizes'>,
  ): Promise<void> {
    await this.change('backgroundImages', accountId, all => merged(choices.backgroundImages, all));
    await this.change('pixelSizes', accountId, all => merged(choices.pixelSizes, all));
  }

  private read<K extends Kind>(kind: K, accountId: string | undefined): Promise<StoredChoices[K]> {
    return this.readWith(value => validChoices(kind, value), kind, accountId);
  }

  private async readWith<T>(
    parse: (value: unknown) => T,
    name: string,
    accountId: string | undefined,
  ): Promise<T> {
    await this.turn;
    return parse(await (await this.stateOf(accountId)).read(name));
  }

  /** What isn't valid, as of a later version, stays as it is: an edit replaces entries whole. */
  private change<K extends Kind>(
    kind: K,
    accountId: string | undefined,
    edit: (all: StoredChoices[K]) => StoredChoices[K],
  ): Promise<void> {
    return this.changeWith(value => asResults(value) as StoredChoices[K], kind, accountId, edit);
  }

  /** One change at a time: each is made to what the file says then. */
  private changeWith<T>(
    parse: (value: unknown) => T,
    name: string,
    accountId: string | undefined,
    edit: (all: T) => T,
  ): Promise<void> {
    const changing = this.turn.then(async () => {
      const state = await this.stateOf(accountId);
      const before = parse(await state.read(name));
      const after = edit(before);
      if (after !== before) await state.write(name, after);
    });
    this.turn = changing.catch(() => undefined);
    return changing;
  }
}

/** The valid choices of a value that may have been edited by hand. */
function validChoices<K extends Kind>(kind: K, value: unknown): StoredChoices[K] {
  const isText = (stored: unknown) => typeof stored === 'string';
  const isValid = {
    pixelSizes: isPixelSize,
    backgroundImages: isBackgroundImage,
    tables: isTable,
    imageLinks: isText,
    comparedImages: isText,
    lastLinks: isText,
    filterSets: (stored: unknown) => v.is(oldFilterSets, stored),
  }[kind];
  const results = Object.entries(asResults(value)).map(([key, images]) => [
    key,
    Object.fromEntries(Object.entries(images).filter(([, stored]) => isValid(stored))),
  ]);
  return Object.fromEntries(results) as StoredChoices[K];
}

/** What is stored by result, whatever it is. */
function asResults(value: unknown): Record<string, Record<string, unknown>> {
  return Object.fromEntries(Object.entries(asRecord(value)).map(([key, stored]) => [key, asRecord(stored)]));
}

function isPixelSize(value: unknown): boolean {
  return typeof value === 'number' && value > 0;
}

function isTable(value: unknown): boolean {
  const { kind, uri } = asRecord(value);
  return kind === 'measured' || (kind === 'file' && typeof uri === 'string');
}

function isBackgroundImage(value: unknown): boolean {
  if (typeof value === 'string') return true;
  const { uri, use } = asRecord(value);
  return typeof uri === 'string' && typeof use === 'object' && use !== null;
}

/** The choices with one image's changed. Its result becomes the one changed last. */
function withImage<V>(
  all: Record<string, Record<string, V>>,
  result: string,
  imageId: string,
  value: V | undefined,
): Record<string, Record<string, V>> {
  return withImages(all, result, [[imageId, value]]);
}

/** The same of several images. */
function withImages<V>(
  all: Record<string, Record<string, V>>,
  result: string,
  changes: readonly (readonly [imageId: string, value: V | undefined])[],
): Record<string, Record<string, V>> {
  const results = new Map(Object.entries(all));
  const images = new Map(Object.entries(results.get(result) ?? {}));
  for (const [imageId, value] of changes) {
    images.delete(imageId);
    if (value !== undefined) images.set(imageId, value);
  }
  results.delete(result);
  if (images.size > 0) results.set(result, Object.fromEntries(images));
  return Object.fromEntries([...results].slice(-MAX_RESULTS));
}

function merged<V>(
  added: Record<string, Record<string, V>>,
  all: Record<string, Record<string, V>>,
): Record<string, Record<string, V>> {
  if (Object.keys(added).length === 0) return all;
  const results = { ...added, ...all };
  for (const [key, images] of Object.entries(added)) results[key] = { ...images, ...all[key] };
  return Object.fromEntries(Object.entries(results).slice(-MAX_RESULTS));
}

const CLASS_COLORS = 'imageAnalysis.masks.classColors';

/** More than any person sets; beyond it the colors set first are dropped. */
const MAX_COLORS = 500;

/** A person's colors of classes, by class name, for all accounts: names recur in results. */
export class ClassColorChoices {
  constructor(private readonly state: GlobalState) {}

  /** #rrggbb by class name. */
  get all(): Record<string, string> {
    return { ...(this.state.get(CLASS_COLORS) as Record<string, string> | undefined) };
  }

  /** Changes colors; null removes one. Values that aren't colors are ignored. */
  async set(changes: Readonly<Record<string, unknown>>): Promise<void> {
    const colors = new Map(Object.entries(this.all));
    for (const [name, color] of Object.entries(changes)) {
      colors.delete(name);
      if (typeof color === 'string' && /^#[0-9a-f]{6}$/i.test(color)) colors.set(name, color);
    }
    await this.state.update(CLASS_COLORS, Object.fromEntries([...colors].slice(-MAX_COLORS)));
  }
}

/** µm per pixel as people type it, also with a decimal comma; undefined where it isn't a size. */
export function parsePixelSize(typed: string): number | undefined {
  const size = Number(typed.trim().replace(',', '.'));
  return size > 0 && size < 1e6 ? size : undefined;
}

/**
 * Moves choices from where they used to be stored: background images and pixel sizes from global
 * state to the state of their account, class colors to the key of today. Choices of accounts that
 * aren't signed in any more are deleted; where the accounts are damaged, which those are is
 * unknown, and all stay. Without old choices this does nothing; when it fails, the old ones stay
 * for the next time.
 */
export async function moveOldChoices(
  old: GlobalState,
  accounts: Pick<Accounts, 'all' | 'isDamaged'>,
  choices: Pick<ResultChoices, 'addMissing'>,
): Promise<void> {
  if (!accounts.isDamaged) await moveImageChoices(old, accounts.all, choices);
  await moveClassColors(old);
}

async function moveImageChoices(
  old: GlobalState,
  accounts: Accounts['all'],
  choices: Pick<ResultChoices, 'addMissing'>,
): Promise<void> {
  const keys = old
    .keys()
    .filter(key => key.startsWith(OLD_KEYS.backgroundImages) || key === OLD_KEYS.pixelSizes);
  if (keys.length === 0) return;
  const backgroundImages = Object.fromEntries(
    keys
      .filter(key => key !== OLD_KEYS.pixelSizes)
      .map(key => [key.slice(OLD_KEYS.backgroundImages.length), old.get(key)]),
  );
  const files: Pick<StoredChoices, 'backgroundImages' | 'pixelSizes'> = {
    backgroundImages: validChoices('backgroundImages', backgroundImages),
    pixelSizes: validChoices('pixelSizes', old.get(OLD_KEYS.pixelSizes)),
  };
  for (const accountId of [undefined, ...accounts.map(({ id }) => id)]) {
    await choices.addMissing(accountId, {
      backgroundImages: ownedBy(accountId, files.backgroundImages),
      pixelSizes: ownedBy(accountId, files.pixelSizes),
    });
  }
  for (const key of keys) await old.update(key, undefined);
}

async function moveClassColors(state: GlobalState): Promise<void> {
  const colors = state.get(OLD_KEYS.classColors);
  if (colors === undefined) return;
  await state.update(CLASS_COLORS, { ...(colors as object), ...(state.get(CLASS_COLORS) as object) });
  await state.update(OLD_KEYS.classColors, undefined);
}

/** Entries of an account's results, or of local files. Jobs: "job:<account>:<job>", "jobs:…". */
function ownedBy<V>(accountId: string | undefined, results: Record<string, V>): Record<string, V> {
  return Object.fromEntries(
    Object.entries(results).filter(([key]) => /^jobs?:([^:]*):/.exec(key)?.[1] === accountId),
  );
}
