import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { toPlainError } from '../../../src/base/errors';
import { TableAnswers } from '../../../src/engine/tableAnswers';
import { packed, unpacked } from './packed';
import { aggregateText, tableText } from './tableData';

/** The real engine on a made-up table, for the preview's pages to ask. */
export class PreviewEngine {
  private readonly engine = new TableAnswers({
    progress: () => () => undefined,
    onOpened: () => undefined,
    grew: () => undefined,
  });
  private readonly folder = mkdtempSync(join(tmpdir(), 'preview-'));

  async open(rowCount: number, kind: string): Promise<void> {
    const path = join(this.folder, 'table.csv');
    writeFileSync(path, kind === 'aggregate' ? aggregateText(rowCount) : tableText(rowCount));
    await this.engine.handlers.openTable({ table: 'objects', path }, new AbortController().signal);
  }

  async ask(question: string, params: string): Promise<string> {
    const handlers = this.engine.handlers as unknown as Record<
      string,
      (params: unknown, signal: AbortSignal) => unknown
    >;
    try {
      const asked = { ...(unpacked(params) as object), table: 'objects' };
      return packed({ value: await handlers[question]?.(asked, new AbortController().signal) });
    } catch (error) {
      return packed({ error: toPlainError(error) });
    }
  }

  dispose(): void {
    this.engine.dispose();
    rmSync(this.folder, { recursive: true, force: true });
  }
}
