import { mkdtempSync, writeFileSync } from 'node:fs';
import { rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { CodedError, toPlainError } from '../../../src/base/errors';
import { Parts } from '../../../src/base/parts';
import { conditionHandlers } from '../../../src/study/engine/conditionHandlers';
import { populationHandlers } from '../../../src/populations/engine/populationHandlers';
import { formulaHandlers } from '../../../src/formulas/engine/formulaHandlers';
import { TableHandlers } from '../../../src/columns/engine/tableHandlers';
import { plateHandlers } from '../../../src/plates/engine/plateHandlers';
import { packed, unpacked } from './packed';
import { studyText, type StudyOptions } from './studyTable';
import { aggregateText, tableText, wideText } from './tableData';

/** What subjects add to the engine. */
const added: readonly ((open: OpenTables) => object)[] = [
  conditionHandlers,
  ({ tables }) => formulaHandlers(tables),
  plateHandlers,
  populationHandlers,
];

/** What the thread of a result gives to them. */
interface OpenTables {
  tables: TableHandlers;
  parts: Parts;
}

/** The real engine on a made-up table, for the pages of the preview. */
export class PreviewEngine {
  /** What pages requested, in that order. */
  readonly requests: { method: string; params: object }[] = [];
  private readonly engine: TableHandlers = new TableHandlers({
    startProgress: () => () => undefined,
    onOpened: () => undefined,
    onChanged: () => undefined,
    onGrowth: () => undefined,
  });
  private readonly parts = new Parts();
  private readonly handlers = Object.assign(
    {},
    this.engine.handlers,
    ...added.map(make => make({ tables: this.engine, parts: this.parts })),
  ) as Readonly<Record<string, (params: unknown, signal: AbortSignal) => unknown>>;
  private readonly folder = mkdtempSync(join(tmpdir(), 'preview-'));
  private failing: { methods: readonly string[]; message: string } | undefined;
  private delayed: { methods: readonly string[]; waiting: (() => void)[] } | undefined;

  /** `columns` above 0 gives a table of that many numeric columns. */
  async open(rowCount: number, kind: string, columns = 0): Promise<void> {
    const path = join(this.folder, 'table.csv');
    const text = kind === 'aggregate' ? aggregateText(rowCount) : tableText(rowCount);
    writeFileSync(path, columns > 0 ? wideText(rowCount, columns) : text);
    await this.openFile(path);
  }

  async openStudy(study: Partial<StudyOptions>): Promise<void> {
    const path = join(this.folder, 'study.csv');
    writeFileSync(path, studyText(study));
    await this.openFile(path);
  }

  async openText(text: string): Promise<void> {
    const path = join(this.folder, 'text.csv');
    writeFileSync(path, text);
    await this.openFile(path);
  }

  async openFile(path: string): Promise<void> {
    await this.engine.handlers.openTable(
      { table: 'objects', path, options: { memory: 1024 } },
      new AbortController().signal,
    );
  }

  /** The response to a request that needs no message. */
  async ask(method: string, params: object): Promise<unknown> {
    return this.handlers[method]?.({ ...params, table: 'objects' }, new AbortController().signal);
  }

  async call(method: string, params: string): Promise<string> {
    try {
      const request = { ...(unpacked(params) as object), table: 'objects' };
      this.requests.push({ method, params: request });
      const response = packed({
        value: await this.handlers[method]?.(request, new AbortController().signal),
      });
      await this.whileDelayed(method);
      if (this.failing?.methods.includes(method)) throw new CodedError('bad-request', this.failing.message);
      return response;
    } catch (error) {
      return packed({ error: toPlainError(error) });
    }
  }

  /** From now on, delays the responses of these methods, as under load, until `release`. */
  delayResponses(...methods: string[]): void {
    this.delayed = { methods, waiting: [] };
  }

  /** From now on, requests of these methods fail, until `mend`. */
  failRequests(message: string, ...methods: string[]): void {
    this.failing = { methods, message };
  }

  mend(): void {
    this.failing = undefined;
  }

  /** How many responses are delayed now. */
  get delayedResponses(): number {
    return this.delayed?.waiting.length ?? 0;
  }

  /** Sends the delayed responses, in the order requested or in reverse. */
  release(order: 'in-order' | 'reversed' = 'in-order'): void {
    const { waiting = [] } = this.delayed ?? {};
    this.delayed = undefined;
    for (const go of order === 'in-order' ? waiting : waiting.reverse()) go();
  }

  private whileDelayed(method: string): Promise<void> | undefined {
    const { delayed } = this;
    if (!delayed?.methods.includes(method)) return undefined;
    return new Promise(resolve => delayed.waiting.push(resolve));
  }

  /** Resolves once its files are gone, which the engine may close a moment later. */
  async dispose(): Promise<void> {
    this.release();
    this.engine.dispose();
    await rm(this.folder, { recursive: true, force: true, maxRetries: 5 });
  }
}
