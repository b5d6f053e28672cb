/** What ImageJ writes into the description of the first page of a stack. */
export interface ImageJStack {
  images: number;
  channels: number;
  slices: number;
  frames: number;
  unit?: string;
}

/** Reads ImageJ's lines of `key=value`; undefined when the text is something else. */
export function readImageJ(description: string): ImageJStack | undefined {
  if (!description.startsWith('ImageJ=')) return undefined;
  const values = new Map<string, string>();
  for (const line of description.split(/\r?\n/)) {
    const equals = line.indexOf('=');
    if (equals > 0) values.set(line.slice(0, equals), line.slice(equals + 1).trim());
  }
  const count = (key: string) => {
    const value = Number(values.get(key) ?? 1);
    return Number.isInteger(value) && value > 0 ? value : 1;
  };
  const unit = values.get('unit');
  const [channels, slices, frames] = [count('channels'), count('slices'), count('frames')];
  return {
    // A plain stack says only how many images it has: they are slices.
    images: count('images'),
    channels,
    slices: channels * slices * frames === 1 ? count('images') : slices,
    frames,
    ...(unit !== undefined && { unit }),
  };
}
