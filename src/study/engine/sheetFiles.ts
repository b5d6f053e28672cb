import { resolve } from 'node:path';
import { CodedError } from '../../base/errors';
import { writeAtomicFile } from '../../base/node/atomicFile';
import { fileError } from '../../base/node/fileErrors';
import { Pacer } from '../../base/node/slices';
import { reason } from '../../base/reasons';
import { checkSavedName } from '../../base/savedName';
import { delimiterOfName } from '../../columns/csv/csvHead';
import { openTable } from '../../columns/engine/read/readTable';
import type { RequestHandlers } from '../../protocol/rpc';
import { type ImageRequests, MAX_SHEET_ROWS } from '../imageRequests';
import { joinSheet, sheetLines } from '../sampleSheet';

/** Memory for the columns of a sheet while it is read, in bytes. */
const MEMORY_BUDGET = 512 * 1024 * 1024;
const ROWS_AT_ONCE = 500;

/** The handlers of requests about sample sheets. */
export const sheetHandlers: RequestHandlers<ImageRequests> = {
  joinSheet: async ({ path, images: imageColumns, key, by, taken, header: givenHeader }, signal) => {
    const table = await openTable(path, signal, undefined, {
      budget: MEMORY_BUDGET,
      ...(givenHeader && { header: givenHeader }),
    });
    try {
      const { rowCount, columns } = table;
      if (rowCount > MAX_SHEET_ROWS)
        throw new CodedError('bad-request', `A sheet of ${rowCount} rows`, {
          reason: reason('It has {0} rows; at most {1} can be read', rowCount, MAX_SHEET_ROWS),
        });
      const header = columns.map(({ name }) => name);
      const places = columns.map(({ index }) => index);
      const rows: string[][] = [];
      const pacer = new Pacer(signal);
      for (let start = 0; start < rowCount; start += ROWS_AT_ONCE) {
        await pacer.pause();
        const length = Math.min(ROWS_AT_ONCE, rowCount - start);
        const rowIndices = Uint32Array.from({ length }, (_, at) => start + at);
        rows.push(...table.cells(rowIndices, places, Infinity).rows);
      }
      return joinSheet({ header, rows }, imageColumns, {
        ...(key && { key }),
        ...(by !== undefined && { by }),
        taken,
        headerRows: table.headerRows,
        isHeaderGiven: givenHeader !== undefined,
      });
    } finally {
      table.dispose();
    }
  },
  writeSheet: async ({ destination, images: imageColumns, overwrite, mark }, signal) => {
    const path = resolve(destination);
    checkSavedName(path, 'CSV');
    const delimiter = delimiterOfName(path) ?? ',';
    const lines = sheetLines(imageColumns, delimiter, mark);
    try {
      const bytes = await writeAtomicFile(
        path,
        async file => {
          let written = 0;
          for (let start = 0; start < lines.length; start += ROWS_AT_ONCE) {
            const part = Buffer.from(lines.slice(start, start + ROWS_AT_ONCE).join(''));
            await file.appendFile(part);
            written += part.length;
          }
          return written;
        },
        { replace: overwrite, signal },
      );
      return { path, bytes, rows: lines.length - 1 };
    } catch (error) {
      throw fileError(error, path);
    }
  },
};
