import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { toPlainError } from '../../../src/base/errors';
import { TableAnswers } from '../../../src/engine/tableAnswers';
import { packed, unpacked } from './packed';
import { aggregateText, tableText, wideText } from './tableData';

/** The real engine on a made-up table, for the preview's pages to ask. */
export class PreviewEngine {
  private readonly engine = new TableAnswers({
    progress: () => () => undefined,
    onOpened: () => undefined,
    grew: () => undefined,
  });
  private readonly folder = mkdtempSync(join(tmpdir(), 'preview-'));
  private held: { questions: readonly string[]; waiting: (() => void)[] } | undefined;

  /** With `columns` a table of so many, all of numbers. */
  async open(rowCount: number, kind: string, columns = 0): Promise<void> {
    const path = join(this.folder, 'table.csv');
    const text = kind === 'aggregate' ? aggregateText(rowCount) : tableText(rowCount);
    writeFileSync(path, columns > 0 ? wideText(rowCount, columns) : text);
    await this.engine.handlers.openTable({ table: 'objects', path }, new AbortController().signal);
  }

  async ask(question: string, params: string): Promise<string> {
    const handlers = this.engine.handlers as unknown as Record<
      string,
      (params: unknown, signal: AbortSignal) => unknown
    >;
    try {
      const asked = { ...(unpacked(params) as object), table: 'objects' };
      const answer = packed({ value: await handlers[question]?.(asked, new AbortController().signal) });
      await this.whileHeld(question);
      return answer;
    } catch (error) {
      return packed({ error: toPlainError(error) });
    }
  }

  /** From now on answers to these questions are kept back, as by a machine under load, until they are released. */
  hold(...questions: string[]): void {
    this.held = { questions, waiting: [] };
  }

  /** Answers that are kept back now. */
  get heldBack(): number {
    return this.held?.waiting.length ?? 0;
  }

  /** Gives what was kept back, in the order asked or the other way round. */
  release(order: 'first-first' | 'last-first' = 'first-first'): void {
    const { waiting = [] } = this.held ?? {};
    this.held = undefined;
    for (const go of order === 'first-first' ? waiting : waiting.reverse()) go();
  }

  private whileHeld(question: string): Promise<void> | undefined {
    const { held } = this;
    if (!held?.questions.includes(question)) return undefined;
    return new Promise(resolve => held.waiting.push(resolve));
  }

  dispose(): void {
    this.release();
    this.engine.dispose();
    rmSync(this.folder, { recursive: true, force: true });
  }
}
