import type { Parts } from '../../base/parts';
import { untilCanceled } from '../../base/waiting';
import { numberText, saveTexts } from '../../columns/engine/saveTable';
import type { TableHandlers } from '../../columns/engine/tableHandlers';
import { studiedTables } from '../../study/engine/conditionHandlers';
import type { RequestHandlers } from '../../protocol/rpc';
import { type ControlledPlate, controlledPlates } from '../controls';
import type { PlateTableRequests, SavedPlateNames } from '../plateRequests';
import { NO_CONDITION, type Plates } from '../plates';
import { platesOf, type PlatesSpec } from './plateWells';

/** Wells in one response, so that a message stays small. */
const MAX_WELLS = 40_000;

/** The handlers of requests about plates. */
export function plateHandlers({
  tables,
  parts,
}: {
  tables: TableHandlers;
  parts: Pick<Parts, 'get'>;
}): RequestHandlers<PlateTableRequests> {
  const measuredPlates = (table: string, spec: PlatesSpec, signal: AbortSignal): Promise<Plates> => {
    const { view, images } = parts.get(studiedTables).of(table);
    const { cache, rowCount, columns } = view.table;
    const kinds = columns.map(({ kind }) => kind[0]).join('');
    const rows = [spec.filters, spec.measure.of].map(filters => view.filtersKey(filters));
    const imageFacts = [images.excluded, images.images.length, images.areas];
    return cache.get(
      {
        key: JSON.stringify(['plates', rowCount, kinds, imageFacts, rows, spec]),
        make: shared => platesOf(view, images, spec, shared),
        bytesOf: measured => measured.plates.reduce((sum, { wells }) => sum + 100 * wells.length, 1000),
      },
      signal,
    );
  };
  return {
    tablePlates: async ({ table, start, end, ...spec }, signal) => {
      const measured = await measuredPlates(table, spec, signal);
      let wells = 0;
      const page = measured.plates.slice(start, end).filter((plate, index) => {
        wells += plate.wells.length;
        return index === 0 || wells <= MAX_WELLS;
      });
      return { ...measured, plates: page };
    },
    tablePlatesSave: async (
      { table, marks, as, names, destination, overwrite, markHeader, ...spec },
      signal,
    ) => {
      await untilCanceled(tables.settled(table), signal);
      const measured = await measuredPlates(table, spec, signal);
      const format = tables.formatNamed(destination);
      const mark = !format && tables.decimalComma(table) ? ',' : '.';
      const { header, rows } = savedWells(measured, controlledPlates(measured, marks, as), names);
      const texts = rows.map(cells =>
        cells.map(cell => (typeof cell === 'string' ? cell : numberText(cell, mark))),
      );
      const saved = await saveTexts(
        parts.get(studiedTables).of(table).view.table,
        { header, rows: texts, destination, overwrite: overwrite === true, markHeader, format },
        signal,
      );
      return { path: saved.path, bytes: saved.bytes, wells: rows.length, plates: measured };
    },
  };
}

/** A row for each well that has images. */
function savedWells(
  { conditions, hasImages }: Plates,
  plates: readonly ControlledPlate[],
  names: SavedPlateNames,
): { header: string[]; rows: (string | number | null)[][] } {
  const hasPlates = plates.some(({ name }) => name !== null);
  const columns = [
    ...(hasPlates ? (['plate'] as const) : []),
    ...(['well', 'condition', 'control'] as const),
    ...(hasImages ? (['images'] as const) : []),
    ...(['objects', 'value'] as const),
  ];
  const rows = plates.flatMap(plate =>
    plate.wells.map((well, index) => {
      const control = plate.controls[index];
      const cells = {
        ...{ plate: plate.name ?? '', well },
        condition: conditions[plate.conditions[index] ?? NO_CONDITION] ?? '',
        control: control ? names[control] : '',
        images: plate.images[index] ?? 0,
        objects: plate.objects[index] ?? 0,
        value: plate.shown[index] ?? null,
      };
      return columns.map(column => cells[column]);
    }),
  );
  return { header: columns.map(column => names[column]), rows };
}
