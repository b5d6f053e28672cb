import { isCoded } from '../../base/errors';
import type { TableKind } from '../../service/resultParts';
import type { TableChoice } from '../../columns/tableChoice';
import type { PartFile } from './openPart';
import type { OwnTable } from './ownTable';
import type { PartDownloads } from './partDownloads';
import type { TableFiles } from './sessionTables';
import type { ResultSource } from './resultSource';

export interface TableSourcesParts {
  source: ResultSource;
  downloads: PartDownloads;
  /** The table of objects that is used where the result has none. */
  ownTable: Pick<OwnTable, 'choice' | 'knownChoice' | 'file'>;
}

/** Which files the tables of a result are opened from: its own, those of several jobs, or what the user chose where one is missing. */
export class TableSources {
  private isMissing = false;
  private usesOwn = false;

  constructor(private readonly parts: TableSourcesParts) {}

  /** Whether the result is known to have no table of its objects. */
  get lacksObjects(): boolean {
    return this.parts.source.masksOnly === true || this.isMissing;
  }

  /** Whether the objects table is that of the result; known once it is open. */
  get hasObjects(): boolean {
    return !this.usesOwn;
  }

  /** Where the objects table comes from, if it isn't one of the result; known once it is open. */
  get choice(): TableChoice | undefined {
    return this.usesOwn ? this.parts.ownTable.knownChoice : undefined;
  }

  /** Whether the user has yet to choose a table in place of the one that is missing. */
  async needsChoice(): Promise<boolean> {
    return this.lacksObjects && (await this.parts.ownTable.choice()) === undefined;
  }

  /** Whether opening the objects table now would measure it. */
  async wouldMeasure(signal: AbortSignal): Promise<boolean> {
    const { ownTable, downloads } = this.parts;
    if ((await ownTable.choice())?.kind !== 'measured') return false;
    return downloads.file('objects', signal).then(
      () => false,
      (error: unknown) => isCoded(error, 'not-found'),
    );
  }

  /** The files of a table on disk, downloaded or measured first if need be. Throws `not-found` where there is none. */
  async files(kind: TableKind, signal: AbortSignal): Promise<TableFiles> {
    const { source, downloads } = this.parts;
    const joined = source.tables?.(kind);
    if (!joined) {
      const file = kind === 'objects' ? await this.objects(signal) : await downloads.file(kind, signal);
      return { files: [{ ...file, label: '' }], jobColumn: '' };
    }
    const files: TableFiles['files'] = [];
    for (const part of joined.parts) {
      files.push({ ...(await downloads.file(kind, signal, part)), label: part.label });
    }
    return { files, jobColumn: joined.jobColumn };
  }

  /** The result's own table of objects; where it has none, the one that is used in its place. */
  private async objects(signal: AbortSignal): Promise<PartFile> {
    const { ownTable, downloads } = this.parts;
    try {
      const file = await downloads.file('objects', signal);
      this.usesOwn = false;
      this.isMissing = false;
      return file;
    } catch (error) {
      if (!isCoded(error, 'not-found')) throw error;
      this.isMissing = true;
      const own = await ownTable.file(signal);
      if (!own) throw error;
      this.usesOwn = true;
      return own;
    }
  }
}
