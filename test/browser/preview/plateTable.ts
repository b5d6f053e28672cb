import { rowName } from '../../../src/plates/wells';
import { seededNumbers } from './seededNumbers';

export interface PlateOptions {
  /** Wells of a plate: 24, 96, 384 or 1,536. */
  wells: number;
  plates: number;
  /** Objects of a well without treatment. */
  perWell: number;
}

const SIZES: Readonly<Record<number, readonly [rows: number, columns: number]>> = {
  24: [4, 6],
  96: [8, 12],
  384: [16, 24],
  1536: [32, 48],
};

/**
 * A table of a screen: DMSO in the first column, staurosporine in the last, an edge effect, and a
 * corner without images.
 */
export function plateText({ wells = 96, plates = 1, perWell = 6 }: Partial<PlateOptions>): string {
  const random = seededNumbers(23);
  const bell = () => random() + random() + random() - 1.5;
  const [rows, columns] = SIZES[wells] ?? [8, 12];
  const lines = [`Image origin,Object ID,Class,Area,Well,Treatment${plates > 1 ? ',Plate' : ''}`];
  for (let plate = 1; plate <= plates; plate++)
    for (let row = 0; row < rows; row++)
      for (let column = 0; column < columns; column++) {
        if (row >= rows - 2 && column > columns - 4 && column < columns - 1) continue;
        const treatment =
          column === 0 ? 'DMSO' : column === columns - 1 ? 'staurosporine' : `c${(row % 4) + 1}`;
        const isEdge = row === 0 || row === rows - 1;
        const hit = random() < 0.06 ? -40 : 0;
        const mean = (treatment === 'staurosporine' ? 60 : 150 + hit) + (isEdge ? 18 : 0) + 3 * bell();
        const well = `${rowName(row)}${String(column + 1).padStart(2, '0')}`;
        const count = treatment === 'staurosporine' ? Math.max(1, Math.round(perWell / 3)) : perWell;
        for (let id = 1; id <= count; id++) {
          const cells = [
            `P${plate}/${well}_s1.tif`,
            id,
            random() < 0.2 ? 'Mitotic' : 'Nucleus',
            // A well whose areas weren't measured.
            row === 2 && column === 3 ? '' : (mean + 12 * bell()).toFixed(1),
            well,
            treatment,
          ];
          lines.push([...cells, ...(plates > 1 ? [`P${plate}`] : [])].join(','));
        }
      }
  return `${lines.join('\n')}\n`;
}
