import type { AnalyzedItem, LinkedByHand } from '../../../../src/archives/imageIdentity';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { linkParts } from '../../../../src/linking/node/linkedImages';
import type { StoredLinks } from '../../../../src/linking/node/storedLinks';
import type { LinkColumns } from '../../../../src/linking/rowLinks';
import { maskParts } from '../../../../src/masks/node/shownClasses';
import { type AddSessionParts, ResultSession } from '../../../../src/session/node/resultSession';
import type { ResultSource } from '../../../../src/session/node/resultSource';
import { CodedError } from '../../../../src/base/errors';
import { silentLog } from '../../../../src/base/log';
import type { ResultPart } from '../../../../src/service/resultParts';
import { image, index, rectangle, writeArchive } from '../../archives/engine/archives';
import { InProcessEngine } from './inProcessEngine';
import { measuredTableOptions } from '../../linking/node/measuredTableFixture';

export interface SessionOptions {
  engine?: ConstructorParameters<typeof InProcessEngine>[0];
  measuredTable?: ReturnType<typeof measuredTableOptions>;
  links?: LinksInMemory;
  /** What subjects after masks add. */
  added?: readonly AddSessionParts[];
}

/** A session, and the engines that it has started so far. */
export function openSession(
  source: ResultSource,
  {
    engine = {},
    measuredTable = measuredTableOptions(),
    links = new LinksInMemory(),
    added = [],
  }: SessionOptions = {},
): { session: ResultSession; engines: InProcessEngine[] } {
  const engines: InProcessEngine[] = [];
  const startEngine = () => {
    const started = new InProcessEngine(engine);
    engines.push(started);
    return started;
  };
  const session = new ResultSession({
    source,
    startEngine,
    log: silentLog,
    tableMemory: () => 1024,
    ...measuredTable,
    addParts: [linkParts(() => links), maskParts, ...added],
  });
  return { session, engines };
}

/** What a person said of links, which outlives a session. */
export class LinksInMemory implements StoredLinks {
  links: readonly LinkedByHand[] = [];
  digest: string | undefined;
  chosen: LinkColumns | undefined;

  columns(): Promise<LinkColumns | undefined> {
    return Promise.resolve(this.chosen);
  }

  setColumns(columns: LinkColumns | undefined): Promise<void> {
    this.chosen = columns;
    return Promise.resolve();
  }

  byHand(): Promise<LinkedByHand[]> {
    return Promise.resolve([...this.links]);
  }

  setByHand(links: readonly LinkedByHand[]): Promise<void> {
    this.links = links;
    return Promise.resolve();
  }

  last(): Promise<string | undefined> {
    return Promise.resolve(this.digest);
  }

  setLast(digest: string): Promise<void> {
    this.digest = digest;
    return Promise.resolve();
  }
}

/** Parts on disk; what was requested of them, and what was told of them. */
export class FilesOnDisk implements ResultSource {
  readonly key = 'test';
  readonly title = 'Test';
  readonly restore = {};
  readonly requested: ResultPart[] = [];
  readonly counted: number[] = [];

  constructor(
    private readonly paths: Partial<Record<ResultPart, string>>,
    private readonly items?: readonly AnalyzedItem[],
  ) {}

  analyzedItems(): Promise<readonly AnalyzedItem[] | undefined> {
    return Promise.resolve(this.items);
  }

  objectsCounted(objects: number): void {
    this.counted.push(objects);
  }

  path(what: ResultPart): Promise<string> {
    this.requested.push(what);
    const path = this.paths[what];
    return path === undefined
      ? Promise.reject(new CodedError('not-found', 'Not there'))
      : Promise.resolve(path);
  }
}

/** Files with masks of two objects of an image, and a table with their rows and one more. */
export async function writeTwoObjects(): Promise<{
  folder: string;
  masks: string;
  objects: string;
  remove: () => Promise<void>;
}> {
  const folder = await mkdtemp(join(tmpdir(), 'session-'));
  const objects = join(folder, 'objects.csv');
  await writeFile(objects, 'Image origin,Object ID\na.tif,2\na.tif,1\na.tif,7\n');
  const archive = await writeArchive({
    'index.json': index('Cell'),
    'a_objects.json': image('a', 10, 10, [rectangle(1, 0, 0, 2, 2), rectangle(2, 4, 4, 6, 6)]),
  });
  const remove = async () => {
    await archive.remove();
    await rm(folder, { recursive: true });
  };
  return { folder, masks: archive.path, objects, remove };
}
