import type { Disposable } from '../../base/disposable';
import type { TableChoice } from '../../columns/tableChoice';
import type { MeasuredTableFile } from './measuredTableFile';
import type { PartFile } from './openPart';

export interface OwnTableParts {
  /** What was chosen for this result before. */
  stored: () => Promise<TableChoice | undefined>;
  store: (choice: TableChoice | undefined) => Promise<void>;
  /** The path of a file on disk. Throws `not-a-file`. */
  fileOf: (uri: string) => Promise<string>;
  measured: MeasuredTableFile;
}

/** The objects table of masks that come without one: measured from them, or a file that the user chose. */
export class OwnTable implements Disposable {
  private latest: TableChoice | undefined;

  constructor(private readonly parts: OwnTableParts) {}

  /** What is chosen; undefined before the user has chosen. */
  async choice(): Promise<TableChoice | undefined> {
    this.latest ??= await this.parts.stored();
    return this.latest;
  }

  /** What is chosen, as far as it is known without waiting. */
  get knownChoice(): TableChoice | undefined {
    return this.latest;
  }

  /** The user chooses; undefined takes the choice back. A measurement under way is stopped, and starts over when its table is needed. */
  async choose(choice: TableChoice | undefined): Promise<void> {
    this.latest = choice;
    this.parts.measured.forget();
    await this.parts.store(choice);
  }

  /** The table's file, measured first if need be; undefined before the user has chosen. */
  async file(signal: AbortSignal): Promise<PartFile | undefined> {
    const choice = await this.choice();
    if (!choice) return undefined;
    if (choice.kind === 'file') return { path: await this.parts.fileOf(choice.uri) };
    return { path: await this.parts.measured.path(signal) };
  }

  dispose(): void {
    this.parts.measured.dispose();
  }
}
