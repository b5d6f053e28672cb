import type { RequestHandlers } from '../../protocol/rpc';
import type { SelectionRequests } from '../../masks/selectionRequests';
import type { Masks } from '../../masks/engine/masks';
import { selectedColumns } from '../../masks/engine/measured/selectedColumns';
import { selectedShapes } from '../../masks/engine/measured/selectedShapes';
import type { TableSource } from '../../columns/engine/read/tableSource';

export interface SelectionHandlersParts {
  /** The open masks. Throws `bad-request` when none are open. */
  masks: () => Masks;
  /** Rows of the objects table that are linked to the objects of an image, −1 for none. */
  rowsOfImage: (image: number) => Int32Array;
  /** The objects table whose rows are linked, and its column of IDs; undefined while none are. */
  linked: () => { table: TableSource; idColumn: string | undefined } | undefined;
}

/** The handlers of requests about several selected objects. */
export function selectionHandlers({
  masks,
  rowsOfImage,
  linked,
}: SelectionHandlersParts): RequestHandlers<SelectionRequests> {
  return {
    shapesOfSelection: ({ selection }, signal) => selectedShapes(masks(), selection, signal),
    columnsOfSelection: async ({ selection }, signal) => {
      const link = linked();
      if (!link) return { rows: 0, columns: [] };
      const rows = Int32Array.from(
        selection
          .flatMap(({ image, objects }) => {
            const ofImage = rowsOfImage(image);
            return objects.map(object => ofImage[object] ?? -1);
          })
          .filter(row => row >= 0),
      );
      if (rows.length === 0) return { rows: 0, columns: [] };
      return {
        rows: rows.length,
        columns: await selectedColumns(link.table, rows, link.idColumn, signal),
      };
    },
  };
}
