/**
 * The columns of a table measured from masks. They are data, the same in every language: a saved table is linked again by
 * them (findRowColumns), and what each means is in docs/measurements.md.
 */
export const SHAPE_COLUMNS = [
  'Image',
  'ID',
  'Class',
  'Area (px²)',
  'Perimeter (px)',
  'Major axis (px)',
  'Minor axis (px)',
  'Maximum Feret (px)',
  'Centroid X (px)',
  'Centroid Y (px)',
] as const;

/** The column of each channel's mean intensity; channels of one name are numbered. */
export function intensityColumns(channels: readonly string[]): string[] {
  if (channels.length === 1) return ['Mean intensity'];
  const used = new Map<string, number>();
  return channels.map((channel, at) => {
    const name = `Mean of ${channel || `channel ${at + 1}`}`;
    const times = (used.get(name) ?? 0) + 1;
    used.set(name, times);
    return times === 1 ? name : `${name} (${times})`;
  });
}
