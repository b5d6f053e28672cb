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

/** The result that a choice is for. */
export interface ChoiceOwner {
  /** Identifies the result. */
  readonly key: string;
  /** Its account; absent for a file on disk. */
  readonly accountId?: string | undefined;
}

/** The file that a user selected as the background image of an image. */
interface BackgroundImageChoice {
  uri: string;
  /** Set if the file has another size than the masks. */
  use?: BackgroundImageUse;
}

const oldFilterSets = v.array(
  v.object({ name: v.pipe(v.string(), v.trim(), v.nonEmpty(), v.maxLength(100)), filters: namedFilters }),
);

/** A named set of filters that an object must all match, as earlier versions stored it. */
type OldFilterSet = v.InferOutput<typeof oldFilterSets>[number];

/**
 * Choices as they are stored: by result, then by the name of an entry. That is the image ID, or the
 * kind of table, unless a field says otherwise. A background image without `use` is stored as a
 * URI.
 */
interface StoredChoices {
  backgroundImages: Record<string, Record<string, string | { uri: string; use: BackgroundImageUse }>>;
  pixelSizes: Record<string, Record<string, number>>;
  tables: Record<string, Record<string, TableChoice>>;
  /** The path in the table that a user linked an image to. */
  imageLinks: Record<string, Record<string, string>>;
  /**
   * From earlier versions: the pairs of images that a user made to compare results A and B. By the
   * keys of both results, then the image of B by that of A, both as `imageKey` returns them.
   */
  comparedImages: Record<string, Record<string, string>>;
  /**
   * How images with equal names were linked when the result was last open, as a digest. The only
   * entry of a result is `images`.
   */
  lastLinks: Record<string, Record<string, string>>;
  /** Named filters of tables from earlier versions, by table. */
  filterSets: Record<string, Record<string, OldFilterSet[]>>;
}

/** A file of choices, by its name. */
type ChoiceKind = keyof StoredChoices;

/**
 * Name of a result's entry with the value of a StoredKind. Results of jobs that were submitted from
 * here don't need it: their values are in the records of the jobs.
 */
const VALUE_ENTRY = 'images';

/**
 * Maximum number of results with stored choices per account; the longest unchanged ones are
 * dropped.
 */
const MAX_RESULTS = 1000;

/**
 * A user's choices for results: background images and pixel sizes of images, and objects tables.
 * They are stored in the state of the result's account, so sign-out removes them; choices for files
 * on disk have a separate state.
 */
export class ResultChoices {
  private readonly pixelSizesEmitter = new Emitter<ChoiceOwner>();
  /** Fires when pixel sizes of a result change. */
  readonly onDidSetPixelSizes = this.pixelSizesEmitter.event;
  private readonly renameEmitter = new Emitter<ChoiceOwner & { names: ReadonlyMap<string, string> }>();
  /** Fires with a result when its image columns were renamed. */
  readonly onDidRenameColumns = this.renameEmitter.event;
  private queue: Promise<unknown> = Promise.resolve();

  /** `stateOf` returns the state of an account; for undefined, that of files on disk. */
  constructor(private readonly stateOf: (accountId: string | undefined) => Promise<StateStore>) {}

  /** µm per pixel by image ID. */
  async pixelSizes(result: ChoiceOwner): Promise<Record<string, number>> {
    return (await this.read('pixelSizes', result.accountId))[result.key] ?? {};
  }

  /** Stores µm per pixel by image ID; null removes a size. */
  async setPixelSizes(
    result: ChoiceOwner,
    pixelSizes: Readonly<Record<string, number | null>>,
  ): Promise<void> {
    await this.change('pixelSizes', result.accountId, stored =>
      withEntries(
        stored,
        result.key,
        Object.entries(pixelSizes).map(([id, size]) => [id, size ?? undefined]),
      ),
    );
    this.pixelSizesEmitter.fire(result);
  }

  async backgroundImage(result: ChoiceOwner, imageId: string): Promise<BackgroundImageChoice | undefined> {
    const stored = (await this.read('backgroundImages', result.accountId))[result.key]?.[imageId];
    return typeof stored === 'string' ? { uri: stored } : stored;
  }

  /** IDs of a result's images with a selected background image. */
  async imagesWithBackground(result: ChoiceOwner): Promise<ReadonlySet<string>> {
    const stored = (await this.read('backgroundImages', result.accountId))[result.key];
    return new Set(Object.keys(stored ?? {}));
  }

  /** Stores the choice; undefined removes it. */
  async setBackgroundImage(
    result: ChoiceOwner,
    imageId: string,
    choice: BackgroundImageChoice | undefined,
  ): Promise<void> {
    const stored = choice?.use ? { uri: choice.uri, use: choice.use } : choice?.uri;
    await this.change('backgroundImages', result.accountId, choices =>
      withEntry(choices, result.key, imageId, stored),
    );
  }

  /** The user's objects table for masks that come without one. */
  async objectsTable(result: ChoiceOwner): Promise<TableChoice | undefined> {
    return (await this.read('tables', result.accountId))[result.key]?.['objects'];
  }

  /** Stores the choice; undefined removes it. */
  async setObjectsTable(result: ChoiceOwner, choice: TableChoice | undefined): Promise<void> {
    await this.change('tables', result.accountId, choices =>
      withEntry(choices, result.key, 'objects', choice),
    );
  }

  /** The user's links of images to paths of the table. */
  async imageLinks(result: ChoiceOwner): Promise<LinkedByHand[]> {
    const links = (await this.read('imageLinks', result.accountId))[result.key] ?? {};
    return Object.entries(links).map(([image, path]) => ({ image, path }));
  }

  /** Stores the links, and replaces earlier ones. */
  async setImageLinks(result: ChoiceOwner, links: readonly LinkedByHand[]): Promise<void> {
    await this.change('imageLinks', result.accountId, choices => {
      const results = new Map(Object.entries(choices));
      results.delete(result.key);
      const paths = Object.fromEntries(links.map(({ image, path }) => [image, path]));
      if (links.length > 0) results.set(result.key, paths);
      return Object.fromEntries([...results].slice(-MAX_RESULTS));
    });
  }

  /** A user's pairs of images of two results, as stored by earlier versions. */
  async comparedImages(compared: ChoiceOwner): Promise<{ a: string; b: string }[]> {
    const pairs = (await this.read('comparedImages', compared.accountId))[compared.key] ?? {};
    return Object.entries(pairs).map(([a, b]) => ({ a, b }));
  }

  async removeComparedImages({ key, accountId }: ChoiceOwner): Promise<void> {
    await this.change('comparedImages', accountId, choices => {
      const { [key]: removed, ...others } = choices;
      return removed ? others : choices;
    });
  }

  /** The value of a StoredKind for a result, if there is a valid one. */
  async value<V>(kind: StoredKind<V>, result: ChoiceOwner): Promise<V | undefined> {
    return kind.valid(
      (await this.readWith(asResults, kind.name, result.accountId))[result.key]?.[VALUE_ENTRY],
    );
  }

  /** The valid values of a StoredKind for all results of an account, by the keys of the results. */
  async values<V>(kind: StoredKind<V>, accountId: string | undefined): Promise<Record<string, V>> {
    const entries = Object.entries(await this.readWith(asResults, kind.name, accountId));
    return Object.fromEntries(
      entries.flatMap(([key, stored]) => {
        const value = kind.valid(stored[VALUE_ENTRY]);
        return value === undefined ? [] : [[key, value] as const];
      }),
    );
  }

  /** Stores a value; undefined removes it. */
  async setValue<V>(kind: StoredKind<V>, result: ChoiceOwner, value: V | undefined): Promise<void> {
    await this.changeValue(kind, result, () => value);
  }

  /**
   * Changes a stored value, valid or not; undefined removes it. Writes nothing if `edit` returns
   * what it got.
   */
  async changeValue(
    { name }: Pick<StoredKind<unknown>, 'name'>,
    result: ChoiceOwner,
    edit: (stored: unknown) => unknown,
  ): Promise<void> {
    await this.changeWith(asResults, name, result.accountId, values => {
      const stored = values[result.key]?.[VALUE_ENTRY];
      const edited = edit(stored);
      return edited === stored ? values : withEntry<unknown>(values, result.key, VALUE_ENTRY, edited);
    });
  }

  /** Fires when any window may have written a value of the kind. */
  async watchValue(
    { name }: Pick<StoredKind<unknown>, 'name'>,
    { accountId }: ChoiceOwner,
    onChange: () => void,
  ): Promise<Disposable | undefined> {
    return (await this.stateOf(accountId)).watch?.(name, onChange);
  }

  /** How images with equal names were linked when the result was last open, as a digest. */
  async lastLinks(result: ChoiceOwner): Promise<string | undefined> {
    return (await this.read('lastLinks', result.accountId))[result.key]?.['images'];
  }

  /** The named filters of an earlier version. */
  async oldFilterSets(result: ChoiceOwner, table: TableKind): Promise<OldFilterSet[]> {
    return (await this.read('filterSets', result.accountId))[result.key]?.[table] ?? [];
  }

  /** Removes the named filters of an earlier version, once they are stored elsewhere. */
  async dropOldFilterSets(result: ChoiceOwner, table: TableKind): Promise<void> {
    await this.change('filterSets', result.accountId, stored =>
      withEntry(stored, result.key, table, undefined),
    );
  }

  /** Reports renamed image columns of a result, so that stored names are updated. */
  columnsRenamed(result: ChoiceOwner, names: ReadonlyMap<string, string>): void {
    if (names.size > 0) this.renameEmitter.fire({ ...result, names });
  }

  async setLastLinks(result: ChoiceOwner, digest: string): Promise<void> {
    await this.change('lastLinks', result.accountId, stored =>
      withEntry(stored, result.key, 'images', digest),
    );
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

  /** Adds choices from elsewhere; stored choices win. */
  async addMissing(
    accountId: string | undefined,
    choices: Pick<StoredChoices, 'backgroundImages' | 'pixelSizes'>,
  ): Promise<void> {
    await this.change('backgroundImages', accountId, stored => merged(choices.backgroundImages, stored));
    await this.change('pixelSizes', accountId, stored => merged(choices.pixelSizes, stored));
  }

  private read<K extends ChoiceKind>(kind: K, accountId: string | undefined): Promise<StoredChoices[K]> {
    return this.readWith(value => validChoices(kind, value), kind, accountId);
  }

  private async readWith<T>(
    parse: (value: unknown) => T,
    name: string,
    accountId: string | undefined,
  ): Promise<T> {
    await this.queue;
    return parse(await (await this.stateOf(accountId)).read(name));
  }

  /** Changes choices. Invalid entries, such as those of a later version, stay. */
  private change<K extends ChoiceKind>(
    kind: K,
    accountId: string | undefined,
    edit: (stored: StoredChoices[K]) => StoredChoices[K],
  ): Promise<void> {
    return this.changeWith(value => asResults(value) as StoredChoices[K], kind, accountId, edit);
  }

  /** Applies changes one after the other to the file's current content. */
  private changeWith<T>(
    parse: (value: unknown) => T,
    name: string,
    accountId: string | undefined,
    edit: (stored: T) => T,
  ): Promise<void> {
    const changing = this.queue.then(async () => {
      const state = await this.stateOf(accountId);
      const valueBefore = parse(await state.read(name));
      const valueAfter = edit(valueBefore);
      if (valueAfter !== valueBefore) await state.write(name, valueAfter);
    });
    this.queue = changing.catch(() => undefined);
    return changing;
  }
}

/** The valid choices of a value that may have been edited by hand. */
function validChoices<K extends ChoiceKind>(kind: K, value: unknown): StoredChoices[K] {
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
  const results = Object.entries(asResults(value)).map(([key, entries]) => [
    key,
    Object.fromEntries(Object.entries(entries).filter(([, stored]) => isValid(stored))),
  ]);
  return Object.fromEntries(results) as StoredChoices[K];
}

/** The entries by result and name, valid or not. */
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

/** Sets an entry of a result. The result becomes the last changed one. */
function withEntry<V>(
  stored: Record<string, Record<string, V>>,
  result: string,
  name: string,
  value: V | undefined,
): Record<string, Record<string, V>> {
  return withEntries(stored, result, [[name, value]]);
}

/** Sets several entries of a result; undefined removes one. */
function withEntries<V>(
  stored: Record<string, Record<string, V>>,
  result: string,
  changes: readonly (readonly [name: string, value: V | undefined])[],
): Record<string, Record<string, V>> {
  const results = new Map(Object.entries(stored));
  const entries = new Map(Object.entries(results.get(result) ?? {}));
  for (const [name, value] of changes) {
    entries.delete(name);
    if (value !== undefined) entries.set(name, value);
  }
  results.delete(result);
  if (entries.size > 0) results.set(result, Object.fromEntries(entries));
  return Object.fromEntries([...results].slice(-MAX_RESULTS));
}

function merged<V>(
  added: Record<string, Record<string, V>>,
  stored: Record<string, Record<string, V>>,
): Record<string, Record<string, V>> {
  if (Object.keys(added).length === 0) return stored;
  const results = { ...added, ...stored };
  for (const [key, images] of Object.entries(added)) results[key] = { ...images, ...stored[key] };
  return Object.fromEntries(Object.entries(results).slice(-MAX_RESULTS));
}

const CLASS_COLORS = 'imageAnalysis.masks.classColors';

/** Maximum number of stored colors; the oldest are dropped. */
const MAX_COLORS = 500;

/** A user's colors of classes by name, for all accounts, as names recur in results. */
export class ClassColorChoices {
  constructor(private readonly state: GlobalState) {}

  /** #rrggbb by class name. */
  get all(): Record<string, string> {
    return { ...(this.state.get(CLASS_COLORS) as Record<string, string> | undefined) };
  }

  /** Changes colors; null removes one. Invalid colors are ignored. */
  async set(changes: Readonly<Record<string, unknown>>): Promise<void> {
    const colors = new Map(Object.entries(this.all));
    for (const [name, color] of Object.entries(changes)) {
      colors.delete(name);
      if (typeof color === 'string' && /^#[0-9a-f]{6}$/i.test(color)) colors.set(name, color);
    }
    await this.state.update(CLASS_COLORS, Object.fromEntries([...colors].slice(-MAX_COLORS)));
  }
}

/** µm per pixel as users type it, also with a decimal comma; undefined if it isn't a valid size. */
export function parsePixelSize(typed: string): number | undefined {
  const size = Number(typed.trim().replace(',', '.'));
  return size > 0 && size < 1e6 ? size : undefined;
}

/**
 * Moves choices from where earlier versions stored them: background images and pixel sizes from the
 * global state to that of their account, class colors to the current key. Deletes choices of
 * accounts that aren't signed in; if the file of accounts is damaged, all stay. Does nothing
 * without old choices. After a failure, old choices stay for the next time.
 */
export async function moveOldChoices(
  oldState: GlobalState,
  accounts: Pick<Accounts, 'all' | 'isDamaged'>,
  choices: Pick<ResultChoices, 'addMissing'>,
): Promise<void> {
  if (!accounts.isDamaged) await moveImageChoices(oldState, accounts.all, choices);
  await moveClassColors(oldState);
}

async function moveImageChoices(
  oldState: GlobalState,
  accounts: Accounts['all'],
  choices: Pick<ResultChoices, 'addMissing'>,
): Promise<void> {
  const keys = oldState
    .keys()
    .filter(key => key.startsWith(OLD_KEYS.backgroundImages) || key === OLD_KEYS.pixelSizes);
  if (keys.length === 0) return;
  const backgroundImages = Object.fromEntries(
    keys
      .filter(key => key !== OLD_KEYS.pixelSizes)
      .map(key => [key.slice(OLD_KEYS.backgroundImages.length), oldState.get(key)]),
  );
  const oldChoices: Pick<StoredChoices, 'backgroundImages' | 'pixelSizes'> = {
    backgroundImages: validChoices('backgroundImages', backgroundImages),
    pixelSizes: validChoices('pixelSizes', oldState.get(OLD_KEYS.pixelSizes)),
  };
  for (const accountId of [undefined, ...accounts.map(({ id }) => id)]) {
    await choices.addMissing(accountId, {
      backgroundImages: ownedBy(accountId, oldChoices.backgroundImages),
      pixelSizes: ownedBy(accountId, oldChoices.pixelSizes),
    });
  }
  for (const key of keys) await oldState.update(key, undefined);
}

async function moveClassColors(state: GlobalState): Promise<void> {
  const colors = state.get(OLD_KEYS.classColors);
  if (colors === undefined) return;
  await state.update(CLASS_COLORS, { ...(colors as object), ...(state.get(CLASS_COLORS) as object) });
  await state.update(OLD_KEYS.classColors, undefined);
}

/**
 * Entries of an account's results, or of local files. Keys of jobs: "job:<account>:<job>",
 * "jobs:…".
 */
function ownedBy<V>(accountId: string | undefined, results: Record<string, V>): Record<string, V> {
  return Object.fromEntries(
    Object.entries(results).filter(([key]) => /^jobs?:([^:]*):/.exec(key)?.[1] === accountId),
  );
}
